//! `leaves` from end to end: training, resuming, inspecting, and the strength of the table.

use std::time::Duration;

use serde_json::Value;
use tilewright_tests::{Exit, Workplace, files_below};

use super::{small_workplace, td, workplace};

const BUDGET: &str = "games=6000";

fn train<'a>(small: &[&'a str; 4], out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["leaves", "train", "--budget", BUDGET, "--match-pairs", "600", "--out", out][..], &small[..], more].concat()
}

fn match_json(place: &Workplace, arguments: &[&str]) -> Value {
    place.succeed(&[&["match", "--json", "match.json"], arguments].concat());
    serde_json::from_slice(&std::fs::read(place.path("match.json")).unwrap()).unwrap()
}

#[test]
fn a_trained_table_beats_no_leaves_and_can_be_inspected() {
    let (place, small) = small_workplace();
    let report = place.succeed(&train(&small, "table", &["--quiet"]));
    for part in ["small (small tile set): 694 leaves", "against no leaves: ", "best tiles", "\nweak: ", "table/report.html"]
    {
        assert!(report.contains(part), "{part} in {report}");
    }
    let written = std::fs::read_to_string(place.path("table/summary.txt")).unwrap();
    assert!(report.starts_with(&written) && report.lines().count() <= 10, "{report}");
    let next =
        "tilewright match --player-a leave:table --player-b no-leaves --pairs 1000 --lexicon small.txt --tileset small.toml";
    assert!(report.contains(next), "{report}");

    let players = ["--player-a", "leave:table", "--player-b", "greedy", "--pairs", "2000", "--seed", "9"];
    let json = match_json(&place, &[&players[..], &small[..]].concat());
    assert!(json["win_rate"]["low"].as_f64().unwrap() > 0.5 && json["spread"]["low"].as_f64().unwrap() > 0.0, "{json}");

    let shown = place.succeed(&[&["leaves", "show", "S", "ER", "?", "--table", "table"][..], &small[..]].concat());
    assert!(shown.contains(" to ") && shown.contains("turns"), "{shown}");
    for name in ["copy.klv2", "copy.csv"] {
        place.succeed(&[&["leaves", "export", "table", "--save", name][..], &small[..]].concat());
        let same = place.succeed(&[&["leaves", "diff", "table", name][..], &small[..]].concat());
        let all: Vec<&str> =
            same.lines().find(|line| line.trim_start().starts_with("all")).unwrap().split_whitespace().collect();
        assert_eq!(all[2..], ["1.0000", "0.000", "0.000"], "{same}");
        assert!(same.ends_with("The tables are equal.\n") && !same.contains("matter"), "{same}");
    }
    // The game of a table is the game of verbs on positions, too.
    for verb in ["moves", "simulate"] {
        let own = place.succeed(&[verb, "--rack", "ADENS", "--leaves", "table", "--quiet"]);
        let named = place.succeed(&[&[verb, "--rack", "ADENS", "--leaves", "table", "--quiet"][..], &small[..]].concat());
        let figures = |text: &str| text.lines().filter(|line| !line.contains("CPU")).map(str::to_string).collect::<Vec<_>>();
        assert_eq!(figures(&own), figures(&named));
    }
    place.succeed(&["selfplay", "--games", "2", "--player", "leave:table", "--out", "played", "--quiet"]);
    let files = files_below(&place.path("table"));
    assert_eq!(files["leaves.klv2"], std::fs::read(place.path("copy.klv2")).unwrap());
    assert_eq!(files["leaves.csv"], std::fs::read(place.path("copy.csv")).unwrap());
    place.refuse(&[&["leaves", "show", "ZZZ", "--table", "table"][..], &small[..]].concat(), &["3 Z"]);
    assert_eq!(place.succeed(&train(&small, "table", &[])), report, "a finished run prints its result again");
    place.refuse(&train(&small, "table", &["--json", "-"]), &["table holds the finished run", "--force"]);
    place.refuse(&train(&small, "table", &["--seed", "5"]), &["table belongs to a run with another config", "seed"]);
    let trained = files_below(&place.path("table"));
    assert_eq!(place.succeed(&train(&small, "table", &["--force", "--quiet"])), report);
    assert!(trained == files_below(&place.path("table")), "a run that is replaced has the same bytes");
    std::fs::write(place.path("table/summary.txt"), "forged").unwrap();
    place.refuse(&train(&small, "table", &[]), &["summary.txt", "damaged"]);
    std::fs::write(place.path("table/summary.txt"), &trained["summary.txt"]).unwrap();
    the_page_shows_the_table(&place, small);
    mismatched_and_damaged_tables_are_refused(&place, small);
}

