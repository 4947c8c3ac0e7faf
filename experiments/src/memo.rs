//! Values that take long to load and do not change: the runs of a worker or a study share them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use tilewright_engine::Setup;
use tilewright_engine::features::Features;
use tilewright_train::leaves::lattice::Lattice;

/// The values that the runs of this process share.
#[derive(Default)]
pub struct Memos {
    /// The game, by lexicon, tile set, and whether it has a word map.
    pub setup: Memo<([Source; 2], bool), Setup>,
    /// The lattice of a tile set, by its hash.
    pub lattice: Memo<String, Lattice>,
    /// The features of an evolution, by the hash of its run.
    pub features: Memo<String, Features>,
}

/// The value of a flag: a name, and for a file, its size and the time of its last change.
pub type Source = (Option<String>, Option<(u64, SystemTime)>);

/// The value that was loaded last, with its key.
pub struct Memo<K, V>(Mutex<Option<(K, Arc<V>)>>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Memo<K, V> {
        Memo(Mutex::new(None))
    }
}

impl<K: PartialEq, V> Memo<K, V> {
    /// The value of this key: the last value, or a new one in its place.
    pub fn get_or<E>(&self, key: K, load: impl FnOnce() -> Result<V, E>) -> Result<Arc<V>, E> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, value)) = last.as_ref().filter(|(own, _)| *own == key) {
            return Ok(Arc::clone(value));
        }
        // The memory of the old value may be needed for the new one.
        *last = None;
        let value = Arc::new(load()?);
        *last = Some((key, Arc::clone(&value)));
        Ok(value)
    }
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_another_key_loads_again() {
        let latest = Memo::default();
        let load = |key, value: Result<u8, u8>| latest.get_or(key, || value).map(|value| *value);
        assert_eq!(load("a", Ok(1)), Ok(1));
        assert_eq!(load("a", Ok(2)), Ok(1));
        assert_eq!(load("b", Err(3)), Err(3));
        assert_eq!(load("a", Ok(4)), Ok(4));
    }
}
