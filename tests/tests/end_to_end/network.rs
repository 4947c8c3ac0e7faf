//! `network train` from end to end.

use std::collections::BTreeMap;

use serde_json::Value;
use tilewright_tests::files_below;

use super::{linear, small_workplace};

/// The config of the linear fit, with what a network needs besides.
pub(super) fn config() -> String {
    let network = "learning_curve = true\nmargin = 20.0\nhidden = [6, 4]\nepochs = 5\nbatch_sets = 32\nlearning_rate = 0.01\nweight_decay = 0.01\n";
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
    assert!(report["details"]["attributions"].as_array().unwrap().len() > 4, "{report}");
    assert_eq!(report["learning_curve"].as_array().unwrap().len(), 3);
    place.succeed(&["report", "one", "--save", "one.html"]);
    let page = std::fs::read_to_string(place.path("one.html")).unwrap();
    for id in ["learning", "calibration", "inputs"] {
        assert!(page.contains(&format!("id=\"{id}\"")), "{id} in {page}");
    }

    let series = ["match", "--player-a", "network:one", "--player-b", "greedy", "--pairs", "5"];
    place.succeed(&[&series[..], &small[..]].concat());
    // Against itself it is exactly level.
    let level = ["match", "--player-a", "network:one", "--player-b", "network:three", "--pairs", "20"];
    let printed = place.succeed(&[&level[..], &small[..]].concat());
    assert!(printed.contains("50.00 %") && printed.contains("+0.00"), "{printed}");

    // The network makes the labels of the next one, and plain play finishes the playouts.
    let with_players = |players: &str| config().replace("[candidates]\nplayer = \"leave:table.csv\"\n", players);
    let players = "[candidates]\nplayer = \"network:one\"\npolicy = \"leave:table.csv\"\n";
    place.write("second.toml", with_players(players));
    place.succeed(&["network", "train", "second.toml", "--out", "second", "--quiet"]);
    let second = files_below(&place.path("second"));
    assert!(["report.json", "network.safetensors"].iter().all(|file| second[*file] != files[*file]));
    place.write("sim.toml", "ranker = \"greedy\"\n");
    place.write("bad.toml", with_players("[candidates]\nplayer = \"greedy\"\npolicy = \"sim:sim.toml\"\n"));
    place.refuse(&["network", "train", "bad.toml"], &["candidates.policy = sim:sim.toml; expected a static player"]);
}

#[test]
fn heads_and_matches_change_no_file_format_and_no_byte_on_any_number_of_threads() {
    let (place, small) = small_workplace();
    place.write("table.csv", "A,1\nE,3\nS,6\nEE,-2\nAA,-4\nZ,5\n?,20\n");
    let tables =
        "[heads]\nreply = 0.3\nnext_turn = 0.2\nwin = 0.1\n\n[match]\nevery = 2\npairs = 10\nagainst = \"greedy\"\n";
    let config =
        format!("skip = \"prior\"\n{}", config().replace("\n[candidates]\n", &format!("\n{tables}\n[candidates]\n")));
    place.write("network.toml", &config);
    let train = |out, threads| {
        place.succeed(&[
            "network",
            "train",
            "network.toml",
            "--out",
            out,
            "--threads",
            threads,
            "--quiet",
            "--cache",
            "sets",
        ])
    };
    let printed = train("one", "1");
    for part in ["head", "reply", "next_turn", "win"] {
        assert!(printed.contains(part), "{part} in {printed}");
    }
    train("three", "3");
    let files = files_below(&place.path("one"));
    assert!(files == files_below(&place.path("three")));
    let report: Value = serde_json::from_slice(&files["report.json"]).unwrap();
    assert_eq!(report["heads"].as_array().unwrap().len(), 3);
    let pairs: Vec<Option<u64>> =
        report["epochs"].as_array().unwrap().iter().map(|epoch| epoch["match"]["pairs"].as_u64()).collect();
    assert_eq!(pairs, [None, Some(10), None, Some(10), None]);

    // Without heads and matches the files are the same, and so are their sizes.
    place.write("network.toml", config.replace(tables, ""));
    train("plain", "1");
    let plain = files_below(&place.path("plain"));
    assert!(files.keys().eq(plain.keys()));
    // Their equities err differently, and each network says by how much.
    let settings = |files: &BTreeMap<String, Vec<u8>>| {
        let text = String::from_utf8(files["network.toml"].clone()).unwrap();
        let (settings, errors) = text.split_once("[[prior]]").unwrap();
        assert!(errors.contains("variance = ") && errors.contains("noise = "), "{text}");
        settings.to_string()
    };
    assert_eq!(settings(&files), settings(&plain));
    assert_eq!(files["network.safetensors"].len(), plain["network.safetensors"].len());
    assert_ne!(files["network.safetensors"], plain["network.safetensors"]);
    place.succeed(&[&["match", "--player-a", "network:one", "--player-b", "greedy", "--pairs", "5"], &small[..]].concat());

    let refuse = |from: &str, to: &str, parts: &[&str]| {
        assert!(config.contains(from), "{from}");
        place.write("bad.toml", config.replace(from, to));
        place.refuse(&["network", "train", "bad.toml", "--out", "refused"], parts);
    };
    let gpu = ["network", "train", "network.toml", "--device", "gpu", "--out", "refused"];
    place.refuse(&gpu, &["device = \"gpu\"", "--features gpu"]);
    assert!(!place.path("refused").exists());
    refuse("reply = 0.3", "reply = -0.3", &["bad.toml", "heads.reply = -0.3; expected"]);
    refuse("reply = 0.3", "replies = 0.3", &["bad.toml", "replies"]);
    refuse("pairs = 10", "pairs = 0", &["match.pairs = 0; expected 1"]);
    refuse("every = 2", "every = 0", &["match.every = 0; expected 1"]);
    refuse("against = \"greedy\"", "against = \"gredy\"", &["gredy"]);
    refuse("skip = \"prior\"", "skip = \"none\"", &["bad.toml", "none"]);
}

