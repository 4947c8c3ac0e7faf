//! `export`, and the candidates of `selfplay`, from end to end.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use tilewright_engine::hash::sha256;
use tilewright_engine::series::NORMAL_95;
use tilewright_tests::{Workplace, files_below};
use tilewright_train::parquet_file::{Column, marks, names, read, write};

use super::{evolve, network, small_workplace, td};

const SELFPLAY: [&str; 9] = ["selfplay", "--player", "greedy", "--games", "1060", "--candidates", "4", "--deals", "3"];

fn schema(place: &Workplace, out: &str) -> Value {
    serde_json::from_slice(&std::fs::read(place.path(&format!("{out}/schema.json"))).unwrap()).unwrap()
}

/// The named columns of a file as doubles.
fn doubles(path: &Path, wanted: &[&str]) -> Vec<Vec<f64>> {
    let plain = |column| match column {
        Column::Int32(values) => values.into_iter().map(f64::from).collect(),
        Column::Int64(values) => values.into_iter().map(|value| value as f64).collect(),
        Column::Double(values) => values,
        Column::Text(_) => panic!("a text"),
    };
    read(path, wanted).unwrap().into_iter().map(plain).collect()
}

/// The rows of each table in the CSV files of a dataset, which must have the columns that the schema says.
fn rows_in_csv(place: &Workplace, out: &str) -> BTreeMap<String, usize> {
    let mut counted = BTreeMap::new();
    for table in schema(place, out)["tables"].as_array().unwrap() {
        let columns = table["columns"].as_array().unwrap().iter().map(|column| column["name"].as_str().unwrap());
        let head = columns.collect::<Vec<_>>().join(",");
        let mut rows = 0;
        for file in table["files"].as_array().unwrap() {
            let text = std::fs::read_to_string(place.path(&format!("{out}/{}", file.as_str().unwrap()))).unwrap();
            assert_eq!(text.lines().next(), Some(head.as_str()));
            rows += text.lines().count() - 1;
        }
        assert_eq!(table["rows"], rows);
        counted.insert(table["name"].as_str().unwrap().to_string(), rows);
    }
    counted
}

/// The rows of a CSV file of a dataset, by the names of its columns.
fn csv(place: &Workplace, file: &str) -> Vec<BTreeMap<String, String>> {
    let text = std::fs::read_to_string(place.path(file)).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').map(String::from).collect::<Vec<_>>());
    let head = lines.next().unwrap();
    lines.map(|line| head.iter().cloned().zip(line).collect()).collect()
}

fn number(row: &BTreeMap<String, String>, name: &str) -> f64 {
    row[name].parse().unwrap_or_else(|error| panic!("{name} of {row:?}: {error}"))
}

fn json(place: &Workplace, file: &str) -> Value {
    serde_json::from_slice(&std::fs::read(place.path(file)).unwrap()).unwrap()
}

