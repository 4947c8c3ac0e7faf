//! The pre-endgame: few tiles are left in the bag, and every way that the unseen tiles can be parted is looked at.
//!
//! 1. Candidates are screened by their static equity; plays of few tiles are kept beside, since they fish.
//! 2. Each is tried on every [`Split`] of the unseen tiles into bag and other rack, weighted by the ways to draw it. A candidate
//!    that takes the whole bag leads to an endgame. All are estimated by static play to the end, the best of them then by the
//!    fast evaluator.
//! 3. The endgames of those that look best are searched exactly, for who wins, the likeliest losses first; a candidate is dropped
//!    when it can no longer win as often as another, and left aside while it looks much worse. Those that win equally often are
//!    searched for the spread.
//!
//! **Exact and estimated.** A candidate that takes the whole bag is exact: the other player sees all in each of those endgames. One
//! that leaves tiles there is not: until the bag is empty both are taken to play by static equity, each seeing what it may see,
//! and only from there on play is exact. Such a candidate, a pass above all, tends to look better than it is, since the other's
//! best reply can be better than the static one.
//!
//! After Sheppard (2002), chapter 9; that the other player then knows all, chapter 9 takes for granted too.
//!
//! The cost is that of the endgames: with one tile in the bag there are up to 8 a candidate, with two 36, with three 120, with
//! four 330, and more where tiles stay in the bag. [`Settings`] bound it in positions searched, so that the result does not depend
//! on the machine, nor on the number of threads.

use thiserror::Error;

use crate::endgame::SolverMemory;
use crate::equity::Equity;
use crate::game::Game;
use crate::movegen::{Generator, ValuedMove};
use crate::moves::Move;
use crate::rack::Rack;
use crate::setup::Setup;
use crate::static_player::StaticPlayer;

mod settings;
mod splits;
mod contender;
mod worker;
mod race;

pub use settings::{LISTING, MOST_BAG, Settings};
pub use splits::{Split, splits};

use contender::{Contender, Effort, WON};
use race::{Race, Spent, share_out};
use splits::factorial;
use worker::{Scene, Worker};

/// Plays of so few tiles are kept by the static screen though others have more equity.
const FISHING_TILES: usize = 2;

/// What cannot be calculated as a pre-endgame.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PreEndgameError {
    /// Nothing or too much in the bag.
    #[error("{tiles} tiles are left in the bag; a pre-endgame has 1 to {MOST_BAG}")]
    Bag {
        /// Tiles in the bag.
        tiles: usize,
    },
    /// There is nothing to decide.
    #[error("the game is over")]
    Over,
}

/// How sure the chance of a candidate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// It takes the whole bag, and every endgame is decided.
    Exact,
    /// Every endgame is decided, but the moves before, while there are tiles in the bag, are static ones.
    GuessedReplies,
    /// Some endgames are undecided: their part of the chance is an estimate.
    Partial,
    /// All is estimated, by the fast evaluator or by static play to the end.
    Estimate,
}

/// A move and what comes of it, from the view of the player to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub chosen: Move,
    /// What it keeps.
    pub leave: Rack,
    /// Its place in the static ranking, from 0.
    pub static_place: usize,
    /// The chance to win, 0–1, a draw being half a win.
    pub win_chance: f64,
    /// The chance is certainly not below the first, and not above the second, where the replies are what they are taken to be.
    pub win_bounds: (f64, f64),
    /// The mean of the final spread in points.
    pub spread: f64,
    /// Whether every endgame was searched for its value, so that the spread is as sure as the chance.
    pub is_spread_calculated: bool,
    /// How sure the chance is.
    pub certainty: Certainty,
    /// Endgames that it can lead to, as many as can be told apart.
    pub endgames: usize,
    /// Those of which it is known who wins.
    pub decided: usize,
    /// Whether another is certainly better.
    pub is_beaten: bool,
}

/// A pre-endgame calculated.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The candidates, the best first: those whose endgames were searched before those that are estimated, then by chance, those
    /// compared by exact spread before others of the same chance, by mean spread, and by the order of moves.
    pub candidates: Vec<Candidate>,
    /// Ways to part the unseen tiles, as many as can be told apart.
    pub splits: usize,
    /// Legal moves, of which the candidates are a part.
    pub legal_moves: usize,
    /// Endgames searched, those searched twice counted twice.
    pub endgames: u64,
    /// Positions searched for them.
    pub nodes: u64,
}

