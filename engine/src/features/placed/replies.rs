//! The opponent's best reply: how a play changes the number of words that score a given number of points.
//!
//! The estimate looks at extents ([`crate::movegen`]). On an extent of n empty squares, a random rack spells
//!
//! ```text
//! λ(e) = words(n, tiles played through) · Π over its squares with cross words of fit(length, place, letters of the cross set)
//! ```
//!
//! words on average, and Λ(b) is the sum over the extents whose words score at least b points. [`TurnWords`] supplies
//! `words` and `fit`. An S in the last place of a word fits far more words than its share of the unseen tiles suggests. An
//! extent of one square is exact: its letters are in both cross sets. The score of a word there is the extent's points with
//! tiles of the mean value. The feature is the change of ln Λ(b): a rack that spells one of these words spells many, so the
//! probability that the best reply scores b points or more grows with the logarithm. In English self-play, −ln(1 −
//! probability) rises from 1.2 to 2.3 for b = 20 while Λ rises from 26 to 111, and from 0.3 to 0.5 for b = 40 while Λ rises
//! from 0.2 to 3.7.
//!
//! Only the lanes that a play changes are computed again.

use std::cell::OnceCell;
use std::ops::Range;

use super::reply_words::{Around, MAX_AROUND, ReplyWords};
use super::turn_words::TurnWords;
use super::word_tree::Rate;
use crate::cross_set::CrossSets;
use crate::layout::{Direction, MAX_SIDE};
use crate::movegen::{ChangedLane, Extent, LaneStates};
use crate::tileset::Tile;
use crate::turn::Turn;

/// The scores in question, in points.
const LEVELS: [f32; 6] = [20.0, 30.0, 40.0, 50.0, 65.0, 80.0];
/// The scores of the words of an extent spread evenly over this many points around their mean.
const SPREAD: f32 = 16.0;
/// Added to rates before their logarithm is taken: fewer words than this are hardly worth telling apart.
const FEW: f32 = 0.05;

/// For each level the expected number of words that score at least as much.
pub(in crate::features) type Rates = [f32; LEVELS.len()];

/// The replies to the plays of one turn.
#[derive(Debug)]
pub(super) struct Replies<'a> {
    turn: &'a Turn<'a>,
    words: TurnWords<'a>,
    /// By the number of a state of a lane, its rates where they are known.
    known: Vec<Option<Rates>>,
    /// The rates of all lanes before the play, once they are known.
    total: Option<Rates>,
}

