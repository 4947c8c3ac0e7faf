//! Texts, whoever wrote them, as terminals show them and in Markdown.

use std::borrow::Cow;

/// A text without control over a terminal, a page or an editor. Control characters but line ends and tabs, marks of the
/// writing direction, and characters without a width become `\u001b` and the like, which JSON reads as the characters
/// themselves.
pub fn visible(text: &str) -> Cow<'_, str> {
    let is_hidden = |letter: char| match letter {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => true,
        letter => letter.is_control(),
    };
    if !text.contains(is_hidden) {
        return text.into();
    }
    let shown = |letter| if is_hidden(letter) { format!("\\u{:04x}", u32::from(letter)) } else { letter.to_string() };
    text.chars().map(shown).collect::<String>().into()
}

/// A text that makes no code, cell, link, element or line of its own in Markdown.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in visible(text).chars() {
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

/// A table. Columns whose head begins with `#` hold numbers. A backtick marks code. Heads and cells are text.
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
    fn a_terminal_obeys_no_text_and_json_stays_json() {
        assert!(matches!(visible("Ñ\t[CH] 8H\n±−…"), Cow::Borrowed(_)));
        let hostile = "a\u{1b}[2J\u{7}\r\u{7f}\u{9b}31m\u{202e}\u{2066}\u{200b}\u{feff}z";
        let shown = r"a\u001b[2J\u0007\u000d\u007f\u009b31m\u202e\u2066\u200b\ufeffz";
        assert_eq!(visible(hostile), shown);
        let json = serde_json::to_string(hostile).unwrap();
        assert_eq!(serde_json::from_str::<String>(&visible(&json)).unwrap(), hostile);
    }

    #[test]
    fn text_stays_text() {
        assert_eq!(escape("8D [CH](A)[RR]: a|b\n# <b>`x` \\"), r"8D [CH]\(A)[RR]\: a\|b # \<b>\`x\` \\");
        assert_eq!(escape("a\u{202e}b"), r"a\\u202eb");
        let shown = table(&["`name", "#x"], [["a`|<".to_string(), "[a](b)\n".to_string()]]);
        assert_eq!(shown, "| name | x |\n| --- | ---: |\n| `a  <` | [a]\\(b)  |\n");
        assert_eq!(code("toml", "a = 1\n"), "```toml\na = 1\n```\n");
        assert_eq!(code("", "````\n# x"), "`````\n````\n# x\n`````\n");
    }
}
