//! `td` from end to end.

use tilewright_tests::files_below;

use super::small_workplace;

pub(super) const CONFIG: &str = r#"
lexicon = "small.txt"
tileset = "small.toml"
seed = 1
target = "points"
lambda = 0.5
rate = 0.01
rate_games = 100
games = 600
batch_games = 50

[exploration]
softmax = 0.1
temperature = 4.0
forced_leaves = 0.1
"#;

#[test]
fn a_run_learns_a_table_that_plays_and_writes_its_learning_curve() {
    let (place, small) = small_workplace();
    place.write("td.toml", CONFIG);
    let printed = place.succeed(&["td", "td.toml", "--out", "whole", "--quiet", "--threads", "1"]);
    for part in ["tile", "learned", "600 games", "leave:whole"] {
        assert!(printed.contains(part), "{part} in {printed}");
    }
    let series = ["match", "--player-a", "leave:whole", "--player-b", "greedy", "--pairs", "5"];
    place.succeed(&[&series[..], &small[..]].concat());
    let course = std::fs::read_to_string(place.path("whole/course.csv")).unwrap();
    assert_eq!(course.lines().count(), 1 + 12);
}

#[test]
fn recorded_games_are_learned_from_too() {
    let (place, small) = small_workplace();
    let selfplay = ["selfplay", "--games", "40", "--player", "greedy", "--out", "records", "--quiet"];
    place.succeed(&[&selfplay[..], &small[..]].concat());
    let text = CONFIG.split("[exploration]").next().unwrap().to_string() + "records = \"records\"\n";
    place.write("replay.toml", &text);
    let printed = place.succeed(&["td", "replay.toml", "--out", "replayed", "--quiet"]);
    assert!(printed.contains("600 games"), "{printed}");
    // A damaged state is rebuilt.
    let state = place.path("replayed/work/state");
    let whole = files_below(&place.path("replayed"));
    std::fs::remove_file(place.path("replayed/manifest.json")).unwrap();
    std::fs::write(&state, &whole["work/state"][..whole["work/state"].len() / 2]).unwrap();
    place.succeed(&["td", "replay.toml", "--out", "replayed", "--quiet"]);
    assert_eq!(files_below(&place.path("replayed")), whole);
    // With other records of the same name it is another run.
    std::fs::remove_file(place.path("replayed/manifest.json")).unwrap();
    std::fs::remove_dir_all(place.path("records")).unwrap();
    place.succeed(&[&selfplay[..], &["--seed", "2"], &small[..]].concat());
    place.refuse(
        &["td", "replay.toml", "--out", "replayed"],
        &["replayed belongs to a run with another content of the records"],
    );
    // Records of another tile set are refused.
    let other = ["td", "replay.toml", "--tileset", "english", "--lexicon", "enable2k", "--out", "other"];
    place.refuse(&other, &["records", "tile set small", "this run uses english"]);
    place.write("both.toml", text.clone() + "[exploration]\nforced_leaves = 0.5\n");
    place.refuse(&["td", "both.toml"], &["both.toml", "nothing can be explored"]);
    place.write("nowhere.toml", text.replace("\"records\"", "\"nowhere\""));
    place.refuse(&["td", "nowhere.toml", "--out", "n"], &["records nowhere"]);
}

const FEATURES: &str = "\n[features]\ntiles_in_bag = 10.0\nvowel_imbalance = 2.0\nbag_emptied = 1.0\nhooks_opened = 0.3\n";

#[test]
fn features_are_learned_and_played_with() {
    let (place, small) = small_workplace();
    let text = CONFIG.replace("rate = 0.01\nrate_games = 100", "method = \"least-squares\"") + FEATURES;
    place.write("features.toml", &text);
    let printed = place.succeed(&["td", "features.toml", "--out", "learned", "--quiet"]);
    for part in ["bag_emptied", "learned values of tiles", "linear:learned"] {
        assert!(printed.contains(part), "{part} in {printed}");
    }
    let course = std::fs::read_to_string(place.path("learned/course.csv")).unwrap();
    assert!(course.lines().next().unwrap().ends_with(",tiles_in_bag,vowel_imbalance,bag_emptied,hooks_opened"), "{course}");
    // The folder has everything that the player needs, wherever it is moved.
    std::fs::create_dir(place.path("elsewhere")).unwrap();
    std::fs::rename(place.path("learned"), place.path("elsewhere/moved")).unwrap();
    let series = ["match", "--player-a", "linear:elsewhere/moved", "--player-b", "greedy", "--pairs", "5"];
    place.succeed(&[&series[..], &small[..]].concat());
    std::fs::remove_file(place.path("elsewhere/moved/leaves.klv2")).unwrap();
    place.refuse(&[&series[..], &small[..]].concat(), &["leaves.klv2"]);
    let as_table = series.map(|word| word.replace("linear:", "leave:"));
    place.refuse(&[&as_table.each_ref().map(String::as_str)[..], &small[..]].concat(), &["linear", "leaves"]);
}

/// A network that begins from nothing.
pub(super) fn network_config() -> String {
    let shape = "[network]\nstep_games = 10\n[network.shape]\nfeatures = [\"tiles_in_bag\", \"blanks_kept\", \"tiles_played\", \
                 \"hooks_opened\"]\nextra_inputs = [\"score\", \"leave_tiles\"]\ncandidate_moves = 8\nmargin = 20.0\nhidden = [8, 4]\n";
    CONFIG.replace("games = 600", "games = 480") + shape
}

