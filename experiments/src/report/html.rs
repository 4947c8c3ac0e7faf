//! HTML elements (numbers, tables, figures and sections), and the frame of a self-contained page with its style sheet. A
//! script switches the theme, and sorts and filters tables. All text is escaped: only [`Markup`] has elements. A page loads
//! nothing from the network and contains no times.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use maud::{DOCTYPE, PreEscaped};
pub use maud::{Markup, Render, html};
use serde::Serialize;
use tilewright_engine::series::Estimate;
use tilewright_engine::{Manifest, input_file};

use super::PAGE_FILE;
use crate::status::visible;
use crate::{Failure, Number};

pub struct Section {
    /// The target of links.
    id: String,
    /// The text of its link.
    link: String,
    title: String,
    /// Its introduction.
    lead: Markup,
    body: Markup,
}

impl Section {
    pub fn new(
        id: impl Into<String>,
        link: impl Into<String>,
        title: impl Into<String>,
        lead: impl Render,
        body: Markup,
    ) -> Section {
        Section { id: id.into(), link: link.into(), title: title.into(), lead: lead.render(), body }
    }
}

impl Render for Section {
    fn render(&self) -> Markup {
        let Section { id, title, lead, body, .. } = self;
        html! { section id=(id) { h2 { (title) } p.lead { (lead) } (body) } "\n" }
    }
}

/// Points with a sign: `+4.1`, `−3.2`, `0.0`.
pub fn signed(points: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", Number(points.abs()));
    if text.chars().all(|digit| matches!(digit, '0' | '.')) {
        return text;
    }
    format!("{}{text}", if points < 0.0 { '−' } else { '+' })
}

/// A mean, as it is shown, with half of its interval. Without that half if it is not known.
pub fn with_half(shown: String, figure: Estimate, decimals: usize) -> String {
    let half = figure.half_width();
    if half.is_finite() { format!("{shown} ± {half:.decimals$}") } else { shown }
}

/// A name with at most so many characters.
pub fn shortened(name: &str, most: usize) -> String {
    if name.chars().count() <= most { name.into() } else { name.chars().take(most - 1).chain(['…']).collect() }
}

/// A whole number with commas between thousands: `914,624`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A table. Columns whose head begins with `#` hold numbers.
pub fn table<C: Render>(head: &[impl AsRef<str>], rows: impl IntoIterator<Item: AsRef<[C]>>) -> Markup {
    table_of("wide", None, head, rows)
}

/// A table with a class of the style sheet.
pub fn classed_table<C: Render>(own: &str, head: &[impl AsRef<str>], rows: impl IntoIterator<Item: AsRef<[C]>>) -> Markup {
    table_of(&format!("wide {own}"), None, head, rows)
}

fn table_of<C: Render>(
    class: &str,
    id: Option<&str>,
    head: &[impl AsRef<str>],
    rows: impl IntoIterator<Item: AsRef<[C]>>,
) -> Markup {
    let columns: Vec<(&str, Option<&str>)> = head
        .iter()
        .map(|name| name.as_ref().strip_prefix('#').map_or((name.as_ref(), None), |name| (name, Some("n"))))
        .collect();
    html! {
        div id=[id] class=(class) tabindex="0" { table {
            thead { tr { @for (name, class) in &columns { th scope="col" class=[class] { (name) } } } }
            tbody {
                @for row in rows {
                    tr { @for (cell, (_, class)) in row.as_ref().iter().zip(&columns) { td class=[class] { (cell) } } } "\n"
                }
            }
        } }
    }
}

/// A table that readers sort by its heads, and filter if it has more than a few rows. `id` is its place in the page.
pub fn sortable_table<C: Render>(id: &str, head: &[impl AsRef<str>], rows: impl IntoIterator<Item: AsRef<[C]>>) -> Markup {
    sortable("wide sortable", id, head, rows)
}

/// A sortable table with so many rows that it scrolls on the screen.
pub fn tall_table<C: Render>(id: &str, head: &[impl AsRef<str>], rows: impl IntoIterator<Item: AsRef<[C]>>) -> Markup {
    sortable("wide sortable tall", id, head, rows)
}

fn sortable<C: Render>(
    class: &str,
    id: &str,
    head: &[impl AsRef<str>],
    rows: impl IntoIterator<Item: AsRef<[C]>>,
) -> Markup {
    const FEW_ROWS: usize = 8;
    let mut count = 0;
    let table = table_of(class, Some(id), head, rows.into_iter().inspect(|_| count += 1));
    html! {
        @if count > FEW_ROWS { label.filter { "Show the rows with" input type="search" data-filter=(id); } "\n" }
        (table)
    }
}