const SECTIONS: [&str; 8] = ["tiles", "lengths", "synergies", "vowels", "support", "convergence", "warnings", "search"];

fn the_page_shows_the_table(place: &Workplace, small: [&str; 4]) {
    let written = std::fs::read_to_string(place.path("table/report.html")).unwrap();
    let manifest: Value = serde_json::from_slice(&std::fs::read(place.path("table/manifest.json")).unwrap()).unwrap();
    for file in ["report.html", "generations.json"] {
        assert!(manifest["files"][file].is_string(), "{file} in {manifest}");
    }
    let report = |arguments: &[&'static str]| [&["leaves", "report"], arguments, &small[..]].concat();
    let printed = place.succeed(&report(&["table"]));
    assert!(printed.contains("table.html") && printed.contains("the data do"), "{printed}");
    assert_eq!(
        std::fs::read_to_string(place.path("table.html")).unwrap(),
        written,
        "the same artefact gives the same bytes"
    );
    place.refuse(&report(&["table"]), &["table.html", "never overwritten"]);
    place.refuse(&report(&["nowhere", "--save", "a.html"]), &["nowhere"]);
    place.refuse(&report(&["table", "--save", "no/such/folder.html"]), &["cannot write no/such/folder.html"]);
    place.refuse(&report(&[]), &["the embedded leave table is for enable2k", "not for small"]);

    place.succeed(&report(&["copy.csv", "--save", "bare.html"]));
    let bare = std::fs::read_to_string(place.path("bare.html")).unwrap();
    for page in [&written, &bare] {
        html_is_balanced(page);
        for section in SECTIONS {
            assert!(page.contains(&format!("<section id=\"{section}\">")), "{section}");
        }
        for fetched in ["src=", "@import", "url(", "<link", "fetch("] {
            assert!(!page.contains(fetched), "the page must not load {fetched}");
        }
        assert!(page.len() < 2_000_000, "{} bytes", page.len());
    }
    assert!(written.contains("win rate against no-leaves") && written.contains("Share of the leaves of each length"));
    assert!(bare.contains("has no support and no errors") && !bare.contains("win rate against no-leaves"));
}

/// Checks that every tag that is opened is closed, in order.
fn html_is_balanced(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page;
    while let Some((_, from)) = rest.split_once('<') {
        let (tag, after) = from.split_once('>').unwrap_or_else(|| panic!("a tag without an end: {from:.60}"));
        rest = after;
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed), "…{after:.80}");
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        let empty = ["meta", "input", "br"].contains(&name) || tag.starts_with('!') || tag.ends_with('/');
        if !empty {
            open.push(name);
        }
        // The content of a script or a style is not markup.
        if ["script", "style"].contains(&name) {
            rest = &rest[rest.find(&format!("</{name}>")).unwrap()..];
        }
    }
    assert!(open.is_empty(), "not closed: {open:?}");
}

#[test]
fn an_artefact_without_generations_still_has_a_page() {
    let (place, small) = small_workplace();
    place.succeed(
        &[&["leaves", "train", "--budget", "games=400", "--match-pairs", "0", "--out", "old"][..], &small[..]].concat(),
    );
    std::fs::remove_file(place.path("old/generations.json")).unwrap();
    let torn = [&["leaves", "report", "old", "--save", "old.html"][..], &small[..]].concat();
    place.refuse(&torn, &["generations.json"]);
    place.edit("old/manifest.json", |manifest| {
        manifest["files"].as_object_mut().unwrap().remove("generations.json");
    });
    place.succeed(&torn);
    let page = std::fs::read_to_string(place.path("old.html")).unwrap();
    assert!(page.contains("has no record of its generations") && page.contains("games of self-play"));
    html_is_balanced(&page);
}

