//! The drivers make the bytes of one process, also when a process is killed.

#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use tilewright_tests::{Workplace, skip};

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

const MATCH: [&str; 9] = ["match", "--player-a", "greedy", "--player-b", "no-leaves", "--pairs", "6400", "--seed", "5"];

/// A workplace with a planned match, and the same match played by one process.
fn planned() -> Workplace {
    let (place, small) = small_workplace();
    place.succeed(&[&MATCH[..], &small, &["--out", "alone", "--json", "alone.json", "--quiet"]].concat());
    place.succeed(&[&["work", "plan", "--out", "job", "--quiet", "--"], &MATCH[..], &small].concat());
    place
}

/// A script of the drivers, to be run in the workplace.
fn driver(place: &Workplace, script: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../experiments/drivers").join(script));
    command.args(arguments).current_dir(place.path("")).env("TILEWRIGHT", env!("CARGO_BIN_EXE_tilewright-under-test"));
    command.env("XDG_CACHE_HOME", place.path("cache"));
    command
}

/// Kills the first worker of the job that appears, while `goes_on`.
fn kill_a_worker(place: &Workplace, mut goes_on: impl FnMut() -> bool) {
    let job = place.path("job").canonicalize().unwrap();
    let words = format!("^[^ ]*tilewright-under-test work run {}", job.display());
    let kill = |worker: String| Command::new("kill").args(["-9", &worker]).status().unwrap().success();
    while !process_with(&words).is_some_and(kill) {
        assert!(goes_on(), "there was no worker");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Checks that the job ended in the match of one process.
fn check(place: &Workplace) {
    assert_eq!(figures_without_speeds(place, "job/result.json"), figures_without_speeds(place, "alone.json"));
    let pairs = |run: &str| std::fs::read(place.path(run).join("work/pairs-00003")).unwrap();
    assert_eq!(pairs("job/run"), pairs("alone"));
}

#[test]
fn gnu_parallel_makes_the_bytes_of_one_process() {
    if !is_there("parallel") || !is_there("pgrep") {
        return skip("GNU parallel or pgrep is not installed");
    }
    let place = planned();
    let mut driver = driver(&place, "parallel/run", &["job"]).env("JOBS", "2").spawn().unwrap();
    kill_a_worker(&place, || driver.try_wait().unwrap().is_none());
    assert!(driver.wait().unwrap().success());
    check(&place);
}

/// A Slurm cluster of this machine.
struct Cluster<'a> {
    place: &'a Workplace,
}

impl Cluster<'_> {
    fn start(place: &Workplace) -> Cluster<'_> {
        let cluster = Cluster { place };
        assert!(driver(place, "slurm/loopback", &["start", "cluster"]).env("CPUS", "2").status().unwrap().success());
        cluster
    }

    /// A command of Slurm's, or of its driver.
    fn command(&self, mut command: Command) -> Command {
        command.env("SLURM_CONF", self.place.path("cluster/slurm.conf").canonicalize().unwrap());
        command
    }

    /// Whether jobs are waiting or running.
    fn is_busy(&self) -> bool {
        let mut squeue = Command::new("squeue");
        squeue.arg("--noheader");
        !self.command(squeue).output().unwrap().stdout.is_empty()
    }
}

impl Drop for Cluster<'_> {
    fn drop(&mut self) {
        let _ = driver(self.place, "slurm/loopback", &["stop", "cluster"]).status();
    }
}

#[test]
fn slurm_makes_the_bytes_of_one_process() {
    if ["munged", "slurmctld", "slurmd", "sbatch", "pgrep"].iter().any(|program| !is_there(program)) {
        return skip("Slurm, munge or pgrep is not installed");
    }
    let place = planned();
    let cluster = Cluster::start(&place);
    let mut submit = driver(&place, "slurm/submit", &["job"]);
    submit.env("WORKERS", "3");
    assert!(cluster.command(submit).status().unwrap().success());
    kill_a_worker(&place, || cluster.is_busy());
    while cluster.is_busy() {
        std::thread::sleep(Duration::from_millis(100));
    }
    check(&place);
}

#[test]
fn the_adapters_of_engines_replay_their_dialogues() {
    if !is_there("python3") {
        return skip("Python is not installed");
    }
    let test = Path::new(env!("CARGO_MANIFEST_DIR")).join("../experiments/drivers/engines/test_dialogues.py");
    let ended = Command::new("python3").arg("-B").arg(test).output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
}
