//! The word list that comes with the engine.

/// The name of the word list that comes with the engine.
pub const EMBEDDED_NAME: &str = "enable2k";
/// The [`Lexicon::hash`](super::Lexicon::hash) of that list.
pub(crate) const EMBEDDED_HASH: &str = "58a8b270c2d61b4ce5941be4042e3c5a39e5b9c951b472adc7dd2c898d78b1e5";
