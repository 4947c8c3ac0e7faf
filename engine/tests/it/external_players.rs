//! External players: they make the same moves over the protocol as in the process, and faults are penalised.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use tilewright_engine::artefact::{Lexicons, Loader};
use tilewright_engine::clock::Clock;
use tilewright_engine::deals::Domain;
use tilewright_engine::equity::Equity;
use tilewright_engine::game::reading::read_move;
use tilewright_engine::monitor::NoMonitor;
use tilewright_engine::movegen::Generator;
use tilewright_engine::moves::{Move, notation};
use tilewright_engine::player::external::{
    Address, External, FaultCounts, FromPlayer, Hello, MAX_BYTES, MoveRequest, PROTOCOL, ToPlayer, game_of, request_of,
};
use tilewright_engine::player::{Host, MatchPlayer, Player};
use tilewright_engine::selfplay::play_game;
use tilewright_engine::series::{Series, Tally};
use tilewright_engine::setup::Setup;
use tilewright_engine::tileset::TileSet;

fn english() -> Setup {
    Setup::embedded("english").unwrap()
}

fn with_words(tileset: &str, words: &str) -> Setup {
    Setup::from_words(TileSet::embedded(tileset).unwrap(), words).unwrap()
}

/// Compares the moves of `player` over the protocol and directly. Counts exchanges, blanks and turns with an empty bag.
fn compare_over_protocol(setup: &Setup, player: &str, games: u64) -> [usize; 3] {
    let [player, opponent] = [player, "greedy"].map(|name| Player::from_name(name, Loader::new(setup)).unwrap());
    let mut host = Host::new(setup, &player, Lexicons::Same);
    let hello = serde_json::to_vec(&ToPlayer::Hello(Box::new(Hello::new(setup)))).unwrap();
    assert!(host.handle_line(&hello).error.is_none());
    let mut seen = [0; 3];
    for index in 0..games {
        play_game(&mut Generator::new(setup), [&opponent, &player], Domain::Match.deals(5), index, |turn| {
            let game = turn.game;
            let request = request_of(game, setup);
            assert_eq!(request_of(&game_of(&request, setup).unwrap(), setup), request);
            assert_eq!(request.cgp.contains(&format!("{}/ ", request.rack)), !game.bag.is_empty(), "{}", request.cgp);
            let line = serde_json::to_vec(&ToPlayer::Move(Box::new(request))).unwrap();
            let reply = host.handle_line(&line).reply.unwrap();
            let Ok(FromPlayer::Move(answer)) = serde_json::from_str(&reply) else { panic!("{reply}") };
            let chosen = read_move(&answer.chosen, &game.turn(setup)).unwrap();
            let direct = player.choose(&mut Generator::new(setup), game);
            assert_eq!(chosen, direct.chosen, "{reply}");
            assert_eq!(Equity::from_fractional_points(answer.equity.unwrap()), direct.reported_equity());
            seen[0] += usize::from(matches!(chosen, Move::Exchange(_)));
            seen[1] += usize::from(chosen.tiles().iter().any(|tile| tile.is_blank() && tile.letter() > 0));
            seen[2] += usize::from(game.bag.is_empty());
        });
    }
    seen
}

#[test]
fn a_static_player_makes_the_same_moves_over_the_protocol() {
    let seen = compare_over_protocol(&english(), "leave", 8);
    assert!(seen.iter().all(|&turns| turns > 0), "{seen:?}");
}

#[test]
fn deciding_players_make_the_same_moves_over_the_protocol() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("quick.toml");
    std::fs::write(&path, "[simulation]\nplies = 2\ncandidates = 4\niterations = 24\ninference = true\n").unwrap();
    compare_over_protocol(&english(), &format!("sim:{}", path.display()), 1);
    compare_over_protocol(&english(), "greedy+endgame", 1);
}

#[test]
fn tiles_of_several_characters_and_many_letters_pass_the_protocol() {
    let spanish = "AL\nAS\nCHE\nDE\nEL\nEN\nES\nLA\nLE\nLLA\nNO\nOS\nRE\nSE\nSI\nTE\nUN\nYA\nAÑO\nUÑA\nARRE\nERRA\nCASA\nCOSA\nLUNA\n\
                   PERRO\nCHURRO\nLLAVE\nNIÑO\nMESA\nRATO\nTARDE\nDADO\nPASO\nCALLE\nLECHE\nZORRO\nAIRE\nOIR\nOCA\nOLA\nALA\nQUE\n";
    let polish = "ŻE\nĆMA\nŁÓŻKO\nŚĆ\nĄŹ\nNA\nTAK\nNIE\nDOM\nOKO\nKOT\nRAZ\nWODA\nZIMA\nKAWA\nMIŁO\nSŁOŃ\nĘCH\nOD\nDO\nZA\nPO\nKA\nIN\nTE\n";
    compare_over_protocol(&with_words("spanish", spanish), "greedy", 4);
    compare_over_protocol(&with_words("polish", polish), "greedy", 4);
}