fn mismatched_and_damaged_tables_are_refused(place: &Workplace, small: [&str; 4]) {
    place.write("fewer.txt", "DATE\nRATES\nTEND\nAN\nZEN\n");
    let [tileset_flag, tileset, ..] = small;
    let players = ["match", "--player-a", "leave:table", "--player-b", "greedy", "--pairs", "1", tileset_flag, tileset];
    let other = [&players[..], &["--lexicon", "fewer.txt"]].concat();
    place.refuse(&other, &["lexicon small", "fewer", "--accept-other-lexicon"]);
    place.succeed(&[&other[..], &["--accept-other-lexicon"]].concat());
    // Without flags, the match takes the game of the table, as long as its word list is there.
    let plain = ["match", "--player-a", "leave:table", "--player-b", "greedy", "--pairs", "1"];
    assert!(place.succeed(&plain).contains(", small"));
    let words = std::fs::read(place.path("small.txt")).unwrap();
    place.write("small.txt", "AN\n");
    place.refuse(&plain, &["table was made for the word list small", "moved or changed", "--lexicon FILE"]);
    place.write("small.txt", words);
    // A manifest of somebody else names a file. Nothing of it is shown.
    let manifest = std::fs::read(place.path("table/manifest.json")).unwrap();
    place.write("private.toml", "password = \"swordfish\"\n");
    for lexicon in ["small.txt", "enable2k"] {
        place.edit("table/manifest.json", |manifest| {
            let config = manifest["config"].as_str().unwrap().replace("small.toml", "private.toml");
            manifest["config"] = config.replace("small.txt", lexicon).into();
        });
        let Exit { code, errors, .. } = place.run(&plain);
        assert!(code == 2 && errors.contains("private.toml") && !errors.contains("swordfish"), "{errors}");
    }
    place.write("table/manifest.json", manifest);
    place.refuse(&[&plain[..], &["--tileset", "english"]].concat(), &["tile set small", "english"]);
    let path = place.path("table/leaves.klv2");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 4]).unwrap();
    place.refuse(&[&players[..], &["--lexicon", "small.txt"]].concat(), &["leaves.klv2", "damaged"]);
}

#[test]
fn threads_do_not_change_a_byte_and_another_run_is_refused() {
    let (place, small) = small_workplace();
    place.succeed(&train(&small, "whole", &["--threads", "1"]));
    let whole = files_below(&place.path("whole"));
    place.succeed(&train(&small, "two", &["--threads", "2"]));
    assert_eq!(files_below(&place.path("two")), whole, "threads");
    std::fs::remove_file(place.path("two/manifest.json")).unwrap();
    place.refuse(&["leaves", "show", "E", "--table", "two"], &["two is a run that is not finished; rerun its command"]);
    place.refuse(&train(&small, "two", &["--seed", "5"]), &["another config", "seed = 1", "seed = 5"]);
    place.write("small.txt", "DATE\nRATES\nTEND\nAN\nZEN\n");
    place.refuse(&train(&small, "two", &[]), &["two belongs to a run with another lexicon", "there small", "here small"]);
}

#[test]
fn bad_amounts_of_work_are_refused() {
    let (place, small) = small_workplace();
    let pairs = [&["leaves", "train", "--match-pairs", "18446744073709551615", "--out", "three"][..], &small[..]].concat();
    place.refuse(&pairs, &["match_pairs", "expected 0 to 100000000"]);
    place.refuse(&train(&small, "three", &["--budget", "soon"]), &["cannot be used multiple times"]);
    let budget = ["leaves", "train", "--budget", "soon"];
    place.refuse(&budget, &["invalid budget", "90s, 5m or 2h", "games=N"]);
}

#[test]
fn pool_and_late_players_play_differently() {
    let (place, small) = small_workplace();
    place.succeed(&train(&small, "table", &["--quiet"]));
    let mut spreads = Vec::new();
    for player in ["leave+pool:table", "leave+late:table", "leave+pool+late:table"] {
        let players = ["--player-a", player, "--player-b", "leave:table", "--pairs", "300"];
        let json = match_json(&place, &[&players[..], &small[..]].concat());
        std::fs::remove_file(place.path("match.json")).unwrap();
        spreads.push(json["spread"]["mean"].to_string());
    }
    // Each plays differently from the plain table and from the others.
    spreads.push("0.0".into());
    let different: std::collections::BTreeSet<&String> = spreads.iter().collect();
    assert_eq!(different.len(), 4, "{spreads:?}");

    place.succeed(&[&["leaves", "export", "table", "--save", "bare.klv2.gz"][..], &small[..]].concat());
    let bare = ["match", "--player-a", "leave+late:bare.klv2.gz", "--player-b", "leave:table", "--pairs", "1"];
    place.refuse(&[&bare[..], &small[..]].concat(), &["bare.late.csv", "late_games"]);
    std::fs::copy(place.path("table/late.csv"), place.path("bare.late.csv")).unwrap();
    place.succeed(&[&bare[..], &small[..]].concat());
    place.write("bare.late.csv", "left,constant\n");
    place.refuse(&[&bare[..], &small[..]].concat(), &["bare.late.csv", "line 1"]);
    let embedded = ["match", "--player-a", "leave", "--player-b", "leave:table", "--pairs", "1"];
    place.refuse(&[&embedded[..], &small[..]].concat(), &["enable2k and the english tile set", "small"]);
}

