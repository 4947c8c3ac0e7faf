//! Runs that are killed at random moments, and whose work files are damaged, lose nothing and count nothing twice.
//!
//! `cargo test --workspace --test end_to_end -- --ignored crash_tests` puts every verb through fifty crash tests.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};
use serde_json::Value;
use tilewright_engine::artefact::MANIFEST;
use tilewright_engine::folder::TEMPORARY;
use tilewright_engine::rng::{Stream, stream};
use tilewright_tests::{Workplace, files_below, send};

use super::references::extension;
use super::resuming::{VERBS, Verb, figures, prepared};

/// What happens to the process of a run.
#[derive(Clone, Copy, Debug)]
enum Process {
    /// It is killed.
    Killed,
    /// Its reader leaves, then it is killed.
    Unread,
    /// No file may be longer than some thousand bytes, as on a full disk.
    FullDisk,
    /// Another process tries to work in its folder, then it is killed.
    Doubled,
}

/// What happens to the work files after the process has ended.
#[derive(Clone, Copy, Debug)]
enum Files {
    /// Nothing.
    Untouched,
    /// One bit of a file is flipped.
    Flipped,
    /// A file ends too early.
    Torn,
    /// A file is not there.
    Missing,
    /// Two files have changed places.
    Swapped,
    /// A file lies in the place of another.
    Duplicated,
}

const PROCESSES: [Process; 4] = [Process::Killed, Process::Unread, Process::FullDisk, Process::Doubled];
const FILES: [Files; 6] = [Files::Untouched, Files::Flipped, Files::Torn, Files::Missing, Files::Swapped, Files::Duplicated];
/// Those after which no file may be refused.
const WITHOUT_MOVES: usize = 4;

/// A verb with the results of an undisturbed run.
struct Calm {
    figures: Vec<String>,
    files: BTreeMap<String, Vec<u8>>,
    /// How long it took.
    time: Duration,
}

/// A run that is disturbed.
struct Run<'a> {
    place: &'a Workplace,
    verb: &'a Verb,
    arguments: Vec<&'a str>,
    calm: &'a Calm,
    stream: Stream,
    /// What may happen to its work files.
    damages: &'a [Files],
    /// Whether a work file lies under the name of another.
    has_moved_files: bool,
    /// What has happened, for messages.
    history: Vec<String>,
}

const OUT: &str = "disturbed";