#[test]
#[expect(clippy::float_cmp, reason = "all are whole numbers")]
fn self_play_with_candidates_becomes_a_dataset() {
    let (place, small) = small_workplace();
    let more = ["--features", "tiles_played,vowel_imbalance", "--every", "3", "--quiet"];
    let selfplay = [&SELFPLAY[..], &more, &small].concat();
    place.succeed(&[&selfplay[..], &["--out", "one", "--threads", "1"]].concat());
    place.succeed(&[&selfplay[..], &["--out", "two", "--threads", "2"]].concat());
    assert!(files_below(&place.path("one")) == files_below(&place.path("two")));

    let wanted = ["game", "turn", "rank", "equity", "chosen", "deals", "gain", "gain_error", "wins", "feature_tiles_played"];
    let columns = doubles(&place.path("one/valued-00001.parquet"), &wanted);
    let [game, turn, rank, equity, chosen, deals, gain, gain_error, wins, laid] = &columns[..] else { panic!() };
    let mut first = 0;
    for row in 0..=game.len() {
        let is_same = |row: usize| (game[row], turn[row]) == (game[first], turn[first]);
        if row < game.len() && is_same(row) {
            assert_eq!(rank[row], (row - first + 1) as f64);
            assert!(row == first || equity[row] <= equity[row - 1]);
            assert!(game[row] as u64 % 3 == turn[row] as u64 % 3 && (0.0..=7.0).contains(&laid[row]));
            continue;
        }
        // Greedy makes its best move; gains are differences from their mean, but for rounding to thousandths.
        assert_eq!((chosen[first], chosen[first..row].iter().sum::<f64>()), (1.0, 1.0));
        assert!(gain[first..row].iter().sum::<f64>().abs() < 0.01 && wins[first..row].iter().sum::<f64>().abs() < 1e-4);
        assert!(deals[first] == 3.0 || (deals[first] == 1.0 && gain_error[first] == 0.0));
        first = row;
    }

    let export = ["export", "one", "--quiet", "--out"];
    let printed = place.succeed(&[&export[..], &["parquet"]].concat());
    assert!(printed.contains("valued_candidates") && printed.contains("schema.json"), "{printed}");
    place.succeed(&[&export[..], &["csv", "--format", "csv"]].concat());
    let rows = rows_in_csv(&place, "csv");
    assert_eq!(rows["games"], 1060);
    place.succeed(&[&export[..], &["npz", "--format", "npz"]].concat());
    let archive = std::fs::read(place.path("npz/valued_candidates-00001.npz")).unwrap();
    for array in ["gain.npy", "feature.npy", "feature_names.npy"] {
        assert!(archive.windows(array.len()).any(|bytes| bytes == array.as_bytes()), "{array}");
    }
    let file = place.path("parquet/turns-00001.parquet");
    assert_eq!(
        names(&file, std::fs::read(&file).unwrap()).unwrap(),
        names(&file, std::fs::read(place.path("one/games-00001.parquet")).unwrap()).unwrap()
    );
    let about: BTreeMap<String, String> = marks(&file).unwrap().into_iter().collect();
    assert!(about["config"].contains("greedy") && about["seed"] == "1" && about.contains_key("version"), "{about:?}");
    let own: BTreeMap<String, String> = marks(&place.path("one/games-00001.parquet")).unwrap().into_iter().collect();
    assert_eq!((own["players"].as_str(), own["seed"].as_str(), own["lexicon"].as_str()), ("greedy", "1", "small"));
    // A game's row is what its turns say.
    let games = doubles(&place.path("parquet/games-00001.parquet"), &["turns", "points_first", "points_second"]);
    let turns = doubles(&file, &["game", "player", "score"]);
    let of_first: Vec<usize> = (0..turns[0].len()).filter(|&row| turns[0][row] == turns[0][0]).collect();
    let points =
        |player: f64| of_first.iter().filter(|&&row| turns[1][row] == player).map(|&row| turns[2][row]).sum::<f64>();
    assert_eq!((games[0][0], games[1][0], games[2][0]), (of_first.len() as f64, points(0.0), points(1.0)));

    let tables = place.succeed(&["analyse", "one", "--tileset", "small.toml", "--table", "bingos-by-turn"]);
    assert!(tables.starts_with("bingos-by-turn"));
    place.refuse(&[&export[..], &["csv"]].concat(), &["csv already exists"]);
    place.refuse(&["export", "csv", "--out", "more"], &["csv is no run with tables", "selfplay"]);
    place.refuse(&[&SELFPLAY[..], &["--features", "luck"], &small].concat(), &["--features luck", "tilewright features"]);
    place.refuse(&[&SELFPLAY[..], &["--features", "late,late"], &small].concat(), &["--features names late twice"]);
    // A damaged file is found.
    place.write("one/valued-00000.parquet", "PAR1");
    place.refuse(&["export", "one", "--out", "damaged"], &["valued-00000.parquet", "checksum"]);
    assert!(!place.path("damaged").exists());
}

