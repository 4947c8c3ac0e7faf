//! Comparison of the engine with the reference in one position.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use rand::RngExt;
use tilewright_engine::board::Board;
use tilewright_engine::cross_set::CrossSets;
use tilewright_engine::equity::Equity;
use tilewright_engine::game::scoring;
use tilewright_engine::layout::{Direction, Square};
use tilewright_engine::movegen::{Generator, LeaveValues, ValuedMove};
use tilewright_engine::moves::{Move, Play, Tiles, notation};
use tilewright_engine::rack::{Rack, SubRacks};
use tilewright_engine::rng::{Stream, shuffle};
use tilewright_engine::setup::Setup;
use tilewright_engine::tileset::Tile;
use tilewright_engine::turn::Turn;

/// A position with the moves that the reference finds.
pub struct Position<'a> {
    pub name: &'a str,
    pub setup: &'a Setup,
    pub board: &'a Board,
    pub cross_sets: &'a CrossSets,
    pub rack: &'a Rack,
    pub bag: usize,
    pub moves: BTreeSet<Move>,
}

impl Position<'_> {
    /// Compares all moves, the best few and the best move under some leave values, for every generator.
    pub fn compare_moves(&self, generators: &mut [Generator<'_>], mut leave_value: impl FnMut(usize) -> Equity) {
        let Position { setup, board, cross_sets, rack, bag, .. } = *self;
        let leaves = LeaveValues { sub_racks: SubRacks::new(rack), values: std::array::from_fn(&mut leave_value) };
        let turn = Turn { setup, board, cross_sets, rack: *rack, unseen: Rack::default(), bag, spread: 0 };
        for generator in generators {
            let all = generator.all_moves(&turn, &leaves);
            self.compare_all(&all, &leaves);
            let best = generator.best_move(&turn, &leaves);
            assert!(best == all[0], "best {}, first of all {}\n{self}", self.name_of(&best), self.name_of(&all[0]));
            for most in [1, 7, all.len(), all.len() + 1] {
                let top = generator.top_moves(&turn, &leaves, most);
                assert!(top == all[..most.min(all.len())], "the best {most} are not the first of all\n{self}");
            }
        }
    }

    fn compare_all(&self, all: &[ValuedMove], leaves: &LeaveValues) {
        let generated: BTreeSet<Move> = all.iter().map(|valued| valued.chosen).collect();
        if generated != self.moves {
            let extra = self.show(generated.difference(&self.moves));
            panic!("not in the reference: {extra}\nmissing: {}\n{self}", self.show(self.moves.difference(&generated)));
        }
        assert_eq!(all.len(), generated.len(), "a move is listed twice\n{self}");
        let order = |valued: &ValuedMove| (-valued.equity, valued.chosen);
        for pair in all.windows(2) {
            assert!(
                order(&pair[0]) < order(&pair[1]),
                "{} before {}\n{self}",
                self.name_of(&pair[0]),
                self.name_of(&pair[1])
            );
        }
        for valued in all {
            let leave = self.rack.minus(&Rack::from_tiles(valued.chosen.tiles())).expect("a move uses tiles of the rack");
            let leave: usize = leave.kinds().map(|(kind, count)| count as usize * leaves.sub_racks.stride(kind)).sum();
            let equity = Equity::from_points(valued.chosen.score()) + leaves.values[leave];
            assert_eq!(valued.equity, equity, "{}\n{self}", self.name_of(valued));
        }
    }

    /// Compares the incrementally updated cross sets of empty squares with newly computed ones.
    pub fn compare_cross_sets(&self) {
        let fresh = CrossSets::from_board(self.setup, self.board);
        for direction in Direction::BOTH {
            for lane in 0..self.board.side() {
                let sets = self.cross_sets.lane(direction, lane).iter().zip(fresh.lane(direction, lane));
                for (offset, (sets, cell)) in sets.zip(self.board.lane(direction, lane)).enumerate() {
                    let (updated, computed) = sets;
                    assert!(
                        cell.is_some() || updated == computed,
                        "{direction:?}, lane {lane}, offset {offset}: updated {updated:?}, computed {computed:?}\n{self}"
                    );
                }
            }
        }
    }

    /// Checks that the play checker accepts exactly the plays of the reference, with their scores.
    pub fn compare_checks(&self, stream: &mut Stream) {
        let mut legal = BTreeMap::new();
        for chosen in &self.moves {
            if let Move::Play(play) = *chosen {
                let same_tile_down = self.same_tile_down(&play);
                for play in [play].into_iter().chain(same_tile_down) {
                    legal.insert(Play { score: 0, ..play }, play.score);
                }
            }
        }
        let listed: Vec<Play> = legal.keys().copied().collect();
        for turn in 0..20 {
            let play = if listed.is_empty() || turn % 4 == 0 {
                self.random_play(stream)
            } else {
                let play = listed[stream.random_range(0..listed.len())];
                if turn % 4 == 1 { play } else { changed(&play, stream) }
            };
            let checked = scoring::check(self.setup, self.board, &play);
            let score = checked.as_ref().ok().map(|checked| checked.score);
            assert_eq!(score, legal.get(&play).copied(), "{play:?}: {checked:?}\n{self}");
        }
    }

    /// Returns a play of one tile that forms words in both directions as a play down, which the checker accepts too.
    fn same_tile_down(&self, play: &Play) -> Option<Play> {
        let across = play.direction == Direction::Across && play.tiles.len() == 1;
        let (square, _) = play.placements(self.board).next().filter(|_| across)?;
        let column = self.board.lane(Direction::Down, square.column as usize);
        let row = square.row as usize;
        let above = column[..row].iter().rev().take_while(|cell| cell.is_some()).count();
        let joined = above > 0 || column.get(row + 1).is_some_and(Option::is_some);
        let start = Square { row: (row - above) as u8, ..square };
        joined.then_some(Play { direction: Direction::Down, start, ..*play })
    }

    /// Returns a play of random tiles of the rack from a random square, sometimes off the board. A blank may have no letter.
    fn random_play(&self, stream: &mut Stream) -> Play {
        let mut tiles: Vec<Tile> = self.rack.tiles().collect();
        shuffle(&mut tiles, stream);
        for tile in tiles.iter_mut().filter(|tile| tile.is_blank()) {
            let letter = stream.random_range(0..=self.setup.tileset.letters());
            *tile = if letter == 0 { Tile::BLANK } else { Tile::blank_as(letter) };
        }
        tiles.truncate(stream.random_range(0..=tiles.len()));
        let beyond = self.board.side() as u8 + 2;
        let start = Square { row: stream.random_range(0..beyond), column: stream.random_range(0..beyond) };
        let direction = Direction::BOTH[stream.random_range(0..2)];
        Play { direction, start, tiles: tiles.into_iter().collect(), score: 0 }
    }

    fn show<'a>(&self, moves: impl Iterator<Item = &'a Move>) -> String {
        let shown = moves
            .take(12)
            .map(|chosen| format!("{} for {}", notation::show(chosen, self.board, &self.setup.tileset), chosen.score()));
        shown.collect::<Vec<_>>().join(", ")
    }

    fn name_of(&self, valued: &ValuedMove) -> String {
        format!("{} with equity {}", self.show([&valued.chosen].into_iter()), valued.equity)
    }
}

