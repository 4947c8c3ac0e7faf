//! Synergies: pairs and triples that are worth more, or less, together than separately.

use tilewright_engine::series::NORMAL_95;
use tilewright_train::leaves::synergies::{Synergy, synergies};
use tilewright_train::leaves::warnings::WELL_SUPPORTED;

use super::subject::{SUPPORT, Subject, leave_html};
use crate::report::html::{Markup, Section, figure, grouped, html, missing, row_of, signed, table};
use crate::report::svg::{Anchor, Scale, Svg};

const WIDTH: f64 = 360.0;
const ROW: f64 = 19.0;
const TOP: f64 = 18.0;
/// The most positive and the most negative synergies shown.
const SHOWN: usize = 14;

pub fn section(subject: &Subject<'_>) -> Section {
    let known = match subject.detail {
        Some(_) => format!(
            "The lists have leaves that were held in at least {WELL_SUPPORTED} turns and whose interaction differs from zero by more than {NORMAL_95:.2} standard errors. The table has no correlations \
             between the errors of leaves. So the error of an interaction is the sum of the errors of its parts, which is \
             an upper bound. The fine lines show it."
        ),
        None => "A bare table has no standard errors, so all interactions are ranked, whether the data support them or not."
            .into(),
    };
    let part = |tiles: usize, name: &str, formula: &str| {
        let found = synergies(subject.table, subject.detail, tiles);
        let of_all = format!("{} of {}", grouped(found.len() as u64), count(subject, tiles));
        let (positive, negative) = ends(&found);
        html! {
            h3 { (name) }
            p.note { span.formula { (formula) } ", in points; " (of_all) " " (supported(subject)) "." }
            div.two {
                (half(subject, "Worth more together", &positive, "positive"))
                (half(subject, "Worth less together", &negative, "negative"))
            }
        }
    };
    let lead = format!("What tiles are worth together, beyond the sum of their separate values. {known}");
    let body = html! {
        (part(2, "Pairs", "V(ab) − V(a) − V(b)"))
        (part(3, "Triples", "V(abc) − V(ab) − V(ac) − V(bc) + V(a) + V(b) + V(c)"))
    };
    Section::new("synergies", "Synergies", "Synergies", lead, body)
}

fn count(subject: &Subject<'_>, tiles: usize) -> String {
    let ranking = subject.table.ranking();
    grouped(if tiles <= ranking.max_size() { ranking.indices_of_size(tiles).len() as u64 } else { 0 })
}

fn supported(subject: &Subject<'_>) -> &'static str {
    if subject.detail.is_some() { "are supported by the data" } else { "are ranked" }
}

/// The most positive and the most negative, each the largest first.
fn ends(found: &[Synergy]) -> (Vec<Synergy>, Vec<Synergy>) {
    let positive = found.iter().filter(|synergy| synergy.points > 0.0).take(SHOWN).copied().collect();
    let negative = found.iter().rev().filter(|synergy| synergy.points < 0.0).take(SHOWN).copied().collect();
    (positive, negative)
}

fn half(subject: &Subject<'_>, title: &str, found: &[Synergy], class: &str) -> Markup {
    if found.is_empty() {
        return missing(format!("{title}: none that the data support."));
    }
    let drawing = figure(chart(subject, title, found, class), title);
    html! { div { (drawing) details { summary { "As a table" } (listing(subject, found)) } } }
}

fn chart(subject: &Subject<'_>, title: &str, found: &[Synergy], class: &str) -> Markup {
    let height = TOP + ROW * found.len() as f64 + 2.0;
    let mut svg = Svg::new(WIDTH, height, &format!("{title}, in points"));
    let reach = |synergy: &Synergy| synergy.points.abs() + synergy.error_bound.unwrap_or_default();
    let label = 14.0 + 9.0 * found.iter().map(|synergy| name(subject, synergy).chars().count()).max().unwrap_or(2) as f64;
    let scale = Scale::new(found.iter().map(reach).chain([0.0]), label, WIDTH - 44.0);
    svg.ticks_above(&scale, 4, (TOP, height), |value| if class == "negative" { -value } else { value });
    for (row, synergy) in found.iter().enumerate() {
        let middle = TOP + ROW * (row as f64 + 0.5);
        let points = synergy.points.abs();
        svg.text("name", (0.0, middle + 4.0), Anchor::Start, &name(subject, synergy));
        svg.rectangle(class, (label, middle - 5.5), (scale.at(points) - label, 11.0));
        if let Some(bound) = synergy.error_bound {
            svg.line("interval", (scale.at((points - bound).max(0.0)), middle), (scale.at(points + bound), middle));
        }
        svg.text("value", (WIDTH, middle + 4.0), Anchor::End, &signed(synergy.points, 1));
    }
    svg.finish()
}

fn name(subject: &Subject<'_>, synergy: &Synergy) -> String {
    subject.table.ranking().unrank(synergy.index).show(subject.tileset)
}

fn listing(subject: &Subject<'_>, found: &[Synergy]) -> Markup {
    let mut head = vec!["leave", "#interaction", "#value"];
    if subject.detail.is_some() {
        head.extend(["#error at most", SUPPORT]);
    }
    let row = |synergy: &Synergy| {
        let value = subject.table.values()[synergy.index].points();
        let mut row = vec![signed(synergy.points, 2), signed(value, 2)];
        if let (Some(detail), Some(bound)) = (subject.detail, synergy.error_bound) {
            row.extend([format!("{bound:.2}"), grouped(detail.support[synergy.index].unsigned_abs())]);
        }
        row_of(leave_html(synergy.index, subject.table, subject.tileset), row)
    };
    table(&head, found.iter().map(row))
}
