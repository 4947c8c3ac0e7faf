//! Move generation with the word map.
//!
//! To find the best plays, extents are searched in the order of their upper bounds until no bound reaches the threshold. On
//! an extent, every selection of tiles is tried, the best leave first. One look into a filter rejects nearly all. To find
//! all plays, extents that play through the same letters are searched together, and their words are looked up once.

use std::borrow::Borrow;

use super::lanes::{Extent, Lane};
use super::queue::{Queue, QueueEntry};
use super::search_rack::{SearchRack, Selection, Spelled, Spelling, may_spell};
use super::site::Site;
use super::visitor::{Goal, Visitor};
use crate::equity::Equity;
use crate::lexicon::{Anagrams, WordMap};
use crate::setup::Setup;

/// The search of some lanes of one position.
pub(super) struct Search<'a, L> {
    pub setup: &'a Setup,
    pub map: &'a WordMap,
    pub lanes: &'a [L],
    pub rack: &'a SearchRack,
}

impl<'a, L: Borrow<Lane>> Search<'a, L> {
    /// Visits every play whose equity is not below the threshold. `queue` is scratch memory. `spelling` must have begun with
    /// the rack.
    pub(super) fn visit_plays<V: Visitor>(&self, queue: &mut Queue, spelling: &mut Spelling, visitor: &mut V) {
        self.fill_queue(&mut queue.entries, visitor.threshold());
        match V::GOAL {
            Goal::Best => self.visit_best(queue, spelling, visitor),
            Goal::All => self.visit_all(&mut queue.entries, visitor),
        }
    }

    fn fill_queue(&self, queue: &mut Vec<QueueEntry>, threshold: Equity) {
        queue.clear();
        for (lane_number, lane) in (0..).zip(self.lanes) {
            let lane = lane.borrow();
            let closed = lane.closed_to(self.rack.showable);
            for (number, extent) in (0..).zip(&lane.extents).filter(|(_, extent)| self.rack.reaches(extent, closed)) {
                if let Some(bound) = self.rack.bound(extent).filter(|&bound| bound >= threshold) {
                    queue.push(QueueEntry { bound, lane: lane_number, extent: number });
                }
            }
        }
    }

    /// Searches the extents with the highest bounds first, until no bound reaches the threshold.
    fn visit_best(&self, queue: &mut Queue, spelling: &mut Spelling, visitor: &mut impl Visitor) {
        queue.sort();
        for entry in &queue.entries {
            if entry.bound < visitor.threshold() {
                if Queue::is_low_after(*entry, visitor.threshold()) {
                    break;
                }
                continue;
            }
            let (lane, extent) = entry.find(self.lanes);
            self.visit_extent(extent, &Site::new(self.setup, self.rack, lane, extent), spelling, visitor);
        }
    }

    fn visit_extent(&self, extent: &Extent, site: &Site<'_>, spelling: &mut Spelling, visitor: &mut impl Visitor) {
        let selections = self.rack.selections(extent);
        let top_score = self.rack.top_score(extent);
        if !extent.plays_through {
            for selection in selections {
                if top_score + selection.leave_value < visitor.threshold() {
                    break;
                }
                self.lay(selection, extent, site, visitor);
            }
            return;
        }
        let spelled = spelling.entry(extent.through, extent.tiles);
        let mut known = spelled.may;
        while known != 0 {
            let selection = &selections[known.trailing_zeros() as usize];
            known &= known - 1;
            if top_score + selection.leave_value < visitor.threshold() {
                return;
            }
            self.lay(selection, extent, site, visitor);
        }
        for (place, selection) in selections.iter().enumerate().skip(spelled.tried as usize) {
            if top_score + selection.leave_value < visitor.threshold() {
                break;
            }
            let may = may_spell(self.map, selection.blanks, selection.key.wrapping_add(extent.through));
            if place < Spelled::MOST {
                spelled.tried = place as u8 + 1;
                spelled.may |= u64::from(may) << place;
            }
            if may {
                self.lay(selection, extent, site, visitor);
            }
        }
    }

    /// Lays the words that a selection spells on an extent.
    fn lay(&self, selection: &Selection, extent: &Extent, site: &Site<'_>, visitor: &mut impl Visitor) {
        if selection.bound(extent) < visitor.threshold() {
            return;
        }
        let key = selection.key.wrapping_add(extent.through);
        self.assign_blanks(key, selection.blanks, 1, &mut |key| {
            if !extent.plays_through || self.map.may_spell_placed(key.wrapping_add(extent.placed)) {
                site.lay_words(selection, self.map.words(key), visitor);
            }
        });
    }

    /// Searches extents that play through the same letters together.
    fn visit_all(&self, queue: &mut [QueueEntry], visitor: &mut impl Visitor) {
        let group = |entry: &QueueEntry| {
            let (_, extent) = entry.find(self.lanes);
            (extent.plays_through, extent.through, extent.tiles, extent.length())
        };
        queue.sort_unstable_by_key(group);
        let (mut keys, mut spelled) = (Vec::new(), Vec::new());
        for extents in queue.chunk_by(|a, b| group(a) == group(b)) {
            self.find_spelled(extents[0].find(self.lanes).1, &mut keys, &mut spelled);
            for entry in extents {
                let (lane, extent) = entry.find(self.lanes);
                let site = Site::new(self.setup, self.rack, lane, extent);
                for (selection, words) in &spelled {
                    site.lay_words(selection, words.clone(), visitor);
                }
            }
        }
    }

    /// Fills in the words that each selection spells with the letters that an extent plays through.
    fn find_spelled(
        &self,
        extent: &Extent,
        keys: &mut Vec<(&'a Selection, u64)>,
        spelled: &mut Vec<(&'a Selection, Anagrams<'a>)>,
    ) {
        keys.clear();
        for selection in self.rack.selections(extent) {
            let key = selection.key.wrapping_add(extent.through);
            if may_spell(self.map, selection.blanks, key) {
                self.assign_blanks(key, selection.blanks, 1, &mut |key| keys.push((selection, key)));
            }
        }
        // All look-ups in one loop, so that the processor overlaps their waits for memory.
        spelled.clear();
        spelled.extend(keys.iter().map(|&(selection, key)| (selection, self.map.words(key))));
    }

    /// Assigns letters from `from` on to blanks, and calls `visit` with each key that may spell a word.
    ///
    /// # Cost
    /// One query of the filter for each assignment of letters to all blanks but one: 1, 26, 351, 3,276 queries for 1 to 4
    /// blanks in English.
    fn assign_blanks(&self, key: u64, blanks: u8, from: u8, visit: &mut impl FnMut(u64)) {
        if blanks == 0 {
            visit(key);
            return;
        }
        for letter in from..=self.setup.tileset.letters() {
            let key = key.wrapping_add(self.map.letter_key(letter));
            if may_spell(self.map, blanks - 1, key) {
                self.assign_blanks(key, blanks - 1, letter, visit);
            }
        }
    }
}
