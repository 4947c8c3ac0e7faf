//! The sections of a match that look at its games: turns, and a table of pairs.

use tilewright_engine::moves::{Move, Play};

use super::Match;
use crate::report::chart::{Chart, Colour, Layer, Mark};
use crate::report::html::{Section, escape, grouped, missing, signed, sortable_table};

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
            format!("<div class=\"two\">\n{body}</div>\n")
        } else {
            missing("A match with <code>--games-out</code> from its first run on keeps its moves; this one has none.")
        };
        Section {
            id: "turns",
            link: "Turns",
            title: "Scores and bingos by turn".into(),
            lead: "Turns that fewer than ten games have are left out.".into(),
            body,
        }
    }

    /// A chart of the mean of a value of the plays by the turn of each player; a turn without a play has the value of `None`.
    fn by_turn(&self, caption: &str, up: &str, unit: f64, value: impl Fn(Option<&Play>) -> i64) -> String {
        const MAX_TURNS: usize = 20;
        let mut sums = [[(0_u64, 0_i64); MAX_TURNS]; 2];
        for pair in self.pairs {
            for (game, moves) in pair.moves.iter().flatten().enumerate() {
                for (at, valued) in moves.iter().enumerate().filter(|(at, _)| at / 2 < MAX_TURNS) {
                    let play = if let Move::Play(play) = &valued.chosen { Some(play) } else { None };
                    let (count, sum) = &mut sums[(at + game) % 2][at / 2];
                    (*count, *sum) = (*count + 1, *sum + value(play));
                }
            }
        }
        let line = |player: usize| {
            let played = (1..).zip(sums[player]).filter(|(_, (count, _))| *count >= 10);
            Mark::Line(played.map(|(turn, (count, sum))| (f64::from(turn), unit * sum as f64 / count as f64)).collect())
        };
        let [a, b] = self.players();
        let layers = vec![Layer::new(b, Colour::Third, line(1)), Layer::new(a, Colour::First, line(0))];
        Chart { caption, across: "own turn of the game", up, layers }.show()
    }

    pub fn all_pairs(&self) -> Section {
        let [a, b] = self.players();
        let rows: Vec<Vec<String>> = self
            .pairs
            .iter()
            .take(MAX_ROWS)
            .map(|pair| {
                let [first, second] = &pair.games;
                vec![
                    pair.index.to_string(),
                    format!("{} : {}", first.scores[0], first.scores[1]),
                    format!("{} : {}", second.scores[1], second.scores[0]),
                    format!("{:.1}", pair.half_wins() as f64 / 2.0),
                    signed(f64::from(pair.spread()) / 2.0, 1),
                ]
            })
            .collect();
        let head = ["#pair", "#first game", "#second game", "#games won", "#spread per game"];
        let many = self.pairs.len() > MAX_ROWS;
        let lead = format!(
            "Scores of {} and {}; the first of them begins the first game.{}",
            escape(a),
            escape(b),
            if many { format!(" The first {MAX_ROWS} of {} pairs.", grouped(self.tally.pairs)) } else { String::new() }
        );
        Section {
            id: "pairs",
            link: "All pairs",
            title: "All pairs".into(),
            lead,
            body: sortable_table("by-pair", &head, &rows),
        }
    }
}
