//! Round robins, configs of matches, files of pairs and unpaired matches, from end to end.

use serde_json::Value;
use tilewright_train::parquet_file::{Column, read};

use super::{figures_without_speeds as json, small_workplace};

/// Leave values that clearly beat greedy play.
const GOOD: &str = "A,1\nE,3\nS,6\nEE,-2\nAA,-4\nZ,5\n?,20\n";
/// Leave values that hardly beat greedy play.
const POOR: &str = "S,1\n?,3\n";

fn number(json: &Value, key: &str) -> f64 {
    json[key].as_f64().unwrap_or_else(|| panic!("{key} of {json}"))
}

#[test]
fn every_player_plays_every_other_on_the_same_deals() {
    let (place, small) = small_workplace();
    place.write("good.csv", GOOD);
    place.write("poor.csv", POOR);
    let players = ["--players", "greedy", "leave:good.csv", "leave:poor.csv"];
    let play = |name: &'static str, threads: &'static str, players: &[&str]| {
        let flags = ["match", "--pairs", "300", "--seed", "4", "--threads", threads, "--json", name];
        (place.succeed(&[&flags[..], players, &small[..]].concat()), json(&place, name))
    };
    let (output, one) = play("one.json", "1", &players);
    let (_, two) = play("two.json", "2", &players);
    assert_eq!(one, two);
    let repeated = ["--player", "greedy", "--player", "leave:good.csv", "--player", "leave:poor.csv"];
    assert_eq!(play("three.json", "2", &repeated).1, one);

    assert!(output.contains("3 players, 300 pairs per match on the same deals, seed 4, small"), "{output}");
    assert!(output.contains("All 6 intervals (3 matches, 3 players against the field) hold together"), "{output}");
    let ranked: Vec<&str> = output.lines().filter(|line| line.contains(" points per game")).collect();
    assert!(ranked[0].starts_with(" 1  leave:good.csv"), "{output}");
    let ranking: Vec<&str> =
        one["players"].as_array().unwrap().iter().filter_map(|player| player["player"].as_str()).collect();
    assert_eq!(ranking[0], "leave:good.csv");
    assert_eq!((one["comparisons"].as_u64(), one["pairs"].as_u64()), (Some(6), Some(300)));
    assert!((number(&one, "standard_errors") - 2.638).abs() < 0.001);

    // Each match equals the match of its two players alone, with wider intervals.
    let first = &one["matches"][0];
    let alone = ["match", "--player-a", "greedy", "--player-b", "leave:good.csv", "--pairs", "300", "--seed", "4"];
    place.succeed(&[&alone[..], &["--json", "alone.json"], &small[..]].concat());
    let alone = json(&place, "alone.json");
    for key in ["pentanomial", "spread", "elo", "differing"] {
        assert_eq!(first[key], alone[key], "{key}");
    }
    assert_eq!(first["win_rate"]["mean"], alone["win_rate"]["mean"]);
    let low = |figures: &Value, key: &str| number(&figures[key], "low");
    assert!(low(first, "win_rate") < low(&alone, "win_rate"));
    assert!(low(first, "anytime_win_rate") < low(&alone, "anytime_win_rate"));
    assert!(low(&alone, "anytime_win_rate") < low(&alone, "win_rate"));
    let sum: f64 = one["players"].as_array().unwrap().iter().map(|player| number(&player["win_rate"], "mean")).sum();
    assert!((sum - 1.5).abs() < 1e-9, "{sum}");
}

#[test]
fn a_config_names_players_pairs_and_test() {
    let (place, small) = small_workplace();
    place.write("good.csv", GOOD);
    place.write(
        "two.toml",
        "players = [\"leave:good.csv\", \"greedy\"]\npairs = 9000\nseed = 3\nsequential = \"50:52\"\nalpha = 0.1\n",
    );
    let run = |flags: &[&str]| place.succeed(&[&["match", "two.toml"][..], flags, &small[..]].concat());
    let output = run(&["--json", "two.json"]);
    assert!(output.contains("H1 accepted: a win rate of 52 % rather than 50 %"), "{output}");
    assert!(output.contains("the anytime-valid interval holds"), "{output}");
    let figures = json(&place, "two.json");
    assert_eq!((figures["seed"].as_u64(), number(&figures["sequential"], "alpha")), (Some(3), 0.1));
    // Flags override the config; its test stays, and there are still two players.
    let output = run(&["--players", "greedy", "leave:good.csv", "--pairs", "20", "--seed", "9"]);
    assert!(output.contains("greedy against leave:good.csv, seed 9") && output.contains("pairs       20"), "{output}");
}

#[test]
fn a_config_has_limits_for_its_pairs() {
    let (place, small) = small_workplace();
    for pairs in ["0", "99999999999999999"] {
        place.write("match.toml", format!("players = [\"greedy\", \"greedy\"]\npairs = {pairs}\n"));
        place.refuse(&[&["match", "match.toml"], &small[..]].concat(), &[&format!("pairs = {pairs}; expected 1 to")]);
    }
}

