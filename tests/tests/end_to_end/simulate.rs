//! `simulate` and the player `sim` from end to end.

use serde_json::Value;
use tilewright_tests::Workplace;

use super::{figures_without_speeds, small_workplace, workplace};

fn json(place: &Workplace, name: &str) -> Value {
    serde_json::from_slice(&std::fs::read(place.path(name)).unwrap()).unwrap()
}

#[test]
fn the_table_is_the_same_on_any_number_of_threads() {
    let (place, small) = small_workplace();
    for threads in ["1", "3"] {
        let name = format!("{threads}.json");
        let arguments = [
            "simulate",
            "--ranker",
            "greedy",
            "--rack",
            "ADNR?",
            "--deals",
            "200",
            "--seed",
            "4",
            "--threads",
            threads,
            "--json",
        ];
        let output = place.succeed(&[&arguments[..], &[&name], &small[..]].concat());
        for part in ["win %", "spread", "deals", "bingos", "playouts in"] {
            assert!(output.contains(part), "{part} in {output}");
        }
    }
    assert_eq!(std::fs::read(place.path("1.json")).unwrap(), std::fs::read(place.path("3.json")).unwrap());
    let table = json(&place, "1.json");
    let candidates = table["candidates"].as_array().unwrap();
    assert_eq!((candidates.len(), table["settings"]["plies"].as_u64(), table["bag"].as_u64()), (15, Some(2), Some(50)));
    // On an empty board every play across is also one down.
    assert!(candidates[0]["same"].as_array().unwrap().len() == 1 && candidates[0]["beaten"] == false);
    let figures = ["spread", "spread_error", "bingos", "opponent_bingos", "leave_value"];
    assert!(figures.iter().all(|&key| candidates.iter().all(|candidate| candidate[key].is_f64())), "{table}");
    let is_within = |win: &Value| win["low"].as_f64() < win["mean"].as_f64() && win["mean"].as_f64() < win["high"].as_f64();
    assert!(candidates.iter().all(|candidate| is_within(&candidate["win"])), "{table}");
    let playouts: u64 = candidates.iter().map(|candidate| candidate["deals"].as_u64().unwrap()).sum();
    assert_eq!(table["playouts"].as_u64(), Some(playouts));
}

#[test]
fn with_a_prior_deals_go_to_the_best_candidates() {
    let (place, small) = small_workplace();
    let simulate = |more: &[&str]| {
        let arguments = ["simulate", "--ranker", "greedy", "--rack", "ADNR?", "--deals", "200", "--seed", "4"];
        place.succeed(&[&arguments[..], more, &small[..]].concat())
    };
    let printed = simulate(&["--prior", "--least-excess", "0", "--json", "all.json"]);
    assert!(printed.lines().next().unwrap().ends_with("other   behind"), "{printed}");
    let all = json(&place, "all.json");
    let candidates = all["candidates"].as_array().unwrap();
    let behind: Vec<f64> = candidates.iter().map(|candidate| candidate["behind"]["mean"].as_f64().unwrap()).collect();
    assert!(behind[0] == 0.0 && behind.is_sorted() && behind[14] > 0.0, "{behind:?}");
    // The best one and three challengers at a time.
    assert!(all["playouts"].as_u64() <= Some(800) && all["deals"] == 200, "{printed}");
    for candidate in candidates {
        assert_eq!(candidate["win"].is_null(), candidate["deals"] == 0, "{candidate}");
    }
    let ended = "no other candidate is expected to be better";
    assert!(simulate(&["--prior", "--least-excess", "100", "--html", "p.html"]).contains(ended));
    assert!(std::fs::read_to_string(place.path("p.html")).unwrap().contains("The order counts what the ranker says"));
    assert!(!simulate(&[]).contains("behind"));
    place.refuse(&["simulate", "--rack", "ADNR?", "--least-excess", "1"], &["--prior"]);
    place.refuse(&["simulate", "--rack", "ADNR?", "--prior", "--least-excess", "2000"], &["least_excess = 2000"]);
}

#[test]
fn a_time_limit_ends_the_simulation() {
    let (place, small) = small_workplace();
    let arguments =
        ["simulate", "--ranker", "greedy", "--rack", "ADNRS", "--time", "0.2", "--confidence", "1", "--json", "t.json"];
    place.succeed(&[&arguments[..], &small[..]].concat());
    let table = json(&place, "t.json");
    assert_eq!((table["ended"].as_str(), table["settings"]["seconds"].as_f64()), (Some("the time is up"), Some(0.2)));
}

