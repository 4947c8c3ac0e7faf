//! Win percentages that look at more than the tiles left: which tiles are unseen, and how open the board is.
//!
//! ```text
//! self-play ─► records (every turn with what its player saw) ─┬─► swings ─► plain network ─┬─► position network
//!                                                             └────────────────────────────┘
//! ```
//!
//! The network begins as the plain one of the same games with inputs added that count for nothing, and is trained on from there
//! turn by turn. So whatever it scores better, on games that neither saw, is what the inputs say.
//!
//! It has the parts of the plain network, so it is **monotone in the lead by construction** whatever it sees. What it sees belongs
//! to one side, so no position is even but for the turn; **symmetric** then means what is left of it: while the bag can refill both
//! racks the curve of a position is the same above its centre as below, and what is seen can move the centre and change the
//! width but favour neither the side ahead nor the side behind. The two sides' chances sum to 1, both being told by what the
//! player to move sees.
//!
//! Play looks chances up in a dense table by tiles left and lead, and no such table holds what this network sees. It is a
//! measurement of what the further inputs are worth, and plugs into no player.

pub mod inputs;
pub mod records;
pub mod network;
pub mod fit;
pub mod compare;
pub mod run;

#[cfg(test)]
mod tests;
