//! Faults that are known and not mended yet. They are counted and neither stored nor reported, so that others come to light. A fault leaves
//! this list with the change that mends it, which adds its input to the regressions.

/// A known fault: its target, a part of its message, and what is behind it.
type Known = (&'static str, &'static str, &'static str);

/// All of them.
const KNOWN: &[Known] = &[
    ("parquet", "/parquet-", "damaged footers and pages panic inside the library"),
    ("parquet", "of memory for", "the number of rows in a footer is believed"),
    ("artefacts", "of memory for", "the same, in the detail of a leave table"),
    ("artefacts", "/parquet-", "the same, in the detail of a leave table"),
    ("runs", "/parquet-", "the same, in records"),
    ("gcg", "SameNickname", "a player without a line takes the nickname of an event, which may be that of the other player"),
];

/// Whether a fault of a target is known.
pub fn is_known(target: &str, message: &str) -> bool {
    KNOWN.iter().any(|&(name, part, _)| name == target && message.contains(part))
}
