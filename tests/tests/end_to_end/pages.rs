//! Pages of runs: what they hold, and how they behave in Chromium.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tilewright_tests::{Workplace, skip};

use super::documents::root;
use super::references::extension;
use super::{linear, network, small_workplace, td, workplace};

/// The folder of the checks in `tests/pages` with their packages, next to what cargo builds.
fn checks() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into())).join("pages")
}

/// Whether a program starts.
fn starts(program: &Path) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Whether Chromium can open pages here.
fn can_open_pages() -> bool {
    let browser = std::env::var_os("CHROMIUM").map_or_else(|| PathBuf::from("/usr/bin/chromium"), PathBuf::from);
    checks().join("node_modules").is_dir() && starts(&browser) && starts(Path::new("node"))
}

/// Opens pages in Chromium, if it is here.
pub(super) fn check_or_skip(place: &Workplace, pages: &[String]) {
    if can_open_pages() {
        return check(place, pages);
    }
    skip(&format!("Chromium or the checks are missing; install them with: tests/pages/install {}", checks().display()));
}

/// Opens pages in Chromium and expects that the checks find nothing.
fn check(place: &Workplace, pages: &[String]) {
    let folder = checks();
    for name in ["check.mjs", "checks.mjs", "viewer.mjs"] {
        std::fs::copy(root().join("tests/pages").join(name), folder.join(name)).unwrap();
    }
    let mut check = Command::new("node");
    check.arg(folder.join("check.mjs")).args(pages.iter().map(|page| place.path(page)));
    let output = check.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&[output.stdout, output.stderr].concat()));
}

fn page(place: &Workplace, name: &str) -> String {
    std::fs::read_to_string(place.path(name)).unwrap()
}

const MATCH: [&str; 10] = ["match", "--player-a", "leave", "--player-b", "greedy", "--seed", "7", "--out", "match", "-q"];

#[test]
fn the_page_of_a_match_has_its_figures() {
    let place = workplace();
    let play = |pairs: &str| place.succeed(&[&MATCH[..], &["--pairs", pairs, "--games-out", "games"]].concat());
    play("40");
    let made = place.succeed(&["report", "match", "--sequential", "--json", "page.json", "-q"]);
    assert!(made.contains("match.html: match, leave against greedy"), "{made}");
    let json: Value = serde_json::from_str(&page(&place, "page.json")).unwrap();
    assert_eq!((json["kind"].as_str(), json["title"].as_str()), (Some("match"), Some("leave against greedy")));

    let figures = place.succeed(&[&MATCH[..], &["--pairs", "40", "--games-out", "games-again"]].concat());
    let rate = figures.lines().find_map(|line| line.strip_prefix("win rate")).unwrap().trim();
    let rate = rate.split_whitespace().next().unwrap();
    let html = page(&place, "match.html");
    assert!(html.contains(&format!(">{rate} %<")), "the page has the win rate {rate}");
    let tables = [5, 6, 40, 7, 17].map(|rows| 1 + rows).iter().sum::<usize>();
    assert_eq!(html.matches("<tr>").count(), tables, "outcomes, figures, pairs, inputs and manifest");
    for part in ["Mean score by turn", "Bingos by turn", "Log-likelihood ratio of 51 % over 50 %", "--pairs 40 --seed 7"] {
        assert!(html.contains(part), "{part}");
    }
    place.refuse(&["report", "match", "-q"], &["match.html already exists and is never overwritten"]);
    place.succeed(&["report", "match", "--sequential", "--save", "again.html", "-q"]);
    assert_eq!(page(&place, "again.html"), html, "the same run gives the same bytes");
    place.succeed(&["report", "games", "-q"]);
    let html = page(&place, "games.html");
    for part in ["Bingos by turn", "--player-a leave --player-b greedy --pairs 40 --seed 7", "<td>greedy</td>"] {
        assert!(html.contains(part), "{part}");
    }
    assert_eq!(html.matches("<option>").count(), 20, "the first games are replayed");
}