#[test]
fn evolutions_matches_and_studies_become_datasets() {
    let (place, small) = small_workplace();
    place.write("evolve.toml", evolve::CONFIG);
    place.succeed(&["evolve", "evolve.toml", "--out", "evolution", "--quiet"]);
    place.succeed(&["export", "evolution", "--out", "log", "--format", "csv"]);
    let rows = rows_in_csv(&place, "log");
    assert_eq!((rows["generations"], rows["evolution_candidates"]), (8, 4 * 6 + 4 * 12));
    let text = std::fs::read_to_string(place.path("log/generations-00000.csv")).unwrap();
    let (head, first) = (text.lines().next().unwrap(), text.lines().nth(1).unwrap());
    // The first mean is the start, in the unit of each weight.
    let at = head.split(',').position(|name| name == "weight_bingo_chance").unwrap();
    assert_eq!(first.split(',').nth(at), Some("5"));

    let play = [
        "match",
        "--player-a",
        "greedy",
        "--player-b",
        "greedy",
        "--pairs",
        "40",
        "--pairs-out",
        "pairs.parquet",
        "--quiet",
    ];
    place.succeed(&[&play[..], &small].concat());
    place.succeed(&["export", "pairs.parquet", "--out", "pairs", "--format", "csv"]);
    assert_eq!(rows_in_csv(&place, "pairs")["pairs"], 40);
    assert_eq!(schema(&place, "pairs")["run"]["players"], "greedy");

    // Pairs of another program, and a log that lost a coordinate.
    let other = [("pair".to_string(), Column::Int64(vec![1]))];
    write(&place.path("other.parquet"), &other, &[]).unwrap();
    place.refuse(&["export", "other.parquet", "--out", "more"], &["other.parquet", "no column score_a_first"]);
    let log = std::fs::read_to_string(place.path("evolution/generations.jsonl")).unwrap();
    let shorter = log.replacen("\"point\":[0.0,", "\"point\":[", 1);
    assert_ne!(log, shorter);
    for (path, content) in files_below(&place.path("evolution")) {
        std::fs::create_dir_all(place.path("lost").join(&path).parent().unwrap()).unwrap();
        std::fs::write(place.path("lost").join(path), content).unwrap();
    }
    place.write("lost/generations.jsonl", &shorter);
    place.refuse(&["export", "lost", "--out", "more"], &["generations.jsonl", "does not match its checksum"]);
    place.edit("lost/manifest.json", |manifest| manifest["files"]["generations.jsonl"] = sha256(shorter.as_bytes()).into());
    place.refuse(&["export", "lost", "--out", "more"], &["generations.jsonl: line 1: a point has 2 coordinates"]);

    let study = "question = \"?\"\nlexicon = \"small.txt\"\ntileset = \"small.toml\"\nseed = 1\nbaseline = \"greedy\"\n\
                 quick = { pairs = 120 }\nfull = { pairs = 120 }\n[[arms]]\nname = \"itself\"\nplayer = \"greedy\"\n\
                 published_spread = { value = 0.0, source = \"arithmetic\" }\n";
    place.write("study.toml", study);
    place.succeed(&["experiment", "run", "study.toml", "--quick", "--quiet", "--out", "runs"]);
    place.succeed(&["export", "runs/study-quick", "--out", "figures", "--format", "csv"]);
    let text = std::fs::read_to_string(place.path("figures/figures-00000.csv")).unwrap();
    assert!(text.contains("study,quick,itself,spread,points,0,0,0,120,0,,,arithmetic,agrees"), "{text}");
    assert_eq!(doubles(&place.path("runs/study-quick/summary.parquet"), &["measured"]), [[50.0, 0.0]]);
}

