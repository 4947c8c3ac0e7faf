//! The figures of a match as text.

use tilewright_engine::series::{Estimate, Summary};

use crate::Number;

/// The figures of all pairs; reports have them too.
pub fn describe(summary: &Summary) -> String {
    let Summary { pairs, win_rate, spread, scores, bingos, .. } = summary;
    format!(
        "pairs       {pairs}\n\
         win rate    {:.2} %   (95 %: {:.2} to {:.2})\n\
         spread      {:+.2}   (95 %: {:+.2} to {:+.2}) points per game\n\
         scores      {:.1} : {:.1}\n\
         bingos      {:.2} : {:.2} per game\n\
         turns       {:.1} per game\n\
         first mover wins {:.1} %",
        100.0 * win_rate.mean,
        100.0 * win_rate.low,
        100.0 * win_rate.high,
        Number(spread.mean),
        Number(spread.low),
        Number(spread.high),
        scores[0].mean,
        scores[1].mean,
        bingos[0].mean,
        bingos[1].mean,
        summary.turns.mean,
        100.0 * summary.first_mover_win_rate.mean,
    )
}

/// The anytime-valid interval, the ratings, and the pairs whose games differ.
pub fn describe_further(summary: &Summary) -> String {
    let Summary { anytime_win_rate, elo, normalised_elo, differing, .. } = summary;
    let interval = |Estimate { low, high, .. }: &Estimate| format!("(95 %: {:+.1} to {:+.1})", Number(*low), Number(*high));
    let normalised = normalised_elo.as_ref().map_or_else(
        || "no normalised Elo, because all pairs ended alike".into(),
        |normalised| format!("normalised {:+.1}   {}", Number(normalised.mean), interval(normalised)),
    );
    format!(
        "anytime     {:.2} to {:.2} %   (anytime-valid 95 % interval)\n\
         Elo         {:+.1}   {}; {normalised}\n\
         differing   {:.1} % of the pairs have two different games",
        100.0 * anytime_win_rate.low,
        100.0 * anytime_win_rate.high,
        Number(elo.mean),
        interval(elo),
        100.0 * differing
    )
}
