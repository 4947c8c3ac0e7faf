//! The player's side of the protocol of [`external`](super::external), for players of this engine.

use std::fmt::Display;
use std::time::Duration;

use super::external::lines::{on_one_line, quoted};
use super::external::{FromPlayer, Hello, MoveAnswer, MoveRequest, PROTOCOL, ToPlayer, game_of};
use super::kinds::Player;
use crate::artefact::Lexicons;
use crate::clock::{Clock, SearchLimits, TimeLeft};
use crate::game::Game;
use crate::game::reading::read_move;
use crate::movegen::Generator;
use crate::moves::notation;
use crate::setup::Setup;

/// The player's side of one connection.
#[derive(Clone, Debug)]
pub struct Host<'a> {
    setup: &'a Setup,
    player: &'a Player,
    lexicons: Lexicons,
    generator: Generator<'a>,
    greeted: bool,
}

/// The result of a received line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineOutcome {
    /// The line to send back, without its line end.
    pub reply: Option<String>,
    /// The error in the received line, if any.
    pub error: Option<String>,
    /// Whether the reply is a move.
    pub is_move: bool,
}

impl<'a> Host<'a> {
    /// Creates a host for `player` that accepts games with these lexicons.
    pub fn new(setup: &'a Setup, player: &'a Player, lexicons: Lexicons) -> Host<'a> {
        Host { setup, player, lexicons, generator: Generator::new(setup), greeted: false }
    }

    /// Processes a received line, which may be any bytes.
    pub fn handle_line(&mut self, line: &[u8]) -> LineOutcome {
        match serde_json::from_slice(line) {
            Ok(ToPlayer::Hello(hello)) => self.greet(&hello),
            Ok(ToPlayer::Move(request)) if self.greeted => self.choose(&request),
            Ok(ToPlayer::Move(request)) => wrong(Some(request.id), "send hello before the first move request"),
            Ok(ToPlayer::GameOver(_)) => LineOutcome::default(),
            Err(error) => wrong(None, &format!("{} is not a message of the protocol: {error}", quoted(line))),
        }
    }

    fn greet(&mut self, hello: &Hello) -> LineOutcome {
        self.greeted = false;
        if let Err(reason) = self.check(hello) {
            let reply = written(&FromPlayer::Refuse { reason: reason.clone() });
            return LineOutcome { reply, error: Some(reason), is_move: false };
        }
        self.greeted = true;
        let ready =
            FromPlayer::Ready { protocol: PROTOCOL, name: format!("tilewright {}", self.player.name), wants_moves: false };
        LineOutcome { reply: written(&ready), ..LineOutcome::default() }
    }

    /// Checks that the greeting is for this host's game, by hashes, by names if there are no hashes, or not at all.
    fn check(&self, hello: &Hello) -> Result<(), String> {
        let Setup { tileset, layout, lexicon, .. } = self.setup;
        if hello.protocol != PROTOCOL {
            return Err(format!("this player speaks version {PROTOCOL} of the protocol, not {}", hello.protocol));
        }
        let differs = |name: &Option<String>, hash: &Option<String>, own: &str, own_hash: &str| match (hash, name) {
            (Some(hash), _) => hash != own_hash,
            (None, Some(name)) => name != own,
            (None, None) => false,
        };
        let named = |name: &Option<String>| name.as_ref().map_or("another".into(), |name| quoted(name.as_bytes()));
        if differs(&hello.tileset, &hello.rules_hash, tileset.name(), &self.setup.rules_hash()) {
            let (name, board) = (named(&hello.tileset), named(&hello.board));
            let (own, own_board) = (tileset.name(), layout.name());
            return Err(format!("it plays the tile set {own:?} on the board {own_board:?}, not {name} on {board}"));
        }
        let is_other_lexicon = differs(&hello.lexicon, &hello.lexicon_hash, &lexicon.name, &lexicon.hash);
        if is_other_lexicon && self.lexicons == Lexicons::Same {
            return Err(format!(
                "it plays with the lexicon {:?}, not {}; whoever serves it can accept another one",
                lexicon.name,
                named(&hello.lexicon)
            ));
        }
        Ok(())
    }

    fn choose(&mut self, request: &MoveRequest) -> LineOutcome {
        let game = match game_of(request, self.setup) {
            Ok(game) => game,
            Err(error) => return wrong(Some(request.id), &error.to_string()),
        };
        let values = match self.values(&request.moves, &game) {
            Ok(values) => values,
            Err(reason) => return wrong(Some(request.id), &reason),
        };
        let time = time_left(request, &game);
        let limits = SearchLimits { time: time.as_ref(), ..SearchLimits::NONE };
        let valued = self.player.choose_within(&mut self.generator, &game, limits);
        let chosen = notation::show(&valued.chosen, game.board(), &self.setup.tileset);
        let answer = MoveAnswer { id: request.id, chosen, equity: Some(valued.reported_equity().points()), values };
        LineOutcome { reply: written(&FromPlayer::Move(answer)), error: None, is_move: true }
    }

    /// The equities of these moves in points, in their order.
    fn values(&mut self, moves: &[String], game: &Game) -> Result<Vec<f64>, String> {
        let Some(first) = moves.first() else { return Ok(Vec::new()) };
        let ranker =
            self.player.ranker().ok_or_else(|| format!("this player has no value for {}", quoted(first.as_bytes())))?;
        let turn = game.turn(self.setup);
        let ranked = ranker.rank(&mut self.generator, &turn);
        let value = |text: &String| {
            let wrong = |reason: &dyn Display| format!("{}: {reason}", quoted(text.as_bytes()));
            let given = read_move(text, &turn).map_err(|error| wrong(&error))?;
            let valued = ranked.iter().find(|valued| valued.chosen == given);
            valued
                .map(|valued| valued.reported_equity().points())
                .ok_or_else(|| wrong(&"the ranker does not value this move"))
        };
        moves.iter().map(value).collect()
    }
}

/// The time left, if the request states a time. Without a share it is a fair share of the clock. Without a clock the share
/// is all the time.
fn time_left(request: &MoveRequest, game: &Game) -> Option<TimeLeft> {
    let [clock, share] = [request.clock_ms, request.share_ms].map(|time| time.map(Duration::from_millis));
    let fair = |time| Clock { time, overtime: 0 }.share(Duration::ZERO, game);
    let clock = clock.or(share)?;
    Some(TimeLeft { clock, share: share.unwrap_or_else(|| fair(clock)) })
}

/// The reason may hold the received text, of any length.
fn wrong(id: Option<u64>, reason: &str) -> LineOutcome {
    let reason = on_one_line(reason);
    LineOutcome { reply: written(&FromPlayer::Error { id, reason: reason.clone() }), error: Some(reason), is_move: false }
}

/// Returns a message as a line. Writing these messages does not fail.
fn written(message: &FromPlayer) -> Option<String> {
    serde_json::to_string(message).ok()
}
