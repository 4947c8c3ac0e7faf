use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use proptest::prelude::*;
use serde::Deserialize;
use tempfile::TempDir;
use tilewright_engine::artefact::MANIFEST;
use tilewright_engine::hash::sha256;

use super::*;

/// A monitor that collects warnings, counts units, and stops after `most` units.
struct Watch {
    warnings: Mutex<Vec<String>>,
    done: AtomicU64,
    most: u64,
}

impl Watch {
    fn stopping_at(most: u64) -> Watch {
        Watch { warnings: Mutex::default(), done: AtomicU64::new(0), most }
    }

    fn new() -> Watch {
        Watch::stopping_at(u64::MAX)
    }

    fn warnings(&self) -> Vec<String> {
        std::mem::take(&mut *self.warnings.lock().unwrap())
    }
}

impl Monitor for Watch {
    fn begin(&self, _what: &str, _units: u64, _unit: &'static str) {}
    fn advance(&self, done: u64) {
        self.done.fetch_add(done, Ordering::Relaxed);
    }
    fn warn(&self, text: &str) {
        self.warnings.lock().unwrap().push(text.into());
    }
    fn is_stopped(&self) -> bool {
        self.done.load(Ordering::Relaxed) >= self.most
    }
}

fn key() -> RunKey {
    RunKey::new("test", "seed = 1\ngames = 9\n").with_input("lexicon", "small 12ab")
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for folder in [folder.to_path_buf(), folder.join(WORK)] {
        for entry in std::fs::read_dir(folder).unwrap().flatten().filter(|entry| !entry.path().is_dir()) {
            files.insert(entry.path().display().to_string(), std::fs::read(entry.path()).unwrap());
        }
    }
    files
}

fn refusal(folder: &Path, key: &RunKey) -> String {
    let error = Journal::open(folder, key, &Watch::new()).err().unwrap();
    assert!(error.misfit().is_some(), "{error}");
    error.to_string()
}

#[test]
fn values_are_made_once() {
    let folder = TempDir::new().unwrap();
    let (watch, made) = (Watch::new(), Cell::new(0));
    for _ in 0..3 {
        let journal = Journal::open(folder.path(), &key(), &watch).unwrap();
        let make = || {
            made.set(made.get() + 1);
            Ok::<_, JournalError>((0.1 + 0.2, vec![-1i64, 1 << 60]))
        };
        let value: (f64, Vec<i64>) = journal.once("value", "b", make).unwrap();
        assert_eq!((value.0.to_bits(), value.1, made.get()), ((0.1f64 + 0.2).to_bits(), vec![-1, 1 << 60], 1));
        let other = journal.read::<u8>("value", "another").unwrap_err();
        assert!(other.misfit().is_some() && other.to_string().contains("work/value was made by another run"), "{other}");
        assert_eq!(journal.read::<u8>("nothing", "").unwrap(), None);
    }
    assert!(watch.warnings().is_empty());
    let in_memory = Journal::in_memory(&watch);
    assert_eq!(in_memory.write("value", "", &7).unwrap(), 7);
    assert_eq!(in_memory.read::<i32>("value", "").unwrap(), None);
}

#[test]
fn a_damaged_file_is_rebuilt_and_reported_once() {
    let folder = TempDir::new().unwrap();
    let watch = Watch::new();
    let journal = Journal::open(folder.path(), &key(), &watch).unwrap();
    let make = || Ok::<_, JournalError>("thirty-nine bytes of text in a payload!".to_string());
    journal.once("value", "", make).unwrap();
    let path = folder.path().join("work/value");
    let whole = std::fs::read(&path).unwrap();
    let mut damaged: Vec<Vec<u8>> = (0..whole.len())
        .step_by(10)
        .map(|at| {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at / 10 % 8);
            bytes
        })
        .collect();
    damaged.extend([Vec::new(), whole[..whole.len() - 1].to_vec(), whole[..70].to_vec(), [&whole[..], &whole].concat()]);
    for bytes in damaged {
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(journal.once("value", "", make).unwrap(), make().unwrap());
        let warnings = watch.warnings();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].contains("work/value is damaged; it will be rebuilt"), "{warnings:?}");
        assert_eq!(std::fs::read(&path).unwrap(), whole);
        journal.once("value", "", make).unwrap();
        assert!(watch.warnings().is_empty());
    }
    // A payload of another type counts as damaged.
    assert_eq!(journal.read::<Vec<f64>>("value", "").unwrap(), None);
    assert_eq!(watch.warnings().len(), 1);
}

