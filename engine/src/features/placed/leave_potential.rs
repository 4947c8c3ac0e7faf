//! What the leave alone can score on the board after a play.

use super::turn_words::are_few;
use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::equity::Equity;
use crate::movegen::{Generator, LeaveValues};
use crate::moves::Play;
use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::turn::Turn;

/// The plays of the leaves of one turn.
#[derive(Debug)]
pub(super) struct LeavePotential<'a> {
    turn: &'a Turn<'a>,
    /// Once it was needed.
    generator: Option<Generator<'a>>,
}

impl<'a> LeavePotential<'a> {
    pub(super) fn new(turn: &'a Turn<'a>) -> LeavePotential<'a> {
        LeavePotential { turn, generator: None }
    }

    /// The points of the best play of the leave of `play` on the board after it; 0 if it has none, or while many tiles are unseen.
    pub(super) fn best_score(&mut self, play: &Play, board: &Board, cross_sets: &CrossSets) -> f32 {
        let rack = self.turn.rack.minus(&Rack::from_tiles(&play.tiles)).unwrap_or_default();
        if rack.is_empty() || !are_few(self.turn) {
            return 0.0;
        }
        let generator = self.generator.get_or_insert_with(|| Generator::new(self.turn.setup));
        let leaves = LeaveValues { sub_racks: SubRacks::new(&rack), values: [Equity::ZERO; MAX_SUB_RACKS] };
        let turn = Turn { board, cross_sets, rack, ..*self.turn };
        generator.best_move(&turn, &leaves).chosen.score().max(0) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::samples::{WORDS, no_leaves, positions, small};
    use crate::movegen::reference;
    use crate::moves::Move;

    #[test]
    fn the_potential_is_the_best_of_all_plays_of_the_leave() {
        let setup = small(WORDS);
        let mut words = Vec::new();
        setup.lexicon.graph.for_each_word(|word| words.push(word.to_vec()));
        let mut generator = Generator::new(&setup);
        let (mut some, mut none, mut early) = (0, 0, 0);
        for game in positions(&setup, 5, 40) {
            let turn = game.turn(&setup);
            let mut potential = LeavePotential::new(&turn);
            for valued in generator.top_moves(&turn, &no_leaves(game.rack()), 4) {
                let Move::Play(play) = valued.chosen else { continue };
                let mut after = game.clone();
                after.make(&setup, &valued.chosen);
                let found = potential.best_score(&play, &after.board, &after.cross_sets);
                let leave = turn.rack.minus(&Rack::from_tiles(&play.tiles)).unwrap();
                let plays = reference::plays(&setup, &after.board, &leave, &words);
                let best = plays.iter().map(|play| play.score).max().unwrap_or(0);
                let is_few = are_few(&turn);
                assert_eq!(found as i32, if is_few { best } else { 0 });
                some += u32::from(is_few && best > 0);
                none += u32::from(is_few && best == 0);
                early += u32::from(!is_few && best > 0);
            }
        }
        assert!(some > 20 && none > 20 && early > 20, "{some} {none} {early}");
    }
}