#[test]
fn a_finished_match_has_a_manifest_until_it_is_extended() {
    let place = workplace();
    let manifest = || -> Value { serde_json::from_str(&page(&place, "match/manifest.json")).unwrap() };
    place.succeed(&[&MATCH[..], &["--pairs", "300", "--sequential", "50:60"]].concat());
    let first = manifest();
    assert_eq!((first["kind"].as_str(), first["metrics"]["sequential_h1"].as_f64()), (Some("match"), Some(0.6)));
    place.succeed(&["report", "match", "-q"]);
    let html = page(&place, "match.html");
    assert!(
        html.contains("Log-likelihood ratio of 60 % over 50 %") && html.contains("--sequential 50:60"),
        "from the manifest"
    );
    let pairs = first["metrics"]["pairs"].as_f64().unwrap();
    assert!(pairs < 300.0);
    place.succeed(&[&MATCH[..], &["--pairs", "300"]].concat());
    assert_eq!(manifest()["metrics"]["pairs"].as_f64(), Some(300.0));
    assert_eq!(manifest()["metrics"]["sequential_h1"], Value::Null);
    let exported = place.succeed(&["export", "match", "--out", "pairs", "-q"]);
    assert!(exported.contains("300 rows"), "{exported}");
}

/// Waits until a page holds what it should.
fn wait_for(place: &Workplace, name: &str, holds: impl Fn(&str) -> bool) -> String {
    for _ in 0..1200 {
        match std::fs::read_to_string(place.path(name)) {
            Ok(html) if holds(&html) => return html,
            _ => std::thread::sleep(std::time::Duration::from_millis(50)),
        }
    }
    panic!("{name} never holds it");
}

#[test]
#[cfg(unix)]
fn a_page_follows_a_match_to_its_end() {
    let place = workplace();
    let play = |pairs| [&MATCH[..], &["--pairs", pairs]].concat();
    let mut playing = place.command(&play("9000000")).spawn().unwrap();
    wait_for(&place, "match/config.toml", |_| true);
    let watch = ["report", "match", "--watch", "1", "-q"];
    // The folder is no run for a moment.
    let mut watching = loop {
        let mut watching = place.command(&watch).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(300));
        if watching.try_wait().unwrap().is_none() {
            break watching;
        }
    };
    let played = |html: &str| html.contains(" of 9,000,000 pairs are played") && html.contains("data-seconds=\"1\"");
    let first = wait_for(&place, "match.html", played);
    let later = wait_for(&place, "match.html", |html| played(html) && html != first);
    assert!(later.contains("<meta name=\"run\" content=\"unfinished\">"));
    // Until its end a match claims nothing by the interval for a number of pairs that was chosen beforehand.
    assert!(later.contains("The match is not finished") && later.contains("at any time"));
    assert!(!later.contains(">95 % interval</span>"));
    let intervals_of_scores = |html: &str| {
        html.split_once("<section id=\"spreads\">").unwrap().1.split_once("</section>").unwrap().0.matches(" to ").count()
    };
    assert_eq!(intervals_of_scores(&later), 0);
    tilewright_tests::interrupt(&playing);
    assert_eq!(playing.wait().unwrap().code(), Some(130));
    // The page of a stopped match is replaced, too.
    place.succeed(&["report", "match", "--save", "stopped.html", "-q"]);
    place.succeed(&["report", "match", "--save", "stopped.html", "-q"]);
    assert!(!page(&place, "stopped.html").contains("data-seconds"));
    place.succeed(&play("2"));
    assert!(watching.wait().unwrap().success());
    let end = page(&place, "match.html");
    assert!(!end.contains("data-seconds") && !end.contains("unfinished"), "the page of the finished match stays");
    assert_eq!(intervals_of_scores(&end), 6);
    assert!(end.contains(">95 % interval</span>") && !end.contains("not finished") && !end.contains("at any time"));

    // Ctrl-C leaves a page that loads nothing again.
    std::fs::remove_file(place.path("match/manifest.json")).unwrap();
    let mut watching = place.command(&["report", "match", "--watch", "--save", "stopped.html", "-q"]).spawn().unwrap();
    wait_for(&place, "stopped.html", |html| html.contains("data-seconds=\"5\""));
    tilewright_tests::interrupt(&watching);
    assert_eq!(watching.wait().unwrap().code(), Some(130));
    assert!(!page(&place, "stopped.html").contains("data-seconds"));
}

