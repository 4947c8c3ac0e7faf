//! Players that run elsewhere, in matches: what they may and what they did wrong.

use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use tilewright_engine::artefact::write_atomically;
use tilewright_engine::player::Player;
use tilewright_engine::player::external::{FaultCounts, MOST_RECORDS};
use tilewright_engine::series::Tally;
use tilewright_engine::setup::Setup;

use crate::failure::Failure;
use crate::flags::GameArguments;
use crate::{folder, loading};

/// Faults of each player that are told with the figures; the log has more.
const MOST_TOLD: usize = 5;

/// What holds for players that run elsewhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct Foreign<'a> {
    /// How long one may think about a move.
    pub answer_time: Option<Duration>,
    /// Where their faults go.
    pub fault_log: Option<&'a Path>,
}

/// Faults as JSON, where there are any.
#[derive(Serialize)]
pub struct FaultsJson {
    a: FaultCounts,
    b: FaultCounts,
    /// Games that each lost by them.
    forfeits_a: u64,
    forfeits_b: u64,
}

impl FaultsJson {
    /// Of a tally that has some.
    pub fn of(tally: &Tally) -> Option<FaultsJson> {
        let (faults, forfeits) = (tally.faults, tally.forfeits);
        let is_any = faults.iter().any(|faults| faults.total() > 0);
        is_any.then(|| FaultsJson { a: faults[0], b: faults[1], forfeits_a: forfeits[0], forfeits_b: forfeits[1] })
    }
}

impl Foreign<'_> {
    /// Fails if the log cannot be written; before the games, not after.
    pub fn check(&self) -> Result<(), Failure> {
        self.fault_log.map_or(Ok(()), folder::check_new_file)
    }

    /// The player of a name, wherever it runs.
    pub fn player(&self, name: &str, setup: &Setup, game: &GameArguments) -> Result<Player, Failure> {
        let player = loading::any_player(name, setup, game)?;
        Ok(match self.answer_time {
            Some(time) => player.answering_within(time),
            None => player,
        })
    }

    /// Writes the log, empty where nothing went wrong.
    pub fn write_log(&self, players: [&Player; 2]) -> Result<(), Failure> {
        let Some(path) = self.fault_log else { return Ok(()) };
        let mut log = String::new();
        for (letter, player) in ["A", "B"].into_iter().zip(players) {
            let faults = player.faults();
            log.extend(faults.iter().map(|fault| format!("{letter}, {fault}\n")));
            if faults.len() == MOST_RECORDS {
                log += &format!("{letter}, and more: {MOST_RECORDS} faults of a player are kept\n");
            }
        }
        write_atomically(path, log.as_bytes())?;
        Ok(())
    }
}

/// What went wrong; `None` where nothing did.
pub fn in_words(tally: &Tally, players: [&Player; 2]) -> Option<String> {
    let counted = |player: usize| match tally.forfeits[player] {
        0 => tally.faults[player].to_string(),
        1 => format!("{}, 1 game forfeited", tally.faults[player]),
        games => format!("{}, {games} games forfeited", tally.faults[player]),
    };
    if tally.faults.iter().all(|faults| faults.total() == 0) {
        return None;
    }
    let mut text = format!("faults      A {}; B {}", counted(0), counted(1));
    for (letter, player) in ["A", "B"].into_iter().zip(players) {
        let faults = player.faults();
        for fault in faults.iter().take(MOST_TOLD) {
            text += &format!("\n            {letter}, {fault}");
        }
        if faults.len() > MOST_TOLD {
            text += &format!("\n            {letter}, and so on; --fault-log FILE keeps them all");
        }
    }
    Some(text)
}
