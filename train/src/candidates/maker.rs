//! Makes candidate sets, a shard of games per work file.

use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use rand::RngExt;
use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use serde::Serialize;
use tilewright_engine::deals::Domain;
use tilewright_engine::simulator::{PlayoutResult, Settings, Simulator, Situation};
use tilewright_engine::{Equity, Game, Generator, Rack};

use super::config::{CandidateConfig, FitInputs, SetPlayer};
use super::label::{CandidateSet, Label, LabelledMove};
use crate::journal::{Journal, JournalError, RunKey, ShardJob};
use crate::run::kind;

/// Makes the candidate sets of a config.
pub struct Maker<'a> {
    inputs: &'a FitInputs<'a>,
    config: &'a CandidateConfig,
    settings: Settings,
    domain: Domain,
    seed: u64,
}

/// A fit to candidate sets, and the folder that keeps them.
pub struct OnSets<'a, F> {
    /// The fit.
    pub fit: F,
    /// The folder, which several fits may share. The default is `candidates` in the folder of the fit.
    pub folder: Option<&'a Path>,
    /// Sets that are made already, from the first game on.
    pub made: &'a [Vec<CandidateSet>],
    /// The CPU time that decided the number of games.
    pub budget: Option<Duration>,
}

impl<F> OnSets<'_, F> {
    /// Opens the journal of the sets, beside the journal of the fit.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn open<'j>(&self, maker: &Maker<'_>, journal: &Journal<'j>) -> Result<Journal<'j>, JournalError> {
        journal.open_beside(self.folder, "candidates", &maker.key())
    }
}

/// The further inputs of the sets of a folder, besides [`FitInputs`]. The number of games is not among them, so it can grow.
#[derive(Serialize)]
struct Made<'a> {
    seed: u64,
    candidates: &'a CandidateConfig,
}

impl<'a> Maker<'a> {
    /// Creates a maker. The ranker of the inputs is the player of the config, and `config` is valid.
    pub fn new(inputs: &'a FitInputs<'a>, config: &'a CandidateConfig, seed: u64) -> Maker<'a> {
        Maker { inputs, config, settings: config.settings(), domain: Domain::CandidateSets, seed }
    }

    /// The same maker on games that no training plays with any seed.
    #[must_use]
    pub fn held_out(self) -> Maker<'a> {
        Maker { domain: Domain::HeldOutCandidateSets, ..self }
    }

    /// The key of the journal that keeps the sets.
    pub fn key(&self) -> RunKey {
        let made = Made { seed: self.seed, candidates: self.config };
        let config = toml::to_string(&made).unwrap_or_else(|error| unreachable!("a config is plain data: {error}"));
        let key = self.inputs.candidate_key(kind::CANDIDATES, config);
        match self.domain {
            Domain::CandidateSets => key,
            domain => key.with_input("domain", domain.to_string()),
        }
    }

