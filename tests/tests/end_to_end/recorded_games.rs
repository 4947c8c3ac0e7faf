//! `game` from end to end, on a game that was published with its racks.

use serde_json::Value;
use tilewright_tests::Workplace;

use super::documents::root;
use super::workplace;

const FILE: &str = "experiments/readme/logan-maven-1998.gcg";

/// A workplace with the game as `game.gcg`.
fn with_game() -> Workplace {
    let place = workplace();
    place.write("game.gcg", std::fs::read(root().join(FILE)).unwrap());
    place
}

fn json(place: &Workplace, name: &str) -> Value {
    serde_json::from_slice(&std::fs::read(place.path(name)).unwrap()).unwrap()
}

/// A column is not as wide as any name of a stranger.
#[test]
fn a_name_of_any_length_is_shown() {
    let place = workplace();
    let name = "n".repeat(70_000);
    place.write("long.gcg", format!("#player1 A {name}\n#player2 B b\n>A: BEEILNN 8D BELIE +20 20\n"));
    for verb in [&["show"][..], &["annotate", "--player", "greedy"]] {
        let shown = place.succeed(&[&["game"], verb, &["long.gcg"]].concat());
        assert!(shown.contains(&name) && shown.len() < 5 * name.len(), "{}", shown.len());
    }
}

