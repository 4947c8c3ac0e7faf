//! The best moves of racks that recur on boards with most lanes in common, such as the boards of playouts.
//!
//! The best play of a rack in a lane depends on the state of the lane alone. The boards after several candidates differ in a
//! few lanes, and the same reply changes the same lanes of each. So a search remembers its finding for each rack and each
//! state: the best play, or an equity that no play in the state reaches. A later board needs a search of only the lanes that
//! may hold a better play than the best known one.
//!
//! The moves are the same as those from [`Generator::best_move`](super::Generator::best_move).

use super::lane_states::LaneStates;
use super::lanes::Lane;
use super::queue::Queue;
use super::ranked::{Best, best_without_play};
use super::search_rack::{SearchRack, Spelling};
use super::visitor::{LeaveValues, Visitor};
use super::{ValuedMove, visit_plays};
use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::equity::Equity;
use crate::layout::{Direction, MAX_SIDE};
use crate::moves::Play;
use crate::rack::Rack;
use crate::setup::Setup;
use crate::turn::Turn;

/// Lanes of the largest board.
const MAX_LANES: usize = 2 * MAX_SIDE;
/// The states of the lanes of a board, by number: the rows, then the columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoardLanes {
    states: [u32; MAX_LANES],
    count: usize,
}

impl BoardLanes {
    fn states(&self) -> &[u32] {
        &self.states[..self.count]
    }
}

/// Finds the best moves on many boards.
///
/// Each thread needs its own. The result depends on the turn only, not on earlier calls.
#[derive(Debug)]
pub(crate) struct ManyBoards<'a> {
    setup: &'a Setup,
    states: LaneStates<'a>,
    /// The number of states of boards that stay. These states come first.
    lasting: usize,
    racks: Vec<KnownRack>,
    /// The number of the racks that hold for the deal. The others are spare.
    used: usize,
    /// Scratch memory.
    queue: Queue,
    tied: Vec<Play>,
}

/// A rack with the values of its leaves, and its known plays.
#[derive(Debug)]
struct KnownRack {
    turn_rack: Rack,
    /// Whether the values of its leaves follow from the rack alone.
    fixes_leaves: bool,
    leaves: LeaveValues,
    prepared: SearchRack,
    spelling: Spelling,
    /// By number of state. A missing entry means that the search knows nothing of the state.
    lanes: Vec<Known>,
}

/// The known plays of a rack in a state of a lane.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// No play in it has a higher equity.
    most: Equity,
    /// The best play in it, of equity `most`.
    play: Option<Play>,
}

const NOTHING: Known = Known { most: Equity(i32::MAX), play: None };

/// The best play so far, and the best plays of all lanes that have one of the same equity.
struct BestByLane<'a> {
    best: Best,
    tied: &'a mut Vec<Play>,
}

impl Visitor for BestByLane<'_> {
    #[inline]
    fn threshold(&self) -> Equity {
        self.best.equity
    }

    #[inline]
    fn visit(&mut self, equity: Equity, play: impl FnOnce() -> Play) {
        if equity < self.best.equity {
            return;
        }
        let play = play();
        if equity > self.best.equity {
            self.tied.clear();
        }
        self.best.visit(equity, || play);
        let lane = |play: &Play| (play.direction, play.start.lane(play.direction).0);
        match self.tied.iter_mut().find(|other| lane(other) == lane(&play)) {
            Some(other) => *other = play.min(*other),
            None => self.tied.push(play),
        }
    }
}

impl<'a> ManyBoards<'a> {
    /// Begins with the boards that plays make of this one.
    pub(crate) fn new(setup: &'a Setup, board: &Board, cross_sets: &CrossSets) -> ManyBoards<'a> {
        let states = LaneStates::new(setup, board, cross_sets, true);
        let (racks, queue, tied) = Default::default();
        ManyBoards { setup, lasting: states.len(), states, racks, used: 0, queue, tied }
    }

    /// The lanes of the board that it began with.
    pub(crate) fn first_board(&self) -> BoardLanes {
        let count = 2 * self.setup.layout.side();
        let mut states = [0; MAX_LANES];
        states.iter_mut().zip(0..).for_each(|(state, number)| *state = number);
        BoardLanes { states, count }
    }

    pub(crate) fn setup(&self) -> &'a Setup {
        self.setup
    }

    /// Turns the lanes of a board into the lanes of another board, which differs from it in the lanes `changed`.
    pub(crate) fn change(
        &mut self,
        lanes: &mut BoardLanes,
        changed: impl Iterator<Item = (Direction, usize)>,
        board: &Board,
        cross_sets: &CrossSets,
    ) {
        for lane in changed {
            lanes.states[self.states.before(lane)] = self.states.number(lane, board, cross_sets) as u32;
        }
    }

