//! Two games on one deal, with the seats swapped.

use serde::{Deserialize, Serialize};

use super::tally::{Squares, Tally};
use crate::movegen::ValuedMove;
use crate::selfplay::GameResult;

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