#[test]
fn a_published_game_is_shown_and_annotated() {
    let place = with_game();
    let shown = place.succeed(&["game", "show", "game.gcg", "--json", "show.json", "--html", "show.html"]);
    assert!(shown.contains("Adam Logan 481, Maven 460") && shown.contains("8H (TWANG)LES"), "{shown}");
    let turns = &json(&place, "show.json")["games"][0]["turns"];
    assert_eq!(turns.as_array().unwrap().len(), 22);
    assert!(turns[0]["judged"].is_null() && turns[21]["move"] == "out, IIT");
    let leaves = [0, 3, 20, 21].map(|turn: usize| turns[turn]["leave"].as_str());
    assert_eq!(leaves, [Some("LS"), Some(""), Some(""), None], "TWANG of AGLNSTW, two bingos, and the end");
    let page = std::fs::read_to_string(place.path("show.html")).unwrap();
    assert!(page.contains("Lead of Adam Logan") && !page.contains("Win probability of"), "without a judgement");
    assert!(page.contains("(vowels 41, consonants 50)"), "unseen tiles of the first turn are counted");

    let annotated = place.succeed(&["game", "annotate", "game.gcg", "--json", "annotated.json"]);
    // The book says the same of this move.
    let line = annotated.lines().find(|line| line.contains("N(I)XY")).unwrap();
    assert!(line.contains("mistake: 6.0 points less than the best, by equity: 3L (O)NYX 28"), "{line}");
    let found = json(&place, "annotated.json");
    let judged: Vec<&Value> = found["games"][0]["turns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|turn| &turn["judged"])
        .filter(|judged| !judged.is_null())
        .collect();
    assert_eq!(judged.len(), 21);
    let of_size = |size: &str| judged.iter().filter(|judged| judged["mistake"] == size).count();
    let sizes = ["small", "medium", "large"].map(of_size);
    assert_eq!(sizes.iter().sum::<usize>(), judged.iter().filter(|judged| judged["is_mistake"] == true).count());
    for (size, count) in sizes.into_iter().enumerate() {
        let of_player = |player: usize| found["players"][player]["mistakes_by_size"][size].as_u64().unwrap();
        assert_eq!(of_player(0) + of_player(1), count as u64, "{sizes:?}");
    }
    for judged in &judged {
        let made: Vec<&Value> = judged["best"].as_array().unwrap().iter().filter(|best| best["made"] == true).collect();
        assert_eq!(made.len(), 1);
        let expected = match judged["loss"].as_f64().unwrap() {
            loss if loss >= 20.0 => Some("large"),
            loss if loss >= 10.0 => Some("medium"),
            loss if loss >= 5.0 => Some("small"),
            _ => None,
        };
        assert!(judged["by"] != "equity" || judged["mistake"].as_str() == expected, "{judged}");
        let loss = judged["best"][0]["value"].as_f64().unwrap() - made[0]["value"].as_f64().unwrap();
        assert!(loss >= 0.0 && (loss - judged["loss"].as_f64().unwrap()).abs() < 1e-9);
        assert!(
            judged["by"] != "endgame" || judged["win_loss"].as_f64().is_some_and(|loss| [0.0, 0.5, 1.0].contains(&loss))
        );
        assert!(judged["by"] != "equity" || judged["win_loss"].is_null());
    }
    let lost = |player: usize| found["players"][player]["lost"].as_f64().unwrap();
    let sum: f64 = judged.iter().map(|judged| judged["loss"].as_f64().unwrap()).sum();
    assert!((lost(0) + lost(1) - sum).abs() < 1e-9 && lost(0) > lost(1));
}

#[test]
fn a_simulated_annotation_is_the_same_on_any_number_of_threads() {
    let place = with_game();
    let annotate = |name: &str, threads: &str| {
        let [html, json] = ["html", "json"].map(|ending| format!("{name}.{ending}"));
        place.succeed(&[
            "game",
            "annotate",
            "game.gcg",
            "--deals",
            "20",
            "--top",
            "3",
            "--threads",
            threads,
            "--html",
            &html,
            "--json",
            &json,
        ]);
        [html, json].map(|file| std::fs::read_to_string(place.path(&file)).unwrap())
    };
    let [page, found] = annotate("one", "1");
    assert_eq!([page.clone(), found.clone()], annotate("two", "2"));
    assert!(found.contains("\"by\": \"simulation\"") && found.contains("\"high\""));
    for turn in json(&place, "one.json")["games"][0]["turns"].as_array().unwrap() {
        let judged = &turn["judged"];
        for (loss, interval) in [("loss", "loss_interval"), ("win_loss", "win_loss_interval")] {
            let mean = &judged[interval]["mean"];
            assert!(mean.is_null() || (mean == &judged[loss] && judged[interval]["low"].is_f64()), "{judged}");
            assert!(judged["by"] != "simulation" || mean.is_f64(), "{judged}");
        }
    }
    let curves = page.split("id=\"course\"").nth(1).and_then(|rest| rest.split("</section>").next()).unwrap();
    assert_eq!(curves.matches("<svg").count(), 2);
    for part in
        ["Win probability of Adam Logan", "Lead of Adam Logan", "band first", "mark first", "The most costly move is turn "]
    {
        assert!(curves.contains(part), "{part}: {curves}");
    }
    for part in ["id=\"viewer\"", "id=\"theme\"", "data-filter=\"by-turn\"", "href=\"#t19\"", "ld english; bdn standard;"] {
        assert!(page.contains(part), "{part}");
    }
    for part in ["http:", "https:", "src=", "@import"] {
        assert!(!page.contains(part), "a page loads nothing: {part}");
    }
}

#[test]
fn a_player_that_looks_ahead_annotates() {
    let place = with_game();
    place.write("sim.toml", "ranker = \"leave\"\n[simulation]\ncandidates = 3\niterations = 32\n");
    let told = place.succeed(&["game", "annotate", "game.gcg", "--player", "sim:sim.toml", "--json", "sim.json"]);
    assert!(told.contains("moves compared by sim:sim.toml; a mistake"), "{told}");
    let found = json(&place, "sim.json");
    let turns = found["games"][0]["turns"].as_array().unwrap();
    let simulated: Vec<_> = turns.iter().filter(|turn| turn["judged"]["by"] == "simulation").collect();
    assert!(simulated.len() > 10, "{}", simulated.len());
    for turn in simulated {
        let best = turn["judged"]["best"].as_array().unwrap();
        let is_valued = |one: &serde_json::Value| one["win"]["mean"].is_f64();
        assert!(best.iter().any(|one| one["made"] == true && is_valued(one)) && is_valued(&best[0]), "{turn}");
    }
}

#[test]
fn several_games_are_summed_by_player() {
    let place = with_game();
    std::fs::copy(place.path("game.gcg"), place.path("again.gcg")).unwrap();
    let run = |threads: &str, json: &str| {
        place.succeed(&[
            "game",
            "annotate",
            "game.gcg",
            "again.gcg",
            "--threads",
            threads,
            "--json",
            json,
            "--html",
            &format!("{json}.html"),
        ])
    };
    assert_eq!(run("1", "one.json"), run("2", "two.json"));
    let found = json(&place, "one.json");
    assert_eq!((found["players"][0]["games"].as_u64(), found["players"][0]["points"].as_u64()), (Some(2), Some(962)));
    let page = std::fs::read_to_string(place.path("one.json.html")).unwrap();
    assert!(page.contains("href=\"#g2t3\""));
    let folded = ["<details open><summary>Logan against", "<details><summary>Logan against", "Lead of Adam Logan, points"];
    assert_eq!(folded.map(|part| page.matches(part).count()), [1, 1, 2]);
}

#[test]
fn games_that_are_not_possible_are_refused_with_their_line() {
    let place = with_game();
    let text = std::fs::read_to_string(place.path("game.gcg")).unwrap();
    place.write("wrong.gcg", text.replace("+36 58", "+35 57"));
    place.refuse(
        &["game", "annotate", "game.gcg", "wrong.gcg"],
        &["wrong.gcg: GCG line 8", "scores +36, not +35", "--accept-scores"],
    );
    let passes = "#player1 a A\n#player2 b B\n".to_string() + &">a: AEINRST - +0 0\n>b: EEFGILU - +0 0\n".repeat(4);
    place.write("passes.gcg", passes);
    let went_on = place.run(&["game", "show", "passes.gcg"]);
    let warning = "warning: passes.gcg: line 9: by the rules the game ends with 6 scoreless turns, and here it goes on";
    assert!(went_on.code == 0 && went_on.errors.contains(warning), "{}", went_on.errors);
    let withdrawn = "#player1 a A\n#player2 b B\n>a: AEINRST 8D NASTIER +66 66\n>a: AEINRST -- -66 0\n>b: EEFGILU - +0 0\n";
    place.write("withdrawn.gcg", withdrawn);
    place.write("valid.gcg", withdrawn.replace(">a: AEINRST -- -66 0\n", ""));
    for (name, bingos) in [("withdrawn", 0), ("valid", 1)] {
        let figures = format!("{name}.json");
        place.succeed(&["game", "annotate", &format!("{name}.gcg"), "--quiet", "--player", "greedy", "--json", &figures]);
        assert_eq!(json(&place, &figures)["players"][0]["bingos"].as_u64(), Some(bingos), "{name}");
    }
    let accepted = place.run(&["game", "show", "wrong.gcg", "--accept-scores"]);
    assert_eq!(accepted.code, 0, "{}", accepted.errors);
    assert!(accepted.errors.contains("warning: wrong.gcg: GCG line 8"), "{}", accepted.errors);
    place.succeed(&["game", "annotate", "wrong.gcg", "--accept-scores", "--quiet", "--html", "wrong.html"]);
    let by_own_deals = ["game", "annotate", "game.gcg", "--player", "sim", "--deals", "9"];
    place.refuse(&by_own_deals, &["sim looks ahead by its own settings", "--deals"]);
    place.write("empty.gcg", "#player1 a A\n#player2 b B\n");
    place.refuse(&["game", "show", "empty.gcg"], &["empty.gcg", "no events", ">ann: AEINRTZ"]);
    place.refuse(&["game", "show", "nowhere.gcg"], &["nowhere.gcg", "No such file"]);
    place.refuse(&["game", "annotate", "game.gcg", "--mistake", "0"], &["--mistake 0", "positive"]);
    place.refuse(&["game", "annotate", "game.gcg", "--player", "nobody"], &["nobody"]);
    let same = ["game", "show", "game.gcg", "--html", "x", "--json", "x"];
    place.refuse(&same, &["--json and --html both name x"]);
    place.write("taken.html", "x");
    place.refuse(&["game", "show", "game.gcg", "--html", "taken.html"], &["taken.html already exists"]);
}
