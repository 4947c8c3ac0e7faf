//! The position of the search, with making and undoing of moves.

use super::lists::{Handle, ListedPlay, Lists, cross_hash, tile_hash};
use super::sub_racks::SubRackTable;
use crate::board::Board;
use crate::cross_set::{Cross, CrossChanges, CrossSets};
use crate::game::Game;
use crate::hash::mix;
use crate::layout::{Direction, MAX_SIDE, Square};
use crate::movegen::all_lanes;
use crate::moves::{Play, PlaySquares};
use crate::setup::Setup;
use crate::tileset::Tile;

/// The number of lanes of the largest board.
const MAX_LANES: usize = 2 * MAX_SIDE;

/// The state of a lane for each player: its hash, and the last list of its plays.
#[derive(Clone, Copy, Debug, Default)]
struct LaneState {
    hashes: [u64; 2],
    handles: [Handle; 2],
}

impl LaneState {
    fn change(&mut self, player: usize, offset: usize, hash: u64) {
        self.hashes[player] ^= hash;
        self.handles[player].change(offset);
    }
}

/// The state of a position without the board.
#[derive(Clone, Copy, Debug)]
struct State {
    lanes: [LaneState; MAX_LANES],
    /// The hash of the tiles laid since the root.
    hash: u64,
    held: [u8; 2],
    to_move: usize,
    scoreless: Scoreless,
}

/// The numbers of consecutive scoreless turns and of consecutive passes. Passes stay 0 if their number ends no game.
#[derive(Clone, Copy, Debug, Default)]
struct Scoreless {
    turns: u32,
    passes: u32,
}

/// The data needed to undo a move.
pub(super) struct Undo {
    state: State,
    laid: PlaySquares,
    crosses: Option<CrossChanges>,
}

#[derive(Clone, Debug)]
pub(super) struct Position<'a> {
    pub(super) setup: &'a Setup,
    pub(super) board: Board,
    cross_sets: CrossSets,
    pub sub_racks: [SubRackTable; 2],
    lists: [Lists<'a>; 2],
    state: State,
}

