//! Conditions: patterns that the end (or the beginning) of a word must match for an affix.

use crate::Failure;

/// A pattern with one place per character.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition(Vec<Place>);

/// One of some characters, or any other.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    characters: Vec<char>,
    excludes: bool,
}

impl Place {
    fn fits(&self, character: char) -> bool {
        self.characters.contains(&character) != self.excludes
    }
}

impl Condition {
    /// Reads a condition. `.` is any character, `[abc]` one of these, `[^abc]` any other, and every other character is
    /// itself. There are no ranges: `[a-c]` is `a`, `-` or `c`. A single `.` is no condition; an empty word matches it too.
    pub fn read(text: &str) -> Result<Condition, Failure> {
        let mut places = Vec::new();
        let mut characters = text.chars();
        while text != "."
            && let Some(character) = characters.next()
        {
            let (characters, excludes) = match character {
                '.' => (Vec::new(), true),
                '[' => {
                    let class: Vec<char> = characters.by_ref().take_while(|&character| character != ']').collect();
                    // A class that reaches the end of the text is not closed, unless the last character is its bracket.
                    if characters.as_str().is_empty() && !text.ends_with(']') {
                        return Err(Failure::input(format!("the [ of condition {text:?} is not closed; close it with ]")));
                    }
                    match class.split_first() {
                        Some(('^', rest)) => (rest.to_vec(), true),
                        _ => (class, false),
                    }
                }
                _ => (vec![character], false),
            };
            places.push(Place { characters, excludes });
        }
        Ok(Condition(places))
    }

    /// Whether the first characters of the word fit.
    pub fn fits_start(&self, word: &str) -> bool {
        let mut characters = word.chars();
        self.0.iter().all(|place| characters.next().is_some_and(|character| place.fits(character)))
    }

    /// Whether the last characters of the word fit.
    pub fn fits_end(&self, word: &str) -> bool {
        let mut characters = word.chars().rev();
        self.0.iter().rev().all(|place| characters.next().is_some_and(|character| place.fits(character)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_compared_from_either_side() {
        let cases = [
            (".", "", true, true),
            ("..", "a", false, false),
            ("..", "ab", true, true),
            ("[aeiou]r", "amar", false, true),
            ("[^aeiou]r", "amar", false, false),
            ("[^aeiou]r", "trs", true, false),
            ("[^ab]", "ñu", true, true),
            ("[^ab]", "", false, false),
            ("ñ", "niñ", false, true),
            ("[a-c]", "b", false, false),
            ("[a-c]", "-", true, true),
            ("[^^]", "^", false, false),
            ("[]", "a", false, false),
        ];
        for (condition, word, start, end) in cases {
            let read = Condition::read(condition).unwrap();
            assert_eq!((read.fits_start(word), read.fits_end(word)), (start, end), "{condition} {word}");
        }
    }

    #[test]
    fn an_open_class_is_refused() {
        for text in ["[", "[ab", "a[^", "[a][b"] {
            assert!(Condition::read(text).unwrap_err().message().contains(text));
        }
    }
}
