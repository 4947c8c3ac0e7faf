//! A queue of candidates ends in the results of `match --sequential`, and refuses what does not belong to it.

use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tilewright_tests::{Workplace, files_below};

use super::{figures_without_speeds, small_workplace};

/// Leave values that clearly beat greedy play, and such that clearly lose.
const GOOD: &str = "A,1\nE,3\nS,6\nEE,-2\nAA,-4\nZ,5\n?,20\n";
const BAD: &str = "A,-9\nE,-9\nS,-30\nT,9\nTT,30\n?,-90\n";

/// A workplace with these tables.
fn prepared() -> (Workplace, [&'static str; 4]) {
    let (place, small) = small_workplace();
    place.write("good.csv", GOOD);
    place.write("bad.csv", BAD);
    (place, small)
}

/// The words of a call on the queue.
fn words<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["work", "match", "--queue", "queue", "--quiet"], more].concat()
}

/// Makes the queue, with at most this many pairs for each candidate.
fn add(place: &Workplace, small: &[&str; 4], pairs: &str, candidates: &[&str]) -> String {
    let settings = ["--player-b", "greedy", "--pairs", pairs, "--seed", "7"];
    place.succeed(&[&words(&settings)[..], small, candidates].concat())
}

/// The table of the queue.
fn table(place: &Workplace) -> Value {
    let file = place.path("table.json");
    let _ = std::fs::remove_file(&file);
    place.succeed(&words(&["--json", "table.json"]));
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

/// The states of the candidates.
fn states(place: &Workplace) -> Vec<String> {
    let table = table(place);
    table["candidates"].as_array().unwrap().iter().map(|row| row["state"].as_str().unwrap().into()).collect()
}

/// Waits until something is so.
fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    for _ in 0..6000 {
        if is_so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("{what} does not come");
}

#[test]
fn every_candidate_has_the_result_of_a_sequential_match_although_a_worker_is_killed() {
    let (place, small) = prepared();
    let candidates = ["leave:good.csv", "greedy", "leave:bad.csv"];
    let output = add(&place, &small, "9000", &candidates);
    assert!(output.contains("against greedy, win rates 50:51 %") && output.contains("waiting"), "{output}");

    let work = words(&["--work", "--threads", "1"]);
    let worker = || place.command(&work).stdout(Stdio::null()).spawn().unwrap();
    let mut first = worker();
    wait_until("a shard", || {
        std::fs::read_dir(place.path("queue/candidates/0001/shards")).is_ok_and(|mut records| records.next().is_some())
    });
    let mut others = [worker(), worker()];
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(others.iter_mut().all(|other| other.wait().unwrap().success()));

    assert_eq!(states(&place), ["accepted", "rejected", "rejected"]);
    let table = table(&place);
    for (number, candidate) in candidates.iter().enumerate() {
        let alone = format!("alone-{number}.json");
        let words =
            ["match", "--player-a", candidate, "--player-b", "greedy", "--pairs", "9000", "--seed", "7", "--sequential"];
        place.succeed(&[&words[..], &small, &["--quiet", "--json", &alone]].concat());
        let (alone, row) = (figures_without_speeds(&place, &alone), &table["candidates"][number]);
        let shared = figures_without_speeds(&place, &format!("queue/candidates/{:04}/result.json", number + 1));
        assert_eq!(shared.to_string(), alone.to_string(), "{candidate}");
        for figure in ["pairs", "anytime_win_rate"] {
            assert_eq!(row[figure], alone[figure], "{candidate}: {figure}");
        }
        assert_eq!(row["log_likelihood_ratio"], alone["sequential"]["log_likelihood_ratio"], "{candidate}");
        assert!(row["cpu_seconds"].as_f64().unwrap() > 0.0, "{row}");
    }
    assert_eq!(table["upper_bound"], figures_without_speeds(&place, "alone-0.json")["sequential"]["upper_bound"]);
    assert!(place.succeed(&work).contains("all tests are over; this worker made 0 shards"));
}

#[cfg(unix)]
#[test]
fn candidates_join_while_a_worker_stays_and_one_that_fails_stops_nobody() {
    let (place, small) = prepared();
    place.write("changed.csv", GOOD);
    add(&place, &small, "9000", &["leave:changed.csv"]);
    place.write("changed.csv", BAD);
    let mut worker = place.command(&words(&["--work", "--stay"])).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("the failure", || states(&place) == ["failed"]);
    // Without flags, they join on the settings of the queue.
    place.succeed(&words(&["leave:bad.csv", "leave:good.csv"]));
    wait_until("the end", || states(&place) == ["failed", "rejected", "accepted"]);
    assert!(worker.try_wait().unwrap().is_none(), "it stays");
    tilewright_tests::interrupt(&worker);
    let ended = worker.wait_with_output().unwrap();
    let errors = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(130), "{errors}");
    assert!(errors.contains("warning: candidate leave:changed.csv failed"), "{errors}");
    assert!(errors.contains("go on with: tilewright work match --queue queue --work"), "{errors}");

    let row = &table(&place)["candidates"][0];
    assert!(
        row["error"]
            .as_str()
            .unwrap()
            .contains("names changed.csv, which on this machine is not what the job was planned with"),
        "{row}"
    );
    assert!(place.succeed(&words(&[])).contains("delete queue/candidates/0001/failed.json to try again"));
    place.write("changed.csv", GOOD);
    std::fs::remove_file(place.path("queue/candidates/0001/failed.json")).unwrap();
    place.succeed(&words(&["--work"]));
    assert_eq!(states(&place), ["accepted", "rejected", "accepted"]);
}

