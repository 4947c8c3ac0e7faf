//! The frame of a self-contained page with its style sheet and the script that switches the theme, and sorts and filters tables. It
//! loads nothing from the network and contains no times.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use tilewright_engine::artefact::Manifest;

use super::html::{Section, escape};
use crate::failure::Failure;

/// A page.
pub struct Page {
    /// Its title, as text.
    pub title: String,
    /// The top of the page: HTML.
    pub header: String,
    /// The sections; the page starts with links to them.
    pub sections: Vec<Section>,
    /// The foot of the page: HTML.
    pub footer: String,
    /// The data of a script of its own, as an HTML element, and the script.
    pub script: Option<(String, &'static str)>,
}

impl Page {
    /// The page as HTML.
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
///
/// # Errors
/// [`Failure::Input`] for a path without a name.
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

/// The footer of an artefact's page: its config, version, lexicon and tile set.
pub fn made_by(manifest: &Manifest) -> String {
    format!(
        "<footer>\n<details><summary>The config of the run</summary>\n<pre>{}</pre></details>\n\
         <p>Made by tilewright {}, {}. Lexicon <code>{}</code>, tile set and board <code>{}</code>.</p>\n</footer>\n",
        escape(&manifest.config),
        escape(&manifest.code_version),
        escape(&manifest.feature_set),
        escape(&manifest.lexicon.to_string()),
        escape(&manifest.tileset.to_string()),
    )
}

/// How to repeat what a page shows: a command, what it gives, and the config, unless the foot of the page has it. All are text.
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
