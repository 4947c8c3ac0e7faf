//! The sum over the racks of a graph for one leave; only paths with all its tiles count.

use super::{Edge, RackGraph, Ways};
use crate::rack::Rack;
use crate::tileset::MAX_KINDS;

impl RackGraph {
    /// For one leave, the sum over the racks of the set of the ways to draw their other tiles from `unseen`.
    pub(in crate::features) fn leave_sum(&self, leave: &Rack, unseen: &Rack) -> f64 {
        if self.firsts.len() == 1 {
            return 0.0;
        }
        let ways = Ways::new(unseen, &self.order);
        if leave.is_empty() {
            return self.empty_leave_sum(&ways);
        }
        let mut held = [0; MAX_KINDS + 2];
        let mut next_held = [NONE_HELD; MAX_KINDS + 2];
        for (place, &kind) in self.order.iter().enumerate().rev() {
            held[place] = leave.count(kind);
            next_held[place] = if held[place] > 0 { place as u8 } else { next_held[place + 1] };
        }
        let root = self.firsts.len() - 1;
        if next_held[0] < self.firsts[root] {
            return 0.0;
        }
        let mut sums = vec![f64::NAN; root + 1];
        sums[0] = 1.0;
        OneLeave { graph: self, ways, held, next_held, sums }.sum(root)
    }

    /// The same for the empty leave: all paths count, so the nodes are computed in their order.
    fn empty_leave_sum(&self, ways: &Ways) -> f64 {
        let mut sums = vec![1.0; self.firsts.len()];
        for node in 1..sums.len() {
            let rest = |edge: &Edge| ways.0[edge.place as usize][edge.count as usize] * sums[edge.node as usize];
            sums[node] = self.edges_of(node).iter().map(rest).sum();
        }
        sums[sums.len() - 1]
    }
}

/// Comes after every place.
const NONE_HELD: u8 = u8::MAX;

/// The sums for one leave, at the nodes that it can reach.
struct OneLeave<'a> {
    graph: &'a RackGraph,
    ways: Ways,
    /// By place, the number of tiles of the kind in the leave.
    held: [u8; MAX_KINDS + 2],
    /// By place, the first place from there on whose kind is in the leave, or [`NONE_HELD`].
    next_held: [u8; MAX_KINDS + 2],
    /// By node; NaN where the sum is not computed yet.
    sums: Vec<f64>,
}

impl OneLeave<'_> {
    fn sum(&mut self, node: usize) -> f64 {
        if !self.sums[node].is_nan() {
            return self.sums[node];
        }
        let graph = self.graph;
        // A path must not skip a kind of the leave.
        let next_held = self.next_held[graph.firsts[node] as usize];
        let mut sum = 0.0;
        for edge in graph.edges_of(node).iter().take_while(|edge| edge.place <= next_held) {
            let held = self.held[edge.place as usize];
            if held <= edge.count && self.next_held[edge.place as usize + 1] >= graph.firsts[edge.node as usize] {
                let ways = self.ways.0[edge.place as usize][(edge.count - held) as usize];
                if ways > 0.0 {
                    sum += ways * self.sum(edge.node as usize);
                }
            }
        }
        self.sums[node] = sum;
        sum
    }
}
