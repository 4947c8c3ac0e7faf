//! The sequential test of `match`, and `leaves eval`, from end to end.

use super::{figures_without_speeds as json, small_workplace};

/// Leave values that clearly beat greedy play.
const GOOD: &str = "A,1\nE,3\nS,6\nEE,-2\nAA,-4\nZ,5\n?,20\n";

#[test]
fn a_sequential_match_stops_at_the_same_pair_on_any_number_of_threads() {
    let (place, small) = small_workplace();
    place.write("good.csv", GOOD);
    let play = |name: &str, pairs: &str, flags: &[&str]| {
        let players = ["match", "--player-a", "leave:good.csv", "--player-b", "greedy", "--pairs", pairs, "--json", name];
        let output = place.succeed(&[&players[..], flags, &small[..]].concat());
        (output, json(&place, name))
    };
    let (output, one) = play("one.json", "9000", &["--sequential", "--threads", "1"]);
    assert!(output.contains("H1 accepted: a win rate of 51 % rather than 50 %; LLR +"), "{output}");
    assert!(output.contains("win rate, spread and their intervals are biased towards the verdict"), "{output}");
    let (_, two) = play("two.json", "9000", &["--sprt", "50:51", "--threads", "2"]);
    assert_eq!(one, two);
    let (pairs, test) = (one["pairs"].as_u64().unwrap(), &one["sequential"]);
    assert!(pairs < 9000 && pairs.is_multiple_of(128), "{one}");
    assert_eq!((test["verdict"].as_str(), test["most_pairs"].as_u64()), (Some("h1"), Some(9000)));
    assert_eq!((test["h0"].as_f64(), test["h1"].as_f64(), test["alpha"].as_f64()), (Some(0.5), Some(0.51), Some(0.05)));
    assert!(test["log_likelihood_ratio"].as_f64() >= test["upper_bound"].as_f64(), "{test}");

    // The pairs are those of a match without a test.
    let fixed = pairs.to_string();
    place.succeed(
        &[
            &["match", "--player-a", "leave:good.csv", "--player-b", "greedy", "--pairs", &fixed, "--json", "f.json"][..],
            &small[..],
        ]
        .concat(),
    );
    let fixed = json(&place, "f.json");
    assert_eq!((&fixed["pentanomial"], &fixed["spread"]), (&one["pentanomial"], &one["spread"]));
    assert!(fixed.get("sequential").is_none());

    // With the players swapped the verdict is H0. Too few pairs bring no verdict.
    let other = ["match", "--player-a", "greedy", "--player-b", "leave:good.csv", "--sequential", "49:50"];
    let output = place.succeed(&[&other[..], &["--pairs", "9000"], &small[..]].concat());
    assert!(output.contains("H0 accepted: a win rate of 49 % rather than 50 %"), "{output}");
    let (output, few) = play("few.json", "100", &["--sequential", "50:50.01", "--alpha", "0.001"]);
    assert!(output.contains("undecided between win rates of 50 % (H0) and 50.01 % (H1)"), "{output}");
    assert!(!output.contains("biased towards"), "{output}");
    assert_eq!((few["pairs"].as_u64(), few["sequential"]["verdict"].as_str()), (Some(100), Some("undecided")));
}

#[test]
fn a_table_is_evaluated_against_none_and_against_another() {
    let (place, small) = small_workplace();
    place.write("good.csv", GOOD);
    let evaluate = |flags: &[&str]| place.succeed(&[&["leaves", "eval", "good.csv"][..], flags, &small[..]].concat());
    let output = evaluate(&["--json", "e.json"]);
    assert!(output.contains("good.csv is better than no-leaves: it wins more than 50 % of the games."), "{output}");
    assert!(
        output.contains("tilewright match --player-a leave:good.csv --player-b no-leaves --pairs 10000 --seed 2 --lexicon small.txt --tileset small.toml"),
        "{output}"
    );
    let figures = json(&place, "e.json");
    assert_eq!((figures["player_a"].as_str(), figures["player_b"].as_str()), (Some("leave:good.csv"), Some("no-leaves")));
    assert_eq!((figures["sequential"]["verdict"].as_str(), figures["seed"].as_u64()), (Some("h1"), Some(1)));

    place.succeed(&[&["leaves", "export", "good.csv", "--save", "same.klv2"][..], &small[..]].concat());
    let output = evaluate(&["--against", "same.klv2", "--quiet"]);
    assert!(output.contains("good.csv wins less than 51 % of the games against same.klv2."), "{output}");
    let output = evaluate(&["--against", "leave:same.klv2", "--pairs", "50"]);
    assert!(
        output.contains("50 pairs do not decide whether good.csv wins 50 % or 51 % against leave:same.klv2."),
        "{output}"
    );

    let refuse =
        |flags: &[&str], parts: &[&str]| place.refuse(&[&["leaves", "eval"][..], flags, &small[..]].concat(), parts);
    refuse(&["nowhere.csv"], &["nowhere.csv", "No such file"]);
    refuse(&["good.csv", "--against", "small.txt"], &["small.txt", ".klv2.gz or a .csv"]);
    refuse(&["good.csv", "--json", "e.json"], &["e.json", "never overwritten"]);
    refuse(&["good.csv", "--pairs", "0"], &["--pairs", "1.."]);
}

#[test]
fn invalid_tests_are_refused() {
    let (place, small) = small_workplace();
    let refuse = |flags: &[&str], parts: &[&str]| {
        let players = ["match", "--player-a", "greedy", "--player-b", "greedy", "--pairs", "1"];
        place.refuse(&[&players[..], flags, &small[..]].concat(), parts);
    };
    refuse(&["--sequential", "51:50"], &["51:50", "--sequential", "lower win rate comes first", "swap the players"]);
    refuse(&["--sequential", "50:100"], &["50:100", "between 0 and 100"]);
    refuse(&["--sequential", "50"], &["--sequential", "as in 50:51"]);
    refuse(&["--sequential", "0.5:0.51"], &["0.5:0.51", "in percent"]);
    refuse(&["--sequential", "50:nan"], &["50:nan"]);
    refuse(&["--sequential", "--alpha", "0.5"], &["--alpha", "below 0.5"]);
    refuse(&["--sequential", "--beta", "0"], &["--beta", "above 0"]);
    refuse(&["--alpha", "0.05"], &["--alpha", "add --sequential"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_shows_the_figures_so_far_and_exits_130() {
    use std::io::{BufRead, BufReader, Read};

    let (place, small) = small_workplace();
    let players = ["match", "--player-a", "greedy", "--player-b", "greedy", "--pairs", "1000000000"];
    let test = ["--sequential", "50:50.000001"];
    let mut child =
        place.command(&[&players[..], &test, &small[..]].concat()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut text = String::new();
    while !text.contains("match: 1000000000 pairs") {
        assert_ne!(errors.read_line(&mut text).unwrap(), 0, "{text}");
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    tilewright_tests::interrupt(&child);
    errors.read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{text}");
    assert!(text.contains("of at most 1000000000 pairs were played") && text.contains("win rate    50.00 %"), "{text}");
}
