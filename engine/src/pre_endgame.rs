//! The pre-endgame: few tiles are left in the bag, and every split of the unseen tiles is searched.
//!
//! 1. Candidates are screened by their static equity. Some plays of few tiles pass the screen in any case, because they fish.
//! 2. Each candidate is tried on every [`Split`] of the unseen tiles into bag and opponent's rack, weighted by the number of
//!    ways to draw it. A candidate that empties the bag leads to an endgame. All candidates are estimated by static play to the
//!    end, the best of them then by the fast evaluator.
//! 3. The endgames of the most promising candidates are searched exactly for the winner, the likeliest losses first. A
//!    candidate is dropped when it can no longer win as often as another, and postponed while its estimate is much worse.
//!    Candidates that win equally often are searched for the spread.
//!
//! **Exact and estimated.** A candidate that empties the bag is exact: the opponent knows both racks in each endgame. A
//! candidate that leaves tiles in the bag is not: until the bag is empty, both players are assumed to choose moves by static
//! equity from their own view, and only then play is exact. Such a candidate, above all a pass, tends to be overestimated,
//! because the opponent's best reply can be better than the static one.
//!
//! **Five and six tiles in the bag.** There are too many splits. Every candidate is tried on the same deals, drawn at
//! random, each played statically until the bag is empty. The fast evaluator estimates the endgames of the best candidates,
//! and none is searched. These come before the others, whose endgames are played out statically too.
//!
//! After Sheppard (2002), chapter 9, which also assumes that the opponent then knows both racks.
//!
//! The cost is the number of endgames: up to 8 per candidate with one tile in the bag, 36 with two, 120 with three, 330 with
//! four, and more if a candidate leaves tiles in the bag. [`Settings`] limit the number of positions searched, so that the
//! result does not depend on the machine or on the number of threads. With a limit of time it does.

use thiserror::Error;

use crate::endgame::SolverMemory;
use crate::equity::Equity;
use crate::game::Game;
use crate::monitor::{Monitor, NoMonitor, share_out};
use crate::movegen::{Generator, ValuedMove};
use crate::moves::Move;
use crate::rack::Rack;
use crate::setup::Setup;
use crate::static_player::StaticPlayer;

mod settings;
mod race_candidate;
mod worker;
mod race;

pub use settings::{MAX_BAG, MAX_EXACT_BAG, Settings};
pub use worker::{Split, splits};

use race::{Cost, Race};
use race_candidate::{Effort, RaceCandidate, WIN};
use settings::Deadline;
use worker::{Draw, Root, Worker, draws};

/// The maximum number of tiles of a fishing play, which passes the static screen despite its equity.
const FISHING_TILES: usize = 2;

/// Why a position is not a pre-endgame.
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PreEndgameError {
    #[error("{tiles} tiles are left in the bag; a pre-endgame has 1 to {MAX_BAG}")]
    Bag { tiles: usize },
    #[error("the game is over")]
    Over,
}

/// The certainty of a candidate's win probability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// The candidate empties the bag, and the winner of every endgame is known.
    Exact,
    /// The winner of every endgame is known, but the moves while there are tiles in the bag are static.
    GuessedReplies,
    /// The winner of some endgames is unknown and estimated.
    Partial,
    /// Only some draws of many were tried, and their endgames were estimated by the fast evaluator.
    Simulated,
    /// All endgames are estimated, by the fast evaluator or by static play to the end.
    Estimate,
}

