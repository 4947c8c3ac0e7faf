//! Games under tournament rules.

use crate::bag::Bag;
use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::evaluator::Turn;
use crate::layout::Square;
use crate::moves::Move;
use crate::rack::Rack;
use crate::setup::Setup;
use crate::tileset::Tile;

pub mod cgp;
pub mod gcg;
pub mod outcome;
pub mod scoring;

/// Scoreless turns in a row that end a game.
pub const SCORELESS_LIMIT: u32 = 6;

/// A game in progress between players 0 and 1.
#[derive(Clone, Debug)]
pub struct Game {
    /// The tiles on the board.
    pub board: Board,
    /// Kept up to date with the board.
    pub cross_sets: CrossSets,
    /// What each player holds.
    pub racks: [Rack; 2],
    /// Points so far; final once the game is over.
    pub scores: [i32; 2],
    /// Whose turn it is.
    pub to_move: usize,
    /// Scoreless turns in a row.
    pub scoreless_turns: u32,
    /// What is still to be drawn.
    pub bag: Bag,
    over: bool,
}

impl Game {
    /// Deals game `index` of a seed; player 0 moves first.
    pub fn deal(setup: &Setup, seed: u64, index: u64) -> Game {
        Game::with_bag(setup, Bag::new(&setup.tileset, seed, index))
    }

    /// Starts a game from a bag.
    pub fn with_bag(setup: &Setup, mut bag: Bag) -> Game {
        let mut racks = [Rack::default(); 2];
        for (player, rack) in racks.iter_mut().enumerate() {
            bag.refill(rack, setup.tileset.rules().rack_size, player);
        }
        Game {
            board: Board::new(setup.layout.side()),
            cross_sets: CrossSets::new(setup.layout.side(), &setup.tileset),
            racks,
            scores: [0; 2],
            to_move: 0,
            scoreless_turns: 0,
            bag,
            over: false,
        }
    }

    /// Whether the game has ended and the scores are final.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// The rack of the player to move.
    pub fn rack(&self) -> &Rack {
        &self.racks[self.to_move]
    }

    /// Points ahead, from the view of the player to move.
    pub fn spread(&self) -> i32 {
        self.scores[self.to_move] - self.scores[1 - self.to_move]
    }

    /// The tiles that the player to move cannot see.
    pub fn unseen(&self, setup: &Setup) -> Rack {
        unseen(setup, &self.board, self.rack()).unwrap_or_default()
    }

    /// What the player to move sees.
    pub fn turn<'a>(&'a self, setup: &'a Setup, unseen: &'a Rack) -> Turn<'a> {
        Turn { setup, rack: self.rack(), bag: self.bag.len(), unseen }
    }

    /// Makes a legal move: score, draw, pass the turn on, and settle the game if it has ended.
    ///
    /// The move is trusted, as the generator's moves may be; [`scoring::check`] says whether a play is legal.
    pub fn make(&mut self, setup: &Setup, chosen: &Move) {
        let player = self.to_move;
        let rack = &mut self.racks[player];
        for tile in chosen.tiles() {
            let held = rack.remove(tile.kind());
            debug_assert!(held, "a move uses tiles of the rack");
        }
        self.scores[player] += chosen.score();
        if let Move::Play(play) = chosen {
            let placed: Vec<_> = play.placements(&self.board).collect();
            let squares: Vec<Square> = placed.iter().map(|&(square, _)| square).collect();
            for (square, tile) in placed {
                self.board.set(square, Some(tile));
            }
            self.cross_sets.update(play, &squares, &self.board, &setup.tileset, &setup.lexicon.graph);
        }
        self.bag.refill(&mut self.racks[player], setup.tileset.rules().rack_size, player);
        if let Move::Exchange(tiles) = chosen {
            self.bag.put_back(&Rack::from_tiles(tiles));
        }
        self.scoreless_turns = if chosen.score() == 0 { self.scoreless_turns + 1 } else { 0 };
        self.to_move = 1 - player;
        self.settle(setup, player);
    }

    fn settle(&mut self, setup: &Setup, player: usize) {
        let changes = if self.racks[player].is_empty() && self.bag.is_empty() {
            outcome::out(&setup.tileset, &self.racks, player)
        } else if self.scoreless_turns >= SCORELESS_LIMIT {
            outcome::scoreless(&setup.tileset, &self.racks)
        } else {
            return;
        };
        for (score, change) in self.scores.iter_mut().zip(changes) {
            *score += change;
        }
        self.over = true;
    }
}

/// The tiles of the set that are neither on the board nor on `rack`; `None` if board and rack hold more than the set has.
pub fn unseen(setup: &Setup, board: &Board, rack: &Rack) -> Option<Rack> {
    let mut counts = setup.tileset.counts();
    let on_board = board.occupied().map(|(_, tile)| tile.kind());
    for kind in on_board.chain(rack.tiles().map(Tile::kind)) {
        let left = &mut counts[kind as usize];
        *left = left.checked_sub(1)?;
    }
    Some(Rack::from_counts(&counts))
}
