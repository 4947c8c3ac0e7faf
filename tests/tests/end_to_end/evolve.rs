//! `evolve`, the linear players and `bench features` from end to end.

use serde_json::Value;
use tilewright_tests::{Workplace, files_below};

use super::{small_workplace, td, workplace};

pub(super) const CONFIG: &str = r#"
lexicon = "small.txt"
tileset = "small.toml"
seed = 1
baseline = "greedy"
method = "cma-es"
population = 6
generations = 4
pairs = 8
fitness = "spread"
race = true
sigma = 0.5
restarts = 1
final_pairs = 30

[fixed]
score = 1.0

[weights]
blanks_kept = { start = 0.0, scale = 10.0, min = -60.0, max = 60.0 }
bingo_chance = { start = 5.0, scale = 10.0, min = -60.0, max = 60.0 }
bingo_lanes_opened = { start = 0.0, scale = 0.1, min = -5.0, max = 5.0 }

[promotion]
against = "greedy"
h0 = 1.0
h1 = 2.0
error_rate = 0.05
pairs = 400
seed = 9
"#;

fn evolve(place: &Workplace, out: &str, threads: &str) -> String {
    place.succeed(&["evolve", "evolve.toml", "--out", out, "--threads", threads, "--quiet"])
}

#[test]
fn an_evolution_logs_every_candidate_and_its_weights_play() {
    let (place, small) = small_workplace();
    place.write("evolve.toml", CONFIG);
    let printed = evolve(&place, "whole", "1");
    for part in ["8 generations, 2 searches", "start", "search 2", "(selected)", "blanks_kept", "promoted"] {
        assert!(printed.contains(part), "{part} in {printed}");
    }
    // The log has every candidate, and the promoted weights play.
    let log = std::fs::read_to_string(place.path("whole/generations.jsonl")).unwrap();
    let records: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), 8);
    let sizes: Vec<usize> = records.iter().map(|record| record["candidates"].as_array().unwrap().len()).collect();
    assert_eq!(sizes, [6, 6, 6, 6, 12, 12, 12, 12]);
    let series = ["match", "--player-a", "linear:whole", "--player-b", "greedy", "--pairs", "20", "--json", "m.json"];
    place.succeed(&[&series[..], &small[..]].concat());
    assert_eq!(evolve(&place, "whole", "2"), printed);
}

#[test]
fn weights_are_stored_with_their_leave_table() {
    let (place, small) = small_workplace();
    place.write("own.csv", "A,1.0\nE,3.0\n");
    let short = CONFIG.replace("generations = 4", "generations = 1").replace("restarts = 1\n", "");
    let config =
        short.replace("score = 1.0", "score = 1.0\nleave = 1.0").replace("seed = 1", "seed = 1\nleaves = \"own.csv\"");
    place.write("evolve.toml", &config);
    let printed = evolve(&place, "out", "2");
    assert!(printed.contains("--lexicon small.txt --tileset small.toml"), "{printed}");
    // With another table at the same path it is another run.
    place.write("own.csv", "A,9.0\nE,-3.0\n");
    evolve(&place, "other", "2");
    let generations =
        ["out", "other"].map(|run| std::fs::read_to_string(place.path(&format!("{run}/generations.jsonl"))).unwrap());
    assert_ne!(generations[0], generations[1]);
    std::fs::rename(place.path("out/manifest.json"), place.path("aside")).unwrap();
    place.refuse(&["evolve", "evolve.toml", "--out", "out"], &["out belongs to a run with another leave table"]);
    std::fs::rename(place.path("aside"), place.path("out/manifest.json")).unwrap();
    let generation = "work/search-00-generation-00001";
    std::fs::remove_file(place.path("other/manifest.json")).unwrap();
    std::fs::copy(place.path("out").join(generation), place.path("other").join(generation)).unwrap();
    place.refuse(&["evolve", "evolve.toml", "--out", "other"], &[generation, "made by another run"]);
    std::fs::remove_file(place.path("own.csv")).unwrap();
    let series = ["match", "--player-a", "linear:out", "--player-b", "greedy", "--pairs", "5"];
    place.succeed(&[&series[..], &small[..]].concat());
    assert!(std::fs::read_to_string(place.path("out/weights.toml")).unwrap().contains("leaves = \"leaves.klv2\""));
}

