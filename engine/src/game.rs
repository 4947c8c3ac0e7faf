//! Games under tournament rules.

use crate::bag::{Bag, Drawn};
use crate::board::Board;
use crate::cross_set::{CrossChanges, CrossSets};
use crate::deals::Deals;
use crate::layout::Square;
use crate::moves::{Move, Play, Tiles};
use crate::rack::Rack;
use crate::rng::Stream;
use crate::setup::Setup;
use crate::tileset::{MAX_RACK_SIZE, Tile};
use crate::turn::Turn;

pub mod outcome;
pub mod plausible;
pub mod scoring;
pub mod cgp;
pub mod reading;
pub mod gcg;

/// Scoreless turns in a row that end a game.
pub const SCORELESS_LIMIT: u32 = 6;

/// A game in progress between players 0 and 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// The tiles on the board; changed by moves alone, which keep the rest in step.
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
    /// The tiles that are not on the board.
    unplayed: Rack,
    over: bool,
    /// The last move, where it was a play, and its squares.
    last: Option<(Play, Placed)>,
}

/// A play, and the board that it was made on.
#[derive(Clone, Debug, PartialEq)]
pub struct LastPlay {
    /// Before the play.
    pub board: Board,
    /// What was played.
    pub play: Play,
}

/// What a move changed, to take it back. An exchange keeps a copy of the bag.
#[derive(Clone, Debug)]
pub struct Undo {
    racks: [Rack; 2],
    scores: [i32; 2],
    scoreless_turns: u32,
    unplayed: Rack,
    over: bool,
    drawn: Drawn,
    /// The bag before an exchange.
    bag: Option<Box<Bag>>,
    placed: Placed,
    crosses: CrossChanges,
    last: Option<(Play, Placed)>,
}

/// The squares of a play.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Placed {
    squares: [Square; MAX_RACK_SIZE],
    count: usize,
}

impl Placed {
    fn squares(&self) -> &[Square] {
        &self.squares[..self.count]
    }
}

