//! Static play: the move of highest equity under an evaluator, without looking ahead.

use std::sync::Arc;

use crate::equity::Equity;
use crate::evaluator::{ByLeaves, Evaluator, Prior, Ties};
use crate::movegen::{Generator, LeaveValues, ValuedMove};
use crate::moves::Move;
use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::rng::{shuffle, stream};
use crate::turn::Turn;

/// Moves that are asked for beyond those that are needed, because they may be as good.
const FEW_TIES: usize = 6;

/// Ranks the moves of a turn by its evaluator.
///
/// The generator and the turn must be of the same setup. Equities are from the view of the player to move.
#[derive(Clone, Debug)]
pub struct StaticPlayer {
    evaluator: Arc<dyn Evaluator>,
}

impl StaticPlayer {
    /// Creates a player that ranks moves by `evaluator`.
    pub fn new(evaluator: impl Evaluator + 'static) -> StaticPlayer {
        StaticPlayer { evaluator: Arc::new(evaluator) }
    }

    /// Creates a player that adds to the score of a move the value of its leave, in points by a function of turn and leave. With an empty
    /// bag, the value of going out takes its place, as it does for `leave`. The function is called for each leave of a turn, also for
    /// the whole rack. There its value is not used, because a pass is always the last resort.
    ///
    /// ```
    /// use tilewright_engine::static_player::StaticPlayer;
    ///
    /// // Each tile kept is worth a point.
    /// let keeps_tiles = StaticPlayer::by_leaves(|_turn, leave| leave.size() as f64);
    /// assert!(format!("{keeps_tiles:?}").contains("Evaluator"));
    /// ```
    pub fn by_leaves(points: impl Fn(&Turn<'_>, &Rack) -> f64 + Send + Sync + 'static) -> StaticPlayer {
        StaticPlayer::new(ByLeaves(points))
    }

    /// Whether the best move follows from the leave values alone, so that a search finds it.
    pub(crate) fn is_plain(&self) -> bool {
        self.evaluator.second_look() == 0 && self.evaluator.ties() == Ties::Ordered
    }

    /// Whether it values the best moves again, for more than their leaves, which is slow.
    pub(crate) fn looks_again(&self) -> bool {
        self.evaluator.second_look() > 0
    }

    /// The best move.
    pub fn choose(&self, generator: &mut Generator<'_>, turn: &Turn<'_>) -> ValuedMove {
        if !self.is_plain() {
            return self.choose_top(generator, turn, 1)[0];
        }
        generator.best_move(turn, &self.leave_values(turn))
    }

    /// The best `most` moves, the best first, and at least one.
    pub fn choose_top(&self, generator: &mut Generator<'_>, turn: &Turn<'_>, most: usize) -> Vec<ValuedMove> {
        let most = most.max(1);
        let values = self.leave_values(turn);
        let mut moves = match self.evaluator.ties() {
            Ties::Ordered => generator.top_moves(turn, &values, most.max(self.evaluator.second_look())),
            Ties::Random => with_ties(generator, turn, &values, most.max(self.evaluator.second_look())),
        };
        self.look_again(turn, &mut moves);
        moves.truncate(most);
        moves
    }

    /// All moves, the best first. Every play is valued for the squares it covers.
    pub fn rank(&self, generator: &mut Generator<'_>, turn: &Turn<'_>) -> Vec<ValuedMove> {
        let mut moves = generator.all_moves(turn, &self.leave_values(turn));
        self.look_again(turn, &mut moves);
        moves
    }

    /// Adds the values of where plays lay their tiles, if the evaluator has any, and sorts the moves again.
    fn look_again(&self, turn: &Turn<'_>, moves: &mut [ValuedMove]) {
        if self.evaluator.second_look() > 0 {
            self.evaluator.add_placed(turn, moves);
            moves.sort_unstable();
        }
        if self.evaluator.ties() == Ties::Random {
            let mut draw = stream(position_number(turn), "ties", 0);
            moves.chunk_by_mut(|one, next| one.equity == next.equity).for_each(|tied| shuffle(tied, &mut draw));
        }
    }

    /// How far the equities lie from simulated gains, with as many tiles in the bag.
    pub fn prior(&self, bag: usize) -> Prior {
        self.evaluator.prior(bag)
    }

    /// The value of the leave of a move from the turn's rack.
    pub fn leave_value(&self, turn: &Turn<'_>, chosen: &Move) -> Equity {
        let LeaveValues { sub_racks, values } = self.leave_values(turn);
        values[sub_racks.whole() - sub_racks.number(chosen.tiles())]
    }

    /// Whether the values of all leaves follow from the rack alone with this many tiles in the bag.
    pub(crate) fn needs_only_rack(&self, bag: usize) -> bool {
        self.evaluator.needs_only_rack(bag)
    }

    /// The values of all leaves of the turn's rack.
    pub fn leave_values(&self, turn: &Turn<'_>) -> LeaveValues {
        let sub_racks = SubRacks::new(&turn.rack);
        let mut values = [Equity::ZERO; MAX_SUB_RACKS];
        self.evaluator.leave_values(turn, &sub_racks, &mut values);
        LeaveValues { sub_racks, values }
    }
}

/// The best `most` moves and all others that are as good as the last of them.
fn with_ties(generator: &mut Generator<'_>, turn: &Turn<'_>, values: &LeaveValues, most: usize) -> Vec<ValuedMove> {
    let mut asked = most + FEW_TIES;
    loop {
        let moves = generator.top_moves(turn, values, asked);
        if moves.len() < asked || moves[most - 1].equity != moves[asked - 1].equity {
            return moves;
        }
        asked *= 4;
    }
}

/// A number that names the position for random draws: the tiles on the board and on the rack. The unseen ones follow from them.
fn position_number(turn: &Turn<'_>) -> u64 {
    let mut number = 0u64;
    let mut add = |part: u64| number = (number.rotate_left(5) ^ part).wrapping_mul(0x517c_c1b7_2722_0a95);
    for (square, tile) in turn.board.occupied() {
        let blank = u64::from(tile.is_blank()) << 32;
        add(u64::from(square.row) << 16 | u64::from(square.column) << 8 | u64::from(tile.letter()) | blank);
    }
    for (kind, count) in turn.rack.kinds() {
        add(u64::from(kind) << 8 | u64::from(count) | 1 << 40);
    }
    number
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::deals::Domain;
    use crate::evaluator::{Greedy, NoLeaves};
    use crate::game::Game;
    use crate::setup::Setup;

    #[test]
    fn ties_are_drawn_among_all_moves_of_the_best_equity() {
        let setup = Setup::embedded("english").unwrap();
        let mut generator = Generator::new(&setup);
        let (ordered, random) = (StaticPlayer::new(Greedy), StaticPlayer::new(NoLeaves));
        let (mut chosen, mut tied, mut firsts) = (BTreeMap::new(), 0, 0);
        for deal in 0..400 {
            let mut game = Game::deal(&setup, Domain::Match.deals(5), deal);
            for _ in 0..deal % 7 {
                let best = random.choose(&mut generator, &game.turn(&setup));
                game.make(&setup, &best.chosen);
            }
            let turn = game.turn(&setup);
            if turn.bag == 0 {
                continue;
            }
            let all = ordered.rank(&mut generator, &turn);
            let best: Vec<&ValuedMove> = all.iter().filter(|valued| valued.equity == all[0].equity).collect();
            let one = random.choose(&mut generator, &turn);
            let place = best.iter().position(|&valued| *valued == one).expect("a move of the best equity");
            assert_eq!((one, random.rank(&mut generator, &turn)[0]), (random.choose(&mut generator, &turn), one));
            if best.len() > 1 {
                tied += 1;
                firsts += usize::from(place == 0);
                *chosen.entry(best.len()).or_insert(0) += 1;
            }
            // The best few have the equities of the best few, and nothing is lost or doubled.
            let mut ranked = random.rank(&mut generator, &turn);
            let few = random.choose_top(&mut generator, &turn, 5);
            assert!(few.iter().map(|valued| valued.equity).eq(all.iter().take(5).map(|valued| valued.equity)));
            ranked.sort_unstable();
            assert_eq!(ranked, all);
        }
        let expected: f64 = chosen.iter().map(|(&ties, &times)| f64::from(times) / ties as f64).sum();
        assert!(tied > 100 && chosen.keys().any(|&ties| ties > 8), "{tied} {chosen:?}");
        assert!((firsts as f64 - expected).abs() < 4.0 * expected.sqrt(), "{firsts} firsts, {expected} expected");
    }
}
