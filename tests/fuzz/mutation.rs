//! Random changes of inputs.

use rand::{Rng, RngExt};
use tilewright_engine::rng::Stream;

/// The longest input that changes make, in bytes; a longer one is cut.
const LONGEST: usize = 1 << 17;

/// Texts that many parsers treat specially.
const FRAGMENTS: [&str; 40] = [
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "?",
    ".",
    ",",
    ";",
    ":",
    "=",
    "#",
    "-",
    "+",
    "/",
    "\\",
    "\"",
    "'",
    "\n",
    "\r\n",
    "\t",
    " ",
    "\0",
    "CH",
    "[CH]",
    "ñ",
    "İ",
    "ß",
    "\u{feff}",
    "\u{a0}",
    "\u{301}",
    "true",
    "null",
    "NaN",
    "inf",
    "=\n",
    "[[x]]\n",
    "\"\"",
    "\u{10ffff}",
];

/// Numbers at which something ends: a type, a sign, or what a float can count.
const NUMBERS: [&str; 26] = [
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "7",
    "255",
    "256",
    "-129",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483649",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999",
    "1e308",
    "1e-320",
    "0.1",
    "-1e999",
];

/// The same as little-endian words; the low bytes are taken for shorter ones.
const WORDS: [u64; 14] = [
    0,
    1,
    2,
    0x7f,
    0x80,
    0xff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    1 << 32,
    1 << 62,
    i64::MAX as u64,
    u64::MAX,
    0x7ff0_0000_0000_0000,
];

/// Changes `input` in a few places. `other` is an input of the same target, from which pieces are taken.
pub fn mutate(input: &[u8], other: &[u8], fragments: &[&str], stream: &mut Stream) -> Vec<u8> {
    let mut bytes = input.to_vec();
    let is_text = str::from_utf8(input).is_ok();
    let changes = [1, 1, 1, 2, 3, 6][stream.random_range(0..6usize)];
    for _ in 0..changes {
        match stream.random_range(0..if is_text { 12 } else { 9 }) {
            0 => change_byte(&mut bytes, stream),
            1 => drop(bytes.drain(piece(&bytes, stream))),
            2 => repeat(&mut bytes, stream),
            3 | 9 => insert_fragment(&mut bytes, fragments, stream),
            4 => splice(&mut bytes, other, stream),
            5 => copy_within(&mut bytes, stream),
            6 if !is_text => change_word(&mut bytes, stream),
            6 | 10 => change_number(&mut bytes, stream),
            7 if is_text || stream.random_range(0..4) == 0 => change_lines(&mut bytes, stream),
            7 => change_word(&mut bytes, stream),
            8 if stream.random_range(0..8) == 0 => bytes.truncate(stream.random_range(0..=bytes.len())),
            8 if !is_text => change_byte(&mut bytes, stream),
            _ => swap_tokens(&mut bytes, stream),
        }
        bytes.truncate(LONGEST.max(input.len()));
    }
    bytes
}

/// A place, and a length that is mostly short.
fn piece(bytes: &[u8], stream: &mut Stream) -> std::ops::Range<usize> {
    let at = stream.random_range(0..=bytes.len());
    let most = [1, 4, 20, 200][stream.random_range(0..4usize)];
    at..(at + stream.random_range(0..=most)).min(bytes.len())
}

fn change_byte(bytes: &mut [u8], stream: &mut Stream) {
    if !bytes.is_empty() {
        let at = stream.random_range(0..bytes.len());
        let value = stream.next_u32();
        if value & 256 == 0 { bytes[at] = value as u8 } else { bytes[at] ^= 1 << (value & 7) }
    }
}

fn repeat(bytes: &mut Vec<u8>, stream: &mut Stream) {
    let range = piece(bytes, stream);
    let times = [1, 1, 1, 2, 20, 300][stream.random_range(0..6usize)];
    let copies = bytes[range.clone()].repeat(times);
    drop(bytes.splice(range.start..range.start, copies));
}