#[test]
fn an_artefact_knows_its_tile_set_and_lexicon() {
    let (place, small) = small_workplace();
    // Words of English tiles, but not the embedded list.
    place.write("few.txt", "AN\nNA\nANT\nTAN\nTEN\nNET\nEAT\nTEA\n");
    // TD learns a table for the English tiles in a second.
    let few =
        td::CONFIG.replace("small.txt", "few.txt").replace("small.toml", "english").replace("games = 600", "games = 50");
    place.write("td.toml", few);
    let short = ["leaves", "train", "--quiet", "--budget", "games=300", "--match-pairs", "0", "--out"];
    std::fs::create_dir(place.path("runs")).unwrap();
    place.succeed(&["td", "td.toml", "--quiet", "--out", "runs/a-few"]);
    std::thread::sleep(Duration::from_millis(20));
    place.succeed(&[&short[..], &["runs/b-small"], &small[..]].concat());
    std::fs::create_dir(place.path("runs/unfinished")).unwrap();

    let first_line = |arguments: &[&str]| place.succeed(arguments).lines().next().unwrap().to_string();
    // The newest of all, and the newest for a game.
    assert_eq!(first_line(&["leaves", "show", "S"]), "runs/b-small, for small");
    assert_eq!(first_line(&[&["leaves", "show", "S"][..], &small[..]].concat()), "runs/b-small, for small");
    assert_eq!(first_line(&["leaves", "show", "S", "--lexicon", "few.txt"]), "runs/a-few, for few");
    assert_eq!(first_line(&["leaves", "show", "S", "--lexicon", "enable2k"]), "the embedded table");
    assert_eq!(first_line(&["leaves", "show", "S", "--tileset", "small.toml"]), "runs/b-small, for small");
    assert_eq!(first_line(&["leaves", "show", "S", "--tileset", "english"]), "runs/a-few, for few");
    assert_eq!(first_line(&["leaves", "show", "Q", "--table", "runs/a-few"]), "runs/a-few, for few");
    let page = place.succeed(&["leaves", "report", "runs/a-few"]);
    assert!(page.starts_with("runs/a-few.html: "), "{page}");
    assert!(std::fs::read_to_string(place.path("runs/a-few.html")).unwrap().contains("8 words"));
    let difference = place.succeed(&["leaves", "diff", "runs/a-few", "embedded", "--top", "2"]);
    assert!(difference.starts_with("a: runs/a-few, for few\nb: the embedded table\n"), "{difference}");
    place.succeed(&["leaves", "export", "runs/b-small", "--save", "small.csv"]);
    place.succeed(&["leaves", "export", "embedded", "--save", "embedded.klv2"]);

    // What flags name is still checked.
    place.refuse(
        &["leaves", "diff", "runs/a-few", "runs/b-small"],
        &["runs/a-few", "tile set english", "small", "one tile set"],
    );
    place.refuse(
        &["leaves", "show", "S", "--table", "runs/a-few", "--lexicon", "enable2k"],
        &["runs/a-few", "for the lexicon few", "enable2k"],
    );
    place.refuse(
        &["leaves", "show", "S", "--table", "runs/b-small", "--tileset", "english"],
        &["runs/b-small", "tile set small"],
    );
    place.succeed(&["leaves", "show", "S", "--table", "runs/a-few", "--lexicon", "enable2k", "--accept-other-lexicon"]);
    std::fs::rename(place.path("small.toml"), place.path("moved.toml")).unwrap();
    place
        .refuse(&["leaves", "show", "S"], &["small.toml", "runs/b-small was made for the tile set small.toml", "--tileset"]);
    place.succeed(&["leaves", "show", "S", "--table", "runs/b-small", "--tileset", "moved.toml"]);
}

