//! The flags of `serve`.

use std::net::{Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::time::Duration;

use clap::Args;

use crate::flags::{GameFlags, TableFlags, duration};
use tilewright_engine::PlayerSpec;

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
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<PlayerSpec>,
    /// Serve over standard input and output until the input ends
    #[arg(long, required_unless_present = "listen")]
    pub stdio: bool,
    /// Listen on a TCP port until Ctrl-C. A port alone accepts connections from this machine only; HOST:PORT names another interface,
    /// and whoever can reach it may play. Port 0 picks a free port
    #[arg(long, value_name = "[HOST:]PORT", conflicts_with = "stdio", value_parser = read_address)]
    pub listen: Option<SocketAddr>,
    /// With --listen: maximum number of connections at a time; more are refused
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
