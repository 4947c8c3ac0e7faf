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

/// Returns a number whose bits all depend on all bits of another one: the output function of `SplitMix64` after its step.
#[inline]
pub(crate) fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}
