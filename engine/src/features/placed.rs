//! Features of where a play lays its tiles, computed by trying the play on a copy of the board.
//!
//! A feature is one row and one arm of [`Trial::values`].

use super::catalogue::family;
use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::layout::{Direction, Square};
use crate::movegen::{ChangedLane, LaneStates};
use crate::moves::Play;
use crate::tileset::Tile;
use crate::turn::Turn;

mod lane_counts;
mod draws;
mod word_tree;
mod reply_words;
mod turn_words;
mod replies;
mod leave_potential;

pub(super) use reply_words::ReplyWords;

use lane_counts::{Change, LaneCount};
use leave_potential::LeavePotential;
use replies::Replies;

family! {
    /// A feature of the squares that a play covers, or 0 for moves that lay no tiles.
    PlacedFeature {
        TripleWordsOpened "triple_words_opened" "lanes" "Maven 6.4"
            "Change in the number of empty triple word squares that can be reached, counted in each lane."
        BingoLanesOpened "bingo_lanes_opened" "places" "Maven 6.5"
            "New places for a bingo that exactly one tile or hook connects to the board."
        BingoLanesClosed "bingo_lanes_closed" "places" "Maven 6.5"
            "Lost places for a bingo that exactly one tile or hook connected to the board."
        PremiumsBesideVowels "premiums_beside_vowels" "squares" "Maven 6; Heuri"
            "Empty letter premium squares next to the vowels laid."
        HooksOpened "hooks_opened" "share of the unseen tiles" "Maven 6"
            "Unseen tiles that hook the word laid in front or behind, as a share of all unseen tiles."
        MultipliersOpened "multipliers_opened" "points" "Heuri, first engine"
            "Heuri's penalty for opening a lane between triple word squares (20), else a triple (10) or double (5) letter square next to a vowel."
        Reply20 "reply_20" "logarithm" "Maven 6; extents"
            "Change of the logarithm of the number of words that the opponent may find for at least 20 points."
        Reply30 "reply_30" "logarithm" "Maven 6; extents"
            "Change of the logarithm of the number of words that the opponent may find for at least 30 points."
        Reply40 "reply_40" "logarithm" "Maven 6; extents"
            "Change of the logarithm of the number of words that the opponent may find for at least 40 points."
        Reply50 "reply_50" "logarithm" "Maven 6; extents"
            "Change of the logarithm of the number of words that the opponent may find for at least 50 points."
        Reply65 "reply_65" "logarithm" "Maven 6; extents"
            "Change of the logarithm of the number of words that the opponent may find for at least 65 points."
        Reply80 "reply_80" "logarithm" "Maven 6; extents"
            "Change of the logarithm of the number of words that the opponent may find for at least 80 points."
        LeavePotential "leave_potential" "points" "Maven 6"
            "The best play of the leave alone on the board after the play, once at most a quarter of the tiles is unseen; 0 before."
    }
}

/// The penalties of Heuri's first engine, in points: for opening a lane between two triple word squares, a triple letter
/// square next to a vowel, and a double letter square next to a vowel. The largest that applies counts.
const OPENINGS: [f32; 3] = [20.0, 10.0, 5.0];

/// A board on which plays are tried.
#[derive(Debug)]
pub(super) struct Trial<'a> {
    turn: &'a Turn<'a>,
    board: Board,
    cross_sets: CrossSets,
    states: LaneStates<'a>,
    triple_words: LaneCount,
    bingo_places: LaneCount,
    replies: Option<Replies<'a>>,
    leave_potential: LeavePotential<'a>,
}

impl PlacedFeature {
    /// Whether the feature is about the opponent's replies, which need [`ReplyWords`].
    pub(super) fn is_about_replies(self) -> bool {
        use PlacedFeature::{Reply20, Reply30, Reply40, Reply50, Reply65, Reply80};
        matches!(self, Reply20 | Reply30 | Reply40 | Reply50 | Reply65 | Reply80)
    }
}