#[test]
fn some_weights_of_a_network_evolve() {
    let (place, small) = small_workplace();
    place.write("td.toml", td::network_config().replace("games = 480", "games = 60"));
    place.succeed(&["td", "td.toml", "--out", "net", "--quiet"]);
    let short = CONFIG.replace("generations = 4", "generations = 2").replace("restarts = 1\n", "");
    let (above, below) = (short.split("[fixed]").next().unwrap(), short.split("[promotion]").nth(1).unwrap());
    let network = "[network]\nstart = \"network:net\"\noutput_scale = 0.5\n";
    let skip = "[weights]\nblanks_kept = { start = 5.0, scale = 5.0, min = -20.0, max = 20.0 }\n";
    place.write("evolve.toml", format!("{above}{network}{skip}[promotion]{below}"));
    let printed = evolve(&place, "one", "1");
    for part in ["blanks_kept", "last layer: moved by", "network:one"] {
        assert!(printed.contains(part), "{part} in {printed}");
    }
    evolve(&place, "two", "2");
    let [net, one, two] = ["net", "one", "two"].map(|name| files_below(&place.path(name)));
    assert!(one == two && one["network.toml"] == net["network.toml"]);
    assert_ne!(one["network.safetensors"], net["network.safetensors"]);
    // A point has the skip weight and the four weights of the last layer.
    let first = String::from_utf8(one["generations.jsonl"].clone()).unwrap();
    let record: Value = serde_json::from_str(first.lines().next().unwrap()).unwrap();
    assert_eq!(record["mean"]["point"].as_array().unwrap().len(), 5);
    let series = ["match", "--player-a", "network:one", "--player-b", "network:net", "--pairs", "5"];
    place.succeed(&[&series[..], &small[..]].concat());
    place.write("wrong.toml", format!("{above}{network}{}[promotion]{below}", skip.replace("blanks_kept", "bag_emptied")));
    place.refuse(&["evolve", "wrong.toml", "--out", "wrong"], &["weights.bag_emptied", "does not have this feature"]);
}

#[test]
fn what_cannot_be_evolved_is_reported() {
    let (place, _) = small_workplace();
    let refuse = |from: &str, to: &str, parts: &[&str]| {
        assert!(CONFIG.contains(from), "{from}");
        place.write("wrong.toml", CONFIG.replace(from, to));
        place.refuse(&["evolve", "wrong.toml"], parts);
    };
    refuse("population = 6", "population = 1", &["wrong.toml", "population = 1", "4 to"]);
    refuse("pairs = 8", "pairs = \"eight\"", &["wrong.toml", "line 9", "eight"]);
    refuse("blanks_kept", "blancs_kept", &["wrong.toml", "blancs_kept"]);
    refuse("baseline = \"greedy\"", "baseline = \"greeedy\"", &["greeedy", "is not a player"]);
    refuse("max = 60.0", "max = 1e9", &["blanks_kept = 1000000000", "min and max"]);
    let sought = "score = { start = 1.0, scale = 1.0, min = -1.0, max = 2.0 }";
    refuse("score = 1.0\n\n[weights]", &format!("[weights]\n{sought}"), &["score = -1", "above 0"]);
    refuse(
        "[weights]",
        "[weights]\nleave = { start = 1, scale = 1, min = 0, max = 2 }",
        &["embedded leave table", "enable2k"],
    );
    place.refuse(&["evolve", "nowhere.toml"], &["nowhere.toml"]);
}

#[test]
fn linear_players_play_as_their_files_say() {
    let place = workplace();
    place.write("score.toml", "feature_version = 3\n[weights]\nscore = 2.0\nblanks_kept = 0.0\n");
    place.write("leave.toml", "feature_version = 3\n[weights]\nscore = 1.0\nleave = 1.0\n");
    let even = |a: &str, b: &str| {
        place.succeed(&["match", "--player-a", a, "--player-b", b, "--pairs", "25", "--json", "m.json"]);
        let json: Value = serde_json::from_slice(&std::fs::read(place.path("m.json")).unwrap()).unwrap();
        std::fs::remove_file(place.path("m.json")).unwrap();
        (json["pentanomial"][2].as_u64(), json["spread"]["mean"].as_f64())
    };
    // The score alone plays like greedy, and the score and the leave table like leave.
    assert_eq!(even("linear:score.toml", "greedy"), (Some(25), Some(0.0)));
    assert_eq!(even("linear:leave.toml", "leave"), (Some(25), Some(0.0)));
    let refuse = |text: &str, parts: &[&str]| {
        place.write("wrong.toml", text);
        place.refuse(&["match", "--player-a", "linear:wrong.toml", "--player-b", "leave", "--pairs", "1"], parts);
    };
    refuse("feature_version = 0\n[weights]\nscore = 1.0\n", &["linear:wrong.toml", "feature_version = 0"]);
    refuse("feature_version = 3\n[weights]\nscore = 0.0\n", &["score = 0", "above 0"]);
    refuse("feature_version = 3\n[weights]\nscore = 1.0\nleave = nan\n", &["leave = NaN"]);
    refuse("feature_version = 3\n[weights]\nscore = 1.0\nbingo = 1.0\n", &["line 4", "bingo"]);
    place.refuse(&["match", "--player-a", "linear:nowhere", "--player-b", "leave", "--pairs", "1"], &["linear:nowhere"]);
}

#[test]
fn features_are_listed_with_their_cost() {
    let (place, small) = small_workplace();
    let arguments = ["bench", "features", "--games", "1", "--player", "heuri2", "--quiet", "--json", "features.json"];
    let printed = place.succeed(&[&arguments[..], &small[..]].concat());
    assert!(printed.contains("µs per turn") && printed.contains("playable_bingo_points"), "{printed}");
    let rows: Value = serde_json::from_slice(&std::fs::read(place.path("features.json")).unwrap()).unwrap();
    let rows = rows["features"].as_array().unwrap();
    assert!(rows.len() > 25 && rows.iter().all(|row| row["microseconds"].is_f64() && row["unit"].is_string()));
}