/// Calculates pre-endgames, one after another; keeps memory between them, and nothing else that shows.
pub struct PreEndgame<'a> {
    setup: &'a Setup,
    static_player: StaticPlayer,
    settings: Option<Settings>,
    workers: Vec<Worker<'a>>,
}

impl<'a> PreEndgame<'a> {
    /// For one tile set, board and lexicon, screening by a static player, on one thread.
    pub fn new(setup: &'a Setup, static_player: StaticPlayer) -> PreEndgame<'a> {
        PreEndgame::with_memory(setup, static_player, SolverMemory::default())
    }

    /// The same with the memory of a solver before.
    pub fn with_memory(setup: &'a Setup, static_player: StaticPlayer, memory: SolverMemory) -> PreEndgame<'a> {
        PreEndgame { setup, static_player, settings: None, workers: vec![Worker::new(setup, memory)] }
    }

    /// The memory of its first solver, for the next.
    pub fn into_memory(self) -> SolverMemory {
        self.workers.into_iter().next().map(Worker::into_memory).unwrap_or_default()
    }

    /// The same on so many threads of the present pool, each with an endgame solver of its own.
    #[must_use]
    pub fn on_threads(self, threads: usize) -> PreEndgame<'a> {
        let workers = (0..threads.max(1)).map(|_| Worker::new(self.setup, SolverMemory::default())).collect();
        PreEndgame { workers, ..self }
    }

    /// The same with these settings, in place of [`Settings::for_bag`].
    #[must_use]
    pub fn with_settings(self, settings: Settings) -> PreEndgame<'a> {
        PreEndgame { settings: Some(settings), ..self }
    }

    /// Calculates a position. Of what the player to move cannot see, only the numbers of tiles matter.
    ///
    /// # Errors
    /// [`PreEndgameError`].
    pub fn solve(&mut self, game: &Game) -> Result<Analysis, PreEndgameError> {
        let settings = self.check(game)?;
        let all = self.ranked(game);
        let chosen = screen(&all, game, self.setup, &settings);
        let scene = Scene { game, static_player: &self.static_player };
        let (splits, contenders) = contenders(&mut self.workers, scene, &chosen);
        let mut race = Race { workers: &mut self.workers, scene, settings: &settings, contenders, spent: Spent::default() };
        race.run();
        let Race { mut contenders, spent, .. } = race;
        contenders.sort_by_cached_key(|contender| {
            let is_guessed = contender.effort < Effort::Decided && !contender.is_decided();
            let is_compared = contender.is_valued();
            (is_guessed, -contender.wins(), !is_compared, -contender.spread(), contender.chosen.chosen)
        });
        let candidates = contenders.iter().map(|contender| told(contender, game)).collect();
        let Spent { nodes, endgames, .. } = spent;
        Ok(Analysis { candidates, splits, legal_moves: all.len(), endgames, nodes })
    }

    /// The best move of a position, its equity being by how much the spread is expected to change.
    ///
    /// # Errors
    /// [`PreEndgameError`].
    pub fn choose(&mut self, game: &Game) -> Result<ValuedMove, PreEndgameError> {
        let analysis = self.solve(game)?;
        let best = analysis.candidates.first();
        let spread = |best: &Candidate| Equity((1000.0 * (best.spread - f64::from(game.spread()))).round() as i32);
        Ok(best.map_or(ValuedMove { chosen: Move::Pass, equity: Equity::PASS }, |best| ValuedMove {
            chosen: best.chosen,
            equity: spread(best),
        }))
    }

    /// Calculates these moves alone, each to the end: for the spread where `with_spread`, else for who wins.
    ///
    /// # Errors
    /// [`PreEndgameError`].
    pub fn solve_moves(
        &mut self,
        game: &Game,
        moves: &[Move],
        with_spread: bool,
    ) -> Result<Vec<Candidate>, PreEndgameError> {
        let settings = self.check(game)?;
        let ranked = self.ranked(game).into_iter().enumerate();
        let ranked: Vec<(usize, ValuedMove)> = ranked.filter(|(_, valued)| moves.contains(&valued.chosen)).collect();
        let scene = Scene { game, static_player: &self.static_player };
        let (_, contenders) = contenders(&mut self.workers, scene, &ranked);
        let mut race = Race { workers: &mut self.workers, scene, settings: &settings, contenders, spent: Spent::default() };
        let effort = if with_spread { Effort::Valued } else { Effort::Decided };
        (0..race.contenders.len()).for_each(|number| race.search_all(number, effort));
        Ok(race.contenders.iter().map(|contender| told(contender, game)).collect())
    }

