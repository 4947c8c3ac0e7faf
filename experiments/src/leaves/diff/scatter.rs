//! Both values of leaves as charts.

use std::ops::RangeInclusive;

use super::comparison::Comparison;
use crate::report::chart::{Chart, Colour, Layer, Mark};
use crate::report::html::{Section, grouped, html};

/// About the most leaves of a group that are drawn, evenly chosen.
const DOTS: usize = 600;
/// The leaves that differ most are drawn too.
const LARGEST: usize = 100;

/// Leaves of similar length, which have one colour.
struct Group {
    name: String,
    colour: Colour,
    leaves: Vec<usize>,
}

/// The value in A against the value in B, and the difference by value.
pub fn section(comparison: &Comparison) -> Section {
    let groups = groups(comparison);
    let ends = groups.iter().flat_map(|group| &group.leaves).flat_map(|&index| comparison.values(index));
    let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    let values = Chart {
        caption: "Value in B by value in A",
        across: "value in A, points",
        up: "points",
        layers: layers(comparison, &groups, [(low, low), (high, high)], |[a, b]| (a, b)),
    };
    let differences = Chart {
        caption: "Difference A − B by mean value",
        across: "mean of both values, points",
        up: "points",
        layers: layers(comparison, &groups, [(low, 0.0), (high, 0.0)], |[a, b]| (f64::midpoint(a, b), a - b)),
    };
    let lead = format!(
        "Equal values lie on the line. A tilt says that one table spreads good and bad leaves further apart, a cloud that the tables \
             disagree which is which. {}",
        drawn(comparison, &groups)
    );
    let body = html! { div.two { (values.show()) (differences.show()) } };
    Section::new("values", "Values", "Value against value", lead, body)
}

/// The line of equal values, and a dot for each leave at the place of its values in A and B.
fn layers(
    comparison: &Comparison,
    groups: &[Group],
    line: [(f64, f64); 2],
    place: fn([f64; 2]) -> (f64, f64),
) -> Vec<Layer> {
    let dots = groups.iter().map(|Group { name, colour, leaves }| {
        let places = leaves.iter().map(|&index| place(comparison.values(index)));
        Layer::new(name, *colour, Mark::Dots(places.collect()))
    });
    [Layer::new("", Colour::Second, Mark::Line(line.into()))].into_iter().chain(dots).collect()
}

/// Which leaves are drawn, in a sentence.
fn drawn(comparison: &Comparison, groups: &[Group]) -> String {
    let all = grouped(comparison.tables[0].table.ranking().len() as u64 - 1);
    let drawn = grouped(groups.iter().map(|group| group.leaves.len() as u64).sum());
    if drawn == all {
        return format!("All {all} leaves are drawn.");
    }
    format!("Of the {all} leaves {drawn} are drawn: evenly chosen ones, and the {LARGEST} that differ most.")
}

/// The leaves that are drawn, from the longest, which lie at the back.
fn groups(comparison: &Comparison) -> Vec<Group> {
    let ranking = comparison.tables[0].table.ranking();
    let largest = comparison.difference.largest(LARGEST);
    let most = ranking.max_size();
    let group = |(lengths, colour): (RangeInclusive<usize>, Colour)| {
        let all: Vec<usize> = lengths.clone().flat_map(|tiles| ranking.indices_of_size(tiles)).collect();
        let step = all.len().div_ceil(DOTS).max(1);
        let is_long_enough = |index: &&usize| lengths.contains(&ranking.unrank(**index).size());
        let mut leaves: Vec<usize> =
            all.iter().step_by(step).chain(largest.iter().filter(is_long_enough)).copied().collect();
        leaves.sort_unstable();
        leaves.dedup();
        Group { name: name(&lengths), colour, leaves }
    };
    let lengths = [(5..=most, Colour::Second), (3..=most.min(4), Colour::Third), (1..=most.min(2), Colour::First)];
    lengths.into_iter().filter(|(lengths, _)| !lengths.is_empty()).map(group).collect()
}

fn name(lengths: &RangeInclusive<usize>) -> String {
    match (*lengths.start(), *lengths.end()) {
        (1, 1) => "1 tile".into(),
        (first, last) if first == last => format!("{first} tiles"),
        (first, last) if last == first + 1 => format!("{first} and {last} tiles"),
        (first, last) => format!("{first} to {last} tiles"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_names() {
        let names = [1..=1, 1..=2, 3..=3, 5..=6, 5..=7].map(|lengths| name(&lengths));
        assert_eq!(names, ["1 tile", "1 and 2 tiles", "3 tiles", "5 and 6 tiles", "5 to 7 tiles"]);
    }
}
