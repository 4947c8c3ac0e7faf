//! Reading and writing of lines by threads, so that a slow peer does not block. The length of lines is bounded.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// The maximum length of a line in bytes, without its line end.
pub const MAX_BYTES: usize = 1 << 20;
/// The maximum length of a line to a player of this program: 64 KiB. The longest request, the greeting on the largest board, has a
/// tenth of it, and a server answers many clients at once.
pub const MAX_BYTES_OF_REQUESTS: usize = 1 << 16;
/// The capacity of a channel, in lines. A reader thread waits while its channel is full.
const CAPACITY: usize = 16;

/// The results of a reader thread.
#[derive(Debug)]
pub enum ReadEvent {
    /// A line without its line end.
    Line(Vec<u8>),
    /// A line that is too long. Nothing comes after it, because the start of the next line is unknown.
    TooLong,
    /// The peer has closed the connection. Nothing comes after it.
    Ended,
    /// Reading has failed. Nothing comes after it.
    Failed(io::Error),
}

/// Starts a thread that reads lines of at most `most` bytes into the returned channel, until `reader` ends or the channel is dropped.
///
/// # Errors
/// The system cannot start a thread.
pub fn read_lines(reader: impl Read + Send + 'static, most: usize) -> io::Result<Receiver<ReadEvent>> {
    let (sender, receiver) = sync_channel(CAPACITY);
    let mut reader = BufReader::new(reader);
    let read = move || {
        loop {
            let incoming = next_line(&mut reader, most);
            let is_last = !matches!(incoming, ReadEvent::Line(_));
            if sender.send(incoming).is_err() || is_last {
                break;
            }
        }
    };
    thread::Builder::new().name("lines in".into()).spawn(read)?;
    Ok(receiver)
}

fn next_line(reader: &mut impl BufRead, most: usize) -> ReadEvent {
    let mut line = Vec::new();
    let most = most as u64 + 1;
    match reader.by_ref().take(most).read_until(b'\n', &mut line) {
        Ok(_) if line.last() == Some(&b'\n') => {
            line.pop();
            ReadEvent::Line(line)
        }
        Ok(read) if read as u64 == most => ReadEvent::TooLong,
        // A line without its end is incomplete and is dropped.
        Ok(_) => ReadEvent::Ended,
        Err(error) => ReadEvent::Failed(error),
    }
}

/// Starts a thread that writes the lines of the returned channel, until `writer` fails or the channel is dropped.
///
/// # Errors
/// The system cannot start a thread.
pub(crate) fn write_lines(mut writer: impl Write + Send + 'static) -> io::Result<SyncSender<String>> {
    let (sender, receiver) = sync_channel::<String>(CAPACITY);
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

/// Returns the beginning of a text on one line, at most 300 characters. Control characters become spaces.
pub(crate) fn on_one_line(text: &str) -> String {
    const MOST: usize = 300;
    let plain = text.chars().map(|character| if character.is_control() { ' ' } else { character });
    let short: String = plain.clone().take(MOST).collect();
    if plain.count() > MOST { short + " …" } else { short }
}

/// Returns the beginning of received bytes for a message: in quotes, on one line, at most 80 characters.
pub(crate) fn quoted(bytes: &[u8]) -> String {
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
        let mut long = vec![b'x'; MAX_BYTES];
        long.push(b'\n');
        let fits = read_lines(io::Cursor::new([b"a\n\n".to_vec(), long].concat()), MAX_BYTES).unwrap();
        let lengths = fits.iter().map(|incoming| match incoming {
            ReadEvent::Line(line) => Some(line.len()),
            ReadEvent::TooLong | ReadEvent::Ended | ReadEvent::Failed(_) => None,
        });
        assert_eq!(lengths.collect::<Vec<_>>(), [Some(1), Some(0), Some(MAX_BYTES), None]);
        let too_long = read_lines(io::repeat(b'x'), MAX_BYTES_OF_REQUESTS).unwrap();
        assert!(matches!(too_long.iter().collect::<Vec<_>>()[..], [ReadEvent::TooLong]));
        let torn = read_lines(&b"half a li"[..], MAX_BYTES).unwrap();
        assert!(matches!(torn.iter().collect::<Vec<_>>()[..], [ReadEvent::Ended]));
    }

    #[test]
    fn quotes_are_short_and_on_one_line() {
        assert_eq!(quoted(b" a\tb \n"), "\"a\\tb\"");
        let long = quoted(&[0xff; 5000]);
        assert!(long.ends_with(" …") && long.chars().count() < 100, "{long}");
        assert_eq!(on_one_line("a\nb\u{1b}[1mc"), "a b [1mc");
        assert_eq!(on_one_line(&"é".repeat(400)).chars().count(), 302);
    }
}
