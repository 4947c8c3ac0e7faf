//! Estimates for each move from the deals of a simulation.

use tilewright_engine::simulator::PlayoutResult;

use crate::candidates::Label;

/// The estimates of a simulation for a move, with NaN where there is no estimate.
#[derive(Clone, Copy)]
pub struct Simulated {
    /// Growth of the spread with both leaves, less the mean of the moves, in points.
    pub gain: f64,
    /// Its standard error.
    pub gain_error: f64,
    /// Win probability, less the mean of the moves.
    pub wins: f64,
    /// Its standard error.
    pub wins_error: f64,
    /// Standard deviation of the growth of the spread from deal to deal, in points.
    pub playout_deviation: f64,
    /// The same of its difference from the first move on the same deal.
    pub difference_deviation: f64,
}

impl Simulated {
    /// Of each of `moves` moves, from their results on each deal. Deals that are all one have no errors.
    pub fn of(results: &[Vec<PlayoutResult>], moves: usize, are_one: bool) -> Vec<Simulated> {
        let deals = results.len() as u64;
        let error = |squared: f64| match deals {
            1 if are_one => 0.0,
            0 | 1 => f64::NAN,
            _ => squared.sqrt(),
        };
        let (gains, _) = Label::of_deals(results, moves, points);
        let (wins, _) = Label::of_deals(results, moves, |result| result.win_probability / 1000);
        let mean = |label: Label| if deals > 0 { label.mean(deals) } else { f64::NAN };
        let of = |at: usize| {
            let deviation = |value: &dyn Fn(&[PlayoutResult]) -> i64| {
                let values = results.iter().map(|deal| value(deal) as f64);
                let mean = values.clone().sum::<f64>() / deals as f64;
                error(values.map(|value| (value - mean).powi(2)).sum::<f64>() / (deals as f64 - 1.0))
            };
            Simulated {
                gain: mean(gains[at]) / POINT,
                gain_error: error(gains[at].variance(deals)) / POINT,
                wins: mean(wins[at]) / WIN,
                wins_error: error(wins[at].variance(deals)) / WIN,
                playout_deviation: deviation(&|deal| points(&deal[at])) / POINT,
                difference_deviation: deviation(&|deal| points(&deal[at]) - points(&deal[0])) / POINT,
            }
        };
        (0..moves).map(of).collect()
    }
}

/// A point and a win in the units of a label.
const POINT: f64 = 1e3;
const WIN: f64 = 1e6;

/// The growth of the spread in thousandths of a point.
fn points(result: &PlayoutResult) -> i64 {
    i64::from(result.gain.0)
}

#[cfg(test)]
mod tests {
    use tilewright_engine::equity::Equity;

    use super::*;

    fn result(points: f64, wins: i64) -> PlayoutResult {
        let gain = Equity::from_fractional_points(points);
        PlayoutResult { win_probability: wins * 1_000_000_000, gain, next_bingos: [false; 2], next_scores: [0; 2] }
    }

    #[test]
    fn deviations_are_those_of_deals_and_of_differences_on_one_deal() {
        let deals = [vec![result(10.0, 1), result(4.0, 0)], vec![result(30.0, 1), result(20.0, 1)]];
        let of = Simulated::of(&deals, 2, false);
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(close(of[0].gain, 4.0) && close(of[1].gain, -4.0));
        // Half the differences are 3 and 5.
        assert!(close(of[0].gain_error, 1.0), "{}", of[0].gain_error);
        assert!(close(of[0].playout_deviation, 200f64.sqrt()) && close(of[1].playout_deviation, 128f64.sqrt()));
        assert!(close(of[0].difference_deviation, 0.0) && close(of[1].difference_deviation, 8f64.sqrt()));
        assert!(close(of[0].wins, 0.25) && close(of[1].wins, -0.25));
        let one = Simulated::of(&deals[..1], 2, true);
        assert!(close(one[0].gain, 3.0) && close(one[0].gain_error, 0.0) && close(one[1].playout_deviation, 0.0));
        assert!(Simulated::of(&deals[..1], 2, false)[0].playout_deviation.is_nan());
        assert!(Simulated::of(&[], 2, false)[1].gain.is_nan());
    }
}
