//! End-to-end tests over the binary and across the crates; one test binary.

#![allow(clippy::unwrap_used)]

mod artefacts;
mod catalogues;
mod documents;
mod evolve;
mod external;
mod games;
mod json;
mod leaves;
mod lexicons;
mod linear;
mod match_games;
mod module_order;
mod network;
mod references;
mod refusals;
mod resuming;
mod round_robin;
mod sequential;
mod simulate;
mod solve;
mod tables;
mod td;
mod win_percentage;

use tilewright_tests::Workplace;

fn workplace() -> Workplace {
    Workplace::new(env!("CARGO_BIN_EXE_tilewright-under-test"))
}

/// A workplace with the small tile set and its words, and the flags that choose them.
fn small_workplace() -> (Workplace, [&'static str; 4]) {
    let place = workplace();
    place.write("small.toml", tilewright_tests::SMALL_TILESET);
    place.write("small.txt", tilewright_tests::small_words());
    (place, ["--tileset", "small.toml", "--lexicon", "small.txt"])
}