#[test]
fn undamaged_files_of_other_runs_and_steps_are_refused_by_name() {
    let folder = TempDir::new().unwrap();
    let watch = Watch::new();
    let [ours, theirs] = ["ours", "theirs"].map(|name| folder.path().join(name));
    Journal::open(&theirs, &key().with_input("player", "b"), &watch).unwrap().write("value", "", &1).unwrap();
    let journal = Journal::open(&ours, &key(), &watch).unwrap();
    journal.write("other", "", &1).unwrap();
    for from in [theirs.join("work/value"), ours.join("work/other")] {
        std::fs::copy(from, ours.join("work/value")).unwrap();
        let error = journal.read::<i32>("value", "").unwrap_err();
        assert!(matches!(error, JournalError::OtherWorkFile { .. }), "{error}");
        assert!(error.to_string().contains("ours/work/value"), "{error}");
    }
}

#[test]
fn shards_are_read_back_or_made() {
    let folder = TempDir::new().unwrap();
    let watch = Watch::new();
    let journal = Journal::open(folder.path(), &key(), &watch).unwrap();
    let shards = |made: &Cell<u64>| {
        let job = ShardJob { name: "squares", units: 10, size: 3 };
        let make = |range: Range<u64>| {
            made.set(made.get() + 1);
            range.map(|n| n * n).collect::<Vec<_>>()
        };
        let mut taken = Vec::new();
        journal.each(&job, "", make, |shard, values| taken.push((shard, values))).map(|()| taken)
    };
    let made = Cell::new(0);
    journal.shard(&ShardJob { name: "squares", units: 10, size: 3 }, 1, "", |_| vec![9_u64, 16, 25]).unwrap();
    let all = shards(&made).unwrap();
    assert_eq!(all, [(0, vec![0, 1, 4]), (1, vec![9, 16, 25]), (2, vec![36, 49, 64]), (3, vec![81])]);
    assert_eq!((made.get(), watch.done.load(Ordering::Relaxed)), (3, 3), "a shard that is read back advances the monitor");
    assert_eq!(shards(&made).unwrap(), all);
    // Shards of another size have another identity.
    let job = ShardJob { name: "squares", units: 10, size: 5 };
    let error = journal.each(&job, "", |_| Vec::<u64>::new(), |_, _| ()).unwrap_err();
    assert!(error.to_string().contains("squares-00000"), "{error}");
}

#[test]
fn shards_that_a_checkpoint_replaces_are_forgotten() {
    let folder = TempDir::new().unwrap();
    let watch = Watch::new();
    let journal = Journal::open(folder.path(), &key(), &watch).unwrap();
    for name in ["generation-1-racks-00000", "generation-1", "generation-10-racks-00000"] {
        journal.write(name, "", &name.to_string()).unwrap();
    }
    journal.forget("generation-1-").unwrap();
    let files = files(folder.path());
    let names: Vec<_> = files.keys().map(|path| path.rsplit('/').next().unwrap()).collect();
    assert_eq!(names, [".lock", "config.toml", "generation-1", "generation-10-racks-00000", "run"]);
    Journal::in_memory(&watch).forget("generation-1-").unwrap();
}

