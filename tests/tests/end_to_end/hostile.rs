//! Files, names and figures of somebody else: what they hold reaches no terminal, page or figure unchecked.

use std::path::Path;
use std::process::Stdio;

use serde_json::Value;
use tilewright_engine::hash::sha256;
use tilewright_tests::{Exit, Workplace};
use tilewright_train::parquet_file::{Column, Columns, from_bytes, names, write};

use super::win_percentage::CONFIG;
use super::{small_workplace, workplace};

/// Clears the screen, colours, and turns the writing direction.
const HOSTILE: &str = "\u{1b}[2J\u{7}\u{9b}31m\u{202e}\u{2066}\u{200b}";

/// Expects that a terminal obeys nothing of what was printed. Whether it shows what is hostile: as this program shows it, or Rust.
fn is_shown(what: &str, ended: &Exit) -> bool {
    assert!([0, 2].contains(&ended.code), "{what}: {} {}", ended.code, ended.errors);
    let printed = format!("{}{}", ended.output, ended.errors);
    let is_obeyed = |letter: char| {
        letter.is_control() && !"\n\t".contains(letter)
            || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    assert!(!printed.contains(is_obeyed), "{what}: {printed:?}");
    ["\\u001b", "\\u{1b}", "\\u009b"].iter().any(|shown| printed.contains(shown))
}

#[test]
fn no_terminal_obeys_a_name_or_a_file() {
    let (place, small) = small_workplace();
    let h = HOSTILE;
    let of_file = |name: &str, text: &str| place.write(name, text);
    let toml = format!("seed = 1\n{h} = 2\n");
    let escaped = r"\u001b[2J\u009b31m\u202e";
    for name in ["bad.toml", "weights.toml", "study.toml", "player.toml"] {
        of_file(name, &toml);
    }
    of_file("named.toml", &tilewright_tests::SMALL_TILESET.replace("name = \"small\"", &format!("name = \"{escaped}\"")));
    of_file("words.txt", &format!("AE\n{h}\nEA\n"));
    of_file("leaves.csv", &format!("A,1\n{h},2\n"));
    of_file("win.csv", &format!("bag,own,other,turns,-1,0,1\n0,1,1,9,0,{h},1\n"));
    of_file(&format!("{h}.csv"), "A,1\nE,2\n");
    of_file("positions.txt", &format!("{h}\n"));
    of_file("game.gcg", &format!("#player1 a {h}\n#player2 b B\n#note {h}\n>a: AE 8G EA +4 4\n"));
    of_file("bad.gcg", &format!("#player1 a {h}\n>{h}: AE 8D EA +4 4\n"));
    of_file("requests.txt", &format!("{h}\n{{\"type\":\"hello\",\"protocol\":1,\"tileset\":\"{escaped}\"}}\n"));
    for (folder, manifest) in [
        ("artefact", format!("{{\"kind\":\"{escaped}\"}}")),
        ("torn", format!("{{\"{}\":1}}", h.replace(['\u{1b}', '\u{7}'], ""))),
    ] {
        std::fs::create_dir(place.path(folder)).unwrap();
        of_file(&format!("{folder}/manifest.json"), &manifest);
        of_file(&format!("{folder}/job.json"), &manifest);
    }
    std::fs::create_dir(place.path(h)).unwrap();
    let refuses = format!("stdio:read -r line; echo '{{\"type\":\"refuse\",\"reason\":\"{escaped}\"}}'");
    let table = format!("leave:{h}.csv");
    let (rack, flag) = (format!("AE{h}"), format!("--{h}"));
    for words in [&["leaves", "show", "A", "--table", "a\nerror: b.csv"][..], &["report", "a\nb"]] {
        let ended = place.run(words);
        assert!(
            ended.code == 2 && ended.errors.contains("has a line end") && !ended.errors.contains("\nerror: b"),
            "{}",
            ended.errors
        );
    }
    let probes: &[&[&str]] = &[
        &["moves", "--rack", &rack, "--player", "greedy"],
        &["moves", "--cgp", &format!("15 AE/ {h}/0 0"), "--player", "greedy"],
        &["moves", &flag],
        &["moves", "--top", h],
        &["moves", "--rack", "AE", "--player", h],
        &["moves", "--rack", "AE", "--player", "linear:weights.toml"],
        &["moves", "--rack", "AE", "--player", "static:player.toml"],
        &["moves", "--rack", "AE", "--player", "network:torn"],
        &["solve", "--cgp-file", "positions.txt"],
        &["leaves", "show", "A", "--table", h],
        &["leaves", "show", "A", "--table", "leaves.csv"],
        &["leaves", "show", "A", "--table", "artefact"],
        &["leaves", "show", "A", "--table", &format!("{h}.csv")],
        &["leaves", "train", "bad.toml", "--out", "trained"],
        &["win-percentage", "show", "win.csv"],
        &["report", "artefact"],
        &["report", "torn"],
        &["report", h],
        &["export", "artefact", "--out", "exported"],
        &["experiment", "run", "study.toml"],
        &["experiment", "run", h],
        &["work", "status", h],
        &["work", "status", "torn"],
        &["work", "run", "torn", "--next"],
        &["config", "show", h],
        &["game", "show", "game.gcg"],
        &["game", "show", "bad.gcg"],
        &["game", "show", h],
        &["match", "--player-a", &refuses, "--player-b", "greedy", "--pairs", "1", "-q"],
        &["match", "--player-a", &table, "--player-b", "greedy", "--pairs", "2", "-q"],
        &["match", "--player-a", &table, "--player-b", "greedy", "--pairs", "2", "-q", "--json", "-"],
        &["match", "--player-a", &table, "--player-b", "greedy", "--pairs", "2", "--out", &format!("{h}/run")],
        &["report", &format!("{h}/run")],
    ];
    let mut shown = 0;
    for probe in probes {
        // Some verbs take no game.
        let with_game = place.run(&[probe, &small[..]].concat());
        let ended = if with_game.errors.contains("unexpected argument '--tileset'") { place.run(probe) } else { with_game };
        shown += usize::from(is_shown(&format!("{probe:?}"), &ended));
    }
    // Some faults are named before what is hostile.
    assert!(shown >= 25, "{shown} of {} probes reach the terminal", probes.len());
    for probe in [["moves", "--rack", "AE", "--tileset", h], ["moves", "--rack", "AE", "--tileset", "bad.toml"]] {
        assert!(is_shown(&format!("{probe:?}"), &place.run(&probe)));
    }
    let probe = ["moves", "--rack", "AE", "--player", "greedy", "--tileset", "named.toml", "--lexicon", "words.txt"];
    assert!(is_shown("the name of a tile set", &place.run(&probe)));
    let printed = place.succeed(&[probes[30], &small[..]].concat());
    let json: Value = serde_json::from_str(&printed).unwrap();
    assert!(json["player_a"].as_str().is_some_and(|name| name.contains(h)), "JSON holds the name itself: {json}");
    let requests = std::fs::File::open(place.path("requests.txt")).unwrap();
    let mut serve = place.command(&[&["serve", "--stdio", "--player", "greedy"][..], &small].concat());
    let ended = serve.stdin(requests).stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let (output, errors) = (text(&ended.stdout), text(&ended.stderr));
    assert!(is_shown("serve", &Exit { code: ended.status.code().unwrap(), output, errors }));
}

/// Makes the manifest of a changed payload true again.
fn seal(place: &Workplace, folder: &str, payload: &str) {
    let bytes = std::fs::read(place.path(&format!("{folder}/{payload}"))).unwrap();
    place.edit(&format!("{folder}/manifest.json"), |manifest| manifest["files"][payload] = sha256(&bytes).into());
}

fn columns(path: &Path) -> Columns {
    let bytes = std::fs::read(path).unwrap();
    let names = names(path, bytes.clone()).unwrap();
    let wanted: Vec<&str> = names.iter().map(String::as_str).collect();
    let columns = from_bytes(path, bytes, &wanted).unwrap();
    names.into_iter().zip(columns).collect()
}

/// The columns with one value replaced, each with the name of the column and the value as messages show it.
fn spoilt(columns: &Columns, row: usize) -> Vec<(String, String, Columns)> {
    let mut all = Vec::new();
    for number in 0..columns.len() {
        let name = columns[number].0.clone();
        let mut add = |shown: String, change: &dyn Fn(&mut Column)| {
            let mut spoilt = columns.clone();
            change(&mut spoilt[number].1);
            all.push((name.clone(), shown, spoilt));
        };
        match &columns[number].1 {
            Column::Int32(_) => [i32::MIN, i32::MAX].into_iter().for_each(|value| {
                add(value.to_string(), &|column| {
                    if let Column::Int32(values) = column {
                        values[row] = value;
                    }
                });
            }),
            Column::Int64(_) => [i64::MIN, i64::MAX].into_iter().for_each(|value| {
                add(value.to_string(), &|column| {
                    if let Column::Int64(values) = column {
                        values[row] = value;
                    }
                });
            }),
            Column::Double(_) => [f64::INFINITY, f64::MIN, f64::NAN].into_iter().for_each(|value| {
                add(value.to_string(), &|column| {
                    if let Column::Double(values) = column {
                        values[row] = value;
                    }
                });
            }),
            Column::Text(_) if name == "name" => {
                add("\"\"".into(), &|column| {
                    if let Column::Text(values) = column {
                        values[row].clear();
                    }
                });
            }
            Column::Text(_) => {}
        }
    }
    all
}

#[test]
fn figures_out_of_range_are_named_and_never_shown() {
    let (place, small) = small_workplace();
    let with = |arguments: &[&'static str]| [arguments, &small[..]].concat();
    place.succeed(&with(&["selfplay", "--player", "greedy", "--games", "3", "--out", "games", "-q"]));
    let file = place.path("games/games-00000.parquet");
    let good = columns(&file);
    // A page needs these only.
    let shown = ["game", "player", "name", "score", "equity", "final_spread"];
    for (column, value, spoilt) in spoilt(&good, 2) {
        write(&file, &spoilt, &[]).unwrap();
        seal(&place, "games", "games-00000.parquet");
        let parts = ["games-00000.parquet", &format!("column {column}, row 3: "), &value[..value.len().min(40)], "expected"];
        place.refuse(&["export", "games", "--out", "tables", "--tileset", "small.toml", "-q"], &parts);
        if shown.contains(&column.as_str()) {
            place.refuse(&["report", "games", "--tileset", "small.toml", "-q"], &parts);
        }
    }
    write(&file, &good, &[]).unwrap();
    seal(&place, "games", "games-00000.parquet");
    place.succeed(&["report", "games", "--tileset", "small.toml", "-q"]);
    // Points that are in range each, and not together.
    let mut many = good.clone();
    for (name, column) in &mut many {
        match column {
            Column::Int32(values) if name == "score" => values.fill(10_000_000),
            Column::Int32(values) => *values = values.iter().cycle().take(3000).copied().collect(),
            Column::Int64(values) => *values = vec![1; 3000],
            Column::Double(values) => *values = values.iter().cycle().take(3000).copied().collect(),
            Column::Text(values) => *values = values.iter().cycle().take(3000).cloned().collect(),
        }
    }
    if let Some((_, Column::Int32(values))) = many.iter_mut().find(|(name, _)| name == "score") {
        values.resize(3000, 10_000_000);
    }
    write(&file, &many, &[]).unwrap();
    seal(&place, "games", "games-00000.parquet");
    place.refuse(&["export", "games", "--out", "tables", "--tileset", "small.toml", "-q"], &["game 1 has", "points"]);

    let play =
        ["match", "--player-a", "greedy", "--player-b", "greedy", "--pairs", "3", "--pairs-out", "pairs.parquet", "-q"];
    place.succeed(&with(&play));
    let file = place.path("pairs.parquet");
    for (column, value, spoilt) in spoilt(&columns(&file), 1) {
        write(&file, &spoilt, &[]).unwrap();
        let parts = ["pairs.parquet", &format!("column {column}, row 2: {value:.40}"), "expected"];
        place.refuse(&["export", "pairs.parquet", "--out", "tables", "-q"], &parts);
    }
}

#[test]
fn pages_are_drawn_from_data_and_stored_pages_are_not_read() {
    let (place, small) = small_workplace();
    let with = |arguments: &[&'static str]| [arguments, &small[..]].concat();
    place.succeed(&with(&["leaves", "train", "--budget", "games=400", "--match-pairs", "2", "-q", "--out", "leaves"]));
    place.write("win.toml", CONFIG.replace("1500", "400").replace("600", "100").replace("120", "20"));
    place.succeed(&["win-percentage", "train", "win.toml", "-q", "--out", "wins"]);
    for run in ["leaves", "wins"] {
        let stored = place.path(&format!("{run}/report.html"));
        let own = std::fs::read_to_string(&stored).unwrap();
        std::fs::write(&stored, "<script>alert(1)</script>").unwrap();
        seal(&place, run, "report.html");
        place.succeed(&["report", run, "-q"]);
        let page = std::fs::read_to_string(place.path(&format!("{run}.html"))).unwrap();
        assert!(page.contains("Content-Security-Policy") && !page.contains("alert("), "{run}");
        assert_eq!(page.len(), own.len(), "{run}: it is the page of the run");
    }
    place.edit("wins/manifest.json", |manifest| {
        manifest["files"].as_object_mut().unwrap().remove("scores.json");
    });
    std::fs::remove_file(place.path("wins.html")).unwrap();
    place.refuse(&["report", "wins", "-q"], &["wins has no scores.json"]);
}

#[test]
fn a_browser_gets_no_answer() {
    let place = workplace();
    place.write("post.txt", "POST / HTTP/1.1\r\nHost: localhost\r\n\r\n{\"type\":\"hello\",\"protocol\":1}\n");
    let input = std::fs::File::open(place.path("post.txt")).unwrap();
    let mut serve = place.command(&["serve", "--stdio", "--player", "greedy"]);
    let ended = serve.stdin(input).output().unwrap();
    assert_eq!((ended.status.code(), ended.stdout.as_slice()), (Some(2), &b""[..]));
    assert!(String::from_utf8_lossy(&ended.stderr).contains("a request in HTTP"), "{ended:?}");
}
