//! The static plan: what the endgame comes to if the plays of this board are all there ever will be.
//!
//! After the plans of Maven (Sheppard 2002, 8.2): dynamic programming over what both players have left. There the best sums of N
//! turns are worked out for each player alone; here for both at once, move by move, since the parts of two racks are few
//! enough. What the plan does not see is that plays block each other, and make room for others.

use super::parts::Parts;

/// No play.
const NONE: i16 = i16::MIN / 4;

/// For each pair of parts that the players may be left with, what the rest of the game is worth, in points, to the player to
/// move.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// For player 0 and for player 1 to move; by part of player 0, then of player 1.
    values: [Vec<i16>; 2],
    others: usize,
}

/// The best score of the plays that lay each part; nothing where none does.
pub(super) struct BestScores {
    scores: Vec<i16>,
}

impl BestScores {
    pub(super) fn new(parts: &Parts) -> BestScores {
        BestScores { scores: vec![NONE; parts.len()] }
    }

    /// Takes note of a play.
    #[inline]
    pub(super) fn see(&mut self, part: u8, score: i32) {
        let best = &mut self.scores[part as usize];
        *best = (*best).max(score.clamp(0, i32::from(i16::MAX / 4)) as i16);
    }

    /// (part, score) of the plays that a part allows.
    fn of_part(&self, parts: &Parts, part: usize) -> Vec<(usize, i16)> {
        let held = parts.mask(part as u8);
        let plays = self.scores[..=part].iter().enumerate();
        let plays = plays.filter(|&(laid, &score)| score != NONE && parts.mask(laid as u8) & !held == 0);
        plays.map(|(laid, &score)| (laid, score)).collect()
    }
}

impl Plan {
    /// The plan of two players' plays.
    pub(super) fn new(parts: [&Parts; 2], scores: &[BestScores; 2]) -> Plan {
        let [own, other] = parts;
        let others = other.len();
        let cells = own.len() * others;
        let mut plan = Plan { values: [vec![0; cells], vec![0; cells]], others };
        let replies: Vec<_> = (0..others).map(|part| scores[1].of_part(other, part)).collect();
        for part in 1..own.len() {
            let plays = scores[0].of_part(own, part);
            for (reply_part, replies) in (0..).zip(&replies).skip(1) {
                plan.fill(parts, (part, &plays), (reply_part, replies));
            }
        }
        plan
    }

    fn fill(&mut self, parts: [&Parts; 2], first: (usize, &[(usize, i16)]), second: (usize, &[(usize, i16)])) {
        let ((mine, my_plays), (theirs, their_plays)) = (first, second);
        let points = [parts[0].points(mine as u8) as i16, parts[1].points(theirs as u8) as i16];
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
        // Who passes lets the other play or pass; two passes are taken for the end.
        let ends = points[1] - points[0];
        self.values[0][row + theirs] = best[0].max(ends.min(-best[1]));
        self.values[1][row + theirs] = best[1].max((-ends).min(-best[0]));
    }

    /// What the rest is worth to player `to_move`, when both have so much left.
    #[inline]
    pub(super) fn value(&self, to_move: usize, parts: [u8; 2]) -> i32 {
        i32::from(self.values[to_move][parts[0] as usize * self.others + parts[1] as usize])
    }
}
