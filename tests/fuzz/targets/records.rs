//! Tables of records, and logs.

use std::path::Path;

use tilewright_train::evolve::artefact::read_log;
use tilewright_train::evolve::config::EvolveConfig;
use tilewright_train::parquet_file::{Column, from_bytes, names, to_bytes};
use tilewright_train::run_config::RunConfig;
use tilewright_train::td::course::Course;

use crate::target::{Subject, headed, message, split_head, text};

pub fn parquet() -> Subject {
    let columns = vec![
        ("game".to_string(), Column::Int64(vec![5, 6, 1 << 40])),
        ("unseen_Ñ".to_string(), Column::Int32(vec![0, -1, 2])),
        ("equity".to_string(), Column::Double(vec![0.5, -3.25, f64::MAX])),
        ("rack".to_string(), Column::Text(vec!["AE?".into(), "[CH]".into(), String::new()])),
    ];
    let seed = to_bytes(&columns, &[("seed", "7".into())]).expect("memory");
    Subject::new([seed], |bytes| {
        let path = Path::new("input.parquet");
        let found = names(path, bytes.to_vec()).map_err(message)?;
        let all: Vec<&str> = found.iter().map(String::as_str).collect();
        let columns = from_bytes(path, bytes.to_vec(), &all).map_err(message)?;
        let table: Vec<(String, Column)> = found.iter().cloned().zip(columns).collect();
        // The program writes no other names.
        if !all.iter().all(|name| name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')) {
            return Err("a name of a column".into());
        }
        let written = to_bytes(&table, &[]).map_err(message)?;
        let again = from_bytes(path, written.clone(), &all).expect("what was written");
        let again: Vec<(String, Column)> = found.iter().cloned().zip(again).collect();
        assert_eq!(to_bytes(&again, &[]).expect("memory"), written);
        Ok(table.len() + 8 * table.first().map_or(0, |(_, column)| column.len()))
    })
    .with_fragments(&["PAR1"])
}

/// One generation of an evolution, as a line.
const GENERATION: &str = r#"{"search":0,"generation":1,"sigma":0.5,"axis_ratio":1.0,"mean":{"point":[0.0,1.0],"score":SCORE},"candidates":[{"point":[0.5,1.5],"place":0.0,"score":SCORE}]}"#;

/// The head says which file it is.
pub fn logs() -> Subject {
    let config =
        tilewright_configs::of_folder(EvolveConfig::FOLDER).find(|config| config.name == "six-features").expect("a config");
    let config = EvolveConfig::from_toml(config.text, config.name).expect("a config");
    let score = serde_json::to_string(&tilewright_train::evolve::fitness::CandidateScore::default()).expect("plain data");
    let line = GENERATION.replace("SCORE", &score);
    let count = config.weights.len();
    let points = |line: &str, first: &str| line.replace(first, &vec!["0.25"; count].join(","));
    let line = points(&points(&line, "0.0,1.0"), "0.5,1.5");
    let seeds = [headed("course", "games,error,a,b\n100,0.5,1,-2\n200,0.25,1.5,-2.5\n"), headed("log", format!("{line}\n"))];
    Subject::new(seeds, move |bytes| {
        let (head, rest) = split_head(bytes)?;
        let text = text(rest);
        if head == "log" {
            let log = read_log(&text, &config)?;
            let written: String =
                log.iter().map(|record| serde_json::to_string(record).expect("plain data") + "\n").collect();
            assert_eq!(read_log(&written, &config).as_ref(), Ok(&log), "{written}");
            return Ok(log.len());
        }
        let course = Course::from_text(&text)?;
        let written = course.to_text();
        let again = Course::from_text(&written).expect("what was written");
        assert_eq!(again.to_text(), written);
        course.tables();
        Ok(course.snapshots.len())
    })
    .with_fragments(&[
        "log\n",
        "course\n",
        "\"place\":null",
        "\"place\":1.0,",
        "\"candidates\":[]",
        "games,error\n",
        "100,",
    ])
}