#[test]
fn two_tables_are_compared_on_a_page() {
    let (place, small) = small_workplace();
    for (out, seed) in [("one", "1"), ("two", "2")] {
        let train =
            ["leaves", "train", "--budget", "games=300", "--match-pairs", "0", "--seed", seed, "--out", out, "--quiet"];
        place.succeed(&[&train[..], &small].concat());
    }
    let diff = ["leaves", "diff", "one", "two"];
    let plain = place.succeed(&diff);
    let printed =
        place.succeed(&[&diff[..], &["--html", "page.html", "--json", "diff.json", "--save", "diff.txt"]].concat());
    assert_eq!(printed, plain, "the page changes nothing that is printed");
    let read = |name: &str| std::fs::read_to_string(place.path(name)).unwrap();
    let (page, json): (String, serde_json::Value) = (read("page.html"), serde_json::from_str(&read("diff.json")).unwrap());
    html_is_balanced(&page);
    let all = json["by_length"].as_array().unwrap().last().unwrap();
    let [absolute, square, correlation] =
        ["mean_absolute", "root_mean_square", "correlation"].map(|key| all[key].as_f64().unwrap());
    for part in [
        format!("differ by {absolute:.2} points, or {square:.2} in the root mean square"),
        format!("correlation is {correlation:.4}").replace('-', "−"),
        format!("matters most is <span class=\"leave\">{}</span>", json["largest"][0]["leave"].as_str().unwrap()),
        "interval of A".into(),
        "in standard errors".into(),
        "Both tables were made for the same words".into(),
        "tilewright leaves diff one two --html page.html".into(),
        "The config of B".into(),
    ] {
        assert!(page.contains(&part), "{part}");
    }
    // All tiles and pairs have a row, with the value and the interval that `leaves show` prints.
    let shown = place.succeed(&["leaves", "show", "E", "EE", "--table", "two", "--json", "shown.json"]);
    let known: serde_json::Value = serde_json::from_str(&read("shown.json")).unwrap();
    for leave in known["leaves"].as_array().unwrap() {
        let row = format!("<tr><td><span class=\"leave\">{}</span></td>", leave["leave"].as_str().unwrap());
        let row = page.split(&row).nth(1).unwrap().split("</tr>").next().unwrap().replace('−', "-").replace('+', "");
        let [value, low, high] = ["mean", "low", "high"].map(|key| leave["estimate"][key].as_f64().unwrap());
        assert!(
            row.contains(&format!("<td class=\"n\">{value:.2}</td><td class=\"n\">{low:.2} to {high:.2}</td>")),
            "{row}: {shown}"
        );
    }
    let again = [&diff[..], &["--html", "page.html"]].concat();
    place.refuse(&again, &["page.html already exists and is never overwritten"]);
    std::fs::remove_file(place.path("page.html")).unwrap();
    place.succeed(&again);
    assert_eq!(read("page.html"), page, "the same tables give the same bytes");
    place.refuse(&[&diff[..], &["--html", "x", "--json", "x"]].concat(), &["--json and --html both name x"]);
    place.refuse(&[&diff[..], &["--html", "x", "--save", "x"]].concat(), &["--html and --save both name x"]);

    // Bare and equal tables have no intervals, no origins and no largest differences.
    place.write("bare.csv", "A,1\nE,3.5\nEE,-2\n?,18\n");
    place.succeed(&[&["leaves", "diff", "bare.csv", "bare.csv", "--html", "equal.html"], &small[..]].concat());
    let equal = read("equal.html");
    assert!(equal.contains("The tables are equal") && !equal.contains("interval of A") && !equal.contains("id=\"largest\""));
    html_is_balanced(&equal);
}

#[test]
fn the_embedded_table_needs_no_training() {
    let place = workplace();
    let shown = place.succeed(&["leaves", "show", "?", "QU"]);
    assert!(shown.contains("the embedded table"), "{shown}");
    let printed = place.succeed(&["leaves", "report"]);
    assert!(printed.starts_with("leaves-report.html: "), "{printed}");
    let page = std::fs::read_to_string(place.path("leaves-report.html")).unwrap();
    assert!(page.contains("<h1>enable2k, embedded</h1>") && page.contains("169,266 words"));
    html_is_balanced(&page);
    place.refuse(&["leaves", "report"], &["leaves-report.html", "never overwritten"]);
    let moves = place.succeed(&["moves", "--rack", "AEINRST", "--top", "3"]);
    assert!(moves.contains("leave"), "{moves}");
    place.succeed(&["match", "--player-a", "leave+pool+late", "--player-b", "leave", "--pairs", "2", "--quiet"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_says_how_to_resume_and_exits_130() {
    let (place, small) = small_workplace();
    let arguments = [&["leaves", "train", "--budget", "games=2000000", "--out", "long"][..], &small[..]].concat();
    let child = place.command(&arguments).stderr(std::process::Stdio::piped()).spawn().unwrap();
    while !place.path("long/work").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    tilewright_tests::interrupt(&child);
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{errors}");
    assert!(errors.contains("interrupted") && errors.contains("rerun the command to resume"), "{errors}");
}

#[test]
fn too_few_games_are_reported() {
    let (place, small) = small_workplace();
    let ended = place.run(&[&["leaves", "train", "--budget", "games=1", "--out", "few"][..], &small[..]].concat());
    assert_eq!(ended.code, 1, "{}", ended.errors);
    assert!(ended.errors.contains("too few to fit"), "{}", ended.errors);
    assert!(!place.path("few/manifest.json").exists());
}
