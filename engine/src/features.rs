//! Features: numbers that say something about a position and a move.
//!
//! Each has a name, a unit and a source ([`Feature::about`]); what it costs is told by `tilewright bench --features`. A feature
//! belongs to one of four [`Part`]s of a turn, by what it depends on, and that decides when it is computed:
//!
//! | part | depends on | computed |
//! | --- | --- | --- |
//! | position | the position alone | once a turn; it cannot tell moves apart, but positions |
//! | score | the points of the move | for each move, by the generator |
//! | kept | the position, and what the move keeps on the rack | once a turn for all keeps at once |
//! | placed | the position, and where a play lays its tiles | for the plays that are asked about |
//!
//! So a weighted sum of the first three costs one look-up a move, and the best move under it is found without listing moves. Values are
//! from the view of the player who moves. The board is seen before the other's reply.

use std::sync::Arc;

use thiserror::Error;

use crate::equity::Equity;
use crate::leave::pool::Pool;
use crate::leave::{LeaveTable, leftover};
use crate::lexicon::WordGraph;
use crate::moves::{Move, Play};
use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::setup::Setup;
use crate::turn::Turn;

mod bingo;
mod catalogue;
mod kept;
pub mod openness;
mod placed;
mod playable;
mod rack_graph;

pub use catalogue::{About, Feature, Part, VERSION};

use bingo::{BingoRacks, BingoWords, Longest};
use playable::{LongWords, Playable};

/// Values of one feature for all keeps of a rack, by number; of the whole rack, which is kept by passing, too.
pub type KeptValues = [f32; MAX_SUB_RACKS];

/// A list of features that cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FeatureError {
    /// It is made from a leave table.
    #[error("the feature {0} needs a leave table; name one")]
    NeedsLeaves(&'static str),
}

/// A kind of tile that seldom makes a word without another: the Q and its U.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Companion {
    /// The kind.
    pub tile: u8,
    /// The one that its words have right after it.
    pub needs: u8,
}

/// The share of the words with a tile that have its companion beside it.
const COMPANION_SHARE: f64 = 0.9;

/// Features ready to be computed, with what they are computed from.
#[derive(Clone, Debug)]
pub struct Features {
    kept: Vec<Feature>,
    placed: Vec<Feature>,
    leaves: Option<Arc<LeaveTable>>,
    pool: Option<(Pool, LeaveTable)>,
    companions: Vec<Companion>,
    sevens: Option<BingoRacks>,
    eights: Option<BingoRacks>,
    words: Option<BingoWords>,
    long_words: Option<LongWords>,
}

impl Features {
    /// Those of `wanted` that are about moves, for a setup.
    ///
    /// # Errors
    /// [`FeatureError::NeedsLeaves`] if there is no leave table and one of them is made from it.
    pub fn new(wanted: &[Feature], setup: &Setup, leaves: Option<Arc<LeaveTable>>) -> Result<Features, FeatureError> {
        let of_part = |part| wanted.iter().copied().filter(|feature| feature.about().part == part).collect::<Vec<_>>();
        let (kept, placed) = (of_part(Part::Kept), of_part(Part::Placed));
        let wants = |any: &[Feature]| kept.iter().any(|feature| any.contains(feature));
        let needy = kept.iter().find(|feature| feature.needs_leaves() && leaves.is_none());
        if let Some(feature) = needy {
            return Err(FeatureError::NeedsLeaves(feature.about().name));
        }
        let pool = leaves.as_ref().filter(|_| wants(&[Feature::LeaveForUnseen])).map(|leaves| {
            let pool = Pool::new(leaves, &setup.tileset);
            let table = pool.at_full_shares(leaves, &setup.tileset);
            (pool, table)
        });
        let racks = |longest| BingoRacks::new(setup, longest);
        let sevens = wants(&[Feature::BingoChance, Feature::BingoPoints, Feature::BingoAveragePoints]);
        let playable = wants(&[Feature::PlayableBingoChance, Feature::PlayableBingosExpected, Feature::PlayableBingoPoints]);
        Ok(Features {
            pool,
            companions: companions(setup),
            sevens: sevens.then(|| racks(Longest::Rack)),
            eights: wants(&[Feature::LongBingoChance]).then(|| racks(Longest::OneMore)),
            words: wants(&[Feature::BingosExpected]).then(|| BingoWords::new(setup)),
            long_words: playable.then(|| LongWords::new(setup)),
            leaves,
            kept,
            placed,
        })
    }

    /// The features of what is kept, in the order of [`Features::kept_values`].
    pub fn kept(&self) -> &[Feature] {
        &self.kept
    }

