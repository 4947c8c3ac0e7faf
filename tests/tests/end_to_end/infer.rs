//! `infer` from end to end, and what it refuses.

use serde_json::Value;
use tilewright_tests::Workplace;

use super::workplace;

/// A board with one word in the middle row.
fn position(row: &str, racks: &str) -> String {
    let empty = ["15"; 7].join("/");
    format!("{empty}/{row}/{empty} {racks} 0/0 0")
}

/// The text and the JSON of an inference.
fn infer(place: &Workplace, cgp: &str, last: &str, further: &[&str]) -> (String, Value) {
    let arguments = ["infer", "--cgp", cgp, "--last-move", last, "--json", "inferred.json"];
    let text = place.succeed(&[&arguments[..], further].concat());
    let json = serde_json::from_slice(&std::fs::read(place.path("inferred.json")).unwrap()).unwrap();
    std::fs::remove_file(place.path("inferred.json")).unwrap();
    (text, json)
}

fn sum(json: &Value) -> f64 {
    json["leaves"].as_array().unwrap().iter().map(|leave| leave["probability"].as_f64().unwrap()).sum()
}

/// The expected number of a tile, inferred and at random.
fn expected(json: &Value, tile: &str) -> [f64; 2] {
    let row = json["tiles"].as_array().unwrap().iter().find(|row| row["tile"] == tile).unwrap();
    ["expected", "prior"].map(|key| row[key].as_f64().unwrap())
}

#[test]
fn few_leaves_are_all_weighed() {
    let place = workplace();
    let cgp = position("3CRATED6", "AEINOTU/");
    let (text, json) = infer(&place, &cgp, "8D CRATED", &["--top", "100", "--threads", "1"]);
    assert_eq!((&json["method"], &json["leave_size"], &json["reason"]), (&"exact".into(), &1.into(), &Value::Null));
    let leaves = json["leaves"].as_array().unwrap();
    assert_eq!((Some(leaves.len() as u64), leaves.len()), (json["looked_at"].as_u64(), 27));
    assert!((sum(&json) - 1.0).abs() < 1e-9 && json["prior_share"].as_f64().unwrap() >= 0.05);
    assert!(leaves.is_sorted_by(|one, next| one["probability"].as_f64() >= next["probability"].as_f64()));
    // With an S it would have been a play of seven tiles.
    let [held, random] = expected(&json, "S");
    assert!(held < 0.5 * random, "{held} {random}");
    assert!(text.contains("27 leaves looked at (exact)") && text.lines().nth(1).unwrap().starts_with("  1 "), "{text}");
    assert_eq!((text, json), infer(&place, &cgp, "8D CRATED", &["--top", "100", "--threads", "3"]));
}

#[test]
fn many_leaves_are_drawn() {
    let place = workplace();
    let cgp = position("5COT7", "AEINRST/");
    let few = ["--draws", "300", "--top", "1000"];
    let (text, json) = infer(&place, &cgp, "8F COT", &few);
    assert_eq!((&json["method"], &json["leave_size"]), (&"sampled".into(), &4.into()));
    assert!((0.05..0.5).contains(&json["prior_share"].as_f64().unwrap()) && sum(&json) < 1.0, "{json}");
    assert!(json["looked_at"].as_u64().unwrap() <= 300 && text.contains("(sampled)"), "{text}");
    assert_eq!((text, json.clone()), infer(&place, &cgp, "8F COT", &few));
    let (_, other) = infer(&place, &cgp, "8F COT", &[&few[..], &["--seed", "2"]].concat());
    assert_ne!(other["leaves"], json["leaves"]);
    // The rack and the player change what is inferred.
    let (_, other) = infer(&place, &cgp, "8F COT", &[&few[..], &["--rack", "AEINRTU", "--player", "greedy"]].concat());
    assert_eq!((&other["rack"], &other["player"]), (&"AEINRTU".into(), &"greedy".into()));
}

#[test]
fn exchanges_keep_good_tiles() {
    let place = workplace();
    let cgp = position("15", "AEINRTU/");
    let (text, json) = infer(&place, &cgp, "exch 5", &["--draws", "400"]);
    assert_eq!((&json["method"], &json["leave_size"]), (&"sampled".into(), &2.into()));
    assert!(text.contains("racks looked at (sampled)"), "{text}");
    let more = |tile: &str| expected(&json, tile)[0] > expected(&json, tile)[1];
    assert!(more("S") && !more("I") && !more("O"), "{json}");
    // As GCG files write it.
    assert_eq!(infer(&place, &cgp, "-5", &["--draws", "400"]).1["leaves"], json["leaves"]);
}

