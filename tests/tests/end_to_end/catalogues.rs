//! What the program knows of itself: its configs, its features, and its own command line.

use serde_json::Value;

use super::{small_workplace, workplace};

#[test]
fn a_config_has_a_name_that_works_like_its_file() {
    let (place, small) = small_workplace();
    let listed = place.succeed(&["config", "list"]);
    assert!(listed.lines().any(|line| line.starts_with("matches/pool ") && line.contains("leave+pool")), "{listed}");
    assert_eq!(place.succeed(&["config", "list", "td"]).lines().count(), 8);
    let shown = place.succeed(&["config", "show", "evolve/full"]);
    assert!(shown.contains("# Candidates per generation: 4 to 10,000.\npopulation = "), "{shown}");
    // What is shown is a config: as a file it is read like the embedded one.
    place.write("mine.toml", place.succeed(&["config", "show", "matches/static"]));
    let play = |config: &'static str| {
        let players = ["match", config, "--players", "greedy", "no-leaves", "greedy", "--pairs", "20", "--quiet"];
        [&players[..], &small[..]].concat()
    };
    let figures =
        |text: String| text.lines().filter(|line| !line.contains("per second")).map(str::to_string).collect::<Vec<_>>();
    assert_eq!(figures(place.succeed(&play("static"))), figures(place.succeed(&play("mine.toml"))));

    place.refuse(&["config", "show", "default"], &["several configs are named default", "leaves/default"]);
    place.refuse(&["config", "show", "none"], &["no config is named none", "config list"]);
    place.refuse(&["config", "show", "evolve/ful"], &["no config is named evolve/ful", "did you mean full?"]);
    place.refuse(&["evolve", "six-feature"], &["six-feature: No such file", "did you mean six-features?"]);
    place.refuse(&["features", "bingo_chence"], &["bingo_chence", "did you mean bingo_chance?"]);
    place.refuse(&["moves", "--rack", "A", "--player", "leaf"], &["\"leaf\" is not a player", "did you mean leave?"]);
    place.refuse(&["experiment", "run", "laddr"], &["study laddr", "did you mean ladder?"]);
    place.refuse(&["experiment", "show", "laddr"], &["laddr is neither a study", "did you mean ladder?"]);
    place.refuse(&["config", "list", "none"], &["no folder none", "evolve"]);
    place.refuse(&["evolve", "none"], &["config none", "the embedded ones are quick"]);
    // A name of another verb's config is no name here; a file of that name comes first.
    place.refuse(&["td", "full"], &["config full"]);
    place.write("greedy", "seed = 1\n");
    place.refuse(&["td", "greedy"], &["config greedy", "missing field"]);
    let moves = workplace().succeed(&["moves", "--rack", "AEINRST", "--player", "linear:evolved", "--top", "1"]);
    assert!(moves.contains("legal moves"), "{moves}");
    place.refuse(&["moves", "--rack", "AENRT", "--player", "linear:none"], &["linear:none"]);
}

#[test]
fn features_are_listed_with_meaning_unit_cost_and_source() {
    let place = workplace();
    let all = place.succeed(&["features", "--json", "features.json"]);
    let json: Value = serde_json::from_slice(&std::fs::read(place.path("features.json")).unwrap()).unwrap();
    let rows = json["features"].as_array().unwrap();
    assert!(all.ends_with(&format!("{} features, version {}\n", rows.len(), json["version"])), "{all}");
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().len();
    assert!(rows.iter().all(|row| ["name", "meaning", "unit", "source"].iter().all(|key| text(row, key) > 0)));
    let some = place.succeed(&["features", "openness", "reply"]);
    assert!(some.starts_with("openness  (position; ") && some.contains("reply_20  (placed; "), "{some}");
    place.refuse(&["features", "opennes5"], &["opennes5", "tilewright features"]);
}

#[test]
fn the_version_names_the_commit_and_manifests_carry_it() {
    let (place, small) = small_workplace();
    let version = place.succeed(&["--version"]);
    let version = version.trim().strip_prefix("tilewright ").unwrap();
    let head =
        std::process::Command::new("git").args(["rev-parse", "HEAD"]).current_dir(env!("CARGO_MANIFEST_DIR")).output();
    // Outside a repository there is no commit to name.
    if let (Some(head), Some((_, commit))) = (head.ok().filter(|head| head.status.success()), version.split_once(' ')) {
        let head = String::from_utf8(head.stdout).unwrap();
        assert!(commit.len() == 12 && head.starts_with(commit), "{version} at {head}");
    }
    place.succeed(
        &[&["selfplay", "--games", "3", "--player", "greedy", "--out", "games", "--quiet"][..], &small[..]].concat(),
    );
    let manifest: Value = serde_json::from_slice(&std::fs::read(place.path("games/manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["code_version"], version);
}

#[test]
fn different_runs_have_different_default_folders_and_the_same_run_its_own() {
    let (place, small) = small_workplace();
    place.write("table.csv", "A,1\nS,5\n");
    place.write("other.csv", "A,2\nS,5\n");
    let play = |player: &'static str, seed: &'static str| {
        [&["selfplay", "--games", "2", "--quiet", "--player", player, "--seed", seed], &small[..]].concat()
    };
    let folders = || std::fs::read_dir(place.path("runs")).unwrap().count();
    for (number, (player, seed)) in
        (1..).zip([("greedy", "1"), ("no-leaves", "1"), ("leave:table.csv", "1"), ("leave:other.csv", "1"), ("greedy", "2")])
    {
        place.succeed(&play(player, seed));
        assert_eq!(folders(), number, "{player} {seed}");
    }
    let again = place.succeed(&play("greedy", "1"));
    assert!(again.starts_with("2 games by greedy\nThe records are in runs/selfplay-small-greedy-2-games-1-"), "{again}");
    assert_eq!(folders(), 5);
}

#[test]
fn shells_and_man_know_every_verb() {
    let place = workplace();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = place.succeed(&["completions", shell]);
        assert!(script.contains("win-percentage") && script.contains("accept-other-lexicon"), "{shell}");
    }
    std::fs::create_dir(place.path("man")).unwrap();
    place.succeed(&["man", "man"]);
    for page in ["tilewright.1", "tilewright-match.1", "tilewright-work-merge.1", "tilewright-network-train.1"] {
        let text = std::fs::read_to_string(place.path("man").join(page)).unwrap();
        assert!(text.starts_with(".ie") && text.contains(".SH SYNOPSIS"), "{page}");
    }
    place.refuse(&["man", "nowhere"], &["nowhere"]);
    place.refuse(&["completions", "tcsh"], &["tcsh", "bash"]);
}
