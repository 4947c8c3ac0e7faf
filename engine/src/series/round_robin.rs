//! Round robins: every player against every other, all on the same deals.
//!
//! A deal counts once all matches have played it. So matches can be compared deal by deal, and a round robin that stops early is
//! complete up to there. Because of the common deals, a player's results against different opponents are correlated. The interval
//! of its win rate against the field accounts for this: its unit is the deal, not the pair.

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use super::{Estimate, Series, Tally};
use crate::clock::Clock;
use crate::deals::Deals;
use crate::monitor::Monitor;
use crate::movegen::Generator;
use crate::player::Player;
use crate::setup::Setup;

/// A round robin. The result of a deal is a function of its number.
#[derive(Debug)]
pub struct RoundRobin<'a> {
    matches: Vec<([usize; 2], Series<'a>)>,
    setup: &'a Setup,
    /// The number of players.
    pub players: usize,
}

/// The sums of a round robin, only integers, so that the order of addition does not matter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standings {
    /// Deals that all matches have played.
    pub deals: u64,
    /// The matches in the order of [`matchups`], each from the view of the first of its two.
    pub matches: Vec<Tally>,
    /// Sum over deals of the square of each player's half wins in all its games of the deal.
    pub(crate) half_win_squares: Vec<u64>,
}

/// The matches by player numbers: the first player with each of the others, then the second with those after it, and so on.
pub fn matchups(players: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..players).flat_map(move |a| (a + 1..players).map(move |b| [a, b]))
}

impl<'a> RoundRobin<'a> {
    /// Creates a round robin. With a clock no deal can be reproduced.
    pub fn new(setup: &'a Setup, players: &[&'a Player], deals: Deals, clock: Option<Clock>) -> RoundRobin<'a> {
        let of = |[a, b]: [usize; 2]| ([a, b], Series { setup, players: [players[a], players[b]], deals, clock });
        RoundRobin { matches: matchups(players.len()).map(of).collect(), setup, players: players.len() }
    }

    /// The number of matches.
    pub fn matches(&self) -> u64 {
        self.matches.len() as u64
    }

    /// Plays these deals on all threads and returns the standings of each with its number, in order. The monitor counts
    /// pairs. Stopped early, it gives the deals that all matches played, and abandons deals in progress.
    pub fn play_each(&self, deals: Vec<u64>, monitor: &dyn Monitor) -> Vec<(u64, Standings)> {
        let play = |generator: &mut Generator<'_>, index| Some((index, self.deal(generator, index, monitor)?));
        let deals = deals.into_par_iter().take_any_while(|_| !monitor.is_stopped());
        deals.map_init(|| Generator::new(self.setup), play).flatten_iter().collect()
    }

    /// Plays a deal, or returns `None` if the monitor stops it.
    fn deal(&self, generator: &mut Generator<'_>, index: u64, monitor: &dyn Monitor) -> Option<Standings> {
        let mut half_wins = vec![0; self.players];
        let mut tallies = Vec::with_capacity(self.matches.len());
        for ([a, b], series) in &self.matches {
            let pair = series.pair_until(generator, index, monitor)?;
            half_wins[*a] += pair.half_wins();
            half_wins[*b] += 4 - pair.half_wins();
            tallies.push(pair.tally());
            monitor.advance(1);
        }
        let half_win_squares = half_wins.into_iter().map(|half_wins| half_wins * half_wins).collect();
        Some(Standings { deals: 1, matches: tallies, half_win_squares })
    }
}

impl Standings {
    /// Standings without a deal.
    pub fn none(players: usize) -> Standings {
        let matches = vec![Tally::default(); matchups(players).count()];
        Standings { deals: 0, matches, half_win_squares: vec![0; players] }
    }

    /// The sum of both.
    #[must_use]
    pub fn plus(mut self, other: Standings) -> Standings {
        self.deals = self.deals.saturating_add(other.deals);
        self.matches = self.matches.into_iter().zip(&other.matches).map(|(mine, theirs)| mine.plus(theirs)).collect();
        let squares = self.half_win_squares.iter_mut().zip(other.half_win_squares);
        squares.for_each(|(mine, theirs)| *mine = mine.saturating_add(theirs));
        self
    }

    /// The number of players.
    pub fn players(&self) -> usize {
        self.half_win_squares.len()
    }

    /// Whether these are standings of this many players after this many deals.
    pub fn are_of(&self, players: usize, deals: u64) -> bool {
        let have_all = self.deals == deals && self.matches.iter().all(|tally| tally.pairs == deals);
        have_all && self.players() == players && self.matches.len() == matchups(players).count()
    }

    /// The match of two players, and whether it is stored from the view of the second.
    pub fn matchup(&self, player: usize, other: usize) -> Option<(&Tally, bool)> {
        let pair = [player.min(other), player.max(other)];
        let number = matchups(self.players()).position(|matchup| matchup == pair)?;
        Some((&self.matches[number], player > other))
    }

    /// A player's win rate against another, ± `standard_errors` standard errors. `None` without deals or against itself.
    pub fn win_rate(&self, player: usize, other: usize, standard_errors: f64) -> Option<Estimate> {
        let (tally, is_second) = self.matchup(player, other)?;
        let estimate = tally.win_rate_within(standard_errors)?;
        let mirrored = Estimate { mean: 1.0 - estimate.mean, low: 1.0 - estimate.high, high: 1.0 - estimate.low };
        Some(if is_second { mirrored } else { estimate })
    }

