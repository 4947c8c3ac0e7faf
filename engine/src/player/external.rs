//! External players: other programs, reached over a protocol of JSON lines.
//!
//! `stdio:COMMAND` runs a shell command and talks to it over its standard streams. `tcp:HOST:PORT` connects to a player that
//! listens. Each game in progress has its own connection, so a series on two threads starts two programs. Later games reuse
//! them. [`Host`](super::Host) answers for a player of this engine, and `tilewright serve` connects it.
//!
//! # Protocol
//! Text is UTF-8, with one JSON object per line of at most [`MAX_BYTES`] bytes, to players of this program
//! [`MAX_BYTES_OF_REQUESTS`](lines::MAX_BYTES_OF_REQUESTS). Unknown keys are ignored. The referee runs the game and sends
//! the first line. The player answers a greeting or a request with one line, and sends nothing else except to its standard
//! error. [`Hello`], [`MoveRequest`], [`MoveAnswer`] and [`GameOver`] define the keys.
//!
//! ```text
//! → {"type":"hello","protocol":1,"revision":1,"tileset":"english","rules_hash":"41c0…","lexicon":"enable2k",
//!    "lexicon_hash":"7d1e…","board":"standard","start":"8H","premiums":["3W .. .. 2L …",…],"tiles":[["?",2,0],["A",9,1],…],
//!    "rack_size":7,"bingo_bonus":50,"exchange_minimum":7,"scoreless_limit":6,"tiles_left":"twice"}
//! ← {"type":"ready","protocol":1,"name":"my engine 0.1"}                   or {"type":"refuse","reason":"…"}
//! → {"type":"move","id":1,"game":"1-0-0","turn":3,"cgp":"15/15/…/6CAT6/… AEINRST/ 24/10 0 lex enable2k; …",
//!    "rack":"AEINRST","scores":[24,10],"bag":80,"last":"8G CAT","history":["8H AX","8G CAT"],"limit_ms":10000,
//!    "clock_ms":null,"share_ms":null}
//! ← {"type":"move","id":1,"move":"9A ANESTRI","equity":71.5}
//! → {"type":"game_over","game":"1-0-0","scores":[401,380]}                 no answer
//! ```
//!
//! The **greeting** describes the game by names, by hashes and in full. A player compares whichever of these it can, and
//! refuses a game that it does not play. It has a minute to load. A **request** is a whole position, so a player needs no
//! earlier requests to answer it. `cgp` is the position in CGP with the player to move first. It contains the opponent's
//! rack only if the bag is empty. In a series, `history` has all moves of the game so far, with the number of tiles alone of
//! an exchange by the opponent. An answer is late after `limit_ms`: see [below](self#cpu-time). In timed games `clock_ms` is
//! the player's remaining time, and `share_ms` a fair share of it for this move.
//!
//! An **answer** repeats the `id` and gives a move in the notation of GCG files and of this project: `8D FA(C)Es` is a play
//! across and `D8 …` one down, with lower case for blanks, `.` or parentheses for tiles played through, and `[CH]` for tiles
//! of several characters. `-AAI` exchanges tiles (`?` is a blank), and `pass` passes. `equity`, in points, is optional and
//! only recorded. `{"type":"error","id":1,"reason":"…"}` means that a request was not understood.
//!
//! An **evaluator** needs no move generator. If its `ready` has `"wants_moves":true`, each request has all legal moves in
//! `moves`, the highest score first, and it answers with one of them. The other way round, `tilewright serve` answers a
//! request with `moves` with a move and with `values`: the equities of these moves in points, in their order, under the
//! ranker of its player.
//!
//! Results are the same on any number of threads only if the player's move depends on nothing but the request.
//!
//! # CPU time
//! Linux reports the CPU time of a program that the referee started: user and system time of all processes of its process
//! group, and of their children that ended and were waited for, in units of 10 ms. [`Player::cpu_time`](super::Player::cpu_time)
//! sums it over all programs that were started.
//!
//! If the answer time is [set](External::connect) and the game has no clock, `limit_ms` is CPU time from the request on. An
//! answer is late if the program has certainly used more when it comes. The CPU time is known up to 20 ms per process. The
//! referee measures it at each request, which takes about 0.2 ms, and every 25 ms. A program that does not compute is late
//! after ten times `limit_ms`, and not before 5 s. With `tcp:`, on other systems, with a clock and with the default limit,
//! `limit_ms` is elapsed time.
//!
//! # Faults
//! The referee checks every move by all rules, including the lexicon. After a fault the player passes the turn:
//!
//! | fault | meaning | connection |
//! | --- | --- | --- |
//! | illegal | a move that breaks a rule, or forms a word that is not in the lexicon | stays open |
//! | nonsense | not a message of the protocol, or not a move | stays open, but closes if the line is too long |
//! | late | no answer within the limit (a later answer is skipped) | stays open, but closes if two in a row are missing |
//! | gone | the program ended, the connection was closed, or a new one failed | closes |
//!
//! A closed connection is opened again for the next request. A player with three faults in one game loses it at once: the
//! scores stay as they are, except that the player is behind by at least 50 points. The series always continues and counts
//! the faults. [`Player::faults`](super::Player::faults) lists them.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::clock::TimeLeft;
use crate::equity::Equity;
use crate::game::Game;
use crate::game::reading::read_move;
use crate::monitor::{Monitor, NoMonitor};
use crate::movegen::{Generator, ValuedMove};
use crate::moves::{Move, notation};
use crate::setup::Setup;
use crate::static_player::StaticPlayer;