#[test]
fn the_course_of_a_td_run_becomes_tables() {
    let (place, _) = small_workplace();
    place.write("td.toml", td::CONFIG);
    place.succeed(&["td", "td.toml", "--out", "learned", "--json", "td.json", "--quiet"]);
    place.succeed(&["export", "learned", "--out", "csv", "--format", "csv"]);
    let rows = rows_in_csv(&place, "csv");
    let course = std::fs::read_to_string(place.path("learned/course.csv")).unwrap();
    let terms = course.lines().next().unwrap().split(',').count() - 2;
    assert_eq!((rows["td_snapshots"], rows["td_weights"]), (12, 12 * terms));

    // The last snapshot is the result of the run: a leave of one tile is worth its weight.
    let (snapshots, result) = (csv(&place, "csv/td_snapshots-00000.csv"), json(&place, "td.json"));
    let last = snapshots.last().unwrap();
    assert_eq!((number(last, "games"), &schema(&place, "csv")["run"]["kind"]), (600.0, &"leaves".into()));
    assert!((number(last, "td_error") - result["td_error"].as_f64().unwrap()).abs() < 1e-4);
    let weights = csv(&place, "csv/td_weights-00000.csv");
    for tile in result["tiles"].as_array().unwrap() {
        let of_tile = |row: &&BTreeMap<String, String>| row["games"] == "600" && tile["tile"] == row["term"].as_str();
        let weight = number(weights.iter().find(of_tile).unwrap(), "weight");
        assert!((weight - tile["value"].as_f64().unwrap()).abs() < 0.002, "{tile}");
    }
    assert!(rows.contains_key("leaves"));

    place.write("network.toml", td::network_config());
    place.succeed(&["td", "network.toml", "--out", "network", "--quiet"]);
    place.succeed(&["export", "network", "--out", "level", "--format", "csv"]);
    assert_eq!(rows_in_csv(&place, "level"), BTreeMap::from([("td_snapshots".into(), 10), ("td_weights".into(), 40)]));
    assert_eq!(csv(&place, "level/td_weights-00000.csv")[1]["term"], "level_bag");
    // A damaged course is found.
    place.write("learned/course.csv", course.replace("games,error", "games,errors"));
    place.refuse(&["export", "learned", "--out", "more"], &["learned/course.csv", "checksum"]);
    assert!(!place.path("more").exists());
}

