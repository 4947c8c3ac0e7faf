//! Leave tables as KLV2, the format of wolges, Macondo and MAGPIE.
//!
//! A u32 number of KWG nodes, those nodes (a DAWG of the leaves, each a sorted string with the blank, 0, first), a u32
//! number of values, and that many f32 in points in the DAWG's word order, all little endian. KLV1 has i16 values in
//! 1/256 point instead and is told apart by its length.

use thiserror::Error;

use super::LeaveTable;
use crate::equity::Equity;
use crate::lexicon::kwg::{self, KwgError};
use crate::lexicon::{Arc, States};
use crate::rack::{Rack, Ranking};
use crate::tileset::{Tile, TileSet};

/// Why bytes are not a leave table.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum KlvError {
    /// The lengths in the file do not fit the file.
    #[error("the file is torn: {bytes} bytes, but its header speaks of {nodes} nodes and {values} values")]
    Torn {
        /// The file's length.
        bytes: usize,
        /// Nodes it claims.
        nodes: usize,
        /// Values it claims.
        values: usize,
    },
    /// The leaves are not a DAWG of the tile set.
    #[error(transparent)]
    Kwg(#[from] KwgError),
    /// The values are not one a leave.
    #[error("{leaves} leaves but {values} values")]
    Count {
        /// Leaves that the DAWG spells.
        leaves: usize,
        /// Values there are.
        values: usize,
    },
    /// A leave that the bag cannot hold.
    #[error("the file has the leave {leave}, which the {tileset} tile set does not. Is it of another tile set?")]
    Leave {
        /// In notation.
        leave: String,
        /// The set's name.
        tileset: String,
    },
    /// A value that is no number of points.
    #[error("the value of {leave} is {value}")]
    Value {
        /// In notation.
        leave: String,
        /// As read.
        value: f32,
    },
}

/// Writes every leave of 1 to rack size − 1 tiles.
///
/// # Errors
/// [`KwgError::TooLarge`] if the leaves need more nodes than the format has.
pub fn write(table: &LeaveTable) -> Result<Vec<u8>, KwgError> {
    let limits = table.ranking().limits();
    let most = table.ranking().max_size();
    let mut states = States::default();
    let root = leave_state(&mut states, limits, most);
    let nodes = states.lay_out(&[root, 0]).map_err(|nodes| KwgError::TooLarge { nodes })?;
    let graph = kwg::write_nodes(&nodes)?;
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
    // after[used][left]: what may follow `used` tiles of the kind at hand with `left` tiles to go.
    let mut beyond = vec![0u32; most + 1];
    let mut beyond_arcs: Vec<Vec<Arc>> = vec![Vec::new(); most + 1];
    for kind in (0..limits.len()).rev() {
        let limit = (limits[kind] as usize).min(most);
        // States after exactly `limit` tiles of the kind, then one fewer, …: each may take one more of the kind, or go on.
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

/// Writes the values in the DAWG's order: each leave before those it begins.
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

/// Reads KLV2 or KLV1; leaves that the file does not hold are worth 0. Also says how many it holds.
///
/// # Errors
/// [`KlvError`].
pub fn read(bytes: &[u8], tileset: &TileSet) -> Result<(LeaveTable, usize), KlvError> {
    let number =
        |at: usize| bytes.get(at..at + 4).map_or(0, |raw| u32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]]) as usize);
    let nodes = number(0);
    let values = if nodes > bytes.len() { 0 } else { number(4 + 4 * nodes) };
    let torn = KlvError::Torn { bytes: bytes.len(), nodes, values };
    let graph = bytes.get(4..4usize.saturating_add(nodes.saturating_mul(4))).ok_or(torn.clone())?;
    let payload = bytes.get(8 + graph.len()..).ok_or(torn.clone())?;
    let points: Vec<f32> = if payload.len() == values * 4 {
        payload.chunks_exact(4).map(|raw| f32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]])).collect()
    } else if payload.len() == values * 2 {
        payload.chunks_exact(2).map(|raw| f32::from(i16::from_le_bytes([raw[0], raw[1]])) / 256.0).collect()
    } else {
        return Err(torn);
    };
    let graph = kwg::read(graph, tileset.letters())?;
    let mut table = LeaveTable::zero(tileset);
    let mut leaves = 0;
    let mut fault = None;
    let mut budget = points.len() * 8 + 1000;
    let complete = kwg::visit(&graph, graph.dawg_root(), &mut Vec::new(), &mut budget, &mut |letters| {
        let name = || tileset.show_all(&tiles(letters));
        let Some(&value) = points.get(leaves) else { return false };
        leaves += 1;
        match table.ranking().rank_rising(letters).or_else(|| rank_of_any(table.ranking(), letters)) {
            None => fault = Some(KlvError::Leave { leave: name(), tileset: tileset.name().into() }),
            Some(_) if !value.is_finite() || value.abs() > 100_000.0 => {
                fault = Some(KlvError::Value { leave: name(), value });
            }
            Some(index) => table.set(index, Equity::from_fractional_points(f64::from(value))),
        }
        fault.is_none()
    });
    match fault {
        Some(fault) => Err(fault),
        None if complete && leaves == points.len() => Ok((table, leaves)),
        None => Err(KlvError::Count { leaves, values: points.len() }),
    }
}

fn tiles(letters: &[u8]) -> Vec<Tile> {
    letters.iter().map(|&kind| Tile::letter_tile(kind)).collect()
}

/// The number of a leave whose letters another tool left in an order of its own.
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

    #[test]
    fn older_files_of_sixteen_bit_values_are_read() {
        let (tileset, _) = numbered("english");
        let table = LeaveTable::zero(&tileset);
        let mut bytes = write(&table).unwrap();
        let start = bytes.len() - 914_624 * 4;
        bytes.truncate(start + 914_624 * 2);
        bytes[start..start + 2].copy_from_slice(&(-384i16).to_le_bytes());
        let (read, _) = read(&bytes, &tileset).unwrap();
        assert_eq!(read.get(&Rack::from_counts(&[1])), Some(Equity(-1500)));
    }

    #[test]
    fn damaged_files_are_refused_without_a_panic() {
        use rand::{Rng, RngExt};
        let english = TileSet::embedded("english").unwrap();
        let bytes = write(&LeaveTable::zero(&english)).unwrap();
        assert!(matches!(read(&bytes[..bytes.len() - 1], &english), Err(KlvError::Torn { .. })));
        assert!(matches!(read(b"", &english), Err(KlvError::Torn { .. })));
        let polish = write(&LeaveTable::zero(&TileSet::embedded("polish").unwrap())).unwrap();
        assert!(matches!(read(&polish, &english), Err(KlvError::Kwg(KwgError::Letter { .. }))));
        for index in 0..60 {
            let mut stream = crate::rng::stream(11, "fuzz", index);
            let mut torn = bytes.clone();
            let graph = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize * 4;
            for _ in 0..stream.random_range(1..4) {
                let at = stream.random_range(0..graph + 8);
                torn[at] = stream.next_u32() as u8;
            }
            let _ = read(&torn, &english);
        }
    }
}
