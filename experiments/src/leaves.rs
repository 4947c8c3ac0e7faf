//! `leaves train`, `evaluate`, `show`, `report`, `diff` and `export`: leave tables.

use std::convert::Infallible;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use tilewright_engine::leave::{LeaveTable, csv, klv};
use tilewright_engine::player::{MatchPlayer, PlayerSpec};
use tilewright_engine::series::sequential::Decision;
use tilewright_engine::series::{Estimate, Summary};
use tilewright_engine::{Base, Rack, Setup, TileSet};
use tilewright_train::leaves::config::{Budget, LeavesConfig};
use tilewright_train::leaves::generations::Generations;
use tilewright_train::leaves::lattice::Lattice;
use tilewright_train::leaves::run::{GenerationReport, LeavesRun};
use tilewright_train::leaves::synergies::{Balance, alone, balances};
use tilewright_train::leaves::warnings::{WarningCounts, Warnings};
use tilewright_train::stored_match::MatchSpec;
use tilewright_train::stored_match::spec::percent;

use crate::fitting::{FitRequest, RunJson, opponent, place};
use crate::flags::{BuildFlag, TableFlags, shell_word};
use crate::matches::pair;
use crate::matches::request::{MatchRequest, name_game_of};
use crate::report::PAGE_FILE;
use crate::runs::{self, Context, Finished, RunRequest, SUMMARY_FILE, Told};
use crate::{Failure, Input, NewFile, Progress, loading, output, say};

pub mod flags;
pub mod table;
mod summary;
pub mod page;
pub mod diff;

use flags::{
    LeavesEvaluateArguments, LeavesExportArguments, LeavesFormat, LeavesShowArguments, LeavesTrainArguments, LeavesVerb,
};
use page::Subject;
use table::{EMBEDDED, OpenTable, Place};

pub fn run(verb: &LeavesVerb, context: &Context<'_>) -> Result<(), Failure> {
    match verb {
        LeavesVerb::Train(arguments) => runs::run(request(arguments)?, &context.with(&arguments.run)?),
        LeavesVerb::Eval(arguments) => evaluate(arguments, context),
        LeavesVerb::Show(arguments) => show(arguments),
        LeavesVerb::Report(arguments) => page::run(arguments),
        LeavesVerb::Diff(arguments) => diff::run(arguments),
        LeavesVerb::Export(arguments) => export(arguments),
    }
}

/// A request for the training of a leave table, with the amount of work, if it is not as in the config.
pub type LeavesRequest = FitRequest<LeavesConfig, Option<Budget>>;

pub fn request(arguments: &LeavesTrainArguments) -> Result<LeavesRequest, Failure> {
    let LeavesTrainArguments { config, flags, budget, match_pairs, .. } = arguments;
    FitRequest::of_file_or("default", config.as_deref(), flags, *budget, |config: &mut LeavesConfig| {
        config.match_pairs = match_pairs.unwrap_or(config.match_pairs);
    })
}

impl RunRequest for LeavesRequest {
    type Loaded = Arc<Lattice>;
    type Run<'a> = LeavesRun<'a>;
    const DOING: &'static str = "training";

    fn load(&mut self, setup: &Arc<Setup>, context: &Context<'_>, _progress: &Progress) -> Result<Arc<Lattice>, Failure> {
        let tileset = &setup.tileset;
        Lattice::check(tileset).map_err(Failure::input)?;
        loading::warn_of_unused_letters(&setup.lexicon, tileset, &self.flags.common.game);
        if let Some(budget) = self.more {
            self.config = self.config.clone().within(budget, tileset).input()?;
        }
        let Ok(lattice) = context.memos.lattice.get_or(tileset.hash(), || Ok::<_, Infallible>(Lattice::new(tileset)));
        Ok(lattice)
    }

