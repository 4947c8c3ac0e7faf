//! What the pages of all kinds of runs have in common.

use std::path::Path;

use tilewright_engine::artefact::Manifest;
use tilewright_train::journal::RunKey;

use crate::report::page::{config_details, entry_details, made_by};

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
    /// Whether the run has come to its end.
    pub is_finished: bool,
}

/// The foot of the page of a run that keeps its work files: its config, what it depends on and, once it is finished, its manifest.
pub fn footer_of(manifest: Option<&Manifest>, key: &RunKey) -> String {
    let build = ("build".to_string(), key.builds().join(", "));
    let inputs = entry_details("What the run depends on", &[key.inputs(), &[build]].concat());
    match manifest {
        Some(manifest) => made_by(manifest).replacen("<footer>\n", &format!("<footer>\n{inputs}"), 1),
        None => format!("<footer>\n{}{inputs}</footer>\n", config_details(key.config())),
    }
}

/// The name of the folder of a run.
pub fn name_of(run: &Path) -> String {
    run.file_name().map_or_else(|| run.display().to_string(), |name| name.to_string_lossy().into_owned())
}
