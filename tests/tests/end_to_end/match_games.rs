//! `match --games-out` and self-play between two players.

use std::collections::BTreeMap;

use serde_json::Value;
use tilewright_engine::game::gcg;
use tilewright_engine::setup::Setup;
use tilewright_engine::tileset::TileSet;
use tilewright_tests::files_below;
use tilewright_train::parquet_file::{Column, read};

use super::small_workplace;

const LEAVE: &str = "leave:likes.csv";

fn place() -> (tilewright_tests::Workplace, [&'static str; 4]) {
    let (place, small) = small_workplace();
    place.write("likes.csv", "A,2\nE,2\nS,5\n?,12\nEE,-1\nAE,3\nADE,2\nEST,9\n");
    (place, small)
}

fn json(place: &tilewright_tests::Workplace, name: &str) -> Value {
    serde_json::from_slice(&std::fs::read(place.path(name)).unwrap()).unwrap()
}

#[test]
fn the_games_of_a_match_are_those_of_its_figures() {
    let (place, small) = place();
    let flags = ["match", "--player-a", LEAVE, "--player-b", "greedy", "--pairs", "560", "--quiet", "--candidates", "3"];
    for (threads, out, figures) in [("1", "one", "one.json"), ("2", "two", "two.json")] {
        let files = ["--threads", threads, "--games-out", out, "--json", figures];
        place.succeed(&[&flags[..], &files, &small].concat());
    }
    assert_eq!(files_below(&place.path("one")), files_below(&place.path("two")));
    place.refuse(&[&flags[..], &["--games-out", "one"], &small].concat(), &["one already exists", "--games-out"]);

    let file = |name: &str| place.path("one").join(name);
    assert!(file("games-00001.parquet").exists());
    let [Column::Int64(game), Column::Int32(turn), Column::Text(name), Column::Int32(after)] =
        &read(&file("games-00000.parquet"), &["game", "turn", "name", "final_spread"]).unwrap()[..]
    else {
        panic!("column types");
    };
    assert_eq!((game[0], game.last()), (0, Some(&999)));
    let mut spread = 0;
    for row in 0..game.len() {
        if turn[row] == 0 {
            assert_eq!(name[row], if game[row] % 2 == 0 { LEAVE } else { "greedy" });
            spread += i64::from(if game[row] % 2 == 0 { after[row] } else { -after[row] });
        }
    }
    let [Column::Int64(last), Column::Int32(turn), Column::Int32(after)] =
        &read(&file("games-00001.parquet"), &["game", "turn", "final_spread"]).unwrap()[..]
    else {
        panic!("column types");
    };
    for row in (0..last.len()).filter(|&row| turn[row] == 0) {
        spread += i64::from(if last[row] % 2 == 0 { after[row] } else { -after[row] });
    }
    let mean = json(&place, "one.json")["spread"]["mean"].as_f64().unwrap();
    assert!((spread as f64 / 1120.0 - mean).abs() < 1e-9, "{spread} {mean}");

    // Static players make their best candidate.
    let [Column::Int64(game), Column::Int32(turn), Column::Int32(rank), Column::Double(equity), Column::Int32(chosen)] =
        &read(&file("candidates-00000.parquet"), &["game", "turn", "rank", "equity", "chosen"]).unwrap()[..]
    else {
        panic!("column types");
    };
    assert!(rank.contains(&3));
    for row in 0..game.len() {
        assert_eq!(chosen[row], i32::from(rank[row] == 1), "row {row}");
        if rank[row] > 1 {
            assert_eq!((game[row], turn[row]), (game[row - 1], turn[row - 1]));
            assert!(equity[row] <= equity[row - 1]);
        }
    }
}

#[test]
fn gcg_files_replay_to_the_results_of_the_pairs() {
    let (place, small) = place();
    let flags = ["match", "--player-a", LEAVE, "--player-b", "greedy", "--pairs", "30", "--seed", "5"];
    let files = ["--games-out", "games", "--games-format", "gcg", "--candidates", "2", "--pairs-out", "pairs.parquet"];
    let printed = place.succeed(&[&flags[..], &files, &small].concat());
    assert!(printed.ends_with("The games are in games.\n"), "{printed}");
    let columns = ["score_a_first", "score_b_first", "score_a_second", "score_b_second"];
    let scores = read(&place.path("pairs.parquet"), &columns).unwrap();
    let score = |column: usize, row: usize| match &scores[column] {
        Column::Int32(values) => values[row],
        other => panic!("{other:?}"),
    };
    let tileset = TileSet::from_toml(tilewright_tests::SMALL_TILESET, "small.toml").unwrap();
    let setup = Setup::from_words(tileset, tilewright_tests::small_words()).unwrap();
    for number in 0..60 {
        let text = std::fs::read(place.path(&format!("games/game-{number:07}.gcg"))).unwrap();
        let game = gcg::read(&text, &setup.tileset).unwrap();
        let (pair, is_second) = (number / 2, number % 2);
        assert_eq!(game.players[0].nickname, ["A", "B"][is_second]);
        let last = gcg::replay(&game, &setup).map(|position| position.unwrap()).last().unwrap();
        let first = 2 * is_second;
        let mut expected = [score(first, pair), score(first + 1, pair)];
        if is_second == 1 {
            expected.reverse();
        }
        assert_eq!(last.scores, expected, "game {number}");
        let moves = game.events.iter().filter(|event| !event.notes.is_empty());
        assert!(moves.clone().count() > 5 && moves.clone().all(|event| event.notes[0].split(';').count() <= 2));
    }
    place.refuse(&["report", "games"], &["games is a games artefact, which has no page"]);
    place.refuse(&["export", "games", "--out", "tables"], &["games is a games artefact, which has no tables"]);
}

#[test]
fn a_match_that_is_extended_writes_the_games_of_one_run() {
    let (place, small) = place();
    let play = |pairs: &'static str, files: &[&'static str]| {
        let players = ["match", "--player-a", LEAVE, "--player-b", "greedy", "--quiet", "--pairs", pairs];
        [&players[..], files, &small].concat()
    };
    place.succeed(&play("700", &["--out", "kept", "--games-out", "some"]));
    place.succeed(&play("1100", &["--out", "kept", "--games-out", "all"]));
    place.succeed(&play("1100", &["--games-out", "once"]));
    assert_eq!(files_below(&place.path("all")), files_below(&place.path("once")));
    // Pairs without their moves cannot be written as games.
    place.succeed(&play("40", &["--out", "bare"]));
    place.refuse(&play("40", &["--out", "bare", "--games-out", "more"]), &["bare", "moves"]);
}