/// A move with its results, from the view of the player to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub chosen: Move,
    /// The leave of the move.
    pub leave: Rack,
    /// The place in the static ranking, from 0.
    pub static_place: usize,
    /// The win probability, 0–1. A draw counts half.
    pub win_probability: f64,
    /// The proved lower and upper bound of the win probability. `None` if replies are assumed or only some draws were tried.
    pub win_bounds: Option<(f64, f64)>,
    /// The mean final spread in points.
    pub spread: f64,
    /// Whether every endgame was searched for its value, so that the spread is as certain as the win probability.
    pub is_spread_calculated: bool,
    /// The certainty of the win probability.
    pub certainty: Certainty,
    /// The number of distinct endgames to which it can lead.
    pub endgames: usize,
    /// The number of endgames whose winner is known.
    pub decided: usize,
    /// The share of the draws, 0–1, whose winner is certain if both players reply as assumed.
    pub certain: f64,
    /// The share of the draws, 0–1, whose winner is proved: `certain` if no reply is assumed, otherwise 0.
    pub proved: f64,
    /// Whether another candidate is certainly better.
    pub is_beaten: bool,
}

/// The result of a pre-endgame search.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The candidates, the best first. Candidates whose endgames were searched come before estimated ones. Then the win
    /// probability decides, then whether the spread is exact, then the mean spread, then the order of moves.
    pub candidates: Vec<Candidate>,
    /// The number of distinct splits of the unseen tiles, or of deals that were drawn.
    pub draws: usize,
    /// The number of legal moves, including those that are not candidates.
    pub legal_moves: usize,
    /// The number of endgame searches. An endgame may be searched twice.
    pub endgames: u64,
    /// The number of positions searched in endgames.
    pub nodes: u64,
}

/// A pre-endgame solver. It reuses its memory, but its results depend on the position and the settings only.
#[derive(Debug)]
pub struct PreEndgame<'a> {
    setup: &'a Setup,
    static_player: StaticPlayer,
    settings: Option<Settings>,
    workers: Vec<Worker<'a>>,
    monitor: &'a dyn Monitor,
}

impl<'a> PreEndgame<'a> {
    /// Creates a solver for a setup, with one thread, that screens moves by a static player.
    pub fn new(setup: &'a Setup, static_player: StaticPlayer) -> PreEndgame<'a> {
        PreEndgame::with_memory(setup, static_player, SolverMemory::default())
    }

    /// Creates a solver that reuses the memory of an endgame solver.
    pub(crate) fn with_memory(setup: &'a Setup, static_player: StaticPlayer, memory: SolverMemory) -> PreEndgame<'a> {
        let workers = vec![Worker::new(setup, memory)];
        PreEndgame { setup, static_player, settings: None, workers, monitor: &NoMonitor }
    }

    /// Returns the memory of its first endgame solver for reuse.
    pub(crate) fn into_memory(self) -> SolverMemory {
        self.workers.into_iter().next().map(Worker::into_memory).unwrap_or_default()
    }

    /// Sets the number of threads of the current thread pool to use, each with its own endgame solver.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> PreEndgame<'a> {
        let workers = (0..threads.max(1)).map(|_| Worker::new(self.setup, SolverMemory::default())).collect();
        PreEndgame { workers, ..self }
    }

    /// Sets the settings, in place of [`Settings::for_bag`].
    #[must_use]
    pub fn with_settings(self, settings: Settings) -> PreEndgame<'a> {
        PreEndgame { settings: Some(settings), ..self }
    }

