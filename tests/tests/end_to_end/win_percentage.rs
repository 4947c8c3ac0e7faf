//! `win-percentage` from end to end: training, scoring, the formats of other tools, and refusals.

use serde_json::Value;
use tilewright_tests::{Workplace, files_below};

use super::{small_workplace, workplace};

pub(super) const CONFIG: &str = r#"
lexicon = "small.txt"
tileset = "small.toml"
player = "greedy"
seed = 1
games = 1500
held_out_games = 600
held_out_seed = 1000
shard_games = 100
hidden = 8
pairs = 2
steps = 120
learning_rate = 0.02
"#;

fn train<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["win-percentage", "train", "win.toml", "--out", out][..], more].concat()
}

fn place() -> (Workplace, [&'static str; 4]) {
    let (place, small) = small_workplace();
    place.write("win.toml", CONFIG);
    (place, small)
}

#[test]
fn threads_do_not_change_a_byte_and_tables_are_scored_shown_and_exported() {
    let (place, small) = place();
    let told = place.succeed(&train("one", &["--threads", "1", "--quiet"]));
    assert!(told.contains("1,500 games of self-play by greedy") && told.contains("\nweakest: "), "{told}");
    let page = std::fs::read_to_string(place.path("one/report.html")).unwrap();
    assert!(page.contains("Win percentage for small") && page.contains("1-5 unseen"), "{page}");
    place.succeed(&train("two", &["--threads", "2", "--quiet"]));
    assert_eq!(files_below(&place.path("one")), files_below(&place.path("two")));
    assert_eq!(place.succeed(&train("one", &["--threads", "2"])), told);
    tables_are_scored_shown_and_exported(&place, small);
    unsuitable_tables_and_configs_are_refused(&place, small);
}

fn tables_are_scored_shown_and_exported(place: &Workplace, small: [&str; 4]) {
    let with = |arguments: &[&'static str]| [&["win-percentage"], arguments, &small[..]].concat();
    // The artefact knows its tile set; the layout of the file is said.
    let printed = place.succeed(&["win-percentage", "export", "one", "--save", "macondo.csv"]);
    assert!(printed.contains("as Macondo reads it"), "{printed}");
    let printed = place.succeed(&with(&["export", "one", "--save", "magpie.txt.gz"]));
    assert!(printed.contains("as MAGPIE reads it"), "{printed}");
    place.succeed(&with(&["export", "one", "--format", "full", "--save", "full.csv"]));
    assert_eq!(std::fs::read(place.path("full.csv")).unwrap(), std::fs::read(place.path("one/win-percentage.csv")).unwrap());
    let tables = ["eval", "one", "full.csv", "macondo.csv", "magpie.txt.gz", "one/empirical.csv", "scaled"];
    place.succeed(&with(&[&tables[..], &["--games", "400", "--player", "greedy", "--json", "scores.json"]].concat()));
    let scores: Value = serde_json::from_slice(&std::fs::read(place.path("scores.json")).unwrap()).unwrap();
    let brier: Vec<f64> = scores["strata"][0]["scores"]
        .as_array()
        .unwrap()
        .iter()
        .map(|scored| scored["score"]["brier"].as_f64().unwrap())
        .collect();
    assert_eq!(brier[0].to_bits(), brier[1].to_bits(), "the same table gets the same score");
    assert!(brier.iter().all(|brier| (0.05..0.25).contains(brier)) && brier[0] < brier[5], "{brier:?}");
    let shown = place.succeed(&with(&["show", "one"]));
    assert!(shown.contains(" bag  own other |") && shown.contains("  50    5     5 |"), "{shown}");
    let page = std::fs::read_to_string(place.path("one/report.html")).unwrap();
    assert!(page.contains("<section id=\"reliability\">") && !page.contains("src="));
}

fn unsuitable_tables_and_configs_are_refused(place: &Workplace, small: [&str; 4]) {
    place.succeed(&["win-percentage", "show", "one"]);
    place.refuse(
        &["win-percentage", "show", "one", "--tileset", "english"],
        &["one was made for the tile set small", "english"],
    );
    place.refuse(
        &["win-percentage", "show", "full.csv"],
        &["full.csv", "racks of 5 and 50 tiles", "english tile set has 7 and 86"],
    );
    place.refuse(&["win-percentage", "show", "macondo.csv"], &["1 to 55 unseen tiles", "leaves 93"]);
    place.write("torn.csv", "bag,own,other,turns,-1,0,1\n0,1,1,9,0,much,1\n");
    let with = |arguments: &[&'static str]| [&["win-percentage"], arguments, &small[..]].concat();
    place.refuse(&with(&["show", "torn.csv"]), &["torn.csv: line 2, column 6: \"much\" is not a win probability"]);
    place.refuse(&with(&["show", "nowhere"]), &["nowhere", "No such file"]);
    place.refuse(&with(&["show", "embedded"]), &["no win table is embedded for the small tile set", "scaled"]);
    place.refuse(&with(&["export", "one", "--save", "x.doc"]), &["x.doc", "--format"]);
    place.refuse(&with(&["export", "one", "--save", "full.csv"]), &["never overwritten"]);
    std::fs::write(place.path("one/win-percentage.csv"), "torn").unwrap();
    place.refuse(&with(&["show", "one"]), &["does not match its checksum"]);
    place.write("odd.toml", CONFIG.replace("pairs", "pears"));
    place.refuse(&["win-percentage", "train", "odd.toml"], &["odd.toml", "pears"]);
    place.refuse(&["win-percentage", "train", "win.toml", "--games", "1"], &["games = 1; expected 2 to"]);
}

#[test]
fn the_embedded_table_is_shown() {
    let shown = workplace().succeed(&["win-percentage", "show"]);
    assert!(shown.starts_with("embedded\n") && shown.contains("  86    7     7 |"), "{shown}");
}
