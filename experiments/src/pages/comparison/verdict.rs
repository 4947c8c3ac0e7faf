//! The verdict of a comparison: the best run, whether the data can tell, and the command that settles it.

use tilewright_engine::series::{ERROR_RATE, Estimate, NORMAL_95, standard_errors};
use tilewright_train::run::kind;

use crate::flags::shell_word;
use crate::pages::compared::Strength;
use crate::pages::listed::Listed;
use crate::pages::made::Made;
use crate::report::figures::KeyFigure;
use crate::report::html::{Section, html};

/// A run with its data.
pub type Run<'a> = (&'a Listed, &'a Made);

/// A run with the figure that ranks it.
struct Ranked<'a> {
    run: Run<'a>,
    figure: &'a KeyFigure,
    strength: &'a Strength,
}

/// The verdict in words, and the runs between which it is open: the best and its closest rival, or all.
pub fn verdict<'a>(runs: &[Run<'a>]) -> (String, Vec<Run<'a>>) {
    let ranked = |run: &Run<'a>| {
        let strength = run.1.compared.strength.as_ref()?;
        Some(Ranked { run: *run, figure: run.1.head.figures.get(strength.figure)?, strength })
    };
    let Some(mut ranked) = runs.iter().map(ranked).collect::<Option<Vec<_>>>() else {
        return ("No figure of these runs says which of them is best.".into(), runs.to_vec());
    };
    let measured = |one: &Ranked<'a>| (&one.strength.yardstick, &one.figure.name);
    if ranked.iter().any(|one| measured(one) != measured(&ranked[0])) {
        let text = "These runs cannot be ranked: they differ in opponent, labels, lexicon or tile set.";
        return (text.into(), runs.to_vec());
    }
    let sign = if ranked[0].strength.is_less_better { -1.0 } else { 1.0 };
    ranked.sort_by(|one, other| (sign * other.figure.value.mean).total_cmp(&(sign * one.figure.value.mean)));
    let (best, others) = (&ranked[0], &ranked[1..]);
    let width = standard_errors(ERROR_RATE / others.len() as f64);
    let mut leads: Vec<(Run<'_>, Estimate)> = others.iter().map(|other| (other.run, lead(best, other, width))).collect();
    leads.sort_by(|(_, one), (_, other)| one.low.total_cmp(&other.low));
    (in_words(best, others, &leads), vec![best.run, leads[0].0])
}