#[test]
fn what_has_no_page_is_refused() {
    let place = workplace();
    place
        .refuse(&["report", "nothing"], &["nothing is no run with a page; name a folder of match --out, match --games-out"]);
    std::fs::create_dir(place.path("empty")).unwrap();
    place.refuse(&["report", "empty"], &["empty is no run with a page"]);
    place.refuse(&["report", "empty", "--save", "x", "--json", "x"], &["--json and --save both name x"]);
    std::fs::create_dir_all(place.path("other/work")).unwrap();
    place.refuse(&["report", "other", "-q"], &["other is no run with a page"]);
    std::fs::write(place.path("other/work/run"), "torn").unwrap();
    place.refuse(&["report", "other", "-q"], &["other/work/run is damaged; rerun the command in this folder"]);
    place.refuse(&["report", "empty", "--watch", "0"], &["0 is not in 1..=3600"]);
    std::fs::create_dir(place.path("study")).unwrap();
    place.write("study/summary.json", "{}");
    place.refuse(&["report", "study", "-q"], &["study is no run with a page"]);
    place.succeed(&["selfplay", "--player", "greedy", "--games", "2", "--out", "torn", "-q"]);
    std::fs::write(place.path("torn/games-00000.parquet"), "torn").unwrap();
    place.refuse(&["report", "torn", "-q"], &["torn/games-00000.parquet", "does not match its checksum"]);
}

#[test]
fn an_unfinished_run_has_a_page_of_its_work() {
    let place = workplace();
    // What self-play leaves when it is killed before its end.
    place.succeed(&["selfplay", "--player", "greedy", "--games", "2", "--out", "killed", "-q"]);
    std::fs::remove_file(place.path("killed/manifest.json")).unwrap();
    let printed = place.succeed(&["report", "killed", "-q"]);
    assert!(printed.contains("unfinished run, killed"), "{printed}");
    let html = page(&place, "killed.html");
    assert!(html.contains("<td>games</td><td class=\"n\">1</td>") && html.contains("lexicon"), "one shard of games");
    let (small, _) = small_workplace();
    small.write("td.toml", td::CONFIG);
    small.succeed(&["td", "td.toml", "--out", "td", "-q"]);
    small.succeed(&["report", "td", "--save", "end.html", "-q"]);
    let drawn = |name: &str| -> Vec<String> {
        page(&small, name)
            .split("<figcaption>")
            .skip(1)
            .filter_map(|part| Some(part.split_once(',')?.0.to_string()))
            .collect()
    };
    for entry in std::fs::read_dir(small.path("td")).unwrap().flatten().filter(|entry| entry.file_name() != "work") {
        std::fs::remove_file(entry.path()).unwrap();
    }
    small.succeed(&["report", "td", "-q"]);
    let html = page(&small, "td.html");
    assert_eq!(drawn("td.html"), drawn("end.html"), "the course is stored as it goes on");
    assert!(drawn("td.html").len() > 3);
    assert!(html.contains("games are asked for") && html.contains("<meta name=\"run\" content=\"unfinished\">"));

    place.write("evolution.toml", EVOLUTION);
    place.succeed(&["evolve", "evolution.toml", "--out", "evolution", "-q"]);
    for result in ["generations.jsonl", "weights.toml", "manifest.json", "work/search-00-generation-00004"] {
        let _ = std::fs::remove_file(place.path("evolution").join(result));
    }
    place.succeed(&["report", "evolution", "-q"]);
    let html = page(&place, "evolution.html");
    assert!(html.contains("3 of 4 generations are finished") && html.contains("unfinished"), "{html}");
}

