//! Long runs end in the same bytes, however often they are killed and whichever work file is damaged.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, SystemTime};

use tilewright_tests::{Workplace, files_below};

use super::{evolve, linear, network, small_workplace, td, win_percentage};

/// A verb that can be resumed.
pub struct Verb {
    pub name: &'static str,
    /// Without `--out` and the flags of the small tile set.
    pub arguments: &'static [&'static str],
}

/// Leave values that beat greedy play.
const TABLE: &str = "A,1\nE,3\nS,6\nEE,-2\nAA,-4\nZ,5\n?,20\n";

/// The resumable verbs; each writes work files at least eight times.
pub const VERBS: &[Verb] = &[
    Verb { name: "self-play", arguments: &["selfplay", "--games", "8000", "--player", "greedy"] },
    Verb {
        name: "self-play with candidates",
        arguments: &[
            "selfplay",
            "--games",
            "450",
            "--player",
            "greedy",
            "--candidates",
            "3",
            "--deals",
            "2",
            "--features",
            "tiles_played",
        ],
    },
    Verb { name: "leaves", arguments: &["leaves", "train", "--budget", "games=3000", "--match-pairs", "300"] },
    Verb {
        name: "match",
        arguments: &["match", "--player-a", "leave:table.csv", "--player-b", "greedy", "--pairs", "8200"],
    },
    Verb {
        name: "sequential match",
        arguments: &[
            "match",
            "--player-a",
            "leave:table.csv",
            "--player-b",
            "greedy",
            "--pairs",
            "8200",
            "--sequential",
            "50:51",
            "--alpha",
            "1e-9",
            "--beta",
            "1e-9",
        ],
    },
    Verb {
        name: "round robin",
        arguments: &["match", "--players", "leave:table.csv", "greedy", "greedy", "--pairs", "1100"],
    },
    Verb { name: "evolution", arguments: &["evolve", "evolve.toml"] },
    Verb { name: "linear fit", arguments: &["linear", "fit", "fit.toml"] },
    Verb { name: "network training", arguments: &["network", "train", "network.toml"] },
    Verb { name: "TD learning", arguments: &["td", "td.toml"] },
    Verb { name: "TD learning of a network", arguments: &["td", "td-network.toml"] },
    Verb { name: "win percentages", arguments: &["win-percentage", "train", "win.toml"] },
];

/// A workplace with the small tile set and the files that the verbs read.
pub fn prepared() -> (Workplace, [&'static str; 4]) {
    let (place, small) = small_workplace();
    place.write("table.csv", TABLE);
    place.write("evolve.toml", evolve::CONFIG);
    place.write("fit.toml", linear::CONFIG);
    place.write("network.toml", network::config());
    place.write("td.toml", td::CONFIG);
    place.write("td-network.toml", td::network_config());
    place.write("win.toml", win_percentage::CONFIG);
    (place, small)
}

impl Verb {
    pub fn command<'a>(&self, small: &[&'a str; 4], out: &'a str) -> Vec<&'a str> {
        [self.arguments, &small[..], &["--out", out]].concat()
    }
}

/// The time at which each work file was written, by its path in the folder. Temporary files of killed processes are left out.
fn written(folder: &Path) -> BTreeMap<String, SystemTime> {
    // Candidate sets have a journal of their own.
    let mut written = BTreeMap::new();
    for work in ["work", "candidates/work"] {
        for entry in std::fs::read_dir(folder.join(work)).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if let Some(time) = entry.metadata().and_then(|data| data.modified()).ok().filter(|_| !name.starts_with('.')) {
                written.insert(format!("{work}/{name}"), time);
            }
        }
    }
    written
}

