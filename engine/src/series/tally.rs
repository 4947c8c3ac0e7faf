//! Two games on one deal, with the seats swapped, and the sums over pairs that all results of a series are computed from.

use serde::{Deserialize, Serialize};

use crate::movegen::ValuedMove;
use crate::player::external::FaultCounts;
use crate::selfplay::GameResult;

/// The sums over a series of pairs, from the view of player A. They are integers, so that the order of adding does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Tally {
    /// Pairs played.
    pub pairs: u64,
    /// Pairs whose two games differ in any move.
    pub games_differ: u64,
    /// Pairs in which A won 0, ½, 1, 1½, 2 games (a draw is half a win).
    pub outcomes: [u64; 5],
    /// Sum over pairs of A's spread in both games, in points.
    pub spread_sum: i64,
    /// Sum over pairs of the square of the spread of a pair.
    pub spread_squares: u64,
    /// Half wins of the player who moved first, over all games.
    pub first_mover_half_wins: u64,
    /// Points of A and of B over all games.
    pub scores: [i64; 2],
    /// Bingos of A and of B over all games.
    pub bingos: [u64; 2],
    /// Turns of all games.
    pub turns: u64,
    /// Sums over pairs of the squares of the pair's scores, bingos, turns and first moves.
    pub squares: Squares,
    /// Points that A and B paid for overtime, over all games.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub penalties: [u64; 2],
    /// Faults of A and of B, where they are external players, over all games.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub faults: [FaultCounts; 2],
    /// Games that A and B forfeited by their faults.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub forfeits: [u64; 2],
}

fn is_nothing<T: Default + PartialEq>(counts: &T) -> bool {
    *counts == T::default()
}

impl Tally {
    /// The sum of both tallies.
    #[must_use]
    pub fn plus(mut self, other: &Tally) -> Tally {
        self.pairs = self.pairs.saturating_add(other.pairs);
        self.games_differ = self.games_differ.saturating_add(other.games_differ);
        self.outcomes.iter_mut().zip(other.outcomes).for_each(|(mine, theirs)| *mine = mine.saturating_add(theirs));
        self.spread_sum = self.spread_sum.saturating_add(other.spread_sum);
        self.spread_squares = self.spread_squares.saturating_add(other.spread_squares);
        self.first_mover_half_wins = self.first_mover_half_wins.saturating_add(other.first_mover_half_wins);
        self.scores.iter_mut().zip(other.scores).for_each(|(mine, theirs)| *mine = mine.saturating_add(theirs));
        self.bingos.iter_mut().zip(other.bingos).for_each(|(mine, theirs)| *mine = mine.saturating_add(theirs));
        self.turns = self.turns.saturating_add(other.turns);
        self.squares.add(&other.squares);
        self.penalties.iter_mut().zip(other.penalties).for_each(|(mine, theirs)| *mine = mine.saturating_add(theirs));
        self.faults.iter_mut().zip(&other.faults).for_each(|(mine, theirs)| *mine = mine.plus(theirs));
        self.forfeits.iter_mut().zip(other.forfeits).for_each(|(mine, theirs)| *mine = mine.saturating_add(theirs));
        self
    }
}

/// Sums over pairs of the squares of the pair's total over both games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Squares {
    /// Half wins of the player who moved first.
    pub first_mover_half_wins: u64,
    /// Points of A and of B.
    pub scores: [u64; 2],
    /// Bingos of A and of B.
    pub bingos: [u64; 2],
    /// Turns.
    pub turns: u64,
}

impl Squares {
    fn add(&mut self, other: &Squares) {
        self.first_mover_half_wins = self.first_mover_half_wins.saturating_add(other.first_mover_half_wins);
        self.scores.iter_mut().zip(other.scores).for_each(|(mine, theirs)| *mine = mine.saturating_add(theirs));
        self.bingos.iter_mut().zip(other.bingos).for_each(|(mine, theirs)| *mine = mine.saturating_add(theirs));
        self.turns = self.turns.saturating_add(other.turns);
    }
}

