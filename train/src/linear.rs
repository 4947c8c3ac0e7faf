//! Weights of a linear evaluator by least squares on candidate sets.
//!
//! The model of the target of candidate i of a set is
//!
//! ```text
//! score(i) + Σ over features f of (prior(f) + β(f)) · x(i, f)
//! ```
//!
//! where the prior is 1 for the value of the leave, its correction for the unseen tiles and its adjustment for few tiles in
//! the bag. For other features it is 0, so β = 0 is `leave+pool+late`. Only `late` differs: here it scales the table's value
//! without the correction for the unseen tiles. With targets and features centred on the mean of their set, β minimises
//!
//! ```text
//! Σ over candidates of weight · (target − model)² / V  +  Σ over features of (β(f) · s(f))² / strength(group of f)²
//! ```
//!
//! Here [`TargetConfig`](crate::candidates::TargetConfig) defines target and weight, with weights of mean 1. V is the
//! variance of the targets beyond the prior, and s(f) the size of the centred feature, the root of the mean of weight · x².
//! Weights by the noise of a label would be biased, because the variance of a few deals correlates with their mean. The
//! strengths, one per feature group, are chosen by the error on the validation games. [`crate::candidates`] makes the
//! labels.

pub mod config;
pub mod dataset;
mod ridge;
pub mod run;
pub mod artefact;
