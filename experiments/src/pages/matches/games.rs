//! The sections of a match that look at its games: turns, and a table of pairs.

use tilewright_engine::moves::{Move, Play};
use tilewright_engine::series::Pair;

use super::Match;
use crate::pages::made::{ByTurn, chart_by_turn};
use crate::report::chart::Colour;
use crate::report::html::{Section, escape, grouped, missing, side_by_side, signed, sortable_table};

/// The most pairs in the table.
const MAX_ROWS: usize = 200;

impl Match<'_> {
    /// Scores and bingos of each player by its turn of the game, from the kept moves.
    pub fn turns(&self) -> Section {
        let keeps_moves = self.pairs.iter().any(|pair| pair.moves.iter().flatten().any(|moves| !moves.is_empty()));
        let body = if keeps_moves {
            let score = |play: Option<&Play>| play.map_or(0, |play| i64::from(play.score));
            let mut body = self.by_turn("Mean score by turn", "points", 1.0, score);
            if let Some(full) = self.rack_size {
                let bingo = |play: Option<&Play>| i64::from(play.is_some_and(|play| play.tiles.len() == full));
                body += &self.by_turn("Bingos by turn", "percent of the turns", 100.0, bingo);
            }
            side_by_side(&body)
        } else {
            missing("A match with <code>--games-out</code> from its first run on keeps its moves; this one has none.")
        };
        let lead = "Turns that fewer than ten games have are left out.";
        Section::new("turns", "Turns", "Scores and bingos by turn", lead, body)
    }

    /// A chart of the mean of a value of the plays by the turn of each player; a turn without a play has the value of `None`.
    fn by_turn(&self, caption: &str, up: &str, unit: f64, value: impl Fn(Option<&Play>) -> i64) -> String {
        let mut means = [ByTurn::default(); 2];
        for pair in self.pairs {
            for (game, moves) in pair.moves.iter().flatten().enumerate() {
                for (at, valued) in moves.iter().enumerate() {
                    let play = if let Move::Play(play) = &valued.chosen { Some(play) } else { None };
                    means[(at + game) % 2].add(at / 2, value(play));
                }
            }
        }
        let [a, b] = self.players();
        chart_by_turn(caption, up, unit, [(b, Colour::Third, means[1]), (a, Colour::First, means[0])])
    }

    pub fn all_pairs(&self) -> Section {
        let [a, b] = self.players();
        let row = |pair: &Pair| {
            let [first, second] = &pair.games;
            vec![
                pair.index.to_string(),
                format!("{} : {}", first.scores[0], first.scores[1]),
                format!("{} : {}", second.scores[1], second.scores[0]),
                format!("{:.1}", pair.half_wins() as f64 / 2.0),
                signed(f64::from(pair.spread()) / 2.0, 1),
            ]
        };
        let rows = self.pairs.iter().take(MAX_ROWS).map(row);
        let head = ["#pair", "#first game", "#second game", "#games won", "#spread per game"];
        let many = self.pairs.len() > MAX_ROWS;
        let lead = format!(
            "Scores of {} and {}; the first of them begins the first game.{}",
            escape(a),
            escape(b),
            if many { format!(" The first {MAX_ROWS} of {} pairs.", grouped(self.tally.pairs)) } else { String::new() }
        );
        Section::new("pairs", "All pairs", "All pairs", lead, sortable_table("by-pair", &head, rows))
    }
}
