//! What refuted other positions.

use super::lists::Listed;

/// Turns that refutations are told apart for; no line of best play is longer.
const TURNS: usize = 32;
/// Refutations kept of each turn.
const REFUTATIONS: usize = 4;

/// A play that refuted some position, and what its lane looked like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refutation {
    pub listed: Listed,
    pub look: u64,
}

/// For each turn on the way from the root, the plays that refuted positions there lately.
#[derive(Debug, Default)]
pub(super) struct Refutations {
    turn: usize,
    by_turn: [[Option<Refutation>; REFUTATIONS]; TURNS],
}

impl Refutations {
    /// Goes on to the next turn, which is the other player's.
    pub(super) fn go_on(&mut self) {
        self.turn = (self.turn + 1) % TURNS;
    }

    /// Goes back to the turn before.
    pub(super) fn go_back(&mut self) {
        self.turn = (self.turn + TURNS - 1) % TURNS;
    }

    /// Those of this turn, the latest first.
    pub(super) fn all(&self) -> [Option<Refutation>; REFUTATIONS] {
        self.by_turn[self.turn]
    }

    /// Takes note that a play has refuted a position.
    pub(super) fn remember(&mut self, listed: Listed, look: u64) {
        let refutations = &mut self.by_turn[self.turn];
        let is_it =
            |known: &Option<Refutation>| known.is_some_and(|known| known.listed.mark == listed.mark && known.look == look);
        let at = refutations.iter().position(is_it).unwrap_or(REFUTATIONS - 1);
        refutations[..=at].rotate_right(1);
        refutations[0] = Some(Refutation { listed, look });
    }
}
