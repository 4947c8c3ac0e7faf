//! A connection to an external player: a program or a socket, greeted and ready for requests.

use std::fmt;
use std::io;
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError};
use std::time::{Duration, Instant};

use super::fault::{Fault, FaultKind};
use super::lines::{self, Incoming, quoted};
use super::message::{FromPlayer, Hello, MoveAnswer, MoveRequest, PROTOCOL, ToPlayer};
use super::process::Process;

/// How long a host may take to accept a connection.
const TIME_TO_CONNECT: Duration = Duration::from_secs(10);
/// How long a socket may take no bytes before it counts as gone.
const TIME_TO_SEND: Duration = Duration::from_secs(10);
/// Lines that are skipped before a question.
const MOST_LEFTOVERS: usize = 100;

/// Where an external player is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A command of the shell that speaks the protocol on its standard streams.
    Command(String),
    /// `HOST:PORT` of somebody who speaks it over TCP.
    Socket(String),
}

impl Address {
    /// The address in a player's name, `stdio:COMMAND` or `tcp:HOST:PORT`; `None` for other players.
    pub fn of_name(name: &str) -> Option<Address> {
        match name.split_once(':') {
            Some(("stdio", command)) if !command.trim().is_empty() => Some(Address::Command(command.into())),
            Some(("tcp", address)) if address.contains(':') => Some(Address::Socket(address.into())),
            _ => None,
        }
    }
}

/// What is at the other end; dropped, the connection is closed.
#[derive(Debug)]
enum Peer {
    Process(Box<Process>),
    Socket(TcpStream),
}

impl Drop for Peer {
    fn drop(&mut self) {
        if let Peer::Socket(socket) = self {
            // So that the threads of its lines end.
            let _ = socket.shutdown(Shutdown::Both);
        }
    }
}

/// A connection to a player that is ready.
pub(super) struct Connection {
    // Dropped before the peer: a program whose input ends may end by itself.
    outgoing: SyncSender<String>,
    incoming: Receiver<Incoming>,
    peer: Peer,
    requests: u64,
    state: State,
}

/// Whether a connection can be used on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nothing is amiss.
    Sound,
    /// The last answer did not come in time; it may yet.
    Owing,
    /// Nothing sensible comes from it any more.
    Broken,
}

impl Connection {
    /// Connects and greets.
    ///
    /// # Errors
    /// Why not, in words.
    pub fn open(address: &Address, hello: &Hello, limit: Duration) -> Result<Connection, String> {
        let mut connection = Connection::connect(address).map_err(|error| match address {
            Address::Command(_) => format!("the shell could not be started: {error}"),
            Address::Socket(address) => format!("no connection to {address}: {error}"),
        })?;
        connection.greet(hello, limit)?;
        Ok(connection)
    }

    fn connect(address: &Address) -> io::Result<Connection> {
        let (peer, outgoing, incoming) = match address {
            Address::Command(command) => {
                let (process, input, output) = Process::start(command)?;
                (Peer::Process(Box::new(process)), lines::speak(input)?, lines::listen(output)?)
            }
            Address::Socket(address) => {
                let socket = connect_to(address)?;
                socket.set_nodelay(true)?;
                socket.set_write_timeout(Some(TIME_TO_SEND))?;
                let (output, input) = (socket.try_clone()?, socket.try_clone()?);
                (Peer::Socket(socket), lines::speak(output)?, lines::listen(input)?)
            }
        };
        Ok(Connection { outgoing, incoming, peer, requests: 0, state: State::Sound })
    }

    fn greet(&mut self, hello: &Hello, limit: Duration) -> Result<(), String> {
        let because = |fault: Fault| fault.what;
        self.send(&ToPlayer::Hello(Box::new(hello.clone()))).map_err(because)?;
        let line = self.receive(Instant::now() + limit, limit).map_err(because)?;
        match serde_json::from_slice(&line) {
            Ok(FromPlayer::Ready { protocol: PROTOCOL, .. }) => Ok(()),
            Ok(FromPlayer::Ready { protocol, .. }) => {
                Err(format!("it speaks version {protocol} of the protocol, this program {PROTOCOL}"))
            }
            Ok(FromPlayer::Refuse { reason }) => Err(format!("it refuses to play: {reason}")),
            Ok(FromPlayer::Error { reason, .. }) => Err(format!("it does not understand the greeting: {reason}")),
            Ok(FromPlayer::Move(_)) | Err(_) => {
                Err(format!("it does not speak the protocol: to the greeting it said {}", quoted(&line)))
            }
        }
    }

