//! Weights of a linear evaluator by least squares on candidate sets.
//!
//! The model of the target of candidate i of a set is
//!
//! ```text
//! score(i) + Σ over features f of (prior(f) + β(f)) · x(i, f)
//! ```
//!
//! where the prior is 1 for the value of the leave, for what the unseen tiles add to it and for its adjustment for few tiles in the
//! bag, and 0 otherwise, so that β = 0 is `leave+pool+late`, except
//! that `late` here scales the table's value without its correction for the unseen tiles. With targets and features centred on the mean of their set, β minimises
//!
//! ```text
//! Σ over candidates of weight · (target − model)² / V  +  Σ over features of (β(f) · s(f))² / strength(group of f)²
//! ```
//!
//! Here target and weight are those of [`TargetConfig`](crate::candidates::TargetConfig), with weights of mean 1, V is the variance of the
//! targets beyond the prior, and s(f) the size of the centred feature, the root of the mean of weight · x². The weights do not depend on the noise of a label:
//! the variance that a few deals show is correlated with their mean, and such weights would be biased. The strengths, one per group of
//! features, are chosen by the error on the validation games. [`crate::candidates`] makes the labels.

pub mod config;
pub mod dataset;
mod ridge;
pub mod report;
pub mod run;
pub mod artefact;
