//! The comparison of two tables, as charts and tables.

use std::ops::RangeInclusive;
use std::path::Path;

use tilewright_engine::series::NORMAL_95;
use tilewright_engine::setup::rules_hash;
use tilewright_train::leaves::detail::Detail;
use tilewright_train::leaves::difference::{Difference, LengthDifference};

use crate::Failure;
use crate::flags::shell_word;
use crate::leaves::flags::LeavesDiffArguments;
use crate::leaves::page::leave_html;
use crate::leaves::page::lengths::{CAPTION, Length, chart, listing};
use crate::leaves::table::{OpenTable, Place};
use crate::report::figures::certain;
use crate::report::html::{Markup, Section, figure, grouped, html, row_of, signed, sortable_table, table, tall_table};
use crate::report::intervals::{Row, intervals};
use crate::report::svg::{Colour, Layer, Mark, layered_chart};

/// Two tables of one tile set.
pub struct Comparison {
    /// The tables, A and B.
    pub tables: [OpenTable; 2],
    /// Support and standard errors of their values, if the artefacts have them.
    pub details: [Option<Detail>; 2],
    pub difference: Difference,
    /// The command that makes the page.
    pub command: String,
}

impl Comparison {
    /// Opens the tables that the arguments name.
    pub fn open(arguments: &LeavesDiffArguments) -> Result<Comparison, Failure> {
        let game = &arguments.flags.game;
        let [a, b] = [&arguments.a, &arguments.b].map(|path| OpenTable::open(&Place::named(path), game));
        let (a, b) = (a?, b?);
        if rules_hash(&a.tileset, &a.layout) != rules_hash(&b.tileset, &b.layout) {
            let [tiles_a, tiles_b] = [&a, &b].map(|open| open.tileset.name());
            return Err(Failure::input(format!(
                "{} is for the tile set {tiles_a} and {} for {tiles_b}; only tables of one tile set and board can be compared",
                a.name, b.name
            )));
        }
        let details = [a.detail()?, b.detail()?];
        let errors = |index: usize| {
            details.iter().flatten().map(move |detail| detail.standard_error[index]).filter(|error| error.is_finite())
        };
        let error = |index: usize| errors(index).fold(0.0, f64::hypot);
        let difference = Difference::between(&a.table, &b.table, &a.tileset, error);
        let word = |path: &Path| shell_word(&path.display().to_string());
        let (path_a, path_b) = (word(&arguments.a), word(&arguments.b));
        let page = arguments.html.as_ref().map_or(String::new(), |page| format!(" --html {}", word(page)));
        let command = format!("tilewright leaves diff {path_a} {path_b}{}{page}", game.repeated());
        Ok(Comparison { tables: [a, b], details, difference, command })
    }

    /// The values of a leave by its number in A and B, in points.
    pub fn values(&self, index: usize) -> [f64; 2] {
        self.tables.each_ref().map(|open| open.table.values()[index].points())
    }

    /// How many times a million random racks hold a leave, as text.
    pub fn often(&self, index: usize) -> String {
        match 1e6 * self.difference.weight(index) {
            rare if rare < 0.1 => "less than 0.1".into(),
            few if few < 99.5 => format!("{few:.1}"),
            many => grouped(many.round() as u64),
        }
    }

    /// The difference of a leave by its number, A − B, in points.
    pub fn of(&self, index: usize) -> f64 {
        let [a, b] = self.values(index);
        a - b
    }

    pub fn leave(&self, index: usize) -> String {
        self.tables[0].table.ranking().unrank(index).show(&self.tables[0].tileset)
    }
}

/// A correlation with four decimals.
pub fn correlation_text(correlation: f64) -> String {
    format!("{correlation:.4}").replace('-', "−")
}

/// About the most leaves of a group that are drawn, evenly chosen.
const DOTS: usize = 600;
/// The leaves that differ most are drawn too.
const LARGEST_DRAWN: usize = 100;

/// Leaves of similar length, which have one colour.
struct Group {
    name: String,
    colour: Colour,
    leaves: Vec<usize>,
}