    /// Keeps the boards so far for good.
    pub(crate) fn keep(&mut self) {
        self.lasting = self.states.len();
    }

    /// Begins another deal: forgets the racks, and boards that were not kept.
    pub(crate) fn begin_deal(&mut self) {
        self.used = 0;
        self.states.truncate(self.lasting);
    }

    /// The best move, the same as [`Generator::best_move`](super::Generator::best_move). `board` must be the lanes of the
    /// turn's board, made since the deal began or kept. `leaves` makes the values of the turn's leaves. If they follow from
    /// the rack alone, so that the rack `fixes_leaves`, it is called once in a deal.
    pub(crate) fn best_move(
        &mut self,
        turn: &Turn<'_>,
        leaves: impl FnOnce() -> LeaveValues,
        fixes_leaves: bool,
        board: &BoardLanes,
    ) -> ValuedMove {
        let number = self.known_rack(&turn.rack, leaves, fixes_leaves);
        let without_play = best_without_play(turn, &self.racks[number].leaves);
        if turn.rack.is_empty() {
            return without_play;
        }
        let mut best = Best { equity: without_play.equity, play: None };
        let lanes = &self.racks[number].lanes;
        for &state in board.states() {
            if let Some(Known { most, play: Some(play) }) = lanes.get(state as usize) {
                best.visit(*most, || *play);
            }
        }
        self.search(number, board, best).or(without_play)
    }

    /// Searches the lanes that may hold a play as good as the best one, and remembers its findings.
    fn search(&mut self, number: usize, board: &BoardLanes, best: Best) -> Best {
        let ManyBoards { setup, states, racks, queue, tied, .. } = self;
        let KnownRack { prepared, spelling, leaves, lanes: known, .. } = &mut racks[number];
        known.resize(states.len(), NOTHING);
        let may_be_better = |&state: &u32| {
            let Known { most, play } = known[state as usize];
            play.is_none() && most >= best.equity
        };
        let (mut open, mut count) = ([0u32; MAX_LANES], 0);
        for &state in board.states().iter().filter(|state| may_be_better(state)) {
            if !states.lane(state as usize).extents.is_empty() {
                open[count] = state;
                count += 1;
            }
        }
        if count == 0 {
            return best;
        }
        let open = &open[..count];
        let mut lanes = [states.found(open[0] as usize); MAX_LANES];
        lanes.iter_mut().zip(open).for_each(|(lane, &state)| *lane = states.found(state as usize));
        let lanes: &[&Lane] = &lanes[..count];
        tied.clear();
        let mut visitor = BestByLane { best, tied: &mut *tied };
        visit_plays(setup, lanes, (prepared, leaves), (queue, spelling), &mut visitor);
        let best = visitor.best;
        // Every play as good as the best one was visited.
        for &state in open {
            known[state as usize].most = Equity(best.equity.0 - 1);
        }
        for &play in &*tied {
            let lane = (play.direction, play.start.lane(play.direction).0);
            let state = board.states[states.before(lane)];
            known[state as usize] = Known { most: best.equity, play: Some(play) };
        }
        best
    }

