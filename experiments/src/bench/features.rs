//! `bench features`: the cost of each feature.

use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;
use serde::Serialize;
use tilewright_engine::features::{Feature, Features};
use tilewright_engine::rack::SubRacks;
use tilewright_engine::{Game, Generator, LeaveData, LeaveTable, Monitor, Move, Setup, StaticPlayer};

use super::measuring::{FeaturesArguments, Started, go_on, positions};
use crate::features::Row;
use crate::{Failure, Input, loading, output};

/// Plays per position for which features of placement are computed.
const PLAYS: usize = 20;

#[derive(schemars::JsonSchema, Serialize)]
pub struct FeatureCosts<'a> {
    features: &'a [Row],
}

pub fn run(arguments: &FeaturesArguments) -> Result<(), Failure> {
    let game = &arguments.bench.game();
    let Started { json, setup, player, subject, progress, .. } = Started::new(&arguments.bench)?;
    let zeros = || LeaveData { late: Some(Arc::default()), ..LeaveTable::zero(&setup.tileset).into() };
    let leaves = match &game.tables.leaves {
        // The cost of a feature does not depend on the values.
        None => LeaveData::embedded(game.loader(&setup)).unwrap_or_else(|_| zeros()),
        Some(path) => LeaveData { late: zeros().late, ..LeaveData::load(path, game.loader(&setup)).input()? },
    };
    let mut positions = positions(&setup, &player, subject.seed, arguments.games);
    positions.retain(|game| !game.bag.is_empty());
    progress.begin("bench", Feature::all().len() as u64, "features");
    let mut rows = Vec::new();
    for &feature in Feature::all() {
        let features = Features::new(&[feature], &setup, Some(leaves.clone()))?;
        let time = match feature {
            Feature::Leave(_) => time(&positions, |game| {
                let turn = game.turn(&setup);
                features.leave_rows(&turn, &SubRacks::new(&turn.rack))
            }),
            Feature::Placed(_) => time_placed(&setup, &features, loading::ranker(&player)?, &positions),
            Feature::Position(_) => time(&positions, |game| features.move_values(&game.turn(&setup), &Move::Pass)),
            Feature::Score => Duration::ZERO,
        };
        rows.push(Row::new(feature, 1e6 * time.as_secs_f64() / positions.len().max(1) as f64));
        go_on(&progress)?;
        progress.advance(1);
    }
    progress.finish();
    output::show_as(as_table(&rows), &FeatureCosts { features: &rows }, json)
}

fn as_table(rows: &[Row]) -> String {
    let head = format!("{:26} {:9} {:>11}  unit", "feature", "part", "µs per turn");
    let line = |row: &Row| format!("\n{:26} {:9} {:11.1}  {}", row.name, row.part, row.microseconds, row.unit);
    head + &rows.iter().map(line).collect::<String>()
}

/// The CPU time of some work on every position.
fn time<R>(positions: &[Game], mut work: impl FnMut(&Game) -> R) -> Duration {
    let begun = ThreadTime::now();
    for game in positions {
        std::hint::black_box(work(game));
    }
    begun.elapsed()
}

fn time_placed(setup: &Setup, features: &Features, ranker: &StaticPlayer, positions: &[Game]) -> Duration {
    let mut generator = Generator::new(setup);
    let mut time = Duration::ZERO;
    for game in positions {
        let turn = game.turn(setup);
        let moves = ranker.choose_top(&mut generator, &turn, PLAYS);
        let plays = moves.iter().filter_map(|valued| if let Move::Play(play) = valued.chosen { Some(play) } else { None });
        let begun = ThreadTime::now();
        std::hint::black_box(features.placed_values(&turn, plays));
        time += begun.elapsed();
    }
    time
}
