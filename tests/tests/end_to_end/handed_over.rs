//! What a stranger can do: folders that were handed over or tampered with lead nowhere, and nothing in them is believed unchecked.
//!
//! SECURITY.md names the test of each kind of file and folder.

#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tilewright_tests::{Workplace, files_below, interrupt};

use super::small_workplace;

/// The longest time that a verb may take to refuse a folder.
const SOON: Duration = Duration::from_secs(20);

/// Runs the binary, which must end soon, without a panic, with an exit code of its own.
fn end(place: &Workplace, arguments: &[&str], what: &str) -> (i32, String) {
    let mut child = place.command(arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > SOON {
            child.kill().unwrap();
            panic!("{what}: {arguments:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let ended = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(!errors.contains("panicked"), "{what}: {arguments:?}: {errors}");
    (ended.status.code().unwrap_or(-1), errors)
}

/// A folder that is a job, a run, and a queue with one candidate.
fn folders(place: &Workplace, small: &[&str; 4]) {
    let game = ["match", "--player-a", "greedy", "--player-b", "no-leaves", "--pairs", "256", "--seed", "5"];
    place.succeed(&[&["work", "plan", "--quiet", "--out", "job", "--"], &game[..], small].concat());
    place.succeed(&["work", "run", "job", "--shard", "0", "--quiet"]);
    place.succeed(&[&game[..], small, &["--out", "run", "--quiet"]].concat());
    let queue = ["work", "match", "--queue", "queue", "--player-b", "greedy", "--pairs", "256", "--quiet", "no-leaves"];
    place.succeed(&[&queue[..], small].concat());
}

/// Puts something else in the place of a file or a folder.
fn replace(path: &Path, by: impl FnOnce(&Path)) {
    if path.is_dir() && !path.is_symlink() {
        std::fs::remove_dir_all(path).unwrap();
    } else {
        let _ = std::fs::remove_file(path);
    }
    by(path);
}

#[test]
fn links_and_pipes_in_jobs_runs_and_queues_lead_nowhere() {
    let (original, small) = small_workplace();
    folders(&original, &small);
    let game = ["match", "--player-a", "greedy", "--player-b", "no-leaves", "--pairs", "260", "--seed", "5", "--out", "run"];
    let game = [&game[..], &small, &["--quiet"]].concat();
    let of_job: &[&[&str]] = &[
        &["work", "status", "job"],
        &["work", "run", "job", "--next", "--quiet"],
        &["work", "run", "job", "--stay", "--quiet"],
        &["work", "merge", "job", "--quiet"],
    ];
    let of_queue: &[&[&str]] =
        &[&["work", "match", "--queue", "queue", "greedy"], &["work", "match", "--queue", "queue", "--work", "--for", "0s"]];
    let of_run: &[&[&str]] = &[&game, &["report", "run", "--save", "page.html"], &["export", "run", "--out", "tables"]];
    let places = [
        (
            of_job,
            &[
                "job/job.json",
                "job/stage.json",
                "job/merge.lock",
                "job/shards",
                "job/shards/stage-0001-shard-000001.json",
                "job/workers",
                "job/run",
                "job/run/work",
                "job/run/.lock",
                "job/run/config.toml",
                "job/run/work/look-00001",
                "job/result.json",
            ][..],
        ),
        (of_queue, &["queue/queue.toml", "queue/queue.lock", "queue/candidates", "queue/candidates/0001/run"][..]),
        (
            of_run,
            &["run/manifest.json", "run/.lock", "run/config.toml", "run/work", "run/work/run", "run/work/pairs-00000"][..],
        ),
    ];
    for (verbs, places) in places {
        for (number, &name) in places.iter().enumerate() {
            // The verbs in turn: each meets every kind.
            let kinds = ["file", ["folder", "zero"][number % 2], "pipe", "room"];
            for (kind, verb) in kinds.into_iter().zip(verbs.iter().cycle().skip(number)) {
                let (place, _) = small_workplace();
                let what = format!("{name} as {kind}");
                let mut copy = Command::new("cp");
                copy.arg("-r").args(["job", "run", "queue"].map(|name| original.path(name))).arg(place.path(""));
                assert!(copy.status().unwrap().success());
                let outside = place.path("outside");
                std::fs::create_dir(&outside).unwrap();
                std::fs::write(outside.join("kept"), "kept").unwrap();
                replace(&place.path(name), |path| match kind {
                    "file" => symlink(outside.join("kept"), path).unwrap(),
                    "folder" => symlink(&outside, path).unwrap(),
                    "zero" => symlink("/dev/zero", path).unwrap(),
                    "room" => std::fs::create_dir(path).unwrap(),
                    _ => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
                });
                let (code, errors) = end(&place, verb, &what);
                assert!([0, 2].contains(&code), "{what}: {verb:?}: {code} {errors}");
                let found: Vec<_> = files_below(&outside).into_iter().collect();
                assert_eq!(found, [("kept".to_string(), b"kept".to_vec())], "{what}: {verb:?}");
            }
        }
    }
}

#[test]
fn a_shard_is_there_as_a_plain_file_of_its_size_alone() {
    let (place, small) = small_workplace();
    folders(&place, &small);
    place.succeed(&["work", "run", "job", "--shard", "1", "--quiet"]);
    let status = || place.succeed(&["work", "status", "job"]);
    let (shard, kept) = (place.path("job/run/work/look-00001"), place.path("kept"));
    let whole = status();
    std::fs::rename(&shard, &kept).unwrap();
    let missing = status();
    assert_ne!(whole, missing);
    symlink(&kept, &shard).unwrap();
    assert_eq!(status(), missing);
    std::fs::remove_file(&shard).unwrap();
    std::fs::File::create(&shard).unwrap().set_len(3 << 30).unwrap();
    assert_eq!(status(), missing);
    std::fs::copy(place.path("job/run/work/look-00000"), &shard).unwrap();
    let refused = place.run(&["work", "merge", "job", "--quiet"]);
    assert!(refused.code == 2 && refused.errors.contains("look-00001"), "{}", refused.errors);
    assert!(!refused.errors.contains("--out"), "{}", refused.errors);
}

#[test]
fn a_stage_names_work_files_of_the_run_alone() {
    let (place, small) = small_workplace();
    folders(&place, &small);
    let stage = std::fs::read_to_string(place.path("job/stage.json")).unwrap();
    for (from, to) in [
        ("\"look-00001\"", "\"../../../look\""),
        ("\"look-00001\"", "\"/tmp/look\""),
        ("\"folder\": \"run\"", "\"folder\": \"..\""),
        ("\"folder\": \"run\"", "\"folder\": \"run/../..\""),
        ("\"folder\": \"run\"", "\"folder\": \"/tmp\""),
        ("\"look-00001\"", "\"look-00007\""),
    ] {
        assert!(stage.contains(from), "{stage}");
        std::fs::write(place.path("job/stage.json"), stage.replace(from, to)).unwrap();
        for verb in
            [&["run", "job", "--next"][..], &["run", "job", "--shard", "1"], &["status", "job"], &["run", "job", "--stay"]]
        {
            place.refuse(&[&["work"], verb].concat(), &["job/stage.json", "is no work file of the run"]);
        }
    }
    // Nor is it obeyed if the run has no such loop.
    std::fs::write(place.path("job/stage.json"), stage.replace("look", "book")).unwrap();
    for verb in [["run", "job", "--next"], ["run", "job", "--stay"]] {
        place.refuse(&[&["work"], &verb[..]].concat(), &["job/stage.json", "the run makes no shard run/work/book-0000"]);
    }
    // What it claims without a result is made again.
    std::fs::write(place.path("job/stage.json"), "{\"number\": 1, \"is_finished\": true, \"shards\": []}").unwrap();
    assert!(!place.succeed(&["work", "run", "job", "--next"]).contains("is finished"));
    assert!(place.succeed(&["work", "merge", "job"]).contains("stage 2: 1 shard ("));
    place.succeed(&["work", "run", "job", "--next", "--quiet"]);
    place.succeed(&["work", "merge", "job", "--quiet"]);
    place.succeed(
        &[
            &["match", "--player-a", "greedy", "--player-b", "no-leaves", "--pairs", "256", "--seed", "5"],
            &small[..],
            &["--json", "alone.json"],
        ]
        .concat(),
    );
    let figures = |name| super::figures_without_speeds(&place, name);
    assert_eq!(figures("job/result.json"), figures("alone.json"));
}

#[test]
fn a_finished_match_is_all_there_or_is_refused() {
    let (place, small) = small_workplace();
    folders(&place, &small);
    let flipped = |name: &str, from: &str, to: &str| {
        let path = place.path(name);
        let before = std::fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&before);
        assert!(text.contains(from), "{text}");
        std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
        (path, before)
    };
    let refused = |part: &str| {
        place.refuse(&["report", "run", "--save", "page.html"], &[part]);
        place.refuse(&["export", "run", "--out", "tables"], &[part]);
    };
    for (name, from, to, part) in [
        (
            "run/manifest.json",
            "\"pairs\": 256",
            "\"pairs\": 266",
            "manifest.json: the content does not match its own checksum",
        ),
        ("run/config.toml", "seed = 5", "seed = 6", "config.toml: the content does not match its checksum"),
    ] {
        let (path, before) = flipped(name, from, to);
        refused(part);
        std::fs::write(path, before).unwrap();
    }
    for (name, part) in [
        ("run/work/pairs-00000", "work/pairs-00000 is listed in manifest.json and is not there"),
        ("run/work/run", "work/run is listed in manifest.json and is not there"),
        ("run/config.toml", "config.toml is listed in manifest.json and is not there"),
    ] {
        let (path, before) = (place.path(name), std::fs::read(place.path(name)).unwrap());
        std::fs::remove_file(&path).unwrap();
        refused(part);
        std::fs::write(&path, &before).unwrap();
    }
    std::fs::write(place.path("run/work/run"), "damaged").unwrap();
    refused("work/run");
    std::fs::remove_file(place.path("run/manifest.json")).unwrap();
    refused("work/run is damaged; rerun the command in this folder");
}

#[test]
fn a_run_whose_folder_is_replaced_stays_in_its_own() {
    let (place, small) = small_workplace();
    let run = |seed: &'static str| {
        let game = ["match", "--player-a", "greedy", "--player-b", "no-leaves", "--pairs", "6000", "--seed", seed];
        let words = [&game[..], &small, &["--quiet", "--out", "k"]].concat();
        let child = place.command(&words).stdout(Stdio::null()).spawn().unwrap();
        while !place.path("k/work/pairs-00000").exists() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child
    };
    let mut first = run("1");
    std::fs::rename(place.path("k"), place.path("old")).unwrap();
    let mut second = run("2");
    assert!(first.wait().unwrap().success() && second.wait().unwrap().success());
    for (folder, seed) in [("old", "seed = 1"), ("k", "seed = 2")] {
        let config = std::fs::read_to_string(place.path(folder).join("config.toml")).unwrap();
        assert!(config.contains(seed), "{config}");
        place.succeed(&["report", folder, "--save", &format!("{folder}.html")]);
    }
}

#[test]
fn of_two_that_make_one_folder_at_once_neither_takes_what_the_other_made() {
    let (place, small) = small_workplace();
    place.write("table.csv", "A,1\nE,3\n");
    for attempt in 0..4 {
        let (race, queue) = (format!("race-{attempt}"), format!("queue-{attempt}"));
        let plan = |player: &'static str| {
            let more = ["match", "--player-a", player, "--player-b", "greedy", "--pairs", "256"];
            [&["work", "plan", "--quiet", "--out", &race, "--"], &more[..], &small].concat()
        };
        let add = |player: &'static str| {
            let words = ["work", "match", "--queue", &queue, "--player-b", "greedy", "--pairs", "256", "--quiet", player];
            [&words[..], &small].concat()
        };
        let start = |words: &[&str]| place.command(words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        for words in
            [[plan("leave:table.csv"), plan("leave:nowhere.csv")], [add("leave:table.csv"), add("leave:nowhere.csv")]]
        {
            let both = [&words[attempt % 2], &words[1 - attempt % 2]].map(|words| start(words));
            let ended = both.map(|child| child.wait_with_output().unwrap());
            let errors = ended.each_ref().map(|ended| String::from_utf8_lossy(&ended.stderr));
            assert_eq!(ended.iter().filter(|ended| ended.status.success()).count(), 1, "{errors:?}");
        }
        place.succeed(&["work", "status", &race]);
        assert!(place.succeed(&["work", "match", "--queue", &queue]).contains("leave:table.csv"));
    }
    let left = std::fs::read_dir(place.path("")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(left.into_iter().all(|name| !name.starts_with(".tilewright-")));
}

#[test]
fn what_a_kill_left_beside_outputs_and_in_the_cache_is_cleared() {
    let (place, small) = small_workplace();
    let game = ["match", "--player-a", "greedy", "--player-b", "no-leaves", "--pairs", "200", "--quiet"];
    std::fs::create_dir_all(place.path("cache/tilewright")).unwrap();
    std::fs::create_dir_all(place.path("out/.tilewright-folder/work")).unwrap();
    for name in ["out/.tilewright-file", "cache/tilewright/.tilewright-file"] {
        place.write(name, "half");
    }
    place.succeed(&[&game[..], &small, &["--pairs-out", "out/pairs.parquet", "--games-out", "out/games"]].concat());
    let names = |folder: &str| {
        let mut names: Vec<_> =
            std::fs::read_dir(place.path(folder)).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names("out"), ["games", "pairs.parquet"]);
    assert!(names("cache/tilewright").iter().all(|name| !name.to_string_lossy().starts_with('.')));
}

#[test]
fn pages_of_man_do_not_follow_links() {
    let (place, _) = small_workplace();
    place.write("kept", "kept");
    std::fs::create_dir(place.path("man")).unwrap();
    symlink(place.path("kept"), place.path("man/tilewright.1")).unwrap();
    place.succeed(&["man", "man"]);
    assert_eq!(std::fs::read_to_string(place.path("kept")).unwrap(), "kept");
    assert!(!place.path("man/tilewright.1").is_symlink());
}

#[test]
fn who_waits_for_the_lock_of_a_queue_says_so_and_ends_on_request() {
    let (place, small) = small_workplace();
    folders(&place, &small);
    let lock = std::fs::File::create(place.path("queue/queue.lock")).unwrap();
    lock.lock().unwrap();
    let waiting = place.command(&["work", "match", "--queue", "queue", "greedy"]).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    interrupt(&waiting);
    let ended = waiting.wait_with_output().unwrap();
    let errors = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(130), "{errors}");
    assert!(errors.contains("waiting for another process, which has locked queue/queue.lock"), "{errors}");
}
