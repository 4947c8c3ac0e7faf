//! Features of the leave that are made from a leave table.

use std::sync::Arc;

use super::tiles::{by_kind, kept};
use super::turn_leaves::{KeptValues, TurnLeaves};
use crate::equity::Equity;
use crate::leave::pool::Pool;
use crate::leave::{LeaveTable, leftover};
use crate::rack::{MAX_SUB_RACKS, Rack};
use crate::setup::Setup;

/// The values of the table; with an empty bag, what is left at the end.
pub(super) fn leave(table: &LeaveTable, at: &TurnLeaves<'_>, values: &mut KeptValues) {
    let mut equities = [Equity::ZERO; MAX_SUB_RACKS];
    if at.turn.bag == 0 {
        leftover(at.turn, at.numbers, &mut equities);
    } else {
        table.fill(at.numbers, &mut equities);
    }
    values.iter_mut().zip(equities).for_each(|(value, equity)| *value = equity.points() as f32);
    if at.turn.bag > 0 {
        // A full rack is no leave.
        values[at.numbers.whole()] = 0.0;
    }
}

/// A leave table, and the same adjusted to the unseen tiles.
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

    /// What the unseen tiles add to the values of the table; nothing with an empty bag.
    pub(super) fn added(&self, at: &TurnLeaves<'_>, values: &mut KeptValues) {
        if at.turn.bag == 0 {
            values.fill(0.0);
            return;
        }
        let [mut flat, mut aware] = [[Equity::ZERO; MAX_SUB_RACKS]; 2];
        let mut sizes = [0; MAX_SUB_RACKS];
        at.numbers.sizes(&mut sizes);
        self.flat.fill(at.numbers, &mut flat);
        self.at_full_shares.fill(at.numbers, &mut aware);
        self.pool.add(&at.turn.unseen, at.turn.bag, at.numbers, &sizes, &mut aware);
        let differences = aware.iter().zip(flat).map(|(&aware, flat)| (aware - flat).points() as f32);
        values.iter_mut().zip(differences).for_each(|(value, difference)| *value = difference);
    }
}

/// What the tiles that each leave draws are worth alone, on average over the unseen tiles.
pub(super) fn draw_value(table: &LeaveTable, at: &TurnLeaves<'_>, values: &mut KeptValues) {
    let unseen = &at.turn.unseen;
    let sum: f32 = unseen.kinds().map(|(kind, count)| f32::from(count) * single(table, kind)).sum();
    let average = sum / unseen.size().max(1) as f32;
    kept(at, values);
    values[..at.numbers.len()].iter_mut().for_each(|kept| *kept = at.turn.drawn(*kept as usize) as f32 * average);
}

/// Mathieu's adjustment: for each two kept tiles what they are worth together beyond each alone, times the chances to draw each again.
pub(super) fn game_state(table: &LeaveTable, at: &TurnLeaves<'_>, values: &mut KeptValues) {
    let (numbers, unseen) = (at.numbers, &at.turn.unseen);
    let all = unseen.size().max(1) as f32;
    let share = |kind: u8| f32::from(unseen.count(kind)) / all;
    let synergy = |one: u8, other: u8| {
        let pair = table.get(&Rack::from_kinds(&[one, other])).map_or(0.0, |value| value.points() as f32);
        2.0 * share(one) * share(other) * (pair - single(table, one) - single(table, other))
    };
    by_kind(
        numbers,
        values,
        |kind, count| {
            if count < 2 { 0.0 } else { f32::from(count * (count - 1) / 2) * synergy(kind, kind) }
        },
    );
    for (place, &(one, _)) in numbers.kinds().iter().enumerate() {
        for &(other, _) in &numbers.kinds()[place + 1..] {
            let synergy = synergy(one, other);
            for (number, value) in values[..numbers.len()].iter_mut().enumerate() {
                let pairs = numbers.count(number, one) * numbers.count(number, other);
                *value += f32::from(pairs) * synergy;
            }
        }
    }
}

/// What a tile kept alone is worth, in points.
fn single(table: &LeaveTable, kind: u8) -> f32 {
    table.get(&Rack::from_kinds(&[kind])).map_or(0.0, |value| value.points() as f32)
}
