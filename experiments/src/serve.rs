//! `serve`: a player for others to play against, over standard streams or TCP.

use std::io::{self, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use tilewright_engine::player::external::lines::{self, Incoming};
use tilewright_engine::player::external::{FromPlayer, MOST_BYTES};
use tilewright_engine::player::{Host, Player};

use crate::failure::{Failure, Input};
use crate::loading;
use crate::output::say;
use crate::progress::is_stopped;

pub mod flags;

use flags::ServeArguments;

/// How often those who wait look for Ctrl-C.
const TICK: Duration = Duration::from_millis(50);
/// How long somebody may take no bytes before the connection is closed.
const TIME_TO_SEND: Duration = Duration::from_secs(10);
/// Lines of one connection that may make no sense before it is closed.
const MOST_WRONG: u64 = 100;
/// How many of them are told.
const MOST_TOLD: u64 = 3;

/// The counts of a server.
#[derive(Default)]
struct Counters {
    connections: AtomicU64,
    moves: AtomicU64,
    wrong: AtomicU64,
    turned_away: AtomicU64,
    open: AtomicU64,
}

/// One conversation.
struct Conversation<'a> {
    host: Host<'a>,
    /// Who asks; for warnings.
    with: String,
    /// None waits for ever.
    idle_time: Option<Duration>,
    counters: &'a Counters,
    quiet: bool,
}

/// `serve`.
pub fn run(arguments: &ServeArguments) -> Result<(), Failure> {
    let setup = loading::setup(&arguments.game, arguments.no_word_map)?;
    let name = arguments.player.as_deref().unwrap_or(Player::default_name(&setup));
    let player = loading::player(name, &setup, &arguments.game)?;
    let host = Host::new(&setup, &player, arguments.game.lexicons());
    let counters = Counters::default();
    match arguments.listen {
        None => {
            let quiet = arguments.game.quiet;
            let with = "standard input".to_string();
            Conversation { host, with, idle_time: None, counters: &counters, quiet }
                .hold(&lines::listen(io::stdin())?, &mut io::stdout());
        }
        Some(address) => {
            let listener =
                TcpListener::bind(address).map_err(|error| anyhow::anyhow!("cannot listen on {address}: {error}"));
            let listener = listener.input()?;
            let address = listener.local_addr()?;
            if !address.ip().is_loopback() {
                loading::warn(&arguments.game, Some("other machines can reach this player, and there is no password"));
            }
            say!("{name} listens on {address}; its name in matches is tcp:{address}");
            listen(&listener, arguments, &host, &counters)?;
        }
    }
    if is_stopped() { Err(Failure::Interrupted(counters.in_words())) } else { Ok(()) }
}

/// Takes connections until Ctrl-C, each with a thread of its own.
fn listen(listener: &TcpListener, arguments: &ServeArguments, host: &Host<'_>, counters: &Counters) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    thread::scope(|scope| {
        while !is_stopped() {
            // A connection that has ended before it was taken is nobody's fault.
            let Ok((socket, with)) = listener.accept() else {
                thread::sleep(TICK);
                continue;
            };
            if counters.open.load(Ordering::Relaxed) >= u64::from(arguments.connections) {
                counters.turned_away.fetch_add(1, Ordering::Relaxed);
                turn_away(&socket, arguments.connections);
                continue;
            }
            counters.open.fetch_add(1, Ordering::Relaxed);
            counters.connections.fetch_add(1, Ordering::Relaxed);
            let conversation = Conversation {
                host: host.clone(),
                with: with.to_string(),
                idle_time: Some(arguments.idle_time),
                counters,
                quiet: arguments.game.quiet,
            };
            let talk = move || {
                // Who has gone before the first word needs no answer, and whatever goes wrong in one conversation ends no other.
                let _ = catch_unwind(AssertUnwindSafe(|| conversation.hold_on(&socket)));
                let _ = socket.shutdown(Shutdown::Both);
                counters.open.fetch_sub(1, Ordering::Relaxed);
            };
            if thread::Builder::new().name(format!("serve {with}")).spawn_scoped(scope, talk).is_err() {
                counters.open.fetch_sub(1, Ordering::Relaxed);
            }
        }
    });
    Ok(())
}

/// Says why, if that can be said at once.
fn turn_away(mut socket: &TcpStream, connections: u16) {
    let reason = format!("there are {connections} connections already; serve more with --connections");
    if let Ok(line) = serde_json::to_string(&FromPlayer::Refuse { reason }) {
        let _ = socket.set_nonblocking(true);
        let _ = socket.write_all(format!("{line}\n").as_bytes());
    }
}

impl Conversation<'_> {
    fn hold_on(self, socket: &TcpStream) -> io::Result<()> {
        socket.set_nonblocking(false)?;
        socket.set_nodelay(true)?;
        socket.set_write_timeout(Some(TIME_TO_SEND))?;
        let mut output = socket.try_clone()?;
        self.hold(&lines::listen(socket.try_clone()?)?, &mut output);
        Ok(())
    }

    /// Answers until the other side ends, says nothing for too long, or makes too little sense; or until Ctrl-C.
    fn hold(mut self, incoming: &Receiver<Incoming>, output: &mut impl Write) {
        let mut wrong = 0;
        while let Some(line) = self.next_line(incoming) {
            let heard = self.host.hear(&line);
            self.counters.moves.fetch_add(u64::from(heard.moved), Ordering::Relaxed);
            if let Some(reason) = heard.wrong {
                wrong += 1;
                self.counters.wrong.fetch_add(1, Ordering::Relaxed);
                if wrong <= MOST_TOLD {
                    self.warn(&reason);
                }
            }
            let sent = heard
                .reply
                .map_or(Ok(()), |reply| output.write_all(format!("{reply}\n").as_bytes()).and_then(|()| output.flush()));
            if sent.is_err() {
                break;
            }
            if wrong == MOST_WRONG {
                self.warn(&format!("closed after {MOST_WRONG} lines that made no sense"));
                break;
            }
        }
    }

    fn next_line(&self, incoming: &Receiver<Incoming>) -> Option<Vec<u8>> {
        let since = Instant::now();
        while !is_stopped() {
            match incoming.recv_timeout(TICK) {
                Ok(Incoming::Line(line)) => return Some(line),
                Ok(Incoming::TooLong) => {
                    self.counters.wrong.fetch_add(1, Ordering::Relaxed);
                    self.warn(&format!("closed after a line of more than {MOST_BYTES} bytes"));
                    return None;
                }
                Ok(Incoming::Ended) | Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) if self.idle_time.is_some_and(|idle| since.elapsed() >= idle) => {
                    self.warn("closed, since nothing was asked for so long");
                    return None;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        None
    }

    fn warn(&self, what: &str) {
        if !self.quiet {
            eprintln!("warning: {}: {what}", self.with);
        }
    }
}

impl Counters {
    fn in_words(&self) -> String {
        let [connections, moves, wrong, turned_away] =
            [&self.connections, &self.moves, &self.wrong, &self.turned_away].map(|count| count.load(Ordering::Relaxed));
        let mut text = format!("{moves} moves were served");
        if connections > 0 {
            text += &format!(" on {connections} connections");
        }
        if wrong > 0 {
            text += &format!(", {wrong} lines made no sense");
        }
        if turned_away > 0 {
            text += &format!(", {turned_away} connections were turned away");
        }
        text
    }
}
