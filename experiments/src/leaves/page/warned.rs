//! Warnings: leaves whose values the data do not support.

use tilewright_train::leaves::warnings::{FACTOR, Reason, USUAL, WELL_SUPPORTED, Warning, WarningCounts};

use super::subject::{SUPPORT, Subject, leave_html};
use crate::report::html::{Markup, Section, classed_table, grouped, html, missing, row_of, signed, table};

/// Leaves listed, the worst first.
const LISTED: usize = 48;

pub fn section(subject: &Subject<'_>) -> Section {
    let warnings = subject.warnings;
    let body = match subject.detail {
        _ if !warnings.leaves.is_empty() => html! { (counts(subject)) (listing(subject)) },
        Some(_) => html! { p.good { "None. Every value of the table is supported by the rules below." } },
        None => html! { p.good { "None by the first rule below, the only one that needs no support." } },
    };
    let lead = "Leaves whose values the data do not support. The known failure of leave tables is the gravity well: a large \
               leave that was rarely held has a value far from anything observed, and a player then aims for it.";
    Section::new("warnings", "Warnings", "Warnings", lead, html! { (body) (rules(subject)) })
}

fn counts(subject: &Subject<'_>) -> Markup {
    let WarningCounts { leaves, far_from_parts, beyond_seen, guesses } = subject.warnings.counts();
    let mut rows = vec![("far from its parts", far_from_parts)];
    if subject.detail.is_some() {
        rows.extend([("beyond anything seen", beyond_seen), ("no more than a guess", guesses)]);
    }
    rows.push(("leaves in all", leaves));
    table(&["warning", "#leaves"], rows.into_iter().map(|(name, count)| [name.to_string(), grouped(count as u64)]))
}

fn listing(subject: &Subject<'_>) -> Markup {
    let mut head = vec!["leave", "#value"];
    if subject.detail.is_some() {
        head.extend(["#error", SUPPORT]);
    }
    head.push("why");
    let row = |warning: &Warning| {
        let value = subject.table.values()[warning.index].points();
        let mut row = vec![signed(value, 1)];
        if let Some(detail) = subject.detail {
            row.push(format!("{:.1}", detail.standard_error[warning.index]));
            row.push(grouped(detail.support[warning.index].unsigned_abs()));
        }
        let reasons: Vec<String> = warning.reasons.iter().map(|reason| reason_text(reason, value)).collect();
        row.push(reasons.join("; "));
        row_of(leave_html(warning.index, subject.table, subject.tileset), row)
    };
    let warned = &subject.warnings.leaves;
    let title = if warned.len() > LISTED { format!("The {LISTED} worst") } else { "All of them".into() };
    let listed = classed_table("why", &head, warned.iter().take(LISTED).map(row));
    html! { h3 { (title) } (listed) }
}

fn reason_text(reason: &Reason, value: f64) -> String {
    match *reason {
        Reason::FarFromParts { expected, limit } => {
            format!("far from its parts: they predict {}, and a distance of up to {limit:.1} is usual", signed(expected, 1))
        }
        Reason::BeyondSeen { extreme } => {
            let side = if value > extreme { "above the best" } else { "below the worst" };
            format!("beyond anything seen: {:.1} {side}, {}", (value - extreme).abs(), signed(extreme, 1))
        }
        Reason::Guess { spread } => format!("no more than a guess: the standard deviation of its length is {spread:.1}"),
    }
}

fn rules(subject: &Subject<'_>) -> Markup {
    html! {
        h3 { "The rules" }
        dl.rules {
            dt { "Far from its parts" }
            dd {
                "The leave was held in fewer than " (WELL_SUPPORTED) " turns. Even the near end of its 95 % interval is more than "
                (FACTOR) " times as far from the value that its parts predict as " (format!("{:.0}", 100.0 * USUAL))
                " % of the well-supported leaves of its length are. The parts predict the median, over the pairs of kinds "
                i { "t" } ", " i { "u" } " of the leave, of " span.formula { "V(L − t) + V(L − u) − V(L − t − u)" } "."
            }
            dt { "Beyond anything seen" }
            dd { "The leave has as little support, and its whole 95 % interval is above the best or below the worst well-supported leave: \
                the value is an extrapolation." }
            dt { "No more than a guess" }
            dd { "The standard error exceeds the standard deviation of values of its length." }
        }
        @if subject.detail.is_none() {
            (missing("A bare table has neither support nor errors, so only the first rule applies: it compares every leave with all \
                leaves of its length. Such a warning may be wrong: QU, for example, is really worth far more than Q and U."))
        }
    }
}
