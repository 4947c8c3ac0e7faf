//! Sets of full racks as graphs, and how likely a draw ends in one of them.
//!
//! A rack is a path: one edge for each kind that it has, in an order of the kinds, with how many it has of it. Racks with the
//! same rest share it, so some hundred thousand racks are some ten thousand edges. The ways to draw from keep K and unseen tiles U to
//! a rack of the set are then a sum over paths of products over edges, of C(u(t), count − k(t)) each, and one pass over
//! the edges, from the ends of the paths to their beginning, sums all of them. It is done for all keeps of a rack at once: a node holds
//! one sum for each way to keep tiles of the kinds that can still come.

use rustc_hash::FxHashMap;

use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::tileset::{MAX_KINDS, MAX_RACK_SIZE};

/// A full rack by its kinds in order; unused places hold [`NOTHING`].
pub(super) type Kinds = [u8; MAX_RACK_SIZE];
/// Comes after every kind.
pub(super) const NOTHING: u8 = u8::MAX;

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

/// What is summed over paths.
pub(super) trait Sum: Copy + Default {
    /// The end of a path.
    const ONE: Self;

    /// Adds what lies behind an edge, for each way to draw the edge's tiles.
    fn add(&mut self, rest: Self, drawn: &Drawn<'_>);
}

/// The tiles of an edge that are not kept.
pub(super) struct Drawn<'a> {
    /// By number of tiles, the ways to draw so many of the kind.
    ways: &'a [f64; MAX_RACK_SIZE + 1],
    /// How many are drawn.
    count: u8,
    /// What all tiles of the edge are worth, the kept ones too.
    value: f64,
}

/// Ways to draw.
impl Sum for f64 {
    const ONE: f64 = 1.0;

    #[inline]
    fn add(&mut self, rest: f64, drawn: &Drawn<'_>) {
        *self += drawn.ways[drawn.count as usize] * rest;
    }
}

/// Ways to draw, and the sum over them of the values of a rack's tiles.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Valued {
    pub ways: f64,
    pub values: f64,
}

impl Sum for Valued {
    const ONE: Valued = Valued { ways: 1.0, values: 0.0 };

    #[inline]
    fn add(&mut self, rest: Valued, drawn: &Drawn<'_>) {
        let ways = drawn.ways[drawn.count as usize];
        self.ways += ways * rest.ways;
        self.values += ways * (rest.values + drawn.value * rest.ways);
    }
}

/// Ways to draw all letters but so many, which blanks stand for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WithBlanks(pub [f64; MOST_BLANKS + 1]);

/// Blanks of a rack that count; more are as good as never drawn together.
pub(super) const MOST_BLANKS: usize = 4;

impl Sum for WithBlanks {
    const ONE: WithBlanks = WithBlanks([1.0, 0.0, 0.0, 0.0, 0.0]);

    #[inline]
    fn add(&mut self, rest: WithBlanks, drawn: &Drawn<'_>) {
        for blanks in 0..=drawn.count.min(MOST_BLANKS as u8) {
            let ways = drawn.ways[(drawn.count - blanks) as usize];
            if ways > 0.0 {
                let shifted = self.0[blanks as usize..].iter_mut().zip(rest.0);
                shifted.for_each(|(sum, rest)| *sum += ways * rest);
            }
        }
    }
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