/// Starts a run and waits until it has written a work file.
fn start(place: &Workplace, arguments: &[&str], out: &str) -> Child {
    let before = written(&place.path(out));
    let mut child = place.command(&[arguments, &["--quiet"]].concat()).spawn().unwrap();
    while written(&place.path(out)) == before {
        assert!(child.try_wait().unwrap().is_none(), "the run ended before it was killed");
        std::thread::sleep(Duration::from_millis(1));
    }
    child
}

/// The output of a run, without speeds and times and without the name of its folder.
pub fn figures(output: &str, out: &str) -> Vec<String> {
    let lines = output.lines().filter(|line| !line.contains(" per second") && !line.starts_with("CPU time"));
    lines.map(|line| line.replace(out, "OUT")).collect()
}

#[test]
fn every_verb_ends_in_the_same_bytes_however_often_it_is_killed() {
    for verb in VERBS {
        let (place, small) = prepared();
        let undisturbed = place.succeed(&[&verb.command(&small, "calm")[..], &["--threads", "1"]].concat());
        let arguments = verb.command(&small, "killed");
        for _ in 0..5 {
            let mut child = start(&place, &arguments, "killed");
            child.kill().unwrap();
            child.wait().unwrap();
        }
        // The resumed run reads the last file. An earlier one may be deleted unread.
        let work = written(&place.path("killed"));
        let last = work.iter().min_by_key(|(_, time)| Reverse(**time)).unwrap().0;
        let damaged = format!("killed/{last}");
        flip_a_bit(&place, &damaged);

        let resumed = place.run(&arguments);
        assert_eq!(resumed.code, 0, "{}: {}", verb.name, resumed.errors);
        let rebuilt: Vec<_> = resumed.errors.lines().filter(|line| line.contains("it will be rebuilt")).collect();
        assert!(rebuilt.len() == 1 && rebuilt[0].contains(&damaged), "{}, {damaged}: {}", verb.name, resumed.errors);
        assert_eq!(figures(&resumed.output, "killed"), figures(&undisturbed, "calm"), "{}", verb.name);
        assert!(files_below(&place.path("killed")) == files_below(&place.path("calm")), "{}: other bytes", verb.name);
    }
}

fn flip_a_bit(place: &Workplace, name: &str) {
    let mut bytes = std::fs::read(place.path(name)).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    place.write(name, bytes);
}

#[test]
fn a_second_process_in_the_same_folder_is_refused() {
    for verb in VERBS {
        let (place, small) = prepared();
        let arguments = verb.command(&small, "shared");
        let mut first = start(&place, &arguments, "shared");
        place.refuse(&arguments, &["shared is in use by another tilewright process", "--out"]);
        first.kill().unwrap();
        first.wait().unwrap();
        // The lock ends with the process.
        let mut next = start(&place, &arguments, "shared");
        next.kill().unwrap();
        next.wait().unwrap();
    }
}

#[test]
fn a_changed_shard_is_made_again_and_one_of_another_run_is_refused() {
    let (place, small) = prepared();
    let selfplay = |out: &'static str, seed: &'static str| {
        [&["selfplay", "--games", "2500", "--player", "greedy", "--seed", seed, "--out", out][..], &small[..]].concat()
    };
    place.succeed(&selfplay("records", "1"));
    place.succeed(&selfplay("other", "2"));
    let whole = files_below(&place.path("records"));
    let (name, other) = ("games-00001.parquet", files_below(&place.path("other")));
    let shard = &whole[name];
    let again = |damaged: &[u8]| {
        place.write(&format!("records/{name}"), damaged);
        std::fs::remove_file(place.path("records/manifest.json")).unwrap();
        let ended = place.run(&selfplay("records", "1"));
        assert_eq!(ended.code, 0, "{}", ended.errors);
        assert_eq!(ended.errors.matches("warning: ").count(), 1, "{}", ended.errors);
        assert!(ended.errors.contains("records/games-00001.parquet does not match its receipt"), "{}", ended.errors);
        assert!(files_below(&place.path("records")) == whole);
    };
    let doubled = [&shard[..], shard].concat();
    for damaged in [&shard[..shard.len() / 2], &doubled, &[], &other[name], &whole["games-00000.parquet"]] {
        again(damaged);
    }
    // With its receipt, a file of another run is refused.
    std::fs::remove_file(place.path("records/manifest.json")).unwrap();
    place.write(&format!("records/{name}"), &other[name]);
    place.write("records/work/games-00001", &other["work/games-00001"]);
    place.refuse(&selfplay("records", "1"), &["records/work/games-00001 was made by another run", "--out"]);
}

