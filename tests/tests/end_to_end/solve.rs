//! `solve` from end to end, and what it refuses.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{schema, small_workplace, workplace};

/// A board at the moment when the bag becomes empty.
const BOARD: &str = "7P4T2/1ANNOYER1GUIRO1/7I4A2/3C3CORTEgES/3I3K4E1U/3M8D1B/2JEW1Q5I1E/3XYLAN1AGHA1R/4N1NODDLInG1/\
                     3AD1A2OOTS2/3US1TAW1B4/3R3ME1SH3/3E3OE2I3/3I2FUTZ1L3/7R2PIVOT";

fn position(racks: &str) -> String {
    format!("{BOARD} {racks} 368/341 0")
}

#[test]
fn an_endgame_is_solved_to_the_end() {
    let place = workplace();
    let position = position("AEEFLNV/EI");
    let output = place.succeed(&["solve", "--cgp", &position, "--json", "solved.json"]);
    assert!(output.contains("value +13, final spread +40 (exact)") && output.contains("1A FLEA +31"), "{output}");
    let json: Value = serde_json::from_slice(&std::fs::read(place.path("solved.json")).unwrap()).unwrap();
    assert_eq!((&json["value"], &json["exact"], &json["line"][1]["score"]), (&13.into(), &true.into(), &6.into()));
    let unknown = place.succeed(&["solve", "--cgp", &position.replace("/EI", "/"), "--threads", "1"]);
    assert_eq!(unknown.lines().take(4).collect::<Vec<_>>(), output.lines().take(4).collect::<Vec<_>>());
    let winner = place.succeed(&["solve", "--cgp", &position, "--first-win"]);
    assert!(winner.contains("1A FLEA"), "{winner}");
    let fast = place.succeed(&["solve", "--cgp", &position, "--fast"]);
    assert!(fast.contains("estimate, win probability"), "{fast}");
    let limited = place.succeed(&["solve", "--cgp", &position, "--nodes", "1"]);
    assert!(limited.contains("best so far, at most +13, no lower bound yet"), "{limited}");
}

#[test]
fn a_search_without_bounds_invents_none() {
    let place = workplace();
    let solve = |more: &[&str]| place.succeed(&[&["solve", "--cgp", UNBOUNDED, "--threads", "1"], more].concat());
    let text = solve(&["--nodes", "20", "--html", "page.html"]);
    assert!(text.contains("(best so far, no bounds yet)"), "{text}");
    let page = std::fs::read_to_string(place.path("page.html")).unwrap();
    assert!(page.contains("(best so far, no bounds yet)"), "{page}");
    let json: Value = serde_json::from_str(&solve(&["--nodes", "20", "--json", "-"])).unwrap();
    schema::check(&json);
    assert_eq!((&json["bounds"], &json["exact"]), (&serde_json::json!([null, null]), &false.into()));
    let fast: Value = serde_json::from_str(&solve(&["--fast", "--json", "-"])).unwrap();
    schema::check(&fast);
    assert_eq!(fast["bounds"], serde_json::json!([null, null]));
}

/// An endgame with full racks. Its first 20 positions prove nothing.
const UNBOUNDED: &str = "1OUTvOICE1C4/7O1WAVING/7M2N4/7A1QAID2/7D2L4/6REF1I4/E2R4L1S3F/V2E3OUREBI1O/E2P4T2E1UH/NE1R4i2AAH1/\
                         EX1I4S2NU2/DE1S4T2ET2/1MYALGIAS2DO2/1POLIO9/1T3BEAKY5 AGINRTW/JNRZ 350/401 0";

