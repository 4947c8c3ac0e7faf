//! `serve`: serves a player to other programs, over standard streams or TCP.

use std::io::{self, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use tilewright_engine::PlayerSpec;
use tilewright_engine::player::Host;
use tilewright_engine::player::external::FromPlayer;
use tilewright_engine::player::external::lines::{self, MAX_BYTES_OF_REQUESTS, ReadEvent};

use crate::flags::{GameFlags, TableFlags, duration, player_named};
use crate::interrupts::{self, is_stopped};
use crate::status::{status, visible};
use crate::{Failure, loading, output, say};

/// A summary of the protocol, printed at the end of `serve --help`.
const PROTOCOL: &str = r#"Protocol: one JSON object per line, at most 64 KiB; the client speaks first.
  → {"type":"hello","protocol":1,"tileset":"english","rules_hash":"…",
     "lexicon":"enable2k","lexicon_hash":"…",…}
  ← {"type":"ready","protocol":1,"name":"…"}
     or {"type":"refuse","reason":"…"}
  → {"type":"move","id":1,"game":"1-0-0","turn":1,
     "cgp":"15/…/15 AEINRST/ 0/0 0","rack":"AEINRST","scores":[0,0],
     "bag":86,"last":"8D FA(C)Es","limit_ms":10000,
     "clock_ms":null,"share_ms":null}
  ← {"type":"move","id":1,"move":"8H NASTIER","equity":66.0}
  → {"type":"game_over","game":"1-0-0","scores":[401,380]}
Moves: 8D FA(C)Es across, D8 … down, -AAI to exchange, pass.
hello needs only protocol, move only id and cgp; unknown keys are ignored.
A request with "moves":["8D FACES",…] is answered with "values":[71.5,…], too.
limit_ms is elapsed time; with match --answer-time on Linux, CPU time.
The answer to an invalid line is an error with the reason.

In matches:
  tilewright match --player-a 'stdio:tilewright serve --stdio --player leave' \
    --player-b greedy --pairs 10"#;

#[derive(Debug, Args)]
#[command(after_help = PROTOCOL)]
pub struct ServeArguments {
    #[command(flatten)]
    pub game: GameFlags,
    #[command(flatten)]
    pub tables: TableFlags,
    /// Generate moves without the word map: less memory, much slower, the same moves
    #[arg(long)]
    pub no_word_map: bool,
    /// Player to serve: greedy, leave, leave:PATH, sim, full, … [default: leave, or network with --network]
    #[arg(long, value_name = "PLAYER", value_parser = player_named::<PlayerSpec>)]
    pub player: Option<PlayerSpec>,
    /// Serve over standard input and output until the input ends
    #[arg(long, required_unless_present = "listen")]
    pub stdio: bool,
    /// Listen on a TCP port until Ctrl-C. A port alone accepts connections from this machine only. HOST:PORT names another
    /// interface, and whoever can reach it may play. Port 0 picks a free port
    #[arg(long, value_name = "[HOST:]PORT", conflicts_with = "stdio", value_parser = read_address)]
    pub listen: Option<SocketAddr>,
    /// With --listen: maximum number of connections at a time. More are refused
    #[arg(long, value_name = "N", default_value_t = 64, conflicts_with = "stdio", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub connections: u16,
    /// With --listen: close a connection after this time without a request for a move
    #[arg(long, value_name = "TIME", default_value = "1h", conflicts_with = "stdio", value_parser = duration)]
    pub idle_time: Duration,
}

/// Reads `7000`, `0.0.0.0:7000` or `localhost:7000`.
fn read_address(text: &str) -> Result<SocketAddr, String> {
    if let Ok(port) = text.parse() {
        return Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    }
    let addresses = text.to_socket_addrs();
    let first = addresses.ok().and_then(|mut addresses| addresses.next());
    first.ok_or_else(|| {
        "expected a port such as 7000, or an interface of this machine with a port, such as 0.0.0.0:7000".into()
    })
}

/// How often a waiting thread checks for Ctrl-C.
const TICK: Duration = Duration::from_millis(50);
/// A connection whose client accepts no bytes for this long is closed.
const TIME_TO_SEND: Duration = Duration::from_secs(10);
/// A line with this is the first one of a request of a browser.
const HTTP: &[u8] = b" HTTP/";
/// A connection is closed after this many invalid lines.
const MAX_INVALID: u64 = 100;
/// Invalid lines of a connection that are reported as warnings.
const MAX_WARNINGS: u64 = 3;

/// The requests that this process has served.
static SERVED: Counters = Counters {
    connections: AtomicU64::new(0),
    moves: AtomicU64::new(0),
    invalid: AtomicU64::new(0),
    refused: AtomicU64::new(0),
    open: AtomicU64::new(0),
};

struct Counters {
    connections: AtomicU64,
    moves: AtomicU64,
    invalid: AtomicU64,
    refused: AtomicU64,
    open: AtomicU64,
}

struct Conversation<'a> {
    host: Host<'a>,
    /// The client, as warnings name it.
    client: String,
    /// Time without a request after which the conversation ends. `None` waits forever.
    idle_time: Option<Duration>,
    quiet: bool,
}