    /// A player's spread against another, in points per game.
    pub fn spread(&self, player: usize, other: usize) -> Option<f64> {
        let (tally, is_second) = self.matchup(player, other)?;
        let spread = (tally.pairs > 0).then(|| tally.spread_sum as f64 / (2.0 * tally.pairs as f64))?;
        Some(if is_second { -spread } else { spread })
    }

    /// A player's mean win rate against all others, with an interval of `standard_errors` standard errors over deals.
    pub fn field_win_rate(&self, player: usize, standard_errors: f64) -> Option<Estimate> {
        let deals = self.deals as f64;
        let others = (0..self.players()).filter(|&other| other != player);
        let rates: Option<Vec<f64>> = others.map(|other| Some(self.win_rate(player, other, 0.0)?.mean)).collect();
        let rates = rates.filter(|rates| !rates.is_empty())?;
        let mean = rates.iter().sum::<f64>() / rates.len() as f64;
        // A deal has four half wins for each opponent.
        let most = 4.0 * rates.len() as f64;
        let squares = self.half_win_squares[player] as f64 / deals / (most * most);
        let variance = (squares - mean * mean).max(0.0) * deals / (deals - 1.0).max(1.0);
        let width = standard_errors * (variance / deals).sqrt();
        Some(Estimate { mean, low: (mean - width).max(0.0), high: (mean + width).min(1.0) })
    }

    /// A player's mean spread against all others, in points per game.
    pub fn field_spread(&self, player: usize) -> Option<f64> {
        let others = (0..self.players()).filter(|&other| other != player);
        let spreads: Option<Vec<f64>> = others.map(|other| self.spread(player, other)).collect();
        spreads.filter(|spreads| !spreads.is_empty()).map(|spreads| spreads.iter().sum::<f64>() / spreads.len() as f64)
    }

    /// The players by win rate against the field, the best first. Ties stay in the order in which they were named.
    pub fn ranking(&self) -> Vec<usize> {
        let rate = |player| self.field_win_rate(player, 0.0).map_or(0.0, |estimate| estimate.mean);
        let mut players: Vec<usize> = (0..self.players()).collect();
        players.sort_by(|&a, &b| rate(b).total_cmp(&rate(a)));
        players
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artefact::Loader;
    use crate::deals::Domain;
    use crate::monitor::NoMonitor;

    /// Matches of the outcomes of the first of each two, deal by deal in half wins.
    fn standings(players: usize, deals: &[&[u64]]) -> Standings {
        deals.iter().fold(Standings::none(players), |sum, half_wins| {
            let mut of_players = vec![0; players];
            let matches = matchups(players).zip(*half_wins).map(|([a, b], &half_wins)| {
                of_players[a] += half_wins;
                of_players[b] += 4 - half_wins;
                let mut tally = Tally { pairs: 1, ..Tally::default() };
                tally.outcomes[half_wins as usize] = 1;
                tally
            });
            let matches = matches.collect();
            let half_win_squares = of_players.iter().map(|half_wins| half_wins * half_wins).collect();
            sum.plus(Standings { deals: 1, matches, half_win_squares })
        })
    }

    #[test]
    fn everybody_meets_everybody_once() {
        assert!(matchups(4).eq([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]));
        assert_eq!((matchups(2).count(), matchups(1).count()), (1, 0));
    }

    #[test]
    fn the_field_is_as_worked_by_hand() {
        // Three players, four deals; half wins of 0 against 1, 0 against 2, 1 against 2.
        let sum = standings(3, &[&[4, 4, 2], &[2, 4, 4], &[4, 2, 2], &[0, 2, 4]]);
        let win_rate = |a, b| sum.win_rate(a, b, 0.0).unwrap().mean;
        for (a, b, expected) in [(0, 1, 0.625), (1, 0, 0.375), (0, 2, 0.75), (2, 1, 0.25)] {
            assert!((win_rate(a, b) - expected).abs() < 1e-12, "{a} against {b}");
        }
        // Player 0 has 8, 6, 6 and 2 of 8 half wins: shares 1, ¾, ¾, ¼ with mean 11/16 and variance 38/128/3.
        let field = sum.field_win_rate(0, 2.0).unwrap();
        assert!((field.mean - 0.6875).abs() < 1e-12);
        let variance = [1.0, 0.75, 0.75, 0.25].map(|share: f64| (share - 0.6875).powi(2)).iter().sum::<f64>() / 3.0;
        assert!((field.low - (0.6875 - 2.0 * (variance / 4.0).sqrt())).abs() < 1e-12, "{field:?}");
        assert_eq!(sum.ranking(), [0, 1, 2]);
        assert_eq!(sum.win_rate(1, 1, 1.0), None);
        assert_eq!(Standings::none(3).field_win_rate(0, 1.0), None);
        assert_eq!(Standings::none(3).ranking(), [0, 1, 2]);
    }

    #[test]
    fn matches_are_those_of_the_players_alone() {
        let setup = Setup::embedded("english").unwrap();
        let players = ["greedy", "leave", "leave+pool"].map(|name| Player::from_name(name, Loader::new(&setup)).unwrap());
        let players = players.each_ref();
        let deals = RoundRobin::new(&setup, &players, Domain::Match.deals(3), None).play_each((0..12).collect(), &NoMonitor);
        let standings = deals.into_iter().fold(Standings::none(3), |sum, (_, deal)| sum.plus(deal));
        for (matchup, tally) in matchups(3).zip(&standings.matches) {
            let series = Series {
                setup: &setup,
                players: matchup.map(|player| players[player]),
                deals: Domain::Match.deals(3),
                clock: None,
            };
            assert_eq!(*tally, series.play(0..12, &NoMonitor));
        }
        assert_eq!((standings.deals, standings.ranking()[2]), (12, 0));
    }
}
