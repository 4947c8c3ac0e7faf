//! The comparison of several runs of one kind: which is best and whether the data can tell, or the command that settles it, their key figures,
//! values and curves, and how alike leave tables are.

use std::path::Path;

use tilewright_engine::series::{ERROR_RATE, Estimate, NORMAL_95, standard_errors};
use tilewright_engine::setup::rules_hash;
use tilewright_train::leaves::difference::Difference;
use tilewright_train::run::kind;

use super::compared::{Curve, Strength, Values};
use super::listed::Listed;
use super::made::{Head, Made};
use crate::Failure;
use crate::flags::{GameFlags, shell_word};
use crate::leaves::table::{OpenTable, Place};
use crate::report::figures::{KeyFigure, certain};
use crate::report::html::{
    Markup, Render, Section, figure, grouped, html, missing, repeat, row_of, signed, sortable_table, table,
};
use crate::report::intervals::{Row, intervals};
use crate::report::svg::{Colour, Mark, layered_chart};

/// The most values of a run in a table.
const MOST: usize = 40;
/// The colours of the runs in a drawing of values. More runs have only a table.
const COLOURS: [&str; 3] = ["first", "third", "second"];

/// The comparison of some runs for the file of its page.
///
/// # Errors
/// [`Failure::Input`] for runs of different kinds, and for fewer than two finished ones.
pub fn of_runs(all: Vec<Listed>, page: Option<&Path>, game: &GameFlags) -> Result<(Made, Vec<Listed>), Failure> {
    let runs: Vec<Run<'_>> = all.iter().filter_map(|run| Some((run, run.finished()?))).collect();
    let left_out: Vec<String> = all.iter().filter(|run| run.finished().is_none()).map(reason).collect();
    let [(_, first), _, ..] = &runs[..] else {
        let reasons = left_out.join(" ");
        return Err(Failure::input(format!("a comparison needs two finished runs; name more of them. {reasons}")));
    };
    let kind = &first.head.kind;
    if runs.iter().any(|(_, made)| made.head.kind != *kind) {
        let kinds: Vec<String> = runs.iter().map(|(run, made)| format!("{} ({})", run.name, made.head.kind)).collect();
        let kinds = kinds.join(", ");
        return Err(Failure::input(format!(
            "only runs of one kind can be compared, not {kinds}; name runs of one kind, or their folder for an index of all"
        )));
    }
    let (verdict, rivals) = verdict(&runs);
    let mut sections = vec![key_figures(&runs, page)];
    if kind == kind::LEAVES {
        sections.push(alike(&runs, game)?);
    }
    sections.extend(values(&runs).into_iter().chain(curves(&runs)).chain(settle(&rivals)));
    let words: Vec<String> = all.iter().map(|run| shell_word(&run.path.to_string_lossy())).collect();
    sections.push(repeat(&format!("tilewright report {}", words.join(" ")), "The same runs give the same page.", None));
    let is_common = |fact: &&String| runs.iter().all(|(_, made)| made.head.facts.contains(fact));
    let head = Head {
        kind: format!("comparison, {kind}"),
        title: runs.iter().map(|(run, _)| run.name.as_str()).collect::<Vec<_>>().join(", "),
        facts: first.head.facts.iter().filter(is_common).cloned().collect(),
        lead: [verdict].into_iter().chain(left_out).collect::<Vec<_>>().join(" "),
        figures: Vec::new(),
    };
    Ok((Made::new(head, sections, Markup::default()), all))
}

/// Why a run is left out.
fn reason(run: &Listed) -> String {
    let why = run.reason.as_ref().map_or(String::new(), |reason| format!(": {}", reason.trim_end_matches('.')));
    format!("{} is {} and left out{why}.", run.name, run.state)
}

/// The names of some things in order of the first of each.
fn names<'a>(all: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    all.fold(Vec::new(), |names, name| if names.contains(&name) { names } else { [names, vec![name]].concat() })
}

fn key_figures<'a>(runs: &[Run<'a>], page: Option<&Path>) -> Section {
    let names = names(runs.iter().flat_map(|(_, made)| &made.head.figures).map(|figure| figure.name.as_str()));
    let of = |made: &Made, name: &str| made.head.figures.iter().find(|figure| figure.name == name).cloned();
    let has_outcome = runs.iter().any(|(_, made)| !made.compared.outcome.is_empty());
    let head = ["run".to_string()].into_iter().chain(names.iter().map(|name| format!("#{name}")));
    let head: Vec<String> = head.chain(has_outcome.then(|| "outcome".into())).collect();
    let row = |(run, made): &Run<'_>| {
        let shown = |name: &&str| {
            html! { @if let Some(figure) = of(made, name) {
                (figure.shown_with_interval()) @if !figure.note.is_empty() { br; small { (figure.note) } }
            } }
        };
        let outcome = has_outcome.then(|| made.compared.outcome.render());
        [run.cell(page)].into_iter().chain(names.iter().map(shown)).chain(outcome).collect::<Vec<_>>()
    };
    let table = sortable_table("by-run", &head, runs.iter().map(row));
    let drawing = |name: &&str| {
        let of_run = |&(run, made): &Run<'a>| Some((run.name.as_str(), of(made, name).filter(|figure| !figure.is_count())?));
        let values: Vec<(&str, KeyFigure)> = runs.iter().filter_map(of_run).collect();
        let rows: Vec<Row> = values.iter().map(|(run, figure)| (run.to_string(), vec![("first", figure.value)])).collect();
        let caption = html! { (name) " " (values.first()?.1.unit) };
        (rows.len() > 1).then(|| figure(intervals(name, &rows), caption))
    };
    let body = html! { div.two { @for drawing in names.iter().filter_map(drawing) { (drawing) } } (table) };
    Section::new("figures", "Figures", "Key figures", "A line is a 95 % interval, if the run has one.", body)
}

