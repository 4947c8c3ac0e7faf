//! `export`, and the candidates of `selfplay`, from end to end.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use tilewright_tests::{Workplace, files_below};
use tilewright_train::parquet_file::{Column, marks, names, read, write};

use super::{evolve, small_workplace};

const SELFPLAY: [&str; 9] = ["selfplay", "--player", "greedy", "--games", "1060", "--candidates", "4", "--simulate", "3"];

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

    // The queries are in builds with the feature only.
    let asked = place.run(&["analyse", "one", "--tileset", "small.toml", "--table", "bingos-by-turn"]);
    assert!(match asked.code {
        0 => asked.output.starts_with("bingos-by-turn"),
        code => code == 2 && asked.errors.contains("--features analysis"),
    });
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
    std::fs::create_dir(place.path("lost")).unwrap();
    place.write("lost/generations.jsonl", shorter);
    place.refuse(&["export", "lost", "--out", "more"], &["lost/config.toml"]);
    place.write("lost/config.toml", std::fs::read(place.path("evolution/config.toml")).unwrap());
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