#[test]
fn playouts_continue_if_the_bag_is_nearly_empty() {
    let (place, small) = small_workplace();
    let simulate = |further: &[&str], name: &str| {
        let arguments =
            ["simulate", "--ranker", "greedy", "--rack", "ADNRS", "--deals", "40", "--candidates", "3", "--json", name];
        place.succeed(&[&arguments[..], further, &small[..]].concat());
        json(&place, name)
    };
    let truncated = simulate(&[], "t.json");
    let played = simulate(&["--end-bag", "99"], "p.json");
    let estimated = simulate(&["--end-bag", "99", "--fast-endgame"], "f.json");
    assert_eq!(played["settings"]["end_bag"].as_u64(), Some(99));
    assert_eq!(estimated["settings"]["fast_endgame"].as_bool(), Some(true));
    let spread = |table: &Value| table["candidates"][0]["spread"].clone();
    assert_ne!(spread(&truncated), spread(&played));
    assert_ne!(spread(&played), spread(&estimated));
}

#[test]
fn players_simulate_as_their_file_says() {
    let (place, small) = small_workplace();
    place.write("sim.toml", "ranker = \"greedy\"\n[simulation]\ncandidates = 4\niterations = 32\n");
    let play = |a: &str, threads: &str, name: &str| {
        let arguments =
            ["match", "--player-a", a, "--player-b", "greedy", "--pairs", "6", "--threads", threads, "--json", name];
        place.succeed(&[&arguments[..], &small[..]].concat());
        figures_without_speeds(&place, name)
    };
    assert_eq!(play("sim:sim.toml", "1", "1.json"), play("sim:sim.toml", "2", "2.json"));
    place.write(
        "full.toml",
        "ranker = \"greedy\"\n[simulation]\niterations = 32\n[pre_endgame]\nnodes = 5000\n[endgame]\nnodes = 500\n",
    );
    assert_eq!(play("full:full.toml", "1", "3.json"), play("full:full.toml", "2", "4.json"));
    // A budget of playouts does not depend on threads either, and more of them are other games.
    place.write("some.toml", "ranker = \"greedy\"\nplayouts_per_game = 100\n");
    place.write("more.toml", "ranker = \"greedy\"\nplayouts_per_game = 1000\n");
    let some = play("sim:some.toml", "1", "6.json");
    assert_eq!(some, play("sim:some.toml", "2", "7.json"));
    assert_ne!(some["spread"], play("sim:more.toml", "2", "8.json")["spread"]);
    place.write("static.toml", "ranker = \"greedy\"\n");
    assert_eq!(play("static:static.toml", "1", "5.json")["win_rate"]["mean"], 0.5);
    let refuse = |player: &str, parts: &[&str]| {
        let arguments = ["match", "--player-a", player, "--player-b", "greedy", "--pairs", "1"];
        place.refuse(&[&arguments[..], &small[..]].concat(), parts);
    };
    refuse("sim:nowhere.toml", &["sim:nowhere.toml", "No such file"]);
    place.write("bad.toml", "[simulation]\nplys = 2\n");
    refuse("sim:bad.toml", &["sim:bad.toml", "line 2", "plys"]);
    place.write("zero.toml", "[simulation]\niterations = 0\n");
    refuse("sim:zero.toml", &["sim:zero.toml", "iterations = 0", "1 to"]);
    place.write("deep.toml", "ranker = \"greedy\"\npolicy = \"sim:sim.toml\"\n");
    refuse("sim:deep.toml", &["sim:sim.toml is not a static player", "ranker and policy"]);
    refuse("static:sim.toml", &["static:sim.toml", "a static player does not simulate", "sim:FILE"]);
    place.write("budget.toml", "playouts_per_game = 100\n");
    refuse("static:budget.toml", &["static:budget.toml", "playouts_per_game needs a [simulation]"]);
    place.write("bag.toml", "[pre_endgame]\nbag = 7\n");
    refuse("full:bag.toml", &["pre_endgame.bag = 7", "1 to 6"]);
}