impl Game {
    /// Deals game `index`; player 0 moves first.
    pub fn deal(setup: &Setup, deals: Deals, index: u64) -> Game {
        Game::with_bag(setup, Bag::new(&setup.tileset, deals, index))
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
            unplayed: Rack::from_counts(&setup.tileset.counts()),
            over: false,
            last: None,
        }
    }

    /// A game in progress with player 0 to move on `rack` from a board; the unseen tiles are dealt by `stream`, as many as
    /// a rack holds to player 1. `None` if board and rack hold more than the tile set has.
    pub fn at(setup: &Setup, board: Board, rack: Rack, scores: [i32; 2], stream: Stream) -> Option<Game> {
        let unseen = unseen(setup, &board, &rack)?;
        let mut unplayed = unseen;
        rack.tiles().for_each(|tile| unplayed.add(tile.kind()));
        let cross_sets = CrossSets::from_board(setup, &board);
        let size = setup.tileset.rules().rack_size.min(unseen.size());
        let other: Tiles = unseen.tiles().take(size).collect();
        let racks = [rack, Rack::from_tiles(&other)];
        let bag = Bag::shuffled(Vec::new(), stream.clone());
        let mut game = Game {
            board,
            cross_sets,
            racks,
            scores,
            to_move: 0,
            scoreless_turns: 0,
            bag,
            unplayed,
            over: false,
            last: None,
        };
        game.deal_anew(stream);
        Some(game)
    }

    /// Shuffles what the player to move cannot see: the other rack, which keeps its size, and the bag.
    pub fn deal_anew(&mut self, stream: Stream) {
        let other = 1 - self.to_move;
        let kinds = self.unseen().tiles().map(Tile::kind).collect();
        let size = self.racks[other].size();
        self.bag = Bag::shuffled(kinds, stream);
        self.racks[other] = Rack::default();
        self.bag.refill(&mut self.racks[other], size, other);
    }

    /// Deals what the player to move cannot see in this order of kinds: the other rack, which keeps its size, then the bag as
    /// that player draws it. `stream` places the tiles of later exchanges.
    ///
    /// `unseen` must be all tiles that the player to move cannot see; debug builds check it.
    pub fn deal_in_order(&mut self, unseen: &[u8], stream: Stream) {
        debug_assert!(self.unseen() == Rack::from_kinds(unseen), "the tiles dealt are not those unseen");
        let (rack, bag) = unseen.split_at(self.racks[1 - self.to_move].size());
        let mut bag = bag.to_vec();
        if self.to_move != 0 {
            bag.reverse();
        }
        self.bag = Bag::in_order(bag, stream);
        self.racks[1 - self.to_move] = Rack::from_kinds(rack);
    }

    /// Deals what the player to move cannot see: `bag` are the tiles of the bag in the order of the draw, player 0 drawing from the
    /// front and player 1 from the back; the other rack holds the rest. `stream` places the tiles of later exchanges.
    ///
    /// The tiles of `bag` must be among those that the player to move cannot see; debug builds check it.
    pub fn deal_bag(&mut self, bag: Vec<u8>, stream: Stream) {
        let mut other = self.unseen();
        for &kind in &bag {
            let there = other.remove(kind);
            debug_assert!(there, "the bag holds tiles that cannot be seen");
        }
        self.racks[1 - self.to_move] = other;
        self.bag = Bag::in_order(bag, stream);
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

    /// The tiles that the player to move cannot see. The rack must be made of tiles that are not on the board; debug builds check
    /// it.
    pub fn unseen(&self) -> Rack {
        let unseen = self.unplayed.minus(self.rack());
        debug_assert!(unseen.is_some(), "the rack holds tiles that are not on the board");
        unseen.unwrap_or_default()
    }

    /// The move before, where it was a play; `None` at the start of a game or of a position.
    pub fn last_play(&self) -> Option<LastPlay> {
        let (play, placed) = self.last?;
        let mut board = self.board.clone();
        for &square in placed.squares() {
            board.set(square, None);
        }
        Some(LastPlay { board, play })
    }

    /// The turn of the player to move. The unseen tiles are counted once, here.
    pub fn turn<'a>(&'a self, setup: &'a Setup) -> Turn<'a> {
        Turn {
            setup,
            board: &self.board,
            cross_sets: &self.cross_sets,
            rack: *self.rack(),
            unseen: self.unseen(),
            bag: self.bag.len(),
            spread: self.spread(),
        }
    }

    /// Makes a move: score, draw, pass the turn on, and settle the game if it has ended.
    ///
    /// The game must not be over, and the move must be legal and have its true score, as the generator's moves have; debug builds
    /// check it. [`reading::read_move`] checks the moves of others.
    pub fn make(&mut self, setup: &Setup, chosen: &Move) {
        self.apply(setup, chosen);
    }

    /// The same as [`Game::make`], with what [`Game::unmake`] needs.
    pub fn make_with_undo(&mut self, setup: &Setup, chosen: &Move) -> Undo {
        let (racks, scores, scoreless_turns) = (self.racks, self.scores, self.scoreless_turns);
        let (unplayed, over, drawn, last) = (self.unplayed, self.over, self.bag.drawn(), self.last);
        let bag = matches!(chosen, Move::Exchange(_)).then(|| Box::new(self.bag.clone()));
        let (placed, crosses) = self.apply(setup, chosen);
        Undo { racks, scores, scoreless_turns, unplayed, over, drawn, bag, placed, crosses, last }
    }

    fn apply(&mut self, setup: &Setup, chosen: &Move) -> (Placed, CrossChanges) {
        debug_assert!(self.allows(setup, chosen), "{chosen:?} is not legal");
        let player = self.to_move;
        for tile in chosen.tiles() {
            self.racks[player].remove(tile.kind());
        }
        self.scores[player] += chosen.score();
        let changes = match chosen {
            Move::Play(play) => self.place(setup, play),
            Move::Exchange(_) | Move::Pass => (Placed::default(), CrossChanges::none()),
        };
        self.last = match chosen {
            Move::Play(play) => Some((*play, changes.0)),
            Move::Exchange(_) | Move::Pass => None,
        };
        self.bag.refill(&mut self.racks[player], setup.tileset.rules().rack_size, player);
        if let Move::Exchange(tiles) = chosen {
            self.bag.put_back(&Rack::from_tiles(tiles));
        }
        self.scoreless_turns = if chosen.score() == 0 { self.scoreless_turns + 1 } else { 0 };
        self.to_move = 1 - player;
        self.settle(setup, player);
        changes
    }

    /// Whether a move keeps all the rules. Slow.
    fn allows(&self, setup: &Setup, chosen: &Move) -> bool {
        let keeps_rules = match chosen {
            Move::Play(play) => scoring::check(setup, &self.board, play).as_ref() == Ok(play),
            Move::Exchange(tiles) => self.bag.len() >= tiles.len().max(setup.tileset.rules().exchange_minimum),
            Move::Pass => true,
        };
        keeps_rules && !self.over && self.rack().contains(&Rack::from_tiles(chosen.tiles()))
    }

    /// Takes back the last move that still stands. `undo` must be that move's, and only moves may have changed the game since.
    pub fn unmake(&mut self, undo: &Undo) {
        self.to_move = 1 - self.to_move;
        self.over = undo.over;
        (self.racks, self.scores, self.scoreless_turns) = (undo.racks, undo.scores, undo.scoreless_turns);
        (self.unplayed, self.last) = (undo.unplayed, undo.last);
        match &undo.bag {
            Some(bag) => self.bag.clone_from(bag),
            None => self.bag.take_back(undo.drawn),
        }
        self.cross_sets.take_back(&undo.crosses);
        for &square in undo.placed.squares() {
            self.board.set(square, None);
        }
    }

    fn place(&mut self, setup: &Setup, play: &Play) -> (Placed, CrossChanges) {
        let mut placed = Placed::default();
        for (square, _) in play.placements(&self.board) {
            placed.squares[placed.count] = square;
            placed.count += 1;
        }
        for (&square, &tile) in placed.squares().iter().zip(play.tiles.iter()) {
            self.board.set(square, Some(tile));
            self.unplayed.remove(tile.kind());
        }
        let crosses = self.cross_sets.update(setup, play.direction, placed.squares(), &self.board);
        (placed, crosses)
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

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::deals::Purpose;
    use crate::evaluator::Greedy;
    use crate::movegen::Generator;
    use crate::rng::stream;
    use crate::static_player::StaticPlayer;

    /// Plays a game to its end; for each player the sum of the scores of its moves, and the racks at the end.
    fn play_out(setup: &Setup, game: &mut Game, mut choose: impl FnMut(&Game) -> Move) -> [i32; 2] {
        let mut sums = [0; 2];
        while !game.is_over() {
            let chosen = choose(game);
            sums[game.to_move] += chosen.score();
            game.make(setup, &chosen);
        }
        sums
    }

    #[test]
    fn going_out_earns_twice_the_tiles_of_the_other() {
        let setup = Setup::embedded("english").unwrap();
        let greedy = StaticPlayer::new(Greedy);
        let mut generator = Generator::new(&setup);
        let mut choose = |game: &Game| greedy.choose(&mut generator, &game.turn(&setup)).chosen;
        let mut outs = 0;
        for index in 0..60 {
            let mut game = Game::deal(&setup, Purpose::Match.deals(3), index);
            let sums = play_out(&setup, &mut game, &mut choose);
            let Some(out) = game.racks.iter().position(Rack::is_empty) else { continue };
            let mut expected = sums;
            expected[out] += 2 * game.racks[1 - out].points(&setup.tileset);
            assert_eq!(game.scores, expected, "game {index}");
            assert!(game.bag.is_empty());
            assert_eq!(game.board.tiles() + game.racks[1 - out].size(), 100);
            outs += 1;
        }
        assert!(outs > 50);
    }

    #[test]
    fn six_scoreless_turns_end_the_game_and_cost_each_its_rack() {
        let setup = Setup::embedded("english").unwrap();
        let mut game = Game::deal(&setup, Purpose::Match.deals(4), 0);
        let first = game.racks[0];
        let given: Tiles = first.tiles().take(3).collect();
        game.make(&setup, &Move::Exchange(given));
        assert_eq!((game.racks[0].size(), game.bag.len(), game.to_move), (7, 86, 1));
        for turn in 1..6 {
            assert!(!game.is_over(), "turn {turn}");
            game.make(&setup, &Move::Pass);
        }
        assert!(game.is_over());
        assert_eq!(game.scores, game.racks.map(|rack| -rack.points(&setup.tileset)));
    }

    #[test]
    fn a_score_begins_the_count_of_scoreless_turns_anew() {
        let setup = Setup::embedded("english").unwrap();
        let greedy = StaticPlayer::new(Greedy);
        let mut game = Game::deal(&setup, Purpose::Match.deals(5), 0);
        for _ in 0..5 {
            game.make(&setup, &Move::Pass);
        }
        let play = greedy.choose(&mut Generator::new(&setup), &game.turn(&setup)).chosen;
        assert!(play.score() > 0);
        game.make(&setup, &play);
        assert_eq!((game.scoreless_turns, game.is_over()), (0, false));
    }

    #[test]
    fn every_move_can_be_taken_back() {
        let setup = Setup::embedded("english").unwrap();
        let greedy = StaticPlayer::new(Greedy);
        let mut generator = Generator::new(&setup);
        let mut exchanges = 0;
        for index in 0..40 {
            let mut choices = stream(6, "test", index);
            let mut game = Game::deal(&setup, Purpose::Match.deals(6), index);
            let mut history = Vec::new();
            while !game.is_over() {
                let moves = greedy.rank(&mut generator, &game.turn(&setup));
                let chosen = moves[choices.random_range(0..moves.len())].chosen;
                exchanges += usize::from(matches!(chosen, Move::Exchange(_)));
                let before = game.clone();
                history.push((before, game.make_with_undo(&setup, &chosen)));
            }
            for (before, undo) in history.iter().rev() {
                game.unmake(undo);
                assert_eq!(game, *before);
            }
        }
        assert!(exchanges > 20, "{exchanges}");
    }

    #[test]
    fn a_position_is_dealt_anew_without_losing_a_tile() {
        let setup = Setup::embedded("english").unwrap();
        let greedy = StaticPlayer::new(Greedy);
        let mut game = Game::deal(&setup, Purpose::Match.deals(7), 0);
        let choose = |game: &Game| greedy.choose(&mut Generator::new(&setup), &game.turn(&setup)).chosen;
        for turn in 0..12 {
            let mut fresh =
                Game::at(&setup, game.board.clone(), *game.rack(), game.scores, stream(7, "test", turn)).unwrap();
            assert_eq!((fresh.rack(), fresh.unseen()), (game.rack(), game.unseen()));
            assert_eq!(fresh.cross_sets, game.cross_sets);
            let mut again = game.clone();
            again.deal_anew(stream(8, "test", turn));
            for (dealt, other) in [(&mut fresh, 1), (&mut again, 1 - game.to_move)] {
                assert_eq!(
                    (dealt.bag.len(), dealt.racks[other].size()),
                    (game.bag.len(), game.racks[1 - game.to_move].size())
                );
                let mut hidden = dealt.racks[other];
                dealt.bag.refill(&mut hidden, 250, other);
                assert_eq!(hidden, game.unseen());
            }
            let chosen = choose(&game);
            game.make(&setup, &chosen);
        }
    }

    #[test]
    fn the_last_tiles_are_drawn_as_far_as_they_go() {
        let setup = Setup::embedded("english").unwrap();
        let kinds = vec![1, 1, 5, 5, 9, 14, 18, 19, 20, 20, 15, 4, 12, 12, 7, 21];
        let game = Game::with_bag(&setup, Bag::shuffled(kinds, stream(1, "test", 0)));
        assert_eq!((game.racks[0].size(), game.racks[1].size(), game.bag.len()), (7, 7, 2));
    }
}
