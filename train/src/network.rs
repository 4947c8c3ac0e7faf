//! Small networks on candidate sets: dense layers on top of a linear fit.
//!
//! The linear fit ([`crate::linear`]) stays as the skip connection, and the layers learn what it leaves unexplained. With predictions
//! centred on the mean of their set, as the labels are, training minimises
//!
//! ```text
//! Σ over candidates of weight · (target − score − skip − layers)²
//! ```
//!
//! by Adam with decoupled weight decay in mini-batches of whole sets. Target and weight are those of
//! [`TargetConfig`](crate::candidates::TargetConfig). After each epoch the explained variance of the validation games is measured, and
//! the best epoch is kept. The last layer begins at zero, so training begins at the linear fit. Everything runs on one thread and draws
//! from named streams: the same config writes the same bytes on one kind of processor.

pub mod shape;
pub mod config;
mod layers;
mod training;
pub mod run;
pub mod budget;
pub mod eval;
pub mod artefact;
