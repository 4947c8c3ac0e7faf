//! Sets of full racks as graphs, and the number of draws that complete one of the racks.
//!
//! A rack is a path with one edge for each of its kinds, in a fixed order of the kinds. The edge holds the number of tiles.
//! Racks with the same rest share its edges, so some hundred thousand racks need some ten thousand edges. The number of ways
//! to fill up leave K from the unseen tiles U to a rack of the set is then a sum over paths of a product over edges, with
//! the factor C(u(t), count − k(t)) for each edge. One pass over the edges, from the ends of the paths to their beginning,
//! computes the sums for all leaves of a rack ([`RackGraph::sums`]).

use rustc_hash::FxHashMap;

use crate::rack::Rack;
use crate::tileset::{MAX_KINDS, MAX_RACK_SIZE};

mod every_leave;

pub(super) use every_leave::{Blanks, Plain, Points};

/// A full rack by its kinds in order. Unused places hold [`NOTHING`].
pub(super) type Kinds = [u8; MAX_RACK_SIZE];
/// An unused place. It is greater than every kind.
pub(super) const NOTHING: u8 = u8::MAX;

/// The most blanks of a rack that are counted. Racks with more are hardly ever drawn.
pub(super) const MAX_BLANKS: usize = 4;

/// The tiles of one kind in a rack, followed by the rest of the rack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Edge {
    /// The node of the rest.
    node: u32,
    /// The kind's place in the order.
    place: u8,
    count: u8,
}

/// A set of full racks. The rarest kinds come first: this takes a quarter fewer edges than the tile set's order.
#[derive(Clone, Debug)]
pub(super) struct RackGraph {
    edges: Vec<Edge>,
    /// For each node the end of its edges, which begin at the end of the previous node's edges. Node 0 ends every rack, and
    /// the last node begins every rack.
    ends: Vec<u32>,
    /// For each node the place of its first edge. Node 0 has [`MAX_KINDS`], after every kind.
    firsts: Vec<u8>,
    /// The kinds in their order.
    order: Vec<u8>,
}

impl RackGraph {
    /// Builds the graph of these racks and drops duplicates.
    pub(super) fn new(mut racks: Vec<Kinds>) -> RackGraph {
        let mut order: Vec<u8> = (0..MAX_KINDS as u8).collect();
        let mut occurrences = [0u32; MAX_KINDS];
        racks.iter().flatten().filter(|&&kind| kind != NOTHING).for_each(|&kind| occurrences[kind as usize] += 1);
        order.sort_by_key(|&kind| occurrences[kind as usize]);
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

/// The number of ways to draw tiles of a kind, by the kind's place in the order and the number of tiles.
struct Ways([[f64; MAX_RACK_SIZE + 1]; MAX_KINDS]);

impl Ways {
    fn new(unseen: &Rack, order: &[u8]) -> Ways {
        let mut ways = [[0.0; MAX_RACK_SIZE + 1]; MAX_KINDS];
        for (row, &kind) in ways.iter_mut().zip(order) {
            let count = unseen.count(kind);
            for (drawn, ways) in (0..=count).zip(row) {
                *ways = choose(count, drawn);
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
    /// Returns the node for sorted racks that agree in their first `from` tiles.
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

/// The number of ways to choose `few` of `many`.
pub(super) fn choose(many: u8, few: u8) -> f64 {
    if few > many {
        return 0.0;
    }
    (0..few).fold(1.0, |ways, taken| ways * f64::from(many - taken) / f64::from(taken + 1))
}
