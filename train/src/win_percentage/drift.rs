//! What a lead says of the rest of the game.
//!
//! One finished game informs every lead only if the rest of a game does not depend on the lead. With a static policy no move
//! looks at it, and yet it does depend a little: who is ahead has drawn the better tiles, and fewer of those are left. With the
//! English tiles each point of lead costs 0.02 points of the rest in the middle of a game, and 0.1 points near its start. So a
//! lead of `s` is worth what one of `s − β·(s − mean)` would be if leads said nothing, where β is that cost and the mean is that
//! of the leads that were held. Left out, every lead is taken for safer than it is.

use tilewright_engine::win_percentage::{States, TilesLeft};

use super::swings::{StateTally, SwingTally};

/// No lead costs more than this share of itself, so that a larger lead is always worth more.
const MOST: f64 = 0.5;

/// The drift of one state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drift {
    /// β: points of the rest that a point of lead costs.
    pub cost: f64,
    /// The mean lead held, in points.
    pub mean: f64,
}

impl Drift {
    /// The lead that would be worth as much if leads said nothing of the rest.
    pub fn worth(&self, lead: f64) -> f64 {
        lead - self.cost * (lead - self.mean)
    }
}

/// Sums for a regression of the swing on the lead, about the means.
#[derive(Clone, Copy, Default)]
struct Moments {
    products: f64,
    squares: f64,
}

impl Moments {
    fn of(state: &StateTally) -> (Moments, f64) {
        let turns = state.turns().max(1) as f64;
        let (mut leads, mut squares) = (0.0, 0.0);
        for (&lead, outcomes) in &state.outcomes {
            leads += f64::from(lead) * outcomes.turns as f64;
            squares += f64::from(lead).powi(2) * outcomes.turns as f64;
        }
        let swings: f64 = state.swings.iter().map(|(&swing, &turns)| f64::from(swing) * turns as f64).sum();
        let mean = leads / turns;
        (Moments { products: state.products as f64 - mean * swings, squares: squares - mean * leads }, mean)
    }
}

/// The drift of every state by its number. A state by itself tells little, so each is regressed together with its like: those of
/// an empty bag in two parts, before and after the other player has played since, others with bags of up to half a rack more or
/// less.
pub fn drifts(states: States, tally: &SwingTally) -> Vec<Drift> {
    let moments: Vec<(Moments, f64)> = tally.states.iter().map(Moments::of).collect();
    let lefts: Vec<TilesLeft> = states.all().collect();
    let alike = |a: TilesLeft, b: TilesLeft| match (a.bag, b.bag) {
        (0, 0) => (a.other == states.rack_size()) == (b.other == states.rack_size()),
        (0, _) | (_, 0) => false,
        (a, b) => 2 * a.abs_diff(b) <= states.rack_size(),
    };
    let drift = |at: usize| {
        let near = moments.iter().zip(&lefts).filter(|(_, left)| alike(**left, lefts[at]));
        let sum = near.fold(Moments::default(), |sum, ((one, _), _)| Moments {
            products: sum.products + one.products,
            squares: sum.squares + one.squares,
        });
        let cost = if sum.squares > 0.0 { (-sum.products / sum.squares).clamp(-MOST, MOST) } else { 0.0 };
        Drift { cost, mean: moments[at].1 }
    };
    (0..lefts.len()).map(drift).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::win_percentage::swings::Outcomes;

    #[test]
    fn a_cost_is_found_and_leads_keep_their_order() {
        let states = States::new(2, 3);
        let mut tally = SwingTally::new(states);
        let left = TilesLeft { bag: 2, own: 2, other: 2 };
        let state = &mut tally.states[states.number(left)];
        for lead in [-100, -20, 0, 60, 100] {
            let swing = 7 - lead / 10;
            state.outcomes.insert(lead, Outcomes { turns: 1, wins: 0, draws: 0 });
            *state.swings.entry(swing).or_default() += 1;
            state.products += i64::from(lead * swing);
        }
        let drifts = drifts(states, &tally);
        let drift = drifts[states.number(left)];
        assert!((drift.cost - 0.1).abs() < 1e-9 && (drift.mean - 8.0).abs() < 1e-9, "{drift:?}");
        assert!((drift.worth(108.0) - 98.0).abs() < 1e-9 && (drift.worth(8.0) - 8.0).abs() < 1e-9);
        // Its neighbours learn from it; an empty bag is another matter.
        assert!((drifts[states.number(TilesLeft { bag: 3, ..left })].cost - 0.1).abs() < 1e-9);
        assert_eq!(drifts[states.number(TilesLeft { bag: 0, ..left })], Drift::default());
    }
}