    /// The features of where plays lay their tiles, in the order of [`Features::placed_values`].
    pub fn placed(&self) -> &[Feature] {
        &self.placed
    }

    /// For each feature of what is kept its value for every keep.
    pub fn kept_values(&self, turn: &Turn<'_>, numbers: &SubRacks) -> Vec<KeptValues> {
        let playable = self.long_words.as_ref().map(|words| words.playable(turn, numbers));
        let mut rows = vec![[0.0; MAX_SUB_RACKS]; self.kept.len()];
        for (row, &feature) in rows.iter_mut().zip(&self.kept) {
            self.fill(feature, turn, numbers, playable.as_ref(), row);
        }
        rows
    }

    /// For each play its features of where it lays its tiles.
    pub fn placed_values(&self, turn: &Turn<'_>, plays: impl IntoIterator<Item = Play>) -> Vec<Vec<f32>> {
        let mut trial = placed::Trial::new(turn, &self.placed);
        plays.into_iter().map(|play| trial.values(&play)).collect()
    }

    /// All of `wanted`, in its order, for one move of a player so many points ahead before it; slow and obvious.
    pub fn of_move(&self, wanted: &[Feature], turn: &Turn<'_>, spread: i32, chosen: &Move) -> Vec<f64> {
        let numbers = SubRacks::new(turn.position.rack);
        let taken: usize = chosen.tiles().iter().map(|tile| numbers.stride(tile.kind())).sum();
        let kept = self.kept_values(turn, &numbers);
        let placed = match chosen {
            Move::Play(play) => self.placed_values(turn, [*play]).remove(0),
            Move::Exchange(_) | Move::Pass => vec![0.0; self.placed.len()],
        };
        let find = |list: &[Feature], feature| list.iter().position(|&other| other == feature);
        let value = |&feature: &Feature| match feature {
            Feature::Score => f64::from(chosen.score()),
            Feature::ScoreDifference => f64::from(spread),
            Feature::TilesInBag => turn.bag() as f64,
            Feature::Openness => openness::of_turn(turn),
            _ => {
                let kept = find(&self.kept, feature).map(|row| kept[row][numbers.whole() - taken]);
                kept.or_else(|| find(&self.placed, feature).map(|place| placed[place])).map_or(0.0, f64::from)
            }
        };
        wanted.iter().map(value).collect()
    }

    fn fill(
        &self,
        feature: Feature,
        turn: &Turn<'_>,
        numbers: &SubRacks,
        playable: Option<&Playable>,
        values: &mut KeptValues,
    ) {
        let tileset = &turn.setup.tileset;
        let leaves = self.leaves.as_deref();
        match feature {
            Feature::Leave => self.leave_values(turn, numbers, values),
            Feature::LeaveForUnseen => self.leave_for_unseen(turn, numbers, values),
            Feature::TilesPlayed => {
                let held = turn.position.rack.size() as f32;
                kept::by_kind(numbers, values, |_, count| f32::from(count));
                *values = values.map(|kept| held - kept);
            }
            Feature::VowelsLessConsonants | Feature::VowelImbalance => {
                kept::by_kind(numbers, values, |kind, count| f32::from(count) * kept::vowel_sign(tileset, kind));
                if feature == Feature::VowelImbalance {
                    *values = values.map(f32::abs);
                }
            }
            Feature::BlanksKept => {
                kept::by_kind(numbers, values, |kind, count| if kind == 0 { f32::from(count) } else { 0.0 });
            }
            Feature::DuplicatesKept => kept::by_kind(numbers, values, |_, count| f32::from(count - 1)),
            Feature::DrawValue => leaves.into_iter().for_each(|leaves| kept::draw_value(turn, numbers, leaves, values)),
            Feature::TileDensity => kept::density(turn, numbers, values),
            Feature::StrandedTiles => kept::stranded(&self.companions, numbers, values),
            Feature::AwaitedTiles => kept::awaited(&self.companions, turn, numbers, values),
            Feature::GameState => leaves.into_iter().for_each(|leaves| kept::game_state(turn, numbers, leaves, values)),
            Feature::BagEmptied | Feature::BagNearlyEmptied => {
                let (least, most) = if feature == Feature::BagEmptied { (0, 0) } else { (1, tileset.rules().rack_size) };
                kept::bag_after(turn, numbers, values);
                let is_within = |left: f32| (least..=most).contains(&(left as usize)) && turn.bag() > 0;
                *values = values.map(|left| f32::from(u8::from(is_within(left))));
            }
            Feature::BingoChance => self.sevens.iter().for_each(|racks| racks.chances(turn, numbers, values)),
            Feature::BingoPoints => self.sevens.iter().for_each(|racks| racks.points(turn, numbers, values)),
            Feature::BingoAveragePoints => {
                self.sevens.iter().for_each(|racks| racks.average_points(turn, numbers, values));
            }
            Feature::LongBingoChance => self.eights.iter().for_each(|racks| racks.chances(turn, numbers, values)),
            Feature::BingosExpected => self.words.iter().for_each(|words| words.expected(turn, numbers, values)),
            Feature::PlayableBingoChance => playable.into_iter().for_each(|playable| *values = playable.chances),
            Feature::PlayableBingosExpected => playable.into_iter().for_each(|playable| *values = playable.expected),
            Feature::PlayableBingoPoints => playable.into_iter().for_each(|playable| *values = playable.points),
            _ => {}
        }
    }

