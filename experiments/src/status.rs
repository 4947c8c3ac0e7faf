//! Lines on standard error: progress, warnings, errors.

use std::borrow::Cow;
use std::fmt::Arguments;
use std::io::Write;

/// A text of which a terminal obeys nothing: control characters but line ends and tabs, marks of the writing direction and characters without
/// a width become `\u001b` and the like, which JSON reads as the characters themselves.
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

/// Prints a line to standard error. Nobody misses it if standard error takes no more: its reader has gone away, or its disk is full.
pub fn status_line(text: Arguments<'_>) {
    let _ = writeln!(std::io::stderr().lock(), "{}", visible(&text.to_string()));
}

/// Prints a line to standard error; see [`status_line`].
macro_rules! status {
    ($($part:tt)*) => { $crate::status::status_line(format_args!($($part)*)) };
}
pub(crate) use status;

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
}
