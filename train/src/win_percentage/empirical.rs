//! The empirical table: for each state and lead, the share of remaining spreads that would have won.

use tilewright_engine::win_percentage::{States, WinPercentage, final_win_probability};

use super::curve::Curves;
use super::remaining_spreads::RemainingSpreads;

/// The turns that the fitted curve counts for in every state: a weak prior of common states, a strong prior of rare ones.
const CURVE_TURNS: f64 = 20.0;

/// The table for leads up to `most_spread`. It never falls as the lead grows, and is 0 or 1 only at the end of the game.
pub fn table(states: States, tally: &RemainingSpreads, curves: &Curves, most_spread: i32) -> WinPercentage {
    let doubled: Vec<Vec<u64>> = tally.states.iter().map(|state| state.doubled_wins(most_spread)).collect();
    let turns: Vec<u64> = tally.states.iter().map(super::remaining_spreads::StateTally::turns).collect();
    let table = WinPercentage::from_fn(states, most_spread, |left, spread| {
        if left.is_over() {
            return final_win_probability(spread);
        }
        let number = states.number(left);
        let won = doubled[number][(spread + most_spread) as usize] as f64 / 2.0;
        (won + CURVE_TURNS * curves.at(left.unseen()).win_probability(spread)) / (turns[number] as f64 + CURVE_TURNS)
    });
    table.with_turns(turns).rounded()
}
