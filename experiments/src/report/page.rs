//! The frame of a self-contained page with its style sheet and the script that switches the theme, and sorts and filters tables. It
//! loads nothing from the network and contains no times.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use tilewright_engine::Manifest;
use tilewright_engine::input_file;

use super::PAGE_FILE;
use super::html::{Section, escape, table};
use crate::Failure;

pub struct Page {
    /// Its title, as text.
    pub title: String,
    pub header: String,
    /// The sections; the page starts with links to them.
    pub sections: Vec<Section>,
    /// The foot of the page: HTML.
    pub footer: String,
    /// The data of a script of its own, as an HTML element, and the script.
    pub script: Option<(String, &'static str)>,
}

impl Page {
    /// A page without a script of its own.
    pub fn new(title: &str, header: String, sections: Vec<Section>, footer: String) -> Page {
        Page { title: title.into(), header, sections, footer, script: None }
    }

    pub fn write(&self) -> String {
        let Page { title, header, sections, footer, script } = self;
        let links: String =
            sections.iter().map(|section| format!("<a href=\"#{}\">{}</a>", section.id, escape(section.link))).collect();
        let body: String = sections.iter().map(Section::show).collect();
        let script = script.as_ref().map_or(String::new(), |(data, code)| format!("{data}<script>\n{code}</script>\n"));
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
             <title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{header}<nav>{links}<button type=\"button\" id=\"theme\" title=\"Switch between light and dark\">light / dark</button></nav>\n<main>\n{body}</main>\n\
             {footer}{script}<script>\n{tables}</script>\n</body>\n</html>\n",
            title = escape(title),
            style = include_str!("page.css"),
            tables = include_str!("page.js"),
        )
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

/// The header of a page: kind, title and facts as text; lead and key figures as HTML, which may be empty.
pub fn page_header(kind: &str, title: &str, facts: &[String], lead: &str, figures: &str) -> String {
    let facts: Vec<String> = facts.iter().map(|fact| escape(fact)).collect();
    let lead = if lead.is_empty() { String::new() } else { format!("<p class=\"lead\">{lead}</p>\n") };
    format!(
        "<header>\n<p class=\"kind\">{kind}</p>\n<h1>{}</h1>\n<p class=\"facts\">{}</p>\n{lead}<dl class=\"figures\">{figures}</dl>\n\
         </header>\n",
        escape(title),
        facts.join(" · "),
    )
}

/// The facts of a page about games: the words, the tiles and the seed, and what else there is to say.
pub fn game_facts(lexicon: &str, tileset: &str, seed: u64, more: impl IntoIterator<Item = String>) -> Vec<String> {
    let facts = [format!("lexicon {lexicon}"), format!("{tileset} tile set"), format!("seed {seed}")];
    facts.into_iter().chain(more).collect()
}

/// The footer of an artefact's page: its config, its manifest, version, lexicon and tile set.
pub fn made_by(manifest: &Manifest) -> String {
    format!(
        "<footer>\n{}{}<p>Made by tilewright {}, {}. Lexicon <code>{}</code>, tile set and board <code>{}</code>.</p>\n</footer>\n",
        config_details(&manifest.config),
        manifest_details(manifest),
        escape(&manifest.code_version),
        escape(&manifest.feature_set),
        escape(&manifest.lexicon.to_string()),
        escape(&manifest.tileset.to_string()),
    )
}

/// A config, which readers unfold.
pub fn config_details(config: &str) -> String {
    details("The config of the run", &format!("<pre tabindex=\"0\">{}</pre>", escape(config)))
}

/// Everything but the config that a manifest holds, which readers unfold.
fn manifest_details(manifest: &Manifest) -> String {
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

/// Names with their values, both as text, which readers unfold.
pub fn entry_details(summary: &str, entries: &[(String, String)]) -> String {
    let rows = entries.iter().map(|(name, value)| vec![escape(name), format!("<code>{}</code>", escape(value))]);
    details(summary, &table(&["entry", "value"], rows))
}

fn details(summary: &str, body: &str) -> String {
    format!("<details><summary>{summary}</summary>\n{body}</details>\n")
}

/// How to repeat a run: a command, what it gives, and the config, unless the foot of the page has it. All are text.
pub fn repeat(command: &str, lead: &str, config: Option<&str>) -> Section {
    let config = config.map_or(String::new(), config_details);
    let body = format!("<pre tabindex=\"0\">{}</pre>\n{config}", escape(command));
    Section::new("repeat", "Repeat", "How to repeat it", escape(lead), body)
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
