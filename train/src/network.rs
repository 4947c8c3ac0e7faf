//! Small networks on candidate sets: dense layers on top of a linear fit.
//!
//! The linear fit ([`crate::linear`]) stays as the skip connection, and the layers learn the unexplained rest. With
//! predictions centred on the mean of their set, as the labels are, training minimises
//!
//! ```text
//! Σ over candidates of weight · (target − score − skip − layers)²
//! ```
//!
//! by Adam with decoupled weight decay in mini-batches of whole sets. [`TargetConfig`](crate::candidates::TargetConfig)
//! defines target and weight. The last layer begins at zero, so training begins at the linear fit. With `skip = "prior"` the
//! skip connection is the prior of that fit alone, and the layers learn the rest.
//!
//! **Heads.** A part of the results, such as the points of the opponent's next turn, can have a head: one more output of the
//! last hidden layer. It learns the rest that a linear fit of its own to that part leaves unexplained. So no hidden units
//! are spent on a linear relation. Its loss is scaled to its share of the network's loss, at any size of its labels. Heads
//! are dropped from the artefact.
//!
//! **Epochs.** After each epoch the explained variance of the validation games is measured, and the best epoch is kept. On a
//! schedule the network plays a short match. The journal then keeps all weights, the moments of Adam, the best epoch and the
//! course, so a killed run resumes to the same bytes. The layers are trained on one thread, and all draws are from named
//! streams. So the same config writes the same bytes on one kind of processor.
//!
//! ```text
//! datasets ─► examples: batches ─► model: layers, losses of output and heads ─► AdamW
//!                                     └─► inference: the explained share, matches ─► training: epochs, checkpoints
//! ```

pub mod shape;
pub mod config;
mod model;
mod inference;
mod matches;
mod training;
pub mod eval;
pub mod run;
pub mod dataset;
pub mod budget;
pub mod artefact;
#[cfg(test)]
mod test_support;
#[cfg(test)]
mod tests;
