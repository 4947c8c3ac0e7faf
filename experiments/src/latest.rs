//! What takes long to load and does not change: a process that runs several commands, such as a worker or a study, loads it once.

use std::sync::{Arc, Mutex, PoisonError};

/// The value that was loaded last, with what it was loaded from.
pub struct Latest<K, V>(Mutex<Option<(K, Arc<V>)>>);

impl<K: PartialEq, V> Latest<K, V> {
    /// Nothing yet.
    pub const fn new() -> Latest<K, V> {
        Latest(Mutex::new(None))
    }

    /// The value of this key: the last one, or a new one that replaces it.
    ///
    /// # Errors
    /// Those of `load`.
    pub fn get_or<E>(&self, key: K, load: impl FnOnce() -> Result<V, E>) -> Result<Arc<V>, E> {
        let mut latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, value)) = latest.as_ref().filter(|(own, _)| *own == key) {
            return Ok(Arc::clone(value));
        }
        // The memory of the old value may be needed for the new one.
        *latest = None;
        let value = Arc::new(load()?);
        *latest = Some((key, Arc::clone(&value)));
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_another_key_loads_again() {
        let latest = Latest::new();
        let load = |key, value: Result<u8, u8>| latest.get_or(key, || value).map(|value| *value);
        assert_eq!(load("a", Ok(1)), Ok(1));
        assert_eq!(load("a", Ok(2)), Ok(1));
        assert_eq!(load("b", Err(3)), Err(3));
        assert_eq!(load("a", Ok(4)), Ok(4));
    }
}
