//! The convergence of the table over the generations.

use tilewright_train::leaves::generations::Generations;
use tilewright_train::leaves::run::GenerationReport;

use super::subject::Subject;
use crate::leaves::summary::{CHANGE_HEAD, FIT_HEAD, changes, fits};
use crate::report::chart::{Chart, Colour, Layer, Mark};
use crate::report::html::{Markup, Section, html, missing, table};

pub fn section(subject: &Subject<'_>) -> Section {
    let body = match subject.generations {
        Some(Generations { generations, .. }) if !generations.is_empty() => {
            let (fits, changes) = (table(&FIT_HEAD, fits(generations)), table(&CHANGE_HEAD, changes(generations)));
            html! { (charts(generations)) (fits) (changes) }
        }
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

fn charts(generations: &[GenerationReport]) -> Markup {
    let line = |name: &str, colour, value: &dyn Fn(&GenerationReport) -> Option<f64>| {
        let point = |report: &GenerationReport| Some((report.generation as f64, value(report)?));
        let points: Vec<(f64, f64)> = generations.iter().filter_map(point).collect();
        [Layer::new(name, colour, Mark::Line(points.clone())), Layer::new("", colour, Mark::Dots(points))]
    };
    let chart = |caption, up, lines: Vec<[Layer; 2]>| {
        let layers = lines.into_iter().flatten().chain([Layer::new("", Colour::Second, Mark::Level(0.0))]).collect();
        Chart { caption, across: "generation", up, layers }.show()
    };
    let prior = line("prior", Colour::Second, &|report| Some(report.fit.held_out_error_of_prior));
    let fit = line("fit", Colour::First, &|report| Some(report.fit.held_out_error));
    let change = line("", Colour::First, &|report| Some(report.change));
    let won = line("", Colour::First, &|report| Some(100.0 * report.against_no_leaves.summary()?.win_rate.mean));
    html! { div.two {
        (chart("Error on held-out racks", "points", vec![prior, fit]))
        (chart("Mean change of a leave from the previous table, weighted by use", "points", vec![change]))
        (chart("Win rate against no-leaves", "percent", vec![won]))
    } }
}