    fn leave_values(&self, turn: &Turn<'_>, numbers: &SubRacks, values: &mut KeptValues) {
        let mut kept = [Equity::ZERO; MAX_SUB_RACKS];
        match &self.leaves {
            _ if turn.bag() == 0 => leftover(turn, numbers, &mut kept),
            Some(leaves) => leaves.fill(numbers, &mut kept),
            None => {}
        }
        values.iter_mut().zip(kept).for_each(|(value, kept)| *value = kept.points() as f32);
        if turn.bag() > 0 {
            // A full rack is no leave.
            values[numbers.whole()] = 0.0;
        }
    }

    fn leave_for_unseen(&self, turn: &Turn<'_>, numbers: &SubRacks, values: &mut KeptValues) {
        let (Some(leaves), Some((pool, table))) = (&self.leaves, &self.pool) else { return };
        if turn.bag() == 0 {
            return;
        }
        let [mut flat, mut aware] = [[Equity::ZERO; MAX_SUB_RACKS]; 2];
        let mut sizes = [0; MAX_SUB_RACKS];
        numbers.sizes(&mut sizes);
        leaves.fill(numbers, &mut flat);
        table.fill(numbers, &mut aware);
        pool.add(turn.unseen, turn.bag(), numbers, &sizes, &mut aware);
        let differences = aware.iter().zip(flat).map(|(&aware, flat)| (aware - flat).points() as f32);
        values.iter_mut().zip(differences).for_each(|(value, difference)| *value = difference);
    }
}

/// The kinds whose words have another kind right after them, nine of ten or more.
pub fn companions(setup: &Setup) -> Vec<Companion> {
    let kinds = setup.tileset.counts().len();
    let mut words = vec![0u32; kinds];
    let mut beside = vec![0u32; kinds * kinds];
    count_neighbours(&setup.lexicon.graph, kinds, &mut words, &mut beside);
    let mut companions = Vec::new();
    for tile in 1..kinds {
        let best = (1..kinds).filter(|&other| other != tile).max_by_key(|&other| beside[tile * kinds + other]);
        let Some(needs) = best else { continue };
        let share = f64::from(beside[tile * kinds + needs]) / f64::from(words[tile]);
        if words[tile] > 0 && share >= COMPANION_SHARE {
            companions.push(Companion { tile: tile as u8, needs: needs as u8 });
        }
    }
    companions
}

/// Counts for each letter the words that have it, and for each two those that have the second right after the first.
fn count_neighbours(graph: &WordGraph, kinds: usize, words: &mut [u32], beside: &mut [u32]) {
    graph.for_each_word(|word| {
        let (mut seen, mut pairs) = (0u64, Vec::with_capacity(word.len()));
        for (place, &letter) in word.iter().enumerate() {
            if seen >> letter & 1 == 0 {
                words[letter as usize] += 1;
                seen |= 1 << letter;
            }
            let pair = word.get(place + 1).map(|&next| letter as usize * kinds + next as usize);
            pairs.extend(pair);
        }
        pairs.sort_unstable();
        pairs.dedup();
        for pair in pairs {
            beside[pair] += 1;
        }
    });
}

/// The chance that a keep, filled up from the unseen tiles, spells a word, and with what it costs to prepare for that.
#[derive(Clone, Debug)]
pub struct BingoChance(BingoRacks);

impl BingoChance {
    /// For the words of a setup.
    pub fn new(setup: &Setup) -> BingoChance {
        BingoChance(BingoRacks::new(setup, Longest::Rack))
    }

    /// Exact, 0–1; `keep` holds no more than a full rack.
    pub fn of(&self, setup: &Setup, keep: &Rack, unseen: &Rack) -> f64 {
        self.0.chance(setup, keep, unseen)
    }
}

#[cfg(test)]
mod tests;
