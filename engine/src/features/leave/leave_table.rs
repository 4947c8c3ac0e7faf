//! Features of the leave that are computed from a leave table.

use std::sync::Arc;

use super::tiles::{by_kind, leave_size};
use super::turn_leaves::{LeaveRow, TurnLeaves};
use crate::equity::Equity;
use crate::leave::late::LateValues;
use crate::leave::pool::Pool;
use crate::leave::{LeaveTable, leftover};
use crate::rack::{MAX_SUB_RACKS, Rack};
use crate::setup::Setup;

/// The values of the table in points; with an empty bag, those of [`leftover`].
pub(super) fn leave(table: &LeaveTable, at: &TurnLeaves<'_>, values: &mut LeaveRow) {
    let mut equities = [Equity::ZERO; MAX_SUB_RACKS];
    if at.turn.bag == 0 {
        leftover(at.turn, at.sub_racks, &mut equities);
    } else {
        table.fill(at.sub_racks, &mut equities);
    }
    values.iter_mut().zip(equities).for_each(|(value, equity)| *value = equity.points() as f32);
    if at.turn.bag > 0 {
        // A full rack is no leave.
        values[at.sub_racks.whole()] = 0.0;
    }
}

/// What the adjustments for few tiles in the bag add to the values of the table, in points; 0 with an empty bag.
pub(super) fn late(table: &LeaveTable, late: &LateValues, at: &TurnLeaves<'_>, values: &mut LeaveRow) {
    let mut flat = [Equity::ZERO; MAX_SUB_RACKS];
    let sizes = at.sub_racks.sizes();
    table.fill(at.sub_racks, &mut flat);
    let mut adjusted = flat;
    if at.turn.bag > 0 {
        late.adjust(at.turn, at.sub_racks, &sizes, &mut adjusted);
    }
    let differences = adjusted.iter().zip(flat).map(|(&adjusted, flat)| (adjusted - flat).points() as f32);
    values.iter_mut().zip(differences).for_each(|(value, difference)| *value = difference);
}

/// A leave table with its correction for the unseen tiles; see [`crate::leave::pool`].
#[derive(Debug)]
pub(super) struct UnseenPool {
    flat: Arc<LeaveTable>,
    pool: Pool,
    at_full_shares: LeaveTable,
}

impl UnseenPool {
    pub(super) fn new(flat: Arc<LeaveTable>, setup: &Setup) -> UnseenPool {
        let pool = Pool::new(&flat, &setup.tileset);
        UnseenPool { at_full_shares: pool.at_full_shares(&flat, &setup.tileset), flat, pool }
    }

    /// What the unseen tiles add to the values of the table, in points; 0 with an empty bag.
    pub(super) fn added(&self, at: &TurnLeaves<'_>, values: &mut LeaveRow) {
        if at.turn.bag == 0 {
            values.fill(0.0);
            return;
        }
        let [mut flat, mut corrected] = [[Equity::ZERO; MAX_SUB_RACKS]; 2];
        let sizes = at.sub_racks.sizes();
        self.flat.fill(at.sub_racks, &mut flat);
        self.at_full_shares.fill(at.sub_racks, &mut corrected);
        self.pool.add(&at.turn.unseen, at.turn.bag, at.sub_racks, &sizes, &mut corrected);
        let differences = corrected.iter().zip(flat).map(|(&corrected, flat)| (corrected - flat).points() as f32);
        values.iter_mut().zip(differences).for_each(|(value, difference)| *value = difference);
    }
}

/// The number of tiles drawn times the mean value of a single unseen tile.
pub(super) fn draw_value(table: &LeaveTable, at: &TurnLeaves<'_>, values: &mut LeaveRow) {
    let unseen = &at.turn.unseen;
    let sum: f32 = unseen.kinds().map(|(kind, count)| f32::from(count) * single(table, kind)).sum();
    let average = sum / unseen.size().max(1) as f32;
    leave_size(at, values);
    values[..at.sub_racks.len()].iter_mut().for_each(|value| *value = at.turn.drawn(*value as usize) as f32 * average);
}

/// Mathieu's adjustment: the sum over pairs of tiles in the leave of their synergy (the value of both beyond the values of
/// each) times the chances to draw each again.
pub(super) fn game_state(table: &LeaveTable, at: &TurnLeaves<'_>, values: &mut LeaveRow) {
    let (sub_racks, unseen) = (at.sub_racks, &at.turn.unseen);
    let all = unseen.size().max(1) as f32;
    let share = |kind: u8| f32::from(unseen.count(kind)) / all;
    let synergy = |one: u8, other: u8| {
        let pair = table.get(&Rack::from_kinds(&[one, other])).map_or(0.0, |value| value.points() as f32);
        2.0 * share(one) * share(other) * (pair - single(table, one) - single(table, other))
    };
    by_kind(
        sub_racks,
        values,
        |kind, count| {
            if count < 2 { 0.0 } else { f32::from(count * (count - 1) / 2) * synergy(kind, kind) }
        },
    );
    let count_of = |&(kind, _): &(u8, u8)| -> LeaveRow {
        std::array::from_fn(|number| if number < sub_racks.len() { f32::from(sub_racks.count(number, kind)) } else { 0.0 })
    };
    let counts: Vec<LeaveRow> = sub_racks.kinds().iter().map(count_of).collect();
    for (place, (&(one, _), ones)) in sub_racks.kinds().iter().zip(&counts).enumerate() {
        for (&(other, _), others) in sub_racks.kinds().iter().zip(&counts).skip(place + 1) {
            let synergy = synergy(one, other);
            for ((value, one), other) in values.iter_mut().zip(ones).zip(others) {
                *value += one * other * synergy;
            }
        }
    }
}

/// The value of a leave of one tile, in points.
fn single(table: &LeaveTable, kind: u8) -> f32 {
    table.get(&Rack::from_kinds(&[kind])).map_or(0.0, |value| value.points() as f32)
}