impl Run<'_> {
    /// Starts the run, disturbs it, and kills it at a random moment. Returns whether it ended before that with its results.
    fn disturb(&mut self) -> bool {
        let process = *PROCESSES.choose(&mut self.stream).unwrap();
        let after = self.calm.time.mul_f64(self.stream.random_range(0.0..1.0));
        self.history.push(format!("{process:?} after {after:?}"));
        let mut command = match process {
            Process::FullDisk => self.on_a_full_disk(),
            _ => self.place.command(&self.arguments),
        };
        if matches!(process, Process::Doubled) && self.place.path(OUT).exists() {
            std::fs::write(self.half_written(), "").unwrap();
        }
        let mut child = command.arg("--quiet").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let begun = Instant::now();
        if matches!(process, Process::Unread) {
            drop((child.stdout.take(), child.stderr.take()));
        }
        while begun.elapsed() < after && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        if matches!(process, Process::Doubled) {
            self.run_beside(&mut child);
        }
        // It may have ended.
        let _ = child.kill();
        let ended = child.wait().unwrap();
        let expected = match (process, ended.code()) {
            (_, None) => true,
            (Process::Killed | Process::Doubled, Some(code)) => code == 0,
            (Process::Unread, Some(code)) => code == 1,
            (Process::FullDisk, Some(code)) => code <= 1,
        };
        // A whole file under the name of another is refused, see `end`.
        let is_refused = ended.code() == Some(2) && self.has_moved_files;
        assert!(expected || is_refused, "{}: {:?}: {ended}", self.verb.name, self.history);
        self.place.path(OUT).join("manifest.json").exists()
    }

    /// The command in a shell in which writing beyond some thousand bytes of a file fails.
    fn on_a_full_disk(&mut self) -> Command {
        let blocks = self.stream.random_range(1..40);
        let inner = self.place.command(&self.arguments);
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"")]);
        shell.arg(inner.get_program()).args(inner.get_args()).current_dir(self.place.path(""));
        shell.envs(inner.get_envs().filter_map(|(key, value)| Some((key, value?))));
        shell
    }

    /// A file that a process removes once it has the lock of the folder.
    fn half_written(&self) -> PathBuf {
        self.place.path(OUT).join(format!("{TEMPORARY}half-written"))
    }

    /// Tries to run a second process in the folder of the first one, which is halted, so that it neither ends nor leaves its lock.
    fn run_beside(&self, first: &mut Child) {
        if first.try_wait().unwrap().is_some() {
            return;
        }
        send("STOP", first);
        let has = |path: &str| self.place.path(OUT).join(path).exists();
        if has("work") && !self.half_written().exists() && !has(MANIFEST) {
            let second = self.place.run(&self.arguments);
            assert_eq!(second.code, 2, "{}: {:?}: {}", self.verb.name, self.history, second.errors);
            assert!(
                second.errors.contains("in use by another"),
                "{}: {:?}: {}",
                self.verb.name,
                self.history,
                second.errors
            );
        }
    }

    /// Changes the work files.
    fn tamper(&mut self) {
        let change = *self.damages.choose(&mut self.stream).unwrap();
        let files = self.work_files();
        let [Some(one), Some(other)] = [(); 2].map(|()| files.choose(&mut self.stream)) else { return };
        self.history.push(format!("{change:?} {} {}", one.display(), other.display()));
        let read = |path: &Path| std::fs::read(path).unwrap();
        let (mut bytes, others) = (read(one), read(other));
        self.has_moved_files |= matches!(change, Files::Swapped | Files::Duplicated);
        match change {
            Files::Untouched => {}
            Files::Flipped if bytes.is_empty() => {}
            Files::Flipped => {
                let at = self.stream.random_range(0..bytes.len());
                bytes[at] ^= 1 << (self.stream.next_u32() % 8);
                std::fs::write(one, bytes).unwrap();
            }
            Files::Torn => std::fs::write(one, &bytes[..self.stream.random_range(0..=bytes.len())]).unwrap(),
            Files::Missing => std::fs::remove_file(one).unwrap(),
            Files::Duplicated => std::fs::write(other, bytes).unwrap(),
            Files::Swapped => {
                std::fs::write(one, others).unwrap();
                std::fs::write(other, bytes).unwrap();
            }
        }
    }

    /// The work files of finished shards. The lock and temporary files belong to processes.
    fn work_files(&self) -> Vec<PathBuf> {
        let folders = ["work", "candidates/work"].map(|folder| self.place.path(OUT).join(folder));
        let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten().flatten());
        let files = entries.map(|entry| entry.path()).filter(|path| path.is_file());
        let is_work = |path: &PathBuf| !path.file_name().unwrap_or_default().to_string_lossy().starts_with('.');
        let mut files: Vec<PathBuf> = files.filter(is_work).collect();
        files.sort();
        files
    }

    /// Runs to the end. A file that was not made here may be refused by name; it is removed, as the message says.
    fn end(&self) {
        for attempt in 0.. {
            assert!(attempt < 10, "{}: {:?}: it is refused again and again", self.verb.name, self.history);
            let ended = self.place.run(&self.arguments);
            assert!(!ended.errors.contains("panicked"), "{}: {:?}: {}", self.verb.name, self.history, ended.errors);
            if ended.code == 2 && self.has_moved_files {
                let refused = self.refused(&ended.errors);
                let refused = refused.unwrap_or_else(|| panic!("{}: {:?}: {}", self.verb.name, self.history, ended.errors));
                std::fs::remove_file(refused).unwrap();
                continue;
            }
            assert_eq!(ended.code, 0, "{}: {:?}: {}", self.verb.name, self.history, ended.errors);
            assert_eq!(figures(&ended.output, OUT), self.calm.figures, "{}: {:?}", self.verb.name, self.history);
            break;
        }
        self.compare();
    }

    /// The work file that a message refuses by its name, or, if it says whose run a folder has, by the folder.
    fn refused(&self, message: &str) -> Option<PathBuf> {
        let shown = |path: &Path| path.strip_prefix(self.place.path("")).unwrap().display().to_string();
        let key_of = |path: &&PathBuf| {
            let folder = shown(path.parent().and_then(Path::parent).unwrap());
            path.ends_with("work/run") && message.contains(&format!("{folder} belongs to a run"))
        };
        let files = self.work_files();
        // A name may begin with another.
        let named = files.iter().filter(|path| message.contains(&shown(path))).max_by_key(|path| shown(path).len());
        named.or_else(|| files.iter().find(key_of)).cloned()
    }

    fn compare(&self) {
        let files = files_below(&self.place.path(OUT));
        let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&files), names(&self.calm.files), "{}: {:?}", self.verb.name, self.history);
        let other: Vec<&String> = files.keys().filter(|&name| files[name] != self.calm.files[name]).collect();
        assert!(other.is_empty(), "{}: {:?}: other bytes in {other:?}", self.verb.name, self.history);
    }
}

/// Puts a verb through crash tests. A run has up to three before it may end.
fn survive(verb: &Verb, damages: &[Files], crashes: usize, seed: u64) {
    let (place, small) = prepared();
    let begun = Instant::now();
    let output = place.succeed(&verb.command(&small, "calm"));
    let calm = Calm { figures: figures(&output, "calm"), files: files_below(&place.path("calm")), time: begun.elapsed() };
    let mut left = crashes;
    let mut number = 0;
    while left > 0 {
        let _ = std::fs::remove_dir_all(place.path(OUT));
        let arguments = verb.command(&small, OUT);
        let stream = stream(seed, verb.name, number);
        let history = vec![format!("run {number}")];
        let mut run = Run { place: &place, verb, arguments, calm: &calm, stream, damages, has_moved_files: false, history };
        let mut is_finished = false;
        for _ in 0..left.min(3) {
            left -= 1;
            is_finished = run.disturb();
            if is_finished {
                break;
            }
            run.tamper();
        }
        if is_finished {
            run.compare();
        } else {
            run.end();
        }
        number += 1;
    }
}

