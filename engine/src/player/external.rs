//! External players: programs and hosts that speak a protocol of JSON lines, and the other side of it.
//!
//! `stdio:COMMAND` starts a command of the shell and speaks with it over its standard streams; `tcp:HOST:PORT` connects to a player
//! that listens. Each game of a series has a connection to itself, so that a series on two threads starts two programs; a connection
//! goes from game to game. [`Host`](super::Host) answers for one
//! of our own players; `tilewright serve` puts it on streams and sockets.
//!
//! # Protocol
//! UTF-8, one JSON object a line, a line of at most [`MOST_BYTES`] bytes with its end; unknown keys are ignored. The referee speaks
//! first and the player answers line for line; nothing else may come from the player, whose standard error is free for other words.
//! The keys stand in [`Hello`], [`MoveRequest`], [`MoveAnswer`], [`GameOver`].
//!
//! ```text
//! → {"type":"hello","protocol":1,"tileset":"english","rules_hash":"41c0…","lexicon":"enable2k","lexicon_hash":"7d1e…",
//!    "board":"standard","start":"8H","premiums":["3W .. .. 2L …",…],"tiles":[["?",2,0],["A",9,1],…],"rack_size":7,
//!    "bingo_bonus":50,"exchange_minimum":7,"scoreless_limit":6}
//! ← {"type":"ready","protocol":1,"name":"my engine 0.1"}                   or {"type":"refuse","reason":"…"}
//! → {"type":"move","id":1,"game":"1-0-0","turn":3,"cgp":"15/15/…/6CAT6/… AEINRST/ 24/10 0 lex enable2k; …",
//!    "rack":"AEINRST","scores":[24,10],"bag":80,"last":"8G CAT","limit_ms":10000,"clock_ms":null,"share_ms":null}
//! ← {"type":"move","id":1,"move":"9A ANESTRI","equity":71.5}
//! → {"type":"game_over","game":"1-0-0","scores":[401,380]}                 nothing is answered
//! ```
//!
//! A **greeting** says what is played, by names, by hashes and in full; a player relies on whichever it can and refuses what it does
//! not play. It has [`TIME_TO_GET_READY`] for loading. A **request** is a whole position: nothing of earlier requests is needed to
//! answer it. `cgp` is a position in CGP, the player to move first; the other rack stands in it only where it is known, once the bag
//! is empty. `limit_ms` says after which time an answer is late; in games by the clock `clock_ms` is what is left of the
//! player's time and `share_ms` a fair share of it. An **answer** repeats the `id` and gives a move in the notation of GCG files and of
//! this project: `8D FA(C)Es` across, `D8 …` down, lower case for blanks, `.` or brackets for tiles played through, `[CH]` for tiles of
//! several characters; `-AAI` exchanges (`?` is the blank); `pass` passes. `equity`, in points, is for records and may be left
//! out. `{"type":"error","id":1,"reason":"…"}` says that a request was not understood.
//!
//! **Same results at any number of threads** are the player's part: its move must be a function of the request alone.
//!
//! # Faults
//! The referee checks every move by all the rules, words included. A fault costs the turn, which is passed:
//!
//! | fault | what it is | and the connection |
//! | --- | --- | --- |
//! | illegal | a move against the rules, or with a word that is not in the lexicon | goes on |
//! | nonsense | no message, or no move | goes on; ends if the line was too long |
//! | late | no answer within the limit; should it come later, it is skipped | goes on; ends after two in a row |
//! | gone | the program ended, the connection closed, or could not be made again | is made again for the next request |
//!
//! [`FAULTS_TO_FORFEIT`] faults in one game lose it at once: the scores stay as they are, but that the player is behind by
//! [`FORFEIT_MARGIN`] at least. The series goes on in all cases and counts the faults; [`Player::faults`](super::Player::faults)
//! reports them.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::clock::TimeLeft;
use crate::equity::Equity;
use crate::game::Game;
use crate::game::reading::read_move;
use crate::movegen::ValuedMove;
use crate::moves::Move;
use crate::setup::Setup;

pub mod lines;
mod fault;
mod message;
mod position;
mod process;
mod connection;

pub use connection::Address;
pub use fault::{FAULTS_TO_FORFEIT, FORFEIT_MARGIN, Fault, FaultCounts, FaultKind, FaultRecord, forfeited};
pub use lines::MOST_BYTES;
pub use message::{FromPlayer, GameOver, Hello, MoveAnswer, MoveRequest, PROTOCOL, Side, ToPlayer};
pub use position::{BadPosition, game_of, request_of};

use connection::Connection;

/// How long a player may think about a move, unless told otherwise; in games by the clock, beyond what is left on it.
pub const ANSWER_TIME: Duration = Duration::from_secs(10);
/// How long a player may load its words before it answers the greeting.
pub const TIME_TO_GET_READY: Duration = Duration::from_mins(1);
/// Faults of a player that are remembered; all of them are counted.
pub const MOST_RECORDS: usize = 10_000;

/// A player that runs elsewhere.
#[derive(Clone)]
pub struct External {
    shared: Arc<Shared>,
    answer_time: Option<Duration>,
}

struct Shared {
    address: Address,
    hello: Hello,
    time_to_get_ready: Duration,
    /// Those that no game uses at the moment.
    idle: Mutex<Vec<Connection>>,
    records: Mutex<Vec<FaultRecord>>,
}

impl fmt::Debug for External {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("External").field("address", &self.shared.address).finish_non_exhaustive()
    }
}

