//! Recording of games as GCG.

use super::game::{GcgAction, GcgEvent, GcgGame, GcgPlayer, Pragmas};
use crate::game::Game;
use crate::moves::Move;
use crate::moves::notation::{WordSquare, word_squares};
use crate::rack::Rack;
use crate::setup::Setup;

/// A game is recorded while it is played: call [`GcgGame::record`] before each move and [`GcgGame::finish`] after the last.
impl GcgGame {
    /// Starts the record of a game. Player 0 moves first. The nicknames must differ.
    pub fn new(setup: &Setup, players: [GcgPlayer; 2]) -> GcgGame {
        let names = [
            ("lexicon", &*setup.lexicon.name),
            ("tile-distribution", setup.tileset.name()),
            ("board-layout", setup.layout.name()),
        ];
        let pragmas = Pragmas(names.map(|(name, value)| (name.into(), value.into())).into());
        GcgGame { players, pragmas, ..GcgGame::default() }
    }

    /// Adds a pragma such as `#title Final`.
    pub fn pragma(&mut self, name: &str, value: &str) {
        self.pragmas.0.push((name.into(), value.into()));
    }

    /// Adds a note to the last move, or to the game if there is no move yet.
    pub fn note(&mut self, note: &str) {
        self.last_notes().push(note.into());
    }

    /// Adds the move that the player to move is about to make.
    pub fn record(&mut self, before: &Game, chosen: &Move) {
        let action = match chosen {
            Move::Play(play) => GcgAction::Play {
                start: play.start,
                direction: play.direction,
                word: word_squares(play, &before.board).into_iter().map(with_dots).collect(),
            },
            Move::Exchange(tiles) => GcgAction::Exchange(Rack::from_tiles(tiles)),
            Move::Pass => GcgAction::Pass,
        };
        let total = before.scores[before.to_move] + chosen.score();
        self.event(before.to_move, *before.rack(), action, chosen.score(), total);
    }

    /// Returns the record. If the game is over it includes the final adjustments of the scores, otherwise the two racks.
    #[must_use]
    pub fn finish(mut self, setup: &Setup, after: &Game) -> GcgGame {
        let last = 1 - after.to_move;
        if !after.is_over() {
            self.racks = after.racks;
        } else if after.racks[last].is_empty() {
            let left = after.racks[1 - last];
            let gain = 2 * left.points(&setup.tileset);
            self.event(last, Rack::default(), GcgAction::Out(left), gain, after.scores[last]);
        } else {
            for player in [after.to_move, last] {
                let rack = after.racks[player];
                let loss = -rack.points(&setup.tileset);
                self.event(player, rack, GcgAction::Penalty(rack), loss, after.scores[player]);
            }
        }
        self
    }

    fn event(&mut self, player: usize, rack: Rack, action: GcgAction, score: i32, total: i32) {
        self.events.push(GcgEvent { line: None, player, rack, action, score, total, notes: Vec::new() });
    }
}

/// A square as files have it: with a dot for any tile played through.
fn with_dots(square: WordSquare) -> WordSquare {
    if let WordSquare::Through(_) = square { WordSquare::Dot } else { square }
}