/// Two games, the second with the seats swapped, both on one deal except in unpaired matches. All figures are from A's view.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// Its number in the series.
    pub index: u64,
    /// The game in which A moved first, and the game in which B did. Each counts by seats: whoever moved first is player 0.
    pub games: [GameResult; 2],
    /// Whether any move of the two games differs. If none does, the second game is the first one with the seats swapped.
    pub games_differ: bool,
    /// The moves of each game, unless they were [dropped](Pair::without_moves).
    /// [`replay_game`](crate::selfplay::replay_game) makes them again.
    pub moves: Option<[Vec<ValuedMove>; 2]>,
}

impl Pair {
    /// The pair without the moves of its games, which take most of its memory.
    #[must_use]
    pub fn without_moves(self) -> Pair {
        Pair { moves: None, ..self }
    }

    /// Points that A is ahead at the end of each game.
    pub fn spreads(&self) -> [i32; 2] {
        let [first, second] = &self.games;
        [first.scores[0] - first.scores[1], second.scores[1] - second.scores[0]]
    }

    /// Points that A is ahead in both games together.
    pub fn spread(&self) -> i32 {
        self.spreads().iter().sum()
    }

    /// A's half wins in both games, 0–4. A draw is half a win.
    pub fn half_wins(&self) -> u64 {
        self.spreads().map(half_wins).iter().sum()
    }

    /// The tally of some pairs.
    pub fn tally_of(pairs: &[Pair]) -> Tally {
        pairs.iter().fold(Tally::default(), |sum, pair| sum.plus(&pair.tally()))
    }

    /// The tally of this pair alone.
    pub fn tally(&self) -> Tally {
        let ([first, second], spreads) = (&self.games, self.spreads());
        let mut tally = Tally { pairs: 1, ..Tally::default() };
        tally.outcomes[self.half_wins() as usize] = 1;
        tally.spread_sum = i64::from(self.spread());
        tally.spread_squares = tally.spread_sum.unsigned_abs().pow(2);
        tally.first_mover_half_wins = half_wins(spreads[0]) + half_wins(-spreads[1]);
        tally.scores = [0, 1].map(|player: usize| i64::from(first.scores[player] + second.scores[1 - player]));
        tally.bingos = [0, 1].map(|player: usize| u64::from(first.bingos[player]) + u64::from(second.bingos[1 - player]));
        tally.games_differ = u64::from(self.games_differ);
        tally.turns = u64::from(first.turns) + u64::from(second.turns);
        tally.squares = Squares {
            first_mover_half_wins: tally.first_mover_half_wins.pow(2),
            scores: tally.scores.map(|points| points.unsigned_abs().pow(2)),
            bingos: tally.bingos.map(|bingos| bingos.saturating_pow(2)),
            turns: tally.turns.saturating_pow(2),
        };
        tally.penalties =
            [0, 1].map(|player: usize| first.penalties[player].saturating_add(second.penalties[1 - player]).max(0) as u64);
        tally.faults = [0, 1].map(|player: usize| first.faults[player].plus(&second.faults[1 - player]));
        let forfeits = |finished: &GameResult, player| u64::from(finished.forfeited_by == Some(player));
        tally.forfeits = [0, 1].map(|player: usize| forfeits(first, player) + forfeits(second, 1 - player));
        tally
    }
}

