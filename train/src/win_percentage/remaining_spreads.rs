//! Tallies of remaining spreads from self-play: for every turn, the remaining spread and the result.
//!
//! The moves of a static player do not depend on the lead, so each turn of a finished game informs every lead: the player
//! to move wins from a lead of `s` points if the remaining spread is more than `-s` (Maven: Sheppard 2002, section
//! 6.6). The tallies are integers, so merging is exact in any order.
//!
//! Drift: how the lead predicts the rest of the game.
//!
//! One finished game informs every lead only if the rest of a game does not depend on the lead. The moves of a static
//! policy do not depend on it, but the rest of the game does a little: the player ahead drew the better tiles, and fewer of
//! those are left. With the English tiles each point of lead costs 0.02 points of the rest of the game in its middle, and
//! 0.1 points near its start. So a lead of `s` counts as `s − β·(s − mean)`, where β is that cost and the mean is taken
//! over the leads that occurred. Without this correction every lead looks safer than it is.

use std::collections::BTreeMap;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::{Deserialize, Serialize};
use tilewright_engine::deals::Deals;
use tilewright_engine::selfplay::play_game;
use tilewright_engine::win_percentage::{States, TilesLeft};
use tilewright_engine::{Generator, Player, Setup};

/// The results of the turns with a given spread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcomes {
    /// Turns.
    pub turns: u64,
    /// Turns whose player won.
    pub wins: u64,
    /// Turns whose player drew.
    pub draws: u64,
}

/// The tally of one state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateTally {
    /// Turns by remaining spread: final spread minus spread before the move, in points, from the view of the player to move.
    pub remaining: BTreeMap<i32, u64>,
    /// Results by spread before the move, in points.
    pub outcomes: BTreeMap<i32, Outcomes>,
    /// The sum of spread times remaining spread, in square points: negative if leads tend to shrink.
    pub products: i64,
}

impl StateTally {
    /// The number of turns.
    pub fn turns(&self) -> u64 {
        self.remaining.values().sum()
    }

    /// The mean of the remaining spreads, and the sum of the squares of their differences from it.
    pub fn moments(&self) -> (f64, f64) {
        let sum = |value: &dyn Fn(f64) -> f64| -> f64 {
            self.remaining.iter().map(|(&remaining, &turns)| value(f64::from(remaining)) * turns as f64).sum()
        };
        let mean = sum(&|remaining| remaining) / self.turns().max(1) as f64;
        (mean, sum(&|remaining| (remaining - mean).powi(2)))
    }

    /// For each lead from `-most` to `most`: 2 for each turn whose remaining spread wins from there, 1 for each that draws. The sums
    /// never fall, and they end at twice the number of turns if every remaining spread exceeds `-most`.
    pub fn doubled_wins(&self, most: i32) -> Vec<u64> {
        let mut won: u64 = self.remaining.range(most + 1..).map(|(_, &turns)| 2 * turns).sum();
        let at_lead = |lead: i32| {
            // Remaining spreads of exactly -lead draw now. Those that drew at the last lead win now.
            let draws = self.remaining.get(&-lead).copied().unwrap_or_default();
            won += 2 * draws;
            won - draws
        };
        (-most..=most).map(at_lead).collect()
    }
}

/// The tallies of all states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemainingSpreads {
    /// Games.
    pub games: u64,
    /// The tally of each state, by its number.
    pub states: Vec<StateTally>,
}

/// A turn of a finished game: its state, its spread and its remaining spread.
type Turn = (usize, i32, i32);

impl RemainingSpreads {
    /// Creates an empty tally.
    pub fn new(states: States) -> RemainingSpreads {
        RemainingSpreads { games: 0, states: vec![StateTally::default(); states.len()] }
    }

