//! Lines in and out, of bounded length and without waiting for a side that does not move.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Bytes of the longest line.
pub const MOST_BYTES: usize = 1 << 20;
/// Lines that may wait to be taken; then the other side has to wait.
const WAITING: usize = 16;

/// What comes from the other side.
#[derive(Debug)]
pub enum Incoming {
    /// A line without its end.
    Line(Vec<u8>),
    /// A line longer than [`MOST_BYTES`]. Nothing comes after it: where the next one would begin is unknown.
    TooLong,
    /// The other side has closed, or the line has failed. Nothing comes after it.
    Ended,
}

/// Lines as they come, read by a thread of their own, which ends with its reader or once nobody takes them.
///
/// # Errors
/// Where there are no more threads.
pub fn listen(reader: impl Read + Send + 'static) -> io::Result<Receiver<Incoming>> {
    let (sender, receiver) = sync_channel(WAITING);
    let mut reader = BufReader::new(reader);
    let read = move || {
        loop {
            let incoming = next_line(&mut reader);
            let is_last = !matches!(incoming, Incoming::Line(_));
            if sender.send(incoming).is_err() || is_last {
                break;
            }
        }
    };
    thread::Builder::new().name("lines in".into()).spawn(read)?;
    Ok(receiver)
}

fn next_line(reader: &mut impl BufRead) -> Incoming {
    let mut line = Vec::new();
    let most = MOST_BYTES as u64 + 1;
    match reader.by_ref().take(most).read_until(b'\n', &mut line) {
        Ok(_) if line.last() == Some(&b'\n') => {
            line.pop();
            Incoming::Line(line)
        }
        Ok(read) if read as u64 == most => Incoming::TooLong,
        // Half a line is none.
        _ => Incoming::Ended,
    }
}

/// Where lines are put that a thread of its own writes, which ends with its writer or once the sender is gone.
///
/// # Errors
/// Where there are no more threads.
pub fn speak(mut writer: impl Write + Send + 'static) -> io::Result<SyncSender<String>> {
    let (sender, receiver) = sync_channel::<String>(WAITING);
    let write = move || {
        for mut line in receiver {
            line.push('\n');
            if writer.write_all(line.as_bytes()).and_then(|()| writer.flush()).is_err() {
                break;
            }
        }
    };
    thread::Builder::new().name("lines out".into()).spawn(write)?;
    Ok(sender)
}

/// The beginning of a text that may hold what somebody said, on one line.
pub fn on_one_line(text: &str) -> String {
    const MOST: usize = 200;
    let plain = text.chars().map(|character| if character.is_control() { ' ' } else { character });
    let short: String = plain.clone().take(MOST).collect();
    if plain.count() > MOST { short + " …" } else { short }
}

/// The beginning of what somebody said, for a message: in quotes, on one line.
pub fn quoted(bytes: &[u8]) -> String {
    const MOST: usize = 80;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * MOST)]);
    let text = text.trim();
    let short: String = text.chars().take(MOST).collect();
    let more = if short.len() < text.len() || bytes.len() > 4 * MOST { " …" } else { "" };
    format!("{short:?}{more}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_bounded() {
        let mut long = vec![b'x'; MOST_BYTES];
        long.push(b'\n');
        let fits = listen(io::Cursor::new([b"a\n\n".to_vec(), long].concat())).unwrap();
        let lengths = fits.iter().map(|incoming| match incoming {
            Incoming::Line(line) => Some(line.len()),
            Incoming::TooLong | Incoming::Ended => None,
        });
        assert_eq!(lengths.collect::<Vec<_>>(), [Some(1), Some(0), Some(MOST_BYTES), None]);
        let too_long = listen(io::repeat(b'x')).unwrap();
        assert!(matches!(too_long.iter().collect::<Vec<_>>()[..], [Incoming::TooLong]));
        let torn = listen(&b"half a li"[..]).unwrap();
        assert!(matches!(torn.iter().collect::<Vec<_>>()[..], [Incoming::Ended]));
    }

    #[test]
    fn what_is_quoted_is_short() {
        assert_eq!(quoted(b" a\tb \n"), "\"a\\tb\"");
        let long = quoted(&[0xff; 5000]);
        assert!(long.ends_with(" …") && long.chars().count() < 100, "{long}");
        assert_eq!(on_one_line("a\nb\u{1b}[1mc"), "a b [1mc");
        assert_eq!(on_one_line(&"é".repeat(300)).chars().count(), 202);
    }
}
