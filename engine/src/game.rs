//! Games under tournament rules.

use crate::bag::{Bag, DrawPosition};
use crate::board::Board;
use crate::cross_set::{CrossChanges, CrossSets};
use crate::deals::Deals;
use crate::hash::sha256;
use crate::moves::{Move, Play, PlaySquares, Tiles};
use crate::rack::Rack;
use crate::rng::{Stream, stream};
use crate::setup::Setup;
use crate::tileset::{Tile, TileSet};
use crate::turn::Turn;

pub mod plausible;
pub mod scoring;
pub mod cgp;
pub mod reading;
pub mod gcg;
pub mod declared;
mod continuations;

pub(crate) use continuations::Continuations;

/// A game in progress between players 0 and 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// The tiles on the board. Only moves change it, because they also update the other fields.
    board: Board,
    /// The cross sets of the board.
    cross_sets: CrossSets,
    /// The racks of both players.
    pub racks: [Rack; 2],
    /// The scores in points. They are final once the game is over.
    pub scores: [i32; 2],
    /// The player to move.
    pub to_move: usize,
    /// The number of consecutive scoreless turns.
    pub scoreless_turns: u32,
    /// The number of consecutive passes, which are the last of the scoreless turns.
    pub passes: u32,
    /// The bag.
    pub bag: Bag,
    /// The tiles that are not on the board.
    unplayed: Rack,
    over: bool,
    /// The last move, if it is known.
    last: Option<Last>,
}

/// The last move, as far as the other player saw it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Last {
    Play(Play, PlaySquares),
    Exchange(usize),
    Pass,
}

/// A play with the board before it.
#[derive(Clone, Debug, PartialEq)]
pub struct LastPlay {
    /// The board before the play.
    pub board: Board,
    /// The play.
    pub play: Play,
}

/// A move, as far as the other player saw it.
#[derive(Clone, Debug, PartialEq)]
pub enum LastMove {
    /// A play.
    Play(Box<LastPlay>),
    /// An exchange. The exchanged tiles stay unseen.
    Exchange {
        /// The number of exchanged tiles.
        tiles: usize,
    },
    /// A pass.
    Pass,
}

/// The data that [`Game::unmake`] needs to undo a move. For an exchange it includes a copy of the bag.
#[derive(Clone, Debug)]
pub struct Undo {
    racks: [Rack; 2],
    scores: [i32; 2],
    scoreless: (u32, u32),
    unplayed: Rack,
    over: bool,
    draws: DrawPosition,
    /// The bag before an exchange.
    bag: Option<Box<Bag>>,
    placed: PlaySquares,
    /// The cross sets that the move changed, including the squares that it covered.
    pub(crate) crosses: CrossChanges,
    last: Option<Last>,
}

