//! The convergence of the table over the generations.

use tilewright_engine::player::Base;
use tilewright_engine::series::Tally;
use tilewright_train::leaves::generations::Generations;
use tilewright_train::leaves::run::GenerationReport;

use super::subject::Subject;
use crate::leaves::summary::{CHANGE_HEAD, FIT_HEAD, changes, fits};
use crate::report::html::{Section, figure, missing, table};
use crate::report::svg::{Anchor, Scale, Svg};

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 190.0;
const LEFT: f64 = 30.0;
const RIGHT: f64 = 84.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 24.0;

/// A line of a chart: its name, the class of its colour, and one value per generation.
struct Line {
    name: String,
    class: &'static str,
    values: Vec<f64>,
}

pub fn section(subject: &Subject<'_>) -> Section {
    let body = match subject.generations {
        Some(known) if !known.generations.is_empty() => charts(known) + &listing(&known.generations),
        _ if subject.manifest.is_some() => missing("This artefact has no record of its generations."),
        _ => missing("A bare table has no record of how it was made."),
    };
    let lead = "Each generation plays with the table of the previous one. The table has converged when its change is small and \
             its match against the previous table shows no gain. The error also falls when a generation plays more games. \
             Noise is the standard deviation of one observation of a rack. The rack effect is the standard deviation of \
             what a rack is worth beyond its tiles, pairs, triples and the prior. The prior is the result of the previous \
             generation. All values are in points. The matches are short.";
    Section::new("convergence", "Convergence", "Convergence over generations", lead, body)
}

fn charts(known: &Generations) -> String {
    let generations = &known.generations;
    let line = |name: &str, class, value: &dyn Fn(&GenerationReport) -> f64| Line {
        name: name.into(),
        class,
        values: generations.iter().map(value).collect(),
    };
    let errors = [
        line("prior", "second", &|report| report.fit.held_out_error_of_prior),
        line("fit", "first", &|report| report.fit.held_out_error),
    ];
    let change = [line("change", "first", &|report| report.change)];
    let percent = |tally: &Tally| tally.summary().map_or(f64::NAN, |summary| 100.0 * summary.win_rate.mean);
    let strength = [line("games won", "first", &|report| percent(&report.against_no_leaves))];
    format!(
        "<div class=\"maps\">{}{}{}</div>\n",
        figure(&chart("Error on held-out racks", "points", &errors), "Error on held-out racks"),
        figure(&chart("Change from the previous table", "points", &change), "Mean change of a leave, weighted by use"),
        figure(&chart("Strength", "percent", &strength), &format!("Win rate against {}, percent", Base::NoLeaves.name())),
    )
}

fn chart(label: &str, unit: &str, lines: &[Line]) -> String {
    let mut svg = Svg::new(WIDTH, HEIGHT, &format!("{label}, in {unit}, by generation"));
    let many = lines.iter().map(|line| line.values.len()).max().unwrap_or(1);
    let across = Scale::new([1.0, many as f64], LEFT + 10.0, WIDTH - RIGHT);
    let up = Scale::new(
        lines.iter().flat_map(|line| line.values.iter().copied().filter(|value| value.is_finite())).chain([0.0]),
        HEIGHT - BOTTOM,
        TOP,
    );
    svg.ticks_before(&up, (LEFT, WIDTH - RIGHT + 6.0), |value| value);
    // At most ten generations are labelled.
    for generation in (1..=many).step_by(many.div_ceil(10)) {
        svg.text("tick", (across.at(generation as f64), HEIGHT - 8.0), Anchor::Middle, &generation.to_string());
    }
    let ends = apart(lines.iter().map(|line| line.values.last().map_or(0.0, |&value| up.at(value))).collect());
    for (line, end) in lines.iter().zip(ends) {
        let points: Vec<(f64, f64)> = (1..)
            .zip(&line.values)
            .filter(|(_, value)| value.is_finite())
            .map(|(generation, &value)| (across.at(f64::from(generation)), up.at(value)))
            .collect();
        svg.path(&format!("line {}", line.class), &points);
        for &point in &points {
            svg.dot(&format!("mark {}", line.class), point, 2.6);
        }
        if let Some(&(x, _)) = points.last() {
            svg.text(&format!("label {}", line.class), (x + 8.0, end + 4.0), Anchor::Start, &line.name);
        }
    }
    svg.finish()
}

/// Moves the heights of labels apart, so that none covers another.
fn apart(mut heights: Vec<f64>) -> Vec<f64> {
    let mut order: Vec<usize> = (0..heights.len()).collect();
    order.sort_by(|&a, &b| heights[a].total_cmp(&heights[b]));
    for pair in order.windows(2) {
        heights[pair[1]] = heights[pair[1]].max(heights[pair[0]] + 13.0);
    }
    heights
}

fn listing(generations: &[GenerationReport]) -> String {
    table(&FIT_HEAD, fits(generations)) + &table(&CHANGE_HEAD, changes(generations))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_moved_apart_in_order() {
        assert_eq!(apart(vec![50.0, 10.0, 12.0]), [50.0, 10.0, 23.0]);
        assert!(apart(Vec::new()).is_empty());
    }
}