    /// Hands the sets of games 0 to `games` − 1 to `take`, shard by shard in order. `journal`, open for the key of the sets, keeps them.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn each(
        &self,
        journal: &Journal<'_>,
        games: u64,
        mut take: impl FnMut(Vec<CandidateSet>),
    ) -> Result<(), JournalError> {
        journal.monitor().begin("labelling", games, "games");
        let (job, mut failed) = (self.job(games), None);
        journal.each_unless_stopped(
            &job,
            "",
            |games| self.sets(games, journal),
            |number, sets: Vec<CandidateSet>| {
                let is_possible = sets.par_iter().all(|set| set.is_possible(self.inputs.setup));
                let checked =
                    if is_possible { journal.forget_parts(&job, number) } else { Err(journal.strange_shard(&job, number)) };
                failed = failed.take().or(checked.err());
                if failed.is_none() {
                    take(sets);
                }
            },
        )?;
        failed.map_or(Ok(()), Err)
    }

    /// The sets of some games of a shard, or `None` if the monitor has stopped them. Any number of threads gives the same
    /// labels. Advances the monitor by a unit per game, and keeps finished games in the journal.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn sets(&self, games: Range<u64>, journal: &Journal<'_>) -> Result<Option<Vec<CandidateSet>>, JournalError> {
        let (monitor, parts) = (journal.monitor(), journal.parts(&self.job(games.end), &games)?);
        let simulator = self.inputs.simulator(&self.settings);
        let worker = || Generator::new(self.inputs.setup);
        let sets = games.into_par_iter().map_init(worker, |generator, index| {
            let make = || (!monitor.is_stopped()).then(|| self.game(&simulator, generator, index));
            let sets = parts.unit(index, make)?;
            monitor.advance(u64::from(sets.is_some()));
            Ok(sets)
        });
        let sets: Option<Vec<Vec<CandidateSet>>> = sets.collect::<Result<_, JournalError>>()?;
        Ok(sets.map(|sets| sets.into_iter().flatten().collect()))
    }

    /// Stores finished shards, from the first game on, in a journal that is open for the key of the sets. Its own shards stay as they are.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn store(&self, journal: &Journal<'_>, shards: &[Vec<CandidateSet>]) -> Result<(), JournalError> {
        let job = self.job(shards.len() as u64 * self.config.shard_games);
        for (number, sets) in (0..).zip(shards) {
            journal.shard(&job, number, "", |_| sets.clone())?;
        }
        Ok(())
    }

    /// The shards of the first `games` games.
    fn job(&self, games: u64) -> ShardJob<'static> {
        ShardJob { name: "candidates", units: games, size: self.config.shard_games }
    }

    /// Plays one game and labels some of its turns, up to the turn at which the bag is empty.
    fn game(&self, simulator: &Simulator<'_>, generator: &mut Generator<'a>, index: u64) -> Vec<CandidateSet> {
        let FitInputs { setup, ranker: SetPlayer { player, .. }, .. } = *self.inputs;
        let deals = self.domain.deals(self.seed);
        let mut game = Game::deal(setup, deals, index);
        let mut exploring = deals.side_stream("exploration", index);
        let mut choices = deals.side_stream("labels", index);
        let mut sets = Vec::new();
        while !game.is_over() && !game.bag.is_empty() {
            let (is_drawn, seed) = (choices.random_range(0..self.config.turns) == 0, choices.random());
            if is_drawn {
                sets.extend(self.label(simulator, generator, index, &game, seed));
            }
            let (chosen, _) = self.config.exploration.choose(generator, player, &game.turn(setup), &mut exploring);
            game.make(setup, &chosen);
        }
        sets
    }

    /// The candidate set of a position, or `None` if only one move is within the window.
    fn label(
        &self,
        simulator: &Simulator<'_>,
        generator: &mut Generator<'a>,
        index: u64,
        game: &Game,
        seed: u64,
    ) -> Option<CandidateSet> {
        let mut candidates = simulator.candidates(self.inputs.ranker.player, generator, game);
        let least = candidates[0].valued.equity - Equity::from_fractional_points(self.config.window);
        candidates.retain(|candidate| candidate.valued.equity >= least);
        if candidates.len() < 2 {
            return None;
        }
        let situation = Situation { game: game.clone(), known: Rack::default(), last: None, seed };
        let results = simulator.results(&situation, &candidates, self.config.deals);
        let label = |value: fn(&PlayoutResult) -> i64| Label::of_deals(&results, candidates.len(), value);
        let (gains, gain) = label(|result| i64::from(result.gain.0));
        let (wins, win_probability) = label(|result| result.win_probability / 1000);
        let (replies, _) = label(|result| 1000 * i64::from(result.next_scores[1]));
        let (next_turns, _) = label(|result| 1000 * i64::from(result.next_scores[0]));
        let labelled = candidates.iter().enumerate().map(|(number, candidate)| LabelledMove {
            gain: gains[number],
            win_probability: wins[number],
            reply: replies[number],
            next_turn: next_turns[number],
            ..LabelledMove::new(candidate.valued.chosen, candidate.valued.equity)
        });
        let mut set = CandidateSet::new(index, &game.turn(self.inputs.setup), labelled.collect());
        (set.gain, set.win_probability) = (gain, win_probability);
        Some(set)
    }
}

#[cfg(test)]
mod tests {
    use tilewright_engine::artefact::Loader;
    use tilewright_engine::monitor::NoMonitor;
    use tilewright_engine::player::Player;
    use tilewright_engine::setup::Setup;
    use tilewright_engine::simulator::{MAX_PLIES, Standing};
    use tilewright_engine::turn::Turn;
    use tilewright_engine::win_percentage::WinPercentage;

    use super::*;
    use crate::candidates::test_support::plain_inputs;
    use crate::exploration::Exploration;

    /// Everything in a turn that can be compared.
    fn seen(turn: &Turn<'_>) -> impl PartialEq + std::fmt::Debug + use<> {
        let tiles: Vec<_> = turn.board.occupied().collect();
        (tiles, turn.rack, turn.unseen, turn.bag, turn.spread, turn.cross_sets.clone())
    }