#[test]
fn what_does_not_belong_to_a_queue_is_refused_by_name() {
    let (place, small) = prepared();
    let refuse = |more: &[&str], parts: &[&str]| place.refuse(&words(more), parts);
    refuse(&["greedy"], &["a new queue needs a baseline", "--player-b"]);
    refuse(&["--work"], &["queue: No such file", "makes a queue"]);
    refuse(&[], &["queue: No such file", "makes a queue"]);
    let new = [&["--player-b", "greedy"], &small[..]].concat();
    let refuse_new = |more: &[&str], parts: &[&str]| refuse(&[&new[..], more].concat(), parts);
    refuse_new(&["leave:good.csv", "nobody"], &["nobody", "greedy", "leave:PATH"]);
    refuse_new(&["leave:missing.csv"], &["leave:missing.csv"]);
    refuse_new(&["leave:good.csv", "leave:good.csv"], &["candidate leave:good.csv is in queue already"]);
    assert!(!place.path("queue").exists(), "nothing is left of a queue that was refused");
    std::fs::create_dir(place.path("full")).unwrap();
    place.write("full/notes.txt", "");
    place
        .refuse(&[&["work", "match", "--queue", "full", "greedy"][..], &new].concat(), &["full is no queue, and not empty"]);

    add(&place, &small, "1500", &["leave:good.csv"]);
    let before = files_below(&place.path("queue"));
    refuse(&["leave:good.csv"], &["candidate leave:good.csv is in queue already", "another name"]);
    refuse(&["leave:bad.csv", "leave:missing.csv"], &["leave:missing.csv"]);
    for (flag, value, own) in [
        ("--player-b", "no-leaves", "greedy"),
        ("--sequential", "50:52", "50:51"),
        ("--alpha", "0.1", "0.05"),
        ("--beta", "0.01", "0.05"),
        ("--pairs", "1600", "1500"),
        ("--seed", "8", "7"),
        ("--lexicon", "other.txt", "small.txt"),
        ("--tileset", "english", "small.toml"),
    ] {
        let parts = [format!("{flag} {value}"), format!("have {flag} {own}")];
        let parts = parts.each_ref().map(String::as_str);
        refuse(&[flag, value, "leave:bad.csv"], &parts);
        refuse(&[flag, value, "--work"], &parts);
    }
    assert_eq!(files_below(&place.path("queue")), before, "nothing is changed");
    refuse(&["--work", "leave:bad.csv"], &["--work"]);
    refuse(&["--stay"], &["--work"]);
    refuse(&["--for", "5m"], &["--work"]);
    refuse(&["--work", "--for", "5m", "--stay"], &["--stay"]);

    let settings = std::fs::read_to_string(place.path("queue/queue.toml")).unwrap();
    let version = settings.lines().find(|line| line.starts_with("version")).unwrap();
    place.write("queue/queue.toml", settings.replace(version, "version = \"0.0.1 older\""));
    refuse(&["--work"], &["queue is a queue of tilewright 0.0.1 older", "--accept-other-build"]);
    refuse(&["leave:bad.csv"], &["0.0.1 older"]);
    place.write("queue/queue.toml", "pears = 5\n");
    refuse(&[], &["queue/queue.toml", "pears"]);
}

#[test]
fn a_queue_that_a_killed_process_began_is_made() {
    let (place, small) = prepared();
    std::fs::create_dir_all(place.path("queue/candidates/.tilewright-2")).unwrap();
    place.write("queue/queue.lock", "");
    place.write("queue/.tilewright-1", "alpha");
    place.write("queue/candidates/.tilewright-2/job.json", "{");
    add(&place, &small, "1500", &["leave:good.csv"]);
    assert_eq!(states(&place), ["waiting"]);
    let left = files_below(&place.path("queue"));
    assert!(!left.keys().any(|name| name.contains(".tilewright-")), "{:?}", left.keys());
}

/// The disk of a worker is no fault of a candidate.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_fails_the_worker_and_no_candidate() {
    let (place, small) = prepared();
    add(&place, &small, "1500", &["leave:good.csv"]);
    let work = place.command(&words(&["--work", "--threads", "1"]));
    let mut limited = std::process::Command::new("sh");
    limited.args(["-c", "ulimit -f 1; exec \"$0\" \"$@\""]).arg(work.get_program()).args(work.get_args());
    limited.current_dir(work.get_current_dir().unwrap());
    limited.envs(work.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let ended = limited.output().unwrap();
    let errors = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(1), "{errors}");
    assert!(errors.contains("File too large"), "{errors}");
    assert_ne!(states(&place), ["failed"]);
    place.succeed(&words(&["--work"]));
    assert_eq!(states(&place), ["undecided"]);
}

#[test]
fn a_worker_stops_after_its_time() {
    let (place, small) = prepared();
    add(&place, &small, "200", &["leave:good.csv", "leave:bad.csv"]);
    let output = place.succeed(&words(&["--work", "--for", "0.001s"]));
    assert!(output.contains("2 tests are not over"), "{output}");
    assert_eq!(states(&place), ["waiting", "waiting"]);
    place.succeed(&words(&["--work"]));
    assert_eq!(states(&place), ["undecided"; 2]);
    assert_eq!(table(&place)["candidates"][0]["pairs"], 200);
}
