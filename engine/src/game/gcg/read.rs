//! Parsing of GCG files.

use super::game::{self, GcgError, GcgFault, decode};
use super::game::{GcgAction, GcgEvent, GcgGame, GcgPlayer, Pragmas};
use crate::moves::notation;
use crate::rack::Rack;
use crate::tileset::TileSet;

/// The maximum absolute value of a score or a total, in points: far more than any game reaches.
const MAX_POINTS: i32 = 1_000_000;
/// The beginning of the note with which Macondo and Woogles mark a pass as a turn lost by a challenge.
const LOST_CHALLENGE: &str = "#unsuccessful-challenge";
/// The maximum number of characters of a line that an error quotes.
const MAX_EXCERPT: usize = 80;

/// Reads only the pragmas of a file, which name the tile set, the lexicon and the board.
///
/// # Errors
/// [`GcgError`] if the file cannot be decoded.
pub fn pragmas(bytes: &[u8]) -> Result<Pragmas, GcgError> {
    let text = decode(bytes)?;
    let pragmas = text.lines().filter_map(|line| line.strip_prefix('#')).filter(|line| !line.starts_with('-'));
    Ok(Pragmas(pragmas.map(split_pragma).map(|(name, value)| (name.into(), value.into())).collect()))
}

/// Parses a game. This does not check that the game is possible. [`super::replay`] checks it.
///
/// # Errors
/// [`GcgError`] with the line and the reason.
pub fn read(bytes: &[u8], tileset: &TileSet) -> Result<GcgGame, GcgError> {
    let text = decode(bytes)?;
    let mut reader = Reader { tileset, game: GcgGame::default(), continuable: Continuable::Nothing };
    let mut line = 0;
    for (index, content) in text.lines().enumerate() {
        line = index + 1;
        reader.line(line, content.trim_end()).map_err(|fault| GcgError::on_line(line, fault))?;
    }
    reader.finish().map_err(|fault| GcgError::on_line(line.max(1), fault))
}

/// Splits `name value`, the text of a pragma after its `#`.
fn split_pragma(line: &str) -> (&str, &str) {
    let (name, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (name, value.trim())
}

/// The text that a continuation line extends.
#[derive(Clone, Copy)]
enum Continuable {
    Nothing,
    Note,
    Pragma,
}

struct Reader<'a> {
    tileset: &'a TileSet,
    /// The game so far. A player who is not named yet has no nickname.
    game: GcgGame,
    continuable: Continuable,
}