    /// The number of a rack with these values of its leaves.
    fn known_rack(&mut self, rack: &Rack, leaves: impl FnOnce() -> LeaveValues, fixes_leaves: bool) -> usize {
        let known = &self.racks[..self.used];
        let same_rack = |known: &KnownRack| fixes_leaves && known.fixes_leaves && known.turn_rack == *rack;
        if let Some(number) = known.iter().rposition(same_rack) {
            return number;
        }
        let leaves = leaves();
        let len = leaves.sub_racks.len();
        let same_values = |known: &KnownRack| known.turn_rack == *rack && known.leaves.values[..len] == leaves.values[..len];
        if let Some(number) = known.iter().rposition(same_values) {
            return number;
        }
        if self.used == self.racks.len() {
            let (leaves, prepared, spelling) = (leaves.clone(), SearchRack::default(), Spelling::default());
            self.racks.push(KnownRack { turn_rack: *rack, fixes_leaves, leaves, prepared, spelling, lanes: Vec::new() });
        }
        let known = &mut self.racks[self.used];
        (known.turn_rack, known.fixes_leaves, known.leaves) = (*rack, fixes_leaves, leaves);
        known.lanes.clear();
        known.spelling.begin();
        known.prepared.fill(self.setup, &known.leaves);
        self.used += 1;
        self.used - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bag::Bag;
    use crate::deals::Domain;
    use crate::game::Game;
    use crate::movegen::Generator;
    use crate::moves::Move;
    use crate::rack::{MAX_SUB_RACKS, SubRacks};
    use crate::rng::stream;
    use crate::tileset::TileSet;

    const SPANISH: &str = "CASA\nSACO\nOCA\nCAL[LL]E\nES\nSE\nSECO\n[CH]AL\nLA\nLE\nSAL\nOLA\n";
    const POLISH: &str = "KOT\nKOTA\nOKO\nTAK\nŁAD\nAKT\nTO\nKĄT\nOKA\nNO\nNA\nZA\nRZĄD\n";

    /// Leave values in whole points, so that many moves tie.
    fn leaves(rack: &Rack) -> LeaveValues {
        let sub_racks = SubRacks::new(rack);
        let mut values = [Equity::ZERO; MAX_SUB_RACKS];
        for (number, value) in values[..sub_racks.len()].iter_mut().enumerate() {
            let leave = sub_racks.get(number);
            let points = leave.kinds().map(|(kind, count)| i32::from(kind % 5) * i32::from(count) - 4);
            *value = Equity::from_points(points.sum());
        }
        LeaveValues { sub_racks, values }
    }

    /// Tries the best moves of a position on some deals, two replies deep, and compares each reply with that of a generator; `fixes_leaves`
    /// tells that the values of leaves follow from the rack, which they do. Returns the number of replies, and how many of them were plays.
    fn compare(setup: &Setup, game: &mut Game, fixes_leaves: bool) -> [usize; 2] {
        let mut generator = Generator::new(setup);
        let turn = game.turn(setup);
        let candidates = generator.top_moves(&turn, &leaves(&turn.rack), 8);
        let mut boards = ManyBoards::new(setup, game.board(), game.cross_sets());
        let mut after = Vec::new();
        for valued in &candidates {
            let undo = game.make_with_undo(setup, &valued.chosen);
            let mut lanes = boards.first_board();
            boards.change(&mut lanes, super::super::all_lanes(game.board().side()), game.board(), game.cross_sets());
            after.push(lanes);
            game.unmake(&undo);
        }
        boards.keep();
        let mut counts = [0; 2];
        for deal in 0..6 {
            game.shuffle_unseen(stream(deal, "test", 0));
            boards.begin_deal();
            for (valued, lanes) in candidates.iter().zip(&after) {
                let (mut lanes, mut undos) = (*lanes, vec![game.make_with_undo(setup, &valued.chosen)]);
                while undos.len() < 3 && !game.is_over() {
                    let turn = game.turn(setup);
                    let values = leaves(&turn.rack);
                    let reply = boards.best_move(&turn, || values.clone(), fixes_leaves, &lanes);
                    assert_eq!(reply, generator.best_move(&turn, &values));
                    counts[0] += 1;
                    counts[1] += usize::from(matches!(reply.chosen, Move::Play(_)));
                    let undo = game.make_with_undo(setup, &reply.chosen);
                    boards.change(&mut lanes, super::super::all_lanes(game.board().side()), game.board(), game.cross_sets());
                    undos.push(undo);
                }
                undos.iter().rev().for_each(|undo| game.unmake(undo));
            }
        }
        counts
    }

    #[test]
    fn the_moves_are_those_of_a_generator() {
        let words = |tileset, words| Setup::from_words(TileSet::embedded(tileset).unwrap(), words).unwrap();
        let english = Setup::embedded("english").unwrap();
        let Setup { tileset, layout, lexicon, .. } = Setup::embedded("english").unwrap();
        let without_map = Setup::without_word_map(tileset, layout, lexicon).unwrap();
        let super_english = Setup::embedded("english_super").unwrap();
        let others = [(words("spanish", SPANISH), 8), (words("polish", POLISH), 8), (without_map, 1), (super_english, 1)];
        for (setup, games) in [(english, 3)].into_iter().chain(others) {
            let (mut generator, mut counts) = (Generator::new(&setup), [0; 2]);
            for index in 0..games {
                let mut game = Game::with_bag(&setup, Bag::new(&setup.tileset, Domain::Match.deals(17), index));
                for turn in 0..24 {
                    if game.is_over() {
                        break;
                    }
                    if turn % 2 == 0 {
                        let some = compare(&setup, &mut game.clone(), turn % 4 == 0);
                        counts = [counts[0] + some[0], counts[1] + some[1]];
                    }
                    let chosen = generator.best_move(&game.turn(&setup), &leaves(game.rack())).chosen;
                    game.make(&setup, &chosen);
                }
            }
            assert!(counts[0] > 900 && counts[1] > 200, "{} {counts:?}", setup.tileset.name());
        }
    }
}
