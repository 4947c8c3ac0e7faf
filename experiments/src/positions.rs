//! `moves`, `solve`, `simulate` and `infer`, which examine one position.

use std::fmt;

use serde::Serialize;
use tilewright_engine::game::LastMove;
use tilewright_engine::simulator::inference::{Inference, InferredLeave, Limits, Method};
use tilewright_engine::{Setup, Tile};

use crate::{Failure, loading, output};

pub mod flags;
pub mod given;
pub mod position;
pub mod moves;
pub mod solve;
pub mod simulate;

use flags::InferArguments;
use given::Given;
use position::Position;

/// The likely leaves, printed as a table and written as JSON. Probabilities are 0–1.
#[derive(schemars::JsonSchema, Serialize)]
pub struct LikelyLeaves {
    rack: String,
    unseen: String,
    bag: usize,
    last_move: String,
    player: String,
    lexicon: String,
    tileset: String,
    seed: u64,
    /// The number of tiles that the opponent kept.
    leave_size: usize,
    /// `exact`, `sampled` or `nothing`.
    method: &'static str,
    /// Why nothing is inferred.
    reason: Option<String>,
    /// Different leaves, or racks before an exchange, for which the move was valued.
    looked_at: usize,
    /// `leaves` or `racks`.
    looked_at_what: &'static str,
    /// The probability with which the leave is taken to be drawn at random.
    prior_share: f64,
    leaves: Vec<LeaveRow>,
    tiles: Vec<TileRow>,
}

/// A leave with its probability, and with its probability in a random draw from the unseen tiles.
#[derive(schemars::JsonSchema, Serialize)]
struct LeaveRow {
    leave: String,
    probability: f64,
    prior: f64,
}

/// A tile with its expected number in the leave, and with its expected number in a random draw.
#[derive(schemars::JsonSchema, Serialize)]
struct TileRow {
    tile: String,
    expected: f64,
    prior: f64,
}

/// `infer`: the leaves that the opponent is likely to have kept after its last move.
pub fn infer(arguments: &InferArguments) -> Result<(), Failure> {
    let json = arguments.json.file()?;
    let given = Given::Cgp(&arguments.cgp);
    let setup = given.start(&arguments.flags, &arguments.board.tables, arguments.player.as_ref())?;
    let game = arguments.flags.game.with_tables(&arguments.board.tables);
    let player = loading::static_player(arguments.player.as_ref(), "player", "", &setup, &game)?;
    let position = Position::read(&arguments.board, &given, &setup)?;
    if !position.known.is_empty() {
        let known = position.known.show(&setup.tileset);
        return Err(Failure::input(format!("the position names the opponent's rack {known}; leave it out to infer it")));
    }
    let last = position.last_move(&arguments.last_move, arguments.board.any_board, &setup)?;
    let seed = arguments.flags.seed.unwrap_or(1);
    let game = position.game(&setup, seed)?;
    let limits = Limits { all: arguments.exact as usize, draws: arguments.draws.into() };
    let inference = Inference::new(&setup, loading::ranker(&player)?, &game, &last, &limits, seed);
    let leave =
        |InferredLeave { leave, probability, prior }| LeaveRow { leave: leave.show(&setup.tileset), probability, prior };
    let result = LikelyLeaves {
        rack: position.rack.show(&setup.tileset),
        unseen: position.unseen.show(&setup.tileset),
        bag: position.bag,
        last_move: arguments.last_move.trim().into(),
        player: player.name.clone(),
        lexicon: setup.lexicon.name.clone(),
        tileset: setup.tileset.name().into(),
        seed,
        leave_size: inference.size(),
        method: match inference.method {
            Method::Nothing => "nothing",
            Method::Exact => "exact",
            Method::Sampled => "sampled",
        },
        reason: (inference.method == Method::Nothing).then(|| reason(&last, &position, &setup)),
        looked_at: inference.looked_at,
        looked_at_what: if matches!(last, LastMove::Exchange { .. }) { "racks" } else { "leaves" },
        prior_share: inference.prior_share(),
        leaves: inference.leaves().into_iter().take(arguments.top as usize).map(leave).collect(),
        tiles: tiles(&inference, &position, &setup),
    };
    output::show(&result, json)
}

fn reason(last: &LastMove, position: &Position, setup: &Setup) -> String {
    match last {
        _ if position.bag == 0 => {
            format!("the bag is empty, so the opponent has all unseen tiles: {}", position.unseen.show(&setup.tileset))
        }
        LastMove::Pass => "a pass says nothing about the rack".into(),
        LastMove::Play(_) | LastMove::Exchange { .. } => "the move left no tile on the rack".into(),
    }
}

/// Every unseen tile, or nothing without an inference.
fn tiles(inference: &Inference, position: &Position, setup: &Setup) -> Vec<TileRow> {
    if inference.method == Method::Nothing {
        return Vec::new();
    }
    let row = |(kind, _)| {
        let (expected, prior) = inference.expected(kind);
        TileRow { tile: setup.tileset.show(Tile::letter_tile(kind)).to_string(), expected, prior }
    };
    position.unseen.kinds().map(row).collect()
}

impl fmt::Display for LikelyLeaves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(reason) = &self.reason {
            return write!(f, "nothing is inferred from {}: {reason}", self.last_move);
        }
        let width = output::width(5, self.leaves.iter().map(|row| &row.leave));
        writeln!(f, "  # {:<width$} probability   at random", "leave")?;
        for (number, LeaveRow { leave, probability, prior }) in (1..).zip(&self.leaves) {
            writeln!(f, "{number:>3} {leave:<width$} {:>9.3} % {:>9.3} %", 100.0 * probability, 100.0 * prior)?;
        }
        writeln!(f, "tile    expected   at random")?;
        for TileRow { tile, expected, prior } in &self.tiles {
            writeln!(f, "{tile:<4} {expected:>11.3} {prior:>11.3}")?;
        }
        write!(
            f,
            "after {}, a leave of size {}; {} {} looked at ({}), {:.1} % of the probability is that of random draws",
            self.last_move,
            self.leave_size,
            self.looked_at,
            self.looked_at_what,
            self.method,
            100.0 * self.prior_share
        )
    }
}
