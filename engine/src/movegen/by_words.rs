//! Plays by the word map: what do these tiles spell with the tiles they play through?
//!
//! For the best plays, extents are taken by falling bound until no bound reaches what the visitor wants. On an extent every
//! sub-rack of its size is asked for, the best leave first; nearly all are turned away by one look into a filter. For all plays,
//! extents that play through the same letters are taken together, and what is spelled is found once for all of them.

use super::hand::{Hand, Lay, may_spell};
use super::lanes::{Extent, Lane, Lanes};
use super::site::Site;
use super::{Visitor, Wanted};
use crate::equity::Equity;
use crate::lexicon::{Anagrams, WordMap};
use crate::setup::Setup;

/// An extent to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Queued {
    bound: Equity,
    lane: u16,
    extent: u16,
}

impl Queued {
    fn find(self, lanes: &Lanes) -> (&Lane, &Extent) {
        let lane = lanes.get(self.lane as usize);
        (lane, &lane.extents[self.extent as usize])
    }
}

/// The search of one position.
#[derive(Clone, Copy)]
pub(super) struct Search<'a> {
    pub setup: &'a Setup,
    pub map: &'a WordMap,
    pub lanes: &'a Lanes,
    pub hand: &'a Hand,
}

impl<'a> Search<'a> {
    /// Visits every play that the visitor wants; `queue` is scratch.
    pub(super) fn visit_plays<V: Visitor>(self, queue: &mut Vec<Queued>, visitor: &mut V) {
        self.fill_queue(queue, visitor.least());
        match V::WANTED {
            Wanted::Best => self.visit_best(queue, visitor),
            Wanted::All => self.visit_all(queue, visitor),
        }
    }

    fn fill_queue(self, queue: &mut Vec<Queued>, least: Equity) {
        queue.clear();
        for (lane_number, lane) in (0..).zip(self.lanes.iter()) {
            let closed = lane.closed_to(self.hand.showable);
            for (number, extent) in (0..).zip(&lane.extents).filter(|(_, extent)| self.hand.reaches(extent, closed)) {
                if let Some(bound) = self.hand.bound(extent).filter(|&bound| bound >= least) {
                    queue.push(Queued { bound, lane: lane_number, extent: number });
                }
            }
        }
    }

    /// The most promising extents first, until no other can hold a play that is wanted.
    fn visit_best(self, queue: &mut [Queued], visitor: &mut impl Visitor) {
        queue.sort_unstable_by_key(|queued| std::cmp::Reverse(queued.bound));
        for queued in queue {
            if queued.bound < visitor.least() {
                break;
            }
            let (lane, extent) = queued.find(self.lanes);
            self.visit_extent(extent, &Site::new(self.setup, self.hand, lane, extent), visitor);
        }
    }

    fn visit_extent(self, extent: &Extent, site: &Site<'_>, visitor: &mut impl Visitor) {
        let Search { map, hand, .. } = self;
        let top_score = hand.top_score(extent);
        for lay in hand.lays(extent) {
            let least = visitor.least();
            if top_score + lay.kept_value < least {
                break;
            }
            let key = lay.key.wrapping_add(extent.through);
            let may = !extent.plays_through || may_spell(map, lay.blanks, key);
            if may && lay.bound(extent) >= least {
                self.give_blanks_letters(key, lay.blanks, 1, &mut |key| {
                    if !extent.plays_through || map.may_spell_placed(key.wrapping_add(extent.placed)) {
                        site.lay_words(lay, map.words(key), visitor);
                    }
                });
            }
        }
    }

    /// Extents that play through the same letters together.
    fn visit_all(self, queue: &mut [Queued], visitor: &mut impl Visitor) {
        let group = |queued: &Queued| {
            let (_, extent) = queued.find(self.lanes);
            (extent.plays_through, extent.through, extent.tiles, extent.length())
        };
        queue.sort_unstable_by_key(group);
        let (mut keys, mut spelled) = (Vec::new(), Vec::new());
        for extents in queue.chunk_by(|a, b| group(a) == group(b)) {
            self.find_spelled(extents[0].find(self.lanes).1, &mut keys, &mut spelled);
            for queued in extents {
                let (lane, extent) = queued.find(self.lanes);
                let site = Site::new(self.setup, self.hand, lane, extent);
                for (lay, words) in &spelled {
                    site.lay_words(lay, words.clone(), visitor);
                }
            }
        }
    }

    /// Fills in what the hand spells with the letters that an extent plays through, in as many tiles as it lays.
    fn find_spelled(self, extent: &Extent, keys: &mut Vec<(&'a Lay, u64)>, spelled: &mut Vec<(&'a Lay, Anagrams<'a>)>) {
        keys.clear();
        for lay in self.hand.lays(extent) {
            let key = lay.key.wrapping_add(extent.through);
            if may_spell(self.map, lay.blanks, key) {
                self.give_blanks_letters(key, lay.blanks, 1, &mut |key| keys.push((lay, key)));
            }
        }
        // One look-up behind the other, so that the processor waits for many at once.
        spelled.clear();
        spelled.extend(keys.iter().map(|&(lay, key)| (lay, self.map.words(key))));
    }

    /// Tells the keys that may spell a word when so many blanks get letters, none of them earlier than `from`.
    ///
    /// Asks the filter once for each way to give letters to all blanks but one: 1, 26, 351, 3,276 times for 1 to 4 blanks in
    /// English.
    fn give_blanks_letters(self, key: u64, blanks: u8, from: u8, tell: &mut impl FnMut(u64)) {
        if blanks == 0 {
            tell(key);
            return;
        }
        for letter in from..=self.setup.tileset.letters() {
            let key = key.wrapping_add(self.map.letter_key(letter));
            if may_spell(self.map, blanks - 1, key) {
                self.give_blanks_letters(key, blanks - 1, letter, tell);
            }
        }
    }
}
