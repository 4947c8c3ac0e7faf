//! SHA-256 in hexadecimal, which identifies word lists, tile sets and files.

use sha2::{Digest, Sha256};

/// Returns the hash of some bytes, as `sha256sum` prints it.
pub fn sha256(bytes: &[u8]) -> String {
    sha256_parts([bytes])
}

/// Returns the hash of several parts, one after the other.
pub fn sha256_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
