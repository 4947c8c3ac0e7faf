//! The sums over the racks of a graph for all leaves of a rack at once.
//!
//! A node holds one sum for each leave of the kinds from its first edge on. The leaves are numbered with the last of these
//! kinds counting fastest, so that the sums behind an edge are added to sums that lie next to each other.

use super::{Edge, MAX_BLANKS, RackGraph, Ways};
use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::tileset::{MAX_KINDS, MAX_RACK_SIZE};

/// A sum over paths: one number or several, its components.
pub(in crate::features) trait Sum {
    /// The number of components. At the end of a path the first is 1 and the others are 0.
    fn components(&self) -> usize;

    /// Adds the sums behind an edge to one row of leaves.
    fn add(&self, row: &mut Row<'_>, drawn: &Draw<'_>);
}

/// The number of ways to draw.
pub(in crate::features) struct Plain;

/// The number of ways to draw, and the sum of the rack's points over them. The struct holds the points of each kind.
pub(in crate::features) struct Points(pub [f64; MAX_KINDS]);

/// The number of ways to draw all letters except 0, 1, … up to this many, for which blanks stand.
pub(in crate::features) struct Blanks(pub usize);

/// The sums that an edge adds to, and the sums that it adds.
pub(in crate::features) struct Row<'a> {
    /// The sums of the edge's own node, component by component.
    sums: &'a mut [f64],
    /// The number of sums in a component.
    leaves: usize,
    /// The first sum of the row in each component.
    first: usize,
    /// The sums of the node behind the edge, component by component.
    rests: &'a [f64],
    /// The length of the row.
    len: usize,
}

/// The tiles of an edge that are not in the leave, so they must be drawn.
pub(in crate::features) struct Draw<'a> {
    /// The number of ways to draw 0, 1, … tiles of the kind.
    ways: &'a [f64; MAX_RACK_SIZE + 1],
    /// The number of tiles drawn.
    count: u8,
    /// The number of tiles of the edge, including the tiles of the leave.
    tiles: u8,
    kind: u8,
}

impl Row<'_> {
    #[inline]
    fn component(&mut self, component: usize) -> &mut [f64] {
        &mut self.sums[component * self.leaves + self.first..][..self.len]
    }

    /// Adds component `from` of the rests, multiplied by `times`, to component `to` of the sums.
    #[inline]
    fn add(&mut self, to: usize, from: usize, times: f64) {
        let rests = &self.rests[from * self.len..][..self.len];
        self.component(to).iter_mut().zip(rests).for_each(|(sum, rest)| *sum += times * rest);
    }
}

impl Sum for Plain {
    fn components(&self) -> usize {
        1
    }

    #[inline]
    fn add(&self, row: &mut Row<'_>, drawn: &Draw<'_>) {
        row.add(0, 0, drawn.ways[drawn.count as usize]);
    }
}

impl Sum for Points {
    fn components(&self) -> usize {
        2
    }

    #[inline]
    fn add(&self, row: &mut Row<'_>, drawn: &Draw<'_>) {
        let ways = drawn.ways[drawn.count as usize];
        row.add(0, 0, ways);
        let value = f64::from(drawn.tiles) * self.0[drawn.kind as usize];
        let (counts, points) = row.rests.split_at(row.len);
        let rests = counts.iter().zip(points);
        row.component(1).iter_mut().zip(rests).for_each(|(sum, (count, points))| *sum += ways * (points + value * count));
    }
}

impl Sum for Blanks {
    fn components(&self) -> usize {
        self.0.min(MAX_BLANKS) + 1
    }

    #[inline]
    fn add(&self, row: &mut Row<'_>, drawn: &Draw<'_>) {
        for blanks in 0..=self.0.min(drawn.count as usize) {
            let ways = drawn.ways[drawn.count as usize - blanks];
            if ways > 0.0 {
                (blanks..self.components()).for_each(|component| row.add(component, component - blanks, ways));
            }
        }
    }
}

