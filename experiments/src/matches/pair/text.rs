//! The figures of a match as text.

use tilewright_engine::series::sequential::{Decision, SequentialTest};
use tilewright_engine::series::{Estimate, Summary, Tally};

use crate::matches::request::ERROR_RATE;

/// Converts a rate of 0–1 to percent, without the rounding errors of binary fractions.
pub fn percent(rate: f64) -> f64 {
    (rate * 1e8).round() / 1e6
}

/// The figures of all pairs; reports have them too.
pub fn describe(tally: &Tally, summary: &Summary) -> String {
    let Summary { win_rate, spread, scores, bingos, .. } = summary;
    format!(
        "pairs       {}\n\
         win rate    {:.2} %   (95 %: {:.2} to {:.2})\n\
         spread      {:+.2}   (95 %: {:+.2} to {:+.2}) points per game\n\
         scores      {:.1} : {:.1}\n\
         bingos      {:.2} : {:.2} per game\n\
         turns       {:.1} per game\n\
         first mover wins {:.1} %",
        tally.pairs,
        100.0 * win_rate.mean,
        100.0 * win_rate.low,
        100.0 * win_rate.high,
        spread.mean,
        spread.low,
        spread.high,
        scores[0].mean,
        scores[1].mean,
        bingos[0].mean,
        bingos[1].mean,
        summary.turns.mean,
        100.0 * summary.first_mover_win_rate.mean,
    )
}

/// The figures that only measured pairs have: the anytime-valid interval, luck-adjusted figures, ratings, and pairs whose
/// games differ.
pub fn describe_measured(tally: &Tally) -> String {
    let mut lines = Vec::new();
    let interval = |Estimate { low, high, .. }| format!("(95 %: {low:+.1} to {high:+.1})");
    if let Some(Estimate { low, high, .. }) = tally.anytime_win_rate(ERROR_RATE) {
        let [low, high] = [low, high].map(|rate| 100.0 * rate);
        lines.push(format!("anytime     {low:.2} to {high:.2} %   (anytime-valid 95 % interval)"));
    }
    if let Some(adjusted) = tally.luck_adjusted() {
        let Estimate { mean, low, high } = adjusted.win_rate;
        let [mean, low, high] = [mean, low, high].map(|rate| 100.0 * rate);
        let (spread, luck) = (adjusted.spread, adjusted.luck.mean);
        lines.push(format!(
            "adjusted    {mean:.2} %   (95 %: {low:.2} to {high:.2}) for luck; variance ratio {:.3}",
            adjusted.win_rate_variance
        ));
        lines.push(format!(
            "            {:+.2}   (95 %: {:+.2} to {:+.2}) points per game; variance ratio {:.3}; A's luck {luck:+.2} points per game",
            spread.mean, spread.low, spread.high, adjusted.spread_variance
        ));
    }
    if let Some(ratings) = tally.ratings() {
        let normalised = ratings.normalised_elo.map_or_else(
            || "no normalised Elo, because all pairs ended alike".into(),
            |normalised| format!("normalised {:+.1}   {}", normalised.mean, interval(normalised)),
        );
        lines.push(format!("Elo         {:+.1}   {}; {normalised}", ratings.elo.mean, interval(ratings.elo)));
    }
    if !tally.measured.is_nothing() {
        let share = tally.measured.games_differ as f64 / tally.measured.pairs as f64;
        lines.push(format!("differing   {:.1} % of the pairs have two different games", 100.0 * share));
    }
    lines.join("\n")
}

/// The decision of the test.
pub fn describe_verdict(test: &SequentialTest, decision: Decision, tally: &Tally) -> String {
    let ([h0, h1], [lower, upper]) = (test.hypotheses().map(percent), test.bounds());
    let verdict = match decision {
        Decision::AcceptH0 => format!("H0 accepted: a win rate of {h0} % rather than {h1} %"),
        Decision::AcceptH1 => format!("H1 accepted: a win rate of {h1} % rather than {h0} %"),
        Decision::Open => {
            format!("undecided between win rates of {h0} % (H0) and {h1} % (H1) after the maximum number of pairs")
        }
    };
    let ratio = test.log_likelihood_ratio(&tally.outcomes);
    let mut text = format!("test        {verdict}; LLR {ratio:+.2} ({lower:+.2} to {upper:+.2})");
    if decision != Decision::Open {
        text += "\n            The test chose when to stop: win rate, spread and their intervals are biased towards the \
                 verdict; the anytime-valid interval holds";
    }
    text
}