impl Reader<'_> {
    fn line(&mut self, number: usize, line: &str) -> Result<(), GcgFault> {
        if let Some(text) = line.strip_prefix("#-") {
            return self.continue_text(line, text.strip_prefix(' ').unwrap_or(text));
        }
        if let Some(pragma) = line.strip_prefix('#') {
            let (name, value) = split_pragma(pragma);
            return self.pragma(name, value);
        }
        if let Some(event) = line.strip_prefix('>') {
            let event = self.event(number, event).map_err(|fault| match fault {
                GcgFault::Form { .. } => GcgFault::Form { text: excerpt(line) },
                other => other,
            })?;
            self.game.events.push(event);
            self.continuable = Continuable::Nothing;
            return Ok(());
        }
        // Only notes and the description may continue without a mark. After anything else an unmarked line is an error.
        let is_long_text = match self.continuable {
            Continuable::Nothing => false,
            Continuable::Note => true,
            Continuable::Pragma => {
                self.game.pragmas.0.last().is_some_and(|(name, _)| name.eq_ignore_ascii_case("description"))
            }
        };
        match line.trim_start() {
            "" => Ok(()),
            _ if is_long_text => self.continue_text(line, line),
            _ => Err(GcgFault::StrayLine { text: excerpt(line) }),
        }
    }

    fn continue_text(&mut self, line: &str, text: &str) -> Result<(), GcgFault> {
        let continued = match self.continuable {
            Continuable::Nothing => None,
            Continuable::Note => self.game.last_notes().last_mut(),
            Continuable::Pragma => self.game.pragmas.0.last_mut().map(|(_, value)| value),
        };
        let continued = continued.ok_or_else(|| GcgFault::StrayLine { text: excerpt(line) })?;
        continued.push('\n');
        continued.push_str(text);
        Ok(())
    }

    fn pragma(&mut self, name: &str, value: &str) -> Result<(), GcgFault> {
        self.continuable = Continuable::Nothing;
        match &*name.to_ascii_lowercase() {
            "player1" => self.player(0, value)?,
            "player2" => self.player(1, value)?,
            "player3" | "player4" => return Err(GcgFault::MorePlayers { name: name.into() }),
            "rack1" => self.game.racks[0] = Rack::from_notation(value, self.tileset)?,
            "rack2" => self.game.racks[1] = Rack::from_notation(value, self.tileset)?,
            "note" => {
                if value.starts_with(LOST_CHALLENGE) {
                    self.lost_challenge();
                }
                self.game.last_notes().push(value.into());
                self.continuable = Continuable::Note;
            }
            game::PRAGMA => {}
            _ => {
                self.game.pragmas.0.push((name.into(), value.into()));
                self.continuable = Continuable::Pragma;
            }
        }
        Ok(())
    }

    /// Makes a pass after a play of the opponent a turn lost by a challenge.
    fn lost_challenge(&mut self) {
        if let [.., challenged, event] = &mut self.game.events[..]
            && matches!(challenged.action, GcgAction::Play { .. })
            && (challenged.player != event.player && event.action == GcgAction::Pass)
        {
            event.action = GcgAction::Challenge;
        }
    }

    fn player(&mut self, player: usize, value: &str) -> Result<(), GcgFault> {
        let (nickname, name) = value.split_once(char::is_whitespace).unwrap_or((value, ""));
        if nickname.is_empty() {
            return Err(GcgFault::NoNickname { number: player + 1 });
        }
        let known = self.game.players.each_ref().map(|player| player.nickname.as_str());
        if !known[player].is_empty() {
            return Err(GcgFault::PlayerTwice { number: player + 1, nickname: known[player].into() });
        }
        if known[1 - player] == nickname {
            return Err(GcgFault::SameNickname { nickname: nickname.into() });
        }
        self.game.players[player] = GcgPlayer { nickname: nickname.into(), name: name.trim_start().into() };
        Ok(())
    }

    /// Returns the player with a nickname, and names a player who has no nickname yet: old files have no player pragmas.
    fn find_player(&mut self, nickname: &str) -> Result<usize, GcgFault> {
        let players = &mut self.game.players;
        if let Some(player) = players.iter().position(|player| player.nickname == nickname) {
            return Ok(player);
        }
        if let Some(player) = players.iter().position(|player| player.nickname.is_empty()) {
            players[player].nickname = nickname.into();
            return Ok(player);
        }
        let [first, second] = players.each_ref().map(|player| player.nickname.clone());
        Err(GcgFault::ThirdPlayer { nickname: nickname.into(), first, second })
    }

    /// Parses an event line after its `>`, with more words after the total if it is no event otherwise. The caller fills in the text of
    /// [`GcgFault::Form`].
    fn event(&mut self, line: usize, text: &str) -> Result<GcgEvent, GcgFault> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let longer = |reader: &mut Self| {
            (4..words.len()).find_map(|end| {
                let event = reader.event_of(line, text, &words[..end]).ok()?;
                Some(GcgEvent { after: words[end..].join(" "), ..event })
            })
        };
        self.event_of(line, text, &words).or_else(|fault| longer(self).ok_or(fault))
    }

    fn event_of(&mut self, line: usize, text: &str, words: &[&str]) -> Result<GcgEvent, GcgFault> {
        let form = || GcgFault::Form { text: String::new() };
        let [nickname, what @ .., score, total] = words else { return Err(form()) };
        // Quackle puts a plus before every number.
        let score = score.strip_prefix('+').filter(|rest| rest.starts_with('-')).unwrap_or(score);
        let nickname = nickname.strip_suffix(':').filter(|name| !name.is_empty() && text.starts_with(*name));
        let nickname = nickname.ok_or_else(form)?;
        let (rack, action) = match what {
            [start, word] if notation::read_start(start).is_ok() => ("", self.play(start, word)?),
            [action] => ("", self.action(action, score)?.ok_or_else(form)?),
            [rack, action] => (*rack, self.action(action, score)?.ok_or_else(form)?),
            [rack, start, word] => (*rack, self.play(start, word)?),
            _ => return Err(form()),
        };
        // Quackle names a rack that it does not know so.
        let is_unknown = rack == "UNKNOWN" && action == GcgAction::Challenge;
        let rack = Rack::from_notation(if is_unknown { "" } else { rack }, self.tileset)?;
        let (score, total) = (points("score", score)?, points("total", total)?);
        let player = self.find_player(nickname)?;
        Ok(GcgEvent { line: Some(line), player, rack, action, score, total, after: String::new(), notes: Vec::new() })
    }

    fn play(&self, start: &str, word: &str) -> Result<GcgAction, GcgFault> {
        let (start, direction) = notation::read_start(start)?;
        Ok(GcgAction::Play { start, direction, word: notation::read_word(word, self.tileset)? })
    }

    /// Parses an action of one word.
    fn action(&self, text: &str, score: &str) -> Result<Option<GcgAction>, GcgFault> {
        Ok(Some(match text {
            "-" => GcgAction::Pass,
            "--" => GcgAction::Withdrawal,
            "(challenge)" => GcgAction::Challenge,
            "(time)" => GcgAction::Time,
            _ => {
                if let Some(tiles) = text.strip_prefix('-') {
                    return self.exchange(tiles).map(Some);
                }
                let Some(tiles) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else { return Ok(None) };
                let tiles = Rack::from_notation(tiles, self.tileset)?;
                // The sign tells them apart, not the number, which is 0 for a blank.
                match (tiles.is_empty(), score.starts_with('-')) {
                    (true, _) => return Ok(None),
                    (false, true) => GcgAction::Penalty(tiles),
                    (false, false) => GcgAction::Out(tiles),
                }
            }
        }))
    }

    fn exchange(&self, tiles: &str) -> Result<GcgAction, GcgFault> {
        if !tiles.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(GcgAction::Exchange(Rack::from_notation(tiles, self.tileset)?));
        }
        let limit = self.tileset.rules().rack_size;
        match tiles.parse::<u8>() {
            Ok(count) if (1..=limit).contains(&usize::from(count)) => Ok(GcgAction::ExchangeUnknown(count)),
            _ => Err(GcgFault::ExchangeCount { text: excerpt(tiles), limit }),
        }
    }

    fn finish(self) -> Result<GcgGame, GcgFault> {
        match self.game.players.iter().position(|player| player.nickname.is_empty()) {
            Some(missing) => Err(GcgFault::MissingPlayer { number: missing + 1 }),
            None => Ok(self.game),
        }
    }
}

