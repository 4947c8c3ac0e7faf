//! How much of a pre-endgame is looked at.

/// The most tiles in the bag of a pre-endgame: with more there are too many ways to part the unseen tiles.
pub const MOST_BAG: usize = 4;

/// What it costs to list the plays of an endgame, in positions searched.
pub const LISTING: u64 = 1_000;

/// How much to look at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Candidates that pass the static screen.
    pub screened: usize,
    /// Plays of one or two tiles that pass it beside those, and plays that take the whole bag, by equity.
    pub screened_beside: usize,
    /// Candidates whose endgames the fast evaluator estimates.
    pub estimated: usize,
    /// Of those, candidates whose endgames may be searched for who wins.
    pub calculated: usize,
    /// They are searched only while their chance is estimated to be at most so far, 0–1, below what the best is certain of,
    pub margin: f64,
    /// and to be no less than this: where nothing wins, the spread is all that matters.
    pub least_chance: f64,
    /// Of those that win equally often, candidates whose endgames may be searched for the spread.
    pub compared: usize,
    /// Positions searched for one endgame; beyond that it stays undecided.
    pub endgame_nodes: Option<u64>,
    /// Positions searched in all, as far as the last endgames that were begun do not exceed it. Listing the plays of an endgame
    /// counts as [`LISTING`] positions.
    pub nodes: Option<u64>,
    /// Whether candidates are left aside as soon as they cannot be best, or are not thought to be.
    pub prune: bool,
}

impl Settings {
    /// What suits so many tiles in the bag.
    pub fn for_bag(tiles: usize) -> Settings {
        let (screened, estimated) = [(100, 16), (60, 12), (40, 8), (25, 6)][tiles.clamp(1, MOST_BAG) - 1];
        Settings {
            screened,
            screened_beside: screened / 5,
            estimated,
            calculated: 12,
            margin: 0.15,
            least_chance: 0.01,
            compared: 3,
            endgame_nodes: Some(60_000),
            nodes: Some(500_000),
            prune: true,
        }
    }
}
