//! The encoding of values as payloads.

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value that is stored as JSON text, with every number exact to the last bit. For types that skip fields, which postcard
/// cannot read back.
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

/// The value of a payload; `None` if it has none of this type.
pub(super) fn decode<T: DeserializeOwned>(payload: &[u8]) -> Option<T> {
    let (value, rest) = postcard::take_from_bytes(payload).ok()?;
    rest.is_empty().then_some(value)
}