impl<'a> Trial<'a> {
    /// Copies the board of a turn. `words` must be there if a feature of the replies is asked for.
    pub(super) fn new(turn: &'a Turn<'a>, words: Option<&'a ReplyWords>) -> Trial<'a> {
        Trial {
            turn,
            board: turn.board.clone(),
            cross_sets: turn.cross_sets.clone(),
            states: LaneStates::new(turn.setup, turn.board, turn.cross_sets, turn_words::are_few(turn)),
            triple_words: LaneCount::of_triple_words(),
            bingo_places: LaneCount::of_bingo_places(),
            replies: words.map(|words| Replies::new(turn, words)),
            leave_potential: LeavePotential::new(turn),
        }
    }

    /// The logarithms of the numbers of replies before the play, by level, or 0 without words.
    pub(super) fn replies_before(&mut self) -> replies::Rates {
        self.replies.as_mut().map(|replies| replies.logarithms(&mut self.states)).unwrap_or_default()
    }

    /// The values of features for one play.
    pub(super) fn values(&mut self, features: &[PlacedFeature], play: &Play) -> Vec<f32> {
        let placed: Vec<(Square, Tile)> = play.placements(&self.board).collect();
        let squares: Vec<Square> = placed.iter().map(|&(square, _)| square).collect();
        for &(square, tile) in &placed {
            self.board.set(square, Some(tile));
        }
        let changes = self.cross_sets.update(self.turn.setup, play.direction, &squares, &self.board);
        let changed: Vec<ChangedLane> = changes
            .lanes(self.board.side())
            .map(|lane| ChangedLane { lane, state: self.states.number(lane, &self.board, &self.cross_sets) })
            .collect();
        let potential = if features.contains(&PlacedFeature::LeavePotential) {
            self.leave_potential.best_score(play, &changed, &mut self.states)
        } else {
            0.0
        };
        let reached = match &mut self.replies {
            Some(replies) => replies.changes(&changed, &mut self.states, &self.cross_sets),
            None => Default::default(),
        };
        let [triple_words, bingo_places] = self.counted(features, &changed);
        let value = |feature: &PlacedFeature| match feature {
            PlacedFeature::TripleWordsOpened => (triple_words.opened - triple_words.closed) as f32,
            PlacedFeature::BingoLanesOpened => bingo_places.opened as f32,
            PlacedFeature::BingoLanesClosed => bingo_places.closed as f32,
            PlacedFeature::PremiumsBesideVowels => self.premiums_beside_vowels(&placed).len() as f32,
            PlacedFeature::HooksOpened => self.hooks(play, &squares),
            PlacedFeature::MultipliersOpened => self.multipliers_opened(&placed),
            PlacedFeature::Reply20 => reached[0],
            PlacedFeature::Reply30 => reached[1],
            PlacedFeature::Reply40 => reached[2],
            PlacedFeature::Reply50 => reached[3],
            PlacedFeature::Reply65 => reached[4],
            PlacedFeature::Reply80 => reached[5],
            PlacedFeature::LeavePotential => potential,
        };
        let values = features.iter().map(value).collect();
        self.cross_sets.undo(&changes);
        for &square in &squares {
            self.board.set(square, None);
        }
        values
    }

    /// The changes of the triple words and of the places for bingos. They are 0 where no feature needs them.
    fn counted(&mut self, features: &[PlacedFeature], changed: &[ChangedLane]) -> [Change; 2] {
        let Trial { turn, board, cross_sets, states, triple_words, bingo_places, .. } = self;
        let change = |counted: &mut LaneCount, wanted: &[PlacedFeature]| {
            if !features.iter().any(|feature| wanted.contains(feature)) {
                return Change::default();
            }
            counted.change(turn, changed, states, (board, cross_sets))
        };
        [
            change(triple_words, &[PlacedFeature::TripleWordsOpened]),
            change(bingo_places, &[PlacedFeature::BingoLanesOpened, PlacedFeature::BingoLanesClosed]),
        ]
    }

    /// The multipliers of the empty letter premium squares next to vowels that were laid.
    fn premiums_beside_vowels(&self, placed: &[(Square, Tile)]) -> Vec<u8> {
        let tileset = &self.turn.setup.tileset;
        let vowels = placed.iter().filter(|(_, tile)| tileset.kinds()[tile.letter() as usize].is_vowel);
        let beside = vowels.flat_map(|&(square, _)| neighbours(square, self.board.side()));
        let empty = beside.filter(|&square| self.board.get(square).is_none());
        empty.map(|square| self.turn.setup.layout.premium(square).letter).filter(|&letter| letter > 1).collect()
    }

    /// The unseen tiles that hook the main word in front or behind, as a share of all unseen tiles.
    fn hooks(&self, play: &Play, squares: &[Square]) -> f32 {
        let Some(&first) = squares.first() else { return 0.0 };
        let (lane, offset) = first.lane(play.direction);
        let cells = self.board.lane(play.direction, lane);
        let begin = cells[..offset].iter().rposition(Option::is_none).map_or(0, |empty| empty + 1);
        let end = cells[offset..].iter().position(Option::is_none).map_or(cells.len(), |steps| offset + steps);
        let ends = [begin.checked_sub(1), (end < cells.len()).then_some(end)];
        let hooks = ends.into_iter().flatten().map(|square| {
            // The cross set for plays across the word's lane has the letters that make a word with it.
            let across = self.cross_sets.lane(play.direction.other(), square)[lane];
            let fitting = self.turn.unseen.kinds().filter(|&(kind, _)| kind == 0 || across.letters >> kind & 1 == 1);
            if across.letters == 0 { 0.0 } else { fitting.map(|(_, count)| f32::from(count)).sum::<f32>() }
        });
        hooks.sum::<f32>() / (self.turn.unseen.size().max(1)) as f32
    }

    /// The penalty of Heuri's first engine, in points.
    fn multipliers_opened(&self, placed: &[(Square, Tile)]) -> f32 {
        let beside = self.premiums_beside_vowels(placed);
        let opens_triple_words = placed.iter().any(|&(square, _)| {
            Direction::BOTH.into_iter().any(|direction| self.lies_between_triple_words(direction, square))
        });
        let multiplied = [opens_triple_words, beside.iter().any(|&letter| letter >= 3), beside.contains(&2)];
        multiplied.iter().zip(OPENINGS).find(|(is_opened, _)| **is_opened).map_or(0.0, |(_, points)| points)
    }

    /// Whether one play through this tile could cover the nearest empty triple word squares on both sides of it.
    fn lies_between_triple_words(&self, direction: Direction, square: Square) -> bool {
        let (lane, offset) = square.lane(direction);
        let (cells, premiums) = (self.board.lane(direction, lane), self.turn.setup.layout.lane(direction, lane));
        let is_open = |&square: &usize| premiums[square].word >= 3 && cells[square].is_none();
        let (before, after) = ((0..offset).rev().find(is_open), (offset + 1..cells.len()).find(is_open));
        let (Some(before), Some(after)) = (before, after) else { return false };
        let empty = cells[before..=after].iter().filter(|cell| cell.is_none()).count();
        empty <= self.turn.setup.tileset.rules().rack_size
    }
}

fn neighbours(square: Square, side: usize) -> impl Iterator<Item = Square> {
    let steps = [(-1, 0), (1, 0), (0, -1), (0, 1)];
    steps.into_iter().filter_map(move |(down, right)| {
        let row = usize::try_from(i32::from(square.row) + down).ok().filter(|&row| row < side)?;
        let column = usize::try_from(i32::from(square.column) + right).ok().filter(|&column| column < side)?;
        Some(Square { row: row as u8, column: column as u8 })
    })
}

#[cfg(test)]
mod tests;