#[test]
fn a_match_stores_its_pairs_and_refuses_folders_of_other_matches() {
    let (place, small) = prepared();
    let play = |more: &[&'static str]| {
        let players = ["match", "--player-a", "leave:table.csv", "--player-b", "greedy", "--pairs", "300"];
        [&players[..], &small[..], more].concat()
    };
    let extend = |more: &[&'static str]| {
        [&["match", "--player-a", "leave:table.csv", "--player-b", "greedy"], &small[..], more].concat()
    };
    let rows = |name: &str| std::fs::read(place.path(name)).unwrap();
    let plain = place.succeed(&play(&["--pairs-out", "plain.parquet"]));
    let kept = place.succeed(&play(&["--out", "kept", "--pairs-out", "kept.parquet"]));
    assert_eq!(figures(&kept, "kept"), figures(&plain, "kept"));
    assert_eq!(rows("kept.parquet"), rows("plain.parquet"));
    // Rerun, it reads the pairs back.
    let read_back = place.succeed(&play(&["--out", "kept", "--pairs-out", "again.parquet"]));
    assert_eq!((figures(&read_back, "kept"), rows("again.parquet")), (figures(&plain, "kept"), rows("plain.parquet")));
    place.refuse(&play(&["--out", "kept", "--seed", "2"]), &["kept belongs to a run with another config", "seed = 2"]);
    // More pairs, or a test, are the same run.
    let more = ["--out", "kept", "--pairs", "1500", "--pairs-out", "more.parquet"];
    let extended = place.succeed(&extend(&more));
    assert_eq!(
        figures(&extended, "kept"),
        figures(&place.succeed(&extend(&["--pairs", "1500", "--pairs-out", "long.parquet"])), "kept")
    );
    assert_eq!(rows("more.parquet"), rows("long.parquet"));
    place.succeed(&play(&["--out", "kept", "--sequential"]));
    place.write("table.csv", "A,2\n");
    place.refuse(&play(&["--out", "kept"]), &["kept belongs to a run with another player 1"]);
    place.refuse(&play(&["--out", "table.csv"]), &["table.csv is a file"]);
    place.refuse(&play(&["--out", "new", "--fault-log", "faults"]), &["--out", "--fault-log"]);
}

/// Interrupts a run shortly after it has begun, expects that it ends soon, and returns what it says.
#[cfg(unix)]
fn interrupt(place: &Workplace, arguments: &[&str], out: &str) -> String {
    let mut command = place.command(&[arguments, &["--quiet"]].concat());
    let mut child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    while !place.path(out).join("work").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_millis(150));
    let has_ended = child.try_wait().unwrap().is_some();
    assert!(!has_ended, "the run ended before it was interrupted: {:?}", child.wait_with_output().unwrap());
    let begun = std::time::Instant::now();
    tilewright_tests::interrupt(&child);
    let ended = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(130), "{errors}");
    // Without the stop within games it would take minutes. The other tests share the cores, so a second can become three.
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    errors
}

/// A simulating player whose turns take some milliseconds in the small tile set, so that a stop comes in the middle of games.
#[cfg(unix)]
const QUICK: &str = "ranker = \"greedy\"\n[simulation]\nplies = 2\ncandidates = 3\niterations = 30\n";

