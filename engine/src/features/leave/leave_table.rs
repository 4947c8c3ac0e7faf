//! Features of the leave that are computed from a leave table.

use super::tiles::{LeaveRow, TurnLeaves, by_kind, leave_size};
use crate::equity::Equity;
use crate::leave::{CorrectedLeaves, LeaveTable};
use crate::rack::{MAX_SUB_RACKS, Rack};

/// The values of the table in points. With an empty bag, they are the values of [`leftover`](crate::leave::leftover()).
pub(super) fn leave(table: &CorrectedLeaves, at: &TurnLeaves<'_>, values: &mut LeaveRow) {
    *values = filled(table, at).map(|equity| equity.points() as f32);
    if at.turn.bag > 0 {
        // A full rack is no leave.
        values[at.sub_racks.whole()] = 0.0;
    }
}

/// The points that a correction adds to the values of the table, or 0 with an empty bag.
pub(super) fn correction([table, corrected]: &[CorrectedLeaves; 2], at: &TurnLeaves<'_>, values: &mut LeaveRow) {
    let (flat, corrected) = (filled(table, at), filled(corrected, at));
    *values = std::array::from_fn(|number| (corrected[number] - flat[number]).points() as f32);
}

fn filled(leaves: &CorrectedLeaves, at: &TurnLeaves<'_>) -> [Equity; MAX_SUB_RACKS] {
    let mut equities = [Equity::ZERO; MAX_SUB_RACKS];
    leaves.fill(at.turn, at.sub_racks, &mut equities);
    equities
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
