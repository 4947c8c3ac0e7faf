//! The encoding of values as payloads.

use std::mem::discriminant;

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

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