impl RackGraph {
    /// Computes for every leave of a rack, by number, the sum over the racks of the set of the ways to draw their other
    /// tiles from `unseen`. Writes one array per component to `sums`.
    pub(in crate::features) fn sums<S: Sum, const COMPONENTS: usize>(
        &self,
        sum: &S,
        sub_racks: &SubRacks,
        unseen: &Rack,
        sums: &mut [[f64; MAX_SUB_RACKS]; COMPONENTS],
    ) {
        for component in sums.iter_mut() {
            component[..sub_racks.len()].fill(0.0);
        }
        let Some(&first) = self.firsts.last().filter(|_| self.firsts.len() > 1) else { return };
        let components = sum.components();
        let (ways, leaves) = (Ways::new(unseen, &self.order), LeaveNumbers::new(sub_racks, &self.order));
        // For each node: where its sums begin, and how many a component has.
        let mut blocks = Vec::with_capacity(self.firsts.len());
        let mut end = 0;
        for &first in &self.firsts {
            let len = leaves.count_from(first);
            blocks.push((end as u32, len as u32));
            end += components * len;
        }
        let mut node_sums = vec![0.0; end];
        node_sums[0] = 1.0;
        for (node, &(begin, own_len)) in blocks.iter().enumerate().skip(1) {
            let (done, own) = node_sums.split_at_mut(begin as usize);
            let own = &mut own[..components * own_len as usize];
            for &Edge { node: rest, place, count } in self.edges_of(node) {
                let (begin, len) = blocks[rest as usize];
                let len = len as usize;
                let rests = &done[begin as usize..][..components * len];
                let ways = &ways.0[place as usize];
                let kind = self.order[place as usize];
                for in_leave in 0..=leaves.held[place as usize].min(count) {
                    let first = in_leave as usize * leaves.count_from(place + 1);
                    let mut row = Row { leaves: own_len as usize, sums: own, first, rests, len };
                    sum.add(&mut row, &Draw { ways, count: count - in_leave, tiles: count, kind });
                }
            }
        }
        let root = &node_sums[end - components * leaves.count_from(first)..];
        for (component, root) in sums.iter_mut().zip(root.chunks(root.len() / components)) {
            root.iter().zip(&leaves.numbers).for_each(|(&sum, &number)| component[number as usize] = sum);
        }
    }
}

/// The leaves of a rack, numbered with the last kind in the graph's order counting fastest.
struct LeaveNumbers {
    /// By place, the number of tiles of the kind in the rack.
    held: [u8; MAX_KINDS + 1],
    /// By place, the number of leaves that have only this kind and later ones.
    counts: [u16; MAX_KINDS + 2],
    /// For each leave, its number among the sub-racks of the rack.
    numbers: [u16; MAX_SUB_RACKS],
}

impl LeaveNumbers {
    fn new(sub_racks: &SubRacks, order: &[u8]) -> LeaveNumbers {
        let mut leaves = LeaveNumbers { held: [0; MAX_KINDS + 1], counts: [1; MAX_KINDS + 2], numbers: [0; MAX_SUB_RACKS] };
        for (place, &kind) in order.iter().enumerate().rev() {
            let held = sub_racks.kinds().iter().find(|&&(other, _)| other == kind).map_or(0, |&(_, count)| count);
            let behind = leaves.counts[place + 1] as usize;
            for at in behind..behind * (held as usize + 1) {
                leaves.numbers[at] = leaves.numbers[at - behind] + sub_racks.stride(kind) as u16;
            }
            leaves.held[place] = held;
            leaves.counts[place] = behind as u16 * (u16::from(held) + 1);
        }
        leaves
    }

    /// The number of leaves that have only the kinds from a place on.
    #[inline]
    fn count_from(&self, place: u8) -> usize {
        self.counts[place as usize] as usize
    }
}
