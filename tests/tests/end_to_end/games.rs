//! `moves`, `selfplay` and `match` from end to end.

use serde_json::Value;
use tilewright_tests::{Workplace, files_below};
use tilewright_train::parquet_file::{Column, read};

use super::{figures_without_speeds, small_workplace, workplace};

#[test]
fn the_best_opening_is_the_bingo_through_the_double_word() {
    let place = workplace();
    let output = place.succeed(&["moves", "--rack", "aeinrst", "--top", "3", "--json", "moves.json"]);
    assert_eq!(output.lines().filter(|line| line.contains(" 66 ")).count(), 3, "{output}");
    // The same play down would be the same move again.
    assert!(output.lines().skip(1).take(3).all(|line| line.split_whitespace().nth(1).unwrap().starts_with('8')), "{output}");
    let json: Value = serde_json::from_slice(&std::fs::read(place.path("moves.json")).unwrap()).unwrap();
    assert_eq!((json["rack"].as_str(), json["bag"].as_u64()), (Some("AEINRST"), Some(86)));
    assert_eq!(json["moves"].as_array().map(Vec::len), Some(3));
    place.refuse(&["moves", "--rack", "A", "--json", "moves.json"], &["never overwritten"]);
}

#[test]
fn a_cgp_has_a_rack_and_tiles_to_play_through() {
    let board = format!("15/15/15/15/15/15/15/6CAT6/{}", ["15"; 7].join("/"));
    let output =
        workplace().succeed(&["moves", "--cgp", &format!("{board} SXQ/ 10/0 0 ld english; lex NWL23;"), "--top", "200"]);
    assert!(output.contains("8G (CAT)S"), "{output}");
    let warned = |more: &[&str]| {
        let cgp = format!("{board} SXQ/ 10/0 0 ld english; lex NWL23;");
        workplace().run(&[&["moves", "--cgp", &cgp], more].concat()).errors
    };
    assert!(warned(&[]).contains("names the lexicon NWL23, but enable2k is used"));
    assert_eq!([warned(&["--lexicon", "enable2k"]), warned(&["--quiet"])], ["", ""]);
    let rack = workplace().succeed(&["moves", "--cgp", &format!("{board} SXQ/ 10/0 0"), "--rack", "EE"]);
    assert!(!rack.contains("(CAT)S"), "{rack}");
}

#[test]
fn a_player_against_itself_is_exactly_even_on_every_seed() {
    let (place, small) = small_workplace();
    for seed in ["1", "2", "77"] {
        let name = format!("m{seed}.json");
        let arguments =
            ["match", "--player-a", "greedy", "--player-b", "greedy", "--pairs", "20", "--seed", seed, "--json", &name];
        place.succeed(&[&arguments[..], &small[..]].concat());
        let json: Value = serde_json::from_slice(&std::fs::read(place.path(&name)).unwrap()).unwrap();
        assert_eq!(json["schema"], "tilewright/match/1");
        for (figure, expected) in [("win_rate", 0.5), ("spread", 0.0)] {
            let even = serde_json::json!({ "mean": expected, "low": expected, "high": expected });
            assert_eq!(json[figure], even, "{figure} of {json}");
        }
        for place in ["/first_mover_win_rate/high", "/scores/0/mean", "/scores/1/low", "/games_per_second", "/cpu_seconds"] {
            assert!(json.pointer(place).is_some_and(Value::is_f64), "{place} of {json}");
        }
        assert_eq!((json["pairs"].as_u64(), json["seed"].as_u64()), (Some(20), seed.parse().ok()));
        assert_eq!(
            (json["lexicon"].as_str(), json["player_a"].as_str(), json["player_b"].as_str()),
            (Some("small"), Some("greedy"), Some("greedy"))
        );
    }
}