    /// Plays self-play games in parallel and tallies them. `advance` is called after each game.
    pub fn play(
        setup: &Setup,
        player: &Player,
        deals: Deals,
        games: std::ops::Range<u64>,
        advance: impl Fn() + Sync,
    ) -> RemainingSpreads {
        let states = States::from_tileset(&setup.tileset);
        let play = |generator: &mut Generator<'_>, index| {
            let turns = turns(generator, player, states, deals, index);
            advance();
            turns
        };
        let played: Vec<Vec<Turn>> = games.into_par_iter().map_init(|| Generator::new(setup), play).collect();
        let mut tally = RemainingSpreads::new(states);
        for game in played {
            tally.add(game);
        }
        tally
    }

    fn add(&mut self, game: Vec<Turn>) {
        self.games += 1;
        for (state, spread, remaining) in game {
            let tally = &mut self.states[state];
            *tally.remaining.entry(remaining).or_default() += 1;
            tally.products += i64::from(spread) * i64::from(remaining);
            let outcomes = tally.outcomes.entry(spread).or_default();
            outcomes.turns += 1;
            outcomes.wins += u64::from(spread + remaining > 0);
            outcomes.draws += u64::from(spread + remaining == 0);
        }
    }

    /// Adds another tally of the same states.
    pub fn merge(&mut self, other: &RemainingSpreads) {
        self.games += other.games;
        for (mine, theirs) in self.states.iter_mut().zip(&other.states) {
            mine.products += theirs.products;
            for (&remaining, &turns) in &theirs.remaining {
                *mine.remaining.entry(remaining).or_default() += turns;
            }
            for (&spread, more) in &theirs.outcomes {
                let outcomes = mine.outcomes.entry(spread).or_default();
                outcomes.turns += more.turns;
                outcomes.wins += more.wins;
                outcomes.draws += more.draws;
            }
        }
    }

    /// The number of turns.
    pub fn turns(&self) -> u64 {
        self.states.iter().map(StateTally::turns).sum()
    }
}

/// The turns of one game.
fn turns(generator: &mut Generator<'_>, player: &Player, states: States, deals: Deals, index: u64) -> Vec<Turn> {
    let mut seen = Vec::with_capacity(32);
    let finished = play_game(generator, [player; 2], deals, index, |turn| {
        let state = states.number(TilesLeft::from_game(turn.game));
        seen.push((turn.game.to_move, state, turn.game.spread()));
    });
    let end = finished.scores[0] - finished.scores[1];
    let view = |player: usize| if player == 0 { end } else { -end };
    seen.into_iter().map(|(to_move, state, spread)| (state, spread, view(to_move) - spread)).collect()
}

/// The largest β, so that a larger lead is always worth more.
const MOST: f64 = 0.5;

/// The drift of one state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drift {
    /// β: how many points one point of lead costs in the rest of the game.
    pub cost: f64,
    /// The mean lead, in points.
    pub mean: f64,
}

impl Drift {
    /// The lead that is worth the same without drift, in points.
    pub fn worth(&self, lead: f64) -> f64 {
        lead - self.cost * (lead - self.mean)
    }
}

/// The sums of a state for a regression of the remaining spread on the lead, products and squares, and its mean lead.
fn moments(state: &StateTally) -> ([f64; 2], f64) {
    let turns = state.turns().max(1) as f64;
    let (mut leads, mut squares) = (0.0, 0.0);
    for (&lead, outcomes) in &state.outcomes {
        leads += f64::from(lead) * outcomes.turns as f64;
        squares += f64::from(lead).powi(2) * outcomes.turns as f64;
    }
    let remaining: f64 = state.remaining.iter().map(|(&remaining, &turns)| f64::from(remaining) * turns as f64).sum();
    let mean = leads / turns;
    ([state.products as f64 - mean * remaining, squares - mean * leads], mean)
}