#[test]
fn endgames_are_timed_and_a_time_limit_loses_points_that_are_counted() {
    let (place, game) = small_workplace();
    let bench = |more: &[&'static str]| -> Value {
        let arguments = [&["bench", "endgames", "--count", "12", "--seed", "4"][..], more, &game[..]].concat();
        place.succeed(&arguments);
        serde_json::from_slice(&std::fs::read(place.path(more[1])).unwrap()).unwrap()
    };
    let exact = bench(&["--json", "exact.json"]);
    assert_eq!((&exact["count"], &exact["solved"], &exact["mean_loss"]), (&12.into(), &12.into(), &Value::Null));
    assert!(exact["cpu_ms_median"].as_f64() <= exact["cpu_ms_p95"].as_f64());
    assert!(exact["cpu_ms_p95"].as_f64() <= exact["cpu_ms_max"].as_f64());
    let limited = bench(&["--json", "limited.json", "--time", "50ms"]);
    let each = limited["each"].as_array().unwrap();
    let losses: Vec<f64> = each.iter().map(|one| one["limited"]["loss"].as_f64().unwrap()).collect();
    assert!(losses.iter().all(|&loss| loss >= 0.0), "{losses:?}");
    assert_eq!(limited["mean_loss"].as_f64(), Some(losses.iter().sum::<f64>() / 12.0));
    let stuck = each.iter().filter(|one| one["stuck"] != serde_json::json!(["", ""])).count();
    assert_eq!(limited["stuck"].as_u64(), Some(stuck as u64));
    let values =
        |costs: &Value| -> Vec<Value> { costs["each"].as_array().unwrap().iter().map(|one| one["value"].clone()).collect() };
    assert_eq!(values(&exact), values(&limited));
    let few = bench(&["--json", "few.json", "--time", "50ms", "--nodes", "300"]);
    let is_unproved = |one: &&Value| one["solved"] == true && one["limited"]["loss"].is_null();
    let unproved = few["each"].as_array().unwrap().iter().filter(is_unproved).count();
    assert_eq!(few["limited"]["unproved"].as_u64(), Some(unproved as u64));
    place.refuse(&["bench", "endgames", "--time", "50"], &["--time", "50ms"]);
}

