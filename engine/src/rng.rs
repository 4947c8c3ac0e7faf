//! Named random streams.
//!
//! Every random number comes from a stream that is named by seed, purpose and index. So a game is a function of its index,
//! and the number of threads never changes a result. Streams of different purposes or indices are unrelated.

use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sha2::{Digest, Sha256};

/// A deterministic random generator, not cryptographically secure.
pub type Stream = Xoshiro256PlusPlus;

/// Creates the stream of a seed, a purpose and an index.
pub fn stream(seed: u64, purpose: &str, index: u64) -> Stream {
    let mut hasher = Sha256::new();
    hasher.update(seed.to_le_bytes());
    hasher.update(index.to_le_bytes());
    hasher.update(purpose.as_bytes());
    Xoshiro256PlusPlus::from_seed(hasher.finalize().into())
}

/// Shuffles in place (Fisher–Yates). Every order is equally likely.
pub fn shuffle<T>(items: &mut [T], stream: &mut impl Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, stream.random_range(0..=last));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_reproducible_and_differ_in_seed_purpose_and_index() {
        let draw = |seed, purpose, index| stream(seed, purpose, index).next_u64();
        assert_eq!(draw(1, "deal", 7), draw(1, "deal", 7));
        assert_ne!(draw(1, "deal", 7), draw(2, "deal", 7));
        assert_ne!(draw(1, "deal", 7), draw(1, "deal", 8));
        assert_ne!(draw(1, "deal", 7), draw(1, "exchange", 7));
    }

    #[test]
    fn shuffling_reaches_every_order_about_equally_often() {
        let mut tally = std::collections::HashMap::new();
        for index in 0..6000 {
            let mut items = [1, 2, 3];
            shuffle(&mut items, &mut stream(3, "test", index));
            *tally.entry(items).or_insert(0) += 1;
        }
        assert_eq!(tally.len(), 6);
        assert!(tally.values().all(|&count| (850..1150).contains(&count)), "{tally:?}");
    }
}