/// The value in A against the value in B, and the difference by value.
pub fn values(comparison: &Comparison) -> Section {
    let groups = groups(comparison);
    let ends = groups.iter().flat_map(|group| &group.leaves).flat_map(|&index| comparison.values(index));
    let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    let values = layers(comparison, &groups, [(low, low), (high, high)], |[a, b]| (a, b));
    let values = layered_chart("Value in B by value in A", "value in A, points", "points", &values);
    let differences = layers(comparison, &groups, [(low, 0.0), (high, 0.0)], |[a, b]| (f64::midpoint(a, b), a - b));
    let differences = layered_chart("Difference A − B by mean value", "mean of both values, points", "points", &differences);
    let lead = format!(
        "Equal values lie on the line. A tilt says that one table spreads good and bad leaves further apart, a cloud that the tables \
             disagree which is which. {}",
        drawn(comparison, &groups)
    );
    let body = html! { div.two { (values) (differences) } };
    Section::new("values", "Values", "Value against value", lead, body)
}

/// The line of equal values, and a dot for each leave at the place of its values in A and B.
fn layers<'a>(
    comparison: &Comparison,
    groups: &'a [Group],
    line: [(f64, f64); 2],
    place: fn([f64; 2]) -> (f64, f64),
) -> Vec<Layer<'a>> {
    let dots = groups.iter().map(|Group { name, colour, leaves }| {
        let places = leaves.iter().map(|&index| place(comparison.values(index)));
        (name.as_str(), *colour, Mark::Dots(places.collect()))
    });
    [("", Colour::Second, Mark::Line(line.into()))].into_iter().chain(dots).collect()
}

/// Which leaves are drawn, in a sentence.
fn drawn(comparison: &Comparison, groups: &[Group]) -> String {
    let all = grouped(comparison.tables[0].table.ranking().len() as u64 - 1);
    let drawn = grouped(groups.iter().map(|group| group.leaves.len() as u64).sum());
    if drawn == all {
        return format!("All {all} leaves are drawn.");
    }
    format!("Of the {all} leaves {drawn} are drawn: evenly chosen ones, and the {LARGEST_DRAWN} that differ most.")
}

/// The leaves that are drawn, from the longest, which lie at the back.
fn groups(comparison: &Comparison) -> Vec<Group> {
    let ranking = comparison.tables[0].table.ranking();
    let largest = comparison.difference.largest(LARGEST_DRAWN);
    let most = ranking.max_size();
    let group = |(lengths, colour): (RangeInclusive<usize>, Colour)| {
        let all: Vec<usize> = lengths.clone().flat_map(|tiles| ranking.indices_of_size(tiles)).collect();
        let step = all.len().div_ceil(DOTS).max(1);
        let is_long_enough = |index: &&usize| lengths.contains(&ranking.unrank(**index).size());
        let mut leaves: Vec<usize> =
            all.iter().step_by(step).chain(largest.iter().filter(is_long_enough)).copied().collect();
        leaves.sort_unstable();
        leaves.dedup();
        Group { name: name_of_lengths(&lengths), colour, leaves }
    };
    let lengths = [(5..=most, Colour::Second), (3..=most.min(4), Colour::Third), (1..=most.min(2), Colour::First)];
    lengths.into_iter().filter(|(lengths, _)| !lengths.is_empty()).map(group).collect()
}

fn name_of_lengths(lengths: &RangeInclusive<usize>) -> String {
    match (*lengths.start(), *lengths.end()) {
        (1, 1) => "1 tile".into(),
        (first, last) if first == last => format!("{first} tiles"),
        (first, last) if last == first + 1 => format!("{first} and {last} tiles"),
        (first, last) => format!("{first} to {last} tiles"),
    }
}

const LARGEST: usize = 200;

pub fn lengths(comparison: &Comparison) -> Section {
    let ranking = comparison.tables[0].table.ranking();
    let difference = |index: usize| comparison.of(index);
    let length = |tiles: usize| Length::new(tiles, ranking.indices_of_size(tiles).map(difference).collect());
    let lengths: Vec<Length> = (1..=ranking.max_size()).map(length).collect();
    let by_length = |of: &LengthDifference| {
        vec![
            of.tiles.map_or("all".into(), |tiles| tiles.to_string()),
            grouped(of.leaves as u64),
            correlation_text(of.correlation),
            signed(of.mean, 2),
            format!("{:.2}", of.mean_absolute),
            format!("{:.2}", of.root_mean_square),
        ]
    };
    let columns = ["tiles", "#leaves", "#correlation", "#mean A − B", "#mean |A − B|", "#root mean square"];
    let boxes = figure(chart("Distribution of the differences A − B by number of tiles, in points", &lengths), CAPTION);
    let lead = "Differences are A − B, in points. The means weight each leave by use; the distribution does not.";
    let body = html! {
        (table(&columns, comparison.difference.by_length.iter().map(by_length)))
        div.two { (boxes) (listing(&lengths)) }
    };
    Section::new("lengths", "Lengths", "Differences by length", lead, body)
}

