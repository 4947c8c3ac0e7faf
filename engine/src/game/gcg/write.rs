//! Writing of GCG files.

use std::fmt::{self, Display};

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
        for pragma in &self.pragmas.0 {
            text.pragma(&pragma.name, &pragma.value);
        }
        text.notes(&self.notes);
        for event in &self.events {
            let nickname = &self.players[event.player].nickname;
            text.line(format_args!(">{nickname}: {}", Event(event, tileset)));
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
struct Event<'a>(&'a GcgEvent, &'a TileSet);

impl Display for Event<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Event(GcgEvent { rack, action, score, total, .. }, tileset) = self;
        write!(formatter, "{} ", rack.show(tileset))?;
        match action {
            GcgAction::Play { start, direction, word } => {
                write!(formatter, "{} {}", show_coordinate(*start, *direction), show_word(word, tileset))
            }
            GcgAction::Exchange(tiles) => write!(formatter, "-{}", tiles.show(tileset)),
            GcgAction::ExchangeUnknown(count) => write!(formatter, "-{count}"),
            GcgAction::Pass => formatter.write_str("-"),
            GcgAction::Withdrawal => formatter.write_str("--"),
            GcgAction::Challenge => formatter.write_str("(challenge)"),
            GcgAction::Time => formatter.write_str("(time)"),
            GcgAction::Out(tiles) | GcgAction::Penalty(tiles) => write!(formatter, "({})", tiles.show(tileset)),
        }?;
        // The sign tells a penalty from a gain, so a penalty of 0 is written as -0.
        let sign = if *score == 0 && matches!(action, GcgAction::Penalty(_)) { "-" } else { "" };
        let score = if sign.is_empty() { format!("{score:+}") } else { "-0".into() };
        write!(formatter, " {score} {total}")
    }
}
