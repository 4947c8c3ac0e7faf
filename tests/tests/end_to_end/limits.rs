//! The limits of files and of the system: what is too large is refused before it takes memory, and what the system refuses is said.

use std::fs::File;

use super::{small_workplace, workplace};

#[test]
fn each_kind_of_file_has_its_own_limit() {
    let place = workplace();
    // They take no room on the disk.
    for (name, bytes) in [("a.toml", 16 << 20), ("a.gcg", 1 << 20), ("a.cgp", 64 << 20), ("a.txt", 256 << 20)] {
        File::create(place.path(name)).unwrap().set_len(bytes + 1).unwrap();
        let arguments: &[&str] = match name {
            "a.toml" => &["match", "a.toml"],
            "a.gcg" => &["game", "show", "a.gcg"],
            "a.cgp" => &["solve", "--cgp-file", "a.cgp"],
            _ => &["lexicon", "check", "--lexicon", "a.txt"],
        };
        place.refuse(arguments, &[name, &format!("more than {bytes} bytes")]);
    }
}

/// Files of jobs and runs, too, are refused before they are read.
#[test]
fn large_files_of_jobs_and_runs_are_refused() {
    let (place, small) = small_workplace();
    let flags =
        [&["--out", "plan", "--quiet", "--", "selfplay", "--player", "greedy", "--games", "600"], &small[..]].concat();
    place.succeed(&[&["work", "plan"], &flags[..]].concat());
    place.succeed(&["work", "run", "plan", "--next", "--quiet"]);
    let refuse = |file: &str, command: &[&str]| {
        let kept = std::fs::read(place.path(file)).unwrap();
        File::create(place.path(file)).unwrap().set_len(3 << 30).unwrap();
        place.refuse(command, &[file, "the most that is read of such a file"]);
        std::fs::write(place.path(file), kept).unwrap();
    };
    refuse("plan/run/work/run", &["report", "plan/run", "--save", "x.html"]);
    refuse("plan/run/work/games-00000", &["work", "merge", "plan", "--from", "plan"]);
    refuse("plan/job.json", &["work", "status", "plan"]);
}

#[cfg(unix)]
#[test]
fn a_match_that_cannot_write_its_games_leaves_nothing_in_its_way() {
    let (place, small) = small_workplace();
    let outputs =
        ["--pairs-out", "p.parquet", "--games-out", "games", "--games-format", "gcg", "--json", "m.json", "--quiet"];
    let players = ["match", "--player-a", "greedy", "--player-b", "no-leaves", "--pairs", "300"];
    let command = [&players[..], &outputs, &small].concat();
    let words: Vec<String> = command.iter().map(|word| format!("'{word}'")).collect();
    let binary = env!("CARGO_BIN_EXE_tilewright-under-test");
    for blocks in [4, 16, 64] {
        let script = format!("ulimit -f {blocks}; exec '{binary}' {}", words.join(" "));
        let mut shell = std::process::Command::new("sh");
        let ended = shell.args(["-c", &script]).current_dir(place.path("")).output().unwrap();
        let errors = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.code() == Some(1) && errors.contains("File too large"), "{blocks}: {errors}");
        assert!(["p.parquet", "games", "m.json"].iter().all(|name| !place.path(name).exists()), "{blocks}");
    }
    place.succeed(&command);
}

#[test]
fn a_tile_set_of_one_kind_of_tile_has_nothing_to_learn() {
    let place = workplace();
    place.write("words.txt", "AA\nAAA\nAAAA\n");
    place.write(
        "one.toml",
        "name = \"one\"\nboard = \"standard\"\ntotal_tiles = 100\ntotal_points = 100\nblanks = 0\n\
         letters = [{ letter = \"A\", count = 100, value = 1, vowel = true }]\n\
         [rules]\nrack_size = 7\nbingo_bonus = 50\nexchange_minimum = 7\n",
    );
    let game = ["--tileset", "one.toml", "--lexicon", "words.txt", "--budget", "games=20"];
    place.refuse(&[&["leaves", "train"][..], &game].concat(), &["the one tile set", "use more letters"]);
}

#[cfg(unix)]
#[test]
fn a_file_beyond_the_limit_of_the_system_is_an_error_with_words() {
    let (place, small) = small_workplace();
    let words: Vec<String> = small.iter().map(|word| format!("'{word}'")).collect();
    let binary = env!("CARGO_BIN_EXE_tilewright-under-test");
    let script = format!("ulimit -f 1; exec '{binary}' lexicon export {} --save big.txt", words.join(" "));
    let mut shell = std::process::Command::new("sh");
    let ended = shell.args(["-c", &script]).current_dir(place.path("")).output().unwrap();
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{errors}");
    assert!(errors.contains("big.txt") && errors.contains("File too large"), "{errors}");
    assert!(!place.path("big.txt").exists());
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf8_are_refused_by_every_flag() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let name = OsStr::from_bytes(b"a\xff");
    for flag in ["--json", "--leaves", "--lexicon"] {
        let mut command = workplace().command(&["moves", "--rack", "AEINRST", flag]);
        let ended = command.current_dir("/").arg(name).output().unwrap();
        let errors = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(2), "{errors}");
        assert!(errors.contains("not UTF-8; give files and folders names in UTF-8"), "{errors}");
    }
}