/// The values of all runs under each title, side by side.
fn values(runs: &[Run<'_>]) -> Option<Section> {
    let all = || runs.iter().flat_map(|(_, made)| &made.compared.values).filter(|values| !values.rows.is_empty());
    let titles = names(all().map(|values| values.title));
    let body = || html! { @for (number, title) in titles.iter().enumerate() { (values_under(runs, number, title)) } };
    (!titles.is_empty()).then(|| Section::new("values", "Values", "Values side by side", "", body()))
}

fn values_under<'a>(runs: &[Run<'a>], number: usize, title: &str) -> Markup {
    let of_run = |&(_, made): &Run<'a>| made.compared.values.iter().find(|values| values.title == title);
    let columns: Vec<Option<&Values>> = runs.iter().map(of_run).collect();
    let leading = columns.iter().flatten().flat_map(|values| values.rows.iter().take(MOST));
    let names = names(leading.map(|(name, _)| name.as_str()));
    let value = |values: Option<&Values>, name: &str| {
        let (_, value) = values?.rows.iter().find(|(own, _)| own == name)?;
        Some(KeyFigure::number("", *value, values?.decimals))
    };
    let row = |name: &&str| {
        let shown = |values| value(values, name).map_or(String::new(), |figure| figure.shown());
        row_of(name.render(), columns.iter().copied().map(shown))
    };
    let head = ["name".to_string()].into_iter().chain(runs.iter().map(|(run, _)| format!("#{}", run.name)));
    let head: Vec<String> = head.collect();
    let table = sortable_table(&format!("by-value-{number}"), &head, names.iter().map(row));
    let dots = |name: &'_ &str| -> Vec<_> {
        let columns = columns.iter().copied().zip(COLOURS);
        columns.filter_map(|(values, colour)| Some((colour, certain(value(values, name)?.value.mean)))).collect()
    };
    let drawing = || {
        let rows: Vec<Row> = names.iter().map(|name| (name.to_string(), dots(name))).collect();
        let keys = html! { @for ((run, _), colour) in runs.iter().zip(COLOURS) { " " span.key.(colour) { (run.name) } } };
        figure(intervals(title, &rows), html! { (title) "." (keys) })
    };
    html! {
        h3 { (title) }
        div.two { @if columns.len() <= COLOURS.len() { (drawing()) } div { (table) } }
    }
}

/// A chart of each run for each kind of curve. All runs are drawn in each, so that the scales are the same.
fn curves<'a>(runs: &[Run<'a>]) -> Option<Section> {
    let captions = names(runs.iter().flat_map(|(_, made)| &made.compared.curves).map(|curve| curve.caption));
    let of_caption = |caption: &str| {
        let of_run = |&(run, made): &Run<'a>| {
            Some((run.name.clone(), made.compared.curves.iter().find(|own| own.caption == caption)?))
        };
        let curves: Vec<(String, &Curve)> = runs.iter().filter_map(of_run).collect();
        let line = |colour, curve: &Curve| ("", colour, Mark::Line(curve.points.clone()));
        let chart = |(name, own): &(String, &Curve)| {
            let others = curves.iter().map(|(_, curve)| line(Colour::Second, curve));
            layered_chart(name, own.across, own.up, &others.chain([line(Colour::First, own)]).collect::<Vec<_>>())
        };
        html! { h3 { (caption) } div.maps { @for curve in &curves { (chart(curve)) } } }
    };
    let body = || html! { @for caption in &captions { (of_caption(caption)) } };
    (!captions.is_empty()).then(|| Section::new("curves", "Curves", "Curves", "The other runs are grey.", body()))
}

/// Compares the first table with the others leave by leave. All must be of one tile set.
pub fn alike(runs: &[Run<'_>], game: &GameFlags) -> Result<Section, Failure> {
    let quiet = GameFlags { quiet: true, ..game.clone() };
    let opened = runs.iter().map(|(run, _)| OpenTable::open(&Place::named(&run.path), &quiet));
    let tables = opened.collect::<Result<Vec<_>, _>>()?;
    let rules = |open: &OpenTable| rules_hash(&open.tileset, &open.layout);
    let first = &tables[0];
    let row = |((run, _), other): (&Run<'_>, &OpenTable)| {
        let difference = Difference::between(&other.table, &first.table, &first.tileset, |_| 0.0);
        let all = difference.by_length.last()?;
        let correlation = format!("{:.4}", all.correlation).replace('-', "−");
        let [absolute, root] = [all.mean_absolute, all.root_mean_square].map(|points| format!("{points:.2}"));
        Some([run.name.clone(), grouped(all.leaves as u64), correlation, signed(all.mean, 2), absolute, root])
    };
    let lead = format!(
        "Each table against {}, weighted by how often a random full rack contains a leave. For single leaves see tilewright leaves diff.",
        runs[0].0.name
    );
    let head = [
        "table",
        "#common leaves",
        "#correlation",
        "#mean difference, points",
        "#mean absolute difference",
        "#root mean square difference",
    ];
    let body = if tables.iter().all(|table| rules(table) == rules(first)) {
        table(&head, runs.iter().zip(&tables).skip(1).filter_map(row))
    } else {
        missing("The tables are for different tile sets.")
    };
    Ok(Section::new("alike", "Alike", "How alike the tables are", lead, body))
}

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