#[test]
fn flags_of_games_go_together() {
    let (place, small) = place();
    let with = |flags: &[&'static str]| [&["match", "--pairs", "3"], flags, &small].concat();
    let two = ["--player-a", "greedy", "--player-b", "greedy"];
    place.refuse(&with(&[&two[..], &["--candidates", "3"]].concat()), &["--games-out"]);
    place.refuse(&with(&[&two[..], &["--games-format", "gcg"]].concat()), &["--games-out"]);
    place.refuse(&with(&[&two[..], &["--games-out", "g", "--games-format", "text"]].concat()), &["parquet", "gcg"]);
    place.refuse(
        &with(&["--players", "greedy", "no-leaves", LEAVE, "--games-out", "g"]),
        &["--games-out needs exactly two players"],
    );
    // The folder of games is for the games alone, and every file has a name of its own.
    std::fs::create_dir(place.path("full")).unwrap();
    place.write("full/notes.txt", "mine");
    for (files, parts) in [
        (&["--games-out", "full"][..], &["full already exists", "--games-out"][..]),
        (&["--games-out", "small.txt/g"], &["--games-out small.txt/g", "cannot write there"]),
        (&["--games-out", "."], &["already exists"]),
        (&["--games-out", "run", "--out", "run"], &["--games-out run and --out run", "one another"]),
        (&["--games-out", "run/g", "--out", "run"], &["--games-out run/g and --out run", "one another"]),
        (&["--games-out", "g", "--json", "g/r.json"], &["--games-out g and --json g/r.json", "one another"]),
        (&["--json", "r", "--pairs-out", "r"], &["--json and --pairs-out both name r"]),
    ] {
        place.refuse(&with(&[&two[..], files].concat()), parts);
    }
    assert_eq!(std::fs::read_to_string(place.path("full/notes.txt")).unwrap(), "mine");
}

#[test]
fn two_players_of_self_play_take_turns_to_begin() {
    let (place, small) = place();
    let flags = ["selfplay", "--games", "40", "--player", LEAVE, "--opponent", "greedy", "--out", "games", "--quiet"];
    place.succeed(&[&flags[..], &small].concat());
    let columns = ["game", "player", "name", "position", "rack", "spread_before"];
    let [
        Column::Int64(game),
        Column::Int32(player),
        Column::Text(name),
        Column::Text(position),
        Column::Text(rack),
        Column::Int32(spread),
    ] = &read(&place.path("games/games-00000.parquet"), &columns).unwrap()[..]
    else {
        panic!("column types");
    };
    for row in 0..game.len() {
        assert_eq!(name[row], if (game[row] + i64::from(player[row])) % 2 == 0 { LEAVE } else { "greedy" });
        let fields: BTreeMap<usize, &str> = position[row].split(' ').enumerate().collect();
        assert!(fields[&1].starts_with(&format!("{}/", rack[row])), "{}", position[row]);
        let scores: Vec<i32> = fields[&2].split('/').map(|score| score.parse().unwrap()).collect();
        assert_eq!(scores[0] - scores[1], spread[row]);
    }
    // The positions can be given to other verbs.
    place.succeed(&[&["moves", "--player", "greedy", "--cgp", &position[5], "--top", "1"][..], &small].concat());
}
