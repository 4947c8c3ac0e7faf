//! The plain English of prose and help: the counts of three patterns may only fall.

use crate::references::{files, prose};

/// A pattern, its limit, and the way to write instead.
struct Pattern {
    name: &'static str,
    most: usize,
    instead: &'static str,
    count: fn(&str) -> usize,
}

const PATTERNS: [Pattern; 3] = [
    Pattern { name: "a clause that begins with \"what\"", most: 27, instead: "a noun", count: clauses_with_what },
    Pattern { name: "\"that of\" and \"those of\"", most: 15, instead: "the noun again", count: pronouns },
    Pattern { name: "a semicolon", most: 115, instead: "two sentences", count: |text| text.matches("; ").count() },
];

fn clauses_with_what(text: &str) -> usize {
    let text = text.to_lowercase();
    // A question is no clause.
    let is_clause = |rest: &&str| {
        rest.split(['.', '?', '\n']).next().is_some_and(|sentence| rest.as_bytes().get(sentence.len()) != Some(&b'?'))
    };
    text.split("what ").skip(1).filter(is_clause).count()
}

fn pronouns(text: &str) -> usize {
    ["that of ", "those of ", "one that ", "ones that "].iter().map(|pattern| text.matches(pattern).count()).sum()
}

/// Pages that the program writes from texts in the sources.
const MADE: [&str; 6] = ["commands.md", "configs.md", "features.md", "json.md", "exit-codes.md", "data-dictionary.md"];

/// Documents but studies and the changelog, and the comments of code and configs, but not of studies: their results hash these texts. The help is
/// made of comments.
fn texts() -> Vec<String> {
    let is_made = |name: &str| MADE.iter().any(|made| name.ends_with(&format!("/{made}")));
    let is_read = |name: &&String| {
        !["configs/studies/", "experiments/studies/", "tests/"].iter().any(|folder| name.starts_with(folder))
            && !is_made(name)
    };
    files().iter().filter(is_read).filter_map(|name| prose(name)).collect()
}

#[test]
fn patterns_of_heavy_prose_become_fewer() {
    let texts = texts();
    for Pattern { name, most, instead, count } in PATTERNS {
        let found: usize = texts.iter().map(|text| count(text)).sum();
        assert!(found <= most, "{name}: {found} times, {most} at most; write {instead}");
        assert!(found + 10 > most, "{name}: {found} times; lower the limit of {most}");
    }
}