    /// Asks for a move; the request gets its number here.
    ///
    /// # Errors
    /// [`Fault`]; [`Connection::is_usable`] then says whether another request makes sense.
    pub fn ask(&mut self, mut request: MoveRequest, limit: Duration) -> Result<MoveAnswer, Fault> {
        self.requests += 1;
        request.id = self.requests;
        self.skip_leftovers()?;
        self.send(&ToPlayer::Move(Box::new(request)))?;
        let until = Instant::now() + limit;
        loop {
            let line = self.receive(until, limit)?;
            let message = serde_json::from_slice(&line).map_err(|_| nonsense(format!("it said {}", quoted(&line))))?;
            match message {
                FromPlayer::Move(answer) if answer.id == self.requests => {
                    self.state = State::Sound;
                    return Ok(answer);
                }
                // The answer to a request whose time was up.
                FromPlayer::Move(answer) if answer.id < self.requests => {}
                FromPlayer::Error { id, .. } if id.is_some_and(|id| id < self.requests) => {}
                FromPlayer::Error { reason, .. } => {
                    return Err(nonsense(format!("it did not understand the request: {}", quoted(reason.as_bytes()))));
                }
                _ => return Err(nonsense(format!("instead of its move it said {}", quoted(&line)))),
            }
        }
    }

    /// Tells something that needs no answer; a player that does not listen will be found out when it is asked.
    pub fn tell(&mut self, message: &ToPlayer) {
        let _ = self.send(message);
    }

    /// Whether another request makes sense.
    pub fn is_usable(&self) -> bool {
        self.state != State::Broken
    }

    /// Whether it is as good as new, so that another game may begin on it.
    pub fn is_sound(&mut self) -> bool {
        self.state == State::Sound && self.skip_leftovers().is_ok()
    }

    /// Lines that came before the question are no answer to it. Who goes on talking is heard after the question.
    fn skip_leftovers(&mut self) -> Result<(), Fault> {
        for _ in 0..MOST_LEFTOVERS {
            match self.incoming.try_recv() {
                Ok(Incoming::Line(_)) => {}
                Ok(other) => return Err(self.broken(&other)),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return Err(self.broken(&Incoming::Ended)),
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
                Err(Fault::new(FaultKind::Gone, "it does not read what it is sent"))
            }
            Err(TrySendError::Disconnected(_)) => Err(self.broken(&Incoming::Ended)),
        }
    }

    /// The next line; `limit` is how long it may have taken in all, for the message.
    fn receive(&mut self, until: Instant, limit: Duration) -> Result<Vec<u8>, Fault> {
        match self.incoming.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(Incoming::Line(line)) => Ok(line),
            Ok(other) => Err(self.broken(&other)),
            Err(RecvTimeoutError::Disconnected) => Err(self.broken(&Incoming::Ended)),
            Err(RecvTimeoutError::Timeout) => {
                // Twice in a row is not slow, it hangs.
                self.state = if self.state == State::Sound { State::Owing } else { State::Broken };
                Err(Fault::new(FaultKind::Late, format!("no answer within {} s", limit.as_secs_f64())))
            }
        }
    }

    fn broken(&mut self, incoming: &Incoming) -> Fault {
        self.state = State::Broken;
        match (incoming, &mut self.peer) {
            (Incoming::TooLong, _) => nonsense(format!("it sent a line of more than {} bytes", lines::MOST_BYTES)),
            (_, Peer::Process(process)) => Fault::new(FaultKind::Gone, process.ending()),
            (_, Peer::Socket(_)) => Fault::new(FaultKind::Gone, "the connection was closed"),
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

/// Tries every address of a host.
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