fn half_wins(spread: i32) -> u64 {
    (1 + spread.signum()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::GameResult;

    #[test]
    fn sums_that_no_games_have_neither_wrap_nor_panic() {
        let most = Tally { pairs: u64::MAX, outcomes: [u64::MAX; 5], spread_sum: i64::MAX, turns: 7, ..Tally::default() };
        let sum = most.clone().plus(&most);
        assert_eq!((sum.pairs, sum.outcomes, sum.spread_sum, sum.turns), (u64::MAX, [u64::MAX; 5], i64::MAX, 14));
        assert!(sum.summary().is_some());
        let faults = FaultCounts { illegal: u64::MAX, nonsense: 1, ..FaultCounts::default() };
        assert_eq!([faults.total(), faults.plus(&faults).total()], [u64::MAX; 2]);
        let is_read = |change: &dyn Fn(&mut GameResult)| {
            let mut game = GameResult::default();
            change(&mut game);
            serde_json::from_str::<GameResult>(&serde_json::to_string(&game).unwrap()).is_ok()
        };
        for (score, is_possible) in [(10_000_000, true), (10_000_001, false), (-10_000_001, false), (i32::MIN, false)] {
            assert_eq!(is_read(&|game| game.scores[1] = score), is_possible);
            assert_eq!(is_read(&|game| game.penalties[0] = score), is_possible);
        }
        for (count, is_possible) in [(10_000_000, true), (10_000_001, false), (u32::MAX, false)] {
            assert_eq!(is_read(&|game| game.bingos[0] = count), is_possible);
            assert_eq!(is_read(&|game| game.turns = count), is_possible);
            assert_eq!(is_read(&|game| game.faults[1].late = count.into()), is_possible);
        }
        assert!(!is_read(&|game| game.faults[0].gone = u64::MAX));
    }

    /// A tally whose figures are all different multiples of a factor.
    fn tally(factor: u64) -> Tally {
        let times = |figure: u64| factor * figure;
        let pair = |one: u64, other: u64| [times(one), times(other)];
        let fault = |first: u64| {
            let [illegal, nonsense, late, gone] = [0, 1, 2, 3].map(|next| times(first + next));
            FaultCounts { illegal, nonsense, late, gone }
        };
        Tally {
            pairs: times(1),
            games_differ: times(31),
            outcomes: [2, 3, 4, 5, 6].map(times),
            spread_sum: times(7) as i64,
            spread_squares: times(8),
            first_mover_half_wins: times(9),
            scores: pair(10, 11).map(|points| points as i64),
            bingos: pair(12, 13),
            turns: times(14),
            squares: Squares {
                first_mover_half_wins: times(15),
                scores: pair(16, 17),
                bingos: pair(18, 19),
                turns: times(20),
            },
            penalties: pair(21, 22),
            faults: [fault(23), fault(27)],
            forfeits: pair(37, 38),
        }
    }

    #[test]
    fn tallies_add_up() {
        assert_eq!(tally(2).plus(&tally(3)), tally(5));
        assert_eq!(Tally::default().plus(&tally(3)), tally(3));
    }

    /// A wins the first game by 100, moving first, and the second by 30, moving second.
    fn pair() -> Pair {
        let first = GameResult { scores: [400, 300], bingos: [2, 1], turns: 20, penalties: [10, 0], ..Default::default() };
        let second = GameResult { scores: [350, 380], bingos: [0, 3], turns: 25, penalties: [0, 5], ..Default::default() };
        Pair { index: 7, games: [first, second], games_differ: true, moves: None }
    }

    #[test]
    fn a_pair_is_tallied_from_the_view_of_its_first_player() {
        assert_eq!((pair().spreads(), pair().spread(), pair().half_wins()), ([100, 30], 130, 4));
        let tally = pair().tally();
        assert_eq!((tally.pairs, tally.games_differ, tally.outcomes, tally.turns), (1, 1, [0, 0, 0, 0, 1], 45));
        assert_eq!((tally.spread_sum, tally.spread_squares), (130, 16_900));
        // The player who moved first won one game of two.
        assert_eq!(tally.first_mover_half_wins, 2);
        assert_eq!((tally.scores, tally.bingos, tally.penalties), ([780, 650], [5, 1], [15, 0]));
        let squares = Squares { first_mover_half_wins: 4, scores: [608_400, 422_500], bingos: [25, 1], turns: 2025 };
        assert_eq!(tally.squares, squares);
    }
}
