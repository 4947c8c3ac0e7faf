//! Markdown elements.

/// A table; columns whose head begins with `#` hold numbers.
pub fn table(head: &[&str], rows: impl IntoIterator<Item: AsRef<[String]>>) -> String {
    let names: Vec<&str> = head.iter().map(|head| head.trim_start_matches('#')).collect();
    let rule: Vec<&str> = head.iter().map(|head| if head.starts_with('#') { "---:" } else { "---" }).collect();
    let mut text = format!("| {} |\n| {} |\n", names.join(" | "), rule.join(" | "));
    for row in rows {
        text += &format!("| {} |\n", row.as_ref().join(" | "));
    }
    text
}
