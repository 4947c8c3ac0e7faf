//! What inputs lead to, without what differs from input to input: it tells whether an input shows something new.

use crate::target::Outcome;

/// What outcomes of the same kind have in common.
pub fn shape_of(outcome: &Outcome) -> String {
    match outcome {
        Ok(size) => format!("accepted {}", size.checked_ilog2().map_or(0, |bits| bits + 1)),
        Err(message) => shape(message),
    }
}

/// A message without numbers, without quotations, and without the lines that show a place in a file: its plain words.
pub fn shape(message: &str) -> String {
    let (mut quote, mut is_escaped) = (None, false);
    let lines = message.lines().filter(|line| !line.contains(" |"));
    let plain = lines.flat_map(|line| line.chars().chain([' '])).filter(|&letter| {
        let begins = quote.is_none() && matches!(letter, '"' | '`');
        let ends = quote == Some(letter) && !is_escaped;
        is_escaped = quote.is_some() && letter == '\\' && !is_escaped;
        let was_quoted = quote.is_some();
        if begins {
            quote = Some(letter);
        } else if ends {
            quote = None;
        }
        !begins && !was_quoted
    });
    let plain: String = plain.take(1000).collect();
    let is_plain = |word: &&str| {
        word.len() > 1 && word.trim_end_matches([':', ',', ';', '.']).chars().all(|letter| letter.is_ascii_lowercase())
    };
    plain.split(' ').filter(is_plain).take(30).collect::<Vec<_>>().join(" ")
}
