//! External players: programs and servers, correct and faulty ones, and `serve`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use serde_json::Value;
use tilewright_tests::Workplace;

use super::{small_workplace, workplace};

/// The greeting of a player that is a shell script.
const GREETS: &str = r#"read -r hello; echo '{"type":"ready","protocol":1}';"#;

fn binary() -> &'static str {
    env!("CARGO_BIN_EXE_tilewright-under-test")
}

/// The figures of a match without its speed and the names of its players.
fn figures(place: &Workplace, name: &str, arguments: &[&str]) -> Value {
    place.succeed(&[&["match", "--quiet", "--json", name][..], arguments].concat());
    let mut json: Value = serde_json::from_slice(&std::fs::read(place.path(name)).unwrap()).unwrap();
    for key in ["games_per_second", "cpu_seconds", "player_a", "player_b"] {
        json.as_object_mut().unwrap().remove(key);
    }
    json
}

#[test]
fn a_served_player_plays_like_a_local_one() {
    let place = workplace();
    let served = |player: &str| format!("stdio:{} serve --stdio --player {player}", binary());
    let against_leave = |name, player: &str, threads| {
        figures(&place, name, &["--player-a", player, "--player-b", "leave", "--pairs", "5", "--threads", threads])
    };
    let leave = against_leave("leave.json", &served("leave"), "2");
    assert_eq!((leave["win_rate"].as_f64(), leave["spread"].as_f64()), (Some(0.5), Some(0.0)));
    assert_eq!(leave, against_leave("home.json", "leave", "2"));
    let greedy = against_leave("greedy.json", "greedy", "1");
    assert_eq!(against_leave("one.json", &served("greedy"), "1"), greedy);
    assert_eq!(against_leave("two.json", &served("greedy"), "2"), greedy);
}

/// Starts `serve` on a free port; returns the process and the name of the player in matches.
fn listening(place: &Workplace, arguments: &[&str]) -> (Child, String) {
    let mut serve = place.command(&[&["serve", "--listen", "0"][..], arguments].concat());
    let mut child = serve.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("listens on 127.0.0.1:"), "{line}");
    let name = line.trim().rsplit(' ').next().unwrap().to_string();
    (child, name)
}