    /// For every keep of a rack the sum over racks of the set of the ways to draw them from `unseen`, into `sums` by the number of
    /// the keep.
    pub(super) fn sums<S: Sum>(
        &self,
        numbers: &SubRacks,
        unseen: &Rack,
        value: impl Fn(u8) -> f64,
        sums: &mut [S; MAX_SUB_RACKS],
    ) {
        sums[..numbers.len()].fill(S::default());
        let (ways, keeps) = (Ways::new(unseen, &self.order), Keeps::new(numbers, &self.order));
        let values: Vec<f64> = self.order.iter().map(|&kind| value(kind)).collect();
        let mut begins: Vec<u32> = Vec::with_capacity(self.firsts.len());
        let mut node_sums: Vec<S> = Vec::with_capacity(8 * self.firsts.len());
        begins.push(0);
        node_sums.push(S::ONE);
        for (node, &first) in self.firsts.iter().enumerate().skip(1) {
            let begin = node_sums.len();
            let own = keeps.from(first);
            begins.push(begin as u32);
            node_sums.resize(begin + keeps.count(own), S::default());
            let (done, sums) = node_sums.split_at_mut(begin);
            for edge in self.edges_of(node) {
                let ways = &ways.0[edge.place as usize];
                let rest = keeps.from(self.firsts[edge.node as usize]);
                let rests = &done[begins[edge.node as usize] as usize..][..keeps.count(rest)];
                let held_tile = keeps.held(edge.place);
                let (held, step) = (held_tile.count, keeps.ratios[own][rest] as usize);
                let value = f64::from(edge.count) * values[edge.place as usize];
                for kept in 0..=held.min(edge.count) {
                    let at = kept as usize * keeps.ratios[own][held_tile.place as usize] as usize;
                    let drawn = Drawn { ways, count: edge.count - kept, value };
                    for (sum, &rest) in sums[at..].iter_mut().step_by(step).zip(rests) {
                        sum.add(rest, &drawn);
                    }
                }
            }
        }
        if self.firsts.len() > 1 {
            let begin = begins[self.firsts.len() - 1] as usize;
            let own = keeps.from(self.firsts[self.firsts.len() - 1]);
            for (number, &sum) in node_sums[begin..].iter().enumerate() {
                sums[keeps.numbers[number * keeps.ratios[0][own] as usize] as usize] = sum;
            }
        }
    }

    /// The same for one keep.
    pub(super) fn sum_of_keep(&self, keep: &Rack, unseen: &Rack) -> f64 {
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

    fn edges_of(&self, node: usize) -> &[Edge] {
        &self.edges[self.ends[node - 1] as usize..self.ends[node] as usize]
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

/// The keeps of a rack, numbered with the kinds in the order of a graph: those that hold only a kind and later ones stand evenly among
/// the numbers of all.
struct Keeps {
    /// Of each place the kinds of the rack that come before it, and how many of its own the rack has.
    by_place: [HeldTile; MAX_KINDS + 1],
    /// `ratios[a][b]`: the keeps of the rack's kinds from number `a` on up to before number `b`.
    ratios: [[u16; MAX_RACK_SIZE + 1]; MAX_RACK_SIZE + 1],
    distinct: usize,
    /// The number in the tile set's order.
    numbers: [u16; MAX_SUB_RACKS],
}

#[derive(Clone, Copy, Default)]
struct HeldTile {
    place: u8,
    count: u8,
}

impl Keeps {
    fn new(numbers: &SubRacks, order: &[u8]) -> Keeps {
        let mut keeps = Keeps {
            by_place: [HeldTile::default(); MAX_KINDS + 1],
            ratios: [[1; MAX_RACK_SIZE + 1]; MAX_RACK_SIZE + 1],
            distinct: numbers.kinds().len(),
            numbers: [0; MAX_SUB_RACKS],
        };
        let (mut before, mut len) = (0, 1);
        for (held, &kind) in keeps.by_place.iter_mut().zip(order) {
            let count = numbers.kinds().iter().find(|&&(other, _)| other == kind).map_or(0, |&(_, count)| count);
            *held = HeldTile { place: before, count };
            if count > 0 {
                for row in 0..=before as usize {
                    let ratio = keeps.ratios[row][before as usize] * (u16::from(count) + 1);
                    keeps.ratios[row][before as usize + 1..].fill(ratio);
                }
                for at in len..len * (count as usize + 1) {
                    keeps.numbers[at] = keeps.numbers[at - len] + numbers.stride(kind) as u16;
                }
                len *= count as usize + 1;
                before += 1;
            }
        }
        keeps.by_place[MAX_KINDS].place = before;
        keeps
    }

    /// How many of the rack's kinds come before a place.
    #[inline]
    fn from(&self, place: u8) -> usize {
        self.by_place[place as usize].place as usize
    }

    /// How many keeps have the rack's kinds from number `first` on alone.
    #[inline]
    fn count(&self, first: usize) -> usize {
        self.ratios[first][self.distinct] as usize
    }

    #[inline]
    fn held(&self, place: u8) -> HeldTile {
        self.by_place[place as usize]
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