fn insert_fragment(bytes: &mut Vec<u8>, fragments: &[&str], stream: &mut Stream) {
    let range = piece(bytes, stream);
    let count = if stream.random_range(0..2) == 0 { fragments.len() } else { 0 };
    let fragment = match count {
        0 if stream.random_range(0..8) == 0 => NUMBERS[stream.random_range(0..NUMBERS.len())],
        0 => FRAGMENTS[stream.random_range(0..FRAGMENTS.len())],
        _ => fragments[stream.random_range(0..count)],
    };
    let end = if stream.random_range(0..2) == 0 { range.start } else { range.end };
    drop(bytes.splice(range.start..end, fragment.bytes()));
}

/// Puts a piece of another input into this one, or the rest of it behind a piece of this one.
fn splice(bytes: &mut Vec<u8>, other: &[u8], stream: &mut Stream) {
    let from = piece(other, stream);
    if stream.random_range(0..4) == 0 {
        bytes.truncate(stream.random_range(0..=bytes.len()));
        bytes.extend_from_slice(&other[from.start..]);
    } else {
        let range = piece(bytes, stream);
        drop(bytes.splice(range, other[from].iter().copied()));
    }
}

fn copy_within(bytes: &mut Vec<u8>, stream: &mut Stream) {
    let copy = bytes[piece(bytes, stream)].to_vec();
    let at = stream.random_range(0..=bytes.len());
    drop(bytes.splice(at..at, copy));
}

/// Replaces a number of 1, 2, 4 or 8 bytes.
fn change_word(bytes: &mut [u8], stream: &mut Stream) {
    let length = 1 << stream.random_range(0..4);
    if bytes.len() >= length {
        // Headers are at the beginning, and footers at the end.
        let at = match stream.random_range(0..4) {
            0 => stream.random_range(0..=bytes.len().min(64) - length.min(bytes.len().min(64))),
            1 => bytes.len() - length - stream.random_range(0..=(bytes.len() - length).min(64)),
            _ => stream.random_range(0..=bytes.len() - length),
        };
        let target = &mut bytes[at..at + length];
        let word = WORDS[stream.random_range(0..WORDS.len())].to_le_bytes();
        target.copy_from_slice(&word[..length]);
    }
}

/// The run of bytes for which `holds`, at a random place or behind it.
fn token(bytes: &[u8], holds: impl Fn(u8) -> bool, stream: &mut Stream) -> Option<std::ops::Range<usize>> {
    let from = stream.random_range(0..bytes.len().max(1));
    let inside = (from..bytes.len()).chain(0..from).find(|&at| holds(bytes[at]))?;
    let start = bytes[..inside].iter().rposition(|&byte| !holds(byte)).map_or(0, |at| at + 1);
    let end = bytes[inside..].iter().position(|&byte| !holds(byte)).map_or(bytes.len(), |length| inside + length);
    Some(start..end)
}

fn change_number(bytes: &mut Vec<u8>, stream: &mut Stream) {
    if let Some(range) = token(bytes, |byte| byte.is_ascii_digit() || byte == b'.', stream) {
        let number = NUMBERS[stream.random_range(0..NUMBERS.len())];
        drop(bytes.splice(range, number.bytes()));
    }
}

/// Writes one word over another.
fn swap_tokens(bytes: &mut Vec<u8>, stream: &mut Stream) {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte >= 0x80 || byte == b'_';
    if let (Some(from), Some(to)) = (token(bytes, is_word, stream), token(bytes, is_word, stream)) {
        let copy = bytes[from].to_vec();
        drop(bytes.splice(to, copy));
    }
}

/// Removes, repeats or swaps lines.
fn change_lines(bytes: &mut Vec<u8>, stream: &mut Stream) {
    let mut lines: Vec<Vec<u8>> = bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    if lines.is_empty() {
        return;
    }
    let (one, other) = (stream.random_range(0..lines.len()), stream.random_range(0..lines.len()));
    match stream.random_range(0..3) {
        0 => drop(lines.remove(one)),
        1 => lines.insert(other, lines[one].clone()),
        _ => lines.swap(one, other),
    }
    *bytes = lines.concat();
}
