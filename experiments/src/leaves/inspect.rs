//! `leaves show` and `export`.

use std::fmt;

use serde::Serialize;
use tilewright_engine::leave::{LeaveTable, csv, klv};
use tilewright_engine::series::NORMAL_95;
use tilewright_engine::{Rack, TileSet};
use tilewright_train::leaves::vowels::{Balance, alone, balances};

use super::flags::{LeavesExportArguments, LeavesFormat, LeavesShowArguments};
use super::table::{OpenTable, Place};
use crate::{Failure, Input, loading, output};

fn leave(text: &str, tileset: &TileSet, table: &LeaveTable) -> Result<Rack, Failure> {
    let leave = Rack::parse(text, tileset).input()?;
    let most = table.ranking().max_size();
    if leave.is_empty() || leave.size() > most {
        return Err(Failure::input(format!("{text:?} has {} tiles; a leave has 1 to {most}", leave.size())));
    }
    Ok(leave)
}

#[derive(Serialize)]
struct ShownLeaves {
    table: String,
    leaves: Vec<ShownLeave>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    balances: Vec<ShownBalance>,
}

/// Leaves without a blank with some vowels and consonants, weighted by how often a random full rack contains each; values in points.
#[derive(Serialize)]
struct ShownBalance {
    /// Vowels and consonants, as in `2-1`.
    balance: String,
    leaves: usize,
    value: f64,
    beyond_tiles: f64,
}

/// A leave; values in points.
#[derive(Serialize)]
struct ShownLeave {
    leave: String,
    value: f64,
    /// What the value adds to those of its tiles alone, and of two where there are two or more of a kind.
    beyond_tiles: f64,
    #[serde(flatten)]
    support: Option<Support>,
}

/// What a value is based on, for tables that have it: its 95 % interval, and the turns with the leave.
#[derive(Serialize)]
struct Support {
    value_low: f64,
    value_high: f64,
    turns: i64,
}

impl fmt::Display for ShownLeaves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.table)?;
        if !self.leaves.is_empty() {
            write!(f, "\nleave      value    95 % interval       support")?;
        }
        for ShownLeave { leave, value, support, .. } in &self.leaves {
            write!(f, "\n{leave:<8} {value:>7.2}    ")?;
            match support {
                None => write!(f, "unknown: a bare table has no support")?,
                Some(Support { value_low, value_high, turns }) => {
                    let interval = format!("{value_low:.2} to {value_high:.2}");
                    write!(f, "{interval:<18} {turns:>8} turns")?;
                }
            }
        }
        if !self.balances.is_empty() {
            write!(f, "\nvowels-consonants   leaves    value   beyond the tiles")?;
        }
        for ShownBalance { balance, leaves, value, beyond_tiles } in &self.balances {
            write!(f, "\n{balance:<17} {leaves:>8}  {value:>7.2}   {beyond_tiles:>16.2}")?;
        }
        Ok(())
    }
}

pub fn show(arguments: &LeavesShowArguments) -> Result<(), Failure> {
    let [out, json] = arguments.json.files(arguments.out.as_deref())?;
    let game = &arguments.flags.game;
    loading::start_threads(&arguments.flags)?;
    let open = OpenTable::open(&Place::named_or_newest(arguments.table.as_deref(), game)?, game)?;
    let (OpenTable { table, tileset, .. }, detail) = (&open, open.detail()?);
    let shown = |named: &String| {
        let leave = leave(named, tileset, table)?;
        let index = table.ranking().rank(&leave);
        let value = table.values()[index].points();
        let support = detail.as_ref().map(|detail| {
            let half = NORMAL_95 * detail.standard_error[index];
            Support { value_low: value - half, value_high: value + half, turns: detail.support[index] }
        });
        let beyond_tiles = value - alone(table, &leave);
        Ok(ShownLeave { leave: leave.show(tileset), value, beyond_tiles, support })
    };
    let leaves = arguments.leaves.iter().map(shown).collect::<Result<_, Failure>>()?;
    let balances = if arguments.balances { balances(table, tileset) } else { Vec::new() };
    let balance = |Balance { vowels, consonants, leaves, mean: value, beyond_tiles, .. }| ShownBalance {
        balance: format!("{vowels}-{consonants}"),
        leaves,
        value,
        beyond_tiles,
    };
    let balances = balances.into_iter().filter(|balance| balance.blanks == 0).map(balance).collect();
    output::show_in(&ShownLeaves { table: open.title(), leaves, balances }, out, json)
}

#[derive(Serialize)]
struct ExportedLeaves {
    leaves: usize,
    format: LeavesFormat,
}

pub fn export(arguments: &LeavesExportArguments) -> Result<(), Failure> {
    let format = output::format_of(&arguments.out, arguments.format, ".klv2 or .csv", |extension| match extension {
        "klv2" | "klv" => Some(LeavesFormat::Klv2),
        "csv" => Some(LeavesFormat::Csv),
        _ => None,
    })?;
    let [out, json] = arguments.json.files(Some(&arguments.out))?;
    loading::start_threads(&arguments.flags)?;
    let OpenTable { table, tileset, .. } = OpenTable::open(&Place::named(&arguments.table), &arguments.flags.game)?;
    let bytes = match format {
        LeavesFormat::Klv2 => klv::write(&table).input()?,
        LeavesFormat::Csv => csv::write(&table, &tileset).into_bytes(),
    };
    let leaves = table.values().len() - 1;
    let written = out.export(bytes, ExportedLeaves { leaves, format }, format!("{leaves} leaves"))?;
    written.iter().try_for_each(|written| output::show(written, json))
}
