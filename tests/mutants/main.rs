//! Plants the mutants of the list in a copy of the project, and runs for each the test that must notice it. `tests/mutants/run` builds
//! and starts it.
//!
//! The copy is in the target folder and stays there, so that the next run builds only what has changed. Each test runs without a
//! mutant too, and must then pass.

#![allow(clippy::print_stdout)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tilewright_tests::mutants::{LIST, Mutant, SWITCH, plant, problems, read};

/// How long a test may take.
const TIME_LIMIT: Duration = Duration::from_mins(1);

/// What the crates of the copy begin with.
const NO_WARNINGS: &str = "#![allow(warnings)]\n";

type Failure = Box<dyn std::error::Error>;

/// How a test ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Passed,
    Failed,
    /// It was killed after [`TIME_LIMIT`].
    Late,
    /// There is not exactly one such test.
    Missing,
}

/// Test binaries by the names that the list has for them, each with the folder in which it runs.
type Binaries = BTreeMap<&'static str, (PathBuf, PathBuf)>;

fn main() -> Result<ExitCode, Failure> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mutants = read(&root)?;
    let problems = problems(&root, &mutants);
    if !problems.is_empty() {
        for problem in &problems {
            println!("{problem}");
        }
        return Ok(ExitCode::FAILURE);
    }
    if arguments == ["--check"] {
        println!("{LIST}: {} mutants", mutants.len());
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(unknown) = arguments.iter().find(|name| mutants.iter().all(|mutant| mutant.name != **name)) {
        return Err(format!("{LIST} has no mutant {unknown}").into());
    }
    let begun = Instant::now();
    let copy = target_folder(&root).join("mutants");
    copy_project(&root, &copy, &mutants)?;
    let binaries = build(&copy, &target_folder(&root))?;
    println!("built in {:.0} s", begun.elapsed().as_secs_f64());
    let chosen: Vec<&Mutant> =
        mutants.iter().filter(|mutant| arguments.is_empty() || arguments.contains(&mutant.name)).collect();
    Ok(if run_tests(&binaries, &chosen)? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The folder of builds.
fn target_folder(root: &Path) -> PathBuf {
    root.join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or("target".into()))
}

/// Copies every file of the project, with the mutants planted. Files that are the same already are left alone.
fn copy_project(root: &Path, copy: &Path, mutants: &[Mutant]) -> Result<(), Failure> {
    let mut planted = plant(root, mutants).map_err(|problems| problems.join("\n"))?;
    for library in ["engine/src/lib.rs", "train/src/lib.rs"] {
        let text = planted.remove(library).map_or_else(|| std::fs::read_to_string(root.join(library)), Ok)?;
        planted.insert(library.into(), format!("{NO_WARNINGS}{text}{}", switch_code()));
    }
    // Nothing here needs these two, but without them cargo would select other features of the dependencies.
    for library in ["experiments/src/lib.rs", "tests/src/lib.rs"] {
        planted.insert(library.into(), NO_WARNINGS.into());
    }
    // With a version of its own, the copy shares the dependencies in the target folder and nothing else.
    let manifest = std::fs::read_to_string(root.join("Cargo.toml"))?;
    planted.insert("Cargo.toml".into(), manifest.replacen("\nversion = \"0.1.0\"", "\nversion = \"0.1.0+mutants\"", 1));
    for name in files(root)? {
        let text = match planted.remove(&name) {
            Some(text) => text.into_bytes(),
            None => std::fs::read(root.join(&name))?,
        };
        let path = copy.join(&name);
        // Cargo writes the versions of the copy into its lock file.
        let is_there = if name == "Cargo.lock" { path.exists() } else { std::fs::read(&path).is_ok_and(|old| old == text) };
        if !is_there {
            std::fs::create_dir_all(path.parent().unwrap_or(copy))?;
            std::fs::write(path, text)?;
        }
    }
    Ok(())
}

/// The function that the planted code asks, as each crate with mutants gets it.
fn switch_code() -> String {
    let read = format!("std::env::var({SWITCH:?}).unwrap_or_default()");
    let planted = "static ON: std::sync::OnceLock<String> = std::sync::OnceLock::new();";
    format!("pub(crate) fn mutant(name: &str) -> bool {{ {planted} ON.get_or_init(|| {read}) == name }}\n")
}

/// The files of the project that are there, as git names them.
fn files(root: &Path) -> Result<Vec<String>, Failure> {
    let listing = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let listed = Command::new("git").args(listing).current_dir(root).output()?;
    if !listed.status.success() {
        return Err(String::from_utf8_lossy(&listed.stderr).into());
    }
    let names = String::from_utf8(listed.stdout)?;
    Ok(names.split_terminator('\0').filter(|name| root.join(name).is_file()).map(String::from).collect())
}

/// Builds the tests of the copy.
fn build(copy: &Path, target: &Path) -> Result<Binaries, Failure> {
    let arguments = ["test", "--offline", "--workspace", "--lib", "--test", "it", "--no-run", "--quiet"];
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    command.args(arguments).arg("--message-format=json-render-diagnostics").current_dir(copy);
    let built = command.env("CARGO_TARGET_DIR", target).stderr(Stdio::inherit()).output()?;
    if !built.status.success() {
        return Err("the copy with the mutants does not build".into());
    }
    let mut binaries = Binaries::new();
    for message in String::from_utf8(built.stdout)?.lines() {
        let message: Value = serde_json::from_str(message)?;
        let Some(path) = message["executable"].as_str() else { continue };
        let (name, folder) = match message["target"]["name"].as_str() {
            Some("tilewright_engine") => ("engine", "engine"),
            Some("it") => ("it", "engine"),
            Some("tilewright_train") => ("train", "train"),
            _ => continue,
        };
        binaries.insert(name, (path.into(), copy.join(folder)));
    }
    Ok(binaries)
}

/// Runs the test of each mutant without and with it, and returns whether all are caught.
fn run_tests(binaries: &Binaries, mutants: &[&Mutant]) -> Result<bool, Failure> {
    let begun = Instant::now();
    let mut sound = BTreeMap::new();
    let mut bad = BTreeSet::new();
    for mutant in mutants {
        let without = match sound.get(&mutant.test) {
            Some(&end) => end,
            None => *sound.entry(&mutant.test).or_insert(run(binaries, mutant, false)?.0),
        };
        let (with, time) = if without == End::Passed { run(binaries, mutant, true)? } else { (without, Duration::ZERO) };
        let word = match (without, with) {
            (End::Passed, End::Failed) => "caught",
            (End::Passed, End::Late) => "timeout",
            (End::Passed, _) => "SURVIVED",
            (End::Missing, _) => "NO TEST",
            (End::Late, _) => "timeout without a mutant",
            (End::Failed, _) => "FAILS without a mutant",
        };
        if word != "caught" {
            bad.insert(&mutant.name);
        }
        println!("{word:8} {:5.1} s  {:40} {}", time.as_secs_f64(), mutant.name, mutant.test);
    }
    let caught = mutants.len() - bad.len();
    println!("{caught} of {} mutants are caught, in {:.0} s", mutants.len(), begun.elapsed().as_secs_f64());
    Ok(bad.is_empty())
}

/// Runs the test of a mutant, with the mutant or without.
fn run(binaries: &Binaries, mutant: &Mutant, planted: bool) -> Result<(End, Duration), Failure> {
    let (binary, test) = mutant.binary_and_test();
    let (program, folder) = binaries.get(binary).ok_or_else(|| format!("there is no test binary {binary}"))?;
    let begun = Instant::now();
    let mut output = tempfile::tempfile()?;
    let mut command = Command::new(program);
    command.args(["--exact", test]).current_dir(folder).env("CARGO_MANIFEST_DIR", folder).stderr(Stdio::null());
    command.env(SWITCH, if planted { &mutant.name } else { "" }).stdout(output.try_clone()?);
    let mut child = command.spawn()?;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if begun.elapsed() > TIME_LIMIT {
            child.kill()?;
            child.wait()?;
            return Ok((End::Late, begun.elapsed()));
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let mut text = String::new();
    std::io::Seek::rewind(&mut output)?;
    std::io::Read::read_to_string(&mut output, &mut text)?;
    let end = match status.success() {
        _ if !text.contains("running 1 test\n") => End::Missing,
        true if text.contains("1 passed") => End::Passed,
        true => End::Missing,
        false => End::Failed,
    };
    Ok((end, begun.elapsed()))
}
