//! HTML elements: escaped text, numbers, tables, figures and sections.

use crate::Number;
use crate::status::visible;

pub struct Section {
    /// The target of links.
    pub id: &'static str,
    /// The text of its link.
    pub link: &'static str,
    pub title: String,
    /// Its introduction: HTML.
    pub lead: String,
    /// The rest: HTML.
    pub body: String,
}

impl Section {
    pub fn new(
        id: &'static str,
        link: &'static str,
        title: impl Into<String>,
        lead: impl Into<String>,
        body: impl Into<String>,
    ) -> Section {
        Section { id, link, title: title.into(), lead: lead.into(), body: body.into() }
    }

    pub fn show(&self) -> String {
        let Section { id, title, lead, body, .. } = self;
        format!("<section id=\"{id}\">\n<h2>{}</h2>\n<p class=\"lead\">{lead}</p>\n{body}</section>\n", escape(title))
    }
}

/// Escapes a text for HTML, including attributes.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in visible(text).chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            other => escaped.push(other),
        }
    }
    escaped
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

/// A table; columns whose head begins with `#` hold numbers. Cells are HTML.
pub fn table(head: &[impl AsRef<str>], rows: impl IntoIterator<Item: AsRef<[String]>>) -> String {
    classed_table("", head, rows)
}

/// A table with a class of the style sheet.
pub fn classed_table(own: &str, head: &[impl AsRef<str>], rows: impl IntoIterator<Item: AsRef<[String]>>) -> String {
    let wide = if own.is_empty() { "wide".into() } else { format!("wide {own}") };
    let columns: Vec<(&str, &str)> = head
        .iter()
        .map(|head| head.as_ref().strip_prefix('#').map_or((head.as_ref(), ""), |number| (number, " class=\"n\"")))
        .collect();
    let heads: String =
        columns.iter().map(|(name, class)| format!("<th scope=\"col\"{class}>{}</th>", escape(name))).collect();
    let mut body = String::new();
    for row in rows {
        let cells: String =
            row.as_ref().iter().zip(&columns).map(|(cell, (_, class))| format!("<td{class}>{cell}</td>")).collect();
        body += &format!("<tr>{cells}</tr>\n");
    }
    format!(
        "<div class=\"{wide}\" tabindex=\"0\"><table><thead><tr>{heads}</tr></thead><tbody>\n{body}</tbody></table></div>\n"
    )
}

/// A table that readers sort by its heads, and filter if it has more than a few rows; `id` is its place in the page.
pub fn sortable_table(id: &str, head: &[impl AsRef<str>], rows: impl IntoIterator<Item: AsRef<[String]>>) -> String {
    sortable("sortable", id, head, rows)
}

/// A sortable table with so many rows that it scrolls on the screen.
pub fn tall_table(id: &str, head: &[impl AsRef<str>], rows: impl IntoIterator<Item: AsRef<[String]>>) -> String {
    sortable("sortable tall", id, head, rows)
}

fn sortable(class: &str, id: &str, head: &[impl AsRef<str>], rows: impl IntoIterator<Item: AsRef<[String]>>) -> String {
    const FEW_ROWS: usize = 8;
    let mut count = 0;
    let table = classed_table(class, head, rows.into_iter().inspect(|_| count += 1));
    let table = table.replacen("<div ", &format!("<div id=\"{id}\" "), 1);
    if count <= FEW_ROWS {
        return table;
    }
    format!("<label class=\"filter\">Show the rows with<input type=\"search\" data-filter=\"{id}\"></label>\n{table}")
}

/// Drawings next to each other, as far as there is room.
pub fn side_by_side(drawings: &str) -> String {
    format!("<div class=\"two\">\n{drawings}</div>\n")
}

/// A key figure in the header of a page: name, value, and a note. The name and the note are HTML; the note may be empty.
pub fn key_figure(name: &str, value: &str, note: &str) -> String {
    let note = if note.is_empty() { String::new() } else { format!("<dd>{note}</dd>") };
    format!("<div><dt>{name}</dt><dd class=\"key\">{value}</dd>{note}</div>")
}

/// A drawing with a caption; both are HTML.
pub fn figure(drawing: &str, caption: &str) -> String {
    format!("<figure>{drawing}<figcaption>{caption}</figcaption></figure>\n")
}

/// A remark why something is missing; HTML.
pub fn missing(why: &str) -> String {
    format!("<p class=\"missing\">{why}</p>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_with_a_meaning_in_html_are_escaped() {
        assert_eq!(escape("<b a='1' c=\"2\">&Ñ"), "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;Ñ");
    }

    #[test]
    fn numbers_have_signs_and_commas() {
        assert_eq!([signed(4.06, 1), signed(-3.24, 1), signed(-0.04, 1), signed(0.0, 2)], ["+4.1", "−3.2", "0.0", "0.00"]);
        let grouped = [0, 999, 1000, 914_624, 3_199_724].map(grouped);
        assert_eq!(grouped, ["0", "999", "1,000", "914,624", "3,199,724"]);
    }

    #[test]
    fn columns_of_numbers_are_marked() {
        let table = table(&["leave", "#value"], &[vec!["A".into(), "1".into()]]);
        assert!(
            table.contains("<th scope=\"col\" class=\"n\">value</th>") && table.contains("<td>A</td><td class=\"n\">1</td>")
        );
        assert!(table.starts_with("<div class=\"wide\" tabindex=\"0\">"));
        assert!(classed_table("why", &["leave"], [[String::new()]]).starts_with("<div class=\"wide why\" tabindex=\"0\">"));
    }
}