pub fn few_tiles(comparison: &Comparison) -> Section {
    let ranking = comparison.tables[0].table.ranking();
    let mut singles: Vec<usize> = ranking.indices_of_size(1).collect();
    singles.sort_by(|&x, &y| comparison.values(y)[0].total_cmp(&comparison.values(x)[0]));
    let pairs = if ranking.max_size() > 1 { ranking.indices_of_size(2) } else { 0..0 };
    let mut pairs: Vec<usize> = pairs.collect();
    pairs.sort_by(|&x, &y| comparison.of(y).abs().total_cmp(&comparison.of(x).abs()));
    let (head, row) = (head(comparison), |&index: &usize| row(comparison, index));
    let dots = |&index: &usize| {
        let [a, b] = comparison.values(index).map(certain);
        (comparison.leave(index), vec![("first", a), ("third", b)])
    };
    let tiles: Vec<Row> = singles.iter().map(dots).collect();
    let tiles = intervals("Value of each tile as a leave in A and in B, in points", &tiles);
    let caption = html! { "Each tile as the whole leave, points." span.key.first { "A" } span.key.third { "B" } };
    let body = html! {
        (figure(tiles, caption))
        (sortable_table("by-tile", &head, singles.iter().map(row)))
        @if !pairs.is_empty() { h3 { "Pairs" } (tall_table("by-pair", &head, pairs.iter().map(row))) }
    };
    let intervals = match comparison.details.each_ref().map(Option::is_some) {
        [true, true] => "Intervals are 95 %; the last column but one is the difference over its standard error.",
        [true, false] => "Intervals are 95 %; B does not record its errors.",
        [false, true] => "Intervals are 95 %; A does not record its errors.",
        [false, false] => "Neither table records its errors, so there are no intervals.",
    };
    let lead = format!("Tiles by their value in A, and pairs by how far they differ, in points. {intervals}");
    Section::new("tiles", "Tiles and pairs", "Single tiles and pairs", lead, body)
}

/// The largest differences, or `None` if the tables are equal.
pub fn largest(comparison: &Comparison) -> Option<Section> {
    let rows: Vec<_> = comparison.difference.largest(LARGEST).into_iter().map(|index| row(comparison, index)).collect();
    if rows.is_empty() {
        return None;
    }
    let lead = format!(
        "The {} leaves whose differences matter most: by the squared difference beyond its standard error, times the number of \
             random racks that hold the leave.",
        rows.len()
    );
    let body = tall_table("by-difference", &head(comparison), &rows);
    Some(Section::new("largest", "Largest", "The differences that matter most", lead, body))
}

/// The heads of the columns of [`row`].
fn head(comparison: &Comparison) -> Vec<&'static str> {
    let [a, b] = comparison.details.each_ref().map(Option::is_some);
    let columns = [
        ("leave", true),
        ("#A", true),
        ("#interval of A", a),
        ("#B", true),
        ("#interval of B", b),
        ("#A − B", true),
        ("#in standard errors", a && b),
        ("#in a million racks", true),
    ];
    columns.into_iter().filter(|&(_, is_known)| is_known).map(|(name, _)| name).collect()
}

/// A leave with both values, their intervals if known, and the difference.
fn row(comparison: &Comparison, index: usize) -> Vec<Markup> {
    let mut row = Vec::new();
    for (value, detail) in comparison.values(index).into_iter().zip(&comparison.details) {
        row.push(signed(value, 2));
        row.extend(detail.as_ref().map(|detail| {
            let half = NORMAL_95 * detail.standard_error[index];
            format!("{} to {}", signed(value - half, 2), signed(value + half, 2))
        }));
    }
    row.push(signed(comparison.of(index), 2));
    if let [Some(a), Some(b)] = &comparison.details {
        let error = a.standard_error[index].hypot(b.standard_error[index]);
        row.push(if error > 0.0 { signed(comparison.of(index) / error, 1) } else { String::new() });
    }
    row.push(comparison.often(index));
    row_of(leave_html(index, &comparison.tables[0].table, &comparison.tables[0].tileset), row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_names() {
        let names = [1..=1, 1..=2, 3..=3, 5..=6, 5..=7].map(|lengths| name_of_lengths(&lengths));
        assert_eq!(names, ["1 tile", "1 and 2 tiles", "3 tiles", "5 and 6 tiles", "5 to 7 tiles"]);
    }
}
