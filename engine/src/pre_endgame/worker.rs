//! The work of a thread: following lines until the bag is empty, and evaluating the endgames. The splits of the unseen tiles into bag and
//! opponent's rack.

use super::race_candidate::{Effort, Line, SearchResult, probability_after_static_play, to_win_units};
use super::settings::{Deadline, MAX_EXACT_BAG};
use crate::endgame::fast::FastEvaluator;
use crate::endgame::{Limits, Solver, SolverMemory};
use crate::game::Game;
use crate::movegen::Generator;
use crate::moves::Move;
use crate::rack::Rack;
use crate::rack::sub_racks::{multisets, ways};
use crate::rng::{shuffle, stream};
use crate::setup::Setup;
use crate::static_player::StaticPlayer;
use crate::tileset::Tile;

/// A bound above any final spread, in points.
const MAX_SPREAD: i32 = 1 << 24;

/// The tools of a thread. The result of a job depends on the job only.
#[derive(Debug)]
pub(super) struct Worker<'a> {
    setup: &'a Setup,
    generator: Generator<'a>,
    solver: Solver<'a>,
    fast: FastEvaluator<'a>,
}

/// The root position and the player who follows its lines.
#[derive(Clone, Copy)]
pub(super) struct Root<'s> {
    /// The position before the candidate. Each line deals the unseen tiles.
    pub game: &'s Game,
    /// The player who chooses the moves until the bag is empty.
    pub static_player: &'s StaticPlayer,
    /// The end of the search.
    pub deadline: Deadline<'s>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(setup: &'a Setup, memory: SolverMemory) -> Worker<'a> {
        let solver = Solver::with_memory(setup, memory);
        Worker { setup, generator: Generator::new(setup), solver, fast: FastEvaluator::new(setup) }
    }

    pub(super) fn into_memory(self) -> SolverMemory {
        self.solver.into_memory()
    }

    /// Returns all lines of a candidate on a draw, with their estimates.
    pub(super) fn lines(&mut self, root: Root<'_>, draw: &Draw, chosen: &Move) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        let (orders, ways) = draw.orders();
        let all = ways * orders.len() as u64;
        for bag in orders {
            let (mut line, game) = self.follow(root, bag, chosen);
            if line.replies.is_empty() {
                // The candidate draws the whole bag, so the order does not matter.
                line.ways = all;
                self.estimate_statically(&mut line, game, root);
                return vec![line];
            }
            line.ways = ways;
            if let Some(same) = lines.iter_mut().find(|same| same.is_same(&line)) {
                same.ways += ways;
            } else {
                self.estimate_statically(&mut line, game, root);
                lines.push(line);
            }
        }
        lines
    }

    /// Makes the candidate, then static moves until the bag is empty or the game is over.
    fn follow(&mut self, root: Root<'_>, bag: Vec<u8>, chosen: &Move) -> (Line, Game) {
        let mut game = with_bag(root.game, &bag);
        game.make(self.setup, chosen);
        let mut replies = Vec::new();
        while !game.bag.is_empty() && !game.is_over() {
            let reply = root.static_player.choose(&mut self.generator, &game.turn(self.setup)).chosen;
            game.make(self.setup, &reply);
            replies.push(reply);
        }
        let racks = game.racks;
        let line = Line {
            bag,
            replies,
            ways: 0,
            estimated_spread: 0,
            estimated_wins: 0,
            bounds: (-MAX_SPREAD, MAX_SPREAD),
            effort: Effort::Guessed,
            racks,
        };
        (line, game)
    }

    /// Estimates a line by static play to the end. The result is exact if the game is over.
    fn estimate_statically(&mut self, line: &mut Line, mut game: Game, root: Root<'_>) {
        let player = root.game.to_move;
        let is_over = game.is_over();
        while !game.is_over() {
            let chosen = root.static_player.choose(&mut self.generator, &game.turn(self.setup)).chosen;
            game.make(self.setup, &chosen);
        }
        line.estimated_spread = game.scores[player] - game.scores[1 - player];
        line.estimated_wins = probability_after_static_play(line.estimated_spread);
        if is_over {
            line.bounds = (line.estimated_spread, line.estimated_spread);
        }
    }

    /// Returns the line with the estimate of the fast evaluator in place of static play.
    pub(super) fn estimate(&mut self, root: Root<'_>, chosen: &Move, line: &Line) -> Line {
        let mut line = line.clone();
        let game = self.endgame(root, chosen, &line);
        // An error means that the game is over, so the line is exact already.
        if let Ok(estimate) = self.fast.evaluate(&game) {
            let spread = game.spread() + estimate.value;
            let is_mine = game.to_move == root.game.to_move;
            let probability = estimate.win_probability;
            (line.estimated_spread, line.estimated_wins) =
                if is_mine { (spread, to_win_units(probability)) } else { (-spread, to_win_units(1.0 - probability)) };
        }
        line.effort = Effort::Estimated;
        line
    }

    /// Returns the position to which a line leads.
    fn endgame(&self, root: Root<'_>, chosen: &Move, line: &Line) -> Game {
        let mut game = with_bag(root.game, &line.bag);
        for made in std::iter::once(chosen).chain(&line.replies) {
            game.make(self.setup, made);
        }
        game
    }

    pub(super) fn search(
        &mut self,
        root: Root<'_>,
        chosen: &Move,
        line: &Line,
        effort: Effort,
        nodes: Option<u64>,
    ) -> SearchResult {
        let game = self.endgame(root, chosen, line);
        let player = root.game.to_move;
        let now = game.scores[player] - game.scores[1 - player];
        let limits = Limits { nodes, time: root.deadline.left(), first_win: effort == Effort::Decided };
        match self.solver.solve(&game, &limits) {
            Ok(solution) => {
                let (low, high) = solution.bounds;
                let bounds = if game.to_move == player { (now + low, now + high) } else { (now - high, now - low) };
                SearchResult { bounds, nodes: solution.nodes }
            }
            // An error means that the game is over, so the bounds are exact already.
            Err(_) => SearchResult { bounds: (-MAX_SPREAD, MAX_SPREAD), nodes: 0 },
        }
    }
}

