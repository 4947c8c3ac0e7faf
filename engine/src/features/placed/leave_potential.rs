//! The points that the leave alone can score on the board after a play.

use super::turn_words::are_few;
use crate::layout::Direction;
use crate::movegen::{ChangedLane, HighestScores, LaneStates};
use crate::moves::Play;
use crate::rack::Rack;
use crate::turn::Turn;

/// The number of lanes whose highest scores are found together.
const LANES_AT_ONCE: usize = 4;

/// The plays of the leaves of one turn.
#[derive(Debug)]
pub(super) struct LeavePotential<'a> {
    turn: &'a Turn<'a>,
    known: Vec<KnownLeave>,
}

/// A leave whose plays on the board before the play were searched.
#[derive(Debug)]
struct KnownLeave {
    leave: Rack,
    search: HighestScores,
    /// The lanes with the highest scores, in points, as far as they were needed: the best lane first.
    best: Vec<(i32, (Direction, usize))>,
}

impl<'a> LeavePotential<'a> {
    pub(super) fn new(turn: &'a Turn<'a>) -> LeavePotential<'a> {
        LeavePotential { turn, known: Vec::new() }
    }

    /// The points of the best play of the leave of `play` on the board after it, given the lanes that it changes. They are 0
    /// if there is no such play, or while many tiles are unseen.
    pub(super) fn best_score(&mut self, play: &Play, changed: &[ChangedLane], states: &mut LaneStates<'_>) -> f32 {
        let leave = self.turn.rack.minus(&Rack::from_tiles(&play.tiles)).unwrap_or_default();
        if leave.is_empty() || !are_few(self.turn) {
            return 0.0;
        }
        let is_changed = |lane: (Direction, usize)| changed.iter().any(|changed| changed.lane == lane);
        let known = self.known(leave);
        // In the lanes that the play does not change, the best play is the same as before it.
        let before = known.best_but(is_changed, states);
        let numbers: Vec<usize> = changed.iter().map(|changed| changed.state).collect();
        known.search.find(states, &numbers, 1, before + 1).next().map_or(before, |(score, _)| score) as f32
    }

    fn known(&mut self, leave: Rack) -> &mut KnownLeave {
        let place = self.known.iter().position(|known| known.leave == leave).unwrap_or_else(|| {
            self.known.push(KnownLeave { leave, search: HighestScores::new(self.turn.setup, &leave), best: Vec::new() });
            self.known.len() - 1
        });
        &mut self.known[place]
    }
}

impl KnownLeave {
    /// The highest score on the board before the play in any but the lanes that are passed over, in points.
    fn best_but(&mut self, is_passed_over: impl Fn((Direction, usize)) -> bool, states: &mut LaneStates<'_>) -> i32 {
        let mut place = 0;
        loop {
            if place == self.best.len() {
                let others = states.lanes().filter(|&lane| self.best.iter().all(|&(_, better)| lane != better));
                let numbers: Vec<usize> = others.map(|lane| states.before(lane)).collect();
                self.best.extend(self.search.find(states, &numbers, LANES_AT_ONCE, 1));
                if place == self.best.len() {
                    return 0;
                }
            }
            let (score, lane) = self.best[place];
            if !is_passed_over(lane) {
                return score;
            }
            place += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::test_support::{WORDS, no_leaves, positions, small};
    use crate::movegen::{Generator, reference};
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
            let mut states = LaneStates::new(&setup, turn.board, turn.cross_sets, true);
            let all_lanes = states.lanes();
            for valued in generator.top_moves(&turn, &no_leaves(game.rack()), 4) {
                let Move::Play(play) = valued.chosen else { continue };
                let mut after = game.clone();
                after.make(&setup, &valued.chosen);
                let changed = |lane: (Direction, usize)| {
                    let state = states.number(lane, after.board(), after.cross_sets());
                    (state != states.before(lane)).then_some(ChangedLane { lane, state })
                };
                let changed: Vec<ChangedLane> = all_lanes.clone().filter_map(changed).collect();
                let found = potential.best_score(&play, &changed, &mut states);
                let leave = turn.rack.minus(&Rack::from_tiles(&play.tiles)).unwrap();
                let plays = reference::plays(&setup, after.board(), &leave, &words);
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
