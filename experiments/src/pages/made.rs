//! What the pages of all kinds of runs have in common.

use crate::report::html::{Section, escape};

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

/// How to repeat a run: a command, what it gives, and the config, unless the foot of the page has it. All are text.
pub fn repeat(command: &str, lead: &str, config: Option<&str>) -> Section {
    let config = config.map_or(String::new(), |config| {
        format!(
            "<details><summary>The config of the run</summary>\n<pre tabindex=\"0\">{}</pre></details>\n",
            escape(config)
        )
    });
    Section {
        id: "repeat",
        link: "Repeat",
        title: "How to repeat it".into(),
        lead: escape(lead),
        body: format!("<pre tabindex=\"0\">{}</pre>\n{config}", escape(command)),
    }
}