#[test]
fn many_endgames_are_answered_in_json_lines() {
    let place = workplace();
    let (first, second) = (position("AEEFLNV/EI"), position("AEEFLN/VEI"));
    place.write("positions.txt", format!("# two endgames\n{first}\n\n{second}\n"));
    let solve = |more: &[&str]| -> Vec<Value> {
        let output = place.succeed(&[&["solve", "--cgp-file", "positions.txt", "--json", "-"][..], more].concat());
        output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let answers = solve(&["--best", "3"]);
    assert_eq!(answers.len(), 2);
    let one = &answers[0];
    assert_eq!((&one["number"], &one["value"], &one["exact"]), (&2.into(), &13.into(), &true.into()));
    assert_eq!((&one["bounds"], &one["line"][0]["move"]), (&serde_json::json!([13, 13]), &"1A FLEA".into()));
    assert!(one["cpu_ms"].as_f64() > Some(0.0));
    let best = one["best_moves"].as_array().unwrap();
    assert_eq!((best.len(), &best[0]["move"], &best[0]["value"]), (3, &"1A FLEA".into(), &13.into()));
    assert!(best.is_sorted_by_key(|best| -best["value"].as_i64().unwrap()), "{best:?}");
    // Neither the number of threads nor the form of the output changes an answer.
    let timeless = |answers: Vec<Value>| -> Vec<Value> {
        let without = |mut answer: Value| {
            let fields = answer.as_object_mut().unwrap();
            fields.retain(|name, _| !["cpu_ms", "seconds"].contains(&&**name));
            answer
        };
        answers.into_iter().map(without).collect()
    };
    let answers = timeless(answers);
    assert_eq!(timeless(solve(&["--best", "3", "--threads", "1"])), answers);
    place.succeed(&["solve", "--cgp-file", "positions.txt", "--best", "3", "--json", "answers.jsonl"]);
    let written = std::fs::read_to_string(place.path("answers.jsonl")).unwrap();
    assert_eq!(timeless(written.lines().map(|line| serde_json::from_str(line).unwrap()).collect()), answers);
    let limited = solve(&["--nodes", "1"]);
    assert!(limited.iter().all(|answer| answer["exact"] == false && answer["bounds"][1].is_i64()), "{limited:?}");
    let single: Value = serde_json::from_str(&place.succeed(&["solve", "--cgp", &first, "--json", "-"])).unwrap();
    assert_eq!((&single["value"], &single["number"]), (&13.into(), &Value::Null));
}

/// An endgame whose search takes minutes.
const HARD: &str = "3CITTERN5/1JEU7MOO1/3R6KUNE1/3I1W3PONE2/2ZETA3AL4/2I1EF3YA4/2G1DE4c4/3VIRGA2HABIT/4O4DE4/4UH3E5/4SO1B1L5/\
                    1NAP1L1Y1I5/2MOIDORES5/QAID3L1T2AX1/7S1SOFTIE ACEGRR?/NNUVW 360/346 0";

#[test]
fn answers_are_written_as_soon_as_they_are_known() {
    let place = workplace();
    place.write("positions.txt", format!("{}\n{HARD}\n", position("AEEFLNV/EI")));
    let arguments = ["solve", "--cgp-file", "positions.txt", "--time", "20s", "--json"];
    let solve = |file: &str| place.command(&arguments).arg(file).stdout(Stdio::piped()).spawn().unwrap();
    let check = |line: &str| {
        let answer: Value = serde_json::from_str(line).unwrap();
        schema::check(&answer);
        assert_eq!((&answer["number"], &answer["value"]), (&1.into(), &13.into()));
    };
    let mut child = solve("-");
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(child.try_wait().unwrap().is_none(), "the second endgame is being solved");
    check(&line);
    child.kill().unwrap();
    child.wait().unwrap();

    let (mut child, begun) = (solve("lines.jsonl"), Instant::now());
    let written = || std::fs::read_to_string(place.path("lines.jsonl")).unwrap_or_default();
    while !written().ends_with('\n') && begun.elapsed() < Duration::from_secs(15) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(child.try_wait().unwrap().is_none(), "the second endgame is being solved");
    check(&written());
    child.kill().unwrap();
    child.wait().unwrap();
    place.refuse(&[&arguments[..], &["lines.jsonl"]].concat(), &["lines.jsonl already exists"]);
}

#[test]
fn a_line_that_is_no_endgame_is_named() {
    let place = workplace();
    let good = position("AEEFLNV/EI");
    let refuse = |second: &str, parts: &[&str]| {
        place.write("positions.txt", format!("{good}\n{second}\n"));
        place.refuse(&["solve", "--cgp-file", "positions.txt", "--json", "-"], parts);
    };
    refuse("nonsense", &["positions.txt, line 2"]);
    refuse(&good.replace("/EI", "/QI"), &["positions.txt, line 2", "2 Q"]);
    refuse(&good.replace("341 0", "341 6"), &["positions.txt, line 2", "the game is over"]);
    refuse(&format!("{good} ld spanish;"), &["positions.txt, line 2", "another tile set"]);
    // A byte order mark is no part of the first position.
    place.write("marked.txt", format!("\u{feff}{good}\n"));
    let answer = place.succeed(&["solve", "--cgp-file", "marked.txt", "--json", "-"]);
    assert!(answer.contains("\"value\":13"), "{answer}");
    place.write("empty.txt", "# nothing\n");
    place.refuse(&["solve", "--cgp-file", "empty.txt"], &["empty.txt", "no positions"]);
    place.write("latin.txt", [good.as_bytes(), b"\n\xff\n"].concat());
    place.refuse(&["solve", "--cgp-file", "latin.txt"], &["latin.txt, line 2", "UTF-8"]);
    place.refuse(&["solve", "--cgp-file", "missing.txt"], &["missing.txt"]);
    place.refuse(&["solve", "--json", "-"], &["--cgp"]);
}

#[test]
fn what_cannot_be_solved_is_refused_with_the_reason() {
    let place = workplace();
    let refuse = |position: &str, parts: &[&str]| place.refuse(&["solve", "--cgp", position], parts);
    let shown = |racks| position(racks);
    refuse(&shown("AEEFLNV/QI"), &["2 Q", "the english tile set has 1"]);
    refuse(&shown("AEEFLNV/E"), &["the opponent's rack holds too few tiles (1)", "with 1 in the bag", "filled up to 7"]);
    refuse(&shown("/EI"), &["no rack"]);
    refuse(&shown("AEEFLNV/EI").replace("341 0", "341 6"), &["the game is over"]);
    refuse(
        &shown("AEEFLNV/").replace("7R2PIVOT", "A6R2PIVOT").replace("AEEFLNV", "EEFLNV"),
        &["a gap", "15A", "--any-board"],
    );
    refuse(&shown("AEEFLNV/EI").replace("1ANNOYER1", "1ANNOEYR1"), &["not in the lexicon", "ANNOEYR at 2B", "--any-board"]);
    place.refuse(&["solve", "--cgp", &shown("AEEFLNV/EI"), "--time", "0"], &["--time", "more than 0"]);
}

#[test]
fn an_opponents_rack_that_is_not_unseen_is_refused() {
    let position = position("AEEFLN/EI");
    workplace().refuse(&["solve", "--cgp", &position, "--rack", "AEEFLNI"], &["EI is not among the unseen tiles", "EV"]);
}

#[test]
fn a_pre_endgame_says_what_it_assumes_and_keeps_to_its_time() {
    let (place, game) = small_workplace();
    place.succeed(&[&["bench", "pre-endgames", "--count", "2", "--bag", "1", "--json", "bench.json"], &game[..]].concat());
    let bench: Value = serde_json::from_slice(&std::fs::read(place.path("bench.json")).unwrap()).unwrap();
    let cgp = bench["each"][0]["cgp"].as_str().unwrap();
    let solve = |more: &[&str]| -> String {
        place.succeed(&[&["solve", "--cgp", cgp, "--any-board", "--player", "greedy"], more, &game[..]].concat())
    };
    let free: Value = serde_json::from_str(&solve(&["--json", "-"])).unwrap();
    schema::check(&free);
    assert!(free["cpu_ms"].as_f64().unwrap() > 0.0);
    assert!(free["opponent_model"].as_str().unwrap().contains("both sides are assumed to play statically"), "{free}");
    let is_exact = |one: &Value| one["certainty"] == "exact";
    for one in free["candidates"].as_array().unwrap() {
        let is_guessed = one["certainty"] == "guessed replies";
        assert!(!is_exact(one) || (one["win_bounds"].is_array() && one["proved"] == 1.0), "{one}");
        assert!(!is_guessed || (one["win_bounds"].is_null() && one["proved"] == 0.0 && one["certain"] == 1.0), "{one}");
    }
    assert!(free["candidates"].as_array().unwrap().iter().any(is_exact), "{free}");
    assert_eq!(is_exact(&free["candidates"][0]), solve(&[]).contains("the winner is proved in 100.0 % of the draws"));
    let timed: Value = serde_json::from_str(&solve(&["--time", "100s", "--json", "-"])).unwrap();
    assert_eq!(timed["candidates"][0]["move"], free["candidates"][0]["move"]);
    let hurried =
        [&["solve", "--cgp", cgp, "--any-board", "--player", "greedy", "--time", "0.000000001"], &game[..]].concat();
    place.refuse(&hurried, &["--time is too short"]);
}

/// A position with one tile in the bag.
const PRE_ENDGAME: &str = "14S/8VERBENA/12N1Y/12GAY/10A1LEI/10M1URD/G9O1TO1/I3D1CURLEWS2/V3E5B4/EH2X3OKA4/NO2I2CHINA3/\
                           1G2EF1LOW1L2P/1T3ATE1I1O2I/1I3ZAP2FUJIS/DEfERENT3D2O AAIMRT?/ 405/400 0";

#[test]
fn nothing_is_proved_where_replies_are_assumed() {
    let place = workplace();
    // No tile can be laid, so every draw ends in passes.
    place.write("long.txt", "KVETCHED\nKVETCHES\n");
    let solve = |more: &[&str]| {
        let arguments =
            ["solve", "--cgp", PRE_ENDGAME, "--any-board", "--lexicon", "long.txt", "--player", "greedy", "--html"];
        place.succeed(&[&arguments[..], more].concat())
    };
    let text = solve(&["page.html"]);
    let summary = "the winner is certain in 100.0 % of the draws after pass, if the opponent replies as assumed";
    assert!(text.contains(summary) && text.contains("guessed replies"), "{text}");
    let page = std::fs::read_to_string(place.path("page.html")).unwrap();
    assert!(page.contains("replies are assumed has none"), "{page}");
    let json: Value = serde_json::from_str(&solve(&["other.html", "--json", "-"])).unwrap();
    schema::check(&json);
    let pass = &json["candidates"][0];
    assert_eq!((&pass["move"], &pass["certainty"]), (&"pass".into(), &"guessed replies".into()));
    assert_eq!((&pass["win_bounds"], &pass["proved"], &pass["certain"]), (&Value::Null, &0.0.into(), &1.0.into()));
}

#[test]
fn a_search_for_positions_that_do_not_come_up_ends() {
    let place = workplace();
    place.write("two.txt", "AA\nAB\n");
    place.refuse(
        &["bench", "endgames", "--count", "1", "--lexicon", "two.txt"],
        &["in none of 10000 games of greedy", "0 tiles in the bag"],
    );
}
