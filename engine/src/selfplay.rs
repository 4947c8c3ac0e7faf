//! Self-play: games as functions of a deal.

use std::time::{Duration, Instant};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::clock::Clock;
use crate::deals::Deals;
use crate::game::Game;
use crate::monitor::{Monitor, NoMonitor};
use crate::movegen::{Generator, ValuedMove};
use crate::moves::Move;
use crate::player::Player;
use crate::player::external::{FAULTS_TO_FORFEIT, FaultCounts, forfeit_scores};
use crate::setup::Setup;

/// One turn, as seen before the move is made.
#[derive(Debug)]
pub struct TurnSeen<'a> {
    /// The game before the move.
    pub game: &'a Game,
    /// Turn number from 0.
    pub number: usize,
    /// The move, with its player's equity.
    pub chosen: ValuedMove,
}

/// A finished game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    /// Final scores of players 0 and 1 in points, less overtime penalties.
    #[serde(deserialize_with = "figures")]
    pub scores: [i32; 2],
    /// Overtime penalties in points, by player.
    #[serde(deserialize_with = "figures")]
    pub penalties: [i32; 2],
    /// Bingos, by player.
    #[serde(deserialize_with = "figures")]
    pub bingos: [u32; 2],
    /// Turns of both players together.
    #[serde(deserialize_with = "figures")]
    pub turns: u32,
    /// Faults of external players, by player. Each became a pass.
    #[serde(deserialize_with = "figures")]
    pub faults: [FaultCounts; 2],
    /// The player who forfeited the game by its faults ([`crate::player::external`]), if any.
    pub forfeited_by: Option<usize>,
}

/// The largest magnitude of a figure of a game that is read, as in records: sums of such figures stay in their types.
const MOST: u64 = 10_000_000;

/// Reads figures of a game.
fn figures<'de, D: Deserializer<'de>, T: Deserialize<'de> + Figures>(deserializer: D) -> Result<T, D::Error> {
    let figures = T::deserialize(deserializer)?;
    let largest = figures.largest();
    if largest <= MOST {
        Ok(figures)
    } else {
        Err(D::Error::custom(format!("no game has {largest} points, turns or faults")))
    }
}

trait Figures {
    /// The largest magnitude.
    fn largest(&self) -> u64;
}

impl Figures for i32 {
    fn largest(&self) -> u64 {
        self.unsigned_abs().into()
    }
}

impl Figures for u32 {
    fn largest(&self) -> u64 {
        (*self).into()
    }
}

impl Figures for FaultCounts {
    fn largest(&self) -> u64 {
        self.total()
    }
}

impl<T: Figures> Figures for [T; 2] {
    fn largest(&self) -> u64 {
        self[0].largest().max(self[1].largest())
    }
}

/// Plays deal `index` between two players, the first of them moving first. `see` is called for every turn.
pub fn play_game(
    generator: &mut Generator<'_>,
    players: [&Player; 2],
    deals: Deals,
    index: u64,
    see: impl FnMut(&TurnSeen<'_>),
) -> GameResult {
    let finished = play_timed_game(generator, players, deals, index, None, &NoMonitor, see);
    finished.unwrap_or_else(|| unreachable!("nothing stops this game"))
}

/// Like [`play_game`], with an optional clock. A stop request of the monitor ends the game between two turns, or while an
/// external player thinks: then it returns `None`. A game with a clock cannot be reproduced.
pub fn play_timed_game(
    generator: &mut Generator<'_>,
    players: [&Player; 2],
    deals: Deals,
    index: u64,
    clock: Option<&Clock>,
    monitor: &dyn Monitor,
    mut see: impl FnMut(&TurnSeen<'_>),
) -> Option<GameResult> {
    let setup = generator.setup();
    let mut game = Game::deal(setup, deals, index);
    let mut finished = GameResult::default();
    let mut seats = [0, 1].map(|seat| players[seat].take_seat(deals, index, seat, monitor));
    let mut taken = [Duration::ZERO; 2];
    while !game.is_over() {
        if monitor.is_stopped() {
            return None;
        }
        let player = game.to_move;
        let time = clock.map(|clock| clock.left(taken[player], &game));
        let begun = clock.map(|_| Instant::now());
        let (chosen, fault) = seats[player].choose(generator, &game, finished.turns as usize + 1, time.as_ref())?;
        taken[player] += begun.map_or(Duration::ZERO, |begun| begun.elapsed());
        if let Some(fault) = fault {
            finished.faults[player].add(fault);
            if finished.faults[player].total() == FAULTS_TO_FORFEIT {
                finished.forfeited_by = Some(player);
                break;
            }
        }
        see(&TurnSeen { game: &game, number: finished.turns as usize, chosen });
        let is_bingo = matches!(chosen.chosen, Move::Play(play) if play.tiles.len() == setup.tileset.rules().rack_size);
        finished.bingos[player] += u32::from(is_bingo);
        finished.turns += 1;
        game.make(setup, &chosen.chosen);
    }
    let penalties = taken.map(|taken| clock.map_or(0, |clock| clock.penalty(taken)));
    let scores = [0, 1].map(|player| game.scores[player] - penalties[player]);
    let scores = finished.forfeited_by.map_or(scores, |player| forfeit_scores(scores, player));
    for seat in seats {
        seat.game_over(scores, finished.forfeited_by);
    }
    Some(GameResult { scores, penalties, ..finished })
}

/// Makes the moves of a game with deal `index` again, and calls `see` for every turn. Returns the game after them.
pub fn replay_game(
    setup: &Setup,
    deals: Deals,
    index: u64,
    moves: &[ValuedMove],
    mut see: impl FnMut(&TurnSeen<'_>),
) -> Game {
    let mut game = Game::deal(setup, deals, index);
    for (number, &chosen) in moves.iter().enumerate() {
        see(&TurnSeen { game: &game, number, chosen });
        game.make(setup, &chosen.chosen);
    }
    game
}
