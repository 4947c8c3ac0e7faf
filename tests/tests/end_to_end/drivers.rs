//! The drivers make the bytes of one process, also when a process is killed.

#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{figures_without_speeds, small_workplace};

/// Whether a program is installed.
fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// The first process whose command line contains these words.
fn process_with(words: &str) -> Option<String> {
    let found = Command::new("pgrep").args(["-f", words]).output().ok()?;
    String::from_utf8_lossy(&found.stdout).lines().next().map(String::from)
}

#[test]
fn gnu_parallel_makes_the_bytes_of_one_process() {
    if !is_there("parallel") || !is_there("pgrep") {
        println!("skipped: GNU parallel or pgrep is not installed");
        return;
    }
    let (place, small) = small_workplace();
    let command = ["match", "--player-a", "greedy", "--player-b", "no-leaves", "--pairs", "6400", "--seed", "5"];
    place.succeed(&[&command[..], &small, &["--out", "alone", "--json", "alone.json", "--quiet"]].concat());
    place.succeed(&[&["work", "plan", "--out", "job", "--quiet", "--"], &command[..], &small].concat());
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("../experiments/drivers/parallel/run");
    let mut driver = Command::new(driver);
    driver.arg("job").current_dir(place.path("")).env("TILEWRIGHT", env!("CARGO_BIN_EXE_tilewright-under-test"));
    let job = place.path("job").canonicalize().unwrap();
    let mut driver = driver.env("JOBS", "2").env("XDG_CACHE_HOME", place.path("cache")).spawn().unwrap();
    let words = format!("^[^ ]*tilewright-under-test work run {}", job.display());
    let kill = |worker: String| Command::new("kill").args(["-9", &worker]).status().unwrap().success();
    while !process_with(&words).is_some_and(kill) {
        assert!(driver.try_wait().unwrap().is_none(), "no process made a piece");
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(driver.wait().unwrap().success());
    assert_eq!(figures_without_speeds(&place, "job/result.json"), figures_without_speeds(&place, "alone.json"));
    let pairs = |run: &str| std::fs::read(place.path(run).join("work/pairs-00003")).unwrap();
    assert_eq!(pairs("job/run"), pairs("alone"));
}
