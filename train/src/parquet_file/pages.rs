//! Checks the sizes that the pages of a column state, because the Parquet library reserves the memory of a page before it unpacks it.
//!
//! A page begins with a header in the compact protocol of Thrift: fields with a type and a number, the end of a struct as a zero byte.
//! Field 2 is the size of the unpacked page, field 3 the size of the packed one, which follows the header.

/// The most bytes that a packed byte unpacks to: Snappy copies at most 64 bytes by three.
const MAX_PER_BYTE: u64 = 32;
/// The depth at which structs and lists in a header are damage. Real ones have three levels.
const MAX_DEPTH: usize = 16;

/// Checks the pages of a column chunk, which are all of `bytes`.
///
/// # Errors
/// A header that is no header, or a page that cannot unpack to the size that it states.
pub(super) fn check(mut bytes: &[u8]) -> Result<(), String> {
    while !bytes.is_empty() {
        let mut header = Header { rest: bytes };
        let (unpacked, packed) = header.sizes().ok_or("the header of a page is damaged")?;
        let page = header.rest.get(..packed as usize).ok_or("a page ends after its column")?;
        if unpacked > MAX_PER_BYTE * (page.len() as u64 + 8) {
            return Err(format!("a page of {packed} bytes states that it unpacks to {unpacked}"));
        }
        bytes = &header.rest[page.len()..];
    }
    Ok(())
}

/// The byte at the end of a struct.
const END: u8 = 0;

struct Header<'a> {
    rest: &'a [u8],
}

impl Header<'_> {
    /// Reads the header. Returns the sizes of the unpacked and of the packed page.
    fn sizes(&mut self) -> Option<(u64, u64)> {
        let (mut field, mut sizes) = (0, [None; 2]);
        loop {
            match (self.field(&mut field)?, field) {
                (END, _) => return Some((sizes[0]?, sizes[1]?)),
                // The library takes a size from a field of any type, and the last one of several.
                (5, 2 | 3) if sizes[field as usize - 2].is_none() => sizes[field as usize - 2] = Some(self.size()?),
                (_, 2 | 3) => return None,
                (kind, _) => self.skip(kind, 0)?,
            }
        }
    }

    /// The type of the next field, whose number it sets, or [`END`].
    fn field(&mut self, number: &mut i64) -> Option<u8> {
        let byte = self.byte()?;
        if byte != END {
            let next = match byte >> 4 {
                0 => self.integer()?,
                step => number.checked_add(step.into())?,
            };
            *number = Some(next).filter(|next| (1..=i16::MAX.into()).contains(next))?;
        }
        Some(byte & 15)
    }

    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Some(value);
            }
        }
        None
    }

    /// A signed number, in zigzag form.
    fn integer(&mut self) -> Option<i64> {
        self.varint().map(|value| (value >> 1) as i64 ^ -((value & 1) as i64))
    }

    fn size(&mut self) -> Option<u64> {
        self.integer().filter(|size| (0..=i32::MAX.into()).contains(size)).map(i64::cast_unsigned)
    }

    fn skip_bytes(&mut self, count: u64) -> Option<()> {
        self.rest = self.rest.get(usize::try_from(count).ok()?..)?;
        Some(())
    }

    /// Skips a value of a type.
    fn skip(&mut self, kind: u8, depth: usize) -> Option<()> {
        if depth == MAX_DEPTH {
            return None;
        }
        match kind {
            // The type of a field holds the value of a bool.
            1 | 2 => Some(()),
            3 => self.skip_bytes(1),
            4..=6 => self.varint().map(drop),
            7 => self.skip_bytes(8),
            8 => self.varint().and_then(|length| self.skip_bytes(length)),
            9 | 10 => {
                let byte = self.byte()?;
                let count = if byte >> 4 == 15 { self.varint()? } else { u64::from(byte >> 4) };
                (0..count).try_for_each(|_| match byte & 15 {
                    // In a list a bool is a byte.
                    1 | 2 => self.skip_bytes(1),
                    kind => self.skip(kind, depth + 1),
                })
            }
            12 => {
                let mut number = 0;
                loop {
                    match self.field(&mut number)? {
                        END => return Some(()),
                        kind => self.skip(kind, depth + 1)?,
                    }
                }
            }
            // No header has a map.
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header of a data page with these sizes and a nested struct, and the packed page.
    fn page(unpacked: u8, packed: u8) -> Vec<u8> {
        // Field 1 (type) = 0, field 2, field 3, field 5: a struct of an integer and a text.
        let header = [0x15, 0, 0x15, 2 * unpacked, 0x15, 2 * packed, 0x2c, 0x15, 6, 0x18, 2, b'a', b'b', 0, 0];
        [header.as_slice(), &vec![7; packed as usize]].concat()
    }

    #[test]
    fn pages_are_followed_to_the_end_of_their_column() {
        assert_eq!(check(&[page(60, 30), page(10, 10)].concat()), Ok(()));
        assert_eq!(check(&[]), Ok(()));
        let two = [page(60, 30), page(10, 10)].concat();
        assert!(check(&two[..two.len() - 1]).unwrap_err().contains("ends after its column"));
        assert!(check(&page(10, 3)[..9]).unwrap_err().contains("header"));
        assert!(check(&[0x1c; 100]).unwrap_err().contains("header"), "structs without end");
    }

    #[test]
    fn a_size_comes_once_and_as_a_number_of_32_bits() {
        let good = page(60, 30);
        // After the struct, a second size of the unpacked page: as 64 bits and as 32, with its number written out.
        for kind in [6, 5] {
            let mut twice = good.clone();
            twice.splice(14..14, [kind, 4, 0xfe, 0xff, 0xff, 0xff, 0x0f]);
            assert!(check(&twice).unwrap_err().contains("header"), "{kind}");
        }
        let mut other = good.clone();
        other.splice(14..14, [5, 80, 2]);
        assert_eq!(check(&other), Ok(()), "field 40");
        let mut outside = good;
        outside.splice(14..14, [5, 0xfe, 0xff, 0xff, 0x0f, 2]);
        assert!(check(&outside).unwrap_err().contains("header"), "a field beyond 16 bits");
    }

    #[test]
    fn a_page_cannot_unpack_to_any_size() {
        // 1000 as the size of the unpacked page of 10 bytes.
        let mut large = page(0, 10);
        large.splice(3..4, [0xd0, 0x0f]);
        assert_eq!(check(&large), Err("a page of 10 bytes states that it unpacks to 1000".into()));
    }
}
