//! The envelope of a work file, and the encoding of values as its payload.
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

use std::mem::discriminant;

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use tilewright_engine::hash::{sha256, sha256_parts};

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

/// A value stored as JSON text, with numbers exact to the last bit. Types that skip fields need it: postcard cannot read
/// them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Json<T>(pub T);

impl<T: Serialize> Serialize for Json<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_json::to_string(&self.0).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Json<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Json<T>, D::Error> {
        serde_json::from_str(&String::deserialize(deserializer)?).map(Json).map_err(D::Error::custom)
    }
}

/// A value's payload, and the value as it will be read back.
///
/// # Errors
/// Why it cannot be read back.
pub(super) fn encode<T: Serialize + DeserializeOwned>(value: &T) -> Result<(Vec<u8>, T), String> {
    let payload = postcard::to_stdvec(value).map_err(|error| error.to_string())?;
    let back: Option<T> = decode(&payload);
    let same = |back: &T| postcard::to_stdvec(back).is_ok_and(|again| again == payload);
    let back = back.filter(same).ok_or("it decodes to another value; if its type skips fields, wrap it in Json")?;
    Ok((payload, back))
}

/// The value of a payload, or `None` if it has no value of this type.
pub(super) fn decode<T: DeserializeOwned>(payload: &[u8]) -> Option<T> {
    let (value, rest) = postcard::take_from_bytes(payload).ok()?;
    rest.is_empty().then_some(value)
}

/// Whether two values have lists of the same lengths, but for those that are empty in the second, and numbers in the same places.
pub(super) fn have_one_shape<T: Serialize>(value: &T, other: &T) -> bool {
    let [value, other] = [value, other].map(|value| serde_json::to_value(value).ok());
    value.zip(other).is_some_and(|(value, other)| have_one_form(&value, &other))
}

fn have_one_form(value: &Value, other: &Value) -> bool {
    match (value, other) {
        (Value::Array(_), Value::Array(others)) if others.is_empty() => true,
        (Value::Array(values), Value::Array(others)) => {
            values.len() == others.len() && values.iter().zip(others).all(|(value, other)| have_one_form(value, other))
        }
        (Value::Object(values), Value::Object(others)) => {
            others.iter().all(|(key, other)| values.get(key).is_some_and(|value| have_one_form(value, other)))
        }
        // Numbers that are not finite are null.
        _ => discriminant(value) == discriminant(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_is_the_lengths_of_lists_and_the_places_of_numbers() {
        type State = (Vec<Vec<f64>>, Vec<f32>, Option<u64>);
        let fresh: State = (vec![vec![0.0; 2]; 3], Vec::new(), Some(1));
        let like = |change: &dyn Fn(&mut State)| {
            let mut value = fresh.clone();
            change(&mut value);
            have_one_shape(&value, &fresh)
        };
        assert!(like(&|value| value.0[2][1] = -3.5) && like(&|value| value.1.push(2.0)));
        assert!(!like(&|value| value.0[1].push(0.0)) && !like(&|value| value.0.truncate(2)));
        assert!(!like(&|value| value.0[0][0] = f64::NAN) && !like(&|value| value.2 = None));
    }
}
