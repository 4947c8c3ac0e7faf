//! Round robins as `match` plays, tells and writes them.

use std::path::Path;
use std::time::Instant;

use tilewright_engine::artefact::write_atomically;
use tilewright_engine::clock::Clock;
use tilewright_engine::deals::Purpose;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::player::Player;
use tilewright_engine::series::round_robin::{RoundRobin, Standings, meetings};

use crate::failure::Failure;
use crate::flags::{GameArguments, RunArguments, SearchArguments};
use crate::output::say;
use crate::progress::Progress;
use crate::{folder, loading};

mod cross_table;
mod json;

/// A round robin as the command line asks for it.
pub struct Asked<'a> {
    /// What is played.
    pub game: &'a GameArguments,
    /// How to find words.
    pub search: &'a SearchArguments,
    /// The seed of the deals, 1 if it names none.
    pub run: &'a RunArguments,
    /// The names of the players.
    pub players: &'a [String],
    /// Pairs of each match.
    pub pairs: u64,
    /// Time for each player and game.
    pub clock: Option<Clock>,
    /// Whether the two games of a pair have deals of their own.
    pub unpaired: bool,
    /// Where the figures go as JSON.
    pub json: Option<&'a Path>,
}

/// A round robin that was played to its end.
struct Played<'a> {
    names: &'a [String],
    standings: Standings,
    seed: u64,
    lexicon: &'a str,
    tileset: &'a str,
    seconds: f64,
    cpu_seconds: f64,
}

impl Asked<'_> {
    /// Plays it, prints and writes its figures.
    ///
    /// # Errors
    /// [`Failure`]; a file that would be overwritten is told before a game is played. [`Failure::Interrupted`] has the figures so far.
    pub fn play(&self) -> Result<(), Failure> {
        loading::set_threads(self.run)?;
        self.json.map(folder::check_new_file).transpose()?;
        let setup = loading::setup(self.game, self.search)?;
        let players = self.players.iter().map(|name| loading::player(name, &setup, self.game));
        let players = players.collect::<Result<Vec<Player>, _>>()?;
        let players: Vec<&Player> = players.iter().collect();
        let seed = self.run.seed.unwrap_or(1);
        let purpose = if self.unpaired { Purpose::UnpairedMatch } else { Purpose::Match };
        let round_robin = RoundRobin::new(&setup, &players, purpose.deals(seed), self.clock);
        let progress = Progress::new(self.game.quiet);
        progress.begin("round robin", self.pairs * meetings(players.len()).count() as u64, "pairs");
        let (begun, cpu) = (Instant::now(), cpu_time::ProcessTime::now());
        let standings = round_robin.play(0..self.pairs, &progress);
        let (seconds, cpu_seconds) = (begun.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
        progress.finish();
        if standings.deals < self.pairs {
            let table = cross_table::show(&standings, self.players);
            let (deals, pairs) = (standings.deals, self.pairs);
            return Err(Failure::Interrupted(format!("{deals} of {pairs} pairs of each match were played\n{table}")));
        }
        let (lexicon, tileset) = (setup.lexicon.name.as_str(), setup.tileset.name());
        let played = Played { names: self.players, standings, seed, lexicon, tileset, seconds, cpu_seconds };
        played.tell();
        if let Some(path) = self.json {
            let json = serde_json::to_string_pretty(&played.json())? + "\n";
            write_atomically(path, json.as_bytes())?;
        }
        Ok(())
    }
}

impl Played<'_> {
    fn games(&self) -> f64 {
        2.0 * self.standings.deals as f64 * self.standings.matches.len() as f64
    }

    fn tell(&self) {
        let (players, pairs) = (self.names.len(), self.standings.deals);
        say!("{players} players, {pairs} pairs a match on the same deals, seed {}, {}", self.seed, self.lexicon);
        say!("{}", cross_table::show(&self.standings, self.names));
        let (games, seconds, cpu_seconds) = (self.games(), self.seconds, self.cpu_seconds);
        say!("{:.0} games a second, {:.0} a CPU-second", games / seconds, games / cpu_seconds.max(1e-9));
    }
}