    #[test]
    fn sets_hold_their_positions_and_what_a_simulation_says_of_their_moves() {
        let setup = Setup::embedded("english").unwrap();
        let player = Player::from_name("leave+pool+late", Loader::new(&setup)).unwrap();
        let ranker = player.as_static().unwrap();
        let table = WinPercentage::for_setup(&setup).0;
        let config = CandidateConfig {
            player: "leave+pool+late".parse().unwrap(),
            policy: Some("greedy".parse().unwrap()),
            turns: 1,
            candidates: 5,
            window: 12.0,
            deals: 6,
            plies: 2,
            shard_games: 2,
            exploration: Exploration::default(),
        };
        config.check().unwrap();
        let greedy = Player::from_name("greedy", Loader::new(&setup)).unwrap();
        let inputs = FitInputs { policy: SetPlayer::new(&greedy), ..plain_inputs(&setup, &player, &table) };
        let maker = Maker::new(&inputs, &config, 4);
        let mut sets = Vec::new();
        maker.each(&Journal::in_memory(&NoMonitor), 3, |shard| sets.extend(shard)).unwrap();
        assert!(sets.len() > 40 && sets.is_sorted_by_key(|set| set.game), "{}", sets.len());

        // Without exploration the player's own games pass the same positions, in order.
        let mut generator = Generator::new(&setup);
        let settings = config.settings();
        let simulator = Simulator::new(&setup, greedy.as_static().unwrap(), &table, &settings);
        let mut next = sets.iter().peekable();
        for index in 0..3 {
            let deals = Domain::CandidateSets.deals(4);
            let mut game = Game::deal(&setup, deals, index);
            let mut choices = deals.side_stream("labels", index);
            while !game.is_over() && !game.bag.is_empty() {
                let turn = game.turn(&setup);
                let (_, seed): (u64, u64) = (choices.random_range(0..1), choices.random());
                let best = ranker.choose_top(&mut generator, &turn, 2);
                if let Some(set) = next.next_if(|set| set.at_turn(&setup, seen) == seen(&turn)) {
                    assert_eq!(set.bag(&setup), turn.bag);
                    assert_eq!((set.candidates[0].chosen, set.candidates[0].equity), (best[0].chosen, best[0].equity.0));
                    let least = set.candidates[0].equity - 12_000;
                    assert!((2..=5).contains(&set.candidates.len()));
                    assert!(set.candidates.iter().all(|candidate| candidate.equity >= least));
                    // Differences from the mean sum to zero, but for the rounding of the mean.
                    let sum: i64 = set.candidates.iter().map(|candidate| candidate.gain.sum).sum();
                    assert!((0..6 * 5).contains(&sum), "{sum}");
                    // A simulation on the same deals finds the same labels.
                    let mut candidates = simulator.candidates(ranker, &mut generator, &game);
                    candidates.truncate(set.candidates.len());
                    let situation = Situation { game: game.clone(), known: Rack::default(), last: None, seed };
                    let simulated = simulator.run(&situation, &candidates, 1, &NoMonitor, &mut |_| ());
                    for labelled in &set.candidates {
                        let is_same = |standing: &&Standing| standing.candidate.valued.chosen == labelled.chosen;
                        let standing = simulated.standings.iter().find(is_same).unwrap();
                        let state_value = [set.gain as f64 / 1e3, set.win_probability as f64 / 1e6].map(|sum| sum / 6.0);
                        assert!((labelled.gain.mean(6) / 1e3 + state_value[0] - standing.gain.mean).abs() < 0.002);
                        assert!((labelled.win_probability.mean(6) / 1e6 + state_value[1] - standing.win.mean).abs() < 3e-6);
                    }
                }
                game.make(&setup, &best[0].chosen);
            }
        }
        assert_eq!(next.next(), None);
    }

    /// With the most plies, labels are those of finished games: whole points, and wins, draws and losses.
    #[test]
    fn the_most_plies_label_by_the_results_of_games() {
        let setup = Setup::embedded("english").unwrap();
        let player = Player::from_name("greedy", Loader::new(&setup)).unwrap();
        let table = WinPercentage::for_setup(&setup).0;
        let inputs = plain_inputs(&setup, &player, &table);
        let sets = |plies| {
            let config = CandidateConfig {
                player: "greedy".parse().unwrap(),
                policy: None,
                turns: 4,
                candidates: 4,
                window: 12.0,
                deals: 3,
                plies,
                shard_games: 2,
                exploration: Exploration::default(),
            };
            config.check().unwrap();
            Maker::new(&inputs, &config, 6).sets(0..6, &Journal::in_memory(&NoMonitor)).unwrap().unwrap()
        };
        // The sums over deals of the results themselves, with the number of candidates of which all games end alike.
        let is_of_games = |sets: &[CandidateSet]| {
            let mut decided = 0;
            for set in sets {
                for candidate in &set.candidates {
                    let (gain, wins) = (set.gain + candidate.gain.sum, set.win_probability + candidate.win_probability.sum);
                    if gain % 1000 != 0 || wins % 500_000 != 0 || !(0..=3_000_000).contains(&wins) {
                        return None;
                    }
                    // Three wins have a sum of final spreads above 0, three losses one below.
                    let spreads = 3 * i64::from(set.spread) + gain / 1000;
                    match wins {
                        3_000_000 if spreads > 0 => decided += 1,
                        0 if spreads < 0 => decided += 1,
                        0 | 3_000_000 => return None,
                        _ => (),
                    }
                }
            }
            Some(decided)
        };
        let whole = sets(MAX_PLIES);
        assert!(whole.len() > 10 && is_of_games(&whole).is_some_and(|decided| decided > 20), "{:?}", is_of_games(&whole));
        assert_eq!(is_of_games(&sets(2)), None);
    }
}