#[cfg(unix)]
#[test]
fn matches_and_round_robins_that_are_interrupted_and_resumed_equal_uninterrupted_ones() {
    let (place, small) = prepared();
    place.write("quick.toml", QUICK);
    let verbs: [&[&str]; 2] = [
        &["match", "--player-a", "sim:quick.toml", "--player-b", "greedy", "--pairs", "200", "--seed", "4"],
        &["match", "--players", "sim:quick.toml", "greedy", "greedy", "--pairs", "80"],
    ];
    for verb in verbs {
        let command = |out: &'static str| [verb, &small[..], &["--threads", "2", "--out", out]].concat();
        let calm = place.succeed(&command("calm"));
        let [first, second] = [(); 2].map(|()| {
            let errors = interrupt(&place, &command("stopped"), "stopped");
            let first_number: Option<u64> = errors.split_whitespace().find_map(|word| word.parse().ok());
            first_number.unwrap_or_else(|| panic!("{errors}"))
        });
        assert!(second >= first, "{first}, {second}");
        let resumed = place.succeed(&command("stopped"));
        assert_eq!(figures(&resumed, "stopped"), figures(&calm, "calm"));
        assert!(files_below(&place.path("stopped")) == files_below(&place.path("calm")), "other bytes");
        for out in ["calm", "stopped"] {
            std::fs::remove_dir_all(place.path(out)).unwrap();
        }
    }
}

#[cfg(unix)]
#[test]
fn runs_of_slow_players_end_soon_and_keep_the_matches_of_a_generation() {
    let (place, small) = prepared();
    place.write("slow.toml", QUICK.replace("iterations = 30", "iterations = 1500"));
    place.write("quick.toml", QUICK);
    let slow = ["selfplay", "--games", "1000", "--player", "sim:slow.toml"];
    let valued = [
        "selfplay",
        "--games",
        "50",
        "--player",
        "greedy",
        "--candidates",
        "3",
        "--deals",
        "20000",
        "--features",
        "tiles_played",
    ];
    for verb in [&slow[..], &valued] {
        interrupt(&place, &[verb, &small, &["--out", "games"]].concat(), "games");
        std::fs::remove_dir_all(place.path("games")).unwrap();
    }

    let config = evolve::CONFIG.replacen("\"greedy\"", "\"sim:quick.toml\"", 1);
    let config = config.replace("generations = 4", "generations = 1").replace("restarts = 1", "restarts = 0");
    place.write("short.toml", config.replace("final_pairs = 30", "final_pairs = 1"));
    let command = |out: &'static str| [&["evolve", "short.toml", "--threads", "2", "--out", out], &small[..]].concat();
    place.succeed(&command("calm"));
    interrupt(&place, &command("stopped"), "stopped");
    let kept = place.path("stopped/work/search-00-generation-00001-pairs-0000000");
    assert!(kept.exists(), "{:?}", written(&place.path("stopped")));
    place.succeed(&command("stopped"));
    assert!(!kept.exists());
    assert!(files_below(&place.path("stopped")) == files_below(&place.path("calm")), "other bytes");
}