impl External {
    /// Connects to a player and greets it; it has so long to get ready, now and whenever it is started again.
    ///
    /// # Errors
    /// Why it cannot be reached, or does not want to play; in words.
    pub fn connect(address: Address, setup: &Setup, time_to_get_ready: Duration) -> Result<External, String> {
        let hello = Hello::of(setup);
        let first = Connection::open(&address, &hello, time_to_get_ready)?;
        let (idle, records) = (Mutex::new(vec![first]), Mutex::default());
        let shared = Arc::new(Shared { address, hello, time_to_get_ready, idle, records });
        Ok(External { shared, answer_time: None })
    }

    /// The same player with this time for each answer, in games by the clock too.
    #[must_use]
    pub fn with_answer_time(&self, time: Duration) -> External {
        External { answer_time: Some(time), ..self.clone() }
    }

    /// The faults so far by their places; at most [`MOST_RECORDS`] of them.
    pub fn faults(&self) -> Vec<FaultRecord> {
        let mut records = self.shared.records.lock().unwrap_or_else(PoisonError::into_inner).clone();
        records.sort();
        records
    }

    /// A single move outside a game; a fault is a pass.
    pub(super) fn choose(&self, setup: &Setup, game: &Game, time: Option<Duration>) -> ValuedMove {
        let mut sitting = self.sit_down(SeatName { seed: 0, deal: 0, seat: game.to_move });
        let time = time.map(|time| TimeLeft { clock: time, share: time });
        let (valued, _) = sitting.answer(setup, game, 1, time.as_ref());
        sitting.stand_up();
        valued
    }

    /// A connection for one game, made before its clock runs.
    pub(super) fn sit_down(&self, seat: SeatName) -> Sitting {
        Sitting { external: self.clone(), seat, connection: Some(self.connection()) }
    }

    fn connection(&self) -> Result<Connection, Fault> {
        loop {
            // The lock is not held while a program that has ended is cleared away.
            let idle = self.idle().pop();
            let Some(mut connection) = idle else { break };
            if connection.is_sound() {
                return Ok(connection);
            }
        }
        let Shared { address, hello, time_to_get_ready, .. } = &*self.shared;
        Connection::open(address, hello, *time_to_get_ready).map_err(|what| Fault::new(FaultKind::Gone, what))
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.shared.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn limit(&self, time: Option<&TimeLeft>) -> Duration {
        let by_clock = ANSWER_TIME + time.map_or(Duration::ZERO, |time| time.clock);
        self.answer_time.unwrap_or(by_clock)
    }
}

/// Which game of a series, and which side of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SeatName {
    pub seed: u64,
    pub deal: u64,
    /// 0 for who begins.
    pub seat: usize,
}

impl SeatName {
    fn in_requests(self) -> String {
        format!("{}-{}-{}", self.seed, self.deal, self.seat)
    }
}

/// An external player in one game.
pub(super) struct Sitting {
    external: External,
    seat: SeatName,
    /// None once it has failed: then another is made for the next request.
    connection: Option<Result<Connection, Fault>>,
}

impl Sitting {
    /// Its move; on a fault a pass, and the kind of fault.
    pub fn answer(
        &mut self,
        setup: &Setup,
        game: &Game,
        turn: usize,
        time: Option<&TimeLeft>,
    ) -> (ValuedMove, Option<FaultKind>) {
        match self.ask(setup, game, turn, time) {
            Ok(valued) => (valued, None),
            Err(Fault { kind, what }) => {
                let SeatName { deal, seat, .. } = self.seat;
                let mut records = self.external.shared.records.lock().unwrap_or_else(PoisonError::into_inner);
                if records.len() < MOST_RECORDS {
                    records.push(FaultRecord { deal, seat, turn, kind, what });
                }
                (ValuedMove { chosen: Move::Pass, equity: Equity::ZERO }, Some(kind))
            }
        }
    }

    fn ask(&mut self, setup: &Setup, game: &Game, turn: usize, time: Option<&TimeLeft>) -> Result<ValuedMove, Fault> {
        let mut connection = self.connection.take().unwrap_or_else(|| self.external.connection())?;
        let limit = self.external.limit(time);
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let request = MoveRequest {
            game: self.seat.in_requests(),
            turn,
            limit_ms: Some(milliseconds(limit)),
            clock_ms: time.map(|time| milliseconds(time.clock)),
            share_ms: time.map(|time| milliseconds(time.share)),
            ..request_of(game, setup)
        };
        let answer = connection.ask(request, limit);
        self.connection = connection.is_usable().then_some(Ok(connection));
        let MoveAnswer { chosen, equity, .. } = answer?;
        let chosen = read_move(&chosen, &game.turn(setup)).map_err(|error| {
            let kind = if error.is_a_move() { FaultKind::Illegal } else { FaultKind::Nonsense };
            Fault::new(kind, format!("{}: {}", lines::quoted(chosen.as_bytes()), lines::on_one_line(&error.to_string())))
        })?;
        let equity = equity.map_or(Equity::from_points(chosen.score()), Equity::from_fractional_points);
        Ok(ValuedMove { chosen, equity })
    }

    /// Tells how the game ended, and who lost it by the rule of faults, if anybody did.
    pub fn game_over(mut self, scores: [i32; 2], forfeited_by: Option<usize>) {
        let SeatName { seat, .. } = self.seat;
        let over = ToPlayer::GameOver(GameOver {
            game: self.seat.in_requests(),
            scores: [scores[seat], scores[1 - seat]],
            forfeited_by: forfeited_by.map(|player| if player == seat { Side::You } else { Side::Opponent }),
        });
        if let Some(Ok(connection)) = &mut self.connection {
            connection.tell(&over);
        }
        self.stand_up();
    }

    /// Leaves the connection to another game, if it is good enough for one.
    fn stand_up(self) {
        if let Some(Ok(mut connection)) = self.connection
            && connection.is_sound()
        {
            self.external.idle().push(connection);
        }
    }
}