pub fn run(arguments: &ServeArguments) -> Result<(), Failure> {
    interrupts::catch();
    interrupts::say_at_end(|| SERVED.in_words());
    let setup = loading::setup(&arguments.game, arguments.no_word_map)?;
    let game = arguments.game.with_tables(&arguments.tables);
    let player = loading::player_or_default(arguments.player.as_ref(), &setup, &game)?;
    let host = Host::new(&setup, &player, arguments.game.lexicons());
    let quiet = arguments.game.quiet;
    match arguments.listen {
        None => {
            let client = "standard input".to_string();
            let mut conversation = Conversation { host, client, idle_time: None, quiet };
            match conversation.answer(&lines::read_lines(io::stdin(), MAX_BYTES_OF_REQUESTS)?, &mut io::stdout()) {
                Ok(None) => {}
                Ok(Some(reason)) => return Err(Failure::input(format!("standard input: {reason}"))),
                Err(error) => output::lost(&error),
            }
        }
        Some(address) => {
            let cannot = |error| Failure::input(format!("cannot listen on {address}: {error}"));
            let listener = TcpListener::bind(address).map_err(cannot)?;
            let address = listener.local_addr()?;
            if !address.ip().is_loopback() {
                loading::warn(&arguments.game, Some("other machines can reach this player, and there is no password"));
            }
            say!("{} listens on {address}; its name in matches is tcp:{address}", player.name);
            listen(&listener, arguments, &host)?;
        }
    }
    if is_stopped() { Err(Failure::Interrupted(SERVED.in_words())) } else { Ok(()) }
}

/// Accepts connections until Ctrl-C, each on its own thread.
fn listen(listener: &TcpListener, arguments: &ServeArguments, host: &Host<'_>) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    thread::scope(|scope| {
        while !is_stopped() {
            // There may be no client, or a client that has already left.
            let Ok((socket, client)) = listener.accept() else {
                thread::sleep(TICK);
                continue;
            };
            if SERVED.open.load(Ordering::Relaxed) >= u64::from(arguments.connections) {
                SERVED.refused.fetch_add(1, Ordering::Relaxed);
                refuse(&socket, arguments.connections);
                continue;
            }
            SERVED.open.fetch_add(1, Ordering::Relaxed);
            SERVED.connections.fetch_add(1, Ordering::Relaxed);
            let (host, idle_time, quiet) = (host.clone(), Some(arguments.idle_time), arguments.game.quiet);
            let mut conversation = Conversation { host, client: client.to_string(), idle_time, quiet };
            let talk = move || {
                // A client that has left needs no answer, and a panic in one conversation must not end the others.
                let _ = catch_unwind(AssertUnwindSafe(|| conversation.answer_socket(&socket)));
                let _ = socket.shutdown(Shutdown::Both);
                SERVED.open.fetch_sub(1, Ordering::Relaxed);
            };
            if thread::Builder::new().name(format!("serve {client}")).spawn_scoped(scope, talk).is_err() {
                SERVED.open.fetch_sub(1, Ordering::Relaxed);
            }
        }
    });
    Ok(())
}

/// Sends a client the reason why it is refused, unless that would block.
fn refuse(mut socket: &TcpStream, connections: u16) {
    let reason = format!("all {connections} connections are in use; the server allows more with --connections");
    if let Ok(line) = serde_json::to_string(&FromPlayer::Refuse { reason }) {
        let _ = socket.set_nonblocking(true);
        let _ = socket.write_all(format!("{line}\n").as_bytes());
    }
}