impl<'a> Replies<'a> {
    pub(super) fn new(turn: &'a Turn<'a>, words: &'a ReplyWords) -> Replies<'a> {
        Replies { turn, words: TurnWords::new(turn, words), known: Vec::new(), total: None }
    }

    /// The change of ln Λ for each level, after a play that changes these lanes. The cross sets are those after the play.
    pub(super) fn changes(&mut self, changed: &[ChangedLane], states: &mut LaneStates<'_>, cross_sets: &CrossSets) -> Rates {
        let before = self.total(states);
        let mut after = before;
        for &ChangedLane { lane, state } in changed {
            let was = self.before(lane, states);
            let is = self.of_state(lane, state, states, cross_sets);
            after.iter_mut().zip(was.iter().zip(is)).for_each(|(rate, (was, is))| *rate += is - was);
        }
        std::array::from_fn(|level| ((after[level].max(0.0) + FEW) / (before[level].max(0.0) + FEW)).ln())
    }

    /// ln Λ before the play for each level. A little is added to Λ.
    pub(super) fn logarithms(&mut self, states: &mut LaneStates<'_>) -> Rates {
        self.total(states).map(|rate| (rate.max(0.0) + FEW).ln())
    }

    fn total(&mut self, states: &mut LaneStates<'_>) -> Rates {
        if let Some(total) = self.total {
            return total;
        }
        let mut total = Rates::default();
        for lane in states.lanes() {
            let rates = self.before(lane, states);
            total.iter_mut().zip(rates).for_each(|(sum, rate)| *sum += rate);
        }
        *self.total.insert(total)
    }

    /// The rates of a lane before the play.
    fn before(&mut self, lane: (Direction, usize), states: &mut LaneStates<'_>) -> Rates {
        self.of_state(lane, states.before(lane), states, self.turn.cross_sets)
    }

    /// The rates of a lane in its state on a board with these cross sets.
    fn of_state(
        &mut self,
        lane: (Direction, usize),
        state: usize,
        states: &mut LaneStates<'_>,
        cross_sets: &CrossSets,
    ) -> Rates {
        if self.known.len() <= state {
            self.known.resize(state + 1, None);
        }
        *self.known[state].get_or_insert_with(|| rates(&self.words, lane, states.state(state), cross_sets))
    }
}

fn rates(
    words: &TurnWords<'_>,
    (direction, index): (Direction, usize),
    (extents, cells): (&[Extent], &[Option<Tile>]),
    cross_sets: &CrossSets,
) -> Rates {
    let crosses = cross_sets.lane(direction, index);
    let runs = Runs::new(cells);
    let mut rates = Rates::default();
    for extent in extents {
        let (start, length, tiles) = (usize::from(extent.start), extent.length(), usize::from(extent.tiles));
        // Those beyond its tiles are 0.
        let multiplied: i32 = extent.multipliers.iter().map(|&times| i32::from(times)).sum();
        let score = |tile_value: f32| extent.base as f32 + multiplied as f32 * tile_value;
        if score(words.most_tile_value) < LEVELS[0] - SPREAD / 2.0 {
            continue;
        }
        let rate = if tiles == 1 {
            let square = (start..start + length).find(|&square| cells[square].is_none()).unwrap_or(start);
            // For plays across the lane, the cross set has the letters that make a word along it.
            let along = cross_sets.lane(direction.other(), square)[index].letters;
            words.as_tables_say(words.held(along & crosses[square].letters))
        } else {
            let mut rate = runs.rate(words, start..start + length, tiles);
            let mut joined = extent.joined;
            while joined != 0 {
                let square = joined.trailing_zeros() as usize;
                rate.words *= words.fit(length, square - start, crosses[square].letters);
                joined &= joined - 1;
            }
            rate
        };
        let score = score(rate.tile_value);
        for (sum, level) in rates.iter_mut().zip(LEVELS) {
            *sum += rate.words * ((score - level) / SPREAD + 0.5).clamp(0.0, 1.0);
        }
    }
    rates
}

/// The tiles of a lane, run by run.
struct Runs {
    letters: [u8; MAX_SIDE],
    /// The squares of each run, and the words around it once they were needed.
    squares: Vec<(Range<usize>, OnceCell<Option<Around>>)>,
    /// By square: the number of runs that end before it.
    before: [u8; MAX_SIDE + 1],
}

impl Runs {
    fn new(cells: &[Option<Tile>]) -> Runs {
        let mut runs = Runs { letters: [0; MAX_SIDE], squares: Vec::with_capacity(8), before: [0; MAX_SIDE + 1] };
        let mut begin = 0;
        for end in 0..=cells.len() {
            runs.before[end] = runs.squares.len() as u8;
            if let Some(Some(tile)) = cells.get(end) {
                runs.letters[end] = tile.letter();
                continue;
            }
            if begin < end {
                runs.squares.push((begin..end, OnceCell::new()));
                runs.before[end] += 1;
            }
            begin = end + 1;
        }
        runs
    }