fn interrupt(child: &Child) {
    assert!(std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}

fn errors_of(mut child: Child) -> (Option<i32>, String) {
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    (child.wait().unwrap().code(), errors)
}

#[cfg(unix)]
#[test]
fn a_server_survives_bad_clients() {
    let (place, small) = small_workplace();
    let (child, name) = listening(&place, &[&["--player", "greedy", "--connections", "3"][..], &small].concat());
    let say = |lines: &[&[u8]]| {
        let mut socket = TcpStream::connect(name.strip_prefix("tcp:").unwrap()).unwrap();
        // The server may close the connection early.
        let _ = lines.iter().try_for_each(|line| socket.write_all(line));
        let _ = socket.shutdown(std::net::Shutdown::Write);
        let mut replies = String::new();
        let _ = socket.read_to_string(&mut replies);
        replies
    };
    let replies = say(&[
        b"\xff\xfe nonsense\n\n[1]\n{\"type\":\"move\",\"id\":3}\n",
        b"{\"type\":\"hello\",\"protocol\":1,\"more\":{}}\n{\"type\":\"move\",\"id\":4,\"cgp\":\"15/15 A/ 0/0 0\"}\nhalf",
    ]);
    let types: Vec<Value> = replies.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let types: Vec<&str> = types.iter().filter_map(|reply| reply["type"].as_str()).collect();
    assert_eq!(types, ["error", "error", "error", "error", "ready", "error"], "{replies}");
    assert!(replies.contains("\"id\":4") && replies.contains("2 rows of squares"), "{replies}");
    say(&[&vec![b'x'; 2 << 20]]);
    assert_eq!(say(&[&b"x\n".repeat(500)]).lines().count(), 100);
    let play = |name: &str, player: &str| {
        let arguments = ["--player-a", player, "--player-b", "leave:likes.csv", "--pairs", "4", "--threads", "2"];
        figures(&place, name, &[&arguments[..], &small].concat())
    };
    place.write("likes.csv", "A,2\nE,3\nS,6\nEE,-2\nAE,1\n?,20\n");
    assert_eq!(play("there.json", &name), play("here.json", "greedy"));
    let held: Vec<TcpStream> = (0..3).map(|_| TcpStream::connect(&name[4..]).unwrap()).collect();
    // Connections are accepted in order, so these three come before the match.
    place.refuse(
        &[&["match", "--player-a", &name, "--player-b", "greedy", "--pairs", "1"][..], &small].concat(),
        &["refuses to play: all 3 connections are in use"],
    );
    drop(held);
    interrupt(&child);
    let (code, errors) = errors_of(child);
    assert_eq!(code, Some(130), "{errors}");
    assert!(errors.contains("moves served on") && errors.contains("106 invalid lines"), "{errors}");
    assert!(errors.contains("1 connections refused"), "{errors}");
}

/// A script that answers every request with this move and the request's number.
fn always(chosen: &str) -> String {
    format!(
        r#"{GREETS} while read -r line; do case $line in *'"type":"move"'*)
        id=${{line#*'"id":'}}; echo "{{\"type\":\"move\",\"id\":${{id%%,*}},\"move\":\"{chosen}\"}}";; esac; done"#
    )
}

#[cfg(unix)]
#[test]
fn a_match_against_a_faulty_player_ends_and_reports_the_faults() {
    let (place, small) = small_workplace();
    let scripts = [
        ("hangs", format!("{GREETS} sleep 60"), "12 (12 late)", "late: no answer within 0.2 s"),
        ("crashes", format!("{GREETS} read -r line; echo 'no more memory' >&2; exit 3"), "12 (12 gone)", "no more memory"),
        (
            "garbage",
            format!("{GREETS} while read -r line; do echo 'CAT, perhaps?'; done"),
            "12 (12 nonsense)",
            "CAT, perhaps?",
        ),
        ("illegal", always("1A ZZZ"), "12 (12 illegal)", "1A ZZZ"),
        ("chess", always("e2e4"), "12 (12 nonsense)", "\"e2e4\": not a move; write"),
        ("floods", format!("{GREETS} yes"), "12 (12 nonsense)", "it answered \"y\""),
        ("binary", format!("{GREETS} cat /dev/zero"), "12 (12 nonsense)", "more than 1048576 bytes"),
    ];
    for (name, script, counts, what) in scripts {
        let (player, json, log) = (format!("stdio:{script}"), format!("{name}.json"), format!("{name}.log"));
        // Only the player that hangs may be late, even on a busy machine.
        let time = if name == "hangs" { "0.2s" } else { "60s" };
        let arguments = ["match", "--player-a", "greedy", "--player-b", &player, "--pairs", "2", "--answer-time", time];
        let output = place.succeed(&[&arguments[..], &["--json", &json, "--fault-log", &log], &small].concat());
        assert!(output.contains(&format!("faults      A none; B {counts}, 4 games forfeited")), "{name}: {output}");
        assert!(output.contains(what) && output.contains("B, pair 0, moving first, turn 1: "), "{name}: {output}");
        assert!(output.contains("win rate    100.00 %") && output.contains("--fault-log FILE"), "{name}: {output}");
        let log = std::fs::read_to_string(place.path(&log)).unwrap();
        assert_eq!(log.lines().filter(|line| line.contains(what)).count(), 12, "{name}: {log}");
        let json: Value = serde_json::from_slice(&std::fs::read(place.path(&json)).unwrap()).unwrap();
        assert_eq!(json["faults"]["forfeits_b"].as_u64(), Some(4), "{name}: {json}");
    }
}

#[cfg(unix)]
#[test]
fn passing_is_no_fault() {
    let (place, small) = small_workplace();
    let passes = format!("stdio:{}", always("pass"));
    let arguments = ["match", "--player-a", &passes, "--player-b", "greedy", "--pairs", "2", "--fault-log", "none.log"];
    let output = place.succeed(&[&arguments[..], &small].concat());
    assert!(output.contains("win rate    0.00 %") && !output.contains("faults"), "{output}");
    assert_eq!(std::fs::read_to_string(place.path("none.log")).unwrap(), "");
}

#[cfg(unix)]
#[test]
fn a_player_that_crashes_is_restarted() {
    let (place, small) = small_workplace();
    // The script forwards the greeting and nine more lines, then it closes the input of the server.
    let server = format!("{} serve --stdio --player greedy {}", binary(), small.join(" "));
    let script =
        format!("stdio:n=0; while [ $n -lt 10 ] && read -r line; do printf '%s\\n' \"$line\"; n=$((n+1)); done | {server}");
    let arguments = ["match", "--player-a", &script, "--player-b", "greedy", "--pairs", "3", "--threads", "1"];
    let output = place.succeed(&[&arguments[..], &small].concat());
    assert!(output.contains(" gone); B none"), "{output}");
    assert!(output.contains("the program ended (exit status: 0)") && !output.contains("forfeited"), "{output}");
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_a_match_against_a_player_that_hangs() {
    let (place, small) = small_workplace();
    let script = format!("stdio:{GREETS} read -r line; touch asked; sleep 1000 & echo $! > hanging; wait");
    let arguments = ["match", "--player-a", &script, "--player-b", "greedy", "--pairs", "1000", "--answer-time", "0.1s"];
    let mut command = place.command(&[&arguments[..], &["--threads", "1"], &small].concat());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut begun = String::new();
    errors.read_line(&mut begun).unwrap();
    assert!(begun.contains("match: 1000 pairs"), "{begun}");
    while !place.path("asked").exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    interrupt(&child);
    let mut rest = String::new();
    errors.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest}");
    assert!(rest.contains("pairs were played") && rest.contains("late"), "{rest}");
    // The processes that the player started have ended too.
    let hanging = std::fs::read_to_string(place.path("hanging")).unwrap();
    let command = std::fs::read(format!("/proc/{}/cmdline", hanging.trim()));
    assert!(!command.is_ok_and(|command| !command.is_empty()), "process {hanging} is still there");
}

#[test]
fn players_that_cannot_be_reached_are_refused_at_once() {
    let (place, small) = small_workplace();
    let refuse = |player: &str, parts: &[&str]| {
        place
            .refuse(&[&["match", "--player-a", player, "--player-b", "greedy", "--pairs", "1"][..], &small].concat(), parts);
    };
    refuse("stdio:no-such-engine --at-all", &["player stdio:no-such-engine --at-all: the program ended", "not found"]);
    refuse("tcp:127.0.0.1:1", &["player tcp:127.0.0.1:1: no connection", "refused"]);
    for incomplete in ["stdio:", "tcp:localhost", "stdio+endgame:true"] {
        refuse(incomplete, &["is not a player", "stdio:COMMAND and tcp:HOST:PORT", "serve --help"]);
    }
    let english = format!("stdio:{} serve --stdio", binary());
    refuse(&english, &["refuses to play: it plays the tile set \"english\" on the board \"standard\", not \"small\""]);
    place.refuse(
        &["moves", "--rack", "AE", "--player", "tcp:127.0.0.1:1"],
        &["tcp:127.0.0.1:1 is external", "tilewright match"],
    );
    place.write("faults.log", "");
    let overwriting = ["match", "--player-a", "greedy", "--player-b", "greedy", "--pairs", "1", "--fault-log", "faults.log"];
    place.refuse(&overwriting, &["faults.log", "never overwritten"]);
    place.refuse(&["serve"], &["--stdio"]);
    place.refuse(&["serve", "--stdio", "--listen", "7000"], &["cannot be used with"]);
    place.refuse(&["serve", "--listen", "somewhere"], &["7000", "0.0.0.0:7000"]);
    place.refuse(&["serve", "--stdio", "--player", "tcp:127.0.0.1:1"], &["tcp:127.0.0.1:1 is external"]);
}