impl Conversation<'_> {
    fn answer_socket(&mut self, socket: &TcpStream) -> io::Result<()> {
        socket.set_nonblocking(false)?;
        socket.set_nodelay(true)?;
        socket.set_write_timeout(Some(TIME_TO_SEND))?;
        let mut output = socket.try_clone()?;
        if let Some(reason) = self.answer(&lines::read_lines(socket.try_clone()?, MAX_BYTES_OF_REQUESTS)?, &mut output)? {
            self.warn(&format!("connection closed: {reason}"));
        }
        Ok(())
    }

    /// Answers requests until the client ends the conversation, is idle for too long or sends requests that are too long or
    /// too often invalid, or until Ctrl-C. Returns the fault of the client, if any.
    fn answer(&mut self, incoming: &Receiver<ReadEvent>, output: &mut impl Write) -> io::Result<Option<String>> {
        let mut invalid = 0;
        let mut last_request = Instant::now();
        loop {
            let line = match self.next_line(incoming, last_request) {
                Ok(Some(line)) => line,
                Ok(None) => return Ok(None),
                Err(reason) => return Ok(Some(reason)),
            };
            let outcome = self.host.handle_line(&line);
            SERVED.moves.fetch_add(u64::from(outcome.is_move), Ordering::Relaxed);
            if let Some(reason) = outcome.error {
                // The rest of a request may hold messages: a page on the web makes a browser send them.
                if line.windows(HTTP.len()).any(|part| part == HTTP) {
                    return Ok(Some("a request in HTTP, not a message of the protocol".into()));
                }
                invalid += 1;
                SERVED.invalid.fetch_add(1, Ordering::Relaxed);
                if invalid <= MAX_WARNINGS {
                    self.warn(&reason);
                }
            }
            if let Some(reply) = outcome.reply {
                output.write_all(format!("{}\n", visible(&reply)).as_bytes())?;
                output.flush()?;
            }
            // Only moves keep a connection open: neither greetings, nor the end of a game, nor an invalid line.
            if outcome.is_move {
                last_request = Instant::now();
            }
            if invalid == MAX_INVALID {
                return Ok(Some(format!("{MAX_INVALID} invalid lines")));
            }
        }
    }

    /// The next line, or `None` if the client has ended the conversation, or after Ctrl-C.
    ///
    /// # Errors
    /// The fault of the client.
    fn next_line(&self, incoming: &Receiver<ReadEvent>, last_request: Instant) -> Result<Option<Vec<u8>>, String> {
        while !is_stopped() {
            if self.idle_time.is_some_and(|idle| last_request.elapsed() >= idle) {
                return Err("no request for a move within --idle-time".into());
            }
            match incoming.recv_timeout(TICK) {
                Ok(ReadEvent::Line(line)) => return Ok(Some(line)),
                Ok(ReadEvent::TooLong) => {
                    SERVED.invalid.fetch_add(1, Ordering::Relaxed);
                    return Err(format!("a line of more than {MAX_BYTES_OF_REQUESTS} bytes"));
                }
                Ok(ReadEvent::Failed(error)) => return Err(format!("cannot be read: {error}")),
                Ok(ReadEvent::Ended) | Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        Ok(None)
    }

    fn warn(&self, what: &str) {
        if !self.quiet {
            status!("warning: {}: {what}", self.client);
        }
    }
}

impl Counters {
    fn in_words(&self) -> String {
        let [connections, moves, invalid, refused] =
            [&self.connections, &self.moves, &self.invalid, &self.refused].map(|count| count.load(Ordering::Relaxed));
        let mut text = format!("{moves} moves served");
        if connections > 0 {
            text += &format!(" on {connections} connections");
        }
        if invalid > 0 {
            text += &format!(", {invalid} invalid lines");
        }
        if refused > 0 {
            text += &format!(", {refused} connections refused");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_listens_on_loopback() {
        assert_eq!(read_address("7000").map(|address| address.to_string()), Ok("127.0.0.1:7000".into()));
        assert_eq!(read_address("0.0.0.0:7000").map(|address| address.to_string()), Ok("0.0.0.0:7000".into()));
        assert!(read_address("[::1]:0").is_ok_and(|address| address.ip().is_loopback()));
        for wrong in ["", "70000", "7000x", ":7000:", "-1"] {
            assert!(read_address(wrong).is_err(), "{wrong}");
        }
    }
}