#[cfg(unix)]
#[test]
fn a_terminated_match_writes_partial_files_which_the_rerun_replaces() {
    let (place, small) = prepared();
    let play = |pairs: &'static str| {
        let players = ["match", "--player-a", "leave:table.csv", "--player-b", "greedy", "--out", "kept", "--pairs", pairs];
        [&players[..], &small[..], &["--json", "match.json", "--pairs-out", "pairs.parquet", "--games-out", "games"]]
            .concat()
    };
    let child = start(&place, &play("1000000"), "kept");
    // Before the first pair there is nothing to write.
    while !place.path("kept/work/pairs-00000").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    tilewright_tests::send("TERM", &child);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
    let json =
        || -> serde_json::Value { serde_json::from_slice(&std::fs::read(place.path("match.json")).unwrap()).unwrap() };
    let partial = json();
    assert_eq!(partial["partial"], true);
    let pairs = partial["pairs"].as_u64().unwrap();
    let numbers = || tilewright_train::parquet_file::read(&place.path("pairs.parquet"), &["pair"]).unwrap().remove(0);
    let count = |column: tilewright_train::parquet_file::Column| match column {
        tilewright_train::parquet_file::Column::Int64(numbers) => numbers.len() as u64,
        _ => 0,
    };
    assert_eq!(
        (count(numbers()), tilewright_train::parquet_file::stopped(&place.path("pairs.parquet")).is_some()),
        (pairs, true)
    );
    let games = || tilewright_train::match_games::stopped(&place.path("games")).is_some();
    assert!(games() && place.path("games/games-00000.parquet").exists());
    // Another match does not replace the files of this one.
    let other = ["match", "--player-a", "greedy", "--player-b", "greedy", "--pairs", "1", "--json", "match.json"];
    place.refuse(&[&other[..], &small[..]].concat(), &["match.json", "never overwritten"]);
    // Somebody's own file is in the way.
    place.write("games/notes.txt", "mine");
    place.refuse(&play("3000"), &["games already exists"]);
    std::fs::remove_file(place.path("games/notes.txt")).unwrap();
    // What was finished is read back; the files are replaced, once.
    let ended = place.run(&play("3000"));
    assert_eq!(ended.code, 0, "{}", ended.errors);
    assert_eq!((json()["partial"].as_bool(), count(numbers())), (Some(false), 3000));
    assert!(!games() && place.path("games/games-00005.parquet").exists());
    place.refuse(&play("3000"), &["match.json", "never overwritten"]);
}

/// Something stands where a file or a folder is to come, until the first attempt has failed.
#[test]
fn what_ends_between_its_outputs_is_finished_by_the_same_command() {
    let (place, small) = small_workplace();
    let play = ["match", "--player-a", "greedy", "--player-b", "no-leaves", "--pairs", "4000", "--threads", "1", "--quiet"];
    let files = ["--json", "o/j.json", "--pairs-out", "o/p.parquet", "--games-out", "o/games", "--out", "o/run"];
    let record = ["selfplay", "--player", "greedy", "--games", "6000", "--threads", "1", "--quiet"];
    let record_files = ["--json", "r/j.json", "--out", "r/run"];
    for (command, in_the_way, left) in [
        ([&play[..], &files, &small].concat(), "o/games/other", ["o/p.parquet"; 2]),
        (
            [&record[..], &record_files, &small].concat(),
            "r/run/manifest.json/other",
            ["r/j.json", "r/run/games-00000.parquet"],
        ),
    ] {
        std::fs::create_dir(place.path(&in_the_way[..1])).unwrap();
        let mut first = place.command(&command).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let run = place.path(&format!("{}/run/work/run", &in_the_way[..1]));
        while !run.exists() {
            assert!(first.try_wait().unwrap().is_none(), "it has ended too soon");
            std::thread::sleep(Duration::from_millis(2));
        }
        std::fs::create_dir_all(place.path(in_the_way)).unwrap();
        assert_eq!(first.wait().unwrap().code(), Some(1), "{in_the_way}");
        assert!(left.iter().all(|file| place.path(file).exists()), "{in_the_way}");
        std::fs::remove_dir_all(place.path(in_the_way).parent().unwrap()).unwrap();
        place.succeed(&command);
        let cached = std::fs::read_dir(place.path("cache/tilewright")).unwrap();
        assert!(cached.flatten().all(|entry| !entry.file_name().to_string_lossy().starts_with("outputs-")));
        // Now it is finished, and stays.
        place.refuse(&command, &["already exists and is never overwritten"]);
    }
    let alone = [&play[..], &["--json", "alone.json"], &small].concat();
    place.succeed(&alone);
    let figures = |name| super::figures_without_speeds(&place, name);
    assert_eq!(figures("o/j.json"), figures("alone.json"));
}
