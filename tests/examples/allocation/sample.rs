//! Positions with the playouts of all candidates.

use tilewright_engine::deals::Domain;
use tilewright_engine::equity::Equity;
use tilewright_engine::game::Game;
use tilewright_engine::movegen::Generator;
use tilewright_engine::player::Player;
use tilewright_engine::rack::Rack;
use tilewright_engine::setup::Setup;
use tilewright_engine::simulator::{Candidate, PlayoutResult, Settings, Simulator, Situation};
use tilewright_engine::win_percentage::WinPercentage;

/// The seed of the games.
const SEED: u64 = 4242;
/// Deals that rules see, and deals that say what a choice was worth.
const SEEN: usize = 500;
const HIDDEN: usize = 700;
/// Candidates are at most this many points of equity behind the best. Those beyond hardly matter, and a network does not value them.
const WINDOW: f64 = 20.0;
/// One turn in N of a game is looked at.
const TURNS: usize = 3;

/// A position.
pub struct Sample {
    pub bag: usize,
    /// Of the candidates, the best first.
    pub equities: Vec<Equity>,
    /// By deal, what each candidate came to.
    pub deals: Vec<Vec<PlayoutResult>>,
    /// What each candidate is worth, by the hidden deals.
    pub truth: Vec<Truth>,
    /// The variance of a hidden playout without the luck of the deal, in points².
    pub noise: f64,
}

/// What a candidate comes to on average.
pub struct Truth {
    /// In points.
    pub gain: f64,
    /// The win probability, 0–1.
    pub win: f64,
}

impl Sample {
    fn new(bag: usize, equities: Vec<Equity>, mut deals: Vec<Vec<PlayoutResult>>) -> Sample {
        let hidden = deals.split_off(SEEN);
        let mean = |number: usize, value: fn(&PlayoutResult) -> f64| {
            hidden.iter().map(|deal| value(&deal[number])).sum::<f64>() / hidden.len() as f64
        };
        let truth: Vec<Truth> = (0..equities.len())
            .map(|number| Truth {
                gain: mean(number, |result| result.gain.points()),
                win: mean(number, |result| result.win_probability as f64 / 1e9),
            })
            .collect();
        let noise = noise(&hidden, &truth);
        Sample { bag, equities, deals, truth, noise }
    }

    /// The variance of the gains about the equities, in points².
    pub fn variance(&self) -> f64 {
        let count = self.equities.len() as f64;
        let errors: Vec<f64> =
            self.equities.iter().zip(&self.truth).map(|(equity, truth)| truth.gain - equity.points()).collect();
        let mean = errors.iter().sum::<f64>() / count;
        errors.iter().map(|error| (error - mean).powi(2)).sum::<f64>() / (count - 1.0) - self.noise / HIDDEN as f64
    }
}

/// The variance of what is left of gains without the means of candidates and deals.
fn noise(deals: &[Vec<PlayoutResult>], truth: &[Truth]) -> f64 {
    let count = truth.len() as f64;
    let centre = truth.iter().map(|truth| truth.gain).sum::<f64>() / count;
    let mut squares = 0.0;
    for deal in deals {
        let luck = deal.iter().map(|result| result.gain.points()).sum::<f64>() / count - centre;
        squares +=
            deal.iter().zip(truth).map(|(result, truth)| (result.gain.points() - luck - truth.gain).powi(2)).sum::<f64>();
    }
    squares / (count - 1.0).max(1.0) / (deals.len() as f64 - 1.0)
}

/// Positions of a game that the ranker plays against itself.
pub fn of_game(setup: &Setup, [ranker, policy]: [&Player; 2], number: u64) -> Vec<Sample> {
    let (Some(ranker), Some(policy)) = (ranker.as_static(), policy.as_static()) else { return Vec::new() };
    let table = WinPercentage::for_setup(setup).0;
    let settings = Settings::default();
    let simulator = Simulator::new(setup, policy, &table, &settings);
    let mut generator = Generator::new(setup);
    let mut game = Game::deal(setup, Domain::Match.deals(SEED), number);
    let mut samples = Vec::new();
    for turn in 0.. {
        if game.is_over() {
            break;
        }
        if !game.bag.is_empty() && turn % TURNS == number as usize % TURNS {
            let mut candidates = simulator.candidates(ranker, &mut generator, &game);
            let equity = |candidate: &Candidate| candidate.valued.reported_equity().points();
            let least = candidates.first().map_or(0.0, &equity) - WINDOW;
            candidates.retain(|candidate| equity(candidate) >= least);
            let equities = candidates.iter().map(|candidate| candidate.valued.reported_equity()).collect();
            let seed = number * 1000 + turn as u64;
            let situation = Situation { game: game.clone(), known: Rack::default(), last: None, seed };
            let deals = simulator.results(&situation, &candidates, (SEEN + HIDDEN) as u64);
            samples.push(Sample::new(game.bag.len(), equities, deals));
        }
        let chosen = ranker.choose(&mut generator, &game.turn(setup)).chosen;
        game.make(setup, &chosen);
    }
    samples
}