/// Returns the game with this bag, and all other unseen tiles on the opponent's rack.
fn with_bag(game: &Game, bag: &[u8]) -> Game {
    let mut game = game.clone();
    game.deal_bag(bag.to_vec(), stream(0, "pre-endgame", 0));
    game
}

/// A split of the unseen tiles: some are in the bag, all others on the opponent's rack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// The tiles of the bag.
    pub bag: Rack,
    /// The number of ways to choose them from the unseen tiles, where tiles of one kind are distinct.
    pub ways: u64,
}

/// Contents of the bag on which a candidate is tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Draw {
    /// A split, with every order of its bag.
    Split(Split),
    /// One order of one bag, drawn at random.
    Order(Vec<u8>),
}

impl Draw {
    /// The orders of the bag, and the number of ways that each stands for.
    pub(super) fn orders(&self) -> (Vec<Vec<u8>>, u64) {
        match self {
            Draw::Split(split) => {
                let orders = orders(&split.bag);
                let ways = split.ways * factorial(split.bag.size()) / orders.len() as u64;
                (orders, ways)
            }
            Draw::Order(order) => (vec![order.clone()], 1),
        }
    }
}

/// Returns every split with `tiles` tiles in the bag or, if those are too many, as many orders of the bag as `deals`.
pub(super) fn draws(unseen: &Rack, tiles: usize, deals: u64) -> Vec<Draw> {
    if tiles <= MAX_EXACT_BAG {
        return splits(unseen, tiles).into_iter().map(Draw::Split).collect();
    }
    let order = |deal| {
        let mut kinds: Vec<u8> = unseen.tiles().map(Tile::kind).collect();
        shuffle(&mut kinds, &mut stream(0, "pre-endgame deals", deal));
        kinds.truncate(tiles);
        Draw::Order(kinds)
    };
    (0..deals).map(order).collect()
}

/// Returns every split with `tiles` tiles in the bag, in the order of the tile set. Their ways add up to the binomial
/// coefficient.
pub fn splits(unseen: &Rack, tiles: usize) -> Vec<Split> {
    let split = |bag| Split { bag, ways: ways(unseen, &bag) as u64 };
    multisets(unseen, tiles).into_iter().map(split).collect()
}

fn factorial(count: usize) -> u64 {
    (1..=count as u64).product()
}

/// Returns every distinct order of the tiles, where tiles of one kind are equal. Each stands for the same number of orders.
fn orders(bag: &Rack) -> Vec<Vec<u8>> {
    let mut order: Vec<u8> = bag.tiles().map(Tile::kind).collect();
    let mut found = vec![order.clone()];
    // The next permutation in lexicographic order, until there is none.
    while let Some(place) = (1..order.len()).rev().find(|&place| order[place - 1] < order[place]) {
        let larger = (place..order.len()).rev().find(|&other| order[other] > order[place - 1]).unwrap_or(place);
        order.swap(place - 1, larger);
        order[place..].reverse();
        found.push(order.clone());
    }
    found
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::rack::sub_racks::choose;
    use crate::tileset::TileSet;

    /// Counts every choice of `tiles` places by the kinds in these places.
    fn chosen_one_by_one(kinds: &[u8], tiles: usize) -> BTreeMap<Vec<u8>, u64> {
        let mut tally = BTreeMap::new();
        for places in 0..1u32 << kinds.len() {
            if places.count_ones() as usize == tiles {
                let chosen = (0..kinds.len()).filter(|place| places >> place & 1 == 1).map(|place| kinds[place]);
                *tally.entry(chosen.collect()).or_insert(0) += 1;
            }
        }
        tally
    }

    #[test]
    fn splits_count_the_ways_to_choose_the_bag() {
        let english = TileSet::embedded("english").unwrap();
        for text in ["ABCDEFGH", "AAAEEIO?S", "??EEEEQ", "Z", "AAAAAAAAA"] {
            let kinds: Vec<u8> =
                english.parse(text, crate::tileset::Style::Greedy).unwrap().iter().map(|t| t.kind()).collect();
            let mut unseen = Rack::default();
            for &kind in &kinds {
                unseen.add(kind);
            }
            let kinds: Vec<u8> = unseen.tiles().map(Tile::kind).collect();
            for tiles in 0..=4.min(kinds.len()) {
                let found = splits(&unseen, tiles);
                let tally: BTreeMap<Vec<u8>, u64> =
                    found.iter().map(|split| (split.bag.tiles().map(Tile::kind).collect(), split.ways)).collect();
                assert_eq!(tally.len(), found.len());
                assert_eq!(tally, chosen_one_by_one(&kinds, tiles), "{text}, {tiles}");
                let total: u64 = found.iter().map(|split| split.ways).sum();
                assert_eq!(u128::from(total), choose(kinds.len(), tiles));
            }
            assert!(splits(&unseen, kinds.len() + 1).is_empty());
        }
    }

    #[test]
    fn orders_are_all_distinct_permutations() {
        let english = TileSet::embedded("english").unwrap();
        for (text, count) in [("A", 1), ("AB", 2), ("AAB", 3), ("AABB", 6), ("ABC?", 24), ("AAAA", 1)] {
            let mut found = orders(&Rack::parse(text, &english).unwrap());
            found.sort();
            found.dedup();
            assert_eq!(found.len(), count, "{text}");
            assert!(found.iter().all(|order| order.len() == text.len()));
        }
    }
}