impl fmt::Display for Position<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tileset = &self.setup.tileset;
        writeln!(formatter, "{}, rack {}, {} tiles in the bag", self.name, self.rack.show(tileset), self.bag)?;
        for row in 0..self.board.side() {
            let cells = self.board.lane(Direction::Across, row).iter();
            let shown = cells.map(|cell| cell.map_or(".".into(), |tile| tileset.show(tile).to_string()));
            writeln!(formatter, "{}", shown.collect::<String>())?;
        }
        Ok(())
    }
}

/// Returns a play with a random change of its place or its tiles.
fn changed(play: &Play, stream: &mut Stream) -> Play {
    let (lane, offset) = play.start.lane(play.direction);
    let steps = stream.random_range(1..=2);
    let tiles = play.tiles.to_vec();
    match stream.random_range(0..6) {
        0 => Play { direction: play.direction.other(), ..*play },
        1 => Play { start: Square::in_lane(play.direction, lane, offset.saturating_sub(steps)), ..*play },
        2 => Play { start: Square::in_lane(play.direction, lane, offset + steps), ..*play },
        3 => Play { start: Square::in_lane(play.direction, lane + steps, offset), ..*play },
        4 => Play { tiles: tiles[1..].iter().copied().collect(), ..*play },
        _ => {
            let mut tiles = tiles;
            shuffle(&mut tiles, stream);
            Play { tiles: tiles.into_iter().collect::<Tiles>(), ..*play }
        }
    }
}