#[test]
fn the_page_of_a_round_robin_has_its_cross_table() {
    let place = workplace();
    place.succeed(&ROUND_ROBIN);
    let printed = place.succeed(&[&ROUND_ROBIN[..], &["--json", "robin.json"]].concat());
    assert!(printed.contains("against the field"), "{printed}");
    place.succeed(&["report", "robin", "-q"]);
    let json: Value = serde_json::from_str(&page(&place, "robin.json")).unwrap();
    let html = page(&place, "robin.html");
    for rated in json["players"].as_array().unwrap() {
        let [rate, low, high] = ["mean", "low", "high"].map(|key| 100.0 * rated["win_rate"][key].as_f64().unwrap());
        let shown = format!("{rate:.2} ({low:.2} to {high:.2})");
        assert!(html.contains(&shown), "{shown}");
    }
    assert_eq!(html.matches("fill-opacity=").count(), 6, "a cell for each pair of different players");
}

const ROUND_ROBIN: [&str; 11] =
    ["match", "--players", "leave", "greedy", "no-leaves", "--pairs", "20", "--seed", "3", "--out", "robin"];

#[test]
fn pages_of_runs_work_in_chromium() {
    let (place, small) = small_workplace();
    place.write("td.toml", td::CONFIG);
    place.succeed(&["td", "td.toml", "--out", "td", "-q"]);
    place.write("table.csv", "A,1\nE,3\nS,6\nEE,-2\nAA,-4\nZ,5\n?,20\n");
    place.write("network.toml", network::config());
    place.succeed(&["network", "train", "network.toml", "--out", "network", "-q"]);
    let robin = ["match", "--players", "leave:td", "greedy", "no-leaves", "--pairs", "20", "--out", "robin", "-q"];
    place.succeed(&[&robin[..], &small[..]].concat());
    place.write("linear.toml", linear::CONFIG);
    place.succeed(&["linear", "fit", "linear.toml", "--out", "linear", "-q"]);
    place.succeed(&[&["selfplay", "--player", "greedy", "--games", "40", "--out", "games", "-q"], &small[..]].concat());
    for run in ["td", "network", "robin", "linear"] {
        place.succeed(&["report", run, "-q"]);
    }
    place.refuse(&["report", "games", "-q"], &["games was made for the tile set small", "name it with --tileset"]);
    place.succeed(&["report", "games", "--tileset", "small.toml", "-q"]);
    assert!(page(&place, "linear.html").contains("How far weights may go"));
    assert!(page(&place, "games.html").contains("selfplay --games 40 --player greedy --seed 1"));
    place.succeed(&[&["network", "eval", "network", "--games", "200", "--html", "eval.html", "-q"], &small[..]].concat());
    assert!(page(&place, "td.html").contains("TD error of a batch"));
    let network = page(&place, "network.html");
    for part in ["Learning curve", "Stage: early", "What each input is worth", "the linear fit"] {
        assert!(network.contains(part), "{part}");
    }
    check_or_skip(&place, &["td", "network", "robin", "linear", "games", "eval"].map(|name| format!("{name}.html")));
}

