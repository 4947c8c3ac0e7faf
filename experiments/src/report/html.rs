//! HTML elements: numbers, tables, figures and sections. All text is escaped: only [`Markup`] has elements.

use maud::PreEscaped;
pub use maud::{Markup, Render, html};
use serde::Serialize;

use crate::Number;

pub struct Section {
    /// The target of links.
    pub id: &'static str,
    /// The text of its link.
    pub link: &'static str,
    title: String,
    /// Its introduction.
    lead: Markup,
    body: Markup,
}

impl Section {
    pub fn new(id: &'static str, link: &'static str, title: impl Into<String>, lead: impl Render, body: Markup) -> Section {
        Section { id, link, title: title.into(), lead: lead.render(), body }
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

/// A table; columns whose head begins with `#` hold numbers.
pub fn table<C: Render>(head: &[&str], rows: impl IntoIterator<Item: AsRef<[C]>>) -> Markup {
    table_of("wide", None, head, rows)
}

/// A table with a class of the style sheet.
pub fn classed_table<C: Render>(own: &str, head: &[&str], rows: impl IntoIterator<Item: AsRef<[C]>>) -> Markup {
    table_of(&format!("wide {own}"), None, head, rows)
}

fn table_of<C: Render>(class: &str, id: Option<&str>, head: &[&str], rows: impl IntoIterator<Item: AsRef<[C]>>) -> Markup {
    let columns: Vec<(&str, Option<&str>)> =
        head.iter().map(|name| name.strip_prefix('#').map_or((*name, None), |name| (name, Some("n")))).collect();
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

/// A table that readers sort by its heads, and filter if it has more than a few rows; `id` is its place in the page.
pub fn sortable_table<C: Render>(id: &str, head: &[&str], rows: impl IntoIterator<Item: AsRef<[C]>>) -> Markup {
    sortable("wide sortable", id, head, rows)
}

/// A sortable table with so many rows that it scrolls on the screen.
pub fn tall_table<C: Render>(id: &str, head: &[&str], rows: impl IntoIterator<Item: AsRef<[C]>>) -> Markup {
    sortable("wide sortable tall", id, head, rows)
}

fn sortable<C: Render>(class: &str, id: &str, head: &[&str], rows: impl IntoIterator<Item: AsRef<[C]>>) -> Markup {
    const FEW_ROWS: usize = 8;
    let mut count = 0;
    let table = table_of(class, Some(id), head, rows.into_iter().inspect(|_| count += 1));
    html! {
        @if count > FEW_ROWS { label.filter { "Show the rows with" input type="search" data-filter=(id); } "\n" }
        (table)
    }
}

/// A key figure in the header of a page: name, value, and a note, which may be empty.
pub fn key_figure(name: impl Render, value: impl Render, note: impl Render) -> Markup {
    let note = note.render();
    html! { div { dt { (name) } dd.key { (value) } @if !note.0.is_empty() { dd { (note) } } } }
}

/// A drawing with a caption.
pub fn figure(drawing: impl Render, caption: impl Render) -> Markup {
    html! { figure { (drawing) figcaption { (caption) } } "\n" }
}

/// A remark why something is missing.
pub fn missing(why: impl Render) -> Markup {
    html! { p.missing { (why) } }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::page::{Page, page_header};

    #[test]
    fn texts_of_a_page_are_escaped_and_visible() {
        let text = "<b a=\"2\">&Ñ\u{202e}";
        let section = Section::new("id", text, text, text, table(&[text], [[text]]));
        let header = page_header(text, text, &[text.into()], text, key_figure(text, text, text));
        let page = Page::new(text, header, vec![section], figure(missing(text), text)).write();
        assert_eq!(page.matches("&lt;b a=&quot;2&quot;&gt;&amp;Ñ\\u202e<").count(), 15, "{page}");
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