#[test]
fn result_files_are_checked_against_their_receipts() {
    let folder = TempDir::new().unwrap();
    let watch = Watch::new();
    let journal = Journal::open(folder.path(), &key(), &watch).unwrap();
    let run = || {
        let job = ShardJob { name: "games", units: 5, size: 2 };
        let make = |range: Range<u64>| Ok::<_, JournalError>(Some(format!("games {range:?}").into_bytes()));
        let mut taken = Vec::new();
        journal.each_file(&job, "txt", "", make, |name, checksum| taken.push((name, checksum))).map(|()| taken)
    };
    let whole = run().unwrap();
    let before = files(folder.path());
    assert_eq!(whole[2], ("games-00002.txt".into(), sha256(b"games 4..5")));
    assert_eq!(run().unwrap(), whole);
    assert!(watch.warnings().is_empty());

    let [file, receipt] = ["games-00001.txt", "work/games-00001"].map(|name| folder.path().join(name));
    let bytes = std::fs::read(&file).unwrap();
    for damaged in [&b""[..], &bytes[..5], &[&bytes[..], &bytes].concat(), b"games 0..2"] {
        std::fs::write(&file, damaged).unwrap();
        assert_eq!(run().unwrap(), whole);
        let warnings = watch.warnings();
        assert!(warnings.len() == 1 && warnings[0].contains("games-00001.txt does not match"), "{warnings:?}");
    }
    // A missing or damaged receipt is reported; a missing file is not, because it may not have been written yet.
    std::fs::remove_file(&receipt).unwrap();
    run().unwrap();
    assert_eq!(watch.warnings().len(), 1);
    std::fs::write(&receipt, "").unwrap();
    run().unwrap();
    assert_eq!(watch.warnings().len(), 1);
    std::fs::remove_file(&file).unwrap();
    run().unwrap();
    assert!(watch.warnings().is_empty());
    assert_eq!(files(folder.path()), before);
    // A receipt of another shard is refused.
    std::fs::copy(folder.path().join("work/games-00000"), &receipt).unwrap();
    assert!(run().unwrap_err().to_string().contains("work/games-00001 was made by another run"));
}

#[test]
fn a_folder_has_one_owner() {
    let place = TempDir::new().unwrap();
    let folder = place.path().join("run");
    let watch = Watch::new();
    let journal = Journal::open(&folder, &key(), &watch).unwrap();
    assert!(refusal(&folder, &key()).contains("run is in use by another tilewright process"));
    drop(journal);
    Journal::open(&folder, &key(), &watch).unwrap();

    let config = RunKey::new("test", "seed = 2\ngames = 9\n").with_input("lexicon", "small 12ab");
    assert!(refusal(&folder, &config).contains("another config (there seed = 1, here seed = 2)"));
    let words = RunKey::new("test", "seed = 1\ngames = 9\n").with_input("lexicon", "small 34cd");
    assert!(refusal(&folder, &words).contains("another lexicon (there small 12ab, here small 34cd)"));
    let more = key().with_input("player", "leave");
    assert!(refusal(&folder, &more).contains("another player (there none, here leave)"));
    // Without the run file the config decides.
    std::fs::remove_file(folder.join("work/run")).unwrap();
    assert!(refusal(&folder, &config).contains("there seed = 1, here seed = 2"));
    Journal::open(&folder, &key(), &watch).unwrap();

    let before = files(&folder);
    for damaged in ["work/run", "config.toml"] {
        std::fs::write(folder.join(damaged), "seed").unwrap();
        Journal::open(&folder, &key(), &watch).unwrap();
        let warnings = watch.warnings();
        assert!(warnings.len() == 1 && warnings[0].contains(damaged), "{warnings:?}");
        assert_eq!(files(&folder), before);
    }
    std::fs::write(folder.join(MANIFEST), "").unwrap();
    assert!(refusal(&folder, &key()).contains("never overwritten"));
    assert!(refusal(&folder.join("config.toml"), &key()).contains("config.toml is a file"));
    assert!(refusal(&folder.join("config.toml/below"), &key()).contains("config.toml is a file"));
    let diary = place.path().join("mine");
    std::fs::create_dir(&diary).unwrap();
    std::fs::write(diary.join("diary.txt"), "").unwrap();
    assert!(refusal(&diary, &key()).contains("mine is not empty"));
    assert_eq!(std::fs::read_dir(&diary).unwrap().count(), 1, "no lock file is left behind");
}