/// The drift of every state, by its number. One state has too little data, so similar ones are fitted together: those with an
/// empty bag in two groups, by whether the other rack is full, and all others whose bags differ by at most half a rack.
pub fn drifts(states: States, tally: &RemainingSpreads) -> Vec<Drift> {
    let moments: Vec<([f64; 2], f64)> = tally.states.iter().map(moments).collect();
    let lefts: Vec<TilesLeft> = states.all().collect();
    let alike = |a: TilesLeft, b: TilesLeft| match (a.bag, b.bag) {
        (0, 0) => (a.other == states.rack_size) == (b.other == states.rack_size),
        (0, _) | (_, 0) => false,
        (a, b) => 2 * a.abs_diff(b) <= states.rack_size,
    };
    let drift = |at: usize| {
        let near = moments.iter().zip(&lefts).filter(|(_, left)| alike(**left, lefts[at]));
        let [products, squares] = near.fold([0.0; 2], |sum, ((one, _), _)| [sum[0] + one[0], sum[1] + one[1]]);
        let cost = if squares > 0.0 { (-products / squares).clamp(-MOST, MOST) } else { 0.0 };
        Drift { cost, mean: moments[at].1 }
    };
    (0..lefts.len()).map(drift).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(remaining: &[(i32, u64)]) -> StateTally {
        StateTally { remaining: remaining.iter().copied().collect(), ..StateTally::default() }
    }

    #[test]
    fn wins_by_lead_equal_a_slow_count() {
        let state = tally(&[(-900, 1), (-3, 4), (0, 2), (5, 1), (700, 3)]);
        for (lead, doubled) in (-10..=10).zip(state.doubled_wins(10)) {
            let slow: u64 =
                state.remaining.iter().map(|(&remaining, &turns)| turns * (1 + (lead + remaining).signum()) as u64).sum();
            assert_eq!(doubled, slow, "lead {lead}");
        }
        assert_eq!((state.turns(), tally(&[]).doubled_wins(1)), (11, vec![0; 3]));
    }

    #[test]
    fn merging_is_exact_in_any_order() {
        let tally = |turns: &[(usize, i32, i32)]| {
            let mut all = RemainingSpreads::new(States { rack_size: 2, most_bag: 1 });
            all.add(turns.to_vec());
            all
        };
        let parts = [tally(&[(4, 3, -3), (9, 0, 8)]), tally(&[(4, 3, -1)]), tally(&[(4, -3, 9), (8, 1, 1)])];
        let merged = |order: [usize; 3]| {
            let mut all = RemainingSpreads::new(States { rack_size: 2, most_bag: 1 });
            for part in order {
                all.merge(&parts[part]);
            }
            all
        };
        let all = merged([0, 1, 2]);
        assert_eq!(all, merged([2, 0, 1]));
        assert_eq!((all.games, all.turns()), (3, 5));
        assert_eq!(all.states[4].outcomes[&3], Outcomes { turns: 2, wins: 1, draws: 1 });
        assert_eq!(all.states[4].outcomes[&-3], Outcomes { turns: 1, wins: 1, draws: 0 });
    }

    #[test]
    fn the_cost_is_recovered_and_similar_states_share_it() {
        let states = States { rack_size: 2, most_bag: 3 };
        let mut tally = RemainingSpreads::new(states);
        let left = TilesLeft { bag: 2, own: 2, other: 2 };
        let state = &mut tally.states[states.number(left)];
        for lead in [-100, -20, 0, 60, 100] {
            let remaining = 7 - lead / 10;
            state.outcomes.insert(lead, Outcomes { turns: 1, wins: 0, draws: 0 });
            *state.remaining.entry(remaining).or_default() += 1;
            state.products += i64::from(lead * remaining);
        }
        let drifts = drifts(states, &tally);
        let drift = drifts[states.number(left)];
        assert!((drift.cost - 0.1).abs() < 1e-9 && (drift.mean - 8.0).abs() < 1e-9, "{drift:?}");
        assert!((drift.worth(108.0) - 98.0).abs() < 1e-9 && (drift.worth(8.0) - 8.0).abs() < 1e-9);
        // Neighbours share data, but not with an empty bag.
        assert!((drifts[states.number(TilesLeft { bag: 3, ..left })].cost - 0.1).abs() < 1e-9);
        assert_eq!(drifts[states.number(TilesLeft { bag: 0, ..left })], Drift::default());
    }
}