    fn run<'a>(&'a self, setup: &'a Setup, lattice: &'a Arc<Lattice>) -> Result<Self::Run<'a>, Failure> {
        Ok(LeavesRun { setup, config: &self.config, lattice })
    }

    fn name(&self, setup: &Setup) -> String {
        let config = &self.config;
        let games: u64 = config.games.iter().sum();
        let (lexicon, tileset) = (&setup.lexicon.name, setup.tileset.name());
        format!("leaves-{lexicon}-{tileset}-{games}-games-{}", config.seed)
    }

    fn finish(&self, finished: Finished<'_, LeavesRun<'_>>, _lattice: &Arc<Lattice>) -> Result<Told, Failure> {
        let Finished { run, outcome, artefact, json, file } = finished;
        let LeavesRun { setup, config, .. } = *run;
        let warnings = Warnings::new(&outcome.table, Some(&outcome.detail));
        let summary = summary::in_short(setup, config, &outcome, &warnings.counts());
        if let Some(artefact) = artefact {
            artefact.add(SUMMARY_FILE, &summary)?;
            let page = page::write(&Subject {
                name: &setup.lexicon.name,
                words: Some(setup.lexicon.report.words),
                tileset: &setup.tileset,
                table: &outcome.table,
                detail: Some(&outcome.detail),
                warnings: &warnings,
                manifest: Some(artefact.manifest()),
                generations: Some(&Generations::new(&outcome, config)),
            });
            artefact.add(PAGE_FILE, page)?;
        }
        let trained = TrainedLeaves {
            run: json,
            words: setup.lexicon.report.words,
            leaves: outcome.table.values().len() - 1,
            warnings: warnings.counts(),
            generations: &outcome.generations,
            late_comparisons: outcome.late_comparisons,
            closing_match: outcome.closing_match.summary(),
        };
        Ok(Told { summary, times: None, written: file.write_json(&trained) })
    }

    fn next(&self, out: &Path, setup: &Setup, _lattice: &Arc<Lattice>) -> String {
        let against = match opponent(None, setup).base {
            Base::Greedy => Base::NoLeaves,
            leave => leave,
        };
        let against = PlayerSpec::from(against);
        place("The table is", out, Base::leave(Some(out.into())), against, &self.flags.common.game)
    }
}

/// The result of `leaves train`. Values and errors are in points.
#[derive(schemars::JsonSchema, Serialize)]
pub struct TrainedLeaves<'a> {
    #[serde(flatten)]
    run: RunJson,
    words: usize,
    leaves: usize,
    warnings: WarningCounts,
    /// As in `generations.json`.
    generations: &'a [GenerationReport],
    /// Comparisons of plays from which the adjustments for few tiles come.
    late_comparisons: u64,
    /// The match of the table (A) against no leaves (B), if one was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    closing_match: Option<Summary>,
}

