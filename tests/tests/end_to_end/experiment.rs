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
        "2 of 3 tables reproduced, 1 contradicted.",
        "\n  win rate: contradicted.\n",
        "published 0.00 points; arithmetic\n",
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
    place.refuse(&["experiment", "run", "no-leaves", "--out", "list.json"], &["list.json is a file; --out names a folder"]);
    for (from, to, what) in [
        ("scale = 0.5", "scale = 1e308", "the scale of pairs is 1e308"),
        ("value = 10.0,", "value = -1e308,", "published -1e308"),
    ] {
        place.write("wrong.toml", STUDY.replace(from, to));
        place.refuse(&["experiment", "run", "wrong.toml", "--quick"], &["wrong.toml", what]);
    }
}

#[test]
fn a_study_with_costs_ends_in_a_ladder() {
    let (place, _) = small_workplace();
    let arms = "[[arms]]\nname = \"no leaves\"\nplayer = \"no-leaves\"\ncost = \"{pairs}\"\n\
                [[arms]]\nname = \"no leaves, with endgame\"\nplayer = \"no-leaves+endgame\"\npairs = \"20\"\ncost = \"20\"\n";
    let head = "question = \"What does an endgame search cost?\"\nlexicon = \"small.txt\"\ntileset = \"small.toml\"\nseed = 9\n\
                baseline = \"greedy\"\nquick = { pairs = 200 }\nfull = { pairs = 300 }\n";
    place.write("costs.toml", format!("{head}{arms}"));
    place.succeed(&["experiment", "run", "costs.toml", "--quick", "--out", "costs"]);
    let of_run = |file: &str| std::fs::read_to_string(place.path(&format!("costs/costs-quick/{file}"))).unwrap();
    let (page, drawing) = (of_run("summary.md"), of_run("ladder.svg"));
    let row = page.lines().find(|line| line.starts_with("| no leaves | 0.00")).unwrap_or_else(|| panic!("{page}"));
    assert_eq!(row.matches(" % (").count(), 2, "{row}");
    assert!(drawing.contains(">with endgame<") && drawing.contains("<circle"), "{drawing}");
    // A second run plays again only what measures the time.
    place.succeed(&["experiment", "run", "costs.toml", "--quick", "--out", "costs"]);
    place.succeed(&["report", "costs/costs-quick", "--save", "page.html"]);
    let html = std::fs::read_to_string(place.path("page.html")).unwrap();
    assert!(html.contains("id=\"ladder\"") && html.contains("CPU time per game"), "the page has the ladder");
}
