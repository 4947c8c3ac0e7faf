//! The limits of a pre-endgame search.

use std::time::{Duration, Instant};

use crate::monitor::Monitor;

/// The maximum number of tiles in the bag of a pre-endgame.
pub const MAX_BAG: usize = 6;

/// The maximum number of tiles in the bag for which every split of the unseen tiles is tried. With more tiles there are too
/// many splits, so some are drawn.
pub const MAX_EXACT_BAG: usize = 4;

/// The cost of listing the plays of an endgame, in positions searched.
pub(crate) const LISTING_COST: u64 = 1_000;

/// The limits of a pre-endgame search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The number of moves with the highest equity that become candidates.
    pub screened: usize,
    /// The number of plays of one or two tiles, and of plays that empty the bag, that become candidates in addition.
    pub screened_extra: usize,
    /// The number of candidates whose endgames the fast evaluator estimates.
    pub estimated: usize,
    /// The number of these candidates whose endgames may be searched for the winner.
    pub calculated: usize,
    /// The maximum difference, 0–1, of a candidate's estimated win probability below the best lower bound. A candidate
    /// beyond it is not searched.
    pub margin: f64,
    /// The minimum estimated win probability, 0–1, of a candidate that is searched: in a lost position only the spread
    /// matters.
    pub min_win_probability: f64,
    /// The number of candidates with equal win probability whose endgames may be searched for the spread.
    pub compared: usize,
    /// The maximum number of positions searched in one endgame. Beyond it the endgame stays undecided.
    pub endgame_nodes: Option<u64>,
    /// The maximum number of positions searched in all. The endgames begun before it are finished. Listing the plays of an
    /// endgame counts as 1,000 positions. Static play on every draw, which comes first, does not count.
    pub nodes: Option<u64>,
    /// The maximum time of the search, by the clock. With it, results depend on the machine. Candidates that were not tried
    /// on every draw by then are left out, and lines that were not searched are estimated.
    pub time: Option<Duration>,
    /// With more than [`MAX_EXACT_BAG`] tiles in the bag, the number of deals that each candidate is tried on.
    pub deals: u64,
    /// Whether candidates are dropped that cannot be best or are not expected to be.
    pub prune: bool,
}

impl Settings {
    /// Returns the default settings for a number of tiles in the bag.
    pub fn for_bag(tiles: usize) -> Settings {
        let (screened, estimated) = [(100, 16), (60, 12), (40, 8), (25, 6), (15, 6), (15, 6)][tiles.clamp(1, MAX_BAG) - 1];
        let settings = Settings {
            screened,
            screened_extra: screened / 5,
            estimated,
            calculated: 12,
            margin: 0.15,
            min_win_probability: 0.01,
            compared: 3,
            endgame_nodes: Some(60_000),
            nodes: Some(500_000),
            time: None,
            deals: 200,
            prune: true,
        };
        // Who wins the deals that were drawn proves nothing of the others.
        if tiles > MAX_EXACT_BAG { Settings { calculated: 0, compared: 0, prune: false, ..settings } } else { settings }
    }
}

/// The end of a search: the end of its time, if it has a limit, or a stop request.
#[derive(Clone, Copy)]
pub(super) struct Deadline<'s>(Option<Instant>, &'s dyn Monitor);

impl<'s> Deadline<'s> {
    pub(super) fn from_now(settings: &Settings, monitor: &'s dyn Monitor) -> Deadline<'s> {
        Deadline(settings.time.and_then(|time| Instant::now().checked_add(time)), monitor)
    }

    pub(super) fn is_over(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end) || self.1.is_stopped()
    }

    /// The time that is left, or `None` without a deadline.
    pub(super) fn left(self) -> Option<Duration> {
        self.0.map(|end| end.saturating_duration_since(Instant::now()))
    }
}
