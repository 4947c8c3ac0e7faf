//! The result of a round robin, and its text.

use std::fmt;

use tilewright_engine::series::round_robin::Standings;

use super::cross_table;

/// The result of a finished round robin, printed as text and written as JSON.
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
    /// Deals that this process played; the others come from the journal.
    pub played: u64,
    /// Elapsed time of the games that this process played.
    pub seconds: f64,
    /// User and system time of these games.
    pub cpu_seconds: f64,
}

impl RoundRobinResult<'_> {
    /// Games that this process played, over all matches.
    pub fn games(&self) -> f64 {
        2.0 * self.played as f64 * self.standings.matches.len() as f64
    }
}

impl fmt::Display for RoundRobinResult<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (players, pairs) = (self.names.len(), self.standings.deals);
        writeln!(f, "{players} players, {pairs} pairs per match on the same deals, seed {}, {}", self.seed, self.lexicon)?;
        writeln!(f, "{}", cross_table::show(&self.standings, self.names))?;
        let (games, seconds, cpu_seconds) = (self.games(), self.seconds, self.cpu_seconds.max(1e-9));
        write!(f, "{:.0} games per second, {:.0} per CPU-second", games / seconds, games / cpu_seconds)
    }
}