#[test]
fn overtime_costs_points() {
    let (place, small) = small_workplace();
    let late =
        ["match", "--player-a", "greedy", "--player-b", "greedy", "--pairs", "2", "--clock", "0.000000001s", "--json"];
    let shown = place.succeed(&[&late[..], &["late.json", "--overtime", "7"], &small[..]].concat());
    assert!(shown.contains("overtime    7.0 : 7.0 points per game"), "{shown}");
    let clock = &json(&place, "late.json")["clock"];
    assert_eq!((clock["overtime"].as_u64(), clock["mean_overtime_a"].as_f64()), (Some(7), Some(7.0)));
    for (wrong, part) in [("25", "for example, 50ms, 90s"), ("0m", "invalid duration"), ("1e99h", "invalid duration")] {
        let arguments = ["match", "--player-a", "greedy", "--player-b", "greedy", "--pairs", "1", "--clock", wrong];
        place.refuse(&arguments, &[part]);
    }
}

#[test]
fn what_cannot_be_simulated_is_reported() {
    let place = workplace();
    let refuse = |arguments: &[&str], parts: &[&str]| place.refuse(&[&["simulate"], arguments].concat(), parts);
    let rack = ["--rack", "AEINRST"];
    refuse(&[&rack[..], &["--deals", "0"]].concat(), &["iterations = 0", "1 to"]);
    refuse(&[&rack[..], &["--plies", "0"]].concat(), &["plies = 0", "1 to"]);
    refuse(&[&rack[..], &["--candidates", "0"]].concat(), &["candidates = 0", "1 to"]);
    refuse(&[&rack[..], &["--confidence", "99"]].concat(), &["confidence = 99", "0.5 to 1"]);
    refuse(&[&rack[..], &["--time", "0"]].concat(), &["--time", "more than 0"]);
    refuse(&[&rack[..], &["--policy", "sim"]].concat(), &["--policy sim", "static"]);
    refuse(&[], &["no rack", "--rack"]);
    refuse(&["--rack", "ZZ"], &["2 Z"]);
    let empty = ["15"; 14].join("/");
    // The board has the only Z, so no rack can hold one.
    let half = ["15"; 7].join("/");
    let board = format!("{half}/6AZO6/{half}");
    refuse(&["--cgp", &format!("{board} AE/ 0/0 0"), "--rack", "ZE"], &["board and rack EZ", "more tiles of a kind"]);
    refuse(&["--cgp", &format!("{board} AE/Z 0/0 0")], &["2 Z"]);
    // No game reaches such a board: the start is empty, tiles are not connected, or a word is invalid.
    for row in ["A14", "6AA6A", "6ZQX6"] {
        let cgp = format!("{half}/{row}/{half} AEINRST/ 0/0 0");
        refuse(&["--cgp", &cgp], &["board: ", "--any-board"]);
        place.refuse(&["moves", "--cgp", &cgp], &["board: ", "--any-board"]);
        place.succeed(&["moves", "--any-board", "--cgp", &cgp]);
    }
    refuse(&["--rack", ""], &["no rack"]);
    let rest = format!("15/{empty} Q/Z 0/0 0");
    refuse(&["--cgp", &rest, "--rack", "Z"], &["opponent's rack Z", "not unseen"]);
    refuse(&["--cgp", &format!("15/{empty} AEINRST/ 0/0 6")], &["6 scoreless turns", "ended"]);
    refuse(&["--cgp", "15/15 A/ 0/0 0"], &["2 rows"]);
}

#[test]
fn the_opponents_rack_is_inferred_from_the_last_play() {
    let place = workplace();
    let empty = ["15"; 7].join("/");
    let cgp = format!("{empty}/5COT7/{empty} AEINRST/ 0/10 0");
    let simulate = |last: &[&str], name: &str| {
        let arguments = ["simulate", "--cgp", &cgp, "--deals", "64", "--candidates", "3", "--json", name];
        place.succeed(&[&arguments[..], last].concat());
        json(&place, name)
    };
    let (uniform, inferred) = (simulate(&[], "u.json"), simulate(&["--last-move", "8F COT"], "i.json"));
    assert_eq!(
        (uniform["settings"]["inference"].as_bool(), inferred["settings"]["inference"].as_bool()),
        (Some(false), Some(true))
    );
    assert_ne!(uniform["candidates"][0]["spread"], inferred["candidates"][0]["spread"]);
    let refuse = |last: &str, parts: &[&str]| {
        place.refuse(&["simulate", "--cgp", &cgp, "--last-move", last], parts);
    };
    refuse("8F CAT", &["--last-move", "\"8F CAT\"", "does not have these tiles"]);
    refuse("COT", &["coordinate and a word"]);
    refuse("8Z COT", &["not a coordinate"]);
}
