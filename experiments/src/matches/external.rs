//! The faults of external players in a match.

use serde::Serialize;
use tilewright_engine::player::Player;
use tilewright_engine::player::external::{FaultCounts, MAX_RECORDS};
use tilewright_engine::series::Tally;

/// The most faults of a player that are printed with the figures.
const MAX_PRINTED: usize = 5;

/// Faults and forfeits as JSON.
#[derive(Serialize)]
pub struct FaultsJson {
    a: FaultCounts,
    b: FaultCounts,
    /// Games that each player forfeited.
    forfeits_a: u64,
    forfeits_b: u64,
}

impl FaultsJson {
    /// The faults of a tally; `None` if there are none.
    pub fn from_tally(tally: &Tally) -> Option<FaultsJson> {
        let (faults, forfeits) = (tally.faults, tally.forfeits);
        let is_any = faults.iter().any(|faults| faults.total() > 0);
        is_any.then(|| FaultsJson { a: faults[0], b: faults[1], forfeits_a: forfeits[0], forfeits_b: forfeits[1] })
    }
}

/// The lines of the fault log; empty without faults.
pub fn fault_log(players: [&Player; 2]) -> String {
    let mut log = String::new();
    for (letter, player) in ["A", "B"].into_iter().zip(players) {
        let faults = player.faults();
        log.extend(faults.iter().map(|fault| format!("{letter}, {fault}\n")));
        if faults.len() == MAX_RECORDS {
            log += &format!("{letter}, and perhaps more: the log has at most {MAX_RECORDS} faults per player\n");
        }
    }
    log
}

/// The numbers of faults and forfeits as text; `None` if there are none.
fn counts(tally: &Tally) -> Option<String> {
    let counted = |player: usize| match tally.forfeits[player] {
        0 => tally.faults[player].to_string(),
        1 => format!("{}, 1 game forfeited", tally.faults[player]),
        games => format!("{}, {games} games forfeited", tally.faults[player]),
    };
    let has_any = tally.faults.iter().any(|faults| faults.total() > 0);
    has_any.then(|| format!("faults      A {}; B {}", counted(0), counted(1)))
}

/// The faults and forfeits as text, with the first faults one by one; `None` if there are none.
pub fn in_words(tally: &Tally, players: [&Player; 2]) -> Option<String> {
    let mut text = counts(tally)?;
    for (letter, player) in ["A", "B"].into_iter().zip(players) {
        let faults = player.faults();
        for fault in faults.iter().take(MAX_PRINTED) {
            text += &format!("\n            {letter}, {fault}");
        }
        if faults.len() > MAX_PRINTED {
            text += &format!("\n            {letter}, and more; --fault-log FILE writes them to a file");
        }
    }
    Some(text)
}
