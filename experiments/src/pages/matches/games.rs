//! The sections of a match that look at its games: turns, and a table of pairs.

use tilewright_engine::moves::Move;
use tilewright_engine::series::Pair;

use super::{MAX_ROWS, Match, Seen};
use crate::pages::made::{ByTurn, chart_by_turn};
use crate::report::chart::Colour;
use crate::report::html::{Section, grouped, html, missing, signed, sortable_table};

impl Seen {
    /// Adds the turns of a pair; a turn without a play scores nothing.
    pub fn add_turns(&mut self, pair: &Pair, full: Option<usize>) {
        for (game, moves) in pair.moves.iter().flatten().enumerate() {
            self.keeps_moves |= !moves.is_empty();
            for (at, valued) in moves.iter().enumerate() {
                let play = if let Move::Play(play) = &valued.chosen { Some(play) } else { None };
                let player = (at + game) % 2;
                self.scores[player].add(at / 2, play.map_or(0, |play| i64::from(play.score)));
                if let Some(bingos) = &mut self.bingos {
                    let is_bingo = play.is_some_and(|play| Some(play.tiles.len()) == full);
                    bingos[player].add(at / 2, i64::from(is_bingo));
                }
            }
        }
    }
}

impl Match<'_> {
    /// Scores and bingos of each player by its turn of the game, from the kept moves.
    pub fn turns(&self) -> Section {
        let [a, b] = self.players();
        let chart = |caption, up, unit, [of_a, of_b]: [ByTurn; 2]| {
            chart_by_turn(caption, up, unit, [(b, Colour::Third, of_b), (a, Colour::First, of_a)])
        };
        let body = if self.seen.keeps_moves {
            html! { div.two {
                (chart("Mean score by turn", "points", 1.0, self.seen.scores))
                @if let Some(bingos) = self.seen.bingos {
                    (chart("Bingos by turn", "percent of the turns", 100.0, bingos))
                }
            } }
        } else {
            missing(html! {
                "A match with " code { "--games-out" } " from its first run on keeps its moves; this one has none."
            })
        };
        let lead = "Turns that fewer than ten games have are left out.";
        Section::new("turns", "Turns", "Scores and bingos by turn", lead, body)
    }

    pub fn all_pairs(&self) -> Section {
        let [a, b] = self.players();
        let row = |pair: &Pair| {
            let [first, second] = &pair.games;
            [
                pair.index.to_string(),
                format!("{} : {}", first.scores[0], first.scores[1]),
                format!("{} : {}", second.scores[1], second.scores[0]),
                format!("{:.1}", pair.half_wins() as f64 / 2.0),
                signed(f64::from(pair.spread()) / 2.0, 1),
            ]
        };
        let rows = self.seen.first.iter().map(row);
        let head = ["#pair", "#first game", "#second game", "#games won", "#spread per game"];
        let many = self.tally.pairs > MAX_ROWS as u64;
        let lead = format!(
            "Scores of {a} and {b}; the first of them begins the first game.{}",
            if many { format!(" The first {MAX_ROWS} of {} pairs.", grouped(self.tally.pairs)) } else { String::new() }
        );
        Section::new("pairs", "All pairs", "All pairs", lead, sortable_table("by-pair", &head, rows))
    }
}