#[test]
fn records_hold_every_turn_and_do_not_depend_on_the_threads() {
    let (place, small) = small_workplace();
    for (threads, out) in [("1", "one"), ("2", "two")] {
        let arguments = ["selfplay", "--player", "greedy", "--games", "1100", "--quiet", "--threads", threads, "--out", out];
        place.succeed(&[&arguments[..], &small[..]].concat());
    }
    assert_eq!(files_below(&place.path("one")), files_below(&place.path("two")));
    // Only the lost shard and the manifest are made again.
    std::fs::remove_file(place.path("two/games-00001.parquet")).unwrap();
    std::fs::remove_file(place.path("two/manifest.json")).unwrap();
    place.succeed(&[&["selfplay", "--player", "greedy", "--games", "1100", "--out", "two"][..], &small[..]].concat());
    assert_eq!(files_below(&place.path("one")), files_below(&place.path("two")));
    // With other words under the same name it is another run.
    std::fs::remove_file(place.path("two/manifest.json")).unwrap();
    place.write("small.txt", "DATE\nRATES\nTEND\nAN\nZEN\n");
    place.refuse(
        &[&["selfplay", "--player", "greedy", "--games", "1100", "--out", "two"][..], &small[..]].concat(),
        &["another config", "lexicon_hash"],
    );

    let path = place.path("one/games-00000.parquet");
    let columns = read(
        &path,
        &["game", "turn", "player", "score", "bag", "spread_before", "final_spread", "unseen_Z", "rack", "move", "leave"],
    )
    .unwrap();
    let [Column::Int64(game), Column::Int32(turn), Column::Int32(player), Column::Int32(score), Column::Int32(bag), ..] =
        &columns[..]
    else {
        panic!("column types: {columns:?}");
    };
    let [
        ..,
        Column::Int32(before),
        Column::Int32(after),
        Column::Int32(unseen_z),
        Column::Text(racks),
        Column::Text(_),
        Column::Text(leaves),
    ] = &columns[..]
    else {
        panic!("column types");
    };
    assert_eq!(game.last(), Some(&999));
    for row in 1..game.len() {
        if game[row] != game[row - 1] {
            assert_eq!((game[row], turn[row], player[row], before[row], bag[row]), (game[row - 1] + 1, 0, 0, 0, 50));
            continue;
        }
        assert_eq!((turn[row], player[row]), (turn[row - 1] + 1, 1 - player[row - 1]));
        assert_eq!(before[row], -(before[row - 1] + score[row - 1]), "row {row}");
        assert_eq!(after[row], -after[row - 1]);
        assert!(unseen_z[row] <= 2 && leaves[row].len() <= racks[row].len());
    }
}

#[test]
fn exchanges_never_draw_more_tiles_than_the_bag_has() {
    let (place, small) = small_workplace();
    place.write("loose.toml", tilewright_tests::SMALL_TILESET.replace("exchange_minimum = 5", "exchange_minimum = 1"));
    // A player that gives up nearly any play to keep a single vowel.
    place.write("likes.csv", "A,200\nE,200\nEE,150\nAE,150\nADE,120\nEST,120\n");
    let [tileset, _, lexicon, words] = small;
    let player = ["--player", "leave:likes.csv"];
    let flags = [tileset, "loose.toml", lexicon, words, "--quiet", "--out", "out", "--games", "1000", player[0], player[1]];
    place.succeed(&[&["selfplay"][..], &flags[..]].concat());
    let columns = read(&place.path("out/games-00000.parquet"), &["bag", "move", "rack", "equity"]).unwrap();
    let [Column::Int32(bags), Column::Text(moves), Column::Text(racks), Column::Double(equities)] = &columns[..] else {
        panic!("column types: {columns:?}");
    };
    let mut seen = 0;
    for (((&bag, chosen), rack), &equity) in bags.iter().zip(moves).zip(racks).zip(equities) {
        assert!(bag == 0 || rack.len() == 5, "{rack} with {bag} in the bag");
        assert!(equity > -500.0, "{chosen}: {equity}");
        if let Some(given) = chosen.strip_prefix('-') {
            assert!(given.len() as i32 <= bag, "{chosen} of {rack} with {bag} in the bag");
            seen += i32::from(bag < 5);
        }
    }
    assert!(seen > 0, "no exchange with fewer tiles in the bag than on a rack");
}

/// A match of a second, whose progress is reported and whose figures go to `name`.
#[cfg(target_os = "linux")]
fn short_match(place: &Workplace, name: &str) -> std::process::Command {
    let players = ["match", "--player-a", "greedy", "--player-b", "no-leaves", "--pairs", "20", "--json", name];
    place.command(&players)
}

#[cfg(target_os = "linux")]
fn pairs_of(place: &Workplace, name: &str) -> Option<u64> {
    let json: Value = serde_json::from_slice(&std::fs::read(place.path(name)).unwrap()).unwrap();
    json["pairs"].as_u64()
}