    /// The words of a random rack on an extent of these squares, `tiles` of them empty.
    fn rate(&self, words: &TurnWords<'_>, squares: Range<usize>, tiles: usize) -> Rate {
        let inside = &self.squares[usize::from(self.before[squares.start])..usize::from(self.before[squares.end])];
        match inside {
            [] => words.alone(tiles),
            [(run, around)] => {
                let before = run.start - squares.start;
                if run.len() == 1 {
                    return words.through_one(tiles, before, self.letters[run.start]);
                }
                if tiles > MAX_AROUND {
                    return Rate::default();
                }
                match around.get_or_init(|| words.around(&self.letters[run.clone()])) {
                    Some(around) => words.as_tables_say(around.rate(before, tiles - before)),
                    None => Rate::default(),
                }
            }
            [(first, _), (second, _), ..] => {
                let ends = [self.letters[first.end - 1], self.letters[second.start]];
                let others = squares.len() - tiles - 2;
                words.through_two(tiles, first.start - squares.start, second.start - first.end, ends, others)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::draws::Draws;
    use super::super::turn_words::are_few;
    use super::*;
    use crate::features::test_support::{WORDS, english, no_leaves, positions, small};
    use crate::layout::Square;
    use crate::movegen::Generator;
    use crate::moves::Move;
    use crate::setup::Setup;
    use crate::tileset::TileSet;

    /// On extents whose tiles touch each other or are two apart, the rate is the sum over all words that fit them; with few unseen
    /// tiles, not on those whose tiles are apart.
    #[test]
    fn the_rate_of_an_extent_is_a_sum_over_the_words_that_fit() {
        let setup = small(WORDS);
        let words = ReplyWords::new(&setup);
        let mut found = Vec::new();
        setup.lexicon.graph.for_each_word(|word| found.push(word.to_vec()));
        let mut kinds = [[0; 4]; 2];
        for game in positions(&setup, 5, 30) {
            let turn = game.turn(&setup);
            let (turn_words, is_few) = (TurnWords::new(&turn, &words), are_few(&turn));
            let mut counts = setup.tileset.counts();
            if is_few {
                counts.fill(0);
                turn.unseen.kinds().for_each(|(kind, count)| counts[usize::from(kind)] = count);
            }
            let draws = Draws::new(&counts, setup.tileset.rules().rack_size);
            let mut states = LaneStates::new(&setup, turn.board, turn.cross_sets, false);
            for lane in states.lanes() {
                let (extents, cells) = states.state(states.before(lane));
                let runs = Runs::new(cells);
                for extent in extents {
                    let squares = usize::from(extent.start)..usize::from(extent.end) + 1;
                    let letters: Vec<Option<u8>> =
                        cells[squares.clone()].iter().map(|cell| cell.map(Tile::letter)).collect();
                    let parts = letters.split(Option::is_none).filter(|part| !part.is_empty()).count();
                    let through = letters.iter().flatten().count();
                    let tiles = usize::from(extent.tiles);
                    let is_exact = match parts {
                        0 => true,
                        1 => through == 1 || tiles <= 3,
                        _ => parts == 2 && through == 2 && !is_few,
                    };
                    if !is_exact {
                        continue;
                    }
                    kinds[usize::from(is_few)][parts + usize::from(parts == 1 && through > 1) * 2] += 1;
                    let fits = |word: &&Vec<u8>| {
                        word.len() == letters.len()
                            && word.iter().zip(&letters).all(|(letter, fixed)| fixed.is_none_or(|fixed| fixed == *letter))
                    };
                    let laid = |word: &Vec<u8>| -> Vec<u8> {
                        let open = word.iter().zip(&letters).filter(|(_, fixed)| fixed.is_none());
                        open.map(|(&letter, _)| letter).collect()
                    };
                    let wanted: f32 = found.iter().filter(fits).map(|word| draws.chance([&laid(word), &[], &[]])).sum();
                    let rate = runs.rate(&turn_words, squares, tiles).words;
                    assert!((rate - wanted).abs() < 1e-4 * wanted.max(1e-3), "{rate} {wanted} {letters:?}");
                }
            }
        }
        assert!(kinds[0].iter().all(|&count| count > 20) && [0, 1, 3].iter().all(|&kind| kinds[1][kind] > 20), "{kinds:?}");
    }

    /// The change over the lanes of a play is the change over the whole board.
    #[test]
    fn the_changed_lanes_tell_the_change_of_the_board() {
        let spanish = Setup::from_words(TileSet::embedded("spanish").unwrap(), "CASA\nSACO\nOCA\nCAL[LL]E\nES\nSE\n");
        let polish =
            Setup::from_words(TileSet::embedded("polish").unwrap(), "KOT\nKOTA\nOKO\nTAK\nŁAD\nAKT\nTO\nKĄT\nOKA\n");
        for (setup, games) in [(english(), 2), (small(WORDS), 6), (spanish.unwrap(), 2), (polish.unwrap(), 2)] {
            let words = ReplyWords::new(&setup);
            let mut generator = Generator::new(&setup);
            let mut compared = 0;
            for game in positions(&setup, 5, games) {
                let turn = game.turn(&setup);
                let mut replies = Replies::new(&turn, &words);
                let mut states = LaneStates::new(&setup, turn.board, turn.cross_sets, false);
                for valued in generator.top_moves(&turn, &no_leaves(game.rack()), 6) {
                    let Move::Play(play) = valued.chosen else { continue };
                    let (mut board, mut crosses) = (game.board().clone(), game.cross_sets().clone());
                    let placed: Vec<(Square, _)> = play.placements(game.board()).collect();
                    for &(square, tile) in &placed {
                        board.set(square, Some(tile));
                    }
                    let squares: Vec<Square> = placed.iter().map(|&(square, _)| square).collect();
                    let lanes = crosses.update(&setup, play.direction, &squares, &board).lanes(board.side());
                    let changed = |lane| ChangedLane { lane, state: states.number(lane, &board, &crosses) };
                    let changed: Vec<ChangedLane> = lanes.map(changed).collect();
                    let found = replies.changes(&changed, &mut states, &crosses);
                    let after = Turn { board: &board, cross_sets: &crosses, ..turn };
                    let [before, after] = [&turn, &after].map(|turn| {
                        let mut states = LaneStates::new(&setup, turn.board, turn.cross_sets, true);
                        Replies::new(turn, &words).total(&mut states)
                    });
                    for (level, found) in found.into_iter().enumerate() {
                        let wanted = ((after[level] + FEW) / (before[level] + FEW)).ln();
                        assert!((found - wanted).abs() < 2e-3, "{level} {found} {wanted} {play:?}");
                    }
                    compared += 1;
                }
            }
            assert!(compared > 20, "{compared}");
        }
    }
}
