//! What the pages of all kinds of runs have in common.

use tilewright_engine::artefact::Manifest;
use tilewright_train::journal::RunKey;

use crate::report::html::{Section, escape};
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

/// How to repeat a run: a command, what it gives, and the config, unless the foot of the page has it. All are text.
pub fn repeat(command: &str, lead: &str, config: Option<&str>) -> Section {
    let config = config.map_or(String::new(), config_details);
    Section {
        id: "repeat",
        link: "Repeat",
        title: "How to repeat it".into(),
        lead: escape(lead),
        body: format!("<pre tabindex=\"0\">{}</pre>\n{config}", escape(command)),
    }
}

/// The foot of the page of a run that keeps its work files: its config, what it depends on and, once it is finished, its manifest.
pub fn footer_of(manifest: Option<&Manifest>, key: &RunKey) -> String {
    let inputs = entry_details("What the run depends on", key.inputs());
    match manifest {
        Some(manifest) => made_by(manifest).replacen("<footer>\n", &format!("<footer>\n{inputs}"), 1),
        None => format!("<footer>\n{}{inputs}</footer>\n", config_details(key.config())),
    }
}
