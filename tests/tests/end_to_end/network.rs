//! `network train` from end to end.

use serde_json::Value;
use tilewright_tests::files_below;

use super::{linear, small_workplace};

/// The config of the linear fit, with what a network needs besides.
pub(super) fn config() -> String {
    let network = "margin = 20.0\nhidden = [6, 4]\nepochs = 5\nbatch_sets = 32\nlearning_rate = 0.01\nweight_decay = 0.01\n";
    let features = linear::CONFIG.replace("features = [", "features = [\"tiles_in_bag\", ");
    features.replace("\n[candidates]\n", &format!("{network}\n[candidates]\n"))
}

#[test]
fn a_network_is_trained_to_the_same_bytes_on_any_number_of_threads_and_plays() {
    let (place, small) = small_workplace();
    place.write("table.csv", "A,1\nE,3\nS,6\nEE,-2\nAA,-4\nZ,5\n?,20\n");
    place.write("network.toml", config());
    let train =
        |out, threads| place.succeed(&["network", "train", "network.toml", "--out", out, "--threads", threads, "--quiet"]);
    let printed = train("one", "1");
    for part in ["linear fit", "gain per turn", "network:one"] {
        assert!(printed.contains(part), "{part} in {printed}");
    }
    train("three", "3");
    let files = files_below(&place.path("one"));
    assert!(files == files_below(&place.path("three")));

    let report: Value = serde_json::from_slice(&files["report.json"]).unwrap();
    let explained = |fit: &str| report[fit]["all"]["explained"].as_f64().unwrap();
    // The best epoch counts, and training begins at the linear fit.
    assert!(explained("network") >= explained("linear") - 1e-6, "{report}");
    assert_eq!(report["epochs"].as_array().unwrap().len(), 5);
    let errors: Vec<f64> = report["epochs"].as_array().unwrap().iter().map(|one| one["error"].as_f64().unwrap()).collect();
    assert!(errors[4] < errors[0] && errors[4] < 1.0, "{errors:?}");

    let series = ["match", "--player-a", "network:one", "--player-b", "greedy", "--pairs", "5"];
    place.succeed(&[&series[..], &small[..]].concat());
    // Against itself it is exactly level.
    let level = ["match", "--player-a", "network:one", "--player-b", "network:three", "--pairs", "20"];
    let printed = place.succeed(&[&level[..], &small[..]].concat());
    assert!(printed.contains("50.00 %") && printed.contains("+0.00"), "{printed}");
}

#[test]
fn damaged_and_mismatched_networks_are_refused_by_name() {
    let (place, small) = small_workplace();
    place.write("table.csv", "A,1\nE,3\nS,6\n");
    place.write("network.toml", config().replace("games = 400", "games = 80"));
    place.succeed(&["network", "train", "network.toml", "--out", "net", "--quiet"]);
    let play = ["match", "--player-a", "network:net", "--player-b", "greedy", "--pairs", "1"];
    place.refuse(&play, &["net", "tile set small", "english"]);
    let played = [&play[..], &small[..]].concat();
    place.succeed(&played);
    let path = place.path("net/network.safetensors");
    let mut bytes = std::fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    place.refuse(&played, &["net/network.safetensors", "does not match its checksum"]);

    let refuse = |from: &str, to: &str, parts: &[&str]| {
        assert!(config().contains(from), "{from}");
        place.write("bad.toml", config().replace(from, to));
        place.refuse(&["network", "train", "bad.toml", "--out", "refused"], parts);
    };
    refuse("hidden = [6, 4]", "hidden = []", &["bad.toml", "hidden = []; expected"]);
    refuse("margin = 20.0", "margin = 0.0", &["margin = 0; expected"]);
    refuse("\"tiles_in_bag\"", "\"score\"", &["not score"]);
}