#[test]
fn files_of_pairs_do_not_depend_on_the_threads() {
    let (place, small) = small_workplace();
    place.write("good.csv", GOOD);
    let play = |threads: &str, out: &str, flags: &[&str]| {
        let players = ["match", "--player-a", "leave:good.csv", "--player-b", "greedy", "--quiet"];
        place.succeed(&[&players[..], &["--threads", threads, "--pairs-out", out], flags, &small[..]].concat());
        std::fs::read(place.path(out)).unwrap()
    };
    let fixed = play("1", "one.parquet", &["--pairs", "300", "--json", "one.json"]);
    assert_eq!(fixed, play("2", "two.parquet", &["--pairs", "300"]));
    let test = ["--pairs", "9000", "--sequential"];
    assert_eq!(play("1", "t1.parquet", &test), play("2", "t2.parquet", &test));

    let names = ["pair", "half_wins", "score_a_first", "score_b_first", "score_a_second", "score_b_second", "differing"];
    let columns = read(&place.path("one.parquet"), &names).unwrap();
    let Column::Int64(pairs) = &columns[0] else { panic!("{columns:?}") };
    assert!(pairs.iter().copied().eq(0..300));
    let ints: Vec<&Vec<i32>> = columns[1..]
        .iter()
        .map(|column| match column {
            Column::Int32(values) => values,
            other => panic!("{other:?}"),
        })
        .collect();
    let figures = json(&place, "one.json");
    let half_wins: i32 = ints[0].iter().sum();
    assert!((f64::from(half_wins) / 1200.0 - number(&figures["win_rate"], "mean")).abs() < 1e-12);
    let spread: i32 = (0..300).map(|row| ints[1][row] - ints[2][row] + ints[3][row] - ints[4][row]).sum();
    assert!((f64::from(spread) / 600.0 - number(&figures["spread"], "mean")).abs() < 1e-9);
    assert!((f64::from(ints[5].iter().sum::<i32>()) / 300.0 - number(&figures, "differing")).abs() < 1e-12);
}

#[test]
fn unpaired_games_make_a_player_uneven_with_itself() {
    let (place, small) = small_workplace();
    let players = ["match", "--player-a", "greedy", "--player-b", "greedy", "--pairs", "200"];
    place.succeed(&[&players[..], &["--json", "paired.json"], &small[..]].concat());
    let output = place.succeed(&[&players[..], &["--unpaired", "--json", "unpaired.json"], &small[..]].concat());
    assert!(output.contains("separate deals for the two games of a pair"), "{output}");
    let [paired, unpaired] = ["paired.json", "unpaired.json"].map(|name| json(&place, name));
    assert_eq!((number(&paired, "differing"), number(&unpaired, "differing")), (0.0, 1.0));
    assert_eq!((paired.get("unpaired"), unpaired["unpaired"].as_bool()), (None, Some(true)));
    assert!(paired["normalised_elo"].is_null() && number(&paired["elo"], "mean") == 0.0);
    let [low, high] = ["low", "high"].map(|end| number(&unpaired["win_rate"], end));
    assert!(low < 0.5 && high > 0.5 && high - low > 0.05, "{unpaired}");
}

#[test]
fn bad_round_robins_are_refused() {
    let (place, small) = small_workplace();
    let refuse = |flags: &[&str], parts: &[&str]| place.refuse(&[&["match"][..], flags, &small[..]].concat(), parts);
    refuse(&["--players", "greedy", "--pairs", "1"], &["only greedy is named", "two players"]);
    refuse(&["--players", "greedy", "genius", "greedy", "--pairs", "1"], &["genius", "leave:PATH"]);
    refuse(&["--player-a", "greedy", "--pairs", "1"], &["--player-b"]);
    refuse(&["--pairs", "1"], &["--player"]);
    refuse(
        &["--players", "greedy", "greedy", "--player-a", "greedy", "--player-b", "greedy", "--pairs", "1"],
        &["--player"],
    );
    let three = ["--players", "greedy", "greedy", "greedy", "--pairs", "1"];
    refuse(&[&three[..], &["--sequential"]].concat(), &["--sequential", "3 are named"]);
    refuse(&[&three[..], &["--pairs-out", "x.parquet"]].concat(), &["--pairs-out", "3 are named"]);
    place.write("there", "");
    let two = ["--players", "greedy", "greedy", "--pairs", "1"];
    refuse(&[&two[..], &["--pairs-out", "there"]].concat(), &["there already exists", "never overwritten"]);
    refuse(&[&three[..], &["--json", "there"]].concat(), &["there already exists", "never overwritten"]);

    refuse(&["nowhere.toml"], &["nowhere.toml", "No such file"]);
    let config = |text: &str, parts: &[&str]| {
        place.write("m.toml", text);
        refuse(&["m.toml"], parts);
    };
    config("pears = 5\n", &["m.toml", "pears"]);
    config("pairs = 5\n", &["no player is named"]);
    config("players = [\"greedy\", \"greedy\"]\npairs = 0\n", &["pairs = 0; expected 1 to"]);
    config("players = [\"greedy\", \"greedy\"]\npairs = 5\nsequential = \"51:50\"\n", &["51:50", "lower win rate"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_shows_the_cross_table_so_far_and_exits_130() {
    use std::io::{BufRead, BufReader, Read};

    let (place, small) = small_workplace();
    let players = ["match", "--players", "greedy", "greedy", "greedy", "--pairs", "100000000", "--json", "so-far.json"];
    let mut child =
        place.command(&[&players[..], &small[..]].concat()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut text = String::new();
    while !text.contains("round robin: 300000000 pairs") {
        assert_ne!(errors.read_line(&mut text).unwrap(), 0, "{text}");
    }
    std::thread::sleep(std::time::Duration::from_millis(500));
    tilewright_tests::interrupt(&child);
    errors.read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{text}");
    assert!(text.contains("of 100000000 pairs of each match were played") && text.contains("   50.00 "), "{text}");
    let so_far = json(&place, "so-far.json");
    assert_eq!((so_far["partial"].as_bool(), so_far["pairs"].as_u64().is_some_and(|pairs| pairs > 0)), (Some(true), true));
    // Another round robin does not replace them.
    let other = ["match", "--players", "greedy", "greedy", "no-leaves", "--pairs", "3", "--json", "so-far.json"];
    place.refuse(&[&other[..], &small[..]].concat(), &["so-far.json", "never overwritten"]);
}
