//! Recording of games as GCG, and writing of GCG files.

use std::fmt::Display;

use super::game;
use super::game::{GcgAction, GcgEvent, GcgGame, GcgPlayer, Pragmas};
use crate::game::Game;
use crate::layout::show_coordinate;
use crate::moves::Move;
use crate::moves::notation::{WordSquare, show_word, word_squares};
use crate::rack::Rack;
use crate::setup::Setup;
use crate::tileset::TileSet;

impl GcgGame {
    /// Returns the game as UTF-8 text. `tileset` must be the tile set with which it was read or played. Reading the text
    /// gives an equal game.
    pub fn write(&self, tileset: &TileSet) -> String {
        let mut text = Text::default();
        text.pragma(game::PRAGMA, "UTF-8");
        for (number, player) in (1..).zip(&self.players) {
            text.pragma(&format!("player{number}"), &format!("{} {}", player.nickname, player.name));
        }
        for (name, value) in &self.pragmas.0 {
            text.pragma(name, value);
        }
        text.notes(&self.notes);
        for event in &self.events {
            let nickname = &self.players[event.player].nickname;
            text.line(format_args!(">{nickname}: {}", shown(event, tileset)));
            text.notes(&event.notes);
        }
        for (number, rack) in (1..).zip(&self.racks).filter(|(_, rack)| !rack.is_empty()) {
            text.pragma(&format!("rack{number}"), &rack.show(tileset));
        }
        text.0
    }
}

#[derive(Default)]
struct Text(String);

impl Text {
    fn line(&mut self, line: impl Display) {
        self.0 += line.to_string().trim_end();
        self.0.push('\n');
    }

    /// Writes a pragma. Further lines of the value are marked with `#-`, so that they may hold any text.
    fn pragma(&mut self, name: &str, value: &str) {
        let mut lines = value.split('\n');
        self.line(format_args!("#{name} {}", lines.next().unwrap_or_default()));
        lines.for_each(|line| self.line(format_args!("#- {line}")));
    }

    fn notes(&mut self, notes: &[String]) {
        for note in notes {
            self.pragma("note", note);
        }
    }
}

/// The part of an event line after the nickname.
fn shown(GcgEvent { rack, action, score, total, after, .. }: &GcgEvent, tileset: &TileSet) -> String {
    let action_shown = match action {
        GcgAction::Play { start, direction, word } => {
            format!("{} {}", show_coordinate(*start, *direction), show_word(word, tileset))
        }
        GcgAction::Exchange(tiles) => format!("-{}", tiles.show(tileset)),
        GcgAction::ExchangeUnknown(count) => format!("-{count}"),
        GcgAction::Pass => "-".into(),
        GcgAction::Withdrawal => "--".into(),
        GcgAction::Challenge => "(challenge)".into(),
        GcgAction::Time => "(time)".into(),
        GcgAction::Out(tiles) | GcgAction::Penalty(tiles) => format!("({})", tiles.show(tileset)),
    };
    // The sign tells a penalty from a gain, so a penalty of 0 is written as -0.
    let is_lost = *score == 0 && matches!(action, GcgAction::Penalty(_));
    let score = if is_lost { "-0".into() } else { format!("{score:+}") };
    format!("{} {action_shown} {score} {total} {after}", rack.show(tileset))
}

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
            let (gain, loss) = setup.tileset.rules().tiles_left.gain_and_loss(left.points(&setup.tileset));
            if loss > 0 {
                self.event(1 - last, left, GcgAction::Penalty(left), -loss, after.scores[1 - last]);
            }
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
        self.events.push(GcgEvent {
            line: None,
            player,
            rack,
            action,
            score,
            total,
            after: String::new(),
            notes: Vec::new(),
        });
    }
}

/// A square as files have it: with a dot for any tile played through.
fn with_dots(square: WordSquare) -> WordSquare {
    if let WordSquare::Through(_) = square { WordSquare::Dot } else { square }
}