#[test]
fn some_moves_say_nothing() {
    let place = workplace();
    for (row, last, part) in [
        ("15", "pass", "a pass says nothing"),
        ("15", "exch 7", "left no tile on the rack"),
        ("3CRATERS5", "8D CRATERS", "left no tile on the rack"),
    ] {
        let (text, json) = infer(&place, &position(row, "AEINOTU/"), last, &[]);
        assert!(text.contains("nothing is inferred from") && text.contains(part), "{text}");
        assert_eq!(
            (&json["method"], &json["leaves"], &json["tiles"]),
            (&"nothing".into(), &vec![0; 0].into(), &vec![0; 0].into())
        );
    }
}

#[test]
fn any_lexicon_and_tile_set_will_do() {
    let place = workplace();
    place.write("palabras.txt", "CASA\nSACO\nOCA\nCAL[LL]E\nES\nSE\nCASAS\nCO[CH]E\n");
    let flags = ["--tileset", "spanish", "--lexicon", "palabras.txt", "--player", "greedy", "--draws", "200"];
    let (_, json) = infer(&place, &position("5CO[CH]E6", "AEINOSU/"), "8F CO[CH]E", &flags);
    assert_eq!((&json["tileset"], &json["leave_size"]), (&"spanish".into(), &3.into()));
    // The only CH is on the board.
    assert!(expected(&json, "[LL]")[1] > 0.0 && json["tiles"].as_array().unwrap().iter().all(|row| row["tile"] != "[CH]"));
}

#[test]
fn what_cannot_be_inferred_is_reported() {
    let place = workplace();
    let refuse = |cgp: &str, last: &str, further: &[&str], parts: &[&str]| {
        place.refuse(&[&["infer", "--cgp", cgp, "--last-move", last], further].concat(), parts);
    };
    let cgp = position("5COT7", "AEINRST/");
    refuse(&cgp, "8F CAT", &[], &["--last-move \"8F CAT\"", "does not have these tiles"]);
    refuse(&cgp, "8G OT", &[], &["--last-move", "begins before"]);
    refuse(&cgp, "8F (C)OT", &[], &["the board before it", "--any-board"]);
    for last in ["COT", "8F COT 9", ""] {
        refuse(&cgp, last, &[], &["coordinate and a word"]);
    }
    refuse(&cgp, "8Z COT", &[], &["not a coordinate"]);
    for last in ["exch 9", "exch", "-AAI", "exch 0"] {
        refuse(&cgp, last, &[], &["with the number of tiles, 1 to 7"]);
    }
    refuse(&position("5COT7", "AEINRST/QU"), "8F COT", &[], &["names the opponent's rack QU"]);
    refuse(&position("5COT7", "/"), "8F COT", &[], &["no rack"]);
    refuse(&cgp, "8F COT", &["--player", "sim"], &["--player sim looks ahead"]);
    refuse(&cgp, "8F COT", &["--player", "strong"], &["\"strong\" is not a player"]);
    refuse(&cgp, "8F COT", &["--draws", "0"], &["--draws"]);
    refuse("15/15 A/ 0/0 0", "pass", &[], &["2 rows"]);
    // A board with few tiles left.
    let late = "7P4T2/1ANNOYER1GUIRO1/7I4A2/3C3CORTEgES/3I3K4E1U/3M8D1B/2JEW1Q5I1E/3XYLAN1AGHA1R/4N1NODDLInG1/\
                3AD1A2OOTS2/3US1TAW1B4/3R3ME1SH3/3E3OE2I3/3I2FUTZ1L3/7R2PIVOT AEEFLNV/ 368/341 0";
    refuse(late, "exch 1", &[], &["0 tiles are in the bag", "at least 7"]);
    let text = place.succeed(&["infer", "--cgp", late, "--last-move", "15K PIVOT", "--any-board"]);
    assert!(text.contains("the bag is empty, so the opponent has all unseen tiles: EI"), "{text}");
}
