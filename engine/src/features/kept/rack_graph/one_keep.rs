//! The sum over the racks of a graph for one keep: of the paths that have all its tiles alone.

use super::{Edge, RackGraph, Ways};
use crate::rack::Rack;
use crate::tileset::MAX_KINDS;

impl RackGraph {
    /// For one keep the sum over racks of the set of the ways to draw them from `unseen`.
    pub(in crate::features) fn sum_of_keep(&self, keep: &Rack, unseen: &Rack) -> f64 {
        if self.firsts.len() == 1 {
            return 0.0;
        }
        let ways = Ways::new(unseen, &self.order);
        if keep.is_empty() {
            return self.sum_of_nothing(&ways);
        }
        let mut kept = [0; MAX_KINDS + 2];
        let mut next_held = [NONE_HELD; MAX_KINDS + 2];
        for (place, &kind) in self.order.iter().enumerate().rev() {
            kept[place] = keep.count(kind);
            next_held[place] = if kept[place] > 0 { place as u8 } else { next_held[place + 1] };
        }
        let root = self.firsts.len() - 1;
        if next_held[0] < self.firsts[root] {
            return 0.0;
        }
        let mut sums = vec![f64::NAN; root + 1];
        sums[0] = 1.0;
        OneKeep { graph: self, ways, kept, next_held, sums }.sum(root)
    }

    /// The same with nothing kept: all paths count, so the nodes are gone through in their order.
    fn sum_of_nothing(&self, ways: &Ways) -> f64 {
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

/// The sums of one keep, of the nodes that it can reach.
struct OneKeep<'a> {
    graph: &'a RackGraph,
    ways: Ways,
    /// By place.
    kept: [u8; MAX_KINDS + 2],
    /// By place, the first from there on whose kind is held, or [`NONE_HELD`].
    next_held: [u8; MAX_KINDS + 2],
    /// Not a number where it is not known yet.
    sums: Vec<f64>,
}

impl OneKeep<'_> {
    fn sum(&mut self, node: usize) -> f64 {
        if !self.sums[node].is_nan() {
            return self.sums[node];
        }
        let graph = self.graph;
        // No path leaves a kind out that is held.
        let next_held = self.next_held[graph.firsts[node] as usize];
        let mut sum = 0.0;
        for edge in graph.edges_of(node).iter().take_while(|edge| edge.place <= next_held) {
            let kept = self.kept[edge.place as usize];
            if kept <= edge.count && self.next_held[edge.place as usize + 1] >= graph.firsts[edge.node as usize] {
                let ways = self.ways.0[edge.place as usize][(edge.count - kept) as usize];
                if ways > 0.0 {
                    sum += ways * self.sum(edge.node as usize);
                }
            }
        }
        self.sums[node] = sum;
        sum
    }
}
