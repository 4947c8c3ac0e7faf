//! `experiment` from end to end.

use std::time::Duration;

use tilewright_tests::Workplace;

use super::{small_workplace, td};

const STUDY: &str = r#"
question = "Does anything help?"
lexicon = "small.txt"
tileset = "small.toml"
seed = 9
baseline = "greedy"
quick = { pairs = 3000, games = 600 }
full = { pairs = 20000, games = 6000 }

[[artefacts]]
name = "learned"
command = "td td.toml --games {games}"

[[arms]]
name = "Learned values, all of them"
player = "leave:{learned}"
published_win_rate = { value = 99.9, source = "nowhere" }

[[arms]]
name = "the same player"
player = "greedy"
published_spread = { value = 0.0, source = "arithmetic" }

[[measures]]
name = "games"
command = "match --player-a greedy --player-b greedy --pairs 20 --seed {seed} --out {kept}"

[[measures.figures]]
name = "pairs"
at = "/pairs"
unit = "pairs"
scale = 0.5
published = { value = 10.0, source = "arithmetic" }
"#;

const RUN: [&str; 4] = ["experiment", "run", "study.toml", "--quick"];

fn prepared() -> Workplace {
    let (place, _) = small_workplace();
    place.write("study.toml", STUDY);
    place.write("td.toml", td::CONFIG);
    place
}

/// The files of a finished run that its reader looks at.
fn result(place: &Workplace, out: &str) -> Vec<Vec<u8>> {
    let files = ["summary.json", "summary.md", "pairs/learned-values-all-of-them.parquet"];
    files.map(|file| std::fs::read(place.path(&format!("{out}/study-quick/{file}"))).unwrap()).into()
}

#[test]
fn a_study_makes_measures_and_compares() {
    let place = prepared();
    let run = [&RUN[..], &["--out", "whole", "--json", "all.json"]].concat();
    let printed = place.succeed(&run);
    for part in [
        "99.90 %; nowhere   differs",
        "0.00 points; arithmetic   agrees",
        "10.00 pairs",
        "The summary is in whole/study-quick.",
    ] {
        assert!(printed.contains(part), "{part} in {printed}");
    }
    let whole = result(&place, "whole");
    assert!(std::fs::read_to_string(place.path("all.json")).unwrap().contains("\"verdict\": \"differs\""));
    // What is in the folder of results is not trusted: the matches keep the figures.
    place.write("whole/study-quick/results/the-same-player.json", "{\"spread\": 99}");
    place.succeed(&[&RUN[..], &["--out", "whole", "--threads", "1"]].concat());
    assert!(result(&place, "whole") == whole);
    let shown = place.succeed(&["experiment", "show", "whole/study-quick"]);
    assert!(shown.contains("| the same player | spread | 0.00"), "{shown}");
    assert!(!printed.contains("first mover"), "what the commands print is not shown: {printed}");

    // A summary that was changed by hand is refused, and so is another study in the same folder.
    let changed = String::from_utf8(whole[0].clone()).unwrap().replace("99.9", "66.6");
    place.write("whole/study-quick/summary.json", changed);
    place.refuse(&["experiment", "show", "whole/study-quick"], &["summary.json", "was changed"]);
    place.write("study.toml", STUDY.replace("seed = 9", "seed = 10"));
    place.refuse(&[&RUN[..], &["--out", "whole"]].concat(), &["another config", "seed = 9"]);
}

#[test]
fn a_study_that_is_killed_three_times_ends_in_the_same_bytes() {
    let place = prepared();
    let run = |out| [&RUN[..], &["--quiet", "--out", out]].concat();
    let begun = std::time::Instant::now();
    place.succeed(&run("calm"));
    let rest = begun.elapsed() / 5;
    for _ in 0..3 {
        let mut child = place.command(&run("killed")).spawn().unwrap();
        std::thread::sleep(rest.max(Duration::from_millis(50)));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    place.succeed(&run("killed"));
    // The names of the folders are in the names of the players.
    assert!(result(&place, "killed")[..2] == result(&place, "calm")[..2]);
}

#[test]
fn studies_are_listed_and_wrong_ones_refused() {
    let place = prepared();
    let listed = place.succeed(&["experiment", "list", "--json", "list.json"]);
    assert!(listed.lines().count() >= 12 && listed.contains("unseen-tiles"), "{listed}");
    place.refuse(&["experiment", "run", "no-such-study"], &["no-such-study", "experiment list"]);
    place.refuse(&["experiment", "run"], &["NAME"]);
    place.refuse(&["experiment", "show", "nothing"], &["nothing", "experiment list"]);
    place.write("wrong.toml", STUDY.replace("/pairs", "/nothing"));
    place.refuse(&["experiment", "run", "wrong.toml", "--quick"], &["study wrong, games", "/nothing"]);
}
