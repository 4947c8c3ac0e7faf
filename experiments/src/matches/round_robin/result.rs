//! The result of a round robin, and its text.

use std::fmt;

use tilewright_engine::series::round_robin::Standings;

use super::cross_table;

/// The result of a round robin, printed as text and written as JSON.
pub struct RoundRobinResult<'a> {
    /// The names of the players.
    pub names: &'a [String],
    /// All matches.
    pub standings: Standings,
    /// The seed of the deals.
    pub seed: u64,
    /// The name of the lexicon.
    pub lexicon: &'a str,
    /// The name of the tile set.
    pub tileset: &'a str,
    /// `None` if no game was played here.
    pub speed: Option<Speed>,
    /// The name of the round robin, if it was stopped before its end.
    pub stopped: Option<String>,
}

/// The speed of the games that this process played; the others come from the journal.
#[derive(Clone, Copy, Debug)]
pub struct Speed {
    /// Deals.
    pub deals: u64,
    /// Elapsed time.
    pub seconds: f64,
    /// User and system time.
    pub cpu_seconds: f64,
}

impl RoundRobinResult<'_> {
    /// Games per second of the games that this process played, over all matches, and the user and system time of these games.
    pub fn games_per_second(&self) -> Option<(f64, f64)> {
        let Speed { deals, seconds, cpu_seconds } = self.speed?;
        Some((2.0 * deals as f64 * self.standings.matches.len() as f64 / seconds, cpu_seconds))
    }
}

impl fmt::Display for RoundRobinResult<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (players, pairs) = (self.names.len(), self.standings.deals);
        writeln!(f, "{players} players, {pairs} pairs per match on the same deals, seed {}, {}", self.seed, self.lexicon)?;
        write!(f, "{}", cross_table::show(&self.standings, self.names))?;
        let (Some((rate, cpu_seconds)), Some(speed)) = (self.games_per_second(), self.speed) else { return Ok(()) };
        let of_cpu = rate * speed.seconds / cpu_seconds.max(1e-9);
        write!(f, "\n{rate:.0} games per second, {of_cpu:.0} per CPU-second")
    }
}
