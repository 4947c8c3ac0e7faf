//! Plays by the word graph, for when there is no word map: a search from each anchor through the GADDAG.
//!
//! Anchors are taken by falling bound. The search of an anchor knows for each sub-rack that could be left what a play can
//! still be worth, and turns back where that is not wanted.

use super::hand::Hand;
use super::lanes::{Anchor, Extent, Lane, Lanes};
use super::walk::{Reach, Walk};
use super::{KeepValues, Visitor};
use crate::equity::Equity;
use crate::lexicon::SearchGraph;
use crate::rack::{MAX_SUB_RACKS, SubRacks};
use crate::setup::Setup;

/// Less than any play is worth, and far from overflow.
const HOPELESS: Equity = Equity(i32::MIN / 2);

/// Visits every play that the visitor wants.
pub(super) fn visit_plays<V: Visitor>(
    setup: &Setup,
    graph: &SearchGraph,
    lanes: &Lanes,
    hand: &Hand,
    keeps: &KeepValues,
    visitor: &mut V,
) {
    let mut anchors: Vec<(Equity, &Lane, Anchor, &[Extent])> = Vec::with_capacity(128);
    for lane in lanes.iter() {
        for (anchor, extents) in lane.anchors() {
            if let Some(bound) = playable(lane, extents, hand).filter_map(|extent| hand.bound(extent)).max() {
                anchors.push((bound, lane, anchor, extents));
            }
        }
    }
    anchors.sort_by_key(|&(bound, ..)| std::cmp::Reverse(bound));
    let mut reach = [HOPELESS; MAX_SUB_RACKS];
    for (bound, lane, anchor, extents) in anchors {
        if bound < visitor.least() {
            break;
        }
        fill_reach(playable(lane, extents, hand), hand, &keeps.numbers, visitor.least(), &mut reach);
        if reach[keeps.numbers.whole()] >= visitor.least() {
            Walk::new(setup, graph, lane, keeps, anchor, &reach, visitor).run();
        }
    }
}

/// The extents that the rack has tiles for.
fn playable<'a>(lane: &Lane, extents: &'a [Extent], hand: &'a Hand) -> impl Iterator<Item = &'a Extent> {
    let closed = lane.closed_to(hand.showable);
    extents.iter().filter(move |extent| hand.reaches(extent, closed))
}

/// Upper bounds over the plays of some extents by what they keep; plays below `least` may be taken for hopeless.
fn fill_reach<'a>(
    extents: impl Iterator<Item = &'a Extent>,
    hand: &Hand,
    numbers: &SubRacks,
    least: Equity,
    reach: &mut Reach,
) {
    let reach = &mut reach[..numbers.len()];
    reach.fill(HOPELESS);
    for extent in extents {
        if hand.bound(extent).is_some_and(|bound| bound >= least) {
            for lay in hand.lays(extent) {
                let reach = &mut reach[lay.kept as usize];
                *reach = (*reach).max(lay.bound(extent));
            }
        }
    }
    // What keeps less can still be reached: take the larger of both, one kind after the other.
    for &(kind, count) in numbers.kinds() {
        let stride = numbers.stride(kind);
        for block in reach.chunks_exact_mut(stride * (count as usize + 1)) {
            for number in stride..block.len() {
                block[number] = block[number].max(block[number - stride]);
            }
        }
    }
}
