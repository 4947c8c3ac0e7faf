//! A position of the search: made and taken back move by move.

use super::lists::{Handle, Listed, Lists, cross_hash, mix, tile_hash};
use super::parts::Parts;
use super::squares::Laid;
use crate::board::Board;
use crate::cross_set::{Cross, CrossChanges, CrossSets};
use crate::game::{Game, SCORELESS_LIMIT};
use crate::layout::{Direction, MAX_SIDE, Square};
use crate::moves::Play;
use crate::setup::Setup;
use crate::tileset::Tile;

/// Lanes of both directions on the largest board.
const MAX_LANES: usize = 2 * MAX_SIDE;

/// What a lane looks like to each player, and where its plays are listed.
#[derive(Clone, Copy, Debug, Default)]
struct Look {
    hashes: [u64; 2],
    handles: [Handle; 2],
}

/// All of a position but the board.
#[derive(Clone, Copy, Debug)]
struct State {
    looks: [Look; MAX_LANES],
    /// Of the tiles laid since the beginning.
    hash: u64,
    held: [u8; 2],
    to_move: usize,
    scoreless: u32,
}

/// What it takes to take a move back.
pub(super) struct Undo {
    state: State,
    laid: Laid,
    crosses: Option<CrossChanges>,
}

/// An endgame that is being searched.
#[derive(Clone, Debug)]
pub(super) struct Position<'a> {
    pub(super) setup: &'a Setup,
    pub(super) board: Board,
    cross_sets: CrossSets,
    pub parts: [Parts; 2],
    lists: [Lists<'a>; 2],
    state: State,
}

