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

/// Visits every play that the visitor wants.
pub(super) fn visit_plays<V: Visitor>(
    setup: &Setup,
    map: &WordMap,
    lanes: &Lanes,
    hand: &Hand,
    queue: &mut Vec<Queued>,
    visitor: &mut V,
) {
    queue.clear();
    let least = visitor.least();
    for (lane_number, lane) in (0..).zip(lanes.iter()) {
        let closed = lane.closed_to(hand.showable);
        for (number, extent) in (0..).zip(&lane.extents) {
            if extent.tiles as usize > hand.size() || extent.joined & closed != 0 {
                continue;
            }
            if let Some(bound) = hand.bound(extent).filter(|&bound| bound >= least) {
                queue.push(Queued { bound, lane: lane_number, extent: number });
            }
        }
    }
    let letters = setup.tileset.letters();
    match V::WANTED {
        Wanted::Best => {
            queue.sort_unstable_by_key(|queued| std::cmp::Reverse(queued.bound));
            for queued in queue {
                if queued.bound < visitor.least() {
                    break;
                }
                let (lane, extent) = queued.find(lanes);
                search(map, letters, hand, extent, &Site::new(setup, hand, lane, extent), visitor);
            }
        }
        Wanted::All => {
            let group = |queued: &Queued| {
                let (_, extent) = queued.find(lanes);
                (extent.plays_through, extent.through, extent.tiles, extent.length())
            };
            queue.sort_unstable_by_key(group);
            let (mut keys, mut spelled) = (Vec::new(), Vec::new());
            for extents in queue.chunk_by(|a, b| group(a) == group(b)) {
                find_spelled(map, letters, hand, extents[0].find(lanes).1, &mut keys, &mut spelled);
                for queued in extents {
                    let (lane, extent) = queued.find(lanes);
                    let site = Site::new(setup, hand, lane, extent);
                    for (lay, words) in &spelled {
                        site.lay_words(lay, words.clone(), visitor);
                    }
                }
            }
        }
    }
}

/// Visits the plays of one extent.
fn search(map: &WordMap, letters: u8, hand: &Hand, extent: &Extent, site: &Site<'_>, visitor: &mut impl Visitor) {
    let top_score = hand.top_score(extent);
    for lay in hand.lays(extent) {
        let least = visitor.least();
        if top_score + lay.kept_value < least {
            break;
        }
        let key = lay.key.wrapping_add(extent.through);
        let may = !extent.plays_through || may_spell(map, lay.blanks, key);
        if may && lay.bound(extent) >= least {
            give_blanks_letters(map, letters, key, lay.blanks, 1, &mut |key| {
                if !extent.plays_through || map.may_spell_placed(key.wrapping_add(extent.placed)) {
                    site.lay_words(lay, map.words(key), visitor);
                }
            });
        }
    }
}

/// Fills in what the hand spells with the letters that an extent plays through, in as many tiles as it lays.
fn find_spelled<'a>(
    map: &'a WordMap,
    letters: u8,
    hand: &'a Hand,
    extent: &Extent,
    keys: &mut Vec<(&'a Lay, u64)>,
    spelled: &mut Vec<(&'a Lay, Anagrams<'a>)>,
) {
    keys.clear();
    for lay in hand.lays(extent) {
        let key = lay.key.wrapping_add(extent.through);
        if may_spell(map, lay.blanks, key) {
            give_blanks_letters(map, letters, key, lay.blanks, 1, &mut |key| keys.push((lay, key)));
        }
    }
    // One look-up behind the other, so that the processor waits for many at once.
    spelled.clear();
    spelled.extend(keys.iter().map(|&(lay, key)| (lay, map.words(key))));
}

/// Tells the keys that may spell a word when so many blanks get letters, none of them earlier than `from`.
///
/// Asks the filter once for each way to give letters to all blanks but one: 1, 26, 351, 3,276 times for 1 to 4 blanks in English.
fn give_blanks_letters(map: &WordMap, letters: u8, key: u64, blanks: u8, from: u8, tell: &mut impl FnMut(u64)) {
    if blanks == 0 {
        tell(key);
        return;
    }
    for letter in from..=letters {
        let key = key.wrapping_add(map.letter_key(letter));
        if may_spell(map, blanks - 1, key) {
            give_blanks_letters(map, letters, key, blanks - 1, letter, tell);
        }
    }
}
