//! `bench features`: the cost of each feature.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;
use serde::Serialize;
use tilewright_engine::deals::Domain;
use tilewright_engine::features::{BingoChance, Feature, Features};
use tilewright_engine::game::Game;
use tilewright_engine::leave::{LeaveData, LeaveTable};
use tilewright_engine::monitor::Monitor;
use tilewright_engine::movegen::Generator;
use tilewright_engine::moves::Move;
use tilewright_engine::player::Player;
use tilewright_engine::rack::SubRacks;
use tilewright_engine::selfplay::play_game;
use tilewright_engine::setup::Setup;
use tilewright_engine::static_player::StaticPlayer;

use super::flags::{BenchFlags, FeaturesArguments};
use crate::failure::Failure;
use crate::features::Row;
use crate::loading;
use crate::memo::Memos;
use crate::output::{self, NewFile, say};
use crate::progress::Progress;

/// Plays per position for which features of placement are computed.
const PLAYS: usize = 20;

#[derive(Serialize)]
struct FeatureCosts(Vec<Row>);

pub fn run(arguments: &FeaturesArguments) -> Result<(), Failure> {
    let BenchFlags { flags, json, .. } = &arguments.bench;
    let (json, game) = (NewFile::new(json.as_deref())?, &arguments.bench.game());
    let setup = loading::start(flags, &Memos::default())?;
    let player = arguments.bench.player(&setup)?;
    let zeros = || LeaveData { late: Some(Arc::default()), ..LeaveTable::zero(&setup.tileset).into() };
    let leaves = match &game.tables.leaves {
        // What a feature costs does not depend on the values.
        None => LeaveData::embedded(game.loader(&setup)).unwrap_or_else(|_| zeros()),
        Some(path) => LeaveData { late: zeros().late, ..loading::feature_leaves(Some(path), &setup, game)? },
    };
    let positions = positions(&setup, &player, flags.common.seed.unwrap_or(1), arguments.games);
    let progress = Progress::new(game.quiet);
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
            Feature::Position(_) => time(&positions, |game| features.position_values(&game.turn(&setup))),
            Feature::Score => Duration::ZERO,
        };
        rows.push(Row::new(feature, microseconds(time, positions.len())));
        if progress.is_stopped() {
            return Err(Failure::Interrupted("nothing was written".into()));
        }
        progress.advance(1);
    }
    progress.finish();
    output::show(&FeatureCosts(rows), json)?;
    let (cases, time) = time_bingo_chances(&setup, &positions);
    say!("bingo probability of a single leave: {:.1} µs ({cases} leaves)", microseconds(time, cases));
    Ok(())
}

impl fmt::Display for FeatureCosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:26} {:9} {:>11}  unit", "feature", "part", "µs per turn")?;
        for row in &self.0 {
            write!(f, "\n{:26} {:9} {:11.1}  {}", row.name, row.part, row.microseconds, row.unit)?;
        }
        Ok(())
    }
}

fn microseconds(time: Duration, times: usize) -> f64 {
    time.as_secs_f64() * 1e6 / times.max(1) as f64
}

/// Every position with tiles in the bag of the first `games` games.
fn positions(setup: &Setup, player: &Player, seed: u64, games: u64) -> Vec<Game> {
    let mut generator = Generator::new(setup);
    let mut positions = Vec::new();
    for index in 0..games {
        play_game(&mut generator, [player; 2], Domain::Match.deals(seed), index, |seen| {
            if !seen.game.bag.is_empty() {
                positions.push(seen.game.clone());
            }
        });
    }
    positions
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

/// Times the bingo probability of every leave of every position separately. Returns the number of leaves and the CPU time.
fn time_bingo_chances(setup: &Setup, positions: &[Game]) -> (usize, Duration) {
    let chances = BingoChance::new(setup);
    let mut cases = 0;
    let time = time(positions, |game| {
        let (unseen, numbers) = (game.unseen(), SubRacks::new(game.rack()));
        for number in 0..numbers.whole() {
            std::hint::black_box(chances.chance(setup, &numbers.get(number), &unseen));
            cases += 1;
        }
    });
    (cases, time)
}
