//! Sets of full racks as graphs, and how likely a draw ends in one of them.
//!
//! A rack is a path: one edge for each kind that it has, in an order of the kinds, with how many it has of it. Racks with the
//! same rest share it, so some hundred thousand racks are some ten thousand edges. The ways to draw from keep K and unseen tiles U to
//! a rack of the set are then a sum over paths of products over edges, of C(u(t), count − k(t)) each, and one pass over
//! the edges, from the ends of the paths to their beginning, sums all of them: of one keep ([`RackGraph::sum_of_keep`]), or of all
//! keeps of a rack at once ([`RackGraph::sums`]).

use rustc_hash::FxHashMap;

use crate::rack::Rack;
use crate::tileset::{MAX_KINDS, MAX_RACK_SIZE};

mod all_keeps;
mod one_keep;

pub(super) use all_keeps::{Blanks, Plain, Points};

/// A full rack by its kinds in order; unused places hold [`NOTHING`].
pub(super) type Kinds = [u8; MAX_RACK_SIZE];
/// Comes after every kind.
pub(super) const NOTHING: u8 = u8::MAX;

/// Blanks of a rack that count; more are as good as never drawn together.
pub(super) const MOST_BLANKS: usize = 4;

/// So many tiles of a kind, then the rest of the rack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Edge {
    node: u32,
    /// The kind's place in the order.
    place: u8,
    count: u8,
}

/// A set of full racks.
///
/// Kinds go by how many racks have them, the rarest first: that makes the fewest edges (a quarter fewer than the tile set's order).
#[derive(Clone, Debug)]
pub(super) struct RackGraph {
    edges: Vec<Edge>,
    /// Of each node, where its edges end; they begin where those of the node before end. Node 0 is the end of every rack, the last
    /// the beginning.
    ends: Vec<u32>,
    /// The place of each node's first edge; [`MAX_KINDS`], after every kind, of node 0.
    firsts: Vec<u8>,
    /// The kinds in their order.
    order: Vec<u8>,
}

impl RackGraph {
    /// The graph of these racks.
    pub(super) fn new(mut racks: Vec<Kinds>) -> RackGraph {
        let mut order: Vec<u8> = (0..MAX_KINDS as u8).collect();
        let mut racks_with = [0u32; MAX_KINDS];
        racks.iter().flatten().filter(|&&kind| kind != NOTHING).for_each(|&kind| racks_with[kind as usize] += 1);
        order.sort_by_key(|&kind| racks_with[kind as usize]);
        let mut places = [NOTHING; MAX_KINDS];
        (0u8..).zip(&order).for_each(|(place, &kind)| places[kind as usize] = place);
        for rack in &mut racks {
            rack.iter_mut().filter(|kind| **kind != NOTHING).for_each(|kind| *kind = places[*kind as usize]);
            rack.sort_unstable();
        }
        racks.sort_unstable();
        racks.dedup();
        let graph = RackGraph { edges: Vec::new(), ends: vec![0], firsts: vec![MAX_KINDS as u8], order };
        let mut builder = Builder { known: FxHashMap::default(), graph };
        if !racks.is_empty() {
            builder.node(&racks, 0);
        }
        builder.graph
    }

    fn edges_of(&self, node: usize) -> &[Edge] {
        &self.edges[self.ends[node - 1] as usize..self.ends[node] as usize]
    }
}

/// By place and number of tiles, the ways to draw so many of its kind.
struct Ways([[f64; MAX_RACK_SIZE + 1]; MAX_KINDS]);

impl Ways {
    fn new(unseen: &Rack, order: &[u8]) -> Ways {
        let mut ways = [[0.0; MAX_RACK_SIZE + 1]; MAX_KINDS];
        for (row, &kind) in ways.iter_mut().zip(order) {
            let count = unseen.count(kind);
            for (few, ways) in (0..=count).zip(row) {
                *ways = choose(count, few);
            }
        }
        Ways(ways)
    }
}

struct Builder {
    known: FxHashMap<Vec<Edge>, u32>,
    graph: RackGraph,
}

impl Builder {
    /// The node of sorted racks that agree in their first `from` tiles.
    fn node(&mut self, racks: &[Kinds], from: usize) -> u32 {
        let mut edges = Vec::new();
        let run = |rack: &Kinds| {
            let place = rack[from];
            (place, rack[from..].iter().take_while(|&&next| next == place).count() as u8)
        };
        for group in racks.chunk_by(|one, other| run(one) == run(other)) {
            let (place, count) = run(&group[0]);
            if place == NOTHING {
                return 0;
            }
            let next = from + count as usize;
            let node = if next == MAX_RACK_SIZE { 0 } else { self.node(group, next) };
            edges.push(Edge { node, place, count });
        }
        if let Some(&node) = self.known.get(&edges) {
            return node;
        }
        let node = self.graph.ends.len() as u32;
        self.graph.firsts.push(edges[0].place);
        self.graph.edges.extend_from_slice(&edges);
        self.graph.ends.push(self.graph.edges.len() as u32);
        self.known.insert(edges, node);
        node
    }
}

/// Ways to choose `few` of `many`.
pub(super) fn choose(many: u8, few: u8) -> f64 {
    if few > many {
        return 0.0;
    }
    (0..few).fold(1.0, |ways, taken| ways * f64::from(many - taken) / f64::from(taken + 1))
}
