//! A connection to an external player, a program or a socket, that has answered the greeting.

use std::fmt;
use std::io;
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, channel};
use std::thread;
use std::time::Duration;

use super::fault::{Fault, FaultKind, NoAnswer};
use super::lines::{self, ReadEvent, on_one_line, quoted};
use super::message::{FromPlayer, Hello, MoveAnswer, MoveRequest, PROTOCOL, ToPlayer};
use super::process::{EndedPrograms, Process};
use super::time_limit::{Deadline, TICK, TimeLimit};
use crate::monitor::Monitor;

/// The time limit for a host to accept a connection.
const TIME_TO_CONNECT: Duration = Duration::from_secs(10);
/// The time after which a socket that accepts no bytes counts as gone.
const TIME_TO_SEND: Duration = Duration::from_secs(10);
/// The maximum number of old lines that are skipped before a request.
const MAX_LEFTOVERS: usize = 100;

/// The address of an external player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A shell command that speaks the protocol on its standard streams.
    Command(String),
    /// `HOST:PORT` of a player that speaks the protocol over TCP.
    Socket(String),
}

/// The other end of a connection. Dropping it closes the connection.
#[derive(Debug)]
enum Peer {
    Process(Box<Process>),
    Socket(TcpStream),
}

impl Drop for Peer {
    fn drop(&mut self) {
        if let Peer::Socket(socket) = self {
            // This ends the threads that read and write its lines.
            let _ = socket.shutdown(Shutdown::Both);
        }
    }
}

/// A connection to a player that is ready for requests.
pub(super) struct Connection {
    // Dropped before the peer, so that a program can end by itself when its input ends.
    outgoing: SyncSender<String>,
    incoming: Receiver<ReadEvent>,
    peer: Peer,
    requests: u64,
    state: State,
    /// The name that the program gives itself, or an empty text.
    pub(super) name: String,
    /// Whether it wants all legal moves in each request.
    pub(super) wants_moves: bool,
}

/// The state of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// There is no problem.
    Sound,
    /// The last answer was late and may still come.
    AnswerPending,
    /// The connection cannot be used any more.
    Broken,
}

impl Connection {
    /// Connects to a player and greets it, within a time limit. If the player is a program, its CPU time is added to `ended`
    /// when it ends.
    ///
    /// # Errors
    /// [`NoAnswer`]. The reason of a fault says why the player cannot be used.
    pub(super) fn open(
        address: &Address,
        hello: &Hello,
        limit: Duration,
        ended: &Arc<EndedPrograms>,
        monitor: &dyn Monitor,
    ) -> Result<Connection, NoAnswer> {
        let mut connection = Connection::connect(address, ended, monitor).map_err(|error| match address {
            _ if monitor.is_stopped() => NoAnswer::Stopped,
            Address::Command(_) => gone(format!("cannot start the shell: {error}")).into(),
            Address::Socket(address) => gone(format!("no connection to {address}: {error}")).into(),
        })?;
        connection.greet(hello, limit, monitor)?;
        Ok(connection)
    }

    fn connect(address: &Address, ended: &Arc<EndedPrograms>, monitor: &dyn Monitor) -> io::Result<Connection> {
        let (peer, outgoing, incoming) = match address {
            Address::Command(command) => {
                let (process, input, output) = Process::start(command, ended)?;
                (Peer::Process(Box::new(process)), lines::write_lines(input)?, lines::read_lines(output, lines::MAX_BYTES)?)
            }
            Address::Socket(address) => {
                let socket = connect_unless_stopped(address, monitor)?;
                socket.set_nodelay(true)?;
                socket.set_write_timeout(Some(TIME_TO_SEND))?;
                let (output, input) = (socket.try_clone()?, socket.try_clone()?);
                (Peer::Socket(socket), lines::write_lines(output)?, lines::read_lines(input, lines::MAX_BYTES)?)
            }
        };
        let (name, state) = (String::new(), State::Sound);
        Ok(Connection { name, wants_moves: false, outgoing, incoming, peer, requests: 0, state })
    }

