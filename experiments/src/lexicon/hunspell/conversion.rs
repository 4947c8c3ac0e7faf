//! `OCONV`: replacements in the resulting words, for dictionaries that spell letters differently inside.

use std::borrow::Cow;

/// Replacements, the longest first.
#[derive(Clone, Debug, Default)]
pub struct Conversion(Vec<Replacement>);

#[derive(Clone, Debug)]
struct Replacement {
    from: String,
    to: String,
    only_at_start: bool,
    only_at_end: bool,
}

impl Conversion {
    /// Adds a replacement. `_` at an end of `from` restricts it to that end of a word; `_` elsewhere is a space.
    pub fn add(&mut self, from: &str, to: &str) {
        let only_at_start = from.starts_with('_');
        let from = from.strip_prefix('_').unwrap_or(from);
        let only_at_end = from.ends_with('_');
        let from = from.strip_suffix('_').unwrap_or(from).replace('_', " ");
        let to = to.replace('_', " ");
        if !from.is_empty() {
            self.0.push(Replacement { from, to, only_at_start, only_at_end });
            // The sort is stable: of two with the same length, the first in the file wins.
            self.0.sort_by_key(|replacement| std::cmp::Reverse(replacement.from.len()));
        }
    }

    /// Converts a word: from the left, the longest replacement that fits at each place.
    pub fn apply<'w>(&self, word: &'w str) -> Cow<'w, str> {
        if self.0.is_empty() {
            return word.into();
        }
        let mut read = String::with_capacity(word.len());
        let mut rest = word;
        while let Some(character) = rest.chars().next() {
            let fitting = self.0.iter().find_map(|replacement| {
                let after = rest.strip_prefix(&replacement.from)?;
                let at_start = rest.len() == word.len();
                let fits = (at_start || !replacement.only_at_start) && (after.is_empty() || !replacement.only_at_end);
                fits.then_some((&replacement.to, after))
            });
            if let Some((to, after)) = fitting {
                read += to;
                rest = after;
            } else {
                read.push(character);
                rest = &rest[character.len_utf8()..];
            }
        }
        read.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_fitting_replacement_wins() {
        let mut conversion = Conversion::default();
        for (from, to) in [("a", "1"), ("aa", "2"), ("_b", "3"), ("b_", "4"), ("_", "x"), ("__", "y")] {
            conversion.add(from, to);
        }
        for (word, read) in [("aaa", "21"), ("bab", "314"), ("ñbñ", "ñbñ"), ("", "")] {
            assert_eq!(conversion.apply(word), read);
        }
    }
}
