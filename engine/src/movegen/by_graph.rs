//! Move generation without a word map: a search of the GADDAG from each anchor.
//!
//! Anchors are searched in the order of their upper bounds. The search of an anchor has an upper bound for each leave and
//! turns back where the bound is below the threshold.

use std::borrow::Borrow;

use super::lanes::{Anchor, Extent, Lane};
use super::search_rack::SearchRack;
use super::visitor::{LeaveValues, Visitor};
use super::walk::{Reach, Walk};
use crate::equity::Equity;
use crate::lexicon::SearchGraph;
use crate::rack::{MAX_SUB_RACKS, SubRacks};
use crate::setup::Setup;

/// An equity below the equity of any play, far from overflow.
const UNREACHABLE: Equity = Equity(i32::MIN / 2);
/// The reach of a search that turns back nowhere.
static ANY_REACH: Reach = [Equity(i32::MAX); MAX_SUB_RACKS];

/// Visits every play whose equity is not below the threshold.
pub(super) fn visit_plays<L: Borrow<Lane>, V: Visitor>(
    setup: &Setup,
    graph: &SearchGraph,
    lanes: &[L],
    rack: &SearchRack,
    leaves: &LeaveValues,
    visitor: &mut V,
) {
    let mut anchors: Vec<(Equity, &Lane, Anchor, &[Extent])> = Vec::with_capacity(128);
    for lane in lanes.iter().map(Borrow::borrow) {
        for (anchor, extents) in lane.anchors() {
            if let Some(bound) = playable(lane, extents, rack).filter_map(|extent| rack.bound(extent)).max() {
                anchors.push((bound, lane, anchor, extents));
            }
        }
    }
    anchors.sort_by_key(|&(bound, ..)| std::cmp::Reverse(bound));
    let mut reach = [UNREACHABLE; MAX_SUB_RACKS];
    for (bound, lane, anchor, extents) in anchors {
        if bound < visitor.threshold() {
            break;
        }
        fill_reach(playable(lane, extents, rack), rack, &leaves.sub_racks, visitor.threshold(), &mut reach);
        if reach[leaves.sub_racks.whole()] >= visitor.threshold() {
            Walk::new(setup, graph, lane, leaves, anchor, &reach, visitor).run();
        }
    }
}

/// Visits every play of a lane whose anchors were found.
pub(super) fn visit_all<V: Visitor>(setup: &Setup, graph: &SearchGraph, lane: &Lane, leaves: &LeaveValues, visitor: &mut V) {
    for (anchor, _) in lane.anchors() {
        Walk::new(setup, graph, lane, leaves, anchor, &ANY_REACH, visitor).run();
    }
}

/// Returns the extents for which the rack has enough and fitting tiles.
fn playable<'a>(lane: &Lane, extents: &'a [Extent], rack: &'a SearchRack) -> impl Iterator<Item = &'a Extent> {
    let closed = lane.closed_to(rack.showable);
    extents.iter().filter(move |extent| rack.reaches(extent, closed))
}

/// Fills in the upper bounds of the plays on some extents, by leave. Plays below `threshold` may count as unreachable.
fn fill_reach<'a>(
    extents: impl Iterator<Item = &'a Extent>,
    rack: &SearchRack,
    numbers: &SubRacks,
    threshold: Equity,
    reach: &mut Reach,
) {
    let reach = &mut reach[..numbers.len()];
    reach.fill(UNREACHABLE);
    for extent in extents {
        if rack.bound(extent).is_some_and(|bound| bound >= threshold) {
            for selection in rack.selections(extent) {
                let reach = &mut reach[selection.leave as usize];
                *reach = (*reach).max(selection.bound(extent));
            }
        }
    }
    // A partial play can still lay more tiles: the bound of a leave includes the bounds of its sub-racks, one kind at a
    // time.
    for &(kind, count) in numbers.kinds() {
        let stride = numbers.stride(kind);
        for block in reach.chunks_exact_mut(stride * (count as usize + 1)) {
            for number in stride..block.len() {
                block[number] = block[number].max(block[number - stride]);
            }
        }
    }
}
