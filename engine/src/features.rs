//! What can be told of a position at a glance, as numbers that evaluators and networks can learn from.

pub mod openness;
