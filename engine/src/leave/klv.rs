//! Leave tables as KLV2, the format of wolges, Macondo and MAGPIE.
//!
//! The file has the number of KWG nodes as u32, the nodes, the number of values as u32, and the values as f32 in points. All
//! is little endian. The nodes are a DAWG of the leaves, each a sorted string in which the blank, 0, comes first. The values
//! are in the DAWG's word order. KLV1 has i16 values in 1/256 point instead. The length of the file tells them apart.
//!
//! The file numbers its letters and does not name them, so a file for another letter order can look valid. A file is
//! therefore read only if its leaves are exactly the leaves of the bag, each once. A census of wolges has full racks too, which are left
//! out. Every letter must have as many tiles as
//! the letter of the same number here, up to the largest leave. Swapped letters of equal count go unnoticed. Tools also
//! differ in whether letters without a tile (Q in Norwegian) have a number. In both cases use a format that names the
//! letters: a CSV from the tool that made the file, or the CSV that `leaves export` makes with a tile-set file in the order
//! of the file.

use std::array;

use thiserror::Error;

use super::{LeaveTable, MAX_POINTS};
use crate::equity::Equity;
use crate::lexicon::kwg::{self, KwgError};
use crate::lexicon::{Arc, States};
use crate::rack::{Rack, Ranking};
use crate::tileset::{MAX_KINDS, Tile, TileSet};

/// The likely reasons why a file does not fit, and the remedy.
const ANOTHER: &str = "Is the file for another tile set, or does it number the letters in another order? A .klv2 does not name its \
    letters; read it with a tile set that has them in the same order, and export it as .csv";

/// Why bytes are not a leave table.
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum KlvError {
    #[error("the file is cut or damaged: it has {bytes} bytes, but its header announces {nodes} nodes and {values} values")]
    Truncated { bytes: usize, nodes: usize, values: usize },
    /// The nodes are not a DAWG.
    #[error(transparent)]
    Kwg(KwgError),
    /// A letter that the tile set does not have.
    #[error("{0} {ANOTHER}")]
    Letter(KwgError),
    #[error("the file has {values} values, but its DAWG spells another number of leaves")]
    Count { values: usize },
    #[error("the file has the leave {leave}, which the {tileset} tile set does not allow. {ANOTHER}")]
    Leave { leave: String, tileset: String },
    #[error("the file lacks {missing} of the {all} leaves of the {tileset} tile set; the first is {leave}. {ANOTHER}")]
    Missing { missing: usize, all: usize, leave: String, tileset: String },
    #[error("the file has the leave {leave} twice")]
    Twice { leave: String },
    #[error("the value of {leave} is {value}; expected -{MAX_POINTS} to {MAX_POINTS} points")]
    Value { leave: String, value: f32 },
}

impl From<KwgError> for KlvError {
    fn from(error: KwgError) -> KlvError {
        if matches!(error, KwgError::Letter { .. }) { KlvError::Letter(error) } else { KlvError::Kwg(error) }
    }
}

/// Writes every leave of 1 to rack size − 1 tiles as KLV2.
///
/// # Errors
/// [`KwgError::TooLarge`] if the leaves need more nodes than the format has.
pub fn write(table: &LeaveTable) -> Result<Vec<u8>, KwgError> {
    let limits = table.ranking().limits();
    let most = table.ranking().max_size();
    let mut states = States::default();
    let root = leave_state(&mut states, limits, most);
    let nodes = states.lay_out(&[root, 0]).map_err(|nodes| KwgError::TooLarge { nodes })?;
    let graph = kwg::write(&nodes)?;
    let mut bytes = Vec::with_capacity(graph.len() + table.values().len() * 4 + 8);
    bytes.extend_from_slice(&((graph.len() / 4) as u32).to_le_bytes());
    bytes.extend_from_slice(&graph);
    bytes.extend_from_slice(&((table.values().len() - 1) as u32).to_le_bytes());
    let mut leave = Rack::default();
    write_values(table, &mut leave, 0, &mut bytes);
    Ok(bytes)
}

