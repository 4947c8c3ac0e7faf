//! Players at the table.

use super::external::{FaultKind, SeatName, Sitting};
use super::kinds::{Kind, Player};
use crate::clock::TimeLeft;
use crate::deals::Deals;
use crate::game::Game;
use crate::movegen::{Generator, ValuedMove};

/// A player in one game. An external one has its connection here and can be at fault.
pub struct Seat<'a> {
    player: &'a Player,
    external: Option<Sitting>,
}

impl Player {
    /// Takes seat 0, which begins, or 1 of game `index`. An external player is reached before the clock runs.
    pub fn sit_down(&self, deals: Deals, index: u64, seat: usize) -> Seat<'_> {
        let external = match &self.kind {
            Kind::External(external) => Some(external.sit_down(SeatName { seed: deals.seed, deal: index, seat })),
            Kind::Static(_) | Kind::Deciding { .. } => None,
        };
        Seat { player: self, external }
    }
}

impl Seat<'_> {
    /// The player's move on a turn of the game, counted from 1; on a fault a pass, and the kind of fault.
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

    /// Tells the player how the game ended, and who lost it by the rule of faults, if anybody did.
    pub fn game_over(self, scores: [i32; 2], forfeited_by: Option<usize>) {
        if let Some(sitting) = self.external {
            sitting.game_over(scores, forfeited_by);
        }
    }
}