    fn check(&self, game: &Game) -> Result<Settings, PreEndgameError> {
        let tiles = game.bag.len();
        if game.is_over() || game.racks.iter().any(Rack::is_empty) {
            return Err(PreEndgameError::Over);
        }
        if !(1..=MOST_BAG).contains(&tiles) {
            return Err(PreEndgameError::Bag { tiles });
        }
        Ok(self.settings.unwrap_or_else(|| Settings::for_bag(tiles)))
    }

    /// Every move in the static player's order.
    fn ranked(&self, game: &Game) -> Vec<ValuedMove> {
        self.static_player.rank(&mut Generator::new(self.setup), &game.turn(self.setup))
    }
}

/// Tiles that the player to move draws after a move.
fn drawn(setup: &Setup, game: &Game, chosen: &Move) -> usize {
    let kept = game.rack().size() - chosen.tiles().len();
    setup.tileset.rules().rack_size.saturating_sub(kept).min(game.bag.len())
}

fn takes_bag(setup: &Setup, game: &Game, chosen: &Move) -> bool {
    !matches!(chosen, Move::Exchange(_)) && drawn(setup, game, chosen) == game.bag.len()
}

/// The moves that pass the static screen, in their order, with their places.
fn screen(all: &[ValuedMove], game: &Game, setup: &Setup, settings: &Settings) -> Vec<(usize, ValuedMove)> {
    let (mut fishing, mut emptying) = (0, 0);
    let mut passes = |place: usize, valued: &ValuedMove| {
        let is_fishing = matches!(valued.chosen, Move::Play(play) if play.tiles.len() <= FISHING_TILES);
        let is_emptying = takes_bag(setup, game, &valued.chosen);
        fishing += usize::from(is_fishing);
        emptying += usize::from(is_emptying);
        place < settings.screened
            || is_fishing && fishing <= settings.screened_beside
            || is_emptying && emptying <= settings.screened_beside
            || valued.chosen == Move::Pass
    };
    all.iter().copied().enumerate().filter(|(place, valued)| passes(*place, valued)).collect()
}

/// The moves with their lines on every split, and how many splits there are.
fn contenders(workers: &mut [Worker<'_>], scene: Scene<'_>, moves: &[(usize, ValuedMove)]) -> (usize, Vec<Contender>) {
    let splits = splits(&scene.game.unseen(), scene.game.bag.len());
    let jobs: Vec<(Move, &Split)> =
        moves.iter().flat_map(|(_, valued)| splits.iter().map(|split| (valued.chosen, split))).collect();
    let lines = share_out(workers, &jobs, |worker, (chosen, split)| worker.lines(scene, split, chosen));
    let mut lines = lines.into_iter();
    let contenders = moves.iter().map(|&(place, chosen)| {
        let lines: Vec<_> = lines.by_ref().take(splits.len()).flatten().collect();
        let empties_bag = lines.iter().all(|line| line.replies.is_empty());
        Contender { chosen, place, empties_bag, lines, effort: Effort::Guessed, is_beaten: false }
    });
    let contenders: Vec<Contender> = contenders.collect();
    debug_assert!(contenders.iter().all(|contender| {
        let ways: u64 = splits.iter().map(|split| split.ways).sum();
        contender.ways() == ways * factorial(scene.game.bag.len())
    }));
    (splits.len(), contenders)
}

/// What is told of a candidate.
fn told(contender: &Contender, game: &Game) -> Candidate {
    let ways = contender.ways() as f64;
    let chance = |wins: i64| wins as f64 / (ways * WON as f64);
    let decided = contender.lines.iter().filter(|line| line.is_decided()).count();
    let certainty = match contender {
        contender if decided == contender.lines.len() && contender.empties_bag => Certainty::Exact,
        contender if decided == contender.lines.len() => Certainty::GuessedReplies,
        contender if contender.effort > Effort::Estimated => Certainty::Partial,
        _ => Certainty::Estimate,
    };
    Candidate {
        chosen: contender.chosen.chosen,
        leave: game.rack().minus(&Rack::from_tiles(contender.chosen.chosen.tiles())).unwrap_or_default(),
        static_place: contender.place,
        win_chance: chance(contender.wins()),
        win_bounds: (chance(contender.least_wins()), chance(contender.most_wins())),
        spread: contender.spread() as f64 / ways,
        is_spread_calculated: contender.is_valued(),
        certainty,
        endgames: contender.lines.len(),
        decided,
        is_beaten: contender.is_beaten,
    }
}