#[test]
fn pages_of_positions_games_and_matches_work_in_chromium() {
    let (place, small) = small_workplace();
    place.write("game.gcg", std::fs::read(root().join("experiments/readme/logan-maven-1998.gcg")).unwrap());
    place.succeed(&["game", "annotate", "game.gcg", "--html", "game.html", "-q"]);
    place.succeed(&[&MATCH[..], &["--pairs", "300"]].concat());
    place.succeed(&["report", "match", "--sequential", "-q"]);
    place.write("words.txt", "CHORRO\nCARNE\nCHARCO\nRONCHA\nNORA\nERA\n");
    place.write("evolution.toml", EVOLUTION);
    place.succeed(&["evolve", "evolution.toml", "--out", "evolution", "-q"]);
    place.succeed(&["report", "evolution", "-q"]);
    let html = page(&place, "evolution.html");
    for part in
        ["Log-likelihood ratio of 55 % over 50 %", "not promoted: ", "Why it was not promoted", "weight of the answer"]
    {
        assert!(html.contains(part), "{part}");
    }
    let train = ["leaves", "train", "--budget", "games=400", "--match-pairs", "20", "--out", "leaves", "-q"];
    place.succeed(&[&train[..], &small].concat());
    place.succeed(&["report", "leaves", "-q"]);
    place.write("other.csv", "A,1\nE,3\nS,6\nEE,-2\n?,20\n");
    place.succeed(&[&["leaves", "diff", "leaves", "other.csv", "--html", "diff.html"], &small[..]].concat());
    let crowded = std::fs::read_to_string(root().join("engine/benches/crowded.cgp")).unwrap();
    let crowded = crowded.trim();
    place.succeed(&[
        "moves",
        "--rack",
        "A[CH]O[RR]EN?",
        "--player",
        "greedy",
        "--tileset",
        "spanish",
        "--lexicon",
        "words.txt",
        "--html",
        "moves.html",
    ]);
    place.succeed(&["simulate", "--cgp", crowded, "--deals", "50", "--html", "simulate.html", "-q"]);
    place.succeed(&["solve", "--cgp", ENDGAME, "--html", "solve.html"]);
    let solve = page(&place, "solve.html");
    assert!(solve.contains("the line is worth +13 points, and the game ends +40 (exact)") && solve.contains("1A FLEA"));
    assert!(page(&place, "moves.html").contains("\"CH\"") && page(&place, "simulate.html").contains("\"#win %\""));
    // Two games on one page.
    let players = ["match", "--player-a", "leave", "--player-b", "greedy", "--pairs", "1", "-q"];
    place.succeed(&[&players[..], &["--games-out", "games", "--games-format", "gcg"]].concat());
    let files = std::fs::read_dir(place.path("games")).unwrap().flatten().map(|entry| entry.path().display().to_string());
    let mut games: Vec<String> = files.filter(|path| extension(path) == "gcg").collect();
    games.sort();
    assert_eq!(games.len(), 2);
    place.succeed(&["game", "annotate", &games[0], &games[1], "--html", "games.html", "-q"]);
    // A board of 21 × 21, a study, and a match that goes on.
    place.succeed(&[
        "moves",
        "--rack",
        "QUIZZED",
        "--tileset",
        "english_super",
        "--player",
        "greedy",
        "--html",
        "super.html",
    ]);
    place.succeed(&["experiment", "run", "no-leaves", "--quick", "--out", "studies", "-q"]);
    place.succeed(&["report", "studies/no-leaves-quick", "--save", "study.html", "-q"]);
    std::fs::remove_file(place.path("studies/no-leaves-quick/summary.json")).unwrap();
    let printed = place.succeed(&["report", "studies/no-leaves-quick", "--save", "killed.html", "-q"]);
    assert!(printed.contains("unfinished run, no-leaves-quick"), "{printed}");
    std::fs::remove_file(place.path("match/manifest.json")).unwrap();
    let mut watching = place.command(&["report", "match", "--watch", "60", "--save", "live.html", "-q"]).spawn().unwrap();
    wait_for(&place, "live.html", |_| true);
    watching.kill().unwrap();
    watching.wait().unwrap();
    let pages =
        ["game", "games", "match", "evolution", "leaves", "diff", "moves", "simulate", "solve", "super", "study", "live"]
            .map(|name| format!("{name}.html"));
    check_or_skip(&place, &pages);
}

/// A board at the moment when the bag becomes empty.
const ENDGAME: &str = "7P4T2/1ANNOYER1GUIRO1/7I4A2/3C3CORTEgES/3I3K4E1U/3M8D1B/2JEW1Q5I1E/3XYLAN1AGHA1R/4N1NODDLInG1/\
                       3AD1A2OOTS2/3US1TAW1B4/3R3ME1SH3/3E3OE2I3/3I2FUTZ1L3/7R2PIVOT AEEFLNV/EI 368/341 0";

pub(super) const EVOLUTION: &str = r#"
seed = 1
baseline = "leave"
method = "cma-es"
population = 6
generations = 4
pairs = 6
fitness = "spread"
race = true
sigma = 0.7
final_pairs = 10

[fixed]
score = 1.0

[weights]
leave = { start = 1.0, scale = 0.5, min = -2.0, max = 3.0 }
vowel_imbalance = { start = 0.0, scale = 2.0, min = -20.0, max = 20.0 }

[promotion]
against = "leave"
h0 = 50.0
h1 = 55.0
error_rate = 0.05
pairs = 20
seed = 2026
"#;
