//! The census of one board: what every full rack that its unseen tiles can deal is worth on it, exactly.
//!
//! ```text
//! board, unseen tiles ─► best score of every multiset that can be played (`Sheet`) ─► best play + keep of every full rack
//! ```
//!
//! A move generator asked rack by rack would find the same words again for each of millions of racks. Here each word is laid
//! once for all of them, and a rack's value is the best sum, over the ways to split it into tiles played and tiles kept, of
//! the sheet's score and the leave's value.

mod racks;
mod sheet;

pub use racks::{Census, NOT_DEALT};
pub use sheet::Sheet;
