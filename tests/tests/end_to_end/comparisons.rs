//! Pages of several runs: the index of a folder, and the comparison of runs of one kind.

use std::fs;

use serde_json::Value;
use tilewright_tests::Workplace;

use super::pages::check_or_skip;
use super::{linear, network, small_workplace, td, win_percentage, workplace};

fn page(place: &Workplace, name: &str) -> String {
    fs::read_to_string(place.path(name)).unwrap()
}

/// Plays a match of 40 pairs on the deals of seed 7, unless a flag says otherwise.
fn play(place: &Workplace, players: [&str; 2], out: &str, more: &[&str]) {
    let [a, b] = players;
    let flags = ["match", "--player-a", a, "--player-b", b, "--pairs", "40", "--out", out, "-q"];
    let seed: &[&str] = if more.contains(&"--seed") { &[] } else { &["--seed", "7"] };
    place.succeed(&[&flags[..], seed, more].concat());
}

/// Changes a byte of a file.
fn damage(place: &Workplace, name: &str) {
    let mut bytes = fs::read(place.path(name)).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(place.path(name), bytes).unwrap();
}

#[test]
fn an_index_lists_the_runs_in_a_folder() {
    let place = workplace();
    let hostile = "runs/<b>x & \"y\"";
    play(&place, ["leave", "no-leaves"], "runs/match", &["--games-out", "runs/games"]);
    play(&place, ["greedy", "no-leaves"], hostile, &[]);
    play(&place, ["greedy", "no-leaves"], "runs/study/matches/arm", &[]);
    place.succeed(&["selfplay", "--player", "greedy", "--games", "2", "--out", "runs/killed", "-q"]);
    fs::remove_file(place.path("runs/killed/manifest.json")).unwrap();
    place.succeed(&["selfplay", "--player", "greedy", "--games", "2", "--out", "runs/damaged", "-q"]);
    damage(&place, "runs/damaged/games-00000.parquet");
    fs::create_dir(place.path("runs/no run")).unwrap();
    place.succeed(&["report", hostile, "-q"]);

    let printed = place.succeed(&["report", "runs", "-q", "--json", "index.json"]);
    assert!(printed.contains("runs.html: index, runs"), "{printed}");
    let html = page(&place, "runs.html");
    for part in [
        "<a href=\"runs/%3Cb%3Ex%20%26%20%22y%22.html\">&lt;b&gt;x &amp; &quot;y&quot;</a>",
        "<code>tilewright report runs/match</code>",
        "<td>study/matches/arm</td>",
        "runs/damaged/games-00000.parquet: the content does not match its checksum",
        "greedy against no-leaves · lexicon enable2k · english tile set · seed 7 · 40 pairs",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    assert!(!html.contains("<b>") && !html.contains("no run"));
    let json: Value = serde_json::from_str(&page(&place, "index.json")).unwrap();
    let runs: Vec<[&str; 2]> =
        json["runs"].as_array().unwrap().iter().map(|run| ["path", "state"].map(|key| run[key].as_str().unwrap())).collect();
    let expected = [
        [hostile, "finished"],
        ["runs/damaged", "damaged"],
        ["runs/games", "finished"],
        ["runs/killed", "unfinished"],
        ["runs/match", "finished"],
        ["runs/study/matches/arm", "finished"],
    ];
    assert_eq!(runs, expected);
    let rate = json["runs"][4]["figures"][0]["value"]["mean"].as_f64().unwrap();
    assert!(html.contains(&format!("{rate:.2} % (")), "the win rate {rate} with its interval");

    check_or_skip(&place, &["runs.html".into()]);
    // An index is replaced, and the same folder gives the same bytes.
    place.succeed(&["report", "runs", "-q"]);
    assert_eq!(page(&place, "runs.html"), html);
    let one = ["--watch and --sequential go with one run"];
    place.refuse(&["report", "runs", "--watch", "-q"], &one);
    place.refuse(&["report", "runs/match", hostile, "--sequential", "-q"], &one);
}

#[test]
fn matches_of_the_same_deals_are_compared_pair_by_pair() {
    let place = workplace();
    let no_leaves = |player, out| play(&place, [player, "no-leaves"], out, &[]);
    no_leaves("leave", "a");
    no_leaves("leave+pool", "b");
    no_leaves("greedy", "c");
    fs::create_dir(place.path("other")).unwrap();
    play(&place, ["leave", "greedy"], "other/a", &[]);
    play(&place, ["greedy", "no-leaves"], "deals", &["--seed", "8"]);
    place.succeed(&["report", "a", "b", "c", "-q"]);
    let html = page(&place, "comparison.html");
    for part in [
        "cannot be told from these data",
        "All were measured on the 40 deals of seed 7, and the interval is of the differences pair by pair.",
        "The 2 intervals of its leads hold together",
        "<p class=\"facts\">lexicon enable2k · english tile set · seed 7 · 40 pairs</p>",
        "Win rate as the match goes on",
        "tilewright report a b c",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    let direct = ["--player-a leave --player-b leave+pool", "--player-a leave+pool --player-b leave"];
    assert!(direct.iter().any(|players| html.contains(&format!("match {players} --pairs 10000"))));
    place.succeed(&["report", "a", "b", "c", "--save", "again.html", "-q"]);
    assert_eq!(page(&place, "again.html"), html, "the same runs give the same bytes");

    // Runs of the same name have their paths as names.
    place.succeed(&["report", "a", "other/a", "--save", "others.html", "-q"]);
    let html = page(&place, "others.html");
    assert!(html.contains("These runs cannot be ranked") && html.contains("<td>other/a</td>"), "{html}");
    place.succeed(&["report", "a", "deals", "--save", "deals.html", "-q"]);
    assert!(page(&place, "deals.html").contains("measured on different games, so the interval takes them as independent"));
}

#[test]
fn runs_that_cannot_be_compared_are_refused() {
    let place = workplace();
    for out in ["a", "b"] {
        play(&place, ["greedy", "no-leaves"], out, &[]);
        let games = ["selfplay", "--player", "greedy", "--games", "2", "--out"];
        place.succeed(&[&games[..], &[&format!("games-{out}"), "-q"]].concat());
    }
    place.refuse(
        &["report", "a", "games-a", "-q"],
        &["only runs of one kind can be compared, not a (match), games-a (games); name runs of one kind, or their folder"],
    );
    place.refuse(&["report", "a", "b", "a", "-q"], &["a is named twice; name different runs"]);
    place.refuse(&["report", "a", "nothing", "-q"], &["nothing is no run with a page"]);
    place.succeed(&["report", "games-a", "games-b", "-q"]);
    assert!(page(&place, "comparison.html").contains("No figure of these runs says which of them is best"));
    place.refuse(&["report", "a", "b", "-q"], &["comparison.html already exists"]);
    play(&place, ["leave", "no-leaves"], "c", &[]);
    fs::remove_file(place.path("c/manifest.json")).unwrap();
    place.succeed(&["report", "a", "b", "c", "--save", "two.html", "-q"]);
    let html = page(&place, "two.html");
    assert!(html.contains("c is unfinished and left out.") && !html.contains("<td>c</td>"), "{html}");
    damage(&place, "b/work/pairs-00000");
    place.refuse(
        &["report", "a", "b", "c", "--save", "one.html", "-q"],
        &["a comparison needs two finished runs", "b is damaged and left out: b/work/pairs-00000", "c is unfinished"],
    );
}

/// Compares two runs of a kind, made with two seeds, and expects these texts in the page.
fn compare(place: &Workplace, verb: &[&str], parts: &[&str]) {
    let name = verb[0];
    let runs = ["1", "2"].map(|seed| format!("{name}-{seed}"));
    for (run, seed) in runs.iter().zip(["1", "2"]) {
        place.succeed(&[verb, &["--seed", seed, "--out", run, "-q"]].concat());
    }
    let save = format!("{name}.html");
    place.succeed(&["report", &runs[0], &runs[1], "--save", &save, "-q"]);
    let html = page(place, &save);
    for part in parts {
        assert!(html.contains(part), "{part} in the page of {name}: {html}");
    }
    let drawings = html.split_once("<main>").unwrap().1.split_once("</main>").unwrap().0;
    assert!(!drawings.contains("NaN") && !drawings.contains("\"inf") && !drawings.contains("\"-inf"), "{name}");
}

#[test]
fn each_kind_of_run_has_a_comparison() {
    let (place, small) = small_workplace();
    place.write("table.csv", "A,1\nE,3\nS,6\nEE,-2\nAA,-4\nZ,5\n?,20\n");
    let train = ["leaves", "train", "--budget", "games=400", "--match-pairs", "20"];
    let parts =
        ["win rate against no-leaves", "How alike the tables are", "Values of single tiles", "--player-a leave:leaves"];
    compare(&place, &[&train[..], &small].concat(), &parts);
    place.write("td.toml", td::CONFIG);
    compare(&place, &["td", "td.toml"], &["TD error of a batch", "Largest values, points", "No figure of these runs"]);
    place.write("linear.toml", linear::CONFIG);
    let parts =
        ["Weights, points per unit", "Explained of the signal", "Only matches say which is stronger", "linear:linear"];
    compare(&place, &["linear", "fit", "linear.toml"], &parts);
    place.write("network.toml", network::config());
    let parts =
        ["Explained of the signal", "Error of the training sets", "points per turn over static equity", "network:network"];
    compare(&place, &["network", "train", "network.toml"], &parts);
    place.write("win.toml", win_percentage::CONFIG);
    let parts = ["log-loss beyond scaled", "Log-loss on held-out games by stratum", "win-percentage eval win-percentage-"];
    compare(&place, &["win-percentage", "train", "win.toml"], &parts);
    check_or_skip(&place, &["leaves", "td", "linear", "network", "win-percentage"].map(|name| format!("{name}.html")));
}

#[test]
fn evolutions_are_compared_by_their_held_out_tests() {
    let place = workplace();
    place.write("evolution.toml", super::pages::EVOLUTION);
    let parts = [
        "win rate on held-out deals",
        "promoted: ",
        "All were measured on deals of seed 2026, but only sums are stored",
        "The tests stop early",
        "Weights, points per unit",
        "Win rate of the mean",
        "--player-a linear:evolve-",
    ];
    compare(&place, &["evolve", "evolution.toml"], &parts);
}
