//! JSON documents, which name their form.

use std::sync::{Mutex, PoisonError};

use serde::Serialize;

/// The verb whose result is written, such as `leaves-show`. It names the form of its JSON.
static VERB: Mutex<String> = Mutex::new(String::new());

/// The version of all forms of JSON: it grows if a key changes its name or meaning, or goes.
const VERSION: u32 = 1;

/// Does the work of a verb.
pub fn of_verb<T>(verb: &str, work: impl FnOnce() -> T) -> T {
    let swap = |verb: String| std::mem::replace(&mut *VERB.lock().unwrap_or_else(PoisonError::into_inner), verb);
    let before = swap(verb.into());
    let done = work();
    swap(before);
    done
}

/// The name of the form of a verb's JSON, such as `tilewright/leaves-show/1`.
pub fn form_of(verb: &str) -> String {
    format!("tilewright/{verb}/{VERSION}")
}

/// A result with the name of its form.
#[derive(Serialize)]
pub struct Document<'a, T> {
    schema: String,
    #[serde(flatten)]
    result: &'a T,
}

impl<'a, T> Document<'a, T> {
    pub fn new(result: &'a T) -> Document<'a, T> {
        Document { schema: form_of(&VERB.lock().unwrap_or_else(PoisonError::into_inner)), result }
    }
}
