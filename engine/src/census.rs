//! The census of a board: the exact value on this board of every full rack that can be drawn from its unseen tiles.
//!
//! ```text
//! board, unseen tiles ─► best score of every multiset of tiles (`Sheet`) ─► best score + leave value of every full rack
//! ```
//!
//! A move generator would find the same words again for each of millions of racks. The census places each word once for all
//! racks. The value of a rack is then the maximum, over all splits into tiles played and leave, of the score in the sheet
//! plus the value of the leave.

mod sheet;
mod racks;

pub use racks::{Census, NOT_DEALT};
pub use sheet::Sheet;
