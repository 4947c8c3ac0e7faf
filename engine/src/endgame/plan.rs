//! The static plan: the value of the endgame if the plays on this board stay available and no others appear.
//!
//! It follows the plans of Maven (Sheppard 2002, section 8.2): dynamic programming over the tiles that the players have
//! left. Maven computes the best sums of N turns for each player separately. Here both players move in turn, because two
//! racks have few enough sub-racks. The plan ignores that plays block each other or open squares for others.
//!
//! A move of the search with its estimate.

use super::MAX_VALUE;
use super::lists::ListedPlay;
use super::sub_racks::SubRackTable;
use crate::moves::{Move, Play};

/// No play.
const NONE: i16 = i16::MIN / 4;

/// The value of the rest of the game for the player to move, in points, for each pair of sub-racks that the players may
/// hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// The values with player 0 and with player 1 to move, by the sub-rack of player 0, then of player 1.
    values: [Vec<i16>; 2],
    others: usize,
}

/// The best score of the plays of each sub-rack.
pub(super) struct BestScores {
    scores: Vec<i16>,
}

impl BestScores {
    pub(super) fn new(sub_racks: &SubRackTable) -> BestScores {
        BestScores { scores: vec![NONE; sub_racks.len()] }
    }

    #[inline]
    pub(super) fn add(&mut self, sub_rack: u8, score: i32) {
        let best = &mut self.scores[sub_rack as usize];
        *best = (*best).max(score.clamp(0, i32::from(i16::MAX / 4)) as i16);
    }

    /// Returns the plays whose tiles a sub-rack contains, as (sub-rack laid, score).
    fn plays_within(&self, sub_racks: &SubRackTable, sub_rack: usize) -> Vec<(usize, i16)> {
        let held = sub_racks.mask(sub_rack as u8);
        let plays = self.scores[..=sub_rack].iter().enumerate();
        let plays = plays.filter(|&(laid, &score)| score != NONE && sub_racks.mask(laid as u8) & !held == 0);
        plays.map(|(laid, &score)| (laid, score)).collect()
    }
}

impl Plan {
    pub(super) fn new(sub_racks: [&SubRackTable; 2], scores: &[BestScores; 2]) -> Plan {
        let [own, other] = sub_racks;
        let others = other.len();
        let cells = own.len() * others;
        let mut plan = Plan { values: [vec![0; cells], vec![0; cells]], others };
        let replies: Vec<_> = (0..others).map(|sub_rack| scores[1].plays_within(other, sub_rack)).collect();
        for sub_rack in 1..own.len() {
            let plays = scores[0].plays_within(own, sub_rack);
            for (reply_rack, replies) in (0..).zip(&replies).skip(1) {
                plan.fill(sub_racks, (sub_rack, &plays), (reply_rack, replies));
            }
        }
        plan
    }

    fn fill(&mut self, sub_racks: [&SubRackTable; 2], first: (usize, &[(usize, i16)]), second: (usize, &[(usize, i16)])) {
        let ((mine, my_plays), (theirs, their_plays)) = (first, second);
        let points = [sub_racks[0].points(mine as u8) as i16, sub_racks[1].points(theirs as u8) as i16];
        let [ones, twos] = &self.values;
        let mut best = [NONE; 2];
        let row = mine * self.others;
        for &(laid, score) in my_plays {
            let rest = if laid == mine { -2 * points[1] } else { twos[row - laid * self.others + theirs] };
            best[0] = best[0].max(score - rest);
        }
        for &(laid, score) in their_plays {
            let rest = if laid == theirs { -2 * points[0] } else { ones[row + theirs - laid] };
            best[1] = best[1].max(score - rest);
        }
        // After a pass the opponent plays or passes too. Two passes count as the end of the game.
        let ends = points[1] - points[0];
        self.values[0][row + theirs] = best[0].max(ends.min(-best[1]));
        self.values[1][row + theirs] = best[1].max((-ends).min(-best[0]));
    }

    /// Returns the value of the rest of the game for player `to_move` if the players hold these sub-racks.
    #[inline]
    pub(super) fn value(&self, to_move: usize, sub_racks: [u8; 2]) -> i32 {
        i32::from(self.values[to_move][sub_racks[0] as usize * self.others + sub_racks[1] as usize])
    }
}

/// The margin beyond which a move is not more promising, in points.
const AMPLE_MARGIN: i32 = 40;
/// The margin that one more tile laid is worth, in points.
const POINTS_PER_TILE: i32 = 5;
/// The mark of a pass. The marks of plays are odd.
const PASS_MARK: u32 = 2;

#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// The play, or `None` for a pass.
    pub listed: Option<ListedPlay>,
    /// The estimate of its value by the static plan, in points.
    pub estimate: i32,
    /// Whether the move ends the game, so that the estimate is exact.
    pub ends: bool,
}

impl Candidate {
    /// Creates the candidate of a play. The players hold `held`, and the tiles of the opponent are worth `other_points`.
    pub(super) fn from_play(
        plan: &Plan,
        to_move: usize,
        held: [u8; 2],
        other_points: i32,
        listed: &ListedPlay,
    ) -> Candidate {
        let mut left = held;
        left[to_move] -= listed.sub_rack;
        let ends = left[to_move] == 0;
        let rest = if ends { 2 * other_points } else { -plan.value(1 - to_move, left) };
        Candidate { listed: Some(*listed), estimate: listed.play.score + rest, ends }
    }

    pub(super) fn score(&self) -> i32 {
        self.listed.map_or(0, |listed| listed.play.score)
    }

    pub(super) fn mark(&self) -> u32 {
        self.listed.map_or(PASS_MARK, |listed| listed.mark)
    }

    /// Returns a key that puts the most promising move first in a search for a value of at least `beta`: of the moves whose
    /// estimate suffices, the one with the smallest subtree, which usually is the play of most tiles.
    pub(super) fn promise(&self, beta: i32) -> (i32, i32) {
        let margin = self.estimate - beta;
        let tiles = self.listed.map_or(0, |listed| listed.mask.count_ones() as i32);
        let promise = if margin < 0 { margin - MAX_VALUE } else { margin.min(AMPLE_MARGIN) + POINTS_PER_TILE * tiles };
        (promise, margin)
    }

    pub(super) fn as_move(&self) -> Move {
        self.play().map_or(Move::Pass, Move::Play)
    }

    pub(super) fn play(&self) -> Option<Play> {
        self.listed.map(|listed| listed.play)
    }
}
