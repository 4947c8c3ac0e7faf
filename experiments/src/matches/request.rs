//! Match requests: the flags of `match`, and the config file that they override.

use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use tilewright_engine::clock::Clock;
use tilewright_engine::deals::{Deals, Domain};
use tilewright_engine::monitor::Monitor;
use tilewright_engine::player::{Player, PlayerSpec};
use tilewright_engine::series::sequential::SequentialTest;
use tilewright_engine::series::{ERROR_RATE, Tally};
use tilewright_engine::setup::Setup;
use tilewright_train::journal::{Journal, JournalError, RunKey};
use tilewright_train::stored_match::{self, manifest};

use super::flags::{ErrorRates, GamesFlags, Hypotheses, MAX_PAIRS, MatchArguments, read_hypotheses};
use crate::failure::{Failure, Input};
use crate::flags::PlayFlags;
use crate::runs::Context;

/// The input of the run that says whether pairs keep the moves of their games.
const MOVES: &str = "moves";

/// The default seed of the deals.
pub const SEED: u64 = 1;

/// A match between two players, or a round robin between more.
pub struct MatchRequest<'a> {
    /// The game, the seed of the deals, the threads and the word map.
    pub flags: PlayFlags,
    /// The names of the players.
    pub players: Vec<PlayerSpec>,
    /// Pairs per match; with a test, the maximum.
    pub pairs: u64,
    /// The sequential test, which may end a match of two players early.
    pub test: Option<SequentialTest>,
    /// Time per player and game.
    pub clock: Option<Clock>,
    /// Whether the two games of a pair have separate deals.
    pub unpaired: bool,
    /// Time limit of an external player per move.
    pub answer_time: Option<Duration>,
    /// The folder that stores the games.
    pub out: Option<&'a Path>,
    /// The file for the faults of external players.
    pub fault_log: Option<&'a Path>,
    /// The file for the figures as JSON.
    pub json: Option<&'a Path>,
    /// The file for the pairs as Parquet.
    pub pairs_out: Option<&'a Path>,
    /// The folder for the games, if they are written, with their format and candidates.
    pub games: Option<&'a GamesFlags>,
}

/// The config file of a match.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct MatchConfig {
    /// As on the command line; by default, the embedded lexicon of the tile set.
    lexicon: Option<String>,
    /// As on the command line.
    tileset: Option<String>,
    /// Two for a match, more for a round robin.
    players: Vec<PlayerSpec>,
    /// Pairs per match; with a test, the maximum.
    pairs: Option<u64>,
    /// Seed of the deals.
    seed: Option<u64>,
    /// Whether the two games of a pair have separate deals.
    unpaired: bool,
    /// Win rates in percent, as in `50:51`.
    sequential: Option<String>,
    /// The probability that the test accepts H1 although H0 is true.
    alpha: Option<f64>,
    /// The probability that the test accepts H0 although H1 is true.
    beta: Option<f64>,
}