/// Starts a player on a socket. `answer` takes a connection's number and a request; it returns a line, or `None` to close.
fn listening(answer: impl Fn(usize, &MoveRequest) -> Option<String> + Send + Sync + 'static) -> Address {
    ready_and_listening(r#"{"type":"ready","protocol":1}"#, answer)
}

/// As [`listening`], with this answer to the greeting.
fn ready_and_listening(
    ready: &'static str,
    answer: impl Fn(usize, &MoveRequest) -> Option<String> + Send + Sync + 'static,
) -> Address {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let answer = Arc::new(answer);
    thread::spawn(move || {
        for (number, socket) in listener.incoming().flatten().enumerate() {
            let answer = Arc::clone(&answer);
            thread::spawn(move || talk(&socket, ready, |request| answer(number, request)));
        }
    });
    Address::Socket(address)
}

fn talk(socket: &TcpStream, ready: &str, answer: impl Fn(&MoveRequest) -> Option<String>) {
    let mut output = socket;
    for line in BufReader::new(socket).lines().map_while(Result::ok) {
        let reply = match serde_json::from_str(&line).unwrap() {
            ToPlayer::Hello(_) => Some(ready.to_string()),
            ToPlayer::Move(request) => answer(&request),
            ToPlayer::GameOver(_) => continue,
        };
        let Some(reply) = reply else { break };
        output.write_all(format!("{reply}\n").as_bytes()).unwrap();
    }
    let _ = socket.shutdown(std::net::Shutdown::Both);
}

/// Connects to a player with a time limit so long that it is late only if it hangs.
fn player(setup: &Setup, address: Address) -> Player {
    player_within(Duration::from_secs(20), setup, address)
}

/// Connects to a player with this time limit for each answer.
fn player_within(answer_time: Duration, setup: &Setup, address: Address) -> Player {
    let external = External::connect(address, Some(answer_time), setup, Duration::from_secs(20), &NoMonitor).unwrap();
    Player::from_external("external", external)
}

fn pair(setup: &Setup, external: &Player) -> Tally {
    let greedy = Player::from_name("greedy", Loader::new(setup)).unwrap();
    let series = Series::new(setup, [external, &greedy], Domain::Match.deals(1));
    series.play(0..1, &NoMonitor)
}

fn answer(request: &MoveRequest, chosen: &str) -> String {
    format!(r#"{{"type":"move","id":{},"move":{chosen:?}}}"#, request.id)
}

/// Requests have all moves of the game so far.
#[test]
fn requests_have_the_history_of_the_game() {
    let setup = english();
    let games = Arc::new(Mutex::new(BTreeMap::<String, Vec<String>>::new()));
    let seen = Arc::clone(&games);
    let external = player(
        &setup,
        listening(move |_, request| {
            let mut games = seen.lock().unwrap();
            let known = games.entry(request.game.clone()).or_default();
            known.extend(request.last.clone());
            assert_eq!((&request.history, request.turn), (&*known, known.len() + 1));
            // An exchange of one tile names it, while exchanges of the opponent have a number.
            let own = if request.bag < 7 { "pass".into() } else { format!("-{}", request.rack.chars().next().unwrap()) };
            known.push(own.clone());
            Some(answer(request, &own))
        }),
    );
    let tally = pair(&setup, &external);
    assert_eq!(tally.faults[0].total(), 0, "{:?}", external.faults());
    let games = games.lock().unwrap();
    assert!(games.len() == 2 && games.values().all(|moves| moves.len() > 10), "{games:?}");
}

/// A program without a move generator takes the first of the legal moves, the one with the highest score.
#[test]
fn a_program_that_wants_moves_gets_all_of_them() {
    let setup = english();
    let ready = r#"{"type":"ready","protocol":1,"name":"values","wants_moves":true}"#;
    let external = player(&setup, ready_and_listening(ready, |_, request| Some(answer(request, &request.moves[0]))));
    let tally = pair(&setup, &external);
    assert_eq!((tally.faults[0].total(), tally.pairs), (0, 1), "{:?}", external.faults());
    assert_eq!(tally.spread_sum, 0, "greedy plays the same moves");
}

#[test]
fn a_host_values_given_moves() {
    let setup = english();
    let leave = Player::from_name("leave", Loader::new(&setup)).unwrap();
    let mut host = Host::new(&setup, &leave, Lexicons::Same);
    host.handle_line(br#"{"type":"hello","protocol":1}"#);
    let mut ask = |moves: &[&str]| {
        let cgp = ["15"; 15].join("/") + " AEINRST/ 0/0 0";
        let moves = moves.iter().map(|&text| text.into()).collect();
        let request = MoveRequest { id: 3, cgp, moves, ..MoveRequest::default() };
        host.handle_line(&serde_json::to_vec(&ToPlayer::Move(Box::new(request))).unwrap())
    };
    let outcome = ask(&["8D NASTIER", "-AEI", "8H TIN", "pass"]);
    let Ok(FromPlayer::Move(answer)) = serde_json::from_str(&outcome.reply.unwrap()) else { panic!("a move") };
    assert!(
        (answer.values[0] - 66.0).abs() < 1e-9 && answer.values[0] > answer.values[2] && answer.values[2] > answer.values[3],
        "{answer:?}"
    );
    assert_eq!(answer.values.len(), 4);
    assert!(ask(&["8D NASTIER", "8D ZZZ"]).error.unwrap().contains("\"8D ZZZ\": the rack"));
}

#[test]
fn three_faults_forfeit_the_game() {
    let setup = english();
    let count = |tally: &Tally| {
        let FaultCounts { illegal, nonsense, late, gone } = tally.faults[0];
        ([illegal, nonsense, late, gone], tally.faults[1].total())
    };
    let illegal = player(&setup, listening(|_, request| Some(answer(request, "8D ZZZZZ"))));
    let tally = pair(&setup, &illegal);
    assert_eq!((count(&tally), tally.forfeits, tally.outcomes[0]), (([6, 0, 0, 0], 0), [2, 0], 1));
    assert!(tally.spread_sum <= -100, "{tally:?}");
    let faults: Vec<String> = illegal.faults().iter().map(ToString::to_string).collect();
    assert!(faults[0].starts_with("pair 0, moving first, turn 1: illegal: "), "{faults:?}");
    assert!(faults[5].starts_with("pair 0, moving second, turn 6: illegal: "), "{faults:?}");
    assert!(faults[0].contains("\"8D ZZZZZ\": the rack"), "{faults:?}");

    let nonsense = player(&setup, listening(|_, _| Some("I think I shall play CAT".into())));
    assert_eq!(count(&pair(&setup, &nonsense)), ([0, 6, 0, 0], 0));
    assert!(nonsense.faults()[0].what.contains("I shall play CAT"));
    let gone = player(&setup, listening(|_, _| None));
    assert_eq!(count(&pair(&setup, &gone)), ([0, 0, 0, 6], 0));
    assert!(gone.faults()[0].what.contains("closed"));
    let endless = player(&setup, listening(|_, _| Some("x".repeat(MAX_BYTES + 10))));
    assert_eq!(count(&pair(&setup, &endless)), ([0, 6, 0, 0], 0));
}

#[test]
fn two_faults_in_a_game_are_two_passes() {
    let setup = english();
    let greedy = Player::from_name("greedy", Loader::new(&setup)).unwrap();
    let moves = english();
    // On two of its turns the answers have the id of a request that was not made.
    let odd = player(
        &setup,
        listening(move |_, request| {
            if (3..7).contains(&request.turn) {
                return Some(r#"{"type":"move","id":99,"move":"pass"}"#.into());
            }
            let game = game_of(request, &moves).unwrap();
            let chosen = greedy.choose(&mut Generator::new(&moves), &game).chosen;
            Some(answer(request, &notation::show(&chosen, game.board(), &moves.tileset)))
        }),
    );
    let tally = pair(&setup, &odd);
    assert_eq!((tally.faults[0].nonsense, tally.faults[0].total(), tally.forfeits), (4, 4, [0, 0]), "{:?}", odd.faults());
    assert!(tally.turns > 40 && tally.bingos[0] > 0, "{tally:?}");
}

#[test]
fn a_player_that_hangs_is_late_and_gets_a_new_connection() {
    let setup = english();
    let hangs = player_within(
        Duration::from_millis(60),
        &setup,
        listening(|_, _| {
            thread::sleep(Duration::from_secs(5));
            None
        }),
    );
    let tally = pair(&setup, &hangs);
    assert_eq!((tally.faults[0].late, tally.forfeits), (6, [2, 0]), "{:?}", hangs.faults());
    assert!(hangs.faults()[0].what.contains("0.06 s"));
    // A late answer is skipped, and the next one counts.
    let slow = player_within(
        Duration::from_millis(500),
        &setup,
        listening(|_, request| {
            thread::sleep(Duration::from_millis(if request.turn < 3 { 700 } else { 0 }));
            Some(answer(request, "pass"))
        }),
    );
    let tally = pair(&setup, &slow);
    assert_eq!((tally.faults[0].late, tally.faults[0].total(), tally.forfeits), (2, 2, [0, 0]), "{:?}", slow.faults());
}

#[test]
fn requests_state_the_remaining_time() {
    let setup = english();
    let timed = player(
        &setup,
        listening(|_, request| {
            let (Some(clock), Some(share)) = (request.clock_ms, request.share_ms) else { return None };
            (share > 0 && share < clock && clock <= 60_000 && request.limit_ms == Some(20_000))
                .then(|| answer(request, "pass"))
        }),
    );
    let greedy = Player::from_name("greedy", Loader::new(&setup)).unwrap();
    let clock = Some(Clock { time: Duration::from_mins(1), overtime: 10 });
    let timed_series = Series { setup: &setup, players: [&timed, &greedy], deals: Domain::Match.deals(1), clock };
    assert_eq!(timed_series.play(0..1, &NoMonitor).faults[0].total(), 0, "{:?}", timed.faults());
    // Without a clock, this player closes the connection.
    assert_eq!(pair(&setup, &timed).faults[0].gone, 6);
}

#[test]
fn a_player_that_does_not_answer_the_greeting_is_refused() {
    let setup = english();
    let connect = |command: &str| {
        let refused =
            External::connect(Address::Command(command.into()), None, &setup, Duration::from_millis(300), &NoMonitor);
        refused.map(drop).unwrap_err()
    };
    assert!(connect("sleep 20").contains("no answer within 0.3 s"));
    let ended = connect("echo no words >&2; exit 3");
    assert!(ended.contains("exit status: 3") && ended.contains("no words"), "{ended}");
    assert!(connect("echo hello; cat > /dev/null").contains("does not speak the protocol"));
    assert!(connect(r#"echo '{"type":"refuse","reason":"only chess"}'; cat > /dev/null"#).contains("only chess"));
    assert!(connect(r#"echo '{"type":"ready","protocol":2}'; cat > /dev/null"#).contains("version 2"));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let free = listener.local_addr().unwrap().to_string();
    drop(listener);
    let nobody = External::connect(Address::Socket(free), None, &setup, Duration::from_secs(1), &NoMonitor);
    assert!(nobody.unwrap_err().contains("no connection to 127.0.0.1"));
}

#[test]
fn only_a_player_of_a_match_can_be_external() {
    let setup = english();
    for name in ["stdio:touch started", "tcp:127.0.0.1:1"] {
        assert!(name.parse::<MatchPlayer>().unwrap().is_external());
        let refused = Player::from_name(name, Loader::new(&setup)).map(|player| player.name).unwrap_err().to_string();
        assert!(refused.contains(name) && refused.contains("only play in a match of two"), "{refused}");
        for key in ["ranker", "policy"] {
            let folder = tempfile::tempdir().unwrap();
            let config = folder.path().join("player.toml");
            std::fs::write(&config, format!("seed = 1\n{key} = \"{name}\"\n")).unwrap();
            let misread = Player::from_name(&format!("sim:{}", config.display()), Loader::new(&setup));
            let misread = misread.map(|player| player.name).unwrap_err().to_string();
            assert!(misread.contains("line 2") && misread.contains(name), "{misread}");
        }
    }
}

#[test]
fn a_host_refuses_greetings_for_other_games() {
    let (english, greedy) = (english(), Player::from_name("greedy", Loader::new(&with_words("english", "CASA\n"))).unwrap());
    let spanish = with_words("spanish", "CASA\n");
    let few = with_words("english", "CASA\n");
    let greet = |hello: &Hello, lexicons| {
        let mut host = Host::new(&english, &greedy, lexicons);
        host.handle_line(&serde_json::to_vec(&ToPlayer::Hello(Box::new(hello.clone()))).unwrap()).error
    };
    assert_eq!(greet(&Hello::new(&english), Lexicons::Same), None);
    assert!(greet(&Hello::new(&spanish), Lexicons::Any).unwrap().contains("tile set"));
    assert!(greet(&Hello::new(&few), Lexicons::Same).unwrap().contains("accept another one"));
    assert_eq!(greet(&Hello::new(&few), Lexicons::Any), None);
    assert_eq!(greet(&Hello { protocol: PROTOCOL, ..Hello::default() }, Lexicons::Same), None);
    assert!(greet(&Hello::default(), Lexicons::Same).unwrap().contains("version 1"));
    let mut host = Host::new(&english, &greedy, Lexicons::Same);
    let early = host.handle_line(br#"{"type":"move","id":7,"cgp":"x"}"#);
    assert!(early.reply.unwrap().contains("\"id\":7") && early.error.unwrap().contains("hello"));
}
