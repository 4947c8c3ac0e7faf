//! The static plan: the value of the endgame if the plays on this board stay available and no others appear.
//!
//! It follows the plans of Maven (Sheppard 2002, section 8.2): dynamic programming over the tiles that the players have
//! left. Maven computes the best sums of N turns for each player separately. Here both players move in turn, because two
//! racks have few enough sub-racks. The plan ignores that plays block each other or open squares for others.

use super::sub_racks::SubRackTable;

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
