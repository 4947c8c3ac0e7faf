//! A player's seat in one game.

use super::external::{ExternalSeat, FaultKind, SeatName};
use super::kinds::{Kind, Player};
use super::thinking_time::GameTime;
use crate::clock::{SearchLimits, TimeLeft};
use crate::deals::Deals;
use crate::game::Game;
use crate::monitor::Monitor;
use crate::movegen::{Generator, ValuedMove};

/// Of the turns of static players, one of this number is measured, each turn of a game in another deal: reading the CPU time
/// twice per turn would cost a static player one to three percent.
const TURNS_PER_MEASUREMENT: u64 = 7;

/// A player in one game. For an external player it holds the connection.
#[derive(Debug)]
pub(crate) struct Seat<'a> {
    player: &'a Player,
    external: Option<ExternalSeat<'a>>,
    monitor: &'a dyn Monitor,
    deal: u64,
    time: GameTime,
}

impl Player {
    /// Takes seat 0, which moves first, or 1 in game `index`. An external player is connected to before its clock runs. A
    /// stop request of the monitor ends the wait for its answers, and the search of a player that looks ahead.
    pub(crate) fn take_seat<'a>(&'a self, deals: Deals, index: u64, seat: usize, monitor: &'a dyn Monitor) -> Seat<'a> {
        let external = match &self.kind {
            Kind::External(external) => Some(external.take_seat(SeatName { seed: deals.seed, deal: index, seat }, monitor)),
            Kind::Static(_) | Kind::Deciding { .. } => None,
        };
        Seat { player: self, external, monitor, deal: index, time: GameTime::default() }
    }
}

impl Seat<'_> {
    /// Returns the player's move on a turn of the game, counted from 1, or `None` if the wait or the search for it was stopped. After a fault
    /// it is a pass, with the kind of fault.
    pub(crate) fn choose(
        &mut self,
        generator: &mut Generator<'_>,
        game: &Game,
        turn: usize,
        time: Option<&TimeLeft>,
    ) -> Option<(ValuedMove, Option<FaultKind>)> {
        if let Some(sitting) = &mut self.external {
            return sitting.answer(generator.setup(), game, turn, time);
        }
        let own_turn = self.deal.wrapping_add(turn as u64 / 2);
        let (is_static, monitor) = (self.player.as_static().is_some(), self.monitor);
        let is_measured = !is_static || own_turn.is_multiple_of(TURNS_PER_MEASUREMENT);
        let limits = SearchLimits { time, monitor };
        let valued = self.time.choose(is_measured, || self.player.choose_within(generator, game, limits));
        (is_static || !monitor.is_stopped()).then_some((valued, None))
    }

    /// Ends the game: its CPU time counts. Reports the final scores to an external player, and who forfeited the game by faults,
    /// if anyone.
    pub(crate) fn game_over(self, scores: [i32; 2], forfeited_by: Option<usize>) {
        self.player.thinking_time.add(self.time);
        if let Some(sitting) = self.external {
            sitting.game_over(scores, forfeited_by);
        }
    }
}