/// A drawing with a caption.
pub fn figure(drawing: impl Render, caption: impl Render) -> Markup {
    html! { figure { (drawing) figcaption { (caption) } } "\n" }
}

/// A remark why something is missing.
pub fn missing(why: impl Render) -> Markup {
    html! { p.missing { (why) } }
}

/// Rows or texts that readers unfold.
pub fn folded(summary: impl Render, body: impl Render) -> Markup {
    html! { details { summary { (summary) } (body) } "\n" }
}

/// The cells of a row that begins with an element and goes on with texts.
pub fn row_of(first: Markup, texts: impl IntoIterator<Item = String>) -> Vec<Markup> {
    [first].into_iter().chain(texts.into_iter().map(|text| text.render())).collect()
}

/// The data of a script, as an element with this `id`.
pub fn script_data(id: &str, data: &impl Serialize) -> serde_json::Result<Markup> {
    // Inside a script element only `<` could end it.
    let json = serde_json::to_string(data)?.replace('<', "\\u003c");
    Ok(html! { script type="application/json" id=(id) { (PreEscaped(json)) } })
}

pub struct Page {
    pub title: String,
    pub header: Markup,
    /// The sections. The page starts with links to them.
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
        Failure::input(format!("{}: no page name follows from this path; name one with --save", path.display()))
    })?;
    name.push(".html");
    Ok(path.with_file_name(name))
}

/// The header of a page: kind, title, facts, and a lead and key figures, which may be empty.
pub fn page_header(kind: &str, title: &str, facts: &[String], lead: impl Render, figures: &[impl Render]) -> Markup {
    let lead = lead.render();
    html! { header {
        p.kind { (kind) }
        h1 { (title) }
        p.facts { (facts.join(" · ")) }
        @if !lead.0.is_empty() { p.lead { (lead) } }
        dl.figures { @for figure in figures { (figure) } }
    } }
}

/// The facts of a page about games: the words, the tiles, the seed, and more facts.
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
    folded("The config of the run", html! { pre tabindex="0" { (config) } })
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
    folded(summary, table(&["entry", "value"], rows))
}

/// The way to repeat a run: a command, its result, and the config, unless the foot of the page has it.
pub fn repeat(command: &str, lead: &str, config: Option<&str>) -> Section {
    let body = html! { pre tabindex="0" { (command) } @if let Some(config) = config { (config_details(config)) } };
    Section::new("repeat", "Repeat", "How to repeat it", lead, body)
}

/// How to repeat the run of an artefact whose folder has the config.
pub fn repeat_in_folder(verb: &str) -> Section {
    let lead = "The config is in the folder of the run, and at the foot of this page. It gives the same bytes on any number of threads.";
    repeat(&format!("tilewright {verb} config.toml"), lead, None)
}

/// The mark of a page of an unfinished run. Such a page is replaced.
const UNFINISHED: &str = "<meta name=\"run\" content=\"unfinished\">\n";

/// A page, marked as the page of an unfinished run.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_a_page_are_escaped_and_visible() {
        let text = "<b a=\"2\">&Ñ\u{202e}";
        let section = Section::new("id", text, text, text, table(&[text], [[text]]));
        let header = page_header(text, text, &[text.into()], text, &[text]);
        let page = Page::new(text, header, vec![section], figure(missing(text), text)).write();
        assert_eq!(page.matches("&lt;b a=&quot;2&quot;&gt;&amp;Ñ\\u202e<").count(), 13, "{page}");
        assert!(!page.contains("<b ") && !page.contains('\u{202e}'));
    }

    #[test]
    fn numbers_have_signs_and_commas() {
        assert_eq!([signed(4.06, 1), signed(-3.24, 1), signed(-0.04, 1), signed(0.0, 2)], ["+4.1", "−3.2", "0.0", "0.00"]);
        let grouped = [0, 999, 1000, 914_624, 3_199_724].map(grouped);
        assert_eq!(grouped, ["0", "999", "1,000", "914,624", "3,199,724"]);
    }

    #[test]
    fn columns_of_numbers_are_marked() {
        let table = table(&["leave", "#value"], [["A", "1"]]).0;
        assert!(
            table.contains("<th scope=\"col\" class=\"n\">value</th>") && table.contains("<td>A</td><td class=\"n\">1</td>")
        );
        assert!(table.starts_with("<div class=\"wide\" tabindex=\"0\">"));
        assert!(classed_table("why", &["leave"], [[""]]).0.starts_with("<div class=\"wide why\" tabindex=\"0\">"));
    }
}