    /// Greets the program, and keeps its name and its wishes.
    fn greet(&mut self, hello: &Hello, limit: Duration, monitor: &dyn Monitor) -> Result<(), NoAnswer> {
        self.send(&ToPlayer::Hello(Box::new(hello.clone())))?;
        let deadline = Deadline::start(TimeLimit::WallClock(limit), || None);
        let line = self.receive(&deadline, monitor)?;
        let refused = match serde_json::from_slice(&line) {
            Ok(FromPlayer::Ready { protocol: PROTOCOL, name, wants_moves }) => {
                (self.name, self.wants_moves) = (on_one_line(name.trim()), wants_moves);
                return Ok(());
            }
            Ok(FromPlayer::Ready { protocol, .. }) => {
                format!("it speaks version {protocol} of the protocol, but this program speaks version {PROTOCOL}")
            }
            Ok(FromPlayer::Refuse { reason }) => format!("it refuses to play: {reason}"),
            Ok(FromPlayer::Error { reason, .. }) => format!("it does not understand the greeting: {reason}"),
            Ok(FromPlayer::Move(_)) => format!("it answered the greeting with {}", quoted(&line)),
            Err(error) => {
                format!(
                    "it does not speak the protocol: it answered the greeting with {}: {}",
                    quoted(&line),
                    reason(&error)
                )
            }
        };
        Err(gone(refused).into())
    }

    /// Requests a move and sets the `id` of the request.
    ///
    /// # Errors
    /// [`NoAnswer`]. The connection may still be usable after a fault (see [`Connection::is_usable`]).
    pub(super) fn ask(
        &mut self,
        mut request: MoveRequest,
        limit: TimeLimit,
        monitor: &dyn Monitor,
    ) -> Result<MoveAnswer, NoAnswer> {
        self.requests += 1;
        request.id = self.requests;
        self.skip_leftovers()?;
        let deadline = Deadline::start(limit, || self.cpu_time());
        self.send(&ToPlayer::Move(Box::new(request)))?;
        loop {
            let line = self.receive(&deadline, monitor)?;
            let message = serde_json::from_slice(&line)
                .map_err(|error| nonsense(format!("it answered {}: {}", quoted(&line), reason(&error))))?;
            match message {
                FromPlayer::Move(answer) if answer.id == self.requests => {
                    self.state = State::Sound;
                    // A program with several threads uses much CPU time at once.
                    return match deadline.cpu_overrun(|| self.cpu_time()) {
                        Some(reason) => Err(Fault::new(FaultKind::Late, reason).into()),
                        None => Ok(answer),
                    };
                }
                // A late answer to an earlier request. A stream of them does not stop the clock.
                FromPlayer::Move(answer) if answer.id < self.requests => self.check_limit(&deadline)?,
                FromPlayer::Error { id, .. } if id.is_some_and(|id| id < self.requests) => self.check_limit(&deadline)?,
                FromPlayer::Error { reason, .. } => {
                    let reason = format!("it did not understand the request: {}", quoted(reason.as_bytes()));
                    return Err(nonsense(reason).into());
                }
                _ => {
                    let reason = format!("it answered {}, not a move with id {}", quoted(&line), self.requests);
                    return Err(nonsense(reason).into());
                }
            }
        }
    }

    /// Sends a message that has no answer. If it fails, the next request reports the fault.
    pub(crate) fn notify(&mut self, message: &ToPlayer) {
        let _ = self.send(message);
    }

    /// Returns the CPU time of the program since its start, or `None` if it is not known.
    pub(super) fn cpu_time(&self) -> Option<Duration> {
        match &self.peer {
            Peer::Process(process) => process.cpu_time(),
            Peer::Socket(_) => None,
        }
    }

    /// Returns whether another request can be sent.
    pub(super) fn is_usable(&self) -> bool {
        self.state != State::Broken
    }

    /// Returns whether another game can use the connection.
    pub(crate) fn is_sound(&mut self) -> bool {
        self.state == State::Sound && self.skip_leftovers().is_ok()
    }