pub mod lines;
mod fault;
mod message;
mod time_limit;
mod process;
mod connection;

pub use connection::Address;
pub(crate) use fault::{FAULTS_TO_FORFEIT, forfeit_scores};
pub use fault::{Fault, FaultCounts, FaultKind, FaultRecord};
pub use lines::MAX_BYTES;
pub use message::{
    BadPosition, FromPlayer, GameOver, Hello, MoveAnswer, MoveRequest, PROTOCOL, REVISION, Side, ToPlayer, game_of,
    request_of,
};

use connection::Connection;
use fault::NoAnswer;
use process::EndedPrograms;
use time_limit::TimeLimit;

/// The default time limit of an answer. In timed games the remaining time of the player is added.
pub const ANSWER_TIME: Duration = Duration::from_secs(10);
/// The time limit of the answer to the greeting, in which a player loads its lexicon.
pub(crate) const TIME_TO_GET_READY: Duration = Duration::from_mins(1);
/// The maximum number of faults of a player that are recorded. All faults are counted.
pub const MAX_RECORDS: usize = 10_000;

/// A player that another program runs.
#[derive(Clone)]
pub struct External {
    shared: Arc<SharedState>,
    /// The name that the program gives itself, or an empty text.
    name: String,
}

struct SharedState {
    address: Address,
    answer_time: Option<Duration>,
    hello: Hello,
    time_to_get_ready: Duration,
    /// The connections that no game uses.
    idle: Mutex<Vec<Connection>>,
    ended: Arc<EndedPrograms>,
    records: Mutex<Vec<FaultRecord>>,
}

impl Drop for SharedState {
    fn drop(&mut self) {
        let idle = self.idle.get_mut().unwrap_or_else(PoisonError::into_inner);
        // A program that does not end by itself is waited for, so all are dropped at the same time.
        thread::scope(|scope| {
            for connection in idle.drain(..) {
                // Without a thread, the connection is dropped here.
                let _ = thread::Builder::new().spawn_scoped(scope, move || drop(connection));
            }
        });
    }
}

impl fmt::Debug for External {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("External").field("address", &self.shared.address).finish_non_exhaustive()
    }
}

