//! Messages between the referee and external players.

use serde::Serialize;
use serde::de::DeserializeOwned;
use tilewright_engine::artefact::{Lexicons, Loader};
use tilewright_engine::player::external::{FromPlayer, GameOver, Hello, MoveAnswer, MoveRequest, PROTOCOL, ToPlayer};
use tilewright_engine::player::{Host, Player};

use super::games_setup::{forever, spanish};
use crate::target::Subject;

/// What is written again is the same.
fn round_trip<T: Serialize + DeserializeOwned>(line: &[u8]) -> Option<String> {
    let read: T = serde_json::from_slice(line).ok()?;
    let written = serde_json::to_string(&read).expect("plain data");
    let again: T = serde_json::from_str(&written).expect("what was written");
    assert_eq!(serde_json::to_string(&again).expect("plain data"), written);
    Some(written)
}

/// Each line of an input is a message in one conversation.
pub fn open() -> Subject {
    let setup = forever(spanish());
    let greedy = forever(Player::from_name("greedy", Loader::new(setup)).expect("a player"));
    let line = |message: &ToPlayer| serde_json::to_string(message).expect("a message");
    let hello = line(&ToPlayer::Hello(Box::new(Hello::new(setup))));
    let cgp = format!("{}7[CH]U[RR]O4/{}15 CALLÑE?/ 10/-3 0 lex x;", "15/".repeat(7), "15/".repeat(6));
    let request = MoveRequest { cgp, last: Some("8H [CH]U[RR]O".into()), limit_ms: Some(100), ..MoveRequest::default() };
    let request = line(&ToPlayer::Move(Box::new(request)));
    let over = line(&ToPlayer::GameOver(GameOver { game: "1".into(), scores: [1, 2], forfeited_by: None }));
    let answers = [
        FromPlayer::Move(MoveAnswer { id: 1, chosen: "8H CALLE".into(), equity: Some(71.5), values: vec![71.5] }),
        FromPlayer::Ready { protocol: PROTOCOL, name: "x".into(), wants_moves: true },
        FromPlayer::Refuse { reason: "no".into() },
    ];
    let answers = answers.map(|answer| serde_json::to_string(&answer).expect("a message"));
    let seeds = [hello.clone(), format!("{hello}\n{request}\n{over}"), format!("{hello}\n{}", answers.join("\n"))];
    Subject::new(seeds, move |bytes| {
        let mut host = Host::new(setup, greedy, Lexicons::Same);
        let mut last = Ok(0);
        for line in bytes.split(|&byte| byte == b'\n') {
            let outcome = host.handle_line(line);
            assert!(outcome.reply.as_ref().is_none_or(|reply| !reply.contains('\n')), "{outcome:?}");
            assert!(outcome.error.is_none() || outcome.reply.is_some() && !outcome.is_move, "{outcome:?}");
            let to = round_trip::<ToPlayer>(line);
            let from = round_trip::<FromPlayer>(line);
            last = match (to.or(from), outcome.error) {
                (_, None) => Ok(1 + usize::from(outcome.is_move)),
                (Some(answer), Some(_)) if serde_json::from_str::<FromPlayer>(&answer).is_ok() => Ok(answer.len()),
                (_, Some(reason)) => Err(reason),
            };
        }
        // The outcome of the last message tells conversations apart.
        last
    })
    .with_more(answers)
    .with_fragments(&[
        "\"type\":\"move\"",
        "\"type\":\"hello\"",
        "\"cgp\":\"",
        "\"last\":null",
        "\"limit_ms\":0",
        "\"clock_ms\":1",
        "\"share_ms\":",
        "exch 7",
        "\\u0000",
        "{\"type\":",
    ])
}
