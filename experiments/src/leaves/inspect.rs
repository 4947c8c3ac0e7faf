//! `leaves show`, `diff` and `export`.

use std::fmt::Write;

use tilewright_engine::leave::{LeaveTable, csv, klv};
use tilewright_engine::rack::Rack;
use tilewright_engine::series::NORMAL_95;
use tilewright_engine::setup::rules_hash;
use tilewright_engine::tileset::TileSet;
use tilewright_train::leaves::difference::Difference;

use super::flags::{LeavesDiffArguments, LeavesExportArguments, LeavesFormat, LeavesShowArguments};
use super::table::{OpenTable, Place};
use crate::failure::{Failure, Input};
use crate::loading;
use crate::output::{self, NewFile};

fn leave(text: &str, tileset: &TileSet, table: &LeaveTable) -> Result<Rack, Failure> {
    let leave = Rack::parse(text, tileset).input()?;
    let most = table.ranking().max_size();
    if leave.is_empty() || leave.size() > most {
        return Err(Failure::input(format!("{text:?} has {} tiles; a leave has 1 to {most}", leave.size())));
    }
    Ok(leave)
}

/// `leaves show`.
pub fn show(arguments: &LeavesShowArguments) -> Result<(), Failure> {
    let (mut text, out) = (String::new(), NewFile::new(arguments.out.as_deref())?);
    let game = &arguments.flags.game;
    loading::start_threads(&arguments.flags)?;
    let open = OpenTable::open(&Place::named_or_newest(arguments.table.as_deref(), game)?, game)?;
    let (OpenTable { table, tileset, .. }, detail) = (&open, open.detail()?);
    writeln!(text, "{}", open.title())?;
    writeln!(text, "leave      value    95 % interval       support")?;
    for named in &arguments.leaves {
        let leave = leave(named, tileset, table)?;
        let index = table.ranking().rank(&leave);
        let value = table.values()[index].points();
        let name = leave.show(tileset);
        match &detail {
            None => writeln!(text, "{name:<8} {value:>7.2}    unknown: a bare table has no support")?,
            Some(detail) => {
                let half = NORMAL_95 * detail.standard_error[index];
                let interval = format!("{:.2} to {:.2}", value - half, value + half);
                let (turns, boards) = (detail.support[index], detail.boards[index]);
                writeln!(text, "{name:<8} {value:>7.2}    {interval:<18} {turns:>8} turns, {boards} boards")?;
            }
        }
    }
    output::show_text(&text, out)
}

/// `leaves diff`.
pub fn diff(arguments: &LeavesDiffArguments) -> Result<(), Failure> {
    let (mut text, out) = (String::new(), NewFile::new(arguments.out.as_deref())?);
    let game = &arguments.flags.game;
    loading::start_threads(&arguments.flags)?;
    let [a, b] = [&arguments.a, &arguments.b].map(|path| OpenTable::open(&Place::named(path), game));
    let (a, b) = (a?, b?);
    if rules_hash(&a.tileset, &a.layout) != rules_hash(&b.tileset, &b.layout) {
        let [tiles_a, tiles_b] = [&a, &b].map(|open| open.tileset.name());
        return Err(Failure::input(format!(
            "{} is for the tile set {tiles_a} and {} for {tiles_b}; only tables of one tile set and board can be compared",
            a.name, b.name
        )));
    }
    let difference = Difference::between(&a.table, &b.table, &a.tileset);
    writeln!(text, "a: {}\nb: {}", a.title(), b.title())?;
    writeln!(text, "tiles   leaves  correlation  mean |a - b|  root mean square")?;
    for row in &difference.by_length {
        let label = row.tiles.map_or("all".to_string(), |tiles| tiles.to_string());
        writeln!(
            text,
            "{label:>5} {:>8}  {:>11.4}  {:>12.3}  {:>16.3}",
            row.leaves, row.correlation, row.mean_absolute, row.root_mean_square
        )?;
    }
    writeln!(text, "\nThe averages weight each leave by the expected number of times that a random full rack contains it.")?;
    let largest = difference.largest(arguments.top);
    if largest.is_empty() {
        writeln!(
            text,
            "{}",
            if difference.is_none() { "The tables are equal." } else { "No difference is listed (--top 0)." }
        )?;
        return output::show_text(&text, out);
    }
    writeln!(text, "The largest differences:")?;
    writeln!(text, "leave         a         b     a - b   times per 1000 racks")?;
    for index in largest {
        let leave = a.table.ranking().unrank(index);
        let (value_a, value_b) = (a.table.values()[index].points(), b.table.values()[index].points());
        writeln!(
            text,
            "{:<8} {value_a:>8.2}  {value_b:>8.2}  {:>8.2}   {:>20.3}",
            leave.show(&a.tileset),
            value_a - value_b,
            1000.0 * difference.weight(index)
        )?;
    }
    output::show_text(&text, out)
}

/// `leaves export`.
pub fn export(arguments: &LeavesExportArguments) -> Result<(), Failure> {
    let format = output::format_of(&arguments.out, arguments.format, ".klv2 or .csv", |extension| match extension {
        "klv2" | "klv" => Some(LeavesFormat::Klv2),
        "csv" => Some(LeavesFormat::Csv),
        _ => None,
    })?;
    let out = NewFile::new(Some(&arguments.out))?;
    loading::start_threads(&arguments.flags)?;
    let OpenTable { table, tileset, .. } = OpenTable::open(&Place::named(&arguments.table), &arguments.flags.game)?;
    let bytes = match format {
        LeavesFormat::Klv2 => klv::write(&table).input()?,
        LeavesFormat::Csv => csv::write(&table, &tileset).into_bytes(),
    };
    out.export(bytes, format_args!("{} leaves", table.values().len() - 1))
}