impl External {
    /// Connects to a player and greets it. `time_to_get_ready` limits the answer to this greeting and to later ones. A stop
    /// request of the monitor ends the attempt. `answer_time` limits each answer, in place of [`ANSWER_TIME`] and of the
    /// clock. It is CPU time [where it is known](self#cpu-time), otherwise elapsed time.
    ///
    /// # Errors
    /// The reason, as text, why the player cannot be reached or does not play this game.
    pub fn connect(
        address: Address,
        answer_time: Option<Duration>,
        setup: &Setup,
        time_to_get_ready: Duration,
        monitor: &dyn Monitor,
    ) -> Result<External, String> {
        let (idle, ended, records) = (Mutex::default(), Arc::default(), Mutex::default());
        let hello = Hello::new(setup);
        let shared = SharedState { address, answer_time, hello, time_to_get_ready, idle, ended, records };
        let mut external = External { shared: Arc::new(shared), name: String::new() };
        let first = external.connection(monitor).map_err(|reason| match reason {
            NoAnswer::Fault(fault) => fault.what,
            NoAnswer::Stopped => "the start was stopped".into(),
        })?;
        external.name.clone_from(&first.name);
        external.idle().push(first);
        Ok(external)
    }

    /// Returns the name that the program gives itself, if it does.
    pub(super) fn program(&self) -> Option<&str> {
        Some(&*self.name).filter(|name| !name.is_empty())
    }

    /// Returns the faults so far, ordered by game and turn, at most [`MAX_RECORDS`].
    pub(crate) fn faults(&self) -> Vec<FaultRecord> {
        let mut records = self.shared.records.lock().unwrap_or_else(PoisonError::into_inner).clone();
        records.sort();
        records
    }

    /// Returns the CPU time of all programs of this player, from their start on, or `None` if it is not known.
    pub(crate) fn cpu_time(&self) -> Option<Duration> {
        let Address::Command(_) = self.shared.address else { return None };
        let idle = self.idle();
        let running = idle.iter().map(Connection::cpu_time).sum::<Option<Duration>>();
        Some(running? + self.shared.ended.cpu_time()?)
    }

    /// Returns a move outside of a series, or a pass after a fault.
    pub(super) fn choose(&self, setup: &Setup, game: &Game, time: Option<&TimeLeft>) -> ValuedMove {
        let mut sitting = self.take_seat(SeatName { seed: 0, deal: 0, seat: game.to_move }, &NoMonitor);
        let answer = sitting.answer(setup, game, 1, time);
        sitting.stand_up();
        answer.map_or(PASS, |(valued, _)| valued)
    }

    /// Takes a connection for one game, before its clock runs.
    pub(super) fn take_seat<'a>(&self, seat: SeatName, monitor: &'a dyn Monitor) -> ExternalSeat<'a> {
        let connection = Some(self.connection(monitor));
        ExternalSeat { external: self.clone(), seat, connection, history: Vec::new(), monitor }
    }

    fn connection(&self, monitor: &dyn Monitor) -> Result<Connection, NoAnswer> {
        loop {
            // The lock is not held while a connection is dropped, which can wait for its program to end.
            let idle = self.idle().pop();
            let Some(mut connection) = idle else { break };
            if connection.is_sound() {
                return Ok(connection);
            }
        }
        let SharedState { address, hello, time_to_get_ready, ended, .. } = &*self.shared;
        Connection::open(address, hello, *time_to_get_ready, ended, monitor)
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.shared.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn limit(&self, time: Option<&TimeLeft>) -> TimeLimit {
        match (self.shared.answer_time, time) {
            (Some(time), None) if matches!(self.shared.address, Address::Command(_)) => TimeLimit::CpuTime(time),
            (Some(time), _) => TimeLimit::WallClock(time),
            (None, time) => TimeLimit::WallClock(ANSWER_TIME + time.map_or(Duration::ZERO, |time| time.clock)),
        }
    }
}

/// A seat in a game of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SeatName {
    pub seed: u64,
    pub deal: u64,
    /// 0 moves first.
    pub seat: usize,
}

impl SeatName {
    fn game_id(self) -> String {
        format!("{}-{}-{}", self.seed, self.deal, self.seat)
    }
}

/// All legal moves, the highest score first.
fn legal_moves(setup: &Setup, game: &Game) -> Vec<String> {
    let by_score = StaticPlayer::by_leaves(|_, _| 0.0);
    let ranked = by_score.rank(&mut Generator::new(setup), &game.turn(setup));
    ranked.iter().map(|valued| notation::show(&valued.chosen, game.board(), &setup.tileset)).collect()
}

