//! What the other kept, inferred from what it played.
//!
//! A player who keeps a good leave has a reason to play as it did. Leaves are drawn at random from the unseen tiles, and each is
//! weighed by how near the play that was made comes to the best one of a static player with the played tiles and that leave:
//! by exp(−gap / 5 points). The rest of the other rack was drawn afterwards and is any of the unseen tiles. After an exchange, a
//! pass, or with an empty bag nothing is inferred.

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

/// Leaves that are weighed.
const SAMPLES: u64 = 400;
/// Of a leave with which the play that was made is the best one.
const FULL_WEIGHT: u64 = 1_000_000;
/// A play this much worse than the best is as likely as 1 in e.
const GAP: f64 = 5000.0;

/// Leaves of the other player with their weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Leaves {
    /// Each with its weight and the weights of those before it.
    cumulative: Vec<(u64, Rack)>,
}

impl Leaves {
    /// Those with which `policy` might have played as the other did before the player to move.
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

    /// One of them, each as often as its weight says; `None` if nothing was inferred.
    pub(super) fn draw(&self, stream: &mut Stream) -> Option<&Rack> {
        let (sum, _) = self.cumulative.last()?;
        let place = stream.random_range(0..*sum);
        self.cumulative.get(self.cumulative.partition_point(|&(below, _)| below <= place)).map(|(_, leave)| leave)
    }
}

/// The turn before, of the other player, with any leave.
struct PreviousTurn<'a> {
    policy: &'a StaticPlayer,
    generator: Generator<'a>,
    last: &'a LastPlay,
    cross_sets: CrossSets,
    /// The tiles that are not on the board before the play.
    unplayed: Rack,
    bag: usize,
    /// Points that the other was ahead.
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

    /// How likely the play is with this leave, beside others.
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
        let keeps = self.policy.leave_values(&turn);
        let best = self.generator.best_move(&turn, &keeps).equity;
        let Some(kept) = (0..keeps.numbers.len()).find(|&number| keeps.numbers.get(number) == *leave) else { return 0 };
        let gap = best - Equity::from_points(play.score) - keeps.values[kept];
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
                // Nothing but the last draw was added to the other rack; what it kept is the rest of the rack before.
                let mut before = game.clone();
                before.deal_anew(stream(1, "test", 0));
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
