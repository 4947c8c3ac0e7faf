//! What the pages of all kinds of runs have in common.

/// The config in the folder of a run.
pub const CONFIG_FILE: &str = "config.toml";

/// A page that is not written yet, with what it is about.
pub struct Made {
    /// The kind of the run, in words.
    pub kind: String,
    /// The title of the page.
    pub title: String,
    /// The page.
    pub html: String,
}
