//! The comparison as one self-contained HTML page. It loads nothing from the network, and the same tables give the same bytes.

use tilewright_train::leaves::difference::LengthDifference;

use super::comparison::{Comparison, correlation_text};
use super::{listings, origins, scatter};
use crate::leaves::page::leave_html;
use crate::leaves::table::OpenTable;
use crate::report::html::{Markup, grouped, html, key_figure, signed};
use crate::report::page::{Page, page_header, repeat};

/// The page as HTML; a few hundred kilobytes.
pub fn write(comparison: &Comparison) -> String {
    let [a, b] = names(&comparison.tables);
    let mut sections = vec![scatter::section(comparison), listings::lengths(comparison), listings::few_tiles(comparison)];
    sections.extend(listings::largest(comparison));
    sections.push(origins::section(comparison));
    sections.push(repeat(&comparison.command, "The same tables give the same page.", None));
    let names = format!("{a} and {b}");
    let footer = html! {
        p { "The averages weight each leave by the expected number of times that a random full rack contains it." }
    };
    Page::new(&format!("Leave tables: {names}"), header(comparison, &names), sections, footer).write()
}

/// Short names of the tables, or the names that the command has if the short ones are the same.
fn names(tables: &[OpenTable; 2]) -> [String; 2] {
    let short = tables.each_ref().map(|open| match &open.artefact {
        Some(artefact) => artefact.manifest().lexicon.name.clone(),
        None if open.is_embedded => open.name.clone(),
        None => open.name.rsplit(['/', '\\']).next().unwrap_or(&open.name).to_string(),
    });
    if short[0] == short[1] { tables.each_ref().map(|open| open.name.clone()) } else { short }
}

fn header(comparison: &Comparison, title: &str) -> Markup {
    let [open_a, open_b] = &comparison.tables;
    let ranking = open_a.table.ranking();
    let facts = [
        format!("A: {}", open_a.title()),
        format!("B: {}", open_b.title()),
        format!("{} tile set", open_a.tileset.name()),
        format!("{} leaves of 1 to {} tiles", grouped(ranking.len() as u64 - 1), ranking.max_size()),
    ];
    let (lead, figures) = match comparison.difference.by_length.last() {
        Some(all) if !comparison.difference.is_none() => (summary(comparison, all), figures(comparison, all)),
        _ => (html! { "The tables are equal: every leave has the same value." }, Markup::default()),
    };
    page_header("Leave tables compared", title, &facts, lead, figures)
}

/// How far the tables are apart, in three lines.
fn summary(comparison: &Comparison, all: &LengthDifference) -> Markup {
    let LengthDifference { mean, mean_absolute, root_mean_square, correlation, .. } = all;
    let side = match signed(*mean, 2) {
        level if level == "0.00" => "on average neither table is higher".to_string(),
        _ if *mean > 0.0 => format!("on average A is {mean:.2} points higher"),
        _ => format!("on average A is {:.2} points lower", -mean),
    };
    let shared = 100.0 * correlation * correlation;
    html! {
        (format!("The values differ by {mean_absolute:.2} points, or {root_mean_square:.2} in the root mean square; {side}."))
        br;
        "Their correlation is " (correlation_text(*correlation)) ", so either table explains " (format!("{shared:.1}"))
        " % of how the values of the other vary."
        @if let Some(&index) = comparison.difference.largest(1).first() {
            @let [a, b] = comparison.values(index);
            br;
            "The largest difference is that of " (leave_html(index, &comparison.tables[0].table, &comparison.tables[0].tileset)) ", "
            (signed(a, 2)) " in A and " (signed(b, 2)) " in B; a million random racks hold it " (comparison.often(index)) " times."
        }
    }
}

fn figures(comparison: &Comparison, all: &LengthDifference) -> Markup {
    let largest = comparison.difference.largest(1).first().map_or(0.0, |&index| comparison.of(index));
    html! {
        (key_figure("mean difference, points", format!("{:.2}", all.mean_absolute), "absolute, weighted by use"))
        (key_figure("root mean square, points", format!("{:.2}", all.root_mean_square), "weighted by use"))
        (key_figure("correlation", correlation_text(all.correlation), "weighted by use"))
        (key_figure("largest difference, points", signed(largest, 2), "A − B"))
    }
}
