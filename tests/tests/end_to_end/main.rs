//! End-to-end tests over the binary and across the crates; one test binary.

#![allow(clippy::unwrap_used)]

mod artefacts;
mod catalogues;
mod default_player;
mod documents;
mod drivers;
mod english;
mod evolve;
mod experiment;
mod export;
mod external;
mod mutants;
mod games;
#[cfg(unix)]
mod handed_over;
mod hostile;
mod infer;
mod json;
mod leaves;
mod lexicons;
mod limits;
mod linear;
mod match_games;
mod module_order;
mod network;
mod notebooks;
mod other_programs;
mod comparisons;
mod crash_tests;
mod pages;
mod references;
mod recorded_games;
mod recorded_turns;
mod refusals;
mod resuming;
mod round_robin;
mod schema;
mod sequential;
mod simulate;
mod solve;
mod strangers;
mod styles;
mod tables;
mod td;
mod win_percentage;
mod work;
mod work_queue;

use serde_json::Value;
use tilewright_tests::Workplace;

/// The keys of figures that depend on the machine: speeds and times.
const MACHINE_KEYS: [&str; 6] = [
    "games_per_second",
    "cpu_seconds",
    "cpu_seconds_a",
    "cpu_seconds_b",
    "cpu_seconds_a_per_game",
    "cpu_seconds_b_per_game",
];

/// The figures of a match in a file, without speeds and times.
fn figures_without_speeds(place: &Workplace, name: &str) -> Value {
    let mut json: Value = serde_json::from_slice(&std::fs::read(place.path(name)).unwrap()).unwrap();
    let object = json.as_object_mut().unwrap();
    for key in MACHINE_KEYS {
        object.remove(key);
    }
    json
}

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
