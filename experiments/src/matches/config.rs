//! Matches as TOML.

use std::path::Path;

use serde::Deserialize;

use super::flags::{ErrorRates, Hypotheses, MOST_PAIRS, MatchArguments, read_hypotheses};
use crate::failure::Failure;
use crate::flags::{GameArguments, RunArguments};

/// A match as a file has it; flags go before it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct MatchConfig {
    /// As on the command line; not named, the one that comes with the tile set.
    lexicon: Option<String>,
    /// As on the command line.
    tileset: Option<String>,
    /// Two for a match, more for a round robin.
    players: Vec<String>,
    /// Of each match; with a test, the most.
    pairs: Option<u64>,
    /// Of the deals.
    seed: Option<u64>,
    /// Whether the two games of a pair have deals of their own.
    unpaired: bool,
    /// Win rates in percent, as in `50:51`.
    sequential: Option<String>,
    /// How often the test may accept H1 though H0 is true.
    alpha: Option<f64>,
    /// How often it may accept H0 though H1 is true.
    beta: Option<f64>,
}

/// What flags and file ask for together.
pub struct Meeting {
    /// What is played.
    pub game: GameArguments,
    /// With the seed.
    pub run: RunArguments,
    /// Two for a match, more for a round robin.
    pub players: Vec<String>,
    /// Of each match; with a test, the most.
    pub pairs: u64,
    /// Whether the two games of a pair have deals of their own.
    pub unpaired: bool,
    /// The test's win rates.
    pub sequential: Option<Hypotheses>,
    /// The test's error rates.
    pub rates: ErrorRates,
}

impl Meeting {
    /// What the flags ask for, and the file where they say nothing.
    ///
    /// # Errors
    /// [`Failure::Input`].
    pub fn of(arguments: &MatchArguments) -> Result<Meeting, Failure> {
        let config = arguments.config.as_deref().map(read).transpose()?.unwrap_or_default();
        let players = match (&arguments.player_a, &arguments.player_b) {
            (Some(a), Some(b)) => vec![a.clone(), b.clone()],
            _ if arguments.players.is_empty() => config.players,
            _ => arguments.players.clone(),
        };
        if players.len() < 2 {
            let found = players.first().map_or("names no player".into(), |player| format!("names {player} alone"));
            let place = if arguments.config.is_some() { "the config's players = [...]" } else { "--players" };
            return Err(Failure::input(format!("{place} {found}; a match has two players, a round robin more")));
        }
        let pairs = arguments.pairs.or(config.pairs);
        let pairs = pairs.ok_or_else(|| Failure::input("no number of pairs; say --pairs N, or pairs = N in the config"))?;
        if !(1..=MOST_PAIRS).contains(&pairs) {
            return Err(Failure::input(format!("config: pairs = {pairs}; 1 to {MOST_PAIRS}")));
        }
        let mut game = arguments.game.clone();
        // Other tiles come with other words.
        let same_tiles = game.tileset.is_none() || game.tileset == config.tileset;
        game.lexicon = game.lexicon.or(config.lexicon.filter(|_| same_tiles));
        game.tileset = game.tileset.or(config.tileset);
        let run = RunArguments { seed: arguments.run.seed.or(config.seed), ..arguments.run.clone() };
        let of_file = config.sequential.as_deref().map(|text| {
            read_hypotheses(text).map_err(|reason| Failure::input(format!("config: sequential = {text:?}: {reason}")))
        });
        let sequential = arguments.sequential.or(of_file.transpose()?);
        let rates = ErrorRates { alpha: arguments.rates.alpha.or(config.alpha), beta: arguments.rates.beta.or(config.beta) };
        Ok(Meeting { game, run, players, pairs, unpaired: arguments.unpaired || config.unpaired, sequential, rates })
    }
}

fn read(path: &Path) -> Result<MatchConfig, Failure> {
    let origin = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| Failure::input(format!("config {origin}: {error}")))?;
    toml::from_str(&text).map_err(|error| Failure::input(format!("config {origin}: {error}")))
}