#[cfg(target_os = "linux")]
#[test]
fn a_reader_that_goes_away_costs_no_work_and_is_told_by_the_exit_code() {
    use std::process::Stdio;
    let place = workplace();
    let mut child = short_match(&place, "a.json").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(pairs_of(&place, "a.json"), Some(20));
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = short_match(&place, "b.json").stdout(full()).stderr(Stdio::piped()).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("cannot write to standard output, the rest is lost"), "{message}");
    assert_eq!(pairs_of(&place, "b.json"), Some(20));
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_of_serve_that_is_lost_is_told_by_the_exit_code() {
    use std::process::Stdio;
    let place = workplace();
    place.write("hello.txt", "{\"type\":\"hello\",\"protocol\":1}\n");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let hello = std::fs::File::open(place.path("hello.txt")).unwrap();
    let output = place.command(&["serve", "--stdio"]).stdin(hello).stdout(full).stderr(Stdio::piped()).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("cannot write to standard output, the rest is lost"), "{message}");
}

#[cfg(target_os = "linux")]
#[test]
fn progress_that_nobody_reads_ends_no_run() {
    use std::process::Stdio;
    let place = workplace();
    let mut child = short_match(&place, "a.json").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("win rate"), "{output:?}");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = short_match(&place, "b.json").stderr(full).output().unwrap();
    assert!(output.status.success() && pairs_of(&place, "b.json") == Some(20), "{output:?}");
}

#[cfg(unix)]
#[test]
fn results_have_the_permissions_that_the_umask_leaves() {
    use std::os::unix::fs::PermissionsExt;
    let place = workplace();
    let players = ["match", "--player-a", "greedy", "--player-b", "no-leaves", "--pairs", "2"];
    let program = place.command(&[&players[..], &["--json", "a.json", "--games-out", "games"]].concat());
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "umask 027; exec \"$0\" \"$@\""]).arg(program.get_program()).args(program.get_args());
    shell.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.current_dir(program.get_current_dir().unwrap());
    let output = shell.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mode = |name: &str| std::fs::metadata(place.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(["a.json", "games", "games/manifest.json"].map(mode), [0o640, 0o750, 0o640]);
}

#[test]
fn a_file_that_cannot_be_written_is_named_itself() {
    let place = workplace();
    let output = place.run(&["moves", "--rack", "AEI", "--json", "nowhere/moves.json"]);
    assert!(output.errors.contains("cannot write nowhere/moves.json: No such file or directory"), "{}", output.errors);
    assert!(!output.errors.contains(" at path "), "{}", output.errors);
}

#[test]
fn the_word_map_changes_no_result() {
    let (place, small) = small_workplace();
    let figures = |name: &str, flags: &[&str]| {
        let arguments = ["match", "--player-a", "leave:likes.csv", "--player-b", "greedy", "--pairs", "60", "--json", name];
        place.succeed(&[&arguments[..], flags, &small[..]].concat());
        figures_without_speeds(&place, name)
    };
    place.write("likes.csv", "A,2\nE,3\nS,6\nEE,-2\nAE,1\n?,20\n");
    assert_eq!(figures("with.json", &[]), figures("without.json", &["--no-word-map"]));
}

#[test]
fn the_bench_prints_and_writes_its_table() {
    let (place, small) = small_workplace();
    let bench = |flags: &[&'static str]| [&["bench", "--repeats", "1", "--threads", "2"][..], flags, &small[..]].concat();
    let output = place.succeed(&bench(&["--json", "bench.json"]));
    for name in [
        "self-play",
        "all threads",
        "all moves",
        "playouts, opening",
        "playouts, crowded",
        "opening, per game",
        "ready to play",
    ] {
        assert!(output.contains(name), "{name}: {output}");
    }
    let json: Value = serde_json::from_slice(&std::fs::read(place.path("bench.json")).unwrap()).unwrap();
    let rates = json["rates"].as_array().unwrap();
    assert_eq!((rates.len(), json["threads"].as_u64()), (8, Some(2)));
    let median = |name: &str| rates.iter().find(|rate| rate["name"] == name).unwrap()["median"].as_f64().unwrap();
    let per_game = median("playouts, opening") / median("self-play");
    assert!((median("opening, per game") / per_game - 1.0).abs() < 1e-6);
    assert_eq!(
        (json["word_map"].as_bool(), json["repeats"].as_u64(), json["seed"].as_u64()),
        (Some(true), Some(1), Some(1))
    );
    assert!(
        rates.iter().all(|rate| rate["best"].as_f64() >= rate["median"].as_f64() && rate["median"].as_f64() > Some(0.0))
    );
    place.refuse(&bench(&["--json", "bench.json"]), &["never overwritten"]);
    place.refuse(&bench(&["--repeats", "0"]), &["--repeats"]);
    // The flags of `bench` itself do not go with its subcommands.
    place.refuse(&["bench", "--repeats", "1", "endgames"], &["endgames"]);
    place.refuse(&["bench", "pre-endgames", "--bag", "0"], &["--bag"]);
}