impl<'a> Position<'a> {
    /// The position of a game that is not over, with an empty bag. Player 0 here is the player to move.
    pub(super) fn new(setup: &'a Setup, game: &Game) -> Position<'a> {
        let racks = [game.racks[game.to_move], game.racks[1 - game.to_move]];
        let parts = racks.map(|rack| Parts::new(&rack, &setup.tileset));
        let lists = [0, 1].map(|player| Lists::new(setup, &parts[player]));
        let state = State {
            looks: [Look::default(); MAX_LANES],
            hash: 0,
            held: [0, 1].map(|player| parts[player].whole()),
            to_move: 0,
            scoreless: game.scoreless_turns,
        };
        let (board, cross_sets) = (game.board.clone(), game.cross_sets.clone());
        let mut position = Position { setup, board, cross_sets, parts, lists, state };
        position.look_at_all();
        position.state.scoreless = position.counted(position.state.held, position.state.scoreless);
        position
    }

    fn look_at_all(&mut self) {
        let side = self.board.side();
        for direction in Direction::BOTH {
            for lane in 0..side {
                let look = &mut self.state.looks[direction as usize * side + lane];
                let crosses = self.cross_sets.lane(direction, lane);
                for (offset, (cell, cross)) in self.board.lane(direction, lane).iter().zip(crosses).enumerate() {
                    for player in 0..2 {
                        let hash = &mut look.hashes[player];
                        match cell {
                            Some(tile) => *hash ^= tile_hash(offset, *tile),
                            None => *hash ^= cross_hash(offset, cross, self.lists[player].showable()),
                        }
                    }
                }
            }
        }
    }

    pub(super) fn to_move(&self) -> usize {
        self.state.to_move
    }

    /// The numbers of the parts that the players hold.
    pub(super) fn held(&self) -> [u8; 2] {
        self.state.held
    }

    /// Points of what a player holds.
    #[inline]
    pub(super) fn points(&self, player: usize) -> i32 {
        self.parts[player].points(self.state.held[player])
    }

    /// The key that the position will have after a scoring play.
    pub(super) fn key_after(&self, listed: &Listed) -> u64 {
        let State { hash, mut held, to_move, .. } = self.state;
        let squares = listed.play.placements(&self.board);
        let hash = squares.fold(hash, |hash, (square, tile)| hash ^ square_hash(square, tile));
        held[to_move] -= listed.part;
        Position::key_of(hash, held, 1 - to_move, self.counted(held, 0))
    }

    /// Names the position, its player to move, and its scoreless turns as far as they matter.
    pub(super) fn key(&self) -> u64 {
        let State { hash, held, to_move, scoreless, .. } = self.state;
        Position::key_of(hash, held, to_move, scoreless)
    }

    fn key_of(hash: u64, held: [u8; 2], to_move: usize, scoreless: u32) -> u64 {
        let rest = u64::from(held[0]) << 24 | u64::from(held[1]) << 16 | u64::from(scoreless) << 8 | to_move as u64;
        hash ^ mix(4 << 32 | rest)
    }

    /// What the lane of a play looks like now to the player to move.
    pub(super) fn look_of(&self, play: &Play) -> u64 {
        let number = play.direction as usize * self.board.side() + play.start.lane(play.direction).0;
        self.state.looks[number].hashes[self.state.to_move]
    }

    /// Whether the player to move still holds the tiles of a play.
    pub(super) fn holds(&self, listed: &Listed) -> bool {
        let to_move = self.state.to_move;
        listed.mask & !self.parts[to_move].mask(self.state.held[to_move]) == 0
    }

    /// Tells the plays of a player: those of the rack that it has left.
    pub(super) fn list(&mut self, player: usize, mut see: impl FnMut(&Listed)) {
        let side = self.board.side();
        let held = self.state.held[player];
        let missing = !self.parts[player].mask(held);
        let lists = &mut self.lists[player];
        for number in 0..2 * side {
            let look = &mut self.state.looks[number];
            let mut handle = look.handles[player];
            if !lists.holds(handle, held, &self.parts[player]) {
                let lane = (Direction::BOTH[number / side], number % side);
                let hash = look.hashes[player] ^ mix(5 << 32 | number as u64);
                handle = lists.find(hash, lane, (&self.board, &self.cross_sets), (&self.parts[player], held));
                look.handles[player] = handle;
            }
            lists.plays(handle).iter().filter(|listed| listed.mask & missing == 0).for_each(&mut see);
        }
    }

    /// Passes.
    pub(super) fn pass(&mut self) -> Undo {
        let undo = Undo { state: self.state, laid: Laid::default(), crosses: None };
        self.state.scoreless += 1;
        self.turn();
        undo
    }

    /// Makes a play of the player to move.
    pub(super) fn make(&mut self, listed: &Listed) -> Undo {
        let state = self.state;
        let Play { direction, tiles, score, .. } = listed.play;
        let laid = Laid::new(&listed.play, &self.board);
        for (&square, &tile) in laid.squares().iter().zip(tiles.iter()) {
            self.lay(square, tile);
        }
        let crosses = self.cross_sets.update(self.setup, direction, laid.squares(), &self.board);
        for &(direction, index, before) in crosses.iter() {
            self.see_cross(direction, index as usize, &before);
        }
        self.state.held[self.state.to_move] -= listed.part;
        self.state.scoreless = if score == 0 { self.state.scoreless + 1 } else { 0 };
        self.turn();
        Undo { state, laid, crosses: Some(crosses) }
    }

    fn lay(&mut self, square: Square, tile: Tile) {
        self.state.hash ^= square_hash(square, tile);
        for direction in Direction::BOTH {
            let (lane, offset) = square.lane(direction);
            let cross = self.cross_sets.lane(direction, lane)[offset];
            let look = &mut self.state.looks[direction as usize * self.board.side() + lane];
            for (player, lists) in self.lists.iter().enumerate() {
                look.hashes[player] ^= tile_hash(offset, tile) ^ cross_hash(offset, &cross, lists.showable());
                look.handles[player] = Handle::default();
            }
        }
        self.board.set(square, Some(tile));
    }

    /// Takes note of a cross set that has changed.
    fn see_cross(&mut self, direction: Direction, index: usize, before: &Cross) {
        let (lane, offset) = (index / self.board.side(), index % self.board.side());
        if self.board.lane(direction, lane)[offset].is_some() {
            return;
        }
        let now = self.cross_sets.lane(direction, lane)[offset];
        let look = &mut self.state.looks[direction as usize * self.board.side() + lane];
        for (player, lists) in self.lists.iter().enumerate() {
            let change = cross_hash(offset, before, lists.showable()) ^ cross_hash(offset, &now, lists.showable());
            if change != 0 {
                look.hashes[player] ^= change;
                look.handles[player] = Handle::default();
            }
        }
    }

    fn turn(&mut self) {
        self.state.to_move = 1 - self.state.to_move;
        self.state.scoreless = self.counted(self.state.held, self.state.scoreless);
    }

    /// The scoreless turns as they are counted when players hold so much.
    ///
    /// Where no play can score nothing, scoreless turns are passes, and all counts below the last are one.
    ///
    /// Let S be the best that the player to move gets by playing, -R what it gets if the other plays first, and T what the end
    /// by scoreless turns gives. With one turn left the value is max(S, T), with two max(S, min(-R, T)), and each pair of turns
    /// before that puts max(S, min(-R, ·)) around it. Doing so twice is doing it once, also around max(S, T). So any number of
    /// turns left but one gives max(S, min(-R, T)).
    fn counted(&self, held: [u8; 2], scoreless: u32) -> u32 {
        let worthless = (0..2).any(|player| self.parts[player].is_partly_worthless(held[player]));
        if worthless { scoreless } else { scoreless.max(SCORELESS_LIMIT - 2) }
    }

    /// Takes back the last move that still stands.
    pub(super) fn unmake(&mut self, undo: &Undo) {
        let after = std::mem::replace(&mut self.state, undo.state);
        // Lists that were found on the way stay found where the lane looks as before.
        for (look, after) in self.state.looks[..2 * self.board.side()].iter_mut().zip(&after.looks) {
            for player in 0..2 {
                let is_same = look.hashes[player] == after.hashes[player];
                let held = self.state.held[player];
                if is_same && self.lists[player].holds(after.handles[player], held, &self.parts[player]) {
                    look.handles[player] = after.handles[player];
                }
            }
        }
        if let Some(crosses) = &undo.crosses {
            self.cross_sets.take_back(crosses);
        }
        for &square in undo.laid.squares() {
            self.board.set(square, None);
        }
    }

    /// Whether one scoreless turn more ends the game.
    pub(super) fn is_last_scoreless(&self) -> bool {
        self.state.scoreless + 1 >= SCORELESS_LIMIT
    }

    /// Whether so many scoreless turns end the game.
    pub(super) fn is_stalled(&self) -> bool {
        self.state.scoreless >= SCORELESS_LIMIT
    }
}

/// What a tile on a square adds to the hash of a position.
fn square_hash(square: Square, tile: Tile) -> u64 {
    let place = u64::from(square.row) << 16 | u64::from(square.column) << 8;
    mix(3 << 32 | place | u64::from(tile.letter()) << 1 | u64::from(tile.is_blank()))
}