    /// Skips the lines that came before a request, at most [`MAX_LEFTOVERS`]. Further ones count as answers to it.
    fn skip_leftovers(&mut self) -> Result<(), Fault> {
        for _ in 0..MAX_LEFTOVERS {
            match self.incoming.try_recv() {
                Ok(ReadEvent::Line(_)) => {}
                Ok(other) => return Err(self.broken(&other)),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return Err(self.broken(&ReadEvent::Ended)),
            }
        }
        Ok(())
    }

    fn send(&mut self, message: &ToPlayer) -> Result<(), Fault> {
        let line = serde_json::to_string(message).map_err(|error| nonsense(error.to_string()))?;
        match self.outgoing.try_send(line) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => {
                self.state = State::Broken;
                Err(gone("it does not read its input"))
            }
            Err(TrySendError::Disconnected(_)) => Err(self.broken(&ReadEvent::Ended)),
        }
    }

    /// Waits for the next line. A stop request is looked at before each, so that a stream of lines cannot hide it.
    fn receive(&mut self, deadline: &Deadline, monitor: &dyn Monitor) -> Result<Vec<u8>, NoAnswer> {
        loop {
            if monitor.is_stopped() {
                self.state = State::Broken;
                if let Peer::Process(process) = &mut self.peer {
                    process.give_no_time_to_end();
                }
                return Err(NoAnswer::Stopped);
            }
            match self.incoming.recv_timeout(deadline.tick()) {
                Ok(ReadEvent::Line(line)) => return Ok(line),
                Ok(other) => return Err(self.broken(&other).into()),
                Err(RecvTimeoutError::Disconnected) => return Err(self.broken(&ReadEvent::Ended).into()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.check_limit(deadline)?;
        }
    }

    /// Fails if the player is late.
    fn check_limit(&mut self, deadline: &Deadline) -> Result<(), NoAnswer> {
        let Some(reason) = deadline.overrun(|| self.cpu_time()) else { return Ok(()) };
        // A player that is late twice in a row hangs.
        self.state = if self.state == State::Sound { State::AnswerPending } else { State::Broken };
        Err(Fault::new(FaultKind::Late, reason).into())
    }

    fn broken(&mut self, incoming: &ReadEvent) -> Fault {
        self.state = State::Broken;
        match (incoming, &mut self.peer) {
            (ReadEvent::TooLong, _) => nonsense(format!("it sent a line of more than {} bytes", lines::MAX_BYTES)),
            (_, Peer::Process(process)) => gone(process.ending()),
            (_, Peer::Socket(_)) => gone("the connection was closed"),
        }
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Connection").field("peer", &self.peer).field("state", &self.state).finish_non_exhaustive()
    }
}

fn nonsense(what: String) -> Fault {
    Fault::new(FaultKind::Nonsense, what)
}

/// Why a line is no message, such as a missing key.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    on_one_line(text.split(" at line ").next().unwrap_or_default())
}

fn gone(what: impl Into<String>) -> Fault {
    Fault::new(FaultKind::Gone, what)
}

/// Connects on another thread, so that a stop request ends the wait.
fn connect_unless_stopped(address: &str, monitor: &dyn Monitor) -> io::Result<TcpStream> {
    let (sender, receiver) = channel();
    let address = address.to_string();
    let connect = move || drop(sender.send(connect_to(&address)));
    thread::Builder::new().name("connecting".into()).spawn(connect)?;
    loop {
        match receiver.recv_timeout(TICK) {
            Ok(connected) => return connected,
            Err(RecvTimeoutError::Timeout) if !monitor.is_stopped() => {}
            Err(_) => return Err(io::ErrorKind::Interrupted.into()),
        }
    }
}

/// Connects to the first address of a host that accepts.
fn connect_to(address: &str) -> io::Result<TcpStream> {
    let mut last = io::Error::other("the host has no address");
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, TIME_TO_CONNECT) {
            Ok(socket) => return Ok(socket),
            Err(error) => last = error,
        }
    }
    Err(last)
}