fn points(what: &'static str, text: &str) -> Result<i32, GcgFault> {
    let points = text.parse().ok().filter(|points| (-MAX_POINTS..=MAX_POINTS).contains(points));
    points.ok_or_else(|| GcgFault::Points { what, text: excerpt(text), limit: MAX_POINTS })
}

fn excerpt(text: &str) -> String {
    match text.char_indices().nth(MAX_EXCERPT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Direction;

    fn english() -> TileSet {
        TileSet::embedded("english").unwrap()
    }

    #[test]
    fn a_file_with_every_kind_of_line_is_written_as_it_was_read() {
        let text = "#character-encoding ISO-8859-1\r\n\
            #player1 peña  María Peña\r\n\
            #player2 bob\r\n\
            #title  Final, game 1 \r\n\
            #description played in\r\nLeón\r\n\
            #lexicon FILE2017\r\n\
            #id es 17\r\n\
            #tile-set spanish\r\n\
            #note before\r\n\
            \r\n\
            >peña: [CH]AÑIL? 8D [CH]AñA +22 22\r\n\
            #note one\r\n  more, and\r\n#- >marked\r\n\
            #note two\r\n\
            #style x\r\n\
            >bob:  D8 .[RR]o +9 9\r\n\
            >bob: AE -- -9 0\r\n\
            >peña: AE -[LL]E +0 22\r\n\
            >bob: -3 0 0\r\n\
            >peña: - +0 22\r\n\
            >bob: A (challenge) +5 5\r\n\
            >bob: (time) -10 -5\r\n\
            >bob: (A[CH]) +12 7\r\n\
            >peña: ?? (??) -0 22\r\n\
            #rack2 AE[CH]";
        let bytes: Vec<u8> = text.chars().map(|letter| letter as u8).collect();
        let spanish = TileSet::embedded("spanish").unwrap();
        assert_eq!(pragmas(&bytes).unwrap().tile_set(), Some("spanish"));
        let game = read(&bytes, &spanish).unwrap();
        assert_eq!(game.players[0], GcgPlayer { nickname: "peña".into(), name: "María Peña".into() });
        assert_eq!(game.players[1], GcgPlayer { nickname: "bob".into(), name: String::new() });
        let pragmas = &game.pragmas;
        assert_eq!((pragmas.title(), pragmas.value("description")), (Some("Final, game 1"), Some("played in\nLeón")));
        assert_eq!((pragmas.lexicon(), pragmas.value("id")), (Some("FILE2017"), Some("es 17")));
        assert_eq!(pragmas.value("STYLE"), Some("x"));
        assert_eq!(game.notes, ["before"]);
        assert_eq!(game.events[0].notes, ["one\n  more, and\n>marked", "two"]);
        assert_eq!(game.events[0].line, Some(12));
        let kinds: Vec<bool> =
            game.events.iter().map(|event| matches!(event.action, GcgAction::Out(_) | GcgAction::Penalty(_))).collect();
        assert_eq!(kinds, [false, false, false, false, false, false, false, false, true, true]);
        assert!(
            matches!(&game.events[1].action, GcgAction::Play { direction: Direction::Down, word, .. } if word.len() == 3)
        );
        assert_eq!(game.racks.map(|rack| rack.size()), [0, 3]);
        let written = game.write(&spanish);
        assert!(
            written.starts_with("#character-encoding UTF-8\n#player1 peña María Peña\n#player2 bob\n#title"),
            "{written}"
        );
        assert!(written.contains("\n>bob:  D8 .[RR]o +9 9\n") && written.contains("\n>peña: ?? (??) -0 22\n"), "{written}");
        let again = read(written.as_bytes(), &spanish).unwrap();
        assert_eq!((again.write(&spanish), again), (written, game));
    }

    #[test]
    fn players_may_be_named_by_events_only() {
        let game = read(b">quackle: - +0 0\n>ann: - +0 0\n", &english()).unwrap();
        assert_eq!(game.players.map(|player| player.nickname), ["quackle", "ann"]);
        // Ann is the second player, although she moves first.
        let game = read(b"#player2 ann Ann\n>ann: - +0 0\n>quackle: - +0 0\n", &english()).unwrap();
        assert_eq!(game.players.each_ref().map(|player| player.nickname.as_str()), ["quackle", "ann"]);
        assert_eq!(game.events.iter().map(|event| event.player).collect::<Vec<_>>(), [1, 0]);
        assert_eq!(read(game.write(&english()).as_bytes(), &english()).unwrap().players, game.players);
    }

    #[test]
    fn text_after_the_total_and_a_lost_challenge_of_macondo_are_read() {
        let english = english();
        let text = b">a: ABC 8h CAB +14 14 CAB? AB\n>b: X - +0 0\n#note #unsuccessful-challenge\n>a: - +0 14\n#note #unsuccessful-challenge\n";
        let game = read(text, &english).unwrap();
        assert_eq!(game.events[0].after, "CAB? AB");
        let actions: Vec<_> = game.events[1..].iter().map(|event| &event.action).collect();
        assert_eq!(actions, [&GcgAction::Challenge, &GcgAction::Pass], "the second one follows no play");
        let written = game.write(&english);
        assert!(written.contains(">a: ABC 8H CAB +14 14 CAB? AB\n>b: X (challenge) +0 0\n#note #unsuccessful"), "{written}");
        assert_eq!(read(written.as_bytes(), &english).unwrap(), game);
    }

    #[test]
    fn a_malformed_line_is_reported_with_the_reason() {
        let english = english();
        let start = "#player1 ann Ann\n#player2 bob Bob\n";
        for (line, reason) in [
            ("hello", "line 3: \"hello\" is neither a pragma"),
            ("#- more", "neither a pragma"),
            ("#player1 eve", "player 1 is already named ann"),
            ("#rack1 A[B", "rack \"A[B\", column 2"),
            (">", "is not an event"),
            (">ann:", "\">ann:\" is not an event"),
            (">ann: ABC 8H CAB +10", "is not an event"),
            (">ann ABC 8H CAB +10 10", "is not an event"),
            ("> ann: ABC 8H CAB +10 10", "is not an event"),
            (">ann: ABC 8H CAB +10 !", "total \"!\" is not a whole number"),
            ("#player3 eve Eve", "#player3: games of more than two players are not supported"),
            (">ann: ABC what +10 10", "is not an event"),
            (">ann: ABC () +10 10", "is not an event"),
            (">ann: ABC 8H CAB +x 10", "score \"+x\""),
            (">ann: ABC 8H CAB +10 99999999999", "total \"99999999999\""),
            (">eve: ABC 8H CAB +10 10", "unknown player \"eve\"; the players are ann and bob"),
            (">ann: ABC H CAB +10 10", "\"H\" is not a coordinate"),
            (">ann: ABC 8H CA1 +10 10", "\"1\" is not a tile"),
            (">ann: ABC 8H C(AB +10 10", "brackets"),
            (">ann: ABCDEFGH 8H CAB +10 10", "8 tiles"),
            (">ann: ABc 8H CAB +10 10", "gives a blank the letter c"),
            (">ann: ZZ 8H CAB +10 10", "2 Z"),
            (">ann: ABC -ab +0 0", "gives a blank the letter a"),
            (">ann: ABC -0 +0 0", "an exchange of 0 tiles; a player can exchange 1 to 7"),
            (">ann: ABC -8 +0 0", "an exchange of 8 tiles; a player can exchange 1 to 7"),
            (">ann: ABC (TIMES!) +0 0", "column 6"),
        ] {
            let error = read(format!("{start}{line}").as_bytes(), &english).unwrap_err();
            assert_eq!(error.place, super::super::GcgPlace::Line(3), "{line}: {error}");
            assert!(error.to_string().contains(reason), "{line}: {error}");
        }
        let error = |text: &str| read(text.as_bytes(), &english).unwrap_err().to_string();
        assert!(error("").contains("line 1: neither a #player1 line nor an event names player 1"));
        assert!(error("#title x\n>ann: - +0 0\n").contains("line 2: neither a #player2 line nor an event names player 2"));
        assert!(error("#player1\n").contains("#player1 needs a nickname"));
        assert!(error("#player1 a\n#player2 a\n").contains("both players have the nickname a"));
        assert!(error(&format!("{start}>{}", "x".repeat(500))).len() < 400);
        assert!(read(b"#player1 a\n#player2 b\n>a: 8H \xd1 +0 0\n", &english).unwrap_err().to_string().contains("Ñ"));
    }
}
