//! Unpacking of gzip files, up to a size limit.

use std::borrow::Cow;
use std::io::{Error, ErrorKind, Result};

/// The first bytes of gzip data.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Unpacks all members of gzip data.
///
/// # Errors
/// Damaged data, or data that unpacks to more than `limit` bytes.
#[cfg(any(feature = "archives", feature = "embedded"))]
pub(crate) fn unpack(bytes: &[u8], limit: u64) -> Result<Vec<u8>> {
    read_unpacked(flate2::read::MultiGzDecoder::new(bytes), limit)
}

/// Unpacks nothing: this build cannot.
///
/// # Errors
/// Always.
#[cfg(not(any(feature = "archives", feature = "embedded")))]
pub(crate) fn unpack(_: &[u8], _: u64) -> Result<Vec<u8>> {
    Err(not_in_this_build())
}

/// The error for data that this build does not unpack.
#[cfg(not(feature = "archives"))]
pub(crate) fn not_in_this_build() -> Error {
    Error::new(ErrorKind::Unsupported, "packed data, which needs the feature archives of the engine; unpack the file")
}

/// Reads the unpacked content of packed data of any kind, at most `limit` bytes.
#[cfg(any(feature = "archives", feature = "embedded"))]
pub(crate) fn read_unpacked(packed: impl std::io::Read, limit: u64) -> Result<Vec<u8>> {
    let mut plain = Vec::new();
    std::io::Read::read_to_end(&mut packed.take(limit.saturating_add(1)), &mut plain)?;
    if plain.len() as u64 <= limit {
        return Ok(plain);
    }
    Err(Error::new(ErrorKind::FileTooLarge, format!("the data unpacks to more than {limit} bytes, the most that is read")))
}

/// The reason why gzip data cannot be unpacked.
pub(crate) fn reason(error: &Error) -> String {
    if matches!(error.kind(), ErrorKind::FileTooLarge | ErrorKind::Unsupported) {
        error.to_string()
    } else {
        format!("damaged gzip data ({error})")
    }
}

/// Returns the content of a file that may be gzipped. Its first two bytes decide.
///
/// # Errors
/// As [`unpack`].
pub(crate) fn unpack_if_packed(bytes: &[u8], limit: u64) -> Result<Cow<'_, [u8]>> {
    if bytes.starts_with(&MAGIC) { unpack(bytes, limit).map(Cow::Owned) } else { Ok(Cow::Borrowed(bytes)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn data_is_unpacked_up_to_the_limit() {
        let pack = |bytes: &[u8]| {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        };
        let members = [pack(b"leave,"), pack(b"value")].concat();
        assert_eq!(unpack_if_packed(&members, 11).unwrap(), b"leave,value".as_slice());
        assert_eq!(unpack_if_packed(b"leave,value", 11).unwrap(), b"leave,value".as_slice());
        assert!(unpack(&members, 10).unwrap_err().to_string().contains("more than 10 bytes"));
        assert!(unpack(&members[..members.len() - 9], 11).is_err());
        assert!(unpack(b"leave,value", 11).is_err());
    }
}
