//! Players without a leave table that fits are refused, never replaced, and flags name the tables of players that name none.

use serde_json::Value;
use tilewright_tests::Workplace;

use super::{figures_without_speeds, small_workplace};

fn json(place: &Workplace, name: &str) -> Value {
    serde_json::from_slice(&std::fs::read(place.path(name)).unwrap()).unwrap()
}

#[test]
fn without_a_table_that_fits_the_command_that_makes_one_is_named() {
    let (place, small) = small_workplace();
    let parts = [
        "the embedded leave table is for enable2k",
        "not for small and small",
        "tilewright leaves train --lexicon small.txt --tileset small.toml",
        "greedy needs no table",
    ];
    let cgp = ["15"; 15].join("/");
    let cgp = cgp.as_str();
    for arguments in [
        &["moves", "--rack", "ADEN"][..],
        &["moves", "--rack", "ADEN", "--player", "sim"],
        &["simulate", "--rack", "ADEN"],
        &["selfplay", "--games", "1", "--out", "games"],
        &["serve", "--stdio"],
        &["match", "--player-a", "sim", "--player-b", "greedy", "--pairs", "1"],
        &["match", "--player-a", "full", "--player-b", "greedy", "--pairs", "1"],
        &["match", "--player-a", "static", "--player-b", "greedy", "--pairs", "1"],
        &["win-percentage", "train", "--games", "100", "--held-out-games", "100"],
        &["bench", "--player", "leave+pool"],
    ] {
        place.refuse(&[arguments, &small[..]].concat(), &parts);
    }
    place.succeed(&[&["moves", "--rack", "ADEN", "--player", "greedy"], &small[..]].concat());
    // A bad position is no excuse either: the player is loaded first.
    place.refuse(&[&["infer", "--cgp", &format!("{cgp} ADEN/ 0/0 0"), "--last-move", "pass"], &small[..]].concat(), &parts);
}

#[test]
fn flags_name_the_tables_of_players_that_name_none() {
    let (place, small) = small_workplace();
    place.write("few.csv", "A,2\nE,3\nS,6\nEE,-2\nAE,1\n?,20\nRZ,-4\n");
    let run = |arguments: &[&str], name: &str| {
        place.succeed(&[arguments, &["--quiet", "--json", name], &small[..]].concat());
        json(&place, name)
    };
    let moves = |further: &[&str], name: &str| run(&[&["moves", "--rack", "ADENS", "--top", "500"], further].concat(), name);
    let named = moves(&["--player", "leave:few.csv"], "named.json");
    assert_eq!(named["player"], "leave:few.csv");
    assert_eq!(moves(&["--leaves", "few.csv"], "flag.json"), named);
    assert_ne!(moves(&["--player", "greedy", "--leaves", "few.csv"], "greedy.json")["moves"], named["moves"]);
    let endgame = moves(&["--player", "leave+endgame", "--leaves", "few.csv"], "endgame.json");
    assert_eq!((&endgame["player"], &endgame["moves"]), (&"leave+endgame:few.csv".into(), &named["moves"]));
    let simulate = ["simulate", "--rack", "ADENS", "--deals", "40", "--leaves", "few.csv"];
    assert_eq!(run(&simulate, "simulate.json")["ranker"], "leave:few.csv");

    place.succeed(&[&["win-percentage", "export", "scaled", "--format", "full", "--save", "win.csv"], &small[..]].concat());
    place.write("sim.toml", "[simulation]\ncandidates = 3\niterations = 32\n");
    place.write(
        "named.toml",
        "ranker = \"leave:few.csv\"\nwin_percentage = \"win.csv\"\n[simulation]\ncandidates = 3\niterations = 32\n",
    );
    let play = |player: &str, further: &[&str], name: &str| {
        let arguments = ["match", "--player-a", player, "--player-b", "greedy", "--pairs", "4", "--quiet", "--json", name];
        place.succeed(&[&arguments[..], further, &small[..]].concat());
        let mut figures = figures_without_speeds(&place, name);
        figures.as_object_mut().unwrap().retain(|key, _| !key.starts_with("player") && key != "run");
        figures
    };
    let by_flags = play("sim:sim.toml", &["--leaves", "few.csv", "--win-percentage", "win.csv"], "1.json");
    assert_eq!(by_flags["win_rate"], play("sim:named.toml", &[], "2.json")["win_rate"]);

    let by_leaves = place
        .succeed(&[&["moves", "--rack", "ADENS", "--player", "leave+endgame", "--leaves", "few.csv"], &small[..]].concat());
    assert!(by_leaves.contains("equity\n") && !by_leaves.contains("win %"), "{by_leaves}");
    let looked = place.succeed(&[&["moves", "--rack", "ADENS", "--player", "sim:named.toml"], &small[..]].concat());
    assert!(looked.contains("win %") && looked.contains("sim:named.toml plays "), "{looked}");
    let warned = place.run(&[&["simulate", "--rack", "ADENS", "--ranker", "greedy", "--deals", "4"], &small[..]].concat());
    assert!(warned.errors.contains("tilewright win-percentage train"), "{}", warned.errors);

    // Weights that name no leave table use that of the flags.
    let linear = moves(&["--player", "linear:evolved", "--leaves", "few.csv"], "linear.json");
    assert_ne!(linear["moves"], named["moves"]);

    let refuse = |arguments: &[&str], parts: &[&str]| place.refuse(&[arguments, &small[..]].concat(), parts);
    refuse(&["moves", "--rack", "ADENS", "--player", "linear:evolved"], &["the embedded leave table", "--leaves PATH"]);
    for arguments in [
        &["bench"][..],
        &["bench", "endgames", "--count", "1"],
        &["bench", "features", "--games", "1"],
        &["evolve", "six-features"],
        &["win-percentage", "train", "--games", "100"],
        &["win-percentage", "eval", "scaled", "--games", "100"],
        &["linear", "fit", "--games", "10"],
        &["network", "train", "--games", "10"],
    ] {
        refuse(&[arguments, &["--leaves", "none.csv"]].concat(), &["none.csv"]);
    }
    refuse(&["moves", "--rack", "ADENS", "--leaves", "none.csv"], &["none.csv"]);
    refuse(&["moves", "--rack", "ADENS", "--network", "none"], &["player network:none", "none"]);
    refuse(&["simulate", "--rack", "ADENS", "--leaves", "few.csv", "--win-percentage", "few.csv"], &["few.csv"]);
}
