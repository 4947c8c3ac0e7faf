//! Spanish verb forms with attached pronouns, such as `darlo`, `dándoselo` and `hazme`.
//!
//! Dictionaries contain them as words of their own; word lists of the game do not. The ending is one pronoun or two, and
//! the host is the rest of the word. Accents are ignored: the host of `dándolo` is `dando`.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::spelling::without_accents;

/// Recognises verb forms with pronouns.
#[derive(Debug)]
pub struct Enclitics {
    endings: BTreeSet<String>,
}

impl Enclitics {
    /// Takes the pronouns. Endings are single pronouns, and pairs such as `selo` in which only the second begins with `l`.
    pub fn new(pronouns: &[String]) -> Enclitics {
        let (objects, others): (Vec<&String>, Vec<&String>) = pronouns.iter().partition(|pronoun| pronoun.starts_with('l'));
        let pairs = others.iter().flat_map(|first| objects.iter().map(move |second| format!("{first}{second}")));
        Enclitics { endings: pronouns.iter().cloned().chain(pairs).filter(|ending| !ending.is_empty()).collect() }
    }

    pub fn is_empty(&self) -> bool {
        self.endings.is_empty()
    }

    /// Whether affixes formed `word` by attaching pronouns to the infinitive or to its gerund. `curse` from `cursar` is not
    /// such a word.
    pub fn are_in(&self, word: &str, infinitive: &str) -> bool {
        let infinitive = without_accents(infinitive);
        if self.is_empty() || !infinitive.ends_with('r') {
            return false;
        }
        // A gerund is longer than its infinitive; `despendo`, from `despendola`, is not.
        let is_host = |host: &str| host.ends_with(&infinitive) || (host.ends_with("ndo") && host.len() > infinitive.len());
        self.parts(&without_accents(word)).any(|(host, _)| is_host(host))
    }

    /// Whether a listed word is a pronominal infinitive such as `antojarse`.
    pub fn end_infinitive(&self, word: &str) -> bool {
        let word = without_accents(word);
        self.endings.contains("se") && ["arse", "erse", "irse"].iter().any(|ending| word.ends_with(ending))
    }

    /// The listed words whose host is a known word (without accents) and is listed with another ending too: of `dala`,
    /// `dalo`, `duran`, `durante` the first two. A host with one ending only is mostly part of a noun or an adjective.
    pub fn among<'a>(&self, listed: &[&'a str], known: &HashSet<String>) -> HashSet<&'a str> {
        let bare: Vec<String> = listed.iter().map(|word| without_accents(word)).collect();
        let all: HashSet<&str> = bare.iter().map(String::as_str).collect();
        let mut by_host: BTreeMap<&str, BTreeMap<&str, Vec<&'a str>>> = BTreeMap::new();
        for (word, &listed) in bare.iter().zip(listed) {
            for (host, ending) in self.parts(word).filter(|(host, _)| host.len() > 1 && known.contains(*host)) {
                // `jugase` is a subjunctive because `jugases` exists.
                if ending != "se" || !all.contains(format!("{word}s").as_str()) {
                    by_host.entry(host).or_default().entry(ending).or_default().push(listed);
                }
            }
        }
        by_host.into_values().filter(|endings| endings.len() > 1).flat_map(BTreeMap::into_values).flatten().collect()
    }

    /// All splits of a word into a host and an ending.
    fn parts<'w>(&self, word: &'w str) -> impl Iterator<Item = (&'w str, &'w str)> {
        let split = |ending: &String| Some(word.split_at(word.strip_suffix(ending.as_str())?.len()));
        self.endings.iter().filter_map(split)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn enclitics() -> Enclitics {
        Enclitics::new(&["me", "te", "se", "lo", "la"].map(str::to_string))
    }

    #[test]
    fn affixes_attach_pronouns_to_infinitives_and_gerunds() {
        let made = [
            ("comprarlo", "comprar", true),
            ("comprárselo", "comprar", true),
            ("oírse", "oír", true),
            ("comprándola", "comprar", true),
            ("comprase", "comprar", false),
            ("curse", "cursar", false),
            ("verse", "versar", false),
            ("verse", "ver", true),
            ("compro", "comprar", false),
            ("comprar", "comprar", false),
            ("burla", "burlar", false),
            ("despendola", "despendolar", false),
            ("reactivarse", "activar", true),
            ("yéndose", "ir", true),
            ("góndola", "góndola", false),
        ];
        for (word, stem, is_enclitic) in made {
            assert_eq!(enclitics().are_in(word, stem), is_enclitic, "{word} of {stem}");
        }
    }

    #[test]
    fn listed_forms_are_recognised_by_their_host() {
        let known = ["da", "dando", "haz", "duran", "per", "juga", "a", "jugar"].map(str::to_string).into();
        let listed = [
            "dala", "dámelo", "durante", "dándose", "dándolo", "hazme", "hazte", "perla", "ala", "ale", "hueme", "huelo",
            "jugase", "jugases", "jugala", "jugame",
        ];
        let found = enclitics().among(&listed, &known);
        let expected = ["dala", "dámelo", "dándose", "dándolo", "hazme", "hazte", "jugala", "jugame"];
        assert_eq!(found, expected.into());
        assert!(enclitics().end_infinitive("antojarse") && !enclitics().end_infinitive("morse"));
    }

    #[test]
    fn without_pronouns_nothing_is_recognised() {
        let none = Enclitics::new(&[]);
        assert!(!none.are_in("comprarlo", "comprar") && !none.end_infinitive("antojarse"));
        assert!(none.is_empty() && none.among(&["dala", "dale"], &["da".to_string()].into()).is_empty());
    }
}
