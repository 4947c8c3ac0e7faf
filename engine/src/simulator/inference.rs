//! Inference of the opponent's leave from its last play.
//!
//! The actual play is more likely with leaves that make it a good play. Leaves are drawn at random from the unseen tiles. The
//! weight of a leave is exp(−gap / 5 points), where the gap is the equity by which the actual play falls short of the best play of
//! a static player with the played tiles and that leave. The rest of the opponent's rack was drawn afterwards, at random from the
//! unseen tiles. After an exchange or a pass, or with an empty bag, nothing is inferred.

use rand::RngExt;

use crate::bag::Bag;
use crate::cross_set::CrossSets;
use crate::equity::Equity;
use crate::game::{Game, LastPlay};
use crate::movegen::Generator;
use crate::rack::Rack;
use crate::rng::{Stream, stream};
use crate::setup::Setup;
use crate::static_player::StaticPlayer;
use crate::tileset::Tile;
use crate::turn::Turn;

/// The number of leaves that are drawn.
const SAMPLES: u64 = 400;
/// The weight of a leave with which the actual play is the best play.
const FULL_WEIGHT: u64 = 1_000_000;
/// The gap at which the weight falls to 1/e, in thousandths of a point.
const GAP: f64 = 5000.0;

/// Possible leaves of the opponent with their weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Leaves {
    /// Each leave with the sum of the weights up to and including its own.
    cumulative: Vec<(u64, Rack)>,
}

impl Leaves {
    /// Weighs leaves with which `policy` might have made the opponent's last play.
    pub(super) fn inferred(setup: &Setup, policy: &StaticPlayer, game: &Game, last: &LastPlay, seed: u64) -> Leaves {
        let unseen = game.unseen();
        let drawn = last.play.tiles.len();
        let size = game.racks[1 - game.to_move].size().saturating_sub(drawn);
        if game.bag.is_empty() || size == 0 {
            return Leaves::default();
        }
        let mut turn = PreviousTurn::new(setup, policy, game, last);
        let mut leaves = Leaves::default();
        let mut sum = 0;
        for index in 0..SAMPLES {
            let mut leave = Rack::default();
            let kinds = unseen.tiles().map(Tile::kind).collect();
            Bag::shuffled(kinds, stream(seed, "inference", index)).refill(&mut leave, size, 0);
            let weight = turn.weight(&leave);
            if weight > 0 {
                sum += weight;
                leaves.cumulative.push((sum, leave));
            }
        }
        leaves
    }

    /// Draws a leave by weight; `None` if nothing was inferred.
    pub(super) fn draw(&self, stream: &mut Stream) -> Option<&Rack> {
        let (sum, _) = self.cumulative.last()?;
        let place = stream.random_range(0..*sum);
        self.cumulative.get(self.cumulative.partition_point(|&(below, _)| below <= place)).map(|(_, leave)| leave)
    }
}

/// The opponent's last turn, with any leave.
struct PreviousTurn<'a> {
    policy: &'a StaticPlayer,
    generator: Generator<'a>,
    last: &'a LastPlay,
    cross_sets: CrossSets,
    /// The tiles that are not on the board before the play.
    unplayed: Rack,
    bag: usize,
    /// The opponent's spread before the play, in points.
    spread: i32,
}

impl<'a> PreviousTurn<'a> {
    fn new(setup: &'a Setup, policy: &'a StaticPlayer, game: &Game, last: &'a LastPlay) -> PreviousTurn<'a> {
        let mut unplayed = game.unseen();
        game.rack().tiles().chain(last.play.tiles.iter().copied()).for_each(|tile| unplayed.add(tile.kind()));
        PreviousTurn {
            policy,
            generator: Generator::new(setup),
            last,
            cross_sets: CrossSets::from_board(setup, &last.board),
            unplayed,
            bag: game.bag.len() + last.play.tiles.len(),
            spread: -game.spread() - last.play.score,
        }
    }

    /// The weight of a leave.
    fn weight(&mut self, leave: &Rack) -> u64 {
        let play = &self.last.play;
        let mut rack = *leave;
        play.tiles.iter().for_each(|tile| rack.add(tile.kind()));
        let Some(unseen) = self.unplayed.minus(&rack) else { return 0 };
        let turn = Turn {
            setup: self.generator.setup(),
            board: &self.last.board,
            cross_sets: &self.cross_sets,
            rack,
            unseen,
            bag: self.bag,
            spread: self.spread,
        };
        let leaves = self.policy.leave_values(&turn);
        let best = self.generator.best_move(&turn, &leaves).equity;
        let Some(kept) = (0..leaves.sub_racks.len()).find(|&number| leaves.sub_racks.get(number) == *leave) else {
            return 0;
        };
        let gap = best - Equity::from_points(play.score) - leaves.values[kept];
        (FULL_WEIGHT as f64 * (-f64::from(gap.0.max(0)) / GAP).exp()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deals::Purpose;
    use crate::simulator::tests::{player, setup};

    #[test]
    fn what_was_kept_weighs_in_full_and_little_else_does() {
        let (setup, player) = (setup(), player());
        let mut generator = Generator::new(&setup);
        let mut game = Game::deal(&setup, Purpose::Match.deals(6), 0);
        let (mut inferred, mut share) = (0, 0.0);
        while !game.is_over() {
            if let Some(last) = game.last_play().filter(|_| !game.bag.is_empty()) {
                let mut turn = PreviousTurn::new(&setup, &player, &game, &last);
                // The opponent's rack is its leave plus its last draw.
                let mut before = game.clone();
                before.shuffle_unseen(stream(1, "test", 0));
                let leaves = Leaves::inferred(&setup, &player, &before, &last, 1);
                assert_eq!(leaves, Leaves::inferred(&setup, &player, &game, &last, 1));
                if let Some((sum, leave)) = leaves.cumulative.last() {
                    assert!(game.unseen().contains(leave));
                    share += *sum as f64 / (SAMPLES * FULL_WEIGHT) as f64;
                    inferred += 1;
                    let drawn = leaves.draw(&mut stream(2, "test", 0)).unwrap();
                    assert!(turn.weight(drawn) > 0);
                }
            }
            let mover = game.to_move;
            let rack = game.racks[mover];
            let chosen = player.choose(&mut generator, &game.turn(&setup)).chosen;
            game.make(&setup, &chosen);
            if let Some(last) = game.last_play().filter(|_| !game.bag.is_empty()) {
                let kept = rack.minus(&Rack::from_tiles(chosen.tiles())).unwrap();
                assert_eq!(last.play.tiles[..], chosen.tiles()[..]);
                assert_eq!(PreviousTurn::new(&setup, &player, &game, &last).weight(&kept), FULL_WEIGHT);
            }
        }
        assert!(inferred > 5 && share < 0.5 * f64::from(inferred), "{inferred} {share}");
    }
}