#[test]
fn damaged_and_mismatched_networks_are_refused_by_name() {
    let (place, small) = small_workplace();
    place.write("table.csv", "A,1\nE,3\nS,6\n");
    place.write("network.toml", config().replace("games = 400", "games = 80"));
    place.succeed(&["network", "train", "network.toml", "--out", "net", "--quiet"]);
    let play = ["match", "--player-a", "network:net", "--player-b", "greedy", "--pairs", "1"];
    place.refuse(&[&play[..], &["--tileset", "english"]].concat(), &["net", "tile set small", "english"]);
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
    // Version 0.1.0 had a layer that saw the board.
    let board = "\n[board]\nradius = 1\nunits = 4\n\n[candidates]\n";
    refuse("\n[candidates]\n", board, &["bad.toml", "unknown field `board`"]);
    refuse("\"tiles_in_bag\"", "\"score\"", &["not score"]);
}

#[test]
fn a_budget_decides_the_games_and_nothing_else() {
    let (place, _) = small_workplace();
    place.write("table.csv", "A,1\nE,3\nS,6\nEE,-2\nAA,-4\nZ,5\n?,20\n");
    place.write("network.toml", config());
    let train = |config: &str, more: &[&str]| {
        place.succeed(&[&["network", "train", config, "--quiet", "--threads", "1"], more].concat())
    };
    let printed = train("network.toml", &["--out", "planned", "--budget", "3s"]);
    assert!(printed.contains("CPU time: labels") && printed.contains("of the budget of 3 s"), "{printed}");
    let files = files_below(&place.path("planned"));
    let planned = String::from_utf8(files["config.toml"].clone()).unwrap();
    let games: u64 = planned.lines().find_map(|line| line.strip_prefix("games = ")).unwrap().parse().unwrap();
    assert!(games >= 200 && games.is_multiple_of(40), "{games}");

    // Its config repeats the run, and needs no budget.
    std::fs::copy(place.path("planned/config.toml"), place.path("repeat.toml")).unwrap();
    train("repeat.toml", &["--out", "repeated"]);
    let artefact = |name: &str| {
        let mut files = files_below(&place.path(name));
        files.retain(|name, _| !name.contains("work/"));
        files
    };
    assert!(artefact("planned").len() > 4 && artefact("planned") == artefact("repeated"));
    // A finished run and another budget are refused before anything is measured.
    let refuse = |out, budget, parts: &[&str]| {
        place.refuse(&["network", "train", "network.toml", "--out", out, "--budget", budget], parts);
    };
    refuse("planned", "20s", &["planned belongs to a run with another budget (there 3s, here 20s)", "--out"]);
    let again = train("network.toml", &["--out", "planned", "--budget", "3s"]);
    assert!(again.lines().all(|line| printed.contains(line)), "{again}\n{printed}");

    // A run that stops before its manifest resumes with the games of its plan.
    for file in ["manifest.json", "network.toml", "network.safetensors", "leaves.klv2", "report.json", "summary.txt"] {
        std::fs::remove_file(place.path("planned").join(file)).unwrap();
    }
    refuse("planned", "20s", &["planned belongs to a run with another budget (there 3s, here 20s)"]);
    train("network.toml", &["--out", "planned", "--budget", "3s"]);
    assert!(artefact("planned") == artefact("repeated"));

    refuse("new", "30", &["30", "90s, 25m or 2h"]);
    place.refuse(&["network", "train", "network.toml", "--budget", "3s", "--games", "40"], &["--budget", "--games"]);
}