#[test]
fn networks_and_their_evaluations_become_tables() {
    let (place, small) = small_workplace();
    place.write("table.csv", "A,1\nE,3\nS,6\nEE,-2\nAA,-4\nZ,5\n?,20\n");
    let more = "[heads]\nreply = 0.3\n\n[match]\nevery = 2\npairs = 4\nagainst = \"greedy\"\n\n[candidates]\n";
    place.write("network.toml", network::config().replace("[candidates]\n", more));
    place.succeed(&["network", "train", "network.toml", "--out", "trained", "--quiet"]);
    place.succeed(&["export", "trained", "--out", "training", "--format", "csv"]);
    let report = json(&place, "trained/report.json");
    let rows = rows_in_csv(&place, "training");
    assert_eq!((rows["network_epochs"], rows["network_heads"], rows["network_learning_curve"]), (5, 1, 3));
    assert_eq!((rows["network_sources"], rows["network_calibration"]), (8, 40));
    assert_eq!(rows["network_inputs"], report["details"]["attributions"].as_array().unwrap().len());

    let explained = csv(&place, "training/network_explained-00000.csv");
    for (evaluator, key) in [("linear_fit", "linear"), ("network", "network")] {
        let is_meant =
            |row: &&BTreeMap<String, String>| (row["evaluator"].as_str(), row["stage"].as_str()) == (evaluator, "all");
        let row = explained.iter().find(is_meant).unwrap();
        let same = |name: &str, wanted: &Value| {
            let wanted = wanted.as_f64().unwrap();
            assert!((number(row, name) - wanted).abs() < 1e-12, "{evaluator} {name}: {row:?}");
        };
        let all = &report[key]["all"];
        for name in ["sets", "signal", "explained"] {
            same(name, &all[name]);
        }
        for gain in ["gain", "win_gain"] {
            same(gain, &all[gain]["mean"]);
            let half = (all[gain]["high"].as_f64().unwrap() - all[gain]["low"].as_f64().unwrap()) / 2.0;
            same(&format!("{gain}_error"), &(half / NORMAL_95).into());
        }
    }
    // The network plays a match after every second pass.
    let epochs = csv(&place, "training/network_epochs-00000.csv");
    let pairs: Vec<&str> = epochs.iter().map(|row| row["pairs"].as_str()).collect();
    assert_eq!(pairs, ["0", "4", "0", "4", "0"]);
    assert!(epochs[0]["win_rate"].is_empty() && number(&epochs[1], "win_rate_low") <= number(&epochs[1], "win_rate"));

    let eval = ["network", "eval", "trained", "--games", "60", "--json", "eval.json", "--quiet"];
    place.succeed(&[&eval[..], &small].concat());
    place.succeed(&["export", "eval.json", "--out", "evaluation", "--format", "csv"]);
    let rows = rows_in_csv(&place, "evaluation");
    assert_eq!((rows["network_sources"], rows["network_calibration"]), (8, 40));
    assert!(!rows.contains_key("network_epochs"));
    let about = &schema(&place, "evaluation")["run"];
    assert_eq!((&about["network"], &about["games"], &about["lexicon"]), (&"trained".into(), &"60".into(), &"small".into()));
    let evaluation = json(&place, "eval.json");
    let bins = csv(&place, "evaluation/network_calibration-00000.csv");
    let (first, bin) = (&bins[0], &evaluation["calibration"][0]["bins"][0]);
    assert!((number(first, "simulated_low") - bin["simulated"]["low"].as_f64().unwrap()).abs() < 1e-9, "{first:?}");
    crate::schema::check(&evaluation);
    assert!(csv(&place, "evaluation/network_explained-00000.csv").iter().any(|row| row["evaluator"] == "skip_connection"));

    place.refuse(
        &["export", "trained/report.json", "--out", "more"],
        &["trained/report.json is neither Parquet of match --pairs-out nor JSON of network eval", "missing field"],
    );
}

#[test]
fn the_matches_of_a_leave_table_become_a_table() {
    let (place, small) = small_workplace();
    let train =
        ["leaves", "train", "--budget", "games=600", "--match-pairs", "30", "--out", "table", "--json", "table.json"];
    place.succeed(&[&train[..], &["--quiet"], &small].concat());
    place.succeed(&["export", "table", "--out", "csv", "--format", "csv"]);
    let (rows, matches) = (rows_in_csv(&place, "csv"), csv(&place, "csv/leave_matches-00000.csv"));
    assert_eq!(matches.len(), 2 * rows["leave_generations"] + 1);
    let trained = json(&place, "table.json");
    let (closing, last) = (&trained["closing_match"], matches.last().unwrap());
    assert_eq!((last["opponent"].as_str(), last["closing"].as_str(), last["pairs"].as_str()), ("no-leaves", "1", "30"));
    for figure in ["win_rate", "spread"] {
        for (name, end) in [("", "mean"), ("_low", "low"), ("_high", "high")] {
            let wanted = closing[figure][end].as_f64().unwrap_or_else(|| panic!("{figure} in {closing}"));
            assert!((number(last, &format!("{figure}{name}")) - wanted).abs() < 1e-9, "{figure}: {last:?}");
        }
    }
    for row in &matches {
        for figure in ["win_rate", "spread"] {
            let [low, high] = ["low", "high"].map(|end| number(row, &format!("{figure}_{end}")));
            assert!(low <= number(row, figure) && number(row, figure) <= high, "{row:?}");
        }
    }
}