/// Two verbs at a time.
fn all_survive(damages: &[Files], crashes: usize, seed: u64) {
    std::thread::scope(|scope| {
        for half in 0..2 {
            scope.spawn(move || VERBS.iter().skip(half).step_by(2).for_each(|verb| survive(verb, damages, crashes, seed)));
        }
    });
}

/// The verb that a job needs next. A file of the job that is damaged is removed with what follows from it.
fn next_of_job(place: &Workplace, plan: &[&str]) -> Option<Vec<String>> {
    let words = |words: &[&str]| Some(words.iter().map(|&word| word.to_string()).collect());
    if !place.path("job").exists() {
        return words(plan);
    }
    let _ = std::fs::remove_file(place.path("status.json"));
    let asked = place.run(&["work", "status", "job", "--json", "status.json"]);
    if asked.code == 2 && asked.errors.contains("job/job.json") {
        std::fs::remove_dir_all(place.path("job")).unwrap();
        return words(plan);
    }
    if asked.code == 2 && asked.errors.contains("job/stage.json") {
        return words(&["work", "merge", "job", "--quiet"]);
    }
    assert_eq!(asked.code, 0, "{}", asked.errors);
    let status: Value = serde_json::from_slice(&std::fs::read(place.path("status.json")).unwrap()).unwrap();
    match status["is_finished"] == true {
        true => None,
        false if status["done"] == status["shards"] => words(&["work", "merge", "job", "--quiet"]),
        false => words(&["work", "run", "job", "--next", "--for", "60s", "--quiet"]),
    }
}

/// Jobs whose processes are killed, and whose own files are damaged between them, end in the bytes of one process.
fn jobs_survive(jobs: u64, seed: u64) {
    let (place, small) = prepared();
    let command = ["match", "--player-a", "leave:table.csv", "--player-b", "greedy", "--pairs", "1280"];
    place.succeed(&[&command[..], &small, &["--out", "alone", "--quiet"]].concat());
    let plan = [&["work", "plan", "--quiet", "--out", "job", "--"], &command[..], &small].concat();
    for number in 0..jobs {
        let _ = std::fs::remove_dir_all(place.path("job"));
        let (mut stream, mut history) = (stream(seed, "jobs", number), Vec::new());
        for attempt in 0.. {
            assert!(attempt < 40, "{history:?}: it does not end");
            let Some(words) = next_of_job(&place, &plan) else { break };
            history.push(words[1].clone());
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let mut child = place.command(&words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
            if attempt < 8 {
                std::thread::sleep(Duration::from_millis(stream.random_range(0..150)));
                let _ = child.kill();
            }
            let ended = child.wait_with_output().unwrap();
            let errors = String::from_utf8_lossy(&ended.stderr).into_owned();
            assert!([None, Some(0)].contains(&ended.status.code()), "{history:?}: {errors}");
            if !place.path("job").exists() {
                continue;
            }
            let files: Vec<String> =
                files_below(&place.path("job")).into_keys().filter(|name| extension(name) == "json").collect();
            if let (Some(name), true) = (files.choose(&mut stream), attempt < 8 && stream.random_bool(0.5)) {
                history.push(format!("{name} is damaged"));
                let path = place.path("job").join(name);
                let bytes = std::fs::read(&path).unwrap();
                std::fs::write(&path, &bytes[..stream.random_range(0..=bytes.len())]).unwrap();
            }
        }
        let run = |folder: &str| {
            let mut files = files_below(&place.path(folder));
            files.retain(|name, _| !name.contains("look-"));
            files
        };
        assert!(run("job/run") == run("alone"), "{history:?}");
        let left = std::fs::read_dir(place.path("")).unwrap().flatten().map(|entry| entry.file_name());
        assert!(left.into_iter().all(|name| !name.to_string_lossy().starts_with(TEMPORARY)), "{history:?}");
    }
}

#[test]
fn jobs_survive_kills_and_damage() {
    jobs_survive(6, 1);
}

#[test]
#[ignore = "takes about ten minutes"]
fn jobs_survive_five_hundred_kills_and_damages() {
    jobs_survive(100, 2);
}

#[test]
fn every_verb_survives_kills_and_damage() {
    all_survive(&FILES[..WITHOUT_MOVES], 3, 1);
}

#[test]
#[ignore = "takes about ten minutes"]
fn every_verb_survives_fifty_kills_and_damages() {
    let seed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    println!("seed {seed}");
    all_survive(&FILES, 50, seed);
}
