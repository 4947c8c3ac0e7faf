//! How the table settled from generation to generation.

use tilewright_train::leaves::generations::Generation;

use super::Subject;
use super::html::{Section, figure, grouped, missing, table};
use super::svg::{Anchor, Scale, Svg, tick};

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 190.0;
const LEFT: f64 = 30.0;
const RIGHT: f64 = 84.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 24.0;

/// A line of a chart: its name, the class of its colour, a value a generation.
struct Line {
    name: String,
    class: &'static str,
    values: Vec<f64>,
}

pub fn section(subject: &Subject<'_>) -> Section {
    let body = match subject.generations {
        Some(known) if !known.generations.is_empty() => charts(&known.generations) + &listing(&known.generations),
        _ if subject.manifest.is_some() => missing("This artefact does not keep what its generations found out."),
        _ => missing("A bare table does not say how it was made."),
    };
    Section {
        id: "convergence",
        link: "Convergence",
        title: "Convergence over generations".into(),
        lead:
            "Each generation plays with the table of the one before. The table has settled when the change is small and the \
               error on held-out racks no longer falls; more games in a generation lower the error by themselves. Noise is the \
               standard deviation of one turn with a rack, the rack effect that of what a rack is worth beyond its triples; all in \
               points."
                .into(),
        body,
    }
}

fn charts(generations: &[Generation]) -> String {
    let line = |name: &str, class, value: &dyn Fn(&Generation) -> f64| Line {
        name: name.into(),
        class,
        values: generations.iter().map(value).collect(),
    };
    let errors = [
        line("of the mean", "second", &|generation| generation.held_out_error_of_mean),
        line("of the fit", "first", &|generation| generation.held_out_error),
    ];
    let change = [line("change", "first", &|generation| generation.change)];
    let orders = generations.iter().map(|generation| generation.strengths.len()).max().unwrap_or_default();
    let names = ["tiles", "pairs", "triples"];
    let strengths: Vec<Line> = (0..orders)
        .map(|order| {
            let name = names.get(order).map_or_else(|| format!("order {}", order + 1), ToString::to_string);
            let class = ["first", "second", "third"][order.min(2)];
            line(&name, class, &|generation| generation.strengths.get(order).copied().unwrap_or(f64::NAN))
        })
        .collect();
    format!(
        "<div class=\"maps\">{}{}{}</div>\n",
        figure(&chart("Error on held-out racks", &errors), "Error on held-out racks"),
        figure(&chart("Change from the last table", &change), "Mean change of a leave in use"),
        figure(&chart("Strengths of effects", &strengths), "Strengths: the sizes of effects"),
    )
}

fn chart(label: &str, lines: &[Line]) -> String {
    let mut svg = Svg::new(WIDTH, HEIGHT, &format!("{label}, in points, by generation"));
    let many = lines.iter().map(|line| line.values.len()).max().unwrap_or(1);
    let across = Scale::new([1.0, many as f64], LEFT + 10.0, WIDTH - RIGHT);
    let up = Scale::new(lines.iter().flat_map(|line| line.values.iter().copied()).chain([0.0]), HEIGHT - BOTTOM, TOP);
    for value in up.ticks(4) {
        let y = up.at(value);
        svg.line(if value == 0.0 { "axis" } else { "grid" }, (LEFT, y), (WIDTH - RIGHT + 6.0, y));
        svg.text("tick", (LEFT - 5.0, y + 4.0), Anchor::End, &tick(value));
    }
    // Of many generations every so manieth has its number.
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

/// Heights of labels moved so that none covers another.
fn apart(mut heights: Vec<f64>) -> Vec<f64> {
    let mut order: Vec<usize> = (0..heights.len()).collect();
    order.sort_by(|&a, &b| heights[a].total_cmp(&heights[b]));
    for pair in order.windows(2) {
        heights[pair[1]] = heights[pair[1]].max(heights[pair[0]] + 13.0);
    }
    heights
}

fn listing(generations: &[Generation]) -> String {
    let row = |generation: &Generation| {
        let strengths: Vec<String> = generation.strengths.iter().map(|strength| format!("{strength:.2}")).collect();
        vec![
            generation.generation.to_string(),
            grouped(generation.games),
            grouped(generation.turns),
            grouped(generation.racks),
            format!("{:.2}", generation.noise),
            format!("{:.2}", generation.rack_effect),
            strengths.join(" · "),
            format!("{:.3}", generation.held_out_error),
            format!("{:.3}", generation.held_out_error_of_mean),
            format!("{:.3}", generation.change),
        ]
    };
    let head = [
        "generation",
        "#games",
        "#turns",
        "#racks",
        "#noise",
        "#rack effect",
        "#strengths",
        "#error",
        "#of the mean",
        "#change",
    ];
    table(&head, &generations.iter().map(row).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_apart_and_in_order() {
        assert_eq!(apart(vec![50.0, 10.0, 12.0]), [50.0, 10.0, 23.0]);
        assert!(apart(Vec::new()).is_empty());
    }
}
