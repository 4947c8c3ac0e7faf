//! Sets of full racks as graphs, and how likely a draw ends in one of them.
//!
//! A rack is a path: one edge for each kind that it has, in the tile set's order, with how many it has of it. Racks with the
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
    kind: u8,
    count: u8,
}

/// A set of full racks.
#[derive(Clone, Debug)]
pub(super) struct RackGraph {
    edges: Vec<Edge>,
    /// Of each node, where its edges end; they begin where those of the node before end. Node 0 is the end of every rack, the last
    /// the beginning.
    ends: Vec<u32>,
    /// The kind of each node's first edge; [`MAX_KINDS`], after every kind, of node 0.
    firsts: Vec<u8>,
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
    /// The graph of these racks; sorts them.
    pub(super) fn new(mut racks: Vec<Kinds>) -> RackGraph {
        racks.sort_unstable();
        racks.dedup();
        let mut builder = Builder { known: FxHashMap::default(), graph: RackGraph { edges: Vec::new(), ends: vec![0], firsts: vec![MAX_KINDS as u8] } };
        builder.node(&racks, 0);
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
        let (ways, suffixes) = (Ways::new(unseen), Suffixes::new(numbers));
        let mut places: Vec<u32> = Vec::with_capacity(self.firsts.len());
        let mut node_sums: Vec<S> = Vec::with_capacity(8 * self.firsts.len());
        places.push(0);
        node_sums.push(S::ONE);
        for (node, &first) in self.firsts.iter().enumerate().skip(1) {
            let place = node_sums.len();
            let Suffix { stride, length, .. } = suffixes.0[first as usize];
            places.push(place as u32);
            node_sums.resize(place + length as usize, S::default());
            let (done, sums) = node_sums.split_at_mut(place);
            for edge in self.edges_of(node) {
                let Suffix { kind_stride, held, .. } = suffixes.0[edge.kind as usize];
                let rest = suffixes.0[self.firsts[edge.node as usize] as usize];
                let rests = &done[places[edge.node as usize] as usize..][..rest.length as usize];
                let step = (rest.stride / stride) as usize;
                for kept in 0..=held.min(edge.count) {
                    let at = (u16::from(kept) * kind_stride / stride) as usize;
                    let value = f64::from(edge.count) * value(edge.kind);
                    let drawn = Drawn { ways: &ways.0[edge.kind as usize], count: edge.count - kept, value };
                    for (sum, &rest) in sums[at..].iter_mut().step_by(step).zip(rests) {
                        sum.add(rest, &drawn);
                    }
                }
            }
        }
        let (Some(&place), Some(&first)) = (places.last(), self.firsts.last()) else { return };
        let Suffix { stride, length, .. } = suffixes.0[first as usize];
        if self.firsts.len() > 1 {
            for number in 0..length as usize {
                sums[number * stride as usize] = node_sums[place as usize + number];
            }
        }
    }

    /// The same for one keep.
    pub(super) fn sum_of_keep(&self, keep: &Rack, unseen: &Rack) -> f64 {
        let ways = Ways::new(unseen);
        let held: u64 = keep.kinds().fold(0, |held, (kind, _)| held | 1 << kind);
        let below = |kind: u8| if kind as usize >= MAX_KINDS { u64::MAX } else { (1 << kind) - 1 };
        let mut sums: Vec<f64> = Vec::with_capacity(self.firsts.len());
        sums.push(1.0);
        for node in 1..self.firsts.len() {
            let first = self.firsts[node];
            let mut sum = 0.0;
            for edge in self.edges_of(node) {
                // Kinds that the path leaves out must not be held.
                let left_out = below(edge.kind) & !below(first) | below(self.firsts[edge.node as usize]) & !below(edge.kind + 1);
                let kept = keep.count(edge.kind);
                if held & left_out == 0 && kept <= edge.count {
                    sum += ways.0[edge.kind as usize][(edge.count - kept) as usize] * sums[edge.node as usize];
                }
            }
            sums.push(sum);
        }
        let (Some(&sum), Some(&first)) = (sums.last(), self.firsts.last()) else { return 0.0 };
        if self.firsts.len() > 1 && held & below(first) == 0 { sum } else { 0.0 }
    }

    fn edges_of(&self, node: usize) -> &[Edge] {
        &self.edges[self.ends[node - 1] as usize..self.ends[node] as usize]
    }
}

/// For each kind where the keeps of a rack that hold only it and later kinds stand among the numbers of all.
struct Suffixes([Suffix; MAX_KINDS + 1]);

#[derive(Clone, Copy)]
struct Suffix {
    /// The step between the numbers of those keeps.
    stride: u16,
    /// How many there are.
    length: u16,
    /// What one tile of the kind itself counts in the number of a keep.
    kind_stride: u16,
    /// How many of it the rack has.
    held: u8,
}

impl Suffixes {
    fn new(numbers: &SubRacks) -> Suffixes {
        let all = numbers.len() as u16;
        let mut suffixes = [Suffix { stride: all, length: 1, kind_stride: 0, held: 0 }; MAX_KINDS + 1];
        let mut kinds = numbers.kinds().iter().rev().peekable();
        for kind in (0..MAX_KINDS).rev() {
            suffixes[kind] = Suffix { kind_stride: 0, held: 0, ..suffixes[kind + 1] };
            if let Some(&(_, held)) = kinds.next_if(|(next, _)| *next as usize == kind) {
                let stride = suffixes[kind].stride / (u16::from(held) + 1);
                suffixes[kind] = Suffix { stride, length: all / stride, kind_stride: stride, held };
            }
        }
        Suffixes(suffixes)
    }
}

/// By kind and number of tiles, the ways to draw so many of it.
struct Ways([[f64; MAX_RACK_SIZE + 1]; MAX_KINDS]);

impl Ways {
    fn new(unseen: &Rack) -> Ways {
        let mut ways = [[0.0; MAX_RACK_SIZE + 1]; MAX_KINDS];
        for (kind, row) in ways.iter_mut().enumerate() {
            row[0] = 1.0;
            for (few, place) in row.iter_mut().enumerate().take(unseen.count(kind as u8) as usize + 1) {
                *place = choose(unseen.count(kind as u8), few as u8);
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
            let kind = rack[from];
            (kind, rack[from..].iter().take_while(|&&next| next == kind).count() as u8)
        };
        for group in racks.chunk_by(|one, other| run(one) == run(other)) {
            let (kind, count) = run(&group[0]);
            if kind == NOTHING {
                return 0;
            }
            let next = from + count as usize;
            let node = if next == MAX_RACK_SIZE { 0 } else { self.node(group, next) };
            edges.push(Edge { node, kind, count });
        }
        if let Some(&node) = self.known.get(&edges) {
            return node;
        }
        let node = self.graph.ends.len() as u32;
        self.graph.firsts.push(edges[0].kind);
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
