//! The luck of the draw: the value of the tiles that each player drew, less the expected value from the bag.
//!
//! When a player draws k tiles, nobody knows their order in the bag. So each tile has the mean value of the bag in expectation,
//! whatever was played before. The luck of a draw is
//!
//! ```text
//! Σ value of the tiles drawn − k × mean value of the tiles in the bag before the draw
//! ```
//!
//! so its expectation is exactly zero, and so is that of the sum over a game. This holds for any tile values; good values explain
//! more of the result ([`super::control_variate`]). A draw after the sixth scoreless turn, which ends the game, is left out.

use crate::artefact::{Lexicons, Loader};
use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::game::Game;
use crate::leave::embedded::embedded;
use crate::moves::Move;
use crate::player::Player;
use crate::rack::Rack;
use crate::setup::Setup;
use crate::static_player::StaticPlayer;
use crate::tileset::Tile;
use crate::turn::Turn;

/// Units per thousandth of a point to which a draw's luck is rounded, so that the rounding of a game stays far below a thousandth.
const PARTS: i64 = 1000;

/// The value of a tile on the rack by kind, in thousandths of a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileValues(Vec<i64>);

impl TileValues {
    /// The values for a match between these players: of single tiles in the embedded leave table where it is for these tiles,
    /// whatever the words; else in the table of the first player that values leaves. Where there is none a blank is worth half
    /// the bonus for a full rack, which is rough but true of every language, and other tiles nothing.
    pub fn for_match(setup: &Setup, players: &[&Player]) -> TileValues {
        let singles = || (0u8..).zip(setup.tileset.kinds()).map(|(kind, _)| Rack::from_kinds(&[kind]));
        if let Ok((table, _)) = embedded(Loader::new(setup).with_lexicons(Lexicons::Any)) {
            return TileValues(singles().map(|tile| table.get(&tile).map_or(0, |value| i64::from(value.0))).collect());
        }
        let from_ranker =
            |ranker: &StaticPlayer| TileValues(singles().map(|tile| value_alone(setup, ranker, &tile)).collect::<Vec<_>>());
        // A player that values no leaves gives the same for every tile.
        let tells = |values: &TileValues| values.0.iter().any(|&value| value != values.0[0]);
        let rankers = players.iter().filter_map(|player| player.ranker());
        rankers.map(from_ranker).find(tells).unwrap_or_else(|| TileValues::from_blanks(setup))
    }

    fn from_blanks(setup: &Setup) -> TileValues {
        let blank = i64::from(setup.tileset.rules().bingo_bonus) * 1000 / 2;
        let kinds = 0..setup.tileset.kinds().len() as u8;
        TileValues(kinds.map(|kind| if Tile::letter_tile(kind).is_blank() { blank } else { 0 }).collect())
    }

    fn rack_value(&self, rack: &Rack) -> i64 {
        rack.kinds().map(|(kind, count)| i64::from(count) * self.0[usize::from(kind)]).sum()
    }

    fn tiles_value(&self, tiles: &[Tile]) -> i64 {
        tiles.iter().map(|tile| self.0[usize::from(tile.kind())]).sum()
    }
}

/// The value of this tile as a leave at the start of a game, in thousandths of a point.
fn value_alone(setup: &Setup, ranker: &StaticPlayer, tile: &Rack) -> i64 {
    let unseen = Rack::from_counts(&setup.tileset.counts()).minus(tile).unwrap_or_default();
    let bag = unseen.size().saturating_sub(2 * setup.tileset.rules().rack_size);
    let (board, cross_sets) = (Board::new(setup.layout.side()), CrossSets::new(setup.layout.side(), &setup.tileset));
    let turn = Turn { setup, board: &board, cross_sets: &cross_sets, rack: *tile, unseen, bag, spread: 0 };
    i64::from(ranker.leave_values(&turn).values[1].0)
}

/// The luck of a game in progress.
pub(super) struct DrawLuck<'a> {
    values: &'a TileValues,
    /// Tiles in the bag before the next draw, and their value.
    bag: (i64, i64),
    /// What each player kept of its rack: tiles and their value.
    kept: [(i64, i64); 2],
    /// What goes back into the bag after the next draw.
    given_back: (i64, i64),
    /// Of each player, in parts of a thousandth of a point.
    luck: [i64; 2],
    begun: bool,
}

