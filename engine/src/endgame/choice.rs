//! The move that a search chooses when a limit cuts it short.

/// The choice among the moves of the root position, as of the searches that are complete.
///
/// It is the move with the best estimate of one depth until the best proved lower bound reaches that estimate, and from then on
/// the move with the best proved lower bound. So a search that goes on longer never gives up a move that was chosen by proof
/// for one whose value is less than that proof.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// The move with the best estimate, as its place in the order that breaks ties.
    pub rank: usize,
    /// Its estimate in points.
    pub estimate: i32,
    /// The proved upper bound of its value.
    most: i32,
    /// The best proved lower bound of all moves.
    proved: i32,
    /// Whether the best proved lower bound decides.
    pub(crate) is_by_proof: bool,
}

impl Choice {
    /// The choice before the search: the move with the best estimate by the static plan, with its upper bound, and the best
    /// lower bound of all moves.
    pub(super) fn new(rank: usize, estimate: i32, most: i32, proved: i32) -> Choice {
        let choice = Choice { rank, estimate, most, proved, is_by_proof: false };
        choice.decided()
    }

    /// Takes note that a move has beaten the moves before it in a search of the same depth.
    pub(super) fn prefer(&mut self, rank: usize, estimate: i32, most: i32) {
        *self = Choice { rank, estimate, most, ..*self }.decided();
    }

    /// Takes note of the proved bounds of a move.
    pub(super) fn learn(&mut self, rank: usize, bounds: (i32, i32)) {
        self.proved = self.proved.max(bounds.0);
        if rank == self.rank {
            self.most = bounds.1;
        }
        *self = self.decided();
    }

    fn decided(self) -> Choice {
        Choice { is_by_proof: self.is_by_proof || self.proved >= self.estimate.min(self.most), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_is_given_up_for_no_estimate() {
        let mut choice = Choice::new(0, 30, 90, -40);
        choice.learn(3, (20, 80));
        assert!(!choice.is_by_proof, "an estimate of 30 is above a proof of 20");
        choice.prefer(2, 25, 60);
        choice.learn(2, (-40, 20));
        assert!(choice.is_by_proof, "the move of the estimate gains at most 20");
        choice.prefer(4, 50, 60);
        assert!(choice.is_by_proof);
    }
}