#[cfg(unix)]
#[test]
fn half_written_files_are_cleared_and_links_are_not_followed() {
    let place = TempDir::new().unwrap();
    let [folder, elsewhere] = ["run", "elsewhere"].map(|name| place.path().join(name));
    let watch = Watch::new();
    // Killed before the config was written.
    std::fs::create_dir(&folder).unwrap();
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::write(folder.join(".tilewright-x"), "half").unwrap();
    Journal::open(&folder, &key(), &watch).unwrap();
    let before = files(&folder);

    std::fs::write(elsewhere.join(".tilewright-kept"), "mine").unwrap();
    std::fs::write(folder.join("work/.tilewright-y"), "half").unwrap();
    std::os::unix::fs::symlink(elsewhere.join(".tilewright-kept"), folder.join(".tilewright-link")).unwrap();
    std::os::unix::fs::symlink(&elsewhere, folder.join("linked")).unwrap();
    Journal::open(&folder, &key(), &watch).unwrap();
    assert_eq!(files(&folder), before);
    assert!(elsewhere.join(".tilewright-kept").exists());
    // A work folder that leads elsewhere is refused, and not cleared.
    std::fs::remove_dir_all(folder.join(WORK)).unwrap();
    std::os::unix::fs::symlink(&elsewhere, folder.join(WORK)).unwrap();
    assert!(refusal(&folder, &key()).contains("work is a link"));
    assert!(elsewhere.join(".tilewright-kept").exists() && !elsewhere.join("run").exists());
    std::fs::remove_file(folder.join(WORK)).unwrap();
    // A lock that leads elsewhere would make a file there.
    std::fs::remove_file(folder.join(".lock")).unwrap();
    std::os::unix::fs::symlink(elsewhere.join("new"), folder.join(".lock")).unwrap();
    assert!(refusal(&folder, &key()).contains(".lock is a link"));
    assert!(!elsewhere.join("new").exists());
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Sparse {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    place: Option<f64>,
    mean: f64,
}

#[test]
fn types_that_skip_fields_need_json() {
    let folder = TempDir::new().unwrap();
    let watch = Watch::new();
    let journal = Journal::open(folder.path(), &key(), &watch).unwrap();
    let sparse = Sparse { place: None, mean: 13.678_503_557_477_901 };
    let error = journal.write("sparse", "", &sparse).unwrap_err();
    assert!(matches!(error, JournalError::Payload { .. }) && error.misfit().is_none(), "{error}");
    assert!(!folder.path().join("work/sparse").exists());
    for value in [sparse, Sparse { place: Some(0.1), mean: f64::MIN_POSITIVE }] {
        journal.write("sparse", "", &Json(value.clone())).unwrap();
        assert_eq!(journal.read("sparse", "").unwrap(), Some(Json(value)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    /// A run that is killed after any number of shards ends in the same bytes.
    #[test]
    fn a_killed_run_ends_in_the_same_bytes(
        units in 0u64..30,
        size in 1u64..9,
        stops in proptest::collection::vec(0u64..30, 0..4),
    ) {
        let run = |folder: &Path, most: u64| {
            let watch = Watch::stopping_at(most);
            let journal = Journal::open(folder, &key(), &watch)?;
            let make = |range: Range<u64>| {
                watch.advance(range.end - range.start);
                range.map(|n| n * n).sum()
            };
            let mut sum = 0;
            journal.each(&ShardJob { name: "squares", units, size }, "", make, |_, part: u64| sum += part)?;
            journal.once("sum", &sum.to_string(), || Ok::<_, JournalError>(sum))
        };
        let place = TempDir::new().unwrap();
        let folder = place.path().join("run");
        let whole = run(&folder, u64::MAX).unwrap();
        let bytes = files(&folder);
        std::fs::remove_dir_all(&folder).unwrap();
        for stop in stops {
            if let Err(error) = run(&folder, stop) {
                prop_assert!(matches!(error, JournalError::Interrupted { .. }), "{error}");
                prop_assert!(error.to_string().contains("rerun the command to resume"));
            }
        }
        prop_assert_eq!(run(&folder, u64::MAX).unwrap(), whole);
        prop_assert_eq!(files(&folder), bytes);
    }
}

#[test]
fn the_config_of_a_folder_is_the_config_of_its_run() {
    let place = TempDir::new().unwrap();
    let folder = place.path().join("run");
    assert_eq!(config_of(&folder).unwrap(), None);
    assert!(!folder.exists());
    drop(Journal::open(&folder, &key(), &Watch::new()).unwrap());
    let config = Some("seed = 1\ngames = 9\n".to_string());
    assert_eq!(config_of(&folder).unwrap(), config);
    // Either file says it.
    for file in [CONFIG, "work/run"] {
        let bytes = std::fs::read(folder.join(file)).unwrap();
        std::fs::write(folder.join(file), "torn").unwrap();
        assert_eq!(config_of(&folder).unwrap(), config);
        std::fs::write(folder.join(file), bytes).unwrap();
    }
    std::fs::write(folder.join(MANIFEST), "{}").unwrap();
    assert_eq!(config_of(&folder).unwrap(), config);
    let refused = |path: &Path| config_of(path).unwrap_err().to_string();
    assert!(refused(&folder.join(CONFIG)).contains("is a file"));
    std::fs::write(place.path().join("notes.txt"), "").unwrap();
    assert!(refused(place.path()).contains("is not empty"));
}

#[test]
fn work_of_another_build_is_refused_until_it_is_accepted() {
    let place = TempDir::new().unwrap();
    let watch = Watch::new();
    let theirs = key().by("0.0.9");
    let job = ShardJob { name: "squares", units: 4, size: 2 };
    let square = |range: Range<u64>| range.map(|n| n * n).sum::<u64>();
    let journal = Journal::open(place.path(), &theirs, &watch).unwrap();
    journal.shard(&job, 0, "", square).unwrap();
    drop(journal);
    let refused = refusal(place.path(), &key());
    assert!(refused.contains("tilewright 0.0.9 began this run") && refused.contains(key().build()), "{refused}");

    let accepting = Opening { accept_other_build: true, ..Opening::new(&watch) };
    let journal = Journal::open_as(place.path(), &key(), accepting).unwrap();
    let mut shards = Vec::new();
    let made = Cell::new(0);
    let make = |range| {
        made.set(made.get() + 1);
        square(range)
    };
    journal.each(&job, "", make, |_, sum: u64| shards.push(sum)).unwrap();
    assert_eq!((shards, made.get()), (vec![1, 13], 1), "the shard of the other build is read back");
    assert_eq!(journal.key().unwrap().builds, ["0.0.9", key().build()]);
    drop(journal);
    // Both builds are known from here on.
    Journal::open(place.path(), &key(), &watch).unwrap();
    Journal::open(place.path(), &theirs, &watch).unwrap();
}

/// The squares of 12 numbers in two shards, in a loop that stops after `most` numbers; and how many it made.
fn slow_squares(folder: &Path, most: u64) -> (Result<Vec<u64>, JournalError>, u64) {
    let (watch, made) = (Watch::stopping_at(most), AtomicU64::new(0));
    let journal = Journal::open(folder, &key(), &watch).unwrap();
    let (job, mut squares) = (ShardJob { name: "squares", units: 12, size: 8 }, Vec::new());
    let make = |units: Range<u64>| {
        let parts = journal.parts(&job, &units)?;
        let square = |number| {
            parts.unit(number, || {
                let is_made = !watch.is_stopped();
                watch.advance(u64::from(is_made));
                made.fetch_add(u64::from(is_made), Ordering::Relaxed);
                is_made.then_some(number * number)
            })
        };
        units.map(square).collect::<Result<Option<Vec<u64>>, _>>()
    };
    let ended = journal.each_unless_stopped(&job, "", make, |number, shard: Vec<u64>| {
        journal.forget_parts(&job, number).unwrap();
        squares.extend(shard);
    });
    (ended.map(|()| squares), made.into_inner())
}

#[test]
fn what_a_stop_left_of_a_shard_is_not_made_again() {
    let [calm, stopped] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let expected: Vec<u64> = (0..12).map(|number| number * number).collect();
    let (squares, made) = slow_squares(calm.path(), u64::MAX);
    assert_eq!((squares.unwrap(), made), (expected.clone(), 12));
    for most in [5, 2, 1] {
        let (squares, made) = slow_squares(stopped.path(), most);
        assert!(matches!(squares, Err(JournalError::Interrupted { .. })), "{squares:?}");
        assert_eq!(made, most);
    }
    let (squares, made) = slow_squares(stopped.path(), u64::MAX);
    assert_eq!((squares.unwrap(), made), (expected, 4));
    let named = |folder: &TempDir| -> Vec<(String, Vec<u8>)> {
        let files = files(folder.path()).into_iter();
        files.map(|(name, bytes)| (name.replace(&folder.path().display().to_string(), ""), bytes)).collect()
    };
    assert_eq!(named(&stopped), named(&calm), "the same files as without a stop");
}
