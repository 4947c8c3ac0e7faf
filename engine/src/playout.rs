//! Playouts: candidates tried on the same random racks, a few plies deep. The inner loop of simulation.

use crate::equity::Equity;
use crate::game::{Game, Undo};
use crate::movegen::{Generator, ValuedMove};
use crate::rng::stream;
use crate::setup::Setup;
use crate::static_player::StaticPlayer;

/// Tries the candidates of one position in turn, round by round.
///
/// A round deals the unseen tiles anew and tries every candidate on that deal: the candidate is made, then so many replies, each
/// the best move of a static player, and everything is taken back. A round is a function of the seed and its number.
pub struct Playouts<'a> {
    setup: &'a Setup,
    player: &'a StaticPlayer,
    game: Game,
    candidates: Vec<ValuedMove>,
    seed: u64,
    /// One for each candidate and ply, so that each finds most lanes as it left them.
    generators: Vec<Vec<Generator<'a>>>,
    undos: Vec<Undo>,
}

impl<'a> Playouts<'a> {
    /// Playouts of the player to move in `game`, which is not over, `plies` replies deep.
    pub fn new(
        setup: &'a Setup,
        player: &'a StaticPlayer,
        game: Game,
        candidates: Vec<ValuedMove>,
        plies: usize,
        seed: u64,
    ) -> Playouts<'a> {
        debug_assert!(!game.is_over(), "there is nothing to play out");
        let generators = candidates.iter().map(|_| vec![Generator::new(setup); plies]).collect();
        Playouts { setup, player, game, candidates, seed, generators, undos: Vec::with_capacity(plies + 1) }
    }

    /// Plays round `index` and tells for each candidate what it came to, from the view of the player to move: by how much the
    /// spread changed, and the value of what that player's last move kept less that of the other's.
    ///
    /// Where a game ends on the way, the final spread alone counts.
    pub fn round(&mut self, index: u64, mut tell: impl FnMut(usize, Equity)) {
        self.game.deal_anew(stream(self.seed, "playout", index));
        for candidate in 0..self.candidates.len() {
            let value = self.playout(candidate);
            tell(candidate, value);
        }
    }

    fn playout(&mut self, candidate: usize) -> Equity {
        let game = &mut self.game;
        let (mover, spread_before) = (game.to_move, game.spread());
        let mut kept = [Equity::ZERO; 2];
        let mut make = |game: &mut Game, valued: ValuedMove| {
            kept[game.to_move] = valued.told_equity() - Equity::from_points(valued.chosen.score());
            self.undos.push(game.make_with_undo(self.setup, &valued.chosen));
        };
        make(game, self.candidates[candidate]);
        for generator in &mut self.generators[candidate] {
            if game.is_over() {
                break;
            }
            let chosen = self.player.choose(generator, &game.position(), &game.unseen());
            make(game, chosen);
        }
        if game.is_over() {
            kept = [Equity::ZERO; 2];
        }
        let spread = game.scores[mover] - game.scores[1 - mover] - spread_before;
        while let Some(undo) = self.undos.pop() {
            game.unmake(&undo);
        }
        Equity::from_points(spread) + kept[mover] - kept[1 - mover]
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::evaluator::Leave;
    use crate::layout::Layout;
    use crate::leave::LeaveTable;
    use crate::lexicon::Lexicon;
    use crate::rack::Rack;
    use crate::tileset::TileSet;

    #[test]
    fn playouts_agree_with_games_played_from_a_copy() {
        let tileset = TileSet::embedded("english").unwrap();
        let lexicon = Lexicon::load("enable2k", &tileset, 15, None).unwrap();
        let setup = Setup::new(tileset, Layout::embedded("standard").unwrap(), lexicon);
        let mut table = LeaveTable::zero(&setup.tileset);
        for index in 1..table.values().len() {
            table.set(index, Equity((index * 7919 % 20_000) as i32 - 10_000));
        }
        let player = StaticPlayer::new(Leave::new(Arc::new(table.clone())));
        let mut generator = Generator::new(&setup);
        let mut game = Game::deal(&setup, 8, 1);
        let (mut compared, mut finished) = (0, 0);
        while !game.is_over() {
            let candidates = player.choose_top(&mut generator, &game.position(), &game.unseen(), 5);
            let plies = 1 + game.board.tiles() % 4;
            let mut playouts = Playouts::new(&setup, &player, game.clone(), candidates.clone(), plies, 3);
            for round in 0..4 {
                playouts.round(round, |candidate, value| {
                    let mut copy = game.clone();
                    copy.deal_anew(stream(3, "playout", round));
                    let mut kept = [Equity::ZERO; 2];
                    let mut chosen = candidates[candidate].chosen;
                    for ply in 0..=plies {
                        if ply > 0 && !copy.is_over() {
                            chosen = player.choose(&mut generator, &copy.position(), &copy.unseen()).chosen;
                        }
                        if !copy.is_over() {
                            let leave = copy.rack().minus(&Rack::from_tiles(chosen.tiles())).unwrap();
                            kept[copy.to_move] = table.get(&leave).unwrap_or_default();
                            copy.make(&setup, &chosen);
                        }
                    }
                    let (mine, theirs) = (game.to_move, 1 - game.to_move);
                    let spread = Equity::from_points(copy.scores[mine] - copy.scores[theirs] - game.spread());
                    finished += u32::from(copy.is_over());
                    // With an empty bag other values than the table's are kept.
                    if copy.is_over() {
                        assert_eq!(value, spread);
                    } else if !copy.bag.is_empty() {
                        assert_eq!(value, spread + kept[mine] - kept[theirs]);
                        compared += 1;
                    }
                });
            }
            game.make(&setup, &candidates[0].chosen);
        }
        assert!(compared > 200 && finished > 20, "{compared} {finished}");
    }
}
