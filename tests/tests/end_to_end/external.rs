//! External players: programs and servers, correct and faulty ones, and `serve`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tilewright_tests::{Workplace, interrupt, send};

use super::{figures_without_speeds, small_workplace, workplace};

/// The greeting of a player that is a shell script.
const GREETS: &str = r#"read -r hello; echo '{"type":"ready","protocol":1}';"#;

fn binary() -> &'static str {
    env!("CARGO_BIN_EXE_tilewright-under-test")
}

/// The figures of a match without its speed and the names of its players.
fn figures(place: &Workplace, name: &str, arguments: &[&str]) -> Value {
    place.succeed(&[&["match", "--quiet", "--json", name][..], arguments].concat());
    let mut json = figures_without_speeds(place, name);
    for key in ["player_a", "player_b", "programs"] {
        json.as_object_mut().unwrap().remove(key);
    }
    json
}

fn whole_json(place: &Workplace, name: &str) -> Value {
    serde_json::from_slice(&std::fs::read(place.path(name)).unwrap()).unwrap()
}

#[test]
fn a_served_player_plays_like_a_local_one() {
    let place = workplace();
    let served = |player: &str| format!("stdio:{} serve --stdio --player {player}", binary());
    let against_leave = |name, player: &str, threads| {
        figures(&place, name, &["--player-a", player, "--player-b", "leave", "--pairs", "5", "--threads", threads])
    };
    let leave = against_leave("leave.json", &served("leave"), "2");
    assert_eq!((leave["win_rate"]["mean"].as_f64(), leave["spread"]["mean"].as_f64()), (Some(0.5), Some(0.0)));
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
    let post = b"POST / HTTP/1.1\r\nHost: localhost\r\n\r\n{\"type\":\"hello\",\"protocol\":1}\n";
    assert_eq!(say(&[post]), "", "a page on the web makes a browser send this");
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

#[cfg(unix)]
#[test]
fn a_busy_host_ends_soon_and_says_what_it_has_served() {
    let place = workplace();
    place.write("long.toml", "ranker = \"greedy\"\n[simulation]\nplies = 20\ncandidates = 3\niterations = 10000000\n");
    let (child, name) = listening(&place, &["--player", "sim:long.toml", "--no-word-map"]);
    let board = ["15"; 15].join("/");
    let request = format!("{{\"type\":\"move\",\"id\":1,\"cgp\":\"{board} AEINRSV/ 0/0 0\"}}\n");
    let ask = |_| {
        let mut socket = TcpStream::connect(&name[4..]).unwrap();
        socket.write_all(format!("{{\"type\":\"hello\",\"protocol\":1}}\n{request}").as_bytes()).unwrap();
        socket
    };
    let _clients: Vec<TcpStream> = (0..40).map(ask).collect();
    std::thread::sleep(Duration::from_secs(3));
    interrupt(&child);
    let (code, errors) = errors_of(child);
    // Where the work does not end in time, the process ends by itself and says the same.
    assert!(code == Some(130) && errors.contains("moves served on 40 connections"), "{code:?} {errors}");
}

#[test]
fn a_client_that_only_ends_games_is_idle_and_long_values_are_not_echoed() {
    let (place, small) = small_workplace();
    let (child, name) = listening(&place, &[&["--player", "greedy", "--idle-time", "1s"][..], &small].concat());
    let connect = || TcpStream::connect(name.strip_prefix("tcp:").unwrap()).unwrap();
    // Neither the end of a game nor another greeting is a request for a move.
    for line in ["{\"type\":\"game_over\",\"game\":\"1\",\"scores\":[0,0]}\n", "{\"type\":\"hello\",\"protocol\":1}\n"] {
        let (mut socket, since) = (connect(), Instant::now());
        while socket.write_all(line.as_bytes()).is_ok() {
            assert!(since.elapsed() < Duration::from_secs(30), "the connection is still open");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    let long = "x".repeat(60_000);
    for line in [
        format!("{{\"type\":\"{long}\"}}\n"),
        format!("{{\"type\":\"hello\",\"protocol\":1}}\n{{\"type\":\"move\",\"id\":1,\"cgp\":\"{long}\"}}\n"),
    ] {
        let mut socket = connect();
        socket.write_all(line.as_bytes()).unwrap();
        socket.shutdown(std::net::Shutdown::Write).unwrap();
        let mut replies = String::new();
        socket.read_to_string(&mut replies).unwrap();
        assert!(replies.contains("\"type\":\"error\"") && replies.len() < 1000, "{replies}");
    }
    // A line of this length is no request, and nothing after it is read.
    let mut socket = connect();
    let _ = socket.write_all(&[b"x".repeat(70_000).as_slice(), b"\n{}\n"].concat());
    let mut replies = String::new();
    let _ = socket.read_to_string(&mut replies);
    assert_eq!(replies, "");
    interrupt(&child);
    let (code, errors) = errors_of(child);
    assert_eq!(code, Some(130), "{errors}");
    assert!(
        errors.contains("no request for a move within --idle-time") && errors.contains("more than 65536 bytes"),
        "{errors}"
    );
    assert!(errors.len() < 3000, "{errors}");
}

/// Where there is one client alone, what is wrong with it decides the exit code.
#[cfg(unix)]
#[test]
fn what_ends_a_conversation_over_standard_streams_is_an_error() {
    let (place, small) = small_workplace();
    place.write("long.txt", "x".repeat(70_000));
    place.write("invalid.txt", "{}\n".repeat(100));
    let serve = [&["serve", "--stdio", "--player", "greedy"][..], &small].concat();
    for (input, expected) in
        [("long.txt", "more than 65536 bytes"), ("invalid.txt", "100 invalid lines"), (".", "cannot be read")]
    {
        let input = std::fs::File::open(place.path(input)).unwrap();
        let child = place.command(&serve).stdin(input).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let (code, errors) = errors_of(child);
        assert!(code == Some(2) && errors.contains("standard input") && errors.contains(expected), "{code:?} {errors}");
    }
}

/// Whether a process with this number runs.
#[cfg(target_os = "linux")]
fn runs(process: &str) -> bool {
    // A process that nobody has waited for still has a number, but runs no more.
    std::fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

#[cfg(target_os = "linux")]
#[test]
fn programs_end_with_the_match_however_it_ends() {
    let (place, small) = small_workplace();
    // It looks neither at the end of its input nor at a closed output.
    let script = format!("{GREETS} echo $$ > player.pid; trap '' INT TERM PIPE; while :; do sleep 0.1; done");
    for (name, signals) in [("killed", ["KILL"].as_slice()), ("stopped at once", &["INT", "INT"]), ("stopped", &["INT"])] {
        let player = format!("stdio:{script}");
        let arguments = ["match", "--player-a", &player, "--player-b", "greedy", "--pairs", "2", "--answer-time", "600s"];
        let mut command = place.command(&[&arguments[..], &small].concat());
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let number = place.path("player.pid");
        let begun = Instant::now();
        let within = |seconds: u64| assert!(begun.elapsed() < Duration::from_secs(seconds), "{name}");
        let number = loop {
            match std::fs::read_to_string(&number) {
                Ok(number) if number.ends_with('\n') => break number.trim().to_string(),
                _ => within(60),
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        assert!(runs(&number), "{name}");
        for signal in signals {
            send(signal, &child);
            std::thread::sleep(Duration::from_millis(50));
        }
        let code = child.wait().unwrap().code();
        let mut errors = String::new();
        child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert_eq!(code, if name == "killed" { None } else { Some(130) }, "{name}: {errors}");
        while runs(&number) {
            within(90);
            std::thread::sleep(Duration::from_millis(20));
        }
        std::fs::remove_file(place.path("player.pid")).unwrap();
    }
}

/// A script that runs `before` on every request, and answers with this move and the request's number.
fn script(before: &str, chosen: &str) -> String {
    format!(
        r#"{GREETS} while read -r line; do case $line in *'"type":"move"'*) {before};
        id=${{line#*'"id":'}}; echo "{{\"type\":\"move\",\"id\":${{id%%,*}},\"move\":\"{chosen}\"}}";; esac; done"#
    )
}

fn always(chosen: &str) -> String {
    script(":", chosen)
}

#[cfg(unix)]
#[test]
fn a_match_against_a_faulty_player_ends_and_reports_the_faults() {
    let (place, small) = small_workplace();
    let scripts = [
        ("hangs", format!("{GREETS} while :; do :; done"), "12 (12 late)", "late: no answer within 0.2 s"),
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

/// Interrupts a match against a script once it has written its process to the file `hanging`. The match must end at once, with the
/// script's processes. Returns its standard error.
#[cfg(target_os = "linux")]
fn interrupt_while_it_hangs(script: &str, flags: &[&str]) -> String {
    let (place, small) = small_workplace();
    let player = format!("stdio:{script}");
    let arguments = ["match", "--player-a", &player, "--player-b", "greedy", "--pairs", "1000", "--threads", "1"];
    let mut command = place.command(&[&arguments[..], flags, &small].concat());
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    let hanging = loop {
        match std::fs::read_to_string(place.path("hanging")) {
            Ok(hanging) if hanging.ends_with('\n') => break hanging,
            _ => std::thread::sleep(Duration::from_millis(10)),
        }
    };
    let begun = Instant::now();
    interrupt(&child);
    let (code, errors) = errors_of(child);
    assert_eq!(code, Some(130), "{errors}");
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}: {errors}", begun.elapsed());
    let is_there =
        |process: &str| std::fs::read(format!("/proc/{process}/cmdline")).is_ok_and(|command| !command.is_empty());
    for process in hanging.split_whitespace() {
        while is_there(process) {
            assert!(begun.elapsed() < Duration::from_secs(3), "process {process} is still there");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    errors
}

/// A script that sleeps in the background, writes the processes of the shell and of the sleep, and waits.
const SLEEPS: &str = "sleep 60 & echo $$ $! > hanging; wait";

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_a_match_while_a_player_hangs() {
    for flags in [&[][..], &["--answer-time", "1h"], &["--out", "run"]] {
        let errors = interrupt_while_it_hangs(&format!("{GREETS} read -r line; {SLEEPS}"), flags);
        assert!(errors.contains("0 of 1000 pairs were played") && !errors.contains("faults"), "{errors}");
    }
    let starting = interrupt_while_it_hangs(&format!("read -r line; {SLEEPS}"), &[]);
    assert!(starting.contains("was not ready yet"), "{starting}");
    // After a fault a new program is started, and hangs before its greeting.
    let again = format!(
        "read -r hello; if [ -e asked ]; then {SLEEPS}; fi; touch asked; echo '{{\"type\":\"ready\",\"protocol\":1}}'"
    );
    let restarting = interrupt_while_it_hangs(&again, &[]);
    assert!(restarting.contains("0 of 1000 pairs were played"), "{restarting}");
}

/// Old answers without end are skipped, but neither the limit nor Ctrl-C is.
#[test]
fn a_stream_of_old_answers_stops_no_clock() {
    let floods =
        format!("{GREETS} read -r line; echo $$ $$ > hanging; yes '{{\"type\":\"move\",\"id\":0,\"move\":\"pass\"}}'");
    let (place, small) = small_workplace();
    let player = format!("stdio:{floods}");
    let play = ["match", "--player-a", &player, "--player-b", "greedy", "--pairs", "1", "--clock", "1h"];
    let late = place.succeed(&[&play[..], &["--answer-time", "0.2s", "--threads", "1"], &small].concat());
    assert!(late.contains("late: no answer within 0.2 s"), "{late}");
    let errors = interrupt_while_it_hangs(&floods, &["--answer-time", "1h"]);
    assert!(errors.contains("0 of 1000 pairs were played"), "{errors}");
}

/// A shell function that uses some CPU time.
const BURNS: &str = "burn() { i=0; while [ $i -lt $1 ]; do i=$((i+1)); done; };";

#[cfg(target_os = "linux")]
#[test]
fn the_answer_time_is_cpu_time() {
    let (place, small) = small_workplace();
    let play = |script: &str, time: &str| {
        let player = format!("stdio:{script}");
        let arguments = ["match", "--player-a", &player, "--player-b", "greedy", "--pairs", "1", "--answer-time", time];
        place.succeed(&[&arguments[..], &["--threads", "1", "--fault-log", &format!("{time}.log")], &small].concat())
    };
    // Once it sleeps longer than its time.
    let sleeps_once = script("[ -e slept ] || sleep 0.6; touch slept", "pass");
    let waits = play(&sleeps_once, "0.2s");
    assert!(waits.contains("win rate    0.00 %") && !waits.contains("faults"), "{waits}");
    // It computes longer than its time, in a child that it waits for.
    let computes = play(&format!("{BURNS} {}", script("(burn 400000)", "pass")), "0.01s");
    assert!(computes.contains("6 late") && computes.contains("late: no answer within 0.01 s of CPU time"), "{computes}");
    // With a clock it is elapsed time.
    std::fs::remove_file(place.path("slept")).unwrap();
    let player = format!("stdio:{sleeps_once}");
    let timed = ["match", "--player-a", &player, "--player-b", "greedy", "--pairs", "1", "--answer-time", "0.2s"];
    let timed = place.succeed(&[&timed[..], &["--clock", "1h", "--threads", "1"], &small].concat());
    assert!(timed.contains("late: no answer within 0.2 s\n"), "{timed}");
}

#[cfg(target_os = "linux")]
#[test]
fn the_cpu_time_of_each_side_is_counted() {
    let (place, small) = small_workplace();
    // On each request the script writes its CPU time and that of its children, as the shell knows it. The first program ends at its
    // first request, so that the time of programs that have ended is needed too.
    let before =
        "n=$((n+1)); [ $n -gt 12 ] || { burn 40000; (burn 40000); }; times > times.$$; [ -e once ] || { touch once; exit; }";
    let player = format!("stdio:{BURNS} {}", script(before, "pass"));
    let arguments = ["match", "--player-a", "greedy", "--player-b", &player, "--pairs", "3", "--threads", "1"];
    let output = place.succeed(&[&arguments[..], &["--json", "m.json"], &small].concat());
    assert!(output.contains("faults      A none; B 1 (1 gone)"), "{output}");
    let json = whole_json(&place, "m.json");
    let reported = json["cpu_seconds_b"].as_f64().unwrap();
    let mut written = Vec::new();
    for entry in std::fs::read_dir(place.path("")).unwrap().flatten() {
        if entry.file_name().to_string_lossy().starts_with("times.") {
            // Four times such as 0m1.250000s.
            let times = std::fs::read_to_string(entry.path()).unwrap();
            let seconds = |word: &str| -> f64 {
                let (minutes, seconds) = word.trim_end_matches('s').split_once('m').unwrap();
                60.0 * minutes.parse::<f64>().unwrap() + seconds.parse::<f64>().unwrap()
            };
            written.push(times.split_whitespace().map(seconds).sum::<f64>());
        }
    }
    let counted: f64 = written.iter().sum();
    assert!(written.len() == 2 && counted > 0.3, "{written:?}");
    // What a program does after it has written the times is not in them, and four times are rounded down by up to 10 ms.
    let most = 0.05 + 0.05 * written.len() as f64;
    assert!((reported - counted).abs() < most, "{reported} reported, {counted} counted by {} programs", written.len());
    assert!(json["cpu_seconds_a"].as_f64().unwrap() < 1.0, "{json}");
    let own = json["cpu_seconds_a"].as_f64().unwrap();
    let [a, b] = [own, reported].map(|seconds| format!("{:.4} s per game ({seconds:.2} s)", seconds / 6.0));
    assert!(output.contains(&format!("CPU time    A {a}, B {b}")), "{output}");
}

#[test]
fn the_cpu_time_of_players_of_this_engine_adds_up() {
    let (place, small) = small_workplace();
    place.write("sim.toml", "ranker = \"greedy\"\n[simulation]\nplies = 2\ncandidates = 3\niterations = 12\n");
    let play = |a: &str, pairs: &str, name: &str| {
        let arguments = ["match", "--player-a", a, "--player-b", "greedy", "--pairs", pairs, "--threads", "1"];
        place.succeed(&[&arguments[..], &["--json", name], &small].concat());
        let json = whole_json(&place, name);
        ["cpu_seconds", "cpu_seconds_a", "cpu_seconds_b"].map(|key| json[key].as_f64().unwrap())
    };
    // A player that simulates uses almost all of the time.
    let [all, a, b] = play("sim:sim.toml", "20", "sim.json");
    assert!(a < all && a > 0.7 * all && b < 0.1 * a, "{all}, {a}, {b}");
    // Equal players use the same time, up to the error of the sample.
    let [all, a, b] = play("greedy", "1500", "greedy.json");
    assert!(a + b < 1.1 * all && a + b > 0.3 * all && a > 0.5 * b && a < 2.0 * b, "{all}, {a}, {b}");
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
        refuse(incomplete, &["is not a player", "stdio:COMMAND and tcp:HOST:PORT"]);
    }
    let english = format!("stdio:{} serve --stdio", binary());
    refuse(&english, &["refuses to play: it plays the tile set \"english\" on the board \"standard\", not \"small\""]);
    place.refuse(
        &["moves", "--rack", "AE", "--player", "tcp:127.0.0.1:1"],
        &["tcp:127.0.0.1:1 is external", "a match of two players"],
    );
    let timed = ["match", "--player-a", "greedy", "--player-b", "sim", "--pairs", "1", "--answer-time", "1s"];
    place.refuse(&timed, &["player greedy belongs to this program", "stdio:COMMAND and tcp:HOST:PORT", "answer time"]);
    place.write("faults.log", "");
    let overwriting = ["match", "--player-a", "greedy", "--player-b", "greedy", "--pairs", "1", "--fault-log", "faults.log"];
    place.refuse(&overwriting, &["faults.log", "never overwritten"]);
    place.refuse(&["serve"], &["--stdio"]);
    place.refuse(&["serve", "--stdio", "--listen", "7000"], &["cannot be used with"]);
    place.refuse(&["serve", "--listen", "somewhere"], &["7000", "0.0.0.0:7000"]);
    place.refuse(&["serve", "--stdio", "--player", "tcp:127.0.0.1:1"], &["tcp:127.0.0.1:1 is external"]);
}
