//! Weights of a linear evaluator by least squares on candidate sets.
//!
//! The model of the gain of candidate i of a set is
//!
//! ```text
//! score(i) + Σ over features f of (prior(f) + β(f)) · x(i, f)
//! ```
//!
//! where the prior is 1 for the value of the leave, for what the unseen tiles add to it and for its adjustment for few tiles in the
//! bag, and 0 otherwise, so that β = 0 is `leave+pool+late`, except
//! that `late` here scales the table's value without its correction for the unseen tiles. With gains and features centred on the mean of their set, β minimises
//!
//! ```text
//! Σ over candidates of (gain − model)² / (τ² + v)  +  Σ over features of (β(f) · s(f))² / strength(group of f)²
//! ```
//!
//! Here v is the variance of the candidate's label, τ² the variance that no deal explains, s(f) the standard deviation of the centred
//! feature. The strengths, one per group of features, are chosen by the error on held-out games. See the crate's page for how
//! [`crate::candidates`] makes the labels.

pub mod config;
pub mod dataset;
mod ridge;
pub mod report;
pub mod run;
pub mod artefact;
