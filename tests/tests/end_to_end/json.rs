//! Results as JSON: the figures are those of the printed text, and no file is overwritten.

use std::collections::BTreeSet;

use serde_json::Value;
use tilewright_tests::Workplace;

use super::{linear, schema, small_workplace, win_percentage, workplace};

/// Runs a verb with `--json` and returns its text and its JSON.
fn both(place: &Workplace, arguments: &[&str]) -> (String, Value) {
    let text = place.succeed(&[arguments, &["--json", "result.json", "--quiet"]].concat());
    let json: Value = serde_json::from_slice(&std::fs::read(place.path("result.json")).unwrap()).unwrap();
    let verb: Vec<&str> = json["schema"].as_str().unwrap().split('/').collect();
    assert!(verb[0] == "tilewright" && arguments.join("-").starts_with(verb[1]) && verb[2] == "1", "{json}");
    schema::check(&json);
    place.refuse(&[arguments, &["--json", "result.json"]].concat(), &["never overwritten"]);
    std::fs::remove_file(place.path("result.json")).unwrap();
    (text, json)
}

/// Checks that each part is in the text.
fn check(text: &str, parts: &[String]) {
    for part in parts {
        assert!(text.contains(part.as_str()), "no {part:?} in\n{text}");
    }
}

#[test]
fn lexicon_verbs() {
    let (place, small) = small_workplace();
    let with = |arguments: &[&'static str]| both(&place, &[arguments, &small[..]].concat());
    let (text, json) = with(&["lexicon", "stats"]);
    let words = json["words"].as_u64().unwrap();
    let by_length = json["by_length"].as_array().unwrap();
    assert_eq!(by_length.iter().map(|row| row["words"].as_u64().unwrap()).sum::<u64>(), words);
    let shares: f64 = json["letters"].as_array().unwrap().iter().map(|row| row["share"].as_f64().unwrap()).sum();
    assert!((shares - 1.0).abs() < 1e-9, "{json}");
    let share = format!("{:>8.2} %", 100.0 * json["letters"][0]["share"].as_f64().unwrap());
    check(&text, &[format!("{words} words"), share, format!("{} nodes", json["graph_nodes"])]);

    let (text, json) = with(&["lexicon", "build", "--save", "words.kwg"]);
    assert_eq!(json["written"]["bytes"].as_u64(), Some(std::fs::metadata(place.path("words.kwg")).unwrap().len()));
    assert_eq!((json["words"].as_u64(), json["written"]["words"].as_u64()), (Some(words), Some(words)));
    check(&text, &[format!("hash: {}", json["hash"].as_str().unwrap()), "words.kwg: ".into()]);

    let ended = place.run(&[&["lexicon", "check", "EATEN", "ZZ", "--json", "check.json"], &small[..]].concat());
    let json: Value = serde_json::from_slice(&std::fs::read(place.path("check.json")).unwrap()).unwrap();
    assert_eq!((ended.code, ended.output.as_str()), (1, "EATEN valid\nZZ not valid\n"));
    assert_eq!((&json["checked"][0]["valid"], &json["checked"][1]["valid"]), (&true.into(), &false.into()));

    let (text, json) = both(&place, &["lexicon", "export", "--save", "words.txt", small[0], small[1], small[2], small[3]]);
    check(&text, &[format!("{} words, one per line", json["words"])]);
    let same = ["lexicon", "export", "--save", "same", "--format", "txt", "--json", "same"];
    place.refuse(&[&same, &small[..]].concat(), &["--json and --save both name same"]);
    assert!(!place.path("same").exists());

    place.write("plain.txt", "darn\nEat\ntea\n");
    let expand = ["lexicon", "expand", "--tileset", "small.toml", "--words", "plain.txt", "--json", "expand.json"];
    let text = place.succeed(&expand);
    let json: Value = serde_json::from_slice(&std::fs::read(place.path("expand.json")).unwrap()).unwrap();
    let counts = [&json["different"], &json["left_out"]["capitals"], &json["kept"], &json["sources"][0]["words"]];
    assert_eq!(counts.map(Value::as_u64), [Some(3), Some(1), Some(2), Some(3)]);
    check(&text, &["plain.txt: 3 words".into(), "1 left out: capital letters".into(), "2 kept".into()]);
}

#[test]
fn tables() {
    let (place, small) = small_workplace();
    let with = |arguments: &[&'static str]| both(&place, &[arguments, &small[..]].concat());
    place.write("a.csv", "A,1\nE,3\nS,6\nEE,-2\n?,20\n");
    place.write("b.csv", "A,1\nE,3.5\nS,6\nEE,-2\n?,18\n");
    let (text, json) = with(&["leaves", "show", "E", "?", "--table", "a.csv"]);
    assert_eq!((json["leaves"][0]["value"].as_f64(), json["leaves"][1]["leave"].as_str()), (Some(3.0), Some("?")));
    check(&text, &["E           3.00".into()]);
    let (text, json) = with(&["leaves", "diff", "a.csv", "b.csv", "--top", "2"]);
    let first = &json["largest"][0];
    check(&text, &[format!("{:<8} {:>8.2}", first["leave"].as_str().unwrap(), first["a"].as_f64().unwrap())]);
    let [a, b, difference] = ["a", "b", "difference"].map(|key| first[key].as_f64().unwrap());
    assert!((a - b - difference).abs() < 1e-9 && difference > 0.0, "{json}");
    assert_eq!(json["largest"].as_array().map(Vec::len), Some(2));
    let (_, json) = with(&["leaves", "export", "a.csv", "--save", "a.klv2"]);
    assert_eq!(json["format"].as_str(), Some("klv2"));
    let (text, json) = with(&["leaves", "report", "a.csv"]);
    check(&text, &[json["path"].as_str().unwrap().into()]);
    assert!(json["warnings"]["leaves"].is_u64(), "{json}");

    let (text, json) = with(&["win-percentage", "show", "scaled"]);
    let last = json["rows"].as_array().unwrap().last().unwrap();
    let even = json["leads"].as_array().unwrap().iter().position(|lead| lead == 0).unwrap();
    check(&text, &[format!("{:>6.1}", 100.0 * last["win_probabilities"][even].as_f64().unwrap())]);
    let (_, json) = with(&["win-percentage", "export", "scaled", "--save", "win.csv"]);
    assert_eq!((json["path"].as_str(), json["format"].as_str()), (Some("win.csv"), Some("macondo")));
}

#[test]
fn runs() {
    let (place, small) = small_workplace();
    place.write("table.csv", "A,1\nE,3\nS,6\nEE,-2\nAA,-4\nZ,5\n?,20\n");
    place.write("fit.toml", linear::CONFIG);
    let run = |arguments: &[&str], out: &str| {
        let (text, json) = both(&place, &[arguments, &["--out", out]].concat());
        assert_eq!((json["folder"].as_str(), json["lexicon"].as_str()), (Some(out), Some("small")), "{json}");
        (text, json)
    };
    let (text, json) = run(&["linear", "fit", "fit.toml"], "fit");
    let (explained, weight) = (&json["held_out"]["all"]["explained"], &json["weights"]["hooks_opened"]);
    let shown = format!("hooks_opened {:+.2}", weight.as_f64().unwrap());
    check(&text, &[shown, format!("{:>9.1} %", 100.0 * explained.as_f64().unwrap())]);

    let (text, json) = run(&[&["selfplay", "--games", "20", "--player", "greedy"], &small[..]].concat(), "games");
    check(&text, &["20 games by greedy".into(), "The records are in games.".into()]);
    assert_eq!((json["games"].as_u64(), json["player"].as_str()), (Some(20), Some("greedy")));

    let train = ["leaves", "train", "--budget", "games=200", "--match-pairs", "20"];
    let (text, json) = run(&[&train, &small[..]].concat(), "leaves");
    let rate = 100.0 * json["closing_match"]["win_rate"]["mean"].as_f64().unwrap();
    check(&text, &[format!("{} leaves from", json["leaves"]), format!("against no leaves: {rate:.1} %")]);

    place.write("win.toml", win_percentage::CONFIG);
    let (text, json) = run(&["win-percentage", "train", "win.toml"], "win");
    let score = &json["held_out"]["strata"][0]["scores"][0]["score"];
    check(&text, &[format!("{:.5}", score["log_loss"].as_f64().unwrap()), "1,500 games of self-play".into()]);
}

#[test]
fn configs() {
    let place = workplace();
    let list = |json: &str| place.succeed(&["config", "list", "evolve", "--json", json]);
    let text = list("list.json");
    let json: Value = serde_json::from_slice(&std::fs::read(place.path("list.json")).unwrap()).unwrap();
    let configs = json["configs"].as_array().unwrap();
    assert_eq!(configs.len(), text.lines().count());
    check(&text, &[configs[0]["purpose"].as_str().unwrap().into()]);
    let text = place.succeed(&["config", "show", "evolve/full", "--json", "show.json"]);
    let json: Value = serde_json::from_slice(&std::fs::read(place.path("show.json")).unwrap()).unwrap();
    assert_eq!(json["explained"].as_str().map(str::trim_end), Some(text.trim_end()));
    assert!(json["config"]["weights"].is_object(), "{json}");
}

#[test]
fn json_on_standard_output_is_alone_there() {
    let (place, small) = small_workplace();
    for arguments in [
        &["simulate", "--rack", "ADENS", "--ranker", "greedy", "--deals", "4"][..],
        &["moves", "--rack", "ADENS", "--player", "greedy"],
        &["match", "--player-a", "greedy", "--player-b", "no-leaves", "--pairs", "2", "--games-out", "games"],
        &["selfplay", "--games", "2", "--player", "greedy", "--out", "records"],
    ] {
        let output = place.succeed(&[arguments, &["--quiet", "--json", "-"], &small[..]].concat());
        assert_eq!(output.lines().count(), 1, "{arguments:?}: {output}");
        let json: Value = serde_json::from_str(&output).unwrap();
        assert!(json.is_object(), "{json}");
    }
}

/// A board at the moment when the bag becomes empty.
const ENDGAME: &str = "7P4T2/1ANNOYER1GUIRO1/7I4A2/3C3CORTEgES/3I3K4E1U/3M8D1B/2JEW1Q5I1E/3XYLAN1AGHA1R/4N1NODDLInG1/\
                       3AD1A2OOTS2/3US1TAW1B4/3R3ME1SH3/3E3OE2I3/3I2FUTZ1L3/7R2PIVOT";

#[test]
fn documents_fit_their_schemas() {
    let (place, small) = small_workplace();
    let endgame = format!("{ENDGAME} AEEFLNV/EI 368/341 0");
    let words = |arguments: &str| -> Vec<String> { arguments.split(' ').map(ToString::to_string).collect() };
    let of_small = |arguments: &str| [words(arguments), small.map(ToString::to_string).into()].concat();
    let solve = |more: &str| [words("solve --cgp"), vec![endgame.clone()], words(more)].concat();
    let commands = [
        of_small("simulate --rack ADENS --ranker greedy --deals 4"),
        of_small("simulate --rack ADENS --ranker greedy --deals 40 --prior"),
        of_small("moves --rack ADENS --player greedy"),
        of_small("match --player-a greedy --player-b no-leaves --pairs 2 --games-out games"),
        of_small("match --pairs 2 --players greedy no-leaves leave:flat.csv"),
        of_small("bench endgames --count 3 --time 50ms"),
        of_small("bench pre-endgames --count 2 --bag 1"),
        of_small("selfplay --games 3 --player greedy --out records"),
        solve("--nodes 1"),
        solve("--fast"),
        solve("--best 2"),
        of_small("lexicon check EATEN TEA"),
        of_small("lexicon check"),
        of_small("analyse records"),
        of_small("export records --out dataset"),
        words("report records --save records.html --tileset small.toml"),
        words("config list"),
        words("config show evolve/full"),
        words("features"),
        words("experiment list"),
        words("experiment show endgames"),
    ];
    place.write("flat.csv", "A,1\nE,3\nS,6\n?,20\n");
    let mut verbs = BTreeSet::new();
    for command in &commands {
        let words: Vec<&str> = command.iter().map(String::as_str).chain(["--json", "-"]).collect();
        let ended = place.run(&words);
        let json: Value =
            serde_json::from_str(&ended.output).unwrap_or_else(|error| panic!("{words:?}: {error}\n{}", ended.errors));
        schema::check(&json);
        verbs.insert(json["schema"].as_str().unwrap().to_string());
    }
    assert!(verbs.len() > 15, "{verbs:?}");
}
