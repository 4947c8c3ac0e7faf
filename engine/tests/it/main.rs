//! The integration tests of the engine: slow oracles, files of other tools, and damaged input.

mod oracle;
mod proof;
mod words;

mod movegen;
mod endgame;
mod endgame_proofs;
mod pre_endgame;
mod notation;
mod referee;
mod leave_tables;
mod external_players;