/// The automaton of all sorted strings of 1 to `most` tiles within the limits.
fn leave_state(states: &mut States, limits: &[u8], most: usize) -> u32 {
    // By the number of tiles left: the state and the arcs for the kinds after the current one.
    let mut beyond = vec![0u32; most + 1];
    let mut beyond_arcs: Vec<Vec<Arc>> = vec![Vec::new(); most + 1];
    for kind in (0..limits.len()).rev() {
        let limit = (limits[kind] as usize).min(most);
        // The states after `limit` tiles of the kind, one fewer, …: each takes one more of the kind, or a later kind.
        let mut after = beyond.clone();
        let mut arcs_after = beyond_arcs.clone();
        for _ in 0..limit {
            let previous = after.clone();
            for left in 1..=most {
                let mut arcs = vec![Arc { target: previous[left - 1], letter: kind as u8, accepts: true }];
                arcs.extend_from_slice(&beyond_arcs[left]);
                after[left] = states.intern(&arcs);
                arcs_after[left] = arcs;
            }
        }
        beyond = after;
        beyond_arcs = arcs_after;
    }
    beyond[most]
}

/// Writes the values in the DAWG's order: each leave before the leaves that it begins.
fn write_values(table: &LeaveTable, leave: &mut Rack, from: u8, bytes: &mut Vec<u8>) {
    if leave.size() == table.ranking().max_size() {
        return;
    }
    for (kind, &limit) in (from..).zip(&table.ranking().limits()[from as usize..]) {
        if leave.count(kind) < limit {
            leave.add(kind);
            let value = table.values()[table.ranking().rank(leave)].points() as f32;
            bytes.extend_from_slice(&value.to_le_bytes());
            write_values(table, leave, kind, bytes);
            leave.remove(kind);
        }
    }
}

/// Reads KLV2 or KLV1, and returns the table with its number of leaves: all leaves of the tile set. Full racks are left out.
///
/// # Errors
/// [`KlvError`], also if the file lacks a leave.
pub fn read(bytes: &[u8], tileset: &TileSet) -> Result<(LeaveTable, usize), KlvError> {
    let (graph, points) = parts(bytes)?;
    let graph = kwg::read(graph, tileset.letters())?;
    let mut table = LeaveTable::zero(tileset);
    let (mut held, table_size) = (vec![false; table.ranking().len()], table.ranking().max_size());
    let (mut leaves, mut racks) = (0, 0);
    let mut fault = None;
    let is_rack = |letters: &[u8]| {
        let counts = |rack: Rack| array::from_fn::<usize, MAX_KINDS, _>(|kind| rack.count(kind as u8).into());
        letters.len() == table_size + 1 && tileset.check_counts(&counts(Rack::from_tiles(&tiles(letters)))).is_ok()
    };
    let mut budget = points.len() * 8 + 1000;
    let complete = graph.visit_words(&mut budget, &mut |letters| {
        let name = || tileset.show_all(&tiles(letters));
        let Some(&value) = points.get(leaves) else { return false };
        leaves += 1;
        match table.ranking().rank_sorted(letters).or_else(|| rank_of_any(table.ranking(), letters)) {
            None if is_rack(letters) => racks += 1,
            None => fault = Some(KlvError::Leave { leave: name(), tileset: tileset.name().into() }),
            Some(_) if !value.is_finite() || f64::from(value).abs() > MAX_POINTS => {
                fault = Some(KlvError::Value { leave: name(), value });
            }
            Some(index) if std::mem::replace(&mut held[index], true) => fault = Some(KlvError::Twice { leave: name() }),
            Some(index) => table.set(index, Equity::from_fractional_points(f64::from(value))),
        }
        fault.is_none()
    });
    if let Some(fault) = fault {
        return Err(fault);
    }
    if !complete || leaves < points.len() {
        return Err(KlvError::Count { values: points.len() });
    }
    match (1..held.len()).find(|&index| !held[index]) {
        None => Ok((table, leaves - racks)),
        Some(first) => Err(KlvError::Missing {
            missing: held.len() - 1 - (leaves - racks),
            all: held.len() - 1,
            leave: table.ranking().unrank(first).show(tileset),
            tileset: tileset.name().into(),
        }),
    }
}