    /// Lets a stop request of the monitor end the search, as the end of its time does.
    #[must_use]
    pub(crate) fn stopped_by(self, monitor: &'a dyn Monitor) -> PreEndgame<'a> {
        PreEndgame { monitor, ..self }
    }

    /// Searches a position. The result does not depend on how the unseen tiles of `game` are dealt.
    ///
    /// # Errors
    /// [`PreEndgameError`] if there are no or too many tiles in the bag, or the game is over.
    pub fn solve(&mut self, game: &Game) -> Result<Analysis, PreEndgameError> {
        let settings = self.check(game)?;
        let all = self.ranked(game);
        let chosen = screen(&all, game, self.setup, &settings);
        let root = Root { game, static_player: &self.static_player, deadline: Deadline::from_now(&settings, self.monitor) };
        let (draws, candidates) = candidates(&mut self.workers, root, &settings, &chosen);
        let mut race = Race { workers: &mut self.workers, root, settings: &settings, candidates, cost: Cost::default() };
        race.run();
        let Race { mut candidates, cost, .. } = race;
        let searched = if is_drawn(game) { Effort::Estimated } else { Effort::Decided };
        candidates.sort_by_cached_key(|candidate| {
            let is_guessed = candidate.effort < searched && !candidate.is_decided();
            let is_compared = candidate.is_valued();
            (is_guessed, -candidate.wins(), !is_compared, -candidate.spread(), candidate.chosen.chosen)
        });
        let candidates = candidates.iter().map(|candidate| result(candidate, game)).collect();
        let Cost { nodes, endgames, .. } = cost;
        Ok(Analysis { candidates, draws, legal_moves: all.len(), endgames, nodes })
    }

    /// Returns the best move of a position. Its equity is its expected change of the spread to the end of the game.
    /// `None` means that the time was too short to try any move.
    ///
    /// # Errors
    /// As [`PreEndgame::solve`].
    pub fn choose(&mut self, game: &Game) -> Result<Option<ValuedMove>, PreEndgameError> {
        let analysis = self.solve(game)?;
        let spread = |best: &Candidate| Equity((1000.0 * (best.spread - f64::from(game.spread()))).round() as i32);
        let best = analysis.candidates.first();
        Ok(best.map(|best| ValuedMove { chosen: best.chosen, equity: spread(best) }))
    }

    /// Searches only these moves, all their endgames: for the spread if `with_spread`, otherwise for the winner.
    ///
    /// # Errors
    /// As [`PreEndgame::solve`].
    pub fn solve_moves(
        &mut self,
        game: &Game,
        moves: &[Move],
        with_spread: bool,
    ) -> Result<Vec<Candidate>, PreEndgameError> {
        let settings = self.check(game)?;
        let ranked = self.ranked(game).into_iter().enumerate();
        let ranked: Vec<(usize, ValuedMove)> = ranked.filter(|(_, valued)| moves.contains(&valued.chosen)).collect();
        let root = Root { game, static_player: &self.static_player, deadline: Deadline::from_now(&settings, self.monitor) };
        let (_, candidates) = candidates(&mut self.workers, root, &settings, &ranked);
        let mut race = Race { workers: &mut self.workers, root, settings: &settings, candidates, cost: Cost::default() };
        let effort = if with_spread { Effort::Valued } else { Effort::Decided };
        (0..race.candidates.len()).for_each(|number| race.search_all(number, effort));
        Ok(race.candidates.iter().map(|candidate| result(candidate, game)).collect())
    }

    fn check(&self, game: &Game) -> Result<Settings, PreEndgameError> {
        let tiles = game.bag.len();
        if game.is_over() || game.racks.iter().any(Rack::is_empty) {
            return Err(PreEndgameError::Over);
        }
        if !(1..=MAX_BAG).contains(&tiles) {
            return Err(PreEndgameError::Bag { tiles });
        }
        Ok(self.settings.unwrap_or_else(|| Settings::for_bag(tiles)))
    }

    fn ranked(&self, game: &Game) -> Vec<ValuedMove> {
        self.static_player.rank(&mut Generator::new(self.setup), &game.turn(self.setup))
    }
}

fn empties_bag(setup: &Setup, game: &Game, chosen: &Move) -> bool {
    let (leave, bag) = (game.rack().size() - chosen.tiles().len(), game.bag.len());
    !matches!(chosen, Move::Exchange(_)) && setup.tileset.rules().rack_size.saturating_sub(leave) >= bag
}

/// Returns the moves that pass the static screen, in order, with their places.
fn screen(all: &[ValuedMove], game: &Game, setup: &Setup, settings: &Settings) -> Vec<(usize, ValuedMove)> {
    let (mut fishing, mut emptying) = (0, 0);
    let mut passes = |place: usize, valued: &ValuedMove| {
        let is_fishing = matches!(valued.chosen, Move::Play(play) if play.tiles.len() <= FISHING_TILES);
        let is_emptying = empties_bag(setup, game, &valued.chosen);
        fishing += usize::from(is_fishing);
        emptying += usize::from(is_emptying);
        place < settings.screened
            || is_fishing && fishing <= settings.screened_extra
            || is_emptying && emptying <= settings.screened_extra
            || valued.chosen == Move::Pass
    };
    all.iter().copied().enumerate().filter(|(place, valued)| passes(*place, valued)).collect()
}

/// Whether there are too many draws to try them all.
fn is_drawn(game: &Game) -> bool {
    game.bag.len() > MAX_EXACT_BAG
}

/// Returns the number of draws, and the moves with their lines on every draw. After the deadline it returns only the moves
/// before the first move that was not tried on all of them.
fn candidates(
    workers: &mut [Worker<'_>],
    root: Root<'_>,
    settings: &Settings,
    moves: &[(usize, ValuedMove)],
) -> (usize, Vec<RaceCandidate>) {
    let draws = draws(&root.game.unseen(), root.game.bag.len(), settings.deals);
    let jobs: Vec<(Move, &Draw)> =
        moves.iter().flat_map(|(_, valued)| draws.iter().map(|draw| (valued.chosen, draw))).collect();
    let lines = share_out(workers, &jobs, |worker, (chosen, draw)| {
        (!root.deadline.is_over()).then(|| worker.lines(root, draw, chosen))
    });
    let mut lines = lines.into_iter();
    let candidates = moves.iter().map_while(|&(place, chosen)| {
        let lines: Option<Vec<Vec<_>>> = lines.by_ref().take(draws.len()).collect();
        let lines: Vec<_> = lines?.into_iter().flatten().collect();
        let empties_bag = lines.iter().all(|line| line.replies.is_empty());
        Some(RaceCandidate { chosen, place, empties_bag, lines, effort: Effort::Guessed, is_beaten: false })
    });
    let candidates: Vec<RaceCandidate> = candidates.collect();
    let ways = |draw: &Draw| {
        let (orders, ways) = draw.orders();
        ways * orders.len() as u64
    };
    debug_assert!(candidates.iter().all(|candidate| candidate.ways() == draws.iter().map(ways).sum::<u64>()));
    (draws.len(), candidates)
}

fn result(candidate: &RaceCandidate, game: &Game) -> Candidate {
    let ways = candidate.ways() as f64;
    let probability = |wins: i64| wins as f64 / (ways * WIN as f64);
    let decided_lines = || candidate.lines.iter().filter(|line| line.is_decided());
    let (decided, decided_ways) = (decided_lines().count(), decided_lines().map(|line| line.ways).sum::<u64>());
    let is_drawn = is_drawn(game);
    let certain = if is_drawn { 0.0 } else { decided_ways as f64 / ways };
    let assumes_nothing = candidate.empties_bag && !is_drawn;
    let certainty = match candidate {
        candidate if is_drawn && candidate.effort >= Effort::Estimated => Certainty::Simulated,
        _ if is_drawn => Certainty::Estimate,
        candidate if decided == candidate.lines.len() && candidate.empties_bag => Certainty::Exact,
        candidate if decided == candidate.lines.len() => Certainty::GuessedReplies,
        candidate if candidate.effort > Effort::Estimated => Certainty::Partial,
        _ => Certainty::Estimate,
    };
    Candidate {
        chosen: candidate.chosen.chosen,
        leave: game.rack().minus(&Rack::from_tiles(candidate.chosen.chosen.tiles())).unwrap_or_default(),
        static_place: candidate.place,
        win_probability: probability(candidate.wins()),
        win_bounds: assumes_nothing.then(|| (probability(candidate.min_wins()), probability(candidate.max_wins()))),
        spread: candidate.spread() as f64 / ways,
        is_spread_calculated: candidate.is_valued(),
        certainty,
        endgames: candidate.lines.len(),
        decided,
        certain,
        proved: if assumes_nothing { certain } else { 0.0 },
        is_beaten: candidate.is_beaten,
    }
}
