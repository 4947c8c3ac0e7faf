//! The text of a round robin: ranking and cross tables.

use tilewright_engine::series::round_robin::Standings;
use tilewright_engine::series::{ERROR_RATE, standard_errors};

use crate::Number;

/// The number of simultaneous intervals: one per match, and one per player against the field.
pub fn comparisons(standings: &Standings) -> usize {
    standings.matches.len() + standings.players()
}

/// Half the width of each interval in standard errors, so that all hold together with 95 % (Bonferroni).
pub fn width(standings: &Standings) -> f64 {
    standard_errors(ERROR_RATE / comparisons(standings) as f64)
}

/// The ranking, and the tables of win rates and spreads with their rows in the order of the ranking.
pub fn show(standings: &Standings, names: &[String]) -> String {
    if standings.deals == 0 {
        return String::new();
    }
    let ranking = standings.ranking();
    let (together, width) = (comparisons(standings), width(standings));
    let rates = rows(&ranking, names, |player, other| {
        let estimate = standings.win_rate(player, other, width)?;
        let mark = if estimate.low > 0.5 || estimate.high < 0.5 { "*" } else { " " };
        Some(format!("{:.2}{mark}", 100.0 * estimate.mean))
    });
    let spreads = rows(&ranking, names, |player, other| Some(format!("{:+.1} ", Number(standings.spread(player, other)?))));
    format!(
        "{}\n\nwin rate of the row against the column in percent; * if the interval excludes 50\n{rates}\n\n\
         mean spread of the row against the column, points per game\n{spreads}\n\n\
         All {together} intervals ({} matches, {} players against the field) hold together with 95 % (Bonferroni); each \
         extends {width:.2} standard errors to both sides.",
        ranked(standings, names, &ranking),
        standings.matches.len(),
        standings.players(),
    )
}

fn ranked(standings: &Standings, names: &[String], ranking: &[usize]) -> String {
    let longest = longest(names);
    let line = |(place, &player): (usize, &usize)| {
        let estimate = standings.field_win_rate(player, width(standings))?;
        let [mean, low, high] = [estimate.mean, estimate.low, estimate.high].map(|rate| 100.0 * rate);
        let spread = Number(standings.field_spread(player)?);
        Some(format!(
            "{:>2}  {:longest$}  {mean:6.2} %  ({low:.2} to {high:.2})  {spread:+.1} points per game",
            place + 1,
            names[player]
        ))
    };
    let lines: Vec<String> = ranking.iter().enumerate().filter_map(line).collect();
    format!("against the field, mean win rate and spread\n{}", lines.join("\n"))
}

/// A table of cells; `cell` takes the players of the row and the column.
fn rows(ranking: &[usize], names: &[String], cell: impl Fn(usize, usize) -> Option<String>) -> String {
    let longest = longest(names);
    let head: String = (1..=ranking.len()).map(|column| format!("{column:>7} ")).collect();
    let mut table = format!("    {:longest$} {head}", "").trim_end().to_string();
    for (place, &player) in ranking.iter().enumerate() {
        let cells = ranking.iter().map(|&other| cell(player, other).unwrap_or_else(|| "· ".into()));
        let cells: String = cells.map(|cell| format!("{cell:>8}")).collect();
        table += &format!("\n{:>2}  {:longest$} {}", place + 1, names[player], cells.trim_end());
    }
    table
}

fn longest(names: &[String]) -> usize {
    names.iter().map(|name| name.chars().count()).max().unwrap_or_default()
}