#[test]
fn a_refused_folder_is_named_with_its_flag() {
    let (place, _) = small_workplace();
    place.write("table.csv", "A,1\n");
    place.write("network.toml", config());
    std::fs::create_dir(place.path("notes")).unwrap();
    place.write("notes/mine.txt", "");
    let train = ["network", "train", "network.toml", "--quiet"];
    place.refuse(&[&train[..], &["--out", "a", "--cache", "notes"]].concat(), &["notes is not empty", "another --cache"]);
    place.refuse(&[&train[..], &["--out", "notes"]].concat(), &["notes is not empty", "another --out"]);
    place.refuse(
        &[
            "win-percentage",
            "eval",
            "scaled",
            "--player",
            "greedy",
            "--games",
            "2",
            "--keep",
            "notes",
            "--lexicon",
            "small.txt",
            "--tileset",
            "small.toml",
        ],
        &["notes is not empty", "another --keep"],
    );
}

#[test]
fn a_network_is_evaluated_to_the_same_bytes_on_any_number_of_threads() {
    let (place, small) = small_workplace();
    place.write("table.csv", "A,1\nE,3\nS,6\nEE,-2\nAA,-4\nZ,5\n?,20\n");
    let extra = "extra_inputs = [\"score\", \"unseen_tiles\"]\n\n[candidates]\n";
    let config = config().replace("[candidates]\n", extra);
    place.write("network.toml", &config);
    place.succeed(&["network", "train", "network.toml", "--out", "net", "--quiet", "--threads", "1"]);
    place.succeed(&["network", "train", "network.toml", "--out", "three", "--quiet", "--threads", "3"]);
    assert!(files_below(&place.path("net")) == files_below(&place.path("three")));
    let level = ["match", "--player-a", "network:net", "--player-b", "network:three", "--pairs", "5"];
    let printed = place.succeed(&[&level[..], &small[..]].concat());
    assert!(printed.contains("50.00 %") && printed.contains("+0.00"), "{printed}");
    let eval = |more: &[&'static str]| [&["network", "eval", "net", "--games", "120", "--quiet"], &small[..], more].concat();
    let printed = place.succeed(&eval(&["--threads", "1", "--json", "one.json", "--cache", "sets"]));
    for part in ["120 held-out games", "skip connection alone", "reply", "hooks_opened", "µs per candidate"] {
        assert!(printed.contains(part), "{part} in {printed}");
    }
    place.succeed(&eval(&["--threads", "2", "--json", "two.json"]));
    place.succeed(&eval(&["--threads", "2", "--json", "again.json", "--cache", "sets"]));
    let [one, two, again] = ["one", "two", "again"].map(|name| std::fs::read(place.path(&format!("{name}.json"))).unwrap());
    assert!(one == two && one == again);
    let report: Value = serde_json::from_slice(&one).unwrap();
    assert_eq!((&report["path"], &report["games"], &report["labels"]["deals"]), (&"net".into(), &120.into(), &4.into()));
    assert!(
        report["network"]["all"]["explained"].as_f64().unwrap()
            > report["skip"]["all"]["explained"].as_f64().unwrap() - 0.05
    );
    assert_eq!(report["sources"].as_array().unwrap().len(), 8);
    assert_eq!(report["calibration"][3]["bins"].as_array().unwrap().len(), 10);
    let inputs: Vec<&str> =
        report["attributions"].as_array().unwrap().iter().map(|one| one["input"].as_str().unwrap()).collect();
    assert!(inputs.len() == 7 && inputs.contains(&"unseen_tiles") && inputs.contains(&"score"), "{inputs:?}");

    // Training sets are no evaluation sets.
    place.refuse(
        &eval(&["--cache", "net/candidates", "--seed", "1"]),
        &["net/candidates", "another domain", "another --cache"],
    );
    place.refuse(&eval(&["--json", "one.json"]), &["one.json already exists"]);
    place.refuse(&["network", "eval", "nowhere", small[0], small[1], small[2], small[3]], &["nowhere"]);
    place.refuse(&["network", "eval", "net", "--tileset", "english"], &["net", "tile set small", "english"]);
    let english = ["network", "eval", "embedded"];
    place.refuse(&[&english[..], &small[..]].concat(), &["not for"]);
    place.edit("net/manifest.json", |_| ());
    let manifest = std::fs::read_to_string(place.path("net/manifest.json")).unwrap();
    std::fs::write(place.path("net/manifest.json"), manifest.replace("batch_sets = ", "batch_sets = -")).unwrap();
    place.refuse(&eval(&[]), &["in the manifest of net", "batch_sets"]);
    std::fs::write(place.path("net/manifest.json"), manifest).unwrap();
    let path = place.path("net/network.safetensors");
    let mut bytes = std::fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    place.refuse(&eval(&[]), &["net/network.safetensors", "does not match its checksum"]);
}
