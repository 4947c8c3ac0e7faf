//! Bounds that hold for any endgame, however little of it was searched.

use super::MAX_VALUE;
use super::position::Position;
use crate::layout::{Direction, Square};

impl Position<'_> {
    /// Returns for each player an upper bound of what the rest of the game can gain: all scores, and twice the tiles of the
    /// opponent. It holds whatever both players lay.
    ///
    /// No word scores more than all tiles of its lane and all tiles of both racks on its best premiums. A play of `n` tiles makes
    /// at most `n + 1` words, so `n` tiles make at most `2n` words in all their plays.
    pub(super) fn max_gains(&self) -> [i32; 2] {
        let side = self.board.side();
        let racks = self.points(0) + self.points(1);
        let lanes = Direction::BOTH.into_iter().flat_map(|direction| (0..side).map(move |lane| (direction, lane)));
        let word = lanes.map(|(direction, lane)| self.max_word(direction, lane, racks)).max().unwrap_or_default();
        [0, 1].map(|player| {
            let tiles = self.sub_racks[player].mask(self.held()[player]).count_ones() as i32;
            let bonuses = self.setup.tileset.rules().bingo_bonus * tiles;
            (2 * tiles).saturating_mul(word).saturating_add(bonuses + 2 * self.points(1 - player)).min(MAX_VALUE)
        })
    }

    /// Returns an upper bound of the score of a word in a lane, with tiles from racks that are worth `racks` points.
    fn max_word(&self, direction: Direction, lane: usize, racks: i32) -> i32 {
        let cells = self.board.lane(direction, lane);
        let (mut points, mut letter, mut word) = (0, 1, 1i32);
        for (offset, cell) in cells.iter().enumerate() {
            if let Some(tile) = cell {
                points += self.setup.tileset.value(*tile);
            } else {
                let premium = self.setup.layout.premium(Square::in_lane(direction, lane, offset));
                letter = letter.max(i32::from(premium.letter));
                word = word.saturating_mul(i32::from(premium.word));
            }
        }
        (points + letter * racks).saturating_mul(word)
    }
}
