//! Makes candidate sets, a shard of games per work file.

use rand::RngExt;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use tilewright_engine::deals::Purpose;
use tilewright_engine::equity::Equity;
use tilewright_engine::game::Game;
use tilewright_engine::movegen::Generator;
use tilewright_engine::rack::Rack;
use tilewright_engine::setup::Setup;
use tilewright_engine::simulator::{PlayoutResult, Sampler, Settings, Simulator, Situation};
use tilewright_engine::static_player::StaticPlayer;
use tilewright_engine::win_percentage::WinPercentage;

use super::config::CandidateConfig;
use super::label::{CandidateSet, Label, LabelledMove};
use crate::journal::{Journal, JournalError, ShardJob};

/// Makes the candidate sets of a config.
pub struct Maker<'a> {
    setup: &'a Setup,
    player: &'a StaticPlayer,
    win_percentage: &'a WinPercentage,
    config: &'a CandidateConfig,
    settings: Settings,
    seed: u64,
}

impl<'a> Maker<'a> {
    /// Creates a maker. `player` is that of the config, and `config` is valid.
    pub fn new(
        setup: &'a Setup,
        player: &'a StaticPlayer,
        win_percentage: &'a WinPercentage,
        config: &'a CandidateConfig,
        seed: u64,
    ) -> Maker<'a> {
        Maker { setup, player, win_percentage, config, settings: config.settings(), seed }
    }

    /// Hands the sets of all games to `take`, shard by shard in order of the games. The journal keeps the shards.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn each(&self, journal: &Journal<'_>, mut take: impl FnMut(Vec<CandidateSet>)) -> Result<(), JournalError> {
        let CandidateConfig { games, shard_games, .. } = *self.config;
        let monitor = journal.monitor();
        monitor.begin("labelling", games, "games");
        let job = ShardJob { name: "candidates", units: games, size: shard_games, part: None };
        let make = |range: std::ops::Range<u64>| {
            let simulator = Simulator::new(self.setup, self.player, self.win_percentage, &self.settings);
            let worker = || (Generator::new(self.setup), simulator.sampler());
            let sets = range.into_par_iter().map_init(worker, |(generator, sampler), index| {
                let sets = self.game(&simulator, generator, sampler, index);
                monitor.advance(1);
                sets
            });
            sets.flatten_iter().collect::<Vec<CandidateSet>>()
        };
        journal.each(&job, "", make, |_, sets| take(sets))
    }

    /// Plays one game and labels some of its turns, up to the turn at which the bag is empty.
    fn game(
        &self,
        simulator: &Simulator<'_>,
        generator: &mut Generator<'a>,
        sampler: &mut Sampler<'_>,
        index: u64,
    ) -> Vec<CandidateSet> {
        let deals = Purpose::CandidateSets.deals(self.seed);
        let mut game = Game::deal(self.setup, deals, index);
        let mut exploring = deals.side_stream("exploration", index);
        let mut choices = deals.side_stream("labels", index);
        let mut sets = Vec::new();
        while !game.is_over() && !game.bag.is_empty() {
            let (is_labelled, seed) = (choices.random_range(0..self.config.turns) == 0, choices.random());
            if is_labelled {
                sets.extend(self.label(simulator, generator, sampler, index, &game, seed));
            }
            let (chosen, _) = self.config.exploration.choose(generator, self.player, &game.turn(self.setup), &mut exploring);
            game.make(self.setup, &chosen);
        }
        sets
    }

    /// The candidate set of a position; `None` if only one move is within the window.
    fn label(
        &self,
        simulator: &Simulator<'_>,
        generator: &mut Generator<'a>,
        sampler: &mut Sampler<'_>,
        index: u64,
        game: &Game,
        seed: u64,
    ) -> Option<CandidateSet> {
        let mut candidates = simulator.candidates(self.player, generator, game);
        let least = candidates[0].valued.equity - Equity::from_fractional_points(self.config.window);
        candidates.retain(|candidate| candidate.valued.equity >= least);
        if candidates.len() < 2 {
            return None;
        }
        let situation = Situation { game: game.clone(), known: Rack::default(), last: None, seed };
        let results = sampler.results(&situation, &candidates, self.config.deals);
        let mut moves: Vec<LabelledMove> =
            candidates.iter().map(|candidate| LabelledMove::new(candidate.valued.chosen, candidate.valued.equity)).collect();
        let label = |value: fn(&PlayoutResult) -> i64| {
            let mut labels = vec![Label::default(); candidates.len()];
            for deal in &results {
                Label::add_deal(&mut labels, deal.iter().map(value));
            }
            labels
        };
        let gains = label(|result| i64::from(result.gain.0));
        let wins = label(|result| result.win_probability / 1000);
        let replies = label(|result| 1000 * i64::from(result.next_scores[1]));
        let next_turns = label(|result| 1000 * i64::from(result.next_scores[0]));
        for (number, labelled) in moves.iter_mut().enumerate() {
            (labelled.gain, labelled.win_probability) = (gains[number], wins[number]);
            (labelled.reply, labelled.next_turn) = (replies[number], next_turns[number]);
        }
        Some(CandidateSet::new(index, &game.turn(self.setup), moves))
    }
}

#[cfg(test)]
mod tests {
    use tilewright_engine::artefact::Loader;
    use tilewright_engine::monitor::NoMonitor;
    use tilewright_engine::player::Player;
    use tilewright_engine::turn::Turn;

    use super::*;
    use crate::exploration::Exploration;

    /// Everything in a turn that can be compared.
    fn seen(turn: &Turn<'_>) -> impl PartialEq + std::fmt::Debug {
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
            player: player.name.clone(),
            games: 3,
            turns: 1,
            candidates: 5,
            window: 12.0,
            deals: 6,
            plies: 2,
            held_out: 2,
            shard_games: 2,
            exploration: Exploration::default(),
        };
        config.check().unwrap();
        let maker = Maker::new(&setup, ranker, &table, &config, 4);
        let mut sets = Vec::new();
        maker.each(&Journal::in_memory(&NoMonitor), |shard| sets.extend(shard)).unwrap();
        assert!(sets.len() > 40 && sets.is_sorted_by_key(|set| set.game), "{}", sets.len());

        // Without exploration the player's own games pass the same positions, in order.
        let mut generator = Generator::new(&setup);
        let mut next = sets.iter().peekable();
        for index in 0..3 {
            let mut game = Game::deal(&setup, Purpose::CandidateSets.deals(4), index);
            while !game.is_over() && !game.bag.is_empty() {
                let turn = game.turn(&setup);
                let best = ranker.choose_top(&mut generator, &turn, 2);
                if let Some(set) = next.next_if(|set| seen(&set.position(&setup).turn(&setup)) == seen(&turn)) {
                    assert_eq!(set.bag(&setup), turn.bag);
                    assert_eq!((set.candidates[0].chosen, set.candidates[0].equity), (best[0].chosen, best[0].equity.0));
                    let least = set.candidates[0].equity - 12_000;
                    assert!((2..=5).contains(&set.candidates.len()));
                    assert!(set.candidates.iter().all(|candidate| candidate.equity >= least));
                    // Differences from the mean sum to zero, but for the rounding of the mean.
                    let sum: i64 = set.candidates.iter().map(|candidate| candidate.gain.sum).sum();
                    assert!((0..6 * 5).contains(&sum), "{sum}");
                }
                game.make(&setup, &best[0].chosen);
            }
        }
        assert_eq!(next.next(), None);
    }
}