impl Game {
    /// Deals game `index`. Player 0 moves first.
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
            passes: 0,
            bag,
            unplayed: Rack::from_counts(&setup.tileset.counts()),
            over: false,
            last: None,
        }
    }

    /// Creates a game in progress with player 0 to move. The unseen tiles are shuffled by `stream`: a full rack of them goes
    /// to player 1, the others to the bag. Returns `None` if board and rack have more tiles of a kind than the tile set.
    pub fn from_position(setup: &Setup, board: Board, rack: Rack, scores: [i32; 2], stream: Stream) -> Option<Game> {
        let unseen = unseen(&setup.tileset, &board, &rack)?;
        let cross_sets = CrossSets::from_board(setup, &board);
        let size = setup.tileset.rules().rack_size.min(unseen.size());
        let other: Tiles = unseen.tiles().take(size).collect();
        let racks = [rack, Rack::from_tiles(&other)];
        let without_tiles = Game::with_bag(setup, Bag::shuffled(Vec::new(), stream.clone()));
        let mut game = Game { board, cross_sets, racks, scores, unplayed: unseen.plus(&rack), ..without_tiles };
        game.shuffle_unseen(stream);
        Some(game)
    }

    /// Deals the unseen tiles: to the other rack, whose size does not change, and to the bag. The deal depends on the unseen tiles and
    /// the stream alone. With the same stream on each turn, nearly the same rack comes each time.
    pub fn shuffle_unseen(&mut self, stream: Stream) {
        let other = 1 - self.to_move;
        let kinds = self.unseen().tiles().map(Tile::kind).collect();
        let size = self.racks[other].size();
        self.bag = Bag::shuffled(kinds, stream);
        self.racks[other] = Rack::default();
        self.bag.refill(&mut self.racks[other], size, other);
    }

    /// Returns a stream of random numbers that depends on the seed and on the view of the player to move. A player that
    /// samples deals draws from it, so that the same position is always judged in the same way.
    pub fn stream(&self, seed: u64) -> Stream {
        let mut seen: Vec<u8> = Vec::new();
        for (square, tile) in self.board.occupied() {
            seen.extend([square.row, square.column, tile.letter(), u8::from(tile.is_blank())]);
        }
        seen.push(u8::MAX);
        seen.extend(self.rack().tiles().map(Tile::kind));
        let other = self.racks[1 - self.to_move].size();
        let counts = [self.spread(), self.bag.len() as i32, other as i32, self.scoreless_turns as i32];
        seen.extend(counts.iter().flat_map(|count| count.to_le_bytes()));
        stream(seed, &sha256(&seen), 0)
    }

    /// Deals the unseen tiles in this order of kinds: first to the other rack, whose size does not change, then to the bag,
    /// in the order in which the player to move draws. `stream` places the tiles of later exchanges.
    ///
    /// `unseen` must be exactly the unseen tiles. Debug builds check it.
    pub(crate) fn deal_in_order(&mut self, unseen: &[u8], stream: Stream) {
        debug_assert!(self.unseen() == Rack::from_kinds(unseen), "the tiles to deal are not the unseen tiles");
        let (rack, bag) = unseen.split_at(self.racks[1 - self.to_move].size());
        let mut bag = bag.to_vec();
        if self.to_move != 0 {
            bag.reverse();
        }
        self.bag = Bag::in_order(bag, stream);
        self.racks[1 - self.to_move] = Rack::from_kinds(rack);
    }

    /// Sets the tiles of the bag, from which player 0 draws at the front and player 1 at the back. All other unseen tiles go
    /// to the other rack. `stream` places the tiles of later exchanges.
    ///
    /// The tiles of `bag` must be unseen tiles. Debug builds check it.
    pub(crate) fn deal_bag(&mut self, bag: Vec<u8>, stream: Stream) {
        let mut other = self.unseen();
        for &kind in &bag {
            let there = other.remove(kind);
            debug_assert!(there, "the bag has tiles that are not unseen");
        }
        self.racks[1 - self.to_move] = other;
        self.bag = Bag::in_order(bag, stream);
    }

    /// Returns the game with this number of consecutive scoreless turns. They count as passes if the bag has too few tiles for
    /// an exchange. Otherwise they may be exchanges, and none of them counts as a pass.
    #[must_use]
    pub fn with_scoreless_turns(self, setup: &Setup, scoreless_turns: u32) -> Game {
        let are_passes = self.bag.len() < setup.tileset.rules().exchange_minimum;
        Game { scoreless_turns, passes: if are_passes { scoreless_turns } else { 0 }, ..self }
    }

    /// Returns the number of consecutive passes after which the game ends, or 0 if too many turns were scoreless already.
    pub fn passes_left(&self, setup: &Setup) -> u32 {
        setup.tileset.rules().passes_left(self.scoreless_turns, self.passes)
    }

    /// Returns whether the game has ended and the scores are final.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// The tiles on the board. Only moves change it, with its cross sets.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The cross sets of the board.
    pub fn cross_sets(&self) -> &CrossSets {
        &self.cross_sets
    }

    /// Returns the rack of the player to move.
    pub fn rack(&self) -> &Rack {
        &self.racks[self.to_move]
    }

    /// Returns the spread in points, from the view of the player to move.
    pub fn spread(&self) -> i32 {
        self.scores[self.to_move] - self.scores[1 - self.to_move]
    }

    /// Returns the tiles that the player to move cannot see. No tile of the rack may be on the board. Debug builds check it.
    pub fn unseen(&self) -> Rack {
        let unseen = self.unplayed.minus(self.rack());
        debug_assert!(unseen.is_some(), "the rack has tiles that are on the board");
        unseen.unwrap_or_default()
    }

    /// Returns the previous move if it is known.
    pub fn last_move(&self) -> Option<LastMove> {
        Some(match self.last? {
            Last::Play(play, placed) => {
                let mut board = self.board.clone();
                placed.squares().iter().for_each(|&square| board.set(square, None));
                LastMove::Play(Box::new(LastPlay { board, play }))
            }
            Last::Exchange(tiles) => LastMove::Exchange { tiles },
            Last::Pass => LastMove::Pass,
        })
    }

    /// Creates the turn of the player to move. The unseen tiles are counted only here.
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

    /// Makes a move: adds its score, draws tiles, passes the turn, and adjusts the scores if the game has ended.
    ///
    /// The game must not be over, and the move must be legal and have its true score, as the moves of the generator have.
    /// Debug builds check it. [`reading::read_move`] checks moves from other sources.
    pub fn make(&mut self, setup: &Setup, chosen: &Move) {
        self.apply(setup, chosen, true);
    }

    /// Makes a move as [`Game::make`] does, and returns the data to undo it.
    pub fn make_with_undo(&mut self, setup: &Setup, chosen: &Move) -> Undo {
        self.make_undoable(setup, chosen, true)
    }

    /// Makes a move as [`Game::make`] does, but leaves the board, its cross sets and the unseen tiles as they were: for the last move
    /// of a playout, after which only scores, racks and bag count. Returns the data to undo it.
    pub(crate) fn make_off_board(&mut self, setup: &Setup, chosen: &Move) -> Undo {
        self.make_undoable(setup, chosen, false)
    }

    fn make_undoable(&mut self, setup: &Setup, chosen: &Move, is_on_board: bool) -> Undo {
        let (racks, scores, scoreless) = (self.racks, self.scores, (self.scoreless_turns, self.passes));
        let (unplayed, over, draws, last) = (self.unplayed, self.over, self.bag.draw_position(), self.last);
        let bag = matches!(chosen, Move::Exchange(_)).then(|| Box::new(self.bag.clone()));
        let (placed, crosses) = self.apply(setup, chosen, is_on_board);
        Undo { racks, scores, scoreless, unplayed, over, draws, bag, placed, crosses, last }
    }

    fn apply(&mut self, setup: &Setup, chosen: &Move, is_on_board: bool) -> (PlaySquares, CrossChanges) {
        debug_assert!(
            !self.over && scoring::is_legal(setup, &self.board, self.rack(), self.bag.len(), chosen),
            "{chosen:?} is not legal"
        );
        let player = self.to_move;
        for tile in chosen.tiles() {
            self.racks[player].remove(tile.kind());
        }
        self.scores[player] += chosen.score();
        let changes = match chosen {
            Move::Play(play) if is_on_board => self.place(setup, play),
            _ => (PlaySquares::default(), CrossChanges::none()),
        };
        self.last = Some(match chosen {
            Move::Play(play) => Last::Play(*play, changes.0),
            Move::Exchange(tiles) => Last::Exchange(tiles.len()),
            Move::Pass => Last::Pass,
        });
        self.bag.refill(&mut self.racks[player], setup.tileset.rules().rack_size, player);
        if let Move::Exchange(tiles) = chosen {
            self.bag.put_back(&Rack::from_tiles(tiles));
        }
        (self.scoreless_turns, self.passes) = scoreless_after((self.scoreless_turns, self.passes), chosen);
        self.to_move = 1 - player;
        self.settle(setup, player);
        changes
    }

    /// Undoes the last move. `undo` must be the data of this move, and nothing else may have changed the game since.
    pub fn unmake(&mut self, undo: &Undo) {
        self.to_move = 1 - self.to_move;
        self.over = undo.over;
        (self.racks, self.scores, (self.scoreless_turns, self.passes)) = (undo.racks, undo.scores, undo.scoreless);
        (self.unplayed, self.last) = (undo.unplayed, undo.last);
        match &undo.bag {
            Some(bag) => self.bag.clone_from(bag),
            None => self.bag.undo_draws(undo.draws),
        }
        self.cross_sets.undo(&undo.crosses);
        for &square in undo.placed.squares() {
            self.board.set(square, None);
        }
    }

    /// Sets the board alone, for tests.
    #[cfg(test)]
    pub(crate) fn set_board(&mut self, setup: &Setup, board: Board) {
        self.cross_sets = CrossSets::from_board(setup, &board);
        self.board = board;
    }

    fn place(&mut self, setup: &Setup, play: &Play) -> (PlaySquares, CrossChanges) {
        let placed = PlaySquares::new(play, &self.board);
        for (&square, &tile) in placed.squares().iter().zip(play.tiles.iter()) {
            self.board.set(square, Some(tile));
            self.unplayed.remove(tile.kind());
        }
        let crosses = self.cross_sets.update(setup, play.direction, placed.squares(), &self.board);
        (placed, crosses)
    }

    /// Ends the game, and adjusts the scores, if `player` has gone out or there were too many scoreless turns.
    fn settle(&mut self, setup: &Setup, player: usize) {
        self.over = true;
        if self.racks[player].is_empty() && self.bag.is_empty() {
            let left = self.racks[1 - player].points(&setup.tileset);
            let (gain, loss) = setup.tileset.rules().tiles_left.gain_and_loss(left);
            self.scores[player] += gain;
            self.scores[1 - player] -= loss;
        } else if self.passes_left(setup) == 0 {
            self.scores.iter_mut().zip(&self.racks).for_each(|(score, rack)| *score -= rack.points(&setup.tileset));
        } else {
            self.over = false;
        }
    }
}

