//! A match: the description that flags, config files, stored runs, queues and studies share, its work files, and the pairs that they hold.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tilewright_engine::clock::Clock;
use tilewright_engine::deals::{Deals, Domain};
use tilewright_engine::monitor::Monitor;
use tilewright_engine::series::sequential::{PAIRS_PER_LOOK, SequentialTest, TestError};
use tilewright_engine::series::{ERROR_RATE, Pair, Series};
use tilewright_engine::{MatchPlayer, Player, Setup};

use crate::journal::RunKey;
use crate::run::kind;

/// The version of stored pairs.
const PAIRS_FORMAT: &str = "4";
/// The input of the run for whether pairs keep the moves of their games.
pub const MOVES: &str = "moves";
/// The largest penalty for a started minute of overtime, in points.
pub const MAX_OVERTIME: i32 = 10_000;
/// The default seed of the deals.
pub const SEED: u64 = 1;

/// A match between two players, or a round robin between more, as TOML.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MatchSpec {
    /// The lexicon, as on the command line. The default is the embedded lexicon of the tile set. A stored run has its name.
    pub lexicon: Option<String>,
    /// The tile set, as on the command line. A stored run has its name.
    pub tileset: Option<String>,
    /// Two for a match, more for a round robin.
    pub players: Vec<MatchPlayer>,
    /// Pairs per match, or with a test the maximum. A stored match of two players has none, because it can be extended.
    pub pairs: Option<u64>,
    /// The seed of the deals.
    pub seed: Option<u64>,
    /// Whether the two games of a pair have separate deals.
    pub unpaired: bool,
    /// The win rates of a sequential test. A stored match has none, because it can be extended with another test or without.
    pub sequential: Option<Hypotheses>,
    /// The probability that the test accepts H1 although H0 is true [default: 0.05].
    pub alpha: Option<f64>,
    /// The probability that the test accepts H0 although H1 is true [default: 0.05].
    pub beta: Option<f64>,
    /// Time of each player per game.
    pub clock_seconds: Option<f64>,
    /// Penalty in points for each started minute beyond that.
    pub overtime: Option<i32>,
    /// Time limit of an external player per move.
    pub answer_seconds: Option<f64>,
}

/// The two win rates of a sequential test, 0–1, the lower first. Their text is in percent, as in `50:51`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Hypotheses {
    /// The null hypothesis.
    pub h0: f64,
    /// The alternative hypothesis.
    pub h1: f64,
}

impl MatchSpec {
    /// A match of two players without a test and a clock.
    pub fn of_two(players: [MatchPlayer; 2], pairs: u64) -> MatchSpec {
        MatchSpec { players: players.into(), pairs: Some(pairs), ..MatchSpec::default() }
    }

    /// The names of the players.
    pub fn names(&self) -> Vec<String> {
        self.players.iter().map(ToString::to_string).collect()
    }

    /// The programs that play.
    pub fn programs(&self) -> Vec<String> {
        self.players.iter().filter(|player| player.is_external()).map(ToString::to_string).collect()
    }

    /// The names of the lexicon and the tile set. An empty name stands for the default.
    pub fn game(&self) -> [&str; 2] {
        [&self.lexicon, &self.tileset].map(|name| name.as_deref().unwrap_or_default())
    }

    /// The seed of the deals.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(SEED)
    }

    /// The deals of the games.
    pub fn deals(&self) -> Deals {
        if self.unpaired { Domain::UnpairedMatch } else { Domain::Match }.deals(self.seed())
    }

    /// The clock of a timed match. `None` also if its time or its penalty is out of range.
    pub fn clock(&self) -> Option<Clock> {
        let time = Duration::try_from_secs_f64(self.clock_seconds?).ok().filter(|time| !time.is_zero())?;
        Some(Clock { time, overtime: self.overtime.filter(|points| (0..=MAX_OVERTIME).contains(points))? })
    }

    /// The sequential test.
    ///
    /// # Errors
    /// [`TestError`] for rates with which no test exists.
    pub fn test(&self) -> Result<Option<SequentialTest>, TestError> {
        self.sequential.map(|hypotheses| hypotheses.test(self.alpha, self.beta)).transpose()
    }

    /// The stored form of the spec of this game: everything on which its games depend.
    #[must_use]
    pub fn stored(&self, setup: &Setup) -> MatchSpec {
        MatchSpec {
            lexicon: Some(setup.lexicon.name.clone()),
            tileset: Some(setup.tileset.name().into()),
            pairs: self.pairs.filter(|_| self.players.len() > 2),
            seed: Some(self.seed()),
            sequential: None,
            alpha: None,
            beta: None,
            ..self.clone()
        }
    }

    /// The key of the run. With `keeps_moves` its pairs keep the moves of their games.
    pub fn key(&self, setup: &Setup, players: &[&Player], keeps_moves: bool) -> RunKey {
        let config =
            toml::to_string(&self.stored(setup)).unwrap_or_else(|error| unreachable!("a config is plain data: {error}"));
        let kind = if players.len() > 2 { kind::ROUND_ROBIN } else { kind::MATCH };
        let key = RunKey::new(kind, config).with_setup(setup).with_input("pairs", PAIRS_FORMAT);
        let with_player =
            |key: RunKey, (number, player): (usize, &&Player)| key.with_input(&format!("player {number}"), &player.identity);
        let key = (1..).zip(players).fold(key, with_player);
        if keeps_moves { key.with_input(MOVES, "kept") } else { key }
    }
}

