//! English word lists, drawn from the embedded one.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use rand::RngExt;
use tilewright_engine::rng::Stream;
use tilewright_engine::setup::Setup;

/// The number of words of more than three letters in a list.
const LONGER_WORDS: usize = 350;

/// Returns all words of two and three letters and some longer ones.
pub fn english_words(stream: &mut Stream) -> Vec<Vec<u8>> {
    static ALL: OnceLock<[Vec<Vec<u8>>; 2]> = OnceLock::new();
    let [short, long] = ALL.get_or_init(|| {
        let lexicon = Setup::embedded("english").expect("an embedded tile set").lexicon;
        let mut words = [Vec::new(), Vec::new()];
        lexicon.graph.for_each_word(|word| words[usize::from(word.len() > 3)].push(word.to_vec()));
        words
    });
    let mut words = BTreeSet::from_iter(short.clone());
    while words.len() < short.len() + LONGER_WORDS {
        words.insert(long[stream.random_range(0..long.len())].clone());
    }
    words.into_iter().collect()
}
