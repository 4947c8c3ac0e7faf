//! The sums over the racks of a graph for all keeps of a rack at once.
//!
//! A node holds one sum for each way to keep tiles of the kinds that can still come behind it. The keeps are numbered with the last of
//! those kinds counting fastest, so that what lies behind an edge goes into a row of neighbours.

use super::{Edge, MOST_BLANKS, RackGraph, Ways};
use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::tileset::{MAX_KINDS, MAX_RACK_SIZE};

/// What is summed over paths: one number or some, each in a lane of its own.
pub(in crate::features) trait Sum {
    /// How many numbers; the first is 1 at the end of a path, the others 0.
    fn lanes(&self) -> usize;

    /// Adds what lies behind an edge, one row of keeps.
    fn add(&self, row: &mut Row<'_>, drawn: &Drawn<'_>);
}

/// Ways to draw.
pub(in crate::features) struct Plain;

/// Ways to draw, and the sum over them of the points of a rack's tiles; by kind what a tile counts.
pub(in crate::features) struct Points(pub [f64; MAX_KINDS]);

/// Ways to draw all letters but none, one, and up to so many, which blanks stand for.
pub(in crate::features) struct Blanks(pub usize);

/// Where an edge's sums go, and where they come from.
pub(in crate::features) struct Row<'a> {
    /// Of one node, lane by lane.
    sums: &'a mut [f64],
    /// Sums of a lane.
    keeps: usize,
    /// The first of the row in each lane.
    first: usize,
    /// Of the node behind the edge, lane by lane.
    rests: &'a [f64],
    /// How long the row is.
    len: usize,
}

/// The tiles of an edge that are not kept.
pub(in crate::features) struct Drawn<'a> {
    /// By number of tiles, the ways to draw so many of the kind.
    ways: &'a [f64; MAX_RACK_SIZE + 1],
    /// How many are drawn.
    count: u8,
    /// Of the edge, with the kept ones.
    tiles: u8,
    kind: u8,
}

impl Row<'_> {
    #[inline]
    fn lane(&mut self, lane: usize) -> &mut [f64] {
        &mut self.sums[lane * self.keeps + self.first..][..self.len]
    }

    /// Adds a lane of the rest, so many times, to one of the sums.
    #[inline]
    fn add(&mut self, to: usize, from: usize, times: f64) {
        let rests = &self.rests[from * self.len..][..self.len];
        self.lane(to).iter_mut().zip(rests).for_each(|(sum, rest)| *sum += times * rest);
    }
}

impl Sum for Plain {
    fn lanes(&self) -> usize {
        1
    }

    #[inline]
    fn add(&self, row: &mut Row<'_>, drawn: &Drawn<'_>) {
        row.add(0, 0, drawn.ways[drawn.count as usize]);
    }
}

impl Sum for Points {
    fn lanes(&self) -> usize {
        2
    }

    #[inline]
    fn add(&self, row: &mut Row<'_>, drawn: &Drawn<'_>) {
        let ways = drawn.ways[drawn.count as usize];
        row.add(0, 0, ways);
        let value = f64::from(drawn.tiles) * self.0[drawn.kind as usize];
        let (counted, points) = row.rests.split_at(row.len);
        let rests = counted.iter().zip(points);
        row.lane(1).iter_mut().zip(rests).for_each(|(sum, (counted, points))| *sum += ways * (points + value * counted));
    }
}

impl Sum for Blanks {
    fn lanes(&self) -> usize {
        self.0.min(MOST_BLANKS) + 1
    }

    #[inline]
    fn add(&self, row: &mut Row<'_>, drawn: &Drawn<'_>) {
        for blanks in 0..=self.0.min(drawn.count as usize) {
            let ways = drawn.ways[drawn.count as usize - blanks];
            if ways > 0.0 {
                (blanks..self.lanes()).for_each(|lane| row.add(lane, lane - blanks, ways));
            }
        }
    }
}

impl RackGraph {
    /// For every keep of a rack, by number, the sum over racks of the set of the ways to draw them from `unseen`, into `sums` by lane.
    pub(in crate::features) fn sums<S: Sum, const LANES: usize>(
        &self,
        sum: &S,
        numbers: &SubRacks,
        unseen: &Rack,
        sums: &mut [[f64; MAX_SUB_RACKS]; LANES],
    ) {
        for lane in sums.iter_mut() {
            lane[..numbers.len()].fill(0.0);
        }
        let Some(&first) = self.firsts.last().filter(|_| self.firsts.len() > 1) else { return };
        let (ways, keeps, lanes) = (Ways::new(unseen, &self.order), Keeps::new(numbers, &self.order), sum.lanes());
        // By node: where its sums begin, and how many there are in a lane.
        let mut blocks = Vec::with_capacity(self.firsts.len());
        let mut end = 0;
        for &first in &self.firsts {
            let len = keeps.from(first);
            blocks.push((end as u32, len as u32));
            end += lanes * len;
        }
        let mut node_sums = vec![0.0; end];
        node_sums[0] = 1.0;
        for (node, &(begin, own_len)) in blocks.iter().enumerate().skip(1) {
            let (done, own) = node_sums.split_at_mut(begin as usize);
            let own = &mut own[..lanes * own_len as usize];
            for &Edge { node: rest, place, count } in self.edges_of(node) {
                let (begin, len) = blocks[rest as usize];
                let len = len as usize;
                let rests = &done[begin as usize..][..lanes * len];
                let ways = &ways.0[place as usize];
                let kind = self.order[place as usize];
                for kept in 0..=keeps.held[place as usize].min(count) {
                    let first = kept as usize * keeps.from(place + 1);
                    let mut row = Row { keeps: own_len as usize, sums: own, first, rests, len };
                    sum.add(&mut row, &Drawn { ways, count: count - kept, tiles: count, kind });
                }
            }
        }
        let root = &node_sums[end - lanes * keeps.from(first)..];
        for (lane, root) in sums.iter_mut().zip(root.chunks(root.len() / lanes)) {
            root.iter().zip(&keeps.numbers).for_each(|(&sum, &number)| lane[number as usize] = sum);
        }
    }
}

/// The keeps of a rack, numbered with the last kind in the order of a graph counting fastest.
struct Keeps {
    /// By place, how many of the kind the rack has.
    held: [u8; MAX_KINDS + 1],
    /// By place, how many keeps have that kind and later ones alone.
    from: [u16; MAX_KINDS + 2],
    /// The number in the tile set's order.
    numbers: [u16; MAX_SUB_RACKS],
}

impl Keeps {
    fn new(numbers: &SubRacks, order: &[u8]) -> Keeps {
        let mut keeps = Keeps { held: [0; MAX_KINDS + 1], from: [1; MAX_KINDS + 2], numbers: [0; MAX_SUB_RACKS] };
        for (place, &kind) in order.iter().enumerate().rev() {
            let held = numbers.kinds().iter().find(|&&(other, _)| other == kind).map_or(0, |&(_, count)| count);
            let behind = keeps.from[place + 1] as usize;
            for at in behind..behind * (held as usize + 1) {
                keeps.numbers[at] = keeps.numbers[at - behind] + numbers.stride(kind) as u16;
            }
            keeps.held[place] = held;
            keeps.from[place] = behind as u16 * (u16::from(held) + 1);
        }
        keeps
    }

    /// How many keeps have the kinds from a place on alone.
    #[inline]
    fn from(&self, place: u8) -> usize {
        self.from[place as usize] as usize
    }
}
