//! Writing of GCG files.

use std::fmt::Display;

use super::encoding;
use super::game::{GcgAction, GcgEvent, GcgGame};
use crate::layout::show_coordinate;
use crate::moves::notation::show_word;
use crate::tileset::TileSet;

impl GcgGame {
    /// Returns the game as UTF-8 text. `tileset` must be the tile set with which it was read or played. Reading the text
    /// gives an equal game.
    pub fn write(&self, tileset: &TileSet) -> String {
        let mut text = Text::default();
        text.pragma(encoding::PRAGMA, "UTF-8");
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
fn shown(GcgEvent { rack, action, score, total, .. }: &GcgEvent, tileset: &TileSet) -> String {
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
    format!("{} {action_shown} {score} {total}", rack.show(tileset))
}
