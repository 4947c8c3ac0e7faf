//! Markdown elements.

/// A text, of which Markdown makes no code, cell, link, element or line of its own.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        // Brackets alone are no link: they stay as the notation of moves has them.
        if matches!(character, '\\' | '|' | '`' | '<') || (escaped.ends_with(']') && matches!(character, '(' | ':')) {
            escaped.push('\\');
        }
        escaped.push(if character.is_control() { ' ' } else { character });
    }
    escaped
}

/// A block of code.
pub fn code(language: &str, text: &str) -> String {
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(3.max(longest + 1));
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end_matches('\n'))
}

/// A table; columns whose head begins with `#` hold numbers, those with a backtick code. Heads and cells are text.
pub fn table(head: &[&str], rows: impl IntoIterator<Item: AsRef<[String]>>) -> String {
    let names: Vec<String> = head.iter().map(|head| escape(head.trim_start_matches(['#', '`']))).collect();
    let rule: Vec<&str> = head.iter().map(|head| if head.starts_with('#') { "---:" } else { "---" }).collect();
    let mut text = format!("| {} |\n| {} |\n", names.join(" | "), rule.join(" | "));
    let cell = |(cell, head): (&String, &&str)| {
        if head.starts_with('`') { format!("`{}`", cell.replace(['`', '|', '\n', '\r'], " ")) } else { escape(cell) }
    };
    for row in rows {
        text += &format!("| {} |\n", row.as_ref().iter().zip(head).map(cell).collect::<Vec<_>>().join(" | "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(escape("8D [CH](A)[RR]: a|b\n# <b>`x` \\"), r"8D [CH]\(A)[RR]\: a\|b # \<b>\`x\` \\");
        let shown = table(&["`name", "#x"], [["a`|<".to_string(), "[a](b)\n".to_string()]]);
        assert_eq!(shown, "| name | x |\n| --- | ---: |\n| `a  <` | [a]\\(b)  |\n");
        assert_eq!(code("toml", "a = 1\n"), "```toml\na = 1\n```\n");
        assert_eq!(code("", "````\n# x"), "`````\n````\n# x\n`````\n");
    }
}