impl Hypotheses {
    /// The test of these win rates. The error rates default to 5 %, as in tests of chess engines.
    ///
    /// # Errors
    /// [`TestError`] for rates with which no test exists.
    pub fn test(self, alpha: Option<f64>, beta: Option<f64>) -> Result<SequentialTest, TestError> {
        let [alpha, beta] = [alpha, beta].map(|rate| rate.unwrap_or(ERROR_RATE));
        SequentialTest::new(self.h0, self.h1, alpha, beta)
    }
}

/// Converts a rate of 0–1 to percent, without the rounding errors of binary fractions.
pub fn percent(rate: f64) -> f64 {
    (rate * 1e8).round() / 1e6
}

impl fmt::Display for Hypotheses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", percent(self.h0), percent(self.h1))
    }
}

impl FromStr for Hypotheses {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Hypotheses, &'static str> {
        let rates = text.split_once(':').and_then(|(h0, h1)| Some((h0.trim().parse().ok()?, h1.trim().parse().ok()?)));
        let Some((h0, h1)): Option<(f64, f64)> = rates else {
            return Err("expected two win rates in percent with a colon between them, as in 50:51");
        };
        if h1 <= 1.0 {
            return Err("expected win rates in percent, as in 50:51");
        }
        if !(0.0 < h0 && h0 < h1 && h1 < 100.0) {
            return Err(
                "the lower win rate comes first, both between 0 and 100 percent; for the opposite question, swap the players",
            );
        }
        Ok(Hypotheses { h0: h0 / 100.0, h1: h1 / 100.0 })
    }
}

impl TryFrom<String> for Hypotheses {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Hypotheses, &'static str> {
        text.parse()
    }
}

impl From<Hypotheses> for String {
    fn from(hypotheses: Hypotheses) -> String {
        hypotheses.to_string()
    }
}

/// Pairs per file. A look of a sequential test lies within one file.
pub const PAIRS_PER_FILE: u64 = 8 * PAIRS_PER_LOOK;
/// The prefix of the files.
pub(super) const FILES: &str = "pairs-";
/// The work file with the most pairs that a match without a test was asked for.
pub(super) const ASKED: &str = "asked";

/// The numbers of the pairs in the file with this number.
pub(super) fn of_file(number: u64) -> Range<u64> {
    number.saturating_mul(PAIRS_PER_FILE)..number.saturating_add(1).saturating_mul(PAIRS_PER_FILE)
}

/// Whether these pairs have numbers of the range, each once and in order.
pub(super) fn are_of(pairs: &[Pair], range: &Range<u64>) -> bool {
    pairs.iter().all(|pair| range.contains(&pair.index)) && pairs.is_sorted_by(|one, next| one.index < next.index)
}

/// A match of two players.
pub struct MatchRun<'a> {
    /// The game, the players and their deals.
    pub series: Series<'a>,
    /// The spec of the match.
    pub spec: &'a MatchSpec,
    /// The number of pairs, or with a test the maximum.
    pub pairs: u64,
    /// The test, which may end the match early.
    pub test: Option<SequentialTest>,
    /// Whether the pairs keep the moves of their games.
    pub keeps_moves: bool,
    /// Takes the finished pairs in order. If the run is stopped, it has every finished pair, with a test only up to the
    /// stop.
    pub take: &'a dyn Fn(&[Pair]),
}

impl MatchRun<'_> {
    /// Plays the pairs of a range. They come in order.
    pub(super) fn play_each(&self, pairs: Range<u64>, monitor: &dyn Monitor) -> Vec<Pair> {
        let played = self.series.play_each(pairs, monitor);
        if self.keeps_moves { played } else { played.into_iter().map(Pair::without_moves).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::pairs::samples;
    use super::*;

    #[test]
    fn a_stored_match_keeps_its_clock_and_not_its_end() {
        let (setup, greedy) = (samples::setup(), samples::greedy());
        let test = Some(Hypotheses { h0: 0.5, h1: 0.51 });
        let clock = (Some(1.5), Some(10));
        let two = MatchSpec::of_two(["greedy", "leave:a b"].map(|name| name.parse().unwrap()), 7);
        let spec = MatchSpec { sequential: test, alpha: Some(0.1), clock_seconds: clock.0, overtime: clock.1, ..two };
        let read: MatchSpec = toml::from_str(&spec.key(&setup, &[&greedy; 2], false).config).unwrap();
        assert_eq!((&read.players, read.clock().unwrap().time), (&spec.players, Duration::from_millis(1500)));
        assert_eq!((read.pairs, read.sequential, read.alpha, read.seed), (None, None, None, Some(SEED)));
        for (seconds, overtime) in [(Some(0.0), Some(10)), (Some(-1.0), Some(10)), (Some(9.0), Some(-10)), (Some(9.0), None)]
        {
            let wrong = MatchSpec { clock_seconds: seconds, overtime, ..read.clone() };
            assert!(wrong.clock().is_none(), "{wrong:?}");
        }
        let of_three: MatchSpec = toml::from_str(
            &MatchSpec { players: vec![spec.players[0].clone(); 3], ..spec }.key(&setup, &[&greedy; 3], false).config,
        )
        .unwrap();
        assert_eq!(of_three.pairs, Some(7));
    }

    #[test]
    fn hypotheses_survive_their_text() {
        for text in ["50:51", "49.5:50.25", "50:50.01"] {
            assert_eq!(text.parse::<Hypotheses>().unwrap().to_string(), text);
        }
        for (text, reason) in [("50", "colon"), ("0.5:0.51", "in percent"), ("51:50", "comes first"), ("0:NaN", "lower")] {
            assert!(text.parse::<Hypotheses>().unwrap_err().contains(reason), "{text}");
        }
    }
}
