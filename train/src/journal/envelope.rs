//! The envelope of a work file.
//!
//! | bytes | content |
//! | --- | --- |
//! | 18 | `tilewright work 1` and a line feed. The number is the version of the format |
//! | 64 | the run: the hash of its key, in hexadecimal digits, as all hashes here |
//! | 64 | the identity: a hash of the file's name and of the inputs of the payload beyond the run |
//! | any | the payload |
//! | 64 | SHA-256 of everything before |
//!
//! Every version of the format ends in that checksum, so a damaged file can be distinguished from a file of another version.

use tilewright_engine::hash::{sha256, sha256_parts};

use super::payload::decode;

const MAGIC: &[u8] = b"tilewright work 1\n";
/// Hexadecimal digits of a hash.
const HASH: usize = 64;

/// A work file as it was read.
pub(super) enum Envelope<'a> {
    /// The checksum is wrong.
    Damaged,
    /// The checksum is right, but the format has another version.
    OtherFormat,
    /// The checksum and the format are right.
    Whole {
        /// The hash of its run's key.
        run: &'a str,
        /// The hash of the file's name and of the further inputs of the payload.
        identity: &'a str,
        /// The encoded value.
        payload: &'a [u8],
    },
}

impl<'a> Envelope<'a> {
    /// Parses the bytes of a file.
    pub(super) fn from_bytes(bytes: &'a [u8]) -> Envelope<'a> {
        let Some((content, checksum)) = bytes.len().checked_sub(HASH).map(|at| bytes.split_at(at)) else {
            return Envelope::Damaged;
        };
        if sha256_parts([content]).as_bytes() != checksum {
            return Envelope::Damaged;
        }
        Envelope::open(content).unwrap_or(Envelope::OtherFormat)
    }

    fn open(content: &'a [u8]) -> Option<Envelope<'a>> {
        let (run, rest) = content.strip_prefix(MAGIC)?.split_at_checked(HASH)?;
        let (identity, payload) = rest.split_at_checked(HASH)?;
        Some(Envelope::Whole { run: str::from_utf8(run).ok()?, identity: str::from_utf8(identity).ok()?, payload })
    }
}

/// Whether the checksum of a work file is right, and so is the checksum of its records that it holds.
pub fn is_whole(file: &[u8], records: Option<&[u8]>) -> bool {
    let Envelope::Whole { payload, .. } = Envelope::from_bytes(file) else { return false };
    records.is_none_or(|records| decode(payload) == Some(sha256(records)))
}

/// The bytes of a work file.
pub(super) fn to_bytes(run: &str, identity: &str, payload: &[u8]) -> Vec<u8> {
    let parts = [MAGIC, run.as_bytes(), identity.as_bytes(), payload];
    let checksum = sha256_parts(parts);
    [&parts.concat()[..], checksum.as_bytes()].concat()
}

/// The identity in the envelope of a work file: a hash of the file's name and of the further inputs of its payload.
pub(super) fn identity_of(name: &str, identity: &str) -> String {
    sha256(format!("{name} {identity}").as_bytes())
}
