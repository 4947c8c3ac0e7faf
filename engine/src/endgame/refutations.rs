//! Refutations of other positions, which are tried first (the killer heuristic).

use super::lists::ListedPlay;

/// The number of turns with refutations of their own. No line of best play is longer.
const TURNS: usize = 32;
/// The number of refutations stored for each turn.
const REFUTATIONS: usize = 4;

/// A play that refuted a position, and the hash of its lane there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refutation {
    pub listed: ListedPlay,
    pub(crate) lane_hash: u64,
}

/// The latest refutations at each turn from the root.
#[derive(Debug, Default)]
pub(super) struct Refutations {
    turn: usize,
    by_turn: [[Option<Refutation>; REFUTATIONS]; TURNS],
}

impl Refutations {
    pub(super) fn next_turn(&mut self) {
        self.turn = (self.turn + 1) % TURNS;
    }

    pub(super) fn previous_turn(&mut self) {
        self.turn = (self.turn + TURNS - 1) % TURNS;
    }

    /// Returns the refutations of this turn, the latest first.
    pub(super) fn all(&self) -> [Option<Refutation>; REFUTATIONS] {
        self.by_turn[self.turn]
    }

    /// Stores a play that has refuted a position.
    pub(super) fn remember(&mut self, listed: ListedPlay, lane_hash: u64) {
        let refutations = &mut self.by_turn[self.turn];
        let is_it = |known: &Option<Refutation>| {
            known.is_some_and(|known| known.listed.mark == listed.mark && known.lane_hash == lane_hash)
        };
        let at = refutations.iter().position(is_it).unwrap_or(REFUTATIONS - 1);
        refutations[..=at].rotate_right(1);
        refutations[0] = Some(Refutation { listed, lane_hash });
    }
}