impl MatchRequest<'_> {
    /// A match without a test, a clock or files.
    pub fn new(flags: PlayFlags, players: Vec<PlayerSpec>, pairs: u64) -> Self {
        MatchRequest {
            flags,
            players,
            pairs,
            test: None,
            clock: None,
            unpaired: false,
            answer_time: None,
            out: None,
            fault_log: None,
            json: None,
            pairs_out: None,
            games: None,
        }
    }

    /// The match that the flags describe. The config file fills in what they leave out.
    ///
    /// # Errors
    /// [`Failure::Input`] for an invalid config, for fewer than two players, and for flags that do not go together.
    pub fn from_flags(arguments: &MatchArguments) -> Result<MatchRequest<'_>, Failure> {
        let config = arguments.read_config()?.map(|text| parse(&text, arguments)).transpose()?.unwrap_or_default();
        let test = test(arguments, &config)?;
        let players = players(arguments, config.players)?;
        let pairs = arguments.pairs.or(config.pairs);
        let pairs = pairs.ok_or_else(|| Failure::input("no number of pairs; add --pairs N, or pairs = N in the config"))?;
        if !(1..=MAX_PAIRS).contains(&pairs) {
            return Err(Failure::input(format!("config: pairs = {pairs}; expected 1 to {MAX_PAIRS}")));
        }
        let mut flags = arguments.flags.clone();
        let game = &mut flags.common.game;
        // The lexicon of the config is for the tile set of the config.
        if game.tileset.is_none() || game.tileset == config.tileset {
            game.lexicon = game.lexicon.take().or(config.lexicon);
        }
        game.tileset = game.tileset.take().or(config.tileset);
        game.tables.clone_from(&arguments.tables);
        flags.common.seed = flags.common.seed.or(config.seed);
        let mut request = MatchRequest {
            test,
            clock: arguments.clock.map(|time| Clock { time, overtime: arguments.overtime }),
            unpaired: arguments.unpaired || config.unpaired,
            answer_time: arguments.answer_time,
            out: arguments.out.as_deref(),
            fault_log: arguments.fault_log.as_deref(),
            json: arguments.json.as_deref(),
            pairs_out: arguments.pairs_out.as_deref(),
            games: arguments.games.games_out.as_ref().map(|_| &arguments.games),
            ..MatchRequest::new(flags, players, pairs)
        };
        request.check_round_robin()?;
        request.limit_answers()?;
        Ok(request)
    }

    /// The seed of the deals.
    pub fn seed(&self) -> u64 {
        self.flags.common.seed.unwrap_or(SEED)
    }

    /// The deals of the games.
    pub fn deals(&self) -> Deals {
        let domain = if self.unpaired { Domain::UnpairedMatch } else { Domain::Match };
        domain.deals(self.seed())
    }

    /// The key of the run.
    pub fn key(&self, setup: &Setup, players: &[&Player]) -> RunKey {
        let &MatchRequest { pairs, clock, .. } = self;
        let mut key = stored_match::MatchConfig { setup, players, deals: self.deals(), clock, pairs }.key();
        if let Some(time) = self.answer_time {
            key = key.with_input("answer time", format!("{time:?}"));
        }
        if self.games.is_some() {
            key = key.with_input(MOVES, "kept");
        }
        key
    }

    /// Opens the journal in the folder of the request, if there is one. A finished match in it is not finished any more.
    ///
    /// # Errors
    /// [`Failure::Input`] for a folder whose pairs have no moves, or have moves that nobody asks for; [`JournalError`].
    pub fn journal<'m>(
        &self,
        setup: &Setup,
        players: &[&Player],
        context: &Context<'_>,
        monitor: &'m dyn Monitor,
    ) -> Result<Option<Journal<'m>>, Failure> {
        let Some(out) = self.out else { return Ok(None) };
        match context.open(out, &self.key(setup, players), true, monitor) {
            Err(JournalError::OtherRun { what, .. }) if what == MOVES => Err(Failure::input(if self.games.is_some() {
                format!(
                    "{}: the pairs of this run have no moves; leave --games-out out, or choose another --out",
                    out.display()
                )
            } else {
                format!(
                    "{}: this run keeps the moves of its games; add --games-out DIR, or choose another --out",
                    out.display()
                )
            })),
            journal => {
                let journal = journal?;
                manifest::remove(out).map_err(JournalError::from)?;
                Ok(Some(journal))
            }
        }
    }

    /// Writes the manifest of the finished match into the folder of its journal, unless that is in memory. `tally` is that of a match of two players.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(&self, setup: &Setup, journal: &Journal<'_>, pairs: u64, tally: Option<&Tally>) -> Result<(), Failure> {
        let (Some(out), Some(key)) = (journal.folder(), journal.key()) else { return Ok(()) };
        let finished = manifest::FinishedMatch { setup, key, seed: self.seed(), pairs, tally, test: self.test.as_ref() };
        Ok(finished.write(out)?)
    }

    /// Gives the external players the answer time, if there is one. At least one player must be external.
    fn limit_answers(&mut self) -> Result<(), Failure> {
        let Some(time) = self.answer_time else { return Ok(()) };
        let has_external = self.players.iter().any(PlayerSpec::is_external);
        for player in self.players.iter_mut().filter(|player| player.is_external() || !has_external) {
            *player = player.clone().with_answer_time(time).input()?;
        }
        Ok(())
    }

    /// Refuses flags that need exactly two players if there are more.
    fn check_round_robin(&self) -> Result<(), Failure> {
        let count = self.players.len();
        let flags = [
            ("--sequential", self.test.is_some()),
            ("--pairs-out", self.pairs_out.is_some()),
            ("--games-out", self.games.is_some()),
            ("--fault-log", self.fault_log.is_some()),
            ("--answer-time", self.answer_time.is_some()),
        ];
        match flags.into_iter().find(|&(_, is_given)| is_given && count > 2) {
            Some((flag, _)) => Err(Failure::input(format!("{flag} needs exactly two players, but {count} are named"))),
            None => Ok(()),
        }
    }
}

/// The sequential test of two win rates. The error rates default to 5 %, as in tests of chess engines.
///
/// # Errors
/// [`Failure::Input`] for rates with which no test exists.
pub fn sequential_test(hypotheses: Hypotheses, rates: &ErrorRates) -> Result<SequentialTest, Failure> {
    let [alpha, beta] = [rates.alpha, rates.beta].map(|rate| rate.unwrap_or(ERROR_RATE));
    SequentialTest::new(hypotheses.h0, hypotheses.h1, alpha, beta).input()
}

fn test(arguments: &MatchArguments, config: &MatchConfig) -> Result<Option<SequentialTest>, Failure> {
    let from_config = config.sequential.as_deref().map(|text| {
        read_hypotheses(text).map_err(|reason| Failure::input(format!("config: sequential = {text:?}: {reason}")))
    });
    let rates = ErrorRates { alpha: arguments.rates.alpha.or(config.alpha), beta: arguments.rates.beta.or(config.beta) };
    match arguments.sequential.or(from_config.transpose()?) {
        Some(hypotheses) => sequential_test(hypotheses, &rates).map(Some),
        None if rates.alpha.is_some() || rates.beta.is_some() => {
            Err(Failure::input("--alpha and --beta are error rates of a sequential test; add --sequential H0:H1"))
        }
        None => Ok(None),
    }
}

fn players(arguments: &MatchArguments, from_config: Vec<PlayerSpec>) -> Result<Vec<PlayerSpec>, Failure> {
    let players = match (&arguments.player_a, &arguments.player_b) {
        (Some(a), Some(b)) => vec![a.clone(), b.clone()],
        _ if arguments.players.is_empty() => from_config,
        _ => arguments.players.clone(),
    };
    if players.len() < 2 {
        let found = players.first().map_or("names no player".into(), |player| format!("names only {player}"));
        let place = if arguments.config.is_some() { "the config's players = [...]" } else { "--players" };
        return Err(Failure::input(format!("{place} {found}; a match needs two players, a round robin more")));
    }
    Ok(players)
}

fn parse(text: &str, arguments: &MatchArguments) -> Result<MatchConfig, Failure> {
    let origin = arguments.config.as_deref().unwrap_or(Path::new("of the job")).display();
    toml::from_str(text).map_err(|error| Failure::input(format!("config {origin}: {error}")))
}
