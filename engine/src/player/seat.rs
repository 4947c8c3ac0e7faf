//! A player's seat in one game.

use super::external::{ExternalSeat, FaultKind, SeatName};
use super::kinds::{Kind, Player};
use crate::clock::TimeLeft;
use crate::deals::Deals;
use crate::game::Game;
use crate::movegen::{Generator, ValuedMove};

/// A player in one game. For an external player it holds the connection.
pub struct Seat<'a> {
    player: &'a Player,
    external: Option<ExternalSeat>,
}

impl Player {
    /// Takes seat 0, which moves first, or 1 in game `index`. An external player is connected to before its clock runs.
    pub fn take_seat(&self, deals: Deals, index: u64, seat: usize) -> Seat<'_> {
        let external = match &self.kind {
            Kind::External(external) => Some(external.take_seat(SeatName { seed: deals.seed, deal: index, seat })),
            Kind::Static(_) | Kind::Deciding { .. } => None,
        };
        Seat { player: self, external }
    }
}

impl Seat<'_> {
    /// Returns the player's move on a turn of the game, counted from 1. After a fault it is a pass, with the kind of fault.
    pub fn choose(
        &mut self,
        generator: &mut Generator<'_>,
        game: &Game,
        turn: usize,
        time: Option<&TimeLeft>,
    ) -> (ValuedMove, Option<FaultKind>) {
        match &mut self.external {
            Some(sitting) => sitting.answer(generator.setup(), game, turn, time),
            None => (self.player.choose_within(generator, game, time.map(|time| time.share)), None),
        }
    }

    /// Reports the final scores to an external player, and who forfeited the game by faults, if anyone.
    pub fn game_over(self, scores: [i32; 2], forfeited_by: Option<usize>) {
        if let Some(sitting) = self.external {
            sitting.game_over(scores, forfeited_by);
        }
    }
}
