//! The frame of a self-contained page with its style sheet and the script that switches the theme, and sorts and filters tables. It
//! loads nothing from the network and contains no times.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use maud::{DOCTYPE, Markup, PreEscaped, Render, html};
use tilewright_engine::Manifest;
use tilewright_engine::input_file;

use super::PAGE_FILE;
use super::html::{Section, table};
use crate::Failure;
use crate::status::visible;

pub struct Page {
    pub title: String,
    pub header: Markup,
    /// The sections; the page starts with links to them.
    pub sections: Vec<Section>,
    /// The foot of the page, which may be empty.
    pub footer: Markup,
    /// The data of a script of its own, as an element, and the script.
    pub script: Option<(Markup, &'static str)>,
}

impl Page {
    /// A page without a script of its own.
    pub fn new(title: &str, header: Markup, sections: Vec<Section>, footer: Markup) -> Page {
        Page { title: title.into(), header, sections, footer, script: None }
    }

    pub fn write(&self) -> String {
        let Page { title, header, sections, footer, script } = self;
        let page = html! { (DOCTYPE) html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy"
                    content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
                title { (title) }
                style { (PreEscaped(include_str!("page.css"))) }
            }
            body {
                (header)
                nav {
                    @for section in sections { a href={ "#" (section.id) } { (section.link) } }
                    button type="button" id="theme" title="Switch between light and dark" { "light / dark" }
                }
                main { @for section in sections { (section) } }
                @if !footer.0.is_empty() { footer { (footer) } }
                @if let Some((data, code)) = script { (data) script { (PreEscaped(code)) } }
                script { (PreEscaped(include_str!("page.js"))) }
            }
        } };
        // Hidden characters become escapes of JSON, so scripts read the same data.
        visible(&page.0).into_owned()
    }
}

/// The name of the page of a table or run: next to it and with its name.
pub fn page_beside(path: &Path) -> Result<PathBuf, Failure> {
    let name = if path.is_dir() { path.file_name() } else { path.file_stem() };
    let mut name = name.map(OsStr::to_os_string).ok_or_else(|| {
        Failure::input(format!("{}: no page name follows from this path; name one with --out", path.display()))
    })?;
    name.push(".html");
    Ok(path.with_file_name(name))
}

/// The header of a page: kind, title, facts, and a lead and key figures, which may be empty.
pub fn page_header(kind: &str, title: &str, facts: &[String], lead: impl Render, figures: impl Render) -> Markup {
    let lead = lead.render();
    html! { header {
        p.kind { (kind) }
        h1 { (title) }
        p.facts { (facts.join(" · ")) }
        @if !lead.0.is_empty() { p.lead { (lead) } }
        dl.figures { (figures) }
    } }
}

/// The facts of a page about games: the words, the tiles and the seed, and what else there is to say.
pub fn game_facts(lexicon: &str, tileset: &str, seed: u64, more: impl IntoIterator<Item = String>) -> Vec<String> {
    let facts = [format!("lexicon {lexicon}"), format!("{tileset} tile set"), format!("seed {seed}")];
    facts.into_iter().chain(more).collect()
}

/// The foot of an artefact's page: its config, its manifest, version, lexicon and tile set.
pub fn made_by(manifest: &Manifest) -> Markup {
    let Manifest { code_version, feature_set, lexicon, tileset, .. } = manifest;
    html! {
        (config_details(&manifest.config))
        (manifest_details(manifest))
        p {
            "Made by tilewright " (code_version) ", " (feature_set) ". Lexicon " code { (lexicon.to_string()) }
            ", tile set and board " code { (tileset.to_string()) } "."
        }
    }
}

/// A config, which readers unfold.
pub fn config_details(config: &str) -> Markup {
    html! { details { summary { "The config of the run" } pre tabindex="0" { (config) } } }
}

/// Everything but the config that a manifest holds, which readers unfold.
fn manifest_details(manifest: &Manifest) -> Markup {
    let Manifest { kind, tileset, lexicon, feature_set, seed, code_version, parents, metrics, files, .. } = manifest;
    let text = |name: &str, value: &str| (name.to_string(), value.to_string());
    let mut entries = vec![
        text("kind", kind),
        text("tile set and board", &format!("{} {}", tileset.name, tileset.hash)),
        text("lexicon", &format!("{} {}", lexicon.name, lexicon.hash)),
        text("features", feature_set),
        text("seed", &seed.to_string()),
        text("program", code_version),
    ];
    entries.extend(parents.iter().map(|parent| text("made from", parent)));
    entries.extend(metrics.iter().map(|(name, value)| text(name, &value.to_string())));
    // A page cannot hold its own hash.
    let others = files.iter().filter(|(name, _)| *name != PAGE_FILE);
    entries.extend(others.map(|(name, hash)| text(&format!("{name}, SHA-256"), hash)));
    entry_details("The manifest", &entries)
}

/// Names with their values, which readers unfold.
pub fn entry_details(summary: &str, entries: &[(String, String)]) -> Markup {
    let rows = entries.iter().map(|(name, value)| [name.render(), html! { code { (value) } }]);
    html! { details { summary { (summary) } (table(&["entry", "value"], rows)) } }
}

/// How to repeat a run: a command, what it gives, and the config, unless the foot of the page has it.
pub fn repeat(command: &str, lead: &str, config: Option<&str>) -> Section {
    let body = html! { pre tabindex="0" { (command) } @if let Some(config) = config { (config_details(config)) } };
    Section::new("repeat", "Repeat", "How to repeat it", lead, body)
}

/// How to repeat the run of an artefact whose folder has the config.
pub fn repeat_in_folder(verb: &str) -> Section {
    let lead = "The config is in the folder of the run, and at the foot of this page. It gives the same bytes on any number of threads.";
    repeat(&format!("tilewright {verb} --config config.toml"), lead, None)
}

/// What marks the page of a run that was not finished when it was written. Such a page is replaced.
const UNFINISHED: &str = "<meta name=\"run\" content=\"unfinished\">\n";

/// A page, marked as that of a run that is not finished.
pub fn unfinished(page: &str) -> String {
    page.replacen("<title>", &format!("{UNFINISHED}<title>"), 1)
}

/// Whether a file is the page of a run that was not finished.
pub fn is_unfinished(path: &Path) -> bool {
    input_file::read_text(path).is_ok_and(|page| page.contains(UNFINISHED))
}

/// A page that loads itself again every `seconds`, unless its reader pauses it.
pub fn live(page: &str, seconds: u64) -> String {
    let script = format!("<script data-seconds=\"{seconds}\">\n{}</script>\n</body>", include_str!("live.js"));
    page.replacen("</body>", &script, 1)
}
