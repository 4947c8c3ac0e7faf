//! Work files of the journal.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tilewright_engine::hash::sha256;
use tilewright_engine::monitor::NoMonitor;
use tilewright_engine::series::Pair;
use tilewright_engine::series::Tally;
use tilewright_train::evolve::run::GenerationRecord;
use tilewright_train::journal::{Journal, Json, RUN, RunKey, StoredRun, WORK};

use super::games_setup::forever;
use crate::target::{Outcome, Subject, headed, message, split_head};

/// Reads a work file as a value of a type, writes the value, and reads that.
fn round_trip<T: Serialize + DeserializeOwned>(journal: &Journal<'_>, file: &Path, name: &str) -> Outcome {
    let read = || journal.read::<T>(name, "").map_err(message)?.ok_or_else(|| "damaged".to_string());
    let value = read()?;
    let written =
        |value: &T| journal.write(name, "", value).map_err(message).map(|_| std::fs::read(file).expect("what was written"));
    let bytes = written(&value)?;
    let again = read().expect("what was written");
    assert_eq!(written(&again).expect("what was written"), bytes);
    Ok(bytes.len())
}

/// The head is the name of the work file, which says its type.
pub fn open() -> Subject {
    let folder = forever(tempfile::tempdir().expect("a temporary folder")).path();
    let key = RunKey::new("test", "seed = 1\n").with_input("lexicon", "few 5e1f");
    let journal = Journal::open(folder, &key, &NoMonitor).expect("a new folder");
    let work = folder.join(WORK);
    let log: Vec<Json<GenerationRecord>> = Vec::new();
    journal.write("numbers", "", &vec![1u64, 1 << 40]).expect("a work file");
    journal.write("texts", "", &vec![("a".to_string(), Some(-0.5f64))]).expect("a work file");
    journal.write("tally", "", &Json(Tally::default())).expect("a work file");
    journal.write("log", "", &log).expect("a work file");
    journal.write("pairs", "", &Vec::<Pair>::new()).expect("a work file");
    let seeds = ["numbers", "texts", "tally", "log", "pairs", RUN]
        .map(|name| headed(name, std::fs::read(work.join(name)).expect("a work file")));
    Subject::new(seeds, move |bytes| {
        let (name, rest) = split_head(bytes)?;
        let name =
            ["numbers", "texts", "tally", "log", "pairs", RUN].into_iter().find(|known| *known == name).ok_or("a name")?;
        let file = work.join(name);
        std::fs::write(&file, rest).map_err(message)?;
        match name {
            "numbers" => round_trip::<Vec<u64>>(&journal, &file, name),
            "texts" => round_trip::<Vec<(String, Option<f64>)>>(&journal, &file, name),
            "tally" => round_trip::<Json<Tally>>(&journal, &file, name),
            "log" => round_trip::<Vec<Json<GenerationRecord>>>(&journal, &file, name),
            "pairs" => round_trip::<Vec<Pair>>(&journal, &file, name),
            _ => match StoredRun::open(folder).map_err(message)? {
                Some(run) => Ok(run.key.config.len()),
                None => Err("damaged".into()),
            },
        }
    })
    .with_seal(seal)
}

/// A work file ends in its own checksum. The head of the input is not part of it.
pub fn seal(input: &mut Vec<u8>) {
    let head = input.iter().position(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    input.truncate(input.len().saturating_sub(64).max(head));
    let checksum = sha256(&input[head..]);
    input.extend(checksum.bytes());
}