#[test]
fn a_network_learns_to_the_same_bytes_on_any_number_of_threads_and_plays() {
    let (place, small) = small_workplace();
    place.write("network.toml", network_config());
    let td = |config, out, threads| place.succeed(&["td", config, "--out", out, "--threads", threads, "--quiet"]);
    let printed = td("network.toml", "one", "1");
    for part in ["largest of 3 weights", "blanks_kept", "480 games", "network:one"] {
        assert!(printed.contains(part), "{part} in {printed}");
    }
    td("network.toml", "two", "2");
    let files = files_below(&place.path("one"));
    assert!(files == files_below(&place.path("two")));
    let course = String::from_utf8(files["course.csv"].clone()).unwrap();
    assert!(course.starts_with("games,error,level,level_bag,level_spread,level_late_spread\n50,"), "{course}");
    assert_eq!(course.lines().count(), 1 + 10);
    let series = ["match", "--player-a", "network:one", "--player-b", "greedy", "--pairs", "5"];
    place.succeed(&[&series[..], &small[..]].concat());

    // It goes on from there, and only the output layer learns.
    let text = CONFIG.replace("games = 600", "games = 100");
    place.write("on.toml", text.clone() + "[network]\nstart = \"network:one\"\nlearn = [\"output\"]\n");
    td("on.toml", "on", "2");
    let on = files_below(&place.path("on"));
    assert!(on["network.safetensors"] != files["network.safetensors"] && on["network.toml"] == files["network.toml"]);
    // With another network of the same name it is another run.
    std::fs::remove_file(place.path("on/manifest.json")).unwrap();
    std::fs::rename(place.path("one"), place.path("first")).unwrap();
    place.write("other.toml", network_config().replace("seed = 1", "seed = 2"));
    td("other.toml", "one", "2");
    place.refuse(&["td", "on.toml", "--out", "on"], &["on belongs to a run with another network"]);
    place.write("nowhere.toml", text + "[network]\nstart = \"network:nowhere\"\n");
    place.refuse(&["td", "nowhere.toml", "--out", "n"], &["network.start = \"network:nowhere\"", "nowhere: No such file"]);
}

#[test]
fn a_network_keeps_its_leave_table() {
    let (place, small) = small_workplace();
    place.write("table.csv", "A,1\nE,3\nS,6\nEE,-2\n?,20\n");
    let own = "[network.shape]\nleaves = \"table.csv\"\nfeatures = [\"leave\", ";
    let text = network_config().replace("games = 480", "games = 60").replace("[network.shape]\nfeatures = [", own);
    place.write("network.toml", text);
    place.succeed(&["td", "network.toml", "--out", "net", "--quiet"]);
    std::fs::remove_file(place.path("table.csv")).unwrap();
    place.write("on.toml", CONFIG.replace("games = 600", "games = 60") + "[network]\nstart = \"network:net\"\n");
    place.succeed(&["td", "on.toml", "--out", "on", "--quiet"]);
    let [net, on] = ["net", "on"].map(|name| files_below(&place.path(name)));
    assert!(net["leaves.klv2"] == on["leaves.klv2"] && !on["leaves.klv2"].is_empty());
    std::fs::remove_dir_all(place.path("net")).unwrap();
    let series = ["match", "--player-a", "network:on", "--player-b", "greedy", "--pairs", "5"];
    place.succeed(&[&series[..], &small[..]].concat());
}

#[test]
fn bad_configs_are_refused() {
    let (place, _) = small_workplace();
    let refuse = |from: &str, to: &str, parts: &[&str]| {
        assert!(CONFIG.contains(from), "{from}");
        place.write("wrong.toml", CONFIG.replace(from, to));
        place.refuse(&["td", "wrong.toml"], parts);
    };
    refuse("lambda = 0.5", "lambda = 1.5", &["lambda = 1.5", "0 to 1"]);
    refuse("rate = 0.01", "rate = 0.0", &["rate = 0", "above 0"]);
    refuse("games = 600", "games = 0", &["games = 0"]);
    refuse("temperature = 4.0", "temperature = 0.0", &["temperature = 0"]);
    refuse("target = \"points\"", "target = \"wins\"", &["line 5", "wins"]);
    refuse("lambda", "method = \"least-squares\"\nlambda", &["rate = 0.01", "remove them"]);
    refuse("seed = 1", "seed = 1\npatterns = false", &["patterns = false", "nothing to learn"]);
    refuse("seed = 1", "seed = 1\ncandidate_moves = 0", &["candidate_moves = 0"]);
    for (feature, part) in
        [("score = 1.0", "beyond its score"), ("leave = 1.0", "without a leave table"), ("openness = 0.0", "usual size")]
    {
        refuse("[exploration]", &format!("[features]\n{feature}\n[exploration]"), &[part]);
    }
    // With such a large rate the weights diverge: an error is reported and nothing is written.
    place.write("wild.toml", CONFIG.replace("rate = 0.01", "rate = 1.0").replace("lambda = 0.5", "lambda = 1.0"));
    let ended = place.run(&["td", "wild.toml", "--out", "wild", "--quiet"]);
    assert!(ended.code == 1 && ended.errors.contains("diverged"), "{} {}", ended.code, ended.errors);
    assert!(!place.path("wild/manifest.json").exists());
}