impl<'a> Position<'a> {
    /// Creates the position of a game that is not over and has an empty bag. Player 0 is the player to move of the game.
    pub(super) fn new(setup: &'a Setup, game: &Game) -> Position<'a> {
        let racks = [game.racks[game.to_move], game.racks[1 - game.to_move]];
        let sub_racks = racks.map(|rack| SubRackTable::new(&rack, &setup.tileset));
        let lists = [0, 1].map(|player| Lists::new(setup, &sub_racks[player]));
        let state = State {
            lanes: [LaneState::default(); MAX_LANES],
            hash: 0,
            held: [0, 1].map(|player| sub_racks[player].whole()),
            to_move: 0,
            scoreless: Scoreless { turns: game.scoreless_turns, passes: game.passes },
        };
        let (board, cross_sets) = (game.board().clone(), game.cross_sets().clone());
        let mut position = Position { setup, board, cross_sets, sub_racks, lists, state };
        position.hash_lanes();
        position.state.scoreless = position.effective_scoreless(position.state.held, position.state.scoreless);
        position
    }

    fn hash_lanes(&mut self) {
        for ((direction, lane), lane_state) in all_lanes(self.board.side()).zip(&mut self.state.lanes) {
            let crosses = self.cross_sets.lane(direction, lane);
            for (offset, (cell, cross)) in self.board.lane(direction, lane).iter().zip(crosses).enumerate() {
                for (hash, lists) in lane_state.hashes.iter_mut().zip(&self.lists) {
                    *hash ^= match cell {
                        Some(tile) => tile_hash(offset, *tile),
                        None => cross_hash(offset, cross, lists.showable()),
                    };
                }
            }
        }
    }

    pub(super) fn to_move(&self) -> usize {
        self.state.to_move
    }

    /// Returns the numbers of the sub-racks that the players hold.
    pub(super) fn held(&self) -> [u8; 2] {
        self.state.held
    }

    /// Returns the value of the tiles that a player holds, in points.
    #[inline]
    pub(super) fn points(&self, player: usize) -> i32 {
        self.sub_racks[player].points(self.state.held[player])
    }

    /// Returns the key of the position after a play that scores.
    pub(super) fn key_after(&self, listed: &ListedPlay) -> u64 {
        let State { hash, mut held, to_move, .. } = self.state;
        let squares = listed.play.placements(&self.board);
        let hash = squares.fold(hash, |hash, (square, tile)| hash ^ square_hash(square, tile));
        held[to_move] -= listed.sub_rack;
        Position::make_key(hash, held, 1 - to_move, self.effective_scoreless(held, Scoreless::default()))
    }

    /// Returns the key of the position, which includes the player to move and the effective number of scoreless turns.
    pub(super) fn key(&self) -> u64 {
        let State { hash, held, to_move, scoreless, .. } = self.state;
        Position::make_key(hash, held, to_move, scoreless)
    }

    fn make_key(hash: u64, held: [u8; 2], to_move: usize, scoreless: Scoreless) -> u64 {
        let Scoreless { turns, passes } = scoreless;
        let rest = u64::from(held[0]) << 24 | u64::from(held[1]) << 16 | u64::from(turns) << 8;
        let rest = rest | u64::from(passes) << 1 | to_move as u64;
        hash ^ mix(4 << 32 | rest)
    }

    /// Returns the current hash of the lane of a play for the player to move.
    pub(super) fn lane_hash(&self, play: &Play) -> u64 {
        let number = play.direction as usize * self.board.side() + play.start.lane(play.direction).0;
        self.state.lanes[number].hashes[self.state.to_move]
    }

    pub(super) fn holds(&self, listed: &ListedPlay) -> bool {
        let to_move = self.state.to_move;
        listed.mask & !self.sub_racks[to_move].mask(self.state.held[to_move]) == 0
    }

    /// Visits the plays of a player with the tiles held.
    pub(super) fn list(&mut self, player: usize, mut see: impl FnMut(&ListedPlay)) {
        let side = self.board.side();
        let held = self.state.held[player];
        let missing = !self.sub_racks[player].mask(held);
        let lists = &mut self.lists[player];
        for number in 0..2 * side {
            let lane_state = &mut self.state.lanes[number];
            let mut handle = lane_state.handles[player];
            if !lists.holds(handle, held, &self.sub_racks[player]) {
                let lane = (Direction::BOTH[number / side], number % side);
                let hash = lane_state.hashes[player] ^ mix(5 << 32 | number as u64);
                let (board, rack) = ((&self.board, &self.cross_sets), (&self.sub_racks[player], held));
                handle = lists.find(hash, lane, board, rack, handle);
                lane_state.handles[player] = handle;
            }
            lists.plays(handle).iter().filter(|listed| listed.mask & missing == 0).for_each(&mut see);
        }
    }

    pub(super) fn pass(&mut self) -> Undo {
        let undo = Undo { state: self.state, laid: PlaySquares::default(), crosses: None };
        self.state.scoreless.turns += 1;
        self.state.scoreless.passes += 1;
        self.turn();
        undo
    }

    pub(super) fn make(&mut self, listed: &ListedPlay) -> Undo {
        let state = self.state;
        let Play { direction, tiles, score, .. } = listed.play;
        let laid = PlaySquares::new(&listed.play, &self.board);
        for (&square, &tile) in laid.squares().iter().zip(tiles.iter()) {
            self.lay(square, tile);
        }
        let crosses = self.cross_sets.update(self.setup, direction, laid.squares(), &self.board);
        for &(direction, index, before) in crosses.iter() {
            self.update_cross(direction, index as usize, &before);
        }
        self.state.held[self.state.to_move] -= listed.sub_rack;
        let turns = if score == 0 { self.state.scoreless.turns + 1 } else { 0 };
        self.state.scoreless = Scoreless { turns, passes: 0 };
        self.turn();
        Undo { state, laid, crosses: Some(crosses) }
    }

    fn lay(&mut self, square: Square, tile: Tile) {
        self.state.hash ^= square_hash(square, tile);
        for direction in Direction::BOTH {
            let (lane, offset) = square.lane(direction);
            let cross = self.cross_sets.lane(direction, lane)[offset];
            let lane_state = &mut self.state.lanes[direction as usize * self.board.side() + lane];
            for (player, lists) in self.lists.iter().enumerate() {
                let hash = tile_hash(offset, tile) ^ cross_hash(offset, &cross, lists.showable());
                lane_state.change(player, offset, hash);
            }
        }
        self.board.set(square, Some(tile));
    }

    /// Updates the lane of a cross set that has changed.
    fn update_cross(&mut self, direction: Direction, index: usize, before: &Cross) {
        let (lane, offset) = (index / self.board.side(), index % self.board.side());
        if self.board.lane(direction, lane)[offset].is_some() {
            return;
        }
        let now = self.cross_sets.lane(direction, lane)[offset];
        let lane_state = &mut self.state.lanes[direction as usize * self.board.side() + lane];
        for (player, lists) in self.lists.iter().enumerate() {
            let change = cross_hash(offset, before, lists.showable()) ^ cross_hash(offset, &now, lists.showable());
            if change != 0 {
                lane_state.change(player, offset, change);
            }
        }
    }

    fn turn(&mut self) {
        self.state.to_move = 1 - self.state.to_move;
        self.state.scoreless = self.effective_scoreless(self.state.held, self.state.scoreless);
    }

    /// Returns the effective numbers of scoreless turns and passes.
    ///
    /// If every play scores, scoreless turns are passes, and all numbers of them except the last are equivalent. So the
    /// passes that are left decide, and the number of passes is dropped.
    ///
    /// Let S be the value if the player to move plays, -R the value if the opponent plays first, and T the value of the end
    /// by scoreless turns. With one turn left the value is max(S, T), with two turns max(S, min(-R, T)), and each earlier
    /// pair of turns applies x ↦ max(S, min(-R, x)) again. This map is idempotent, and gives the same for max(S, T). So for
    /// any number of turns left except one the value is max(S, min(-R, T)).
    fn effective_scoreless(&self, held: [u8; 2], scoreless: Scoreless) -> Scoreless {
        let rules = self.setup.tileset.rules();
        let worthless = (0..2).any(|player| self.sub_racks[player].is_partly_worthless(held[player]));
        if !worthless {
            let left = rules.passes_left(scoreless.turns, scoreless.passes);
            return Scoreless { turns: rules.scoreless_turns_to_end - left.min(2), passes: 0 };
        }
        Scoreless { passes: rules.passes_to_end.map_or(0, |_| scoreless.passes), ..scoreless }
    }

    /// Returns the number of consecutive passes after which the game ends.
    fn passes_left(&self) -> u32 {
        self.setup.tileset.rules().passes_left(self.state.scoreless.turns, self.state.scoreless.passes)
    }

    pub(super) fn unmake(&mut self, undo: &Undo) {
        let after = std::mem::replace(&mut self.state, undo.state);
        // Keep the lists that were found meanwhile for lanes whose state is the same.
        for (lane_state, after) in self.state.lanes[..2 * self.board.side()].iter_mut().zip(&after.lanes) {
            for player in 0..2 {
                let is_same = lane_state.hashes[player] == after.hashes[player];
                let held = self.state.held[player];
                if is_same && self.lists[player].holds(after.handles[player], held, &self.sub_racks[player]) {
                    lane_state.handles[player] = after.handles[player];
                }
            }
        }
        if let Some(crosses) = &undo.crosses {
            self.cross_sets.undo(crosses);
        }
        for &square in undo.laid.squares() {
            self.board.set(square, None);
        }
    }

    /// Returns whether one more pass ends the game.
    pub(super) fn is_last_scoreless(&self) -> bool {
        self.passes_left() <= 1
    }

    /// Returns whether the game has ended by scoreless turns.
    pub(super) fn is_stalled(&self) -> bool {
        self.passes_left() == 0
    }
}

fn square_hash(square: Square, tile: Tile) -> u64 {
    let place = u64::from(square.row) << 16 | u64::from(square.column) << 8;
    mix(3 << 32 | place | u64::from(tile.letter()) << 1 | u64::from(tile.is_blank()))
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::deals::Domain;
    use crate::evaluator::Greedy;
    use crate::movegen::Generator;
    use crate::moves::Move;
    use crate::rng::stream;
    use crate::static_player::StaticPlayer;

    /// A game of greedy players until the bag is empty.
    fn endgame(generator: &mut Generator<'_>, seed: u64, index: u64) -> Game {
        let (setup, greedy) = (generator.setup(), StaticPlayer::new(Greedy));
        let mut game = Game::deal(setup, Domain::Match.deals(seed), index);
        while !game.is_over() && !game.bag.is_empty() {
            let chosen = greedy.choose(generator, &game.turn(setup)).chosen;
            game.make(setup, &chosen);
        }
        game
    }

    fn listed(position: &mut Position<'_>, player: usize) -> Vec<ListedPlay> {
        let mut plays = Vec::new();
        position.list(player, |listed| plays.push(*listed));
        plays
    }

    #[test]
    fn the_key_after_a_play_is_that_of_the_position_after_it() {
        let setup = Setup::embedded("english").unwrap();
        let mut generator = Generator::new(&setup);
        let mut seen = 0;
        for index in 0..10 {
            let mut position = Position::new(&setup, &endgame(&mut generator, 4, index));
            let plays = listed(&mut position, 0);
            let before = position.key();
            for listed in plays.iter().filter(|listed| listed.play.score > 0) {
                let foreseen = position.key_after(listed);
                let undo = position.make(listed);
                assert_eq!(position.key(), foreseen, "{:?}", listed.play);
                position.unmake(&undo);
                assert_eq!(position.key(), before);
                seen += 1;
            }
        }
        assert!(seen > 100, "{seen}");
    }

    /// The plays of a player from the board alone, in the order of lists.
    fn plays_on_board(position: &Position<'_>, player: usize, game: &Game, generator: &mut Generator<'_>) -> Vec<Play> {
        let mut game = game.clone();
        game.set_board(position.setup, position.board.clone());
        game.racks[game.to_move] = position.sub_racks[player].rack(position.state.held[player]);
        let ranked = StaticPlayer::new(Greedy).rank(generator, &game.turn(position.setup)).into_iter();
        let play = |chosen| if let Move::Play(play) = chosen { Some(play) } else { None };
        let mut plays: Vec<Play> = ranked.filter_map(|ranked| play(ranked.chosen)).collect();
        plays.sort_unstable_by_key(|play| (play.direction, play.start.lane(play.direction).0, *play));
        plays
    }

    #[test]
    fn lists_of_changed_lanes_are_those_of_the_board() {
        let setups = || [Setup::embedded("english").unwrap(), Setup::pseudo_words("spanish"), Setup::pseudo_words("polish")];
        let without_map = setups()
            .map(|Setup { tileset, layout, lexicon, .. }| Setup::without_word_map(tileset, layout, lexicon).unwrap());
        for setup in setups().iter().chain(&without_map) {
            let (mut generator, mut plays_made) = (Generator::new(setup), 0);
            for index in 0..5 {
                let game = endgame(&mut generator, 11, index);
                let (mut position, mut random) = (Position::new(setup, &game), stream(3, "lists", index));
                let mut made = Vec::new();
                for _ in 0..150 {
                    let to_move = position.to_move();
                    let plays = listed(&mut position, to_move);
                    let choice = plays.get(random.random_range(0..plays.len() + 1));
                    match choice.filter(|listed| listed.sub_rack != position.held()[to_move]) {
                        Some(listed) => {
                            made.push(position.make(listed));
                            plays_made += 1;
                        }
                        None if random.random_bool(0.2) => made.push(position.pass()),
                        None => made.drain(made.len() / 2..).rev().for_each(|undo| position.unmake(&undo)),
                    }
                    // A lane may change several times between two lists of a player.
                    let player = random.random_range(0..2);
                    let found: Vec<Play> = listed(&mut position, player).iter().map(|listed| listed.play).collect();
                    assert_eq!(found, plays_on_board(&position, player, &game, &mut generator));
                }
            }
            assert!(plays_made > 100, "{plays_made}");
        }
    }

    #[test]
    fn positions_that_differ_in_scoreless_turns_have_other_keys() {
        let setup = Setup::embedded("english").unwrap();
        let mut game = Game::deal(&setup, Domain::Match.deals(4), 0);
        // Zero points on a rack: passing may be right, so the scoreless turns count.
        game.racks[0] = crate::rack::Rack::from_kinds(&[0, 1]);
        let keys = [0, 1, 5].map(|scoreless| {
            game.scoreless_turns = scoreless;
            Position::new(&setup, &game).key()
        });
        assert!(keys[0] != keys[1] && keys[1] != keys[2], "{keys:?}");
    }
}