impl<'a> DrawLuck<'a> {
    /// Creates the tally of a game before its first turn.
    pub(super) fn new(setup: &Setup, values: &'a TileValues) -> DrawLuck<'a> {
        let all = Rack::from_counts(&setup.tileset.counts());
        let bag = (all.size() as i64, values.rack_value(&all));
        DrawLuck { values, bag, kept: [(0, 0); 2], given_back: (0, 0), luck: [0; 2], begun: false }
    }

    /// Counts a turn; called before its move is made.
    pub(super) fn see(&mut self, game: &Game, chosen: &Move) {
        if !self.begun {
            self.begun = true;
            self.drew(0, &game.racks[0]);
        }
        let last = 1 - game.to_move;
        self.drew(last, &game.racks[last]);
        let (player, tiles) = (game.to_move, chosen.tiles());
        let laid = (tiles.len() as i64, self.values.tiles_value(tiles));
        let rack = game.rack();
        self.kept[player] = (rack.size() as i64 - laid.0, self.values.rack_value(rack) - laid.1);
        self.given_back = if matches!(chosen, Move::Exchange(_)) { laid } else { (0, 0) };
    }

    /// A player's rack after its draw.
    fn drew(&mut self, player: usize, rack: &Rack) {
        let tiles = rack.size() as i64 - self.kept[player].0;
        if tiles > 0 {
            let value = self.values.rack_value(rack) - self.kept[player].1;
            let (bag, bag_value) = self.bag;
            self.luck[player] += PARTS * value - nearest(PARTS * bag_value * tiles, bag);
            self.bag = (bag - tiles, bag_value - value);
        }
        self.bag = (self.bag.0 + self.given_back.0, self.bag.1 + self.given_back.1);
        self.given_back = (0, 0);
    }

    /// The luck of player 0 less that of player 1, in thousandths of a point.
    pub(super) fn first_minus_second(&self) -> i64 {
        nearest(self.luck[0] - self.luck[1], PARTS)
    }
}

/// A quotient rounded to the nearest whole number, halves away from zero so that the two players' views mirror each other.
fn nearest(dividend: i64, divisor: i64) -> i64 {
    dividend.signum() * ((2 * dividend.abs() + divisor) / (2 * divisor))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::deals::Purpose;
    use crate::equity::Equity;
    use crate::evaluator::Leave;
    use crate::leave::LeaveTable;
    use crate::movegen::Generator;
    use crate::selfplay::play_game;
    use crate::static_player::StaticPlayer;
    use crate::tileset::TileSet;

    #[test]
    fn first_racks_are_luck_against_what_the_bag_held() {
        let setup = Setup::embedded("english").unwrap();
        let greedy = Player::from_name("greedy", Loader::new(&setup)).unwrap();
        let values = TileValues::from_blanks(&setup);
        let mut blanks = Vec::new();
        let mut luck = DrawLuck::new(&setup, &values);
        play_game(&mut Generator::new(&setup), [&greedy; 2], Purpose::Match.deals(1), 0, |seen| {
            if seen.number == 0 {
                luck.see(seen.game, &seen.chosen.chosen);
                blanks = seen.game.racks.iter().map(|rack| f64::from(rack.count(0))).collect();
            }
        });
        // Two blanks of 25 points among 100 tiles, then what is left of them among 93.
        let first = 25.0 * blanks[0] - 7.0 * 50.0 / 100.0;
        let second = 25.0 * blanks[1] - 7.0 * (50.0 - 25.0 * blanks[0]) / 93.0;
        assert!((luck.first_minus_second() as f64 / 1000.0 - (first - second)).abs() < 0.001);
    }

    #[test]
    fn luck_is_nothing_on_average_whoever_plays() {
        let setup = Setup::embedded("english").unwrap();
        let [greedy, leave] = ["greedy", "leave"].map(|name| Player::from_name(name, Loader::new(&setup)).unwrap());
        let values = TileValues::for_match(&setup, &[&greedy]);
        assert!(values.0[0] > 20_000 && values.0[19] > 5_000, "a blank and an S: {values:?}");
        let mut generator = Generator::new(&setup);
        let (games, mut sum, mut squares) = (1500, 0.0, 0.0);
        for index in 0..games {
            let mut luck = DrawLuck::new(&setup, &values);
            play_game(&mut generator, [&greedy, &leave], Purpose::Match.deals(8), index, |seen| {
                luck.see(seen.game, &seen.chosen.chosen);
            });
            let luck = luck.first_minus_second() as f64 / 1000.0;
            (sum, squares) = (sum + luck, squares + luck * luck);
        }
        let (mean, deviation) = (sum / games as f64, (squares / games as f64).sqrt());
        assert!(deviation > 10.0, "{deviation}");
        assert!(mean.abs() < 3.0 * deviation / (games as f64).sqrt(), "{mean} of {deviation}");
    }

    #[test]
    fn without_a_table_for_the_tiles_a_player_values_them_or_blanks_alone_count() {
        let setup = Setup::from_words(TileSet::embedded("german").unwrap(), "AN\nNA\n").unwrap();
        let greedy = Player::from_name("greedy", Loader::new(&setup)).unwrap();
        let blanks = TileValues::for_match(&setup, &[&greedy; 2]);
        assert_eq!((blanks.0[0], blanks.0[1..].iter().sum::<i64>()), (25_000, 0));
        let mut table = LeaveTable::zero(&setup.tileset);
        let number = table.ranking().rank(&Rack::from_kinds(&[3]));
        table.set(number, Equity::from_points(4));
        let leave = Player::from_static("leave", StaticPlayer::new(Leave::new(Arc::new(table))));
        let told = TileValues::for_match(&setup, &[&greedy, &leave]);
        assert_eq!((told.0[3], told.0.iter().sum::<i64>()), (4000, 4000));
    }

    #[test]
    fn quotients_are_rounded_alike_on_both_sides_of_zero() {
        let rounded = [-5, -3, -2, 2, 3, 5].map(|dividend| nearest(dividend, 2));
        assert_eq!(rounded, [-3, -2, -1, 1, 2, 3]);
        assert_eq!([nearest(1, 3), nearest(-1, 3), nearest(2, 3), nearest(0, 7)], [0, 0, 1, 0]);
    }

    #[test]
    fn exchanged_tiles_go_back_into_the_bag() {
        let setup = Setup::embedded("english").unwrap();
        let values = TileValues((0..27).map(|kind| 10 * kind + 1).collect());
        let mut game = Game::deal(&setup, Purpose::Match.deals(1), 0);
        let mut luck = DrawLuck::new(&setup, &values);
        let exchange = Move::Exchange(game.racks[0].tiles().take(4).collect());
        luck.see(&game, &exchange);
        game.make(&setup, &exchange);
        luck.see(&game, &Move::Pass);
        let held: i64 = game.racks.iter().map(|rack| values.rack_value(rack)).sum();
        let all = values.rack_value(&Rack::from_counts(&setup.tileset.counts()));
        assert_eq!(luck.bag, (game.bag.len() as i64, all - held));
    }
}
