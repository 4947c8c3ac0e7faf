//! The other side of the protocol of [`external`](super::external): answers for one of our own players.

use std::time::Duration;

use super::external::lines::quoted;
use super::external::{FromPlayer, Hello, MoveAnswer, MoveRequest, PROTOCOL, ToPlayer, game_of};
use super::kinds::Player;
use crate::artefact::Lexicons;
use crate::movegen::Generator;
use crate::moves::notation;
use crate::setup::Setup;

/// One conversation with somebody who asks for moves.
#[derive(Clone)]
pub struct Host<'a> {
    setup: &'a Setup,
    player: &'a Player,
    lexicons: Lexicons,
    generator: Generator<'a>,
    greeted: bool,
}

/// What a line brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// What to answer, a line without its end.
    pub reply: Option<String>,
    /// What was wrong with the line, if it was.
    pub wrong: Option<String>,
    /// Whether a move was given.
    pub moved: bool,
}

impl<'a> Host<'a> {
    /// Plays for `player`, in games of these lexicons.
    pub fn new(setup: &'a Setup, player: &'a Player, lexicons: Lexicons) -> Host<'a> {
        Host { setup, player, lexicons, generator: Generator::new(setup), greeted: false }
    }

    /// Takes a line, any bytes at all.
    pub fn hear(&mut self, line: &[u8]) -> Heard {
        match serde_json::from_slice(line) {
            Ok(ToPlayer::Hello(hello)) => self.greet(&hello),
            Ok(ToPlayer::Move(request)) if self.greeted => self.choose(&request),
            Ok(ToPlayer::Move(request)) => wrong(Some(request.id), "say hello before you ask for a move".into()),
            Ok(ToPlayer::GameOver(_)) => Heard::default(),
            Err(error) => wrong(None, format!("{} is no message: {error}", quoted(line))),
        }
    }

    fn greet(&mut self, hello: &Hello) -> Heard {
        self.greeted = false;
        if let Err(reason) = self.check(hello) {
            let reply = written(&FromPlayer::Refuse { reason: reason.clone() });
            return Heard { reply, wrong: Some(reason), moved: false };
        }
        self.greeted = true;
        let ready = FromPlayer::Ready { protocol: PROTOCOL, name: format!("tilewright {}", self.player.name) };
        Heard { reply: written(&ready), ..Heard::default() }
    }

    /// Whether it plays what the greeting says, as far as that says anything: by hashes, or by names where there are none.
    fn check(&self, hello: &Hello) -> Result<(), String> {
        let Setup { tileset, lexicon, .. } = self.setup;
        if hello.protocol != PROTOCOL {
            return Err(format!("this is version {PROTOCOL} of the protocol, not {}", hello.protocol));
        }
        let differs = |name: &Option<String>, hash: &Option<String>, own: &str, own_hash: &str| match (hash, name) {
            (Some(hash), _) => hash != own_hash,
            (None, Some(name)) => name != own,
            (None, None) => false,
        };
        let named = |name: &Option<String>| name.as_ref().map_or("another".into(), |name| quoted(name.as_bytes()));
        if differs(&hello.tileset, &hello.rules_hash, tileset.name(), &self.setup.rules_hash()) {
            return Err(format!("it plays the tile set {:?} with its board, not {}", tileset.name(), named(&hello.tileset)));
        }
        let is_other_lexicon = differs(&hello.lexicon, &hello.lexicon_hash, &lexicon.name, &lexicon.hash);
        if is_other_lexicon && self.lexicons == Lexicons::Same {
            return Err(format!(
                "it plays with the words of {:?}, not of {}; --accept-other-lexicon plays all the same",
                lexicon.name,
                named(&hello.lexicon)
            ));
        }
        Ok(())
    }

    fn choose(&mut self, request: &MoveRequest) -> Heard {
        let game = match game_of(request, self.setup) {
            Ok(game) => game,
            Err(error) => return wrong(Some(request.id), error.to_string()),
        };
        let share = request.share_ms.map(Duration::from_millis);
        let valued = self.player.choose_within(&mut self.generator, &game, share);
        let chosen = notation::show(&valued.chosen, &game.board, &self.setup.tileset);
        let answer = MoveAnswer { id: request.id, chosen, equity: Some(valued.reported_equity().points()) };
        Heard { reply: written(&FromPlayer::Move(answer)), wrong: None, moved: true }
    }
}

fn wrong(id: Option<u64>, reason: String) -> Heard {
    Heard { reply: written(&FromPlayer::Error { id, reason: reason.clone() }), wrong: Some(reason), moved: false }
}

/// A message as a line; these messages can always be written.
fn written(message: &FromPlayer) -> Option<String> {
    serde_json::to_string(message).ok()
}
