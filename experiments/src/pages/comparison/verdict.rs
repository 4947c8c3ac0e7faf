//! The verdict of a comparison: the best run, whether the data can tell, and the command that settles it.

use tilewright_engine::series::{ERROR_RATE, Estimate, NORMAL_95, standard_errors};
use tilewright_train::run::kind;

use crate::flags::shell_word;
use crate::pages::compared::Strength;
use crate::pages::made::Made;
use crate::report::figures::KeyFigure;
use crate::report::html::{Section, html};

/// A run with its name among the others.
pub type Named<'a> = (&'a str, &'a Made);

/// A run with the figure that ranks it.
struct Ranked<'a> {
    name: &'a str,
    made: &'a Made,
    figure: &'a KeyFigure,
    strength: &'a Strength,
}

/// Runs that were measured alike, the best first.
pub struct Ranking<'a>(Vec<Ranked<'a>>);

impl<'a> Ranking<'a> {
    /// Ranks runs.
    ///
    /// # Errors
    /// Why they have no ranking.
    pub fn new(runs: &[Named<'a>]) -> Result<Ranking<'a>, String> {
        let ranked = |&(name, made): &Named<'a>| {
            let strength = made.compared.strength.as_ref()?;
            Some(Ranked { name, made, figure: made.figures.get(strength.figure)?, strength })
        };
        let ranked: Option<Vec<Ranked<'_>>> = runs.iter().map(ranked).collect();
        let mut ranked = ranked.ok_or("No figure of these runs says which of them is best.")?;
        let alike = |one: &Ranked<'_>, other: &Ranked<'_>| {
            one.strength.yardstick == other.strength.yardstick && one.figure.name == other.figure.name
        };
        if !ranked.iter().all(|one| alike(one, &ranked[0])) {
            let each: Vec<String> =
                ranked.iter().map(|one| format!("{} against {}", one.name, one.strength.against)).collect();
            return Err(format!(
                "These runs were not measured alike, so their figures do not rank them: they differ in opponent, labels, lexicon or tile set \
                 ({}).",
                each.join(", ")
            ));
        }
        let sign = if ranked[0].strength.is_less_better { -1.0 } else { 1.0 };
        ranked.sort_by(|one, other| (sign * other.figure.value.mean).total_cmp(&(sign * one.figure.value.mean)));
        Ok(Ranking(ranked))
    }

    /// The best run and its closest rival.
    pub fn closest(&self) -> [Named<'a>; 2] {
        let [best, ..] = &self.0[..] else { unreachable!("two runs at least are ranked") };
        let rival = self.leads().into_iter().min_by(|(_, one), (_, other)| one.low.total_cmp(&other.low));
        let rival = rival.map_or(best, |(rival, _)| rival);
        [best, rival].map(|one| (one.name, one.made))
    }

    /// How far the best run is ahead of each other run. The intervals hold together.
    fn leads(&self) -> Vec<(&Ranked<'a>, Estimate)> {
        let width = standard_errors(ERROR_RATE / (self.0.len() - 1) as f64);
        self.0[1..].iter().map(|other| (other, lead(&self.0[0], other, width))).collect()
    }

    /// The verdict in words.
    pub fn verdict(&self) -> String {
        let (best, leads) = (&self.0[0], self.leads());
        let (clear, open): (Vec<_>, Vec<_>) = leads.iter().partition(|(_, lead)| lead.low > 0.0);
        let names =
            |leads: &[&(&Ranked<'_>, Estimate)]| leads.iter().map(|(one, _)| one.name).collect::<Vec<_>>().join(", ");
        let (figure, sample) = (&best.figure, best.strength.sample);
        let mut text = if open.is_empty() {
            format!("{} is the best of these runs by its {}, {}.", best.name, figure.name, figure.shown_with_interval())
        } else {
            let told = if clear.is_empty() { String::new() } else { format!(" It is better than {}.", names(&clear)) };
            let (name, shown) = (&figure.name, figure.shown_with_interval());
            format!(
                "{} has the best {name}, {shown}, but whether it is better than {} cannot be told from these {sample}.{told}",
                best.name,
                names(&open)
            )
        };
        let [_, (rival, _)] = self.closest();
        if let Some((_, lead)) = leads.iter().find(|(one, lead)| one.name == rival && lead.low.is_finite()) {
            let lead = figure.with_value(*lead).signed();
            let unit = if lead.unit == "%" { " percentage points" } else { "" };
            text += &format!(
                " Its lead over {rival} is {} ({}){unit}.",
                lead.text_of(lead.value.mean),
                lead.interval().unwrap_or_default()
            );
        }
        text + &self.basis()
    }

    /// The measurement that the intervals of the leads are based on.
    fn basis(&self) -> String {
        let [best, others @ ..] = &self.0[..] else { return String::new() };
        let Strength { deals, sample, caveat, .. } = best.strength;
        let mut text = if others.iter().any(|other| other.strength.deals != *deals) {
            format!(" The {sample} of the runs differ, so the interval takes them as independent.")
        } else if others.iter().all(|other| paired_error(best.strength, other.strength).is_some()) {
            format!(" All runs were measured on {deals}, so the interval is of the differences pair by pair.")
        } else {
            format!(" All runs were measured on {deals}, but only sums are stored: the interval takes them as independent.")
        };
        if others.len() > 1 {
            text += &format!(" The {} intervals of its leads hold together with 95 % (Bonferroni).", others.len());
        }
        text + caveat
    }
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
    let (pairs, are_same) = (one.half_wins.len(), one.deals == other.deals);
    if !are_same || pairs < 2 || pairs != other.half_wins.len() {
        return None;
    }
    let differences = || one.half_wins.iter().zip(&other.half_wins).map(|(&a, &b)| 25.0 * (f64::from(a) - f64::from(b)));
    let mean = differences().sum::<f64>() / pairs as f64;
    let variance = differences().map(|difference| (difference - mean).powi(2)).sum::<f64>() / (pairs - 1) as f64;
    Some((variance / pairs as f64).sqrt())
}

/// The command that decides between runs of one kind, if there is one.
pub fn settle(runs: &[Named<'_>]) -> Option<Section> {
    let (_, first) = runs.first()?;
    let game = &first.compared.game;
    if runs.iter().any(|(_, made)| made.compared.game != *game) {
        return None;
    }
    let player = |(_, made): &Named<'_>| made.compared.player.as_deref().map(shell_word);
    let mut players = runs.iter().map(player).collect::<Option<Vec<_>>>()?;
    players.dedup();
    let all = players.join(" ");
    let (lead, command) = match &players[..] {
        _ if first.kind == kind::WIN_PERCENTAGE => {
            ("The tables on the same new games.", format!("tilewright win-percentage eval {all} --games 20000{game}"))
        }
        [a, b] => (
            "The two runs in a match of their own. 10,000 pairs give an interval of about ± 0.7 percentage points.",
            format!("tilewright match --player-a {a} --player-b {b} --pairs 10000{game}"),
        ),
        [_, _, ..] => (
            "All runs against each other on the same deals.",
            format!("tilewright match --players {all} --pairs 2000{game}"),
        ),
        _ => return None,
    };
    Some(Section::new("settle", "Settle", "How to settle it", lead, html! { pre tabindex="0" { (command) } }))
}