/// The bytes of the graph, and the values in points.
fn parts(bytes: &[u8]) -> Result<(&[u8], Vec<f32>), KlvError> {
    let number =
        |at: usize| bytes.get(at..at + 4).map_or(0, |raw| u32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]]) as usize);
    let nodes = number(0);
    let values = if nodes > bytes.len() { 0 } else { number(4 + 4 * nodes) };
    let torn = KlvError::Truncated { bytes: bytes.len(), nodes, values };
    let graph = bytes.get(4..4usize.saturating_add(nodes.saturating_mul(4))).ok_or(torn.clone())?;
    let payload = bytes.get(8 + graph.len()..).ok_or(torn.clone())?;
    let floats = || payload.chunks_exact(4).map(|raw| f32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]]));
    if payload.len() == values * 4 {
        Ok((graph, floats().collect()))
    } else if payload.len() == values * 2 && !are_points(floats()) {
        let integers = payload.chunks_exact(2).map(|raw| i16::from_le_bytes([raw[0], raw[1]]));
        Ok((graph, integers.map(|value| f32::from(value) / 256.0).collect()))
    } else {
        Err(torn)
    }
}

/// Whether bytes read as f32 look like points: then a file as long as KLV1 is a KLV2 that lost the second half of its
/// values. Two i16 of a few points each would make an f32 that is tiny, huge or NaN.
fn are_points(values: impl Iterator<Item = f32>) -> bool {
    let (mut like_points, mut unlike) = (0, 0);
    for value in values.filter(|&value| value != 0.0) {
        if (1e-4..1e4).contains(&value.abs()) { like_points += 1 } else { unlike += 1 }
    }
    like_points > unlike
}

fn tiles(letters: &[u8]) -> Vec<Tile> {
    letters.iter().map(|&kind| Tile::letter_tile(kind)).collect()
}

/// The number of a leave whose letters are in any order, as other tools may write them.
fn rank_of_any(ranking: &Ranking, letters: &[u8]) -> Option<usize> {
    let leave = Rack::from_tiles(&tiles(letters));
    ranking.holds(&leave).then(|| ranking.rank(&leave))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(name: &str) -> (TileSet, LeaveTable) {
        let tileset = TileSet::embedded(name).unwrap();
        let mut table = LeaveTable::zero(&tileset);
        for index in 1..table.ranking().len() {
            table.set(index, Equity((index as i64 * 7919 % 60_000) as i32 - 30_000));
        }
        (tileset, table)
    }

    #[test]
    fn tables_round_trip_byte_for_byte() {
        for name in ["english", "spanish"] {
            let (tileset, table) = numbered(name);
            let bytes = write(&table).unwrap();
            let (again, leaves) = read(&bytes, &tileset).unwrap();
            assert_eq!((leaves, again.values()), (table.values().len() - 1, table.values()));
            assert_eq!(write(&again).unwrap(), bytes);
        }
    }

    #[test]
    fn the_bytes_have_the_published_layout() {
        let (_, table) = numbered("english");
        let bytes = write(&table).unwrap();
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let nodes = number(0) as usize;
        assert_eq!(number(4 + 4 * nodes), 914_624);
        assert_eq!(bytes.len(), 8 + 4 * nodes + 4 * 914_624);
        // The first leave is one blank, the second two.
        let value = |place: usize| f32::from_le_bytes(bytes[8 + 4 * nodes + 4 * place..][..4].try_into().unwrap());
        let points = |counts: &[u8]| table.get(&Rack::from_counts(counts)).unwrap().points() as f32;
        assert_eq!((value(0), value(1), value(2)), (points(&[1]), points(&[2]), points(&[2, 1])));
    }
}