/// The move after a fault.
const PASS: ValuedMove = ValuedMove { chosen: Move::Pass, equity: Equity::ZERO };

/// An external player in one game.
#[derive(Debug)]
pub(super) struct ExternalSeat<'a> {
    external: External,
    seat: SeatName,
    /// `None` after it has failed. The next request opens another.
    connection: Option<Result<Connection, NoAnswer>>,
    /// The moves of both players so far, as this one knows them.
    history: Vec<String>,
    monitor: &'a dyn Monitor,
}

impl ExternalSeat<'_> {
    /// Returns the player's move, or `None` after a stop request. After a fault it is a pass, with the kind of fault.
    pub(super) fn answer(
        &mut self,
        setup: &Setup,
        game: &Game,
        turn: usize,
        time: Option<&TimeLeft>,
    ) -> Option<(ValuedMove, Option<FaultKind>)> {
        let request = request_of(game, setup);
        self.history.extend(request.last.clone());
        let answer = match self.ask(MoveRequest { turn, ..request }, setup, game, time) {
            Ok(valued) => Some((valued, None)),
            Err(NoAnswer::Stopped) => None,
            Err(NoAnswer::Fault(Fault { kind, what })) => {
                let SeatName { deal, seat, .. } = self.seat;
                let mut records = self.external.shared.records.lock().unwrap_or_else(PoisonError::into_inner);
                if records.len() < MAX_RECORDS {
                    records.push(FaultRecord { deal, seat, turn, kind, what });
                }
                Some((PASS, Some(kind)))
            }
        };
        self.history.extend(answer.map(|(valued, _)| notation::show(&valued.chosen, game.board(), &setup.tileset)));
        answer
    }

    fn ask(
        &mut self,
        request: MoveRequest,
        setup: &Setup,
        game: &Game,
        time: Option<&TimeLeft>,
    ) -> Result<ValuedMove, NoAnswer> {
        let mut connection = self.connection.take().unwrap_or_else(|| self.external.connection(self.monitor))?;
        let limit = self.external.limit(time);
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let request = MoveRequest {
            game: self.seat.game_id(),
            // Outside of a series, the moves before the last one are not known.
            history: if self.history.len() + 1 == request.turn { self.history.clone() } else { Vec::new() },
            moves: if connection.wants_moves { legal_moves(setup, game) } else { Vec::new() },
            limit_ms: Some(milliseconds(limit.time())),
            clock_ms: time.map(|time| milliseconds(time.clock)),
            share_ms: time.map(|time| milliseconds(time.share)),
            ..request
        };
        let answer = connection.ask(request, limit, self.monitor);
        self.connection = connection.is_usable().then_some(Ok(connection));
        let MoveAnswer { chosen, equity, .. } = answer?;
        let chosen = read_move(&chosen, &game.turn(setup)).map_err(|error| {
            let kind = if error.is_a_move() { FaultKind::Illegal } else { FaultKind::Nonsense };
            Fault::new(kind, format!("{}: {}", lines::quoted(chosen.as_bytes()), lines::on_one_line(&error.to_string())))
        })?;
        let equity = equity.map_or(Equity::from_points(chosen.score()), Equity::from_fractional_points);
        Ok(ValuedMove { chosen, equity })
    }

    /// Reports the final scores, and who forfeited the game by faults, if anyone.
    pub(super) fn game_over(mut self, scores: [i32; 2], forfeited_by: Option<usize>) {
        let SeatName { seat, .. } = self.seat;
        let over = ToPlayer::GameOver(GameOver {
            game: self.seat.game_id(),
            scores: [scores[seat], scores[1 - seat]],
            forfeited_by: forfeited_by.map(|player| if player == seat { Side::You } else { Side::Opponent }),
        });
        if let Some(Ok(connection)) = &mut self.connection {
            connection.notify(&over);
        }
        self.stand_up();
    }

    /// Returns the connection to the idle ones if another game can use it.
    fn stand_up(self) {
        if let Some(Ok(mut connection)) = self.connection
            && connection.is_sound()
        {
            self.external.idle().push(connection);
        }
    }
}
