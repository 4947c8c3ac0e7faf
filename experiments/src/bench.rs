//! `bench`: how fast this machine plays, and what endgames, pre-endgames and features cost.

pub mod flags;
mod endgames;
mod features;
mod pre_endgames;
mod speed;

pub use speed::run;