/// The verdict on the best run, with its leads over the others, the least certain first.
fn in_words(best: &Ranked<'_>, others: &[Ranked<'_>], leads: &[(Run<'_>, Estimate)]) -> String {
    let names = |is_clear: bool| {
        let names = leads.iter().filter(|(_, lead)| (lead.low > 0.0) == is_clear).map(|((run, _), _)| run.name.as_str());
        names.collect::<Vec<_>>().join(", ")
    };
    let (clear, open, name, figure) = (names(true), names(false), &best.run.0.name, best.figure);
    let shown = format!("{}, {}", figure.name, figure.shown_with_interval());
    let told = if clear.is_empty() { String::new() } else { format!(" It is better than {clear}.") };
    let mut text = if open.is_empty() {
        format!("{name} is the best of these runs by its {shown}.")
    } else {
        format!("{name} has the best {shown}.{told} Whether it is better than {open} cannot be told from these data.")
    };
    let ((rival, _), lead) = &leads[0];
    text += &format!(" Its lead over {} is {}.", rival.name, figure.difference(*lead).shown_with_interval());
    if let Some(spread) = spread_lead(best.run.1, leads[0].0.1) {
        text += &format!(" By spread the lead is {} points per game.", spread.shown_with_interval());
    }
    let (deals, each) = (&best.strength.deals, || others.iter().map(|other| other.strength));
    text += &if each().any(|other| other.deals != *deals) {
        " The runs were measured on different games, so the interval takes them as independent.".to_string()
    } else if each().all(|other| paired_error(best.strength, other).is_some()) {
        format!(" All were measured on {deals}, and the interval is of the differences pair by pair.")
    } else {
        format!(" All were measured on {deals}, but only sums are stored, so the interval takes them as independent.")
    };
    if others.len() > 1 {
        text += &format!(" The {} intervals of its leads hold together with 95 % (Bonferroni).", others.len());
    }
    let caveats = each().chain([best.strength]).map(|strength| strength.caveat);
    text + caveats.max().unwrap_or_default()
}

/// The difference of the spreads of two runs, as independent figures. `None` if one of them has no spread with an interval.
fn spread_lead(best: &Made, other: &Made) -> Option<KeyFigure> {
    let is_spread = |figure: &&KeyFigure| figure.name.contains("points per game") && figure.value.half_width().is_finite();
    let [one, next] = [best, other].map(|made| made.head.figures.iter().find(is_spread));
    let (figure, next) = (one?, next?);
    let half = figure.value.half_width().hypot(next.value.half_width());
    let mean = figure.value.mean - next.value.mean;
    Some(figure.difference(Estimate { mean, low: mean - half, high: mean + half }))
}

/// How far one run is ahead of another, with an interval of this width in standard errors.
fn lead(best: &Ranked<'_>, other: &Ranked<'_>, width: f64) -> Estimate {
    let [one, next] = [best.figure.value, other.figure.value];
    let mean = (one.mean - next.mean).abs();
    let independent = || one.half_width().hypot(next.half_width()) / NORMAL_95;
    let half = width * paired_error(best.strength, other.strength).unwrap_or_else(independent);
    Estimate { mean, low: mean - half, high: mean + half }
}

/// The standard error of the difference of two win rates in percent, if both are of the same deals.
fn paired_error(one: &Strength, other: &Strength) -> Option<f64> {
    let pairs = one.half_wins.len();
    if one.deals != other.deals || pairs < 2 || pairs != other.half_wins.len() {
        return None;
    }
    let differences = || one.half_wins.iter().zip(&other.half_wins).map(|(&a, &b)| 25.0 * (f64::from(a) - f64::from(b)));
    let mean = differences().sum::<f64>() / pairs as f64;
    let variance = differences().map(|difference| (difference - mean).powi(2)).sum::<f64>() / (pairs - 1) as f64;
    Some((variance / pairs as f64).sqrt())
}

/// The command that decides between runs of one kind, if there is one.
pub fn settle(runs: &[Run<'_>]) -> Option<Section> {
    let (_, first) = runs.first()?;
    let game = &first.compared.game;
    let player =
        |(_, made): &Run<'_>| made.compared.player.as_deref().filter(|_| made.compared.game == *game).map(shell_word);
    let mut players = runs.iter().map(player).collect::<Option<Vec<_>>>()?;
    players.dedup();
    let all = players.join(" ");
    let (lead, command) = match &players[..] {
        _ if first.head.kind == kind::WIN_PERCENTAGE => {
            ("The tables on the same games.", format!("win-percentage eval {all}"))
        }
        [a, b] => (
            "10,000 pairs tell the players apart if their win rates differ by about a percentage point.",
            format!("match --player-a {a} --player-b {b} --pairs 10000"),
        ),
        [_, _, ..] => ("All against each other on the same deals.", format!("match --players {all} --pairs 2000")),
        _ => return None,
    };
    let body = html! { pre tabindex="0" { "tilewright " (command) (game) } };
    Some(Section::new("settle", "Settle", "How to settle it", lead, body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_deals_are_compared_pair_by_pair() {
        let of =
            |half_wins: &[u8]| Strength { deals: "the same".into(), half_wins: half_wins.into(), ..Strength::default() };
        // Differences of 25, 25, 25 and 75 percent have the mean 37.5 and the variance 625.
        let error = paired_error(&of(&[1, 2, 3, 4]), &of(&[0, 1, 2, 1])).unwrap();
        assert!((error - 12.5).abs() < 1e-9, "{error}");
        assert_eq!(paired_error(&of(&[1, 2]), &of(&[1, 2, 3])), None, "other pairs");
        assert_eq!(paired_error(&of(&[1, 2]), &Strength { deals: "other".into(), ..of(&[1, 2]) }), None);
    }
}
