//! Playouts of candidates deal by deal, position after position: what labels for learning are made from.

use super::deals::Situation;
use super::merging::Candidate;
use super::playout_result::PlayoutResult;
use super::playouts::{Playouts, Rules};
use super::settings::Settings;

/// Plays out candidates on common deals and returns every result, without a race and without means.
pub struct Sampler<'a> {
    rules: Rules<'a>,
    settings: &'a Settings,
}

impl<'a> Sampler<'a> {
    pub(super) fn new(rules: Rules<'a>, settings: &'a Settings) -> Sampler<'a> {
        Sampler { rules, settings }
    }

    /// Plays every candidate on deals 0 to `deals` − 1 of the situation's seed. Returns the results by deal, in the order of the
    /// candidates. They are those of [`Simulator::run`](super::Simulator::run) on the same deals.
    pub fn results(&self, situation: &Situation, candidates: &[Candidate], deals: u64) -> Vec<Vec<PlayoutResult>> {
        let Rules { setup, policy, .. } = self.rules;
        let dealer = situation.deals(setup, policy, self.settings);
        let moves = candidates.iter().map(|candidate| candidate.valued).collect();
        let mut playouts = Playouts::new(self.rules, self.settings, situation.game.clone(), moves, dealer);
        let all: Vec<usize> = (0..candidates.len()).collect();
        (0..deals).map(|index| playouts.iteration(index, &all)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{player, positions, setup};
    use super::*;
    use crate::monitor::NoMonitor;
    use crate::movegen::Generator;
    use crate::rack::Rack;
    use crate::simulator::Simulator;
    use crate::win_percentage::WinPercentage;

    #[test]
    fn samples_are_the_playouts_of_a_simulation_and_do_not_depend_on_earlier_positions() {
        let (setup, player) = (setup(), player());
        let table = WinPercentage::for_setup(&setup).0;
        let settings = Settings { candidates: 6, iterations: 24, confidence: 1.0, ..Settings::default() };
        let simulator = Simulator::new(&setup, &player, &table, &settings);
        let sampler = simulator.sampler();
        let mut games = 0;
        for game in positions(&setup, &player, 11, 3) {
            let candidates = simulator.candidates(&player, &mut Generator::new(&setup), &game);
            let is_certain = game.bag.is_empty();
            let situation = Situation { game, known: Rack::default(), last: None, seed: 7 };
            let deals = if is_certain { 1 } else { 24 };
            let results = sampler.results(&situation, &candidates, deals);
            assert_eq!(results, simulator.sampler().results(&situation, &candidates, deals));
            let simulated = simulator.run(&situation, &candidates, 1, &NoMonitor, &mut |_| ());
            for (number, candidate) in candidates.iter().enumerate() {
                let gains = results.iter().map(|deal| deal[number].gain.points()).sum::<f64>() / deals as f64;
                let standing = simulated.standings.iter().find(|standing| standing.candidate == *candidate).unwrap();
                assert!((standing.gain.mean - gains).abs() < 1e-9, "{candidate:?}");
            }
            games += 1;
        }
        assert!(games > 5, "{games}");
    }
}
