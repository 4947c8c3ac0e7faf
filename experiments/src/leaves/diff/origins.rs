//! What the manifests say of both tables.

use std::collections::BTreeSet;

use tilewright_engine::artefact::{Artefact, Manifest};
use tilewright_engine::lexicon::EMBEDDED_NAME;

use super::comparison::Comparison;
use crate::leaves::table::OpenTable;
use crate::report::html::{Section, html, table};

/// What a table without a manifest says.
const UNKNOWN: &str = "not recorded";

pub fn section(comparison: &Comparison) -> Section {
    let manifests = comparison.tables.each_ref().map(|open| open.artefact.as_ref().map(Artefact::manifest));
    let mut rows = Vec::new();
    let mut add = |name: &str, [a, b]: [String; 2]| {
        rows.push([name, &a, &b, verdict(&a, &b)].map(str::to_string));
    };
    add("table", comparison.tables.each_ref().map(|open| open.name.clone()));
    add("kind", [0, 1].map(|side| kind(&comparison.tables[side], manifests[side])));
    add("tile set and board", comparison.tables.each_ref().map(|open| open.tileset.name().to_string()));
    let of_both = |value: &dyn Fn(&Manifest) -> String| manifests.map(|manifest| manifest.map_or(UNKNOWN.into(), value));
    if manifests.iter().any(Option::is_some) {
        add("lexicon", of_both(&|manifest| manifest.lexicon.to_string()));
        add("seed", of_both(&|manifest| manifest.seed.to_string()));
        add("features", of_both(&|manifest| manifest.feature_set.clone()));
        add("version", of_both(&|manifest| manifest.code_version.clone()));
        let measured: BTreeSet<&String> = manifests.iter().flatten().flat_map(|manifest| manifest.metrics.keys()).collect();
        for name in measured {
            let value = |manifest: &Manifest| manifest.metrics.get(name).map_or(UNKNOWN.into(), |value| number(*value));
            add(&name.replace('_', " "), of_both(&value));
        }
    }
    let body = html! {
        (table(&["fact", "A", "B", "compared"], &rows))
        @for (name, manifest) in ["A", "B"].iter().zip(manifests) {
            @if let Some(Manifest { config, .. }) = manifest {
                details { summary { "The config of " (name) } pre tabindex="0" { (config) } }
            }
        }
    };
    Section::new("origins", "Origins", "How they were made", lead(manifests), body)
}

/// What comparing two facts says; nothing if one is not known.
fn verdict(a: &str, b: &str) -> &'static str {
    if a == b || a == UNKNOWN || b == UNKNOWN { "" } else { "differs" }
}

fn lead(manifests: [Option<&Manifest>; 2]) -> &'static str {
    match manifests {
        [Some(a), Some(b)] if a.lexicon.hash == b.lexicon.hash => "Both tables were made for the same words.",
        [Some(_), Some(_)] => {
            "The tables were made for different words, so a part of every difference is that of the lexicons."
        }
        _ => "A table without a manifest does not record how it was made.",
    }
}

fn kind(open: &OpenTable, manifest: Option<&Manifest>) -> String {
    match manifest {
        Some(manifest) => format!("artefact, {}", manifest.kind),
        None if open.is_embedded => format!("in the program, for {EMBEDDED_NAME}"),
        None => "bare file".into(),
    }
}

/// A figure with up to four decimals.
fn number(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_facts_differ() {
        assert_eq!([verdict("1", "1"), verdict("1", "2"), verdict("1", UNKNOWN)], ["", "differs", ""]);
    }

    #[test]
    fn figures_have_no_needless_zeros() {
        assert_eq!([0.6123, 1000.0, 12.5, 0.00001].map(number), ["0.6123", "1000", "12.5", "0"]);
    }
}
