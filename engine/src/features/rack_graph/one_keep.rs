//! The sum over the racks of a graph for one keep: of the paths that have all its tiles alone.

use super::{RackGraph, Ways};
use crate::rack::Rack;
use crate::tileset::MAX_KINDS;

impl RackGraph {
    /// For one keep the sum over racks of the set of the ways to draw them from `unseen`.
    pub(in crate::features) fn sum_of_keep(&self, keep: &Rack, unseen: &Rack) -> f64 {
        if self.firsts.len() == 1 {
            return 0.0;
        }
        let mut kept = [0; MAX_KINDS + 1];
        (0..).zip(&self.order).for_each(|(place, &kind): (usize, _)| kept[place] = keep.count(kind));
        let held =
            kept.iter().enumerate().filter(|&(_, &count)| count > 0).fold(0u128, |held, (place, _)| held | 1 << place);
        let root = self.firsts.len() - 1;
        let mut path =
            OneKeep { graph: self, ways: Ways::new(unseen, &self.order), kept, held, sums: vec![f64::NAN; root + 1] };
        if path.next_held(0) < self.firsts[root] { 0.0 } else { path.sum(root) }
    }
}

/// The sums of one keep, of the nodes that it can reach.
struct OneKeep<'a> {
    graph: &'a RackGraph,
    ways: Ways,
    /// By place.
    kept: [u8; MAX_KINDS + 1],
    held: u128,
    /// Not a number where it is not known yet.
    sums: Vec<f64>,
}

impl OneKeep<'_> {
    /// The first place from `place` on whose kind is held; more than [`MAX_KINDS`] if none is.
    fn next_held(&self, place: u8) -> u8 {
        (self.held >> place).trailing_zeros().saturating_add(u32::from(place)).min(u32::from(u8::MAX)) as u8
    }

    fn sum(&mut self, node: usize) -> f64 {
        if node == 0 {
            return 1.0;
        }
        if !self.sums[node].is_nan() {
            return self.sums[node];
        }
        let graph = self.graph;
        // No path leaves a kind out that is held.
        let next_held = self.next_held(graph.firsts[node]);
        let mut sum = 0.0;
        for edge in graph.edges_of(node).iter().take_while(|edge| edge.place <= next_held) {
            let kept = self.kept[edge.place as usize];
            if kept <= edge.count && self.next_held(edge.place + 1) >= graph.firsts[edge.node as usize] {
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
