//! `solve` from end to end, and what it refuses.

use serde_json::Value;

use super::{small_workplace, workplace};

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
    assert!(limited.contains("best so far, bounds"), "{limited}");
}

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
    place.refuse(&["bench", "endgames", "--time", "50"], &["--time", "50ms"]);
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
