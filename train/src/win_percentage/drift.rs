//! Drift: how the lead predicts the rest of the game.
//!
//! One finished game informs every lead only if the rest of a game does not depend on the lead. The moves of a static
//! policy do not depend on it, but the rest of the game does a little: the player ahead drew the better tiles, and fewer of
//! those are left. With the English tiles each point of lead costs 0.02 points of the rest of the game in its middle, and
//! 0.1 points near its start. So a lead of `s` counts as `s − β·(s − mean)`, where β is that cost and the mean is taken
//! over the leads that occurred. Without this correction every lead looks safer than it is.

use tilewright_engine::win_percentage::{States, TilesLeft};

use super::remaining_spreads::{RemainingSpreads, StateTally};

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
    use crate::win_percentage::remaining_spreads::Outcomes;

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