/// Returns the numbers of consecutive scoreless turns and of consecutive passes after a move.
pub(crate) fn scoreless_after((scoreless_turns, passes): (u32, u32), chosen: &Move) -> (u32, u32) {
    match chosen {
        Move::Pass => (scoreless_turns + 1, passes + 1),
        _ if chosen.score() == 0 => (scoreless_turns + 1, 0),
        _ => (0, 0),
    }
}

/// Returns the tiles of the tile set that are neither on the board nor on `rack`, or `None` if board and rack have more
/// tiles of a kind than the tile set.
pub fn unseen(tileset: &TileSet, board: &Board, rack: &Rack) -> Option<Rack> {
    let mut counts = tileset.counts();
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
    use crate::deals::Domain;
    use crate::evaluator::Greedy;
    use crate::movegen::Generator;
    use crate::rng::stream;
    use crate::static_player::StaticPlayer;

    /// Plays a game to its end. Returns the sum of the move scores of each player.
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
    fn going_out_scores_twice_the_value_of_the_other_rack() {
        let setup = Setup::embedded("english").unwrap();
        let greedy = StaticPlayer::new(Greedy);
        let mut generator = Generator::new(&setup);
        let mut choose = |game: &Game| greedy.choose(&mut generator, &game.turn(&setup)).chosen;
        let mut outs = 0;
        for index in 0..60 {
            let mut game = Game::deal(&setup, Domain::Match.deals(3), index);
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
    fn six_scoreless_turns_end_the_game_and_cost_each_player_their_rack() {
        let setup = Setup::embedded("english").unwrap();
        let mut game = Game::deal(&setup, Domain::Match.deals(4), 0);
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
    fn a_score_resets_the_number_of_scoreless_turns() {
        let setup = Setup::embedded("english").unwrap();
        let greedy = StaticPlayer::new(Greedy);
        let mut game = Game::deal(&setup, Domain::Match.deals(5), 0);
        for _ in 0..5 {
            game.make(&setup, &Move::Pass);
        }
        let play = greedy.choose(&mut Generator::new(&setup), &game.turn(&setup)).chosen;
        assert!(play.score() > 0);
        game.make(&setup, &play);
        assert_eq!((game.scoreless_turns, game.is_over()), (0, false));
    }

    #[test]
    fn every_move_can_be_undone() {
        let setup = Setup::embedded("english").unwrap();
        let greedy = StaticPlayer::new(Greedy);
        let mut generator = Generator::new(&setup);
        let mut exchanges = 0;
        for index in 0..40 {
            let mut choices = stream(6, "test", index);
            let mut game = Game::deal(&setup, Domain::Match.deals(6), index);
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
    fn dealing_the_unseen_tiles_again_loses_no_tile() {
        let setup = Setup::embedded("english").unwrap();
        let greedy = StaticPlayer::new(Greedy);
        let mut game = Game::deal(&setup, Domain::Match.deals(7), 0);
        let choose = |game: &Game| greedy.choose(&mut Generator::new(&setup), &game.turn(&setup)).chosen;
        for turn in 0..12 {
            let mut fresh =
                Game::from_position(&setup, game.board.clone(), *game.rack(), game.scores, stream(7, "test", turn)).unwrap();
            assert_eq!((fresh.rack(), fresh.unseen()), (game.rack(), game.unseen()));
            assert_eq!(fresh.cross_sets, game.cross_sets);
            let mut again = game.clone();
            again.shuffle_unseen(stream(8, "test", turn));
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
    fn a_bag_without_enough_tiles_is_drawn_empty() {
        let setup = Setup::embedded("english").unwrap();
        let kinds = vec![1, 1, 5, 5, 9, 14, 18, 19, 20, 20, 15, 4, 12, 12, 7, 21];
        let game = Game::with_bag(&setup, Bag::shuffled(kinds, stream(1, "test", 0)));
        assert_eq!((game.racks[0].size(), game.racks[1].size(), game.bag.len()), (7, 7, 2));
    }

    #[test]
    fn a_turn_is_that_of_the_player_to_move() {
        let setup = Setup::embedded("english").unwrap();
        let mut game = Game::deal(&setup, Domain::Match.deals(3), 0);
        let chosen = StaticPlayer::new(Greedy).choose(&mut Generator::new(&setup), &game.turn(&setup)).chosen;
        game.make(&setup, &chosen);
        let turn = game.turn(&setup);
        assert_eq!((turn.rack, turn.spread, turn.bag), (game.racks[1], -chosen.score(), game.bag.len()));
        // Together with the rack, all tiles that the play has not laid.
        let laid = Rack::from_tiles(chosen.tiles());
        let unplayed = Rack::from_counts(&setup.tileset.counts()).minus(&laid).unwrap();
        assert_eq!(Some(turn.unseen), unplayed.minus(&game.racks[1]));
    }

    #[test]
    fn tiles_dealt_in_order_go_to_the_other_rack_and_are_drawn_in_order() {
        let setup = Setup::embedded("english").unwrap();
        let mut game = Game::deal(&setup, Domain::Match.deals(3), 1);
        for to_move in [0, 1] {
            assert_eq!(game.to_move, to_move);
            let mut kinds: Vec<u8> = game.unseen().tiles().map(Tile::kind).collect();
            kinds.rotate_left(30);
            game.deal_in_order(&kinds, stream(1, "order", 0));
            assert_eq!(game.racks[1 - to_move], Rack::from_kinds(&kinds[..7]));
            let exchange = Move::Exchange(game.rack().tiles().take(3).collect());
            let kept = game.rack().minus(&Rack::from_tiles(exchange.tiles())).unwrap();
            game.make(&setup, &exchange);
            assert_eq!(game.racks[to_move].minus(&kept), Some(Rack::from_kinds(&kinds[7..10])));
        }
    }
}
