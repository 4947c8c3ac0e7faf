//! `linear fit` from end to end.

use serde_json::Value;
use tilewright_tests::files_below;

use super::small_workplace;

pub(super) const CONFIG: &str = r#"
lexicon = "small.txt"
tileset = "small.toml"
seed = 1
leaves = "table.csv"
games = 400
held_out = 4
features = ["leave", "tiles_played", "blanks_kept", "hooks_opened"]
candidate_moves = 10

[candidates]
player = "leave:table.csv"
turns = 2
candidates = 6
window = 15.0
deals = 4
plies = 2
shard_games = 40

[candidates.exploration]
softmax = 0.2
temperature = 5.0
"#;

#[test]
fn a_fit_writes_weights_that_play_and_the_same_bytes_on_any_number_of_threads() {
    let (place, small) = small_workplace();
    place.write("table.csv", "A,1\nE,3\nS,6\nEE,-2\nAA,-4\nZ,5\n?,20\n");
    place.write("fit.toml", CONFIG);
    let fit = |out, threads| place.succeed(&["linear", "fit", "fit.toml", "--out", out, "--threads", threads, "--quiet"]);
    let printed = fit("one", "1");
    for part in ["gain per turn", "hooks_opened", "linear:one"] {
        assert!(printed.contains(part), "{part} in {printed}");
    }
    fit("three", "3");
    assert!(files_below(&place.path("one")) == files_below(&place.path("three")));

    let report: Value = serde_json::from_slice(&files_below(&place.path("one"))["report.json"]).unwrap();
    let [seen, held_out] = [&report["training_sets"], &report["held_out"]["all"]["sets"]].map(|sets| sets.as_u64().unwrap());
    assert!(held_out > 50 && (3 * held_out / 2..3 * held_out).contains(&seen), "{report}");
    let stages: u64 =
        report["held_out"]["stages"].as_array().unwrap().iter().map(|stage| stage[1]["sets"].as_u64().unwrap()).sum();
    assert_eq!(stages, held_out);
    // Playouts know more than the static player, and so does what was learned from them.
    assert!(report["held_out"]["all"]["explained"].as_f64().unwrap() > 0.0, "{report}");

    // The same by flags.
    place.write("plain.toml", CONFIG.replace("leaves = \"table.csv\"\n", "").replace("leave:table.csv", "leave"));
    let by_flags = ["linear", "fit", "plain.toml", "--leaves", "table.csv", "--out", "flags", "--quiet"];
    place.succeed(&by_flags);
    assert!(files_below(&place.path("one")) == files_below(&place.path("flags")));

    let series = ["match", "--player-a", "linear:one", "--player-b", "greedy", "--pairs", "5"];
    place.succeed(&[&series[..], &small[..]].concat());
}

#[test]
fn what_cannot_be_fitted_is_refused() {
    let (place, _) = small_workplace();
    place.write("table.csv", "A,1\n");
    let refuse = |from: &str, to: &str, parts: &[&str]| {
        assert!(CONFIG.contains(from), "{from}");
        place.write("fit.toml", CONFIG.replace(from, to));
        place.refuse(&["linear", "fit", "fit.toml", "--out", "refused"], parts);
    };
    refuse("\"hooks_opened\"", "\"hook\"", &["fit.toml", "hook"]);
    refuse("\"hooks_opened\"", "\"score\"", &["fit.toml", "score has the weight 1 already"]);
    refuse("window = 15.0", "window = -1.0", &["candidates.window = -1; expected"]);
    place.write("sim.toml", "ranker = \"greedy\"\n");
    let simulates = &["candidates.player = sim:sim.toml; expected a static player"];
    refuse("player = \"leave:table.csv\"", "player = \"sim:sim.toml\"", simulates);
    refuse("held_out = 4", "held_out = 401", &["held_out = 401", "games = 400"]);
    refuse("[candidates]", "[target]\npoints_per_win = 0.0\n[candidates]", &["target.points_per_win = 0; expected"]);
}