fn leave(text: &str, tileset: &TileSet, table: &LeaveTable) -> Result<Rack, Failure> {
    let leave = Rack::parse(text, tileset).input()?;
    let most = table.ranking().max_size();
    if leave.is_empty() || leave.size() > most {
        return Err(Failure::input(format!("{text:?} has {} tiles; a leave has 1 to {most}", leave.size())));
    }
    Ok(leave)
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct ShownLeaves {
    table: String,
    leaves: Vec<ShownLeave>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    balances: Vec<ShownBalance>,
}

/// Leaves without a blank with some vowels and consonants, weighted by frequency in random full racks, in points.
#[derive(schemars::JsonSchema, Serialize)]
struct ShownBalance {
    /// Vowels and consonants, as in `2-1`.
    balance: String,
    leaves: usize,
    value: f64,
    beyond_tiles: f64,
}

/// A leave. Values are in points.
#[derive(schemars::JsonSchema, Serialize)]
struct ShownLeave {
    leave: String,
    value: f64,
    /// The value beyond the values of its tiles alone, and beyond the values of two where a kind has two or more.
    beyond_tiles: f64,
    #[serde(flatten)]
    support: Option<Support>,
}

/// The basis of a value, in tables that have it.
#[derive(schemars::JsonSchema, Serialize)]
struct Support {
    /// The value with its 95 % interval, in points.
    estimate: Estimate,
    /// Turns with the leave.
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
                Some(Support { estimate: Estimate { low, high, .. }, turns }) => {
                    let interval = format!("{low:.2} to {high:.2}");
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
    let [out, json] = arguments.json.files(arguments.save.as_deref())?;
    let game = &arguments.flags.game;
    loading::start_threads(arguments.flags.threads)?;
    let open = OpenTable::open(&Place::named_or_newest(arguments.table.as_deref(), game)?, game)?;
    let (OpenTable { table, tileset, .. }, detail) = (&open, open.detail()?);
    let shown = |named: &String| {
        let leave = leave(named, tileset, table)?;
        let index = table.ranking().rank(&leave);
        let value = table.values()[index].points();
        let support = detail.as_ref().map(|detail| Support {
            estimate: Estimate::normal(value, detail.standard_error[index]),
            turns: detail.support[index],
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

#[derive(schemars::JsonSchema, Serialize)]
pub struct ExportedLeaves {
    leaves: usize,
    format: LeavesFormat,
}

pub fn export(arguments: &LeavesExportArguments) -> Result<(), Failure> {
    let format = output::format_of(&arguments.save, arguments.format, ".klv2 or .csv", |extension| match extension {
        "klv2" | "klv" => Some(LeavesFormat::Klv2),
        "csv" => Some(LeavesFormat::Csv),
        _ => None,
    })?;
    let [out, json] = arguments.json.files(Some(&arguments.save))?;
    loading::start_threads(arguments.flags.threads)?;
    let OpenTable { table, tileset, .. } = OpenTable::open(&Place::named(&arguments.table), &arguments.flags.game)?;
    let bytes = match format {
        LeavesFormat::Klv2 => klv::write(&table).input()?,
        LeavesFormat::Csv => csv::write(&table, &tileset).into_bytes(),
    };
    let leaves = table.values().len() - 1;
    let written = out.export(bytes, ExportedLeaves { leaves, format }, format!("{leaves} leaves"))?;
    written.iter().try_for_each(|written| output::show(written, json))
}

/// `leaves eval`: tests in paired games whether a table is better than another.
///
/// By default it tests a win rate of 51 % against 50 %, which is about two and a half points of spread per game. The test
/// takes some five thousand pairs on average, and eight thousand if the true win rate lies halfway
/// ([`tilewright_engine::series::sequential`]). The maximum of 50,000 pairs is six times that, so a test hardly ever ends
/// undecided.
pub fn evaluate(arguments: &LeavesEvaluateArguments, context: &Context<'_>) -> Result<(), Failure> {
    let [table, against] = [&arguments.table, &arguments.against].map(|name| player(name));
    let spec = MatchSpec {
        seed: arguments.flags.common.seed,
        sequential: Some(arguments.sequential),
        alpha: arguments.rates.alpha,
        beta: arguments.rates.beta,
        ..MatchSpec::of_two([table.clone(), against.clone()], arguments.pairs)
    };
    let mut flags = arguments.flags.clone();
    name_game_of(&spec.players, &TableFlags::default(), &mut flags.common)?;
    let request = MatchRequest::new(flags, spec);
    let json = NewFile::unchecked(arguments.json.as_deref());
    let decision = pair::play(&request, &context.with_files(None, json, BuildFlag::default()))?;
    let [h0, h1] = [arguments.sequential.h0, arguments.sequential.h1].map(percent);
    let (table_shown, other) = (&arguments.table, &arguments.against);
    let verdict = match decision {
        Decision::AcceptH1 if h0 >= 50.0 => {
            format!("{table_shown} is better than {other}: it wins more than {h0} % of the games")
        }
        Decision::AcceptH1 => format!("{table_shown} wins more than {h0} % of the games against {other}"),
        Decision::AcceptH0 => format!("{table_shown} wins less than {h1} % of the games against {other}"),
        Decision::Open => {
            format!("{} pairs do not decide whether {table_shown} wins {h0} % or {h1} % against {other}", arguments.pairs)
        }
    };
    say!("\n{verdict}.");
    say!(
        "For an unbiased estimate of the difference, play a fixed number of pairs: tilewright match --player-a {} \
         --player-b {} --pairs 10000 --seed {}{}",
        shell_word(&table.to_string()),
        shell_word(&against.to_string()),
        request.spec.seed().wrapping_add(1),
        arguments.flags.common.game.repeated()
    );
    Ok(())
}

/// The player with this name, or the player that uses the table at this path or the embedded one.
fn player(name: &str) -> MatchPlayer {
    let base = match name.parse() {
        _ if name == EMBEDDED => Base::leave(None),
        Ok(PlayerSpec { base: base @ (Base::Greedy | Base::NoLeaves | Base::Leave { .. }), endgame: false }) => base,
        _ => Base::leave(Some(name.into())),
    };
    PlayerSpec::from(base).into()
}
