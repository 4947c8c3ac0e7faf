//! Trajectories: the moves of one player in a game, and the differences between the predictions after them. Recorded games make them too.

use serde::{Deserialize, Serialize};
use tilewright_engine::cross_set::CrossSets;
use tilewright_engine::deals::Deals;
use tilewright_engine::game::reading::read_move;
use tilewright_engine::game::unseen;
use tilewright_engine::turn::Turn;
use tilewright_engine::win_percentage::load::logistic;
use tilewright_engine::{Board, Game, Generator, Move, Rack, Setup, StaticPlayer};

use super::terms::{Term, Terms};
use crate::exploration::Exploration;
use crate::parquet_file::{Column, TableError};
use crate::records::{self, RecordFiles};

/// The prediction target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// The change of the spread until the end of the game, in points.
    Points,
    /// The win probability, as a logistic function of the spread and the weights.
    WinProbability,
}

/// One move of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct Step<O> {
    /// The inputs of the value of the move.
    pub observed: O,
    /// The spread after the move, in points.
    pub spread: i32,
    /// Whether the move explored.
    pub explored: bool,
}

/// The moves of one player in a game while tiles were in the bag.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory<O> {
    /// The moves.
    pub steps: Vec<Step<O>>,
    /// The final spread, in points.
    pub final_spread: i32,
}

/// Points that change the log-odds to win by 1. Late in a game fewer points do. The weights do not model this.
const ODDS: f64 = 60.0;

/// The learning rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// The prediction target.
    pub target: Target,
    /// λ: how far back a difference reaches, 0–1.
    pub lambda: f64,
    /// The current learning rate.
    pub rate: f64,
}

impl Target {
    /// The prediction after a step, whose move has this value in points: the value itself, or the win probability.
    pub fn prediction<O>(self, step: &Step<O>, value: f64) -> f64 {
        match self {
            Target::Points => value,
            Target::WinProbability => logistic(f64::from(step.spread) + value, ODDS),
        }
    }

    /// How fast a prediction changes with the value, relative to an even game, so that a rate has the same effect with both targets.
    pub fn slope(self, prediction: f64) -> f64 {
        match self {
            Target::Points => 1.0,
            Target::WinProbability => 4.0 * prediction * (1.0 - prediction),
        }
    }
}

impl<O> Trajectory<O> {
    /// The difference in points of the prediction after step `number` from the next prediction plus the points until then,
    /// or from the result.
    pub fn difference(&self, number: usize, target: Target, prediction: f64, next: Option<f64>) -> f64 {
        let spread = self.steps[number].spread;
        match (target, next) {
            (Target::Points, Some(next)) => f64::from(self.steps[number + 1].spread - spread) + next - prediction,
            (Target::Points, None) => f64::from(self.final_spread - spread) - prediction,
            (Target::WinProbability, next) => {
                let result = f64::from(1 + self.final_spread.signum()) / 2.0;
                ODDS * (next.unwrap_or(result) - prediction)
            }
        }
    }

    /// Whether the move after step `number` explored. If so, it gives no evidence about the steps before it.
    pub fn explores_after(&self, number: usize) -> bool {
        self.steps.get(number + 1).is_some_and(|next| next.explored)
    }
}

/// Plays deal `index`. Both sides play by the current weights, except for moves that explore. Returns the trajectories of
/// both players. `observe` computes the inputs of a move's value.
pub fn play<O: Default>(
    generator: &mut Generator<'_>,
    player: &StaticPlayer,
    observe: impl Fn(&Turn<'_>, &Move) -> O,
    exploration: &Exploration,
    deals: Deals,
    index: u64,
) -> [Trajectory<O>; 2] {
    let setup = generator.setup();
    let mut game = Game::deal(setup, deals, index);
    let mut draws = deals.side_stream("exploration", index);
    let mut trajectories: [Trajectory<O>; 2] = Default::default();
    while !game.is_over() {
        let mover = game.to_move;
        let turn = game.turn(setup);
        let (chosen, explored) = exploration.choose(generator, player, &turn, &mut draws);
        if turn.bag > 0 {
            let observed = observe(&turn, &chosen);
            trajectories[mover].steps.push(Step { observed, spread: turn.spread + chosen.score(), explored });
        }
        game.make(setup, &chosen);
    }
    let final_spread = game.scores[0] - game.scores[1];
    for (trajectory, sign) in trajectories.iter_mut().zip([1, -1]) {
        trajectory.final_spread = sign * final_spread;
    }
    trajectories
}

/// The games of records, in order.
///
/// # Errors
/// [`TableError`], with the file and the row.
pub fn read(records: &RecordFiles, terms: &Terms, setup: &Setup) -> Result<Vec<[Trajectory<Vec<Term>>; 2]>, TableError> {
    let mut games: Vec<[Trajectory<Vec<Term>>; 2]> = Vec::new();
    for content in records.contents() {
        let (path, bytes) = content?;
        let fault = |reason: String| TableError::Content { path: path.clone(), reason };
        let names = ["game", "player", "rack", "move", "spread_before", "final_spread"];
        let columns = records::SCHEMA.read(&path, bytes, &names)?;
        let [
            Column::Int64(game),
            Column::Int32(player),
            Column::Text(rack),
            Column::Text(chosen),
            Column::Int32(spread),
            Column::Int32(final_spread),
        ] = columns.as_slice()
        else {
            return Err(fault(format!("its columns {} do not have the types of self-play records", names.join(", "))));
        };
        let mut board = Board::new(setup.layout.side());
        for row in 0..game.len() {
            let in_row = |reason: String| fault(format!("row {}: {reason}", row + 1));
            if row == 0 || game[row] != game[row - 1] {
                games.push(Default::default());
                board = Board::new(setup.layout.side());
            }
            let seat = usize::try_from(player[row]).unwrap_or(usize::MAX);
            let trajectory = games.last_mut().and_then(|game| game.get_mut(seat));
            let trajectory = trajectory.ok_or_else(|| in_row(format!("player {} is not 0 or 1", player[row])))?;
            trajectory.final_spread = final_spread[row];
            let made = make(&mut board, &rack[row], &chosen[row], spread[row], terms, setup).map_err(in_row)?;
            if let Some((observed, score)) = made {
                trajectory.steps.push(Step { observed, spread: spread[row].saturating_add(score), explored: false });
            }
        }
    }
    if games.is_empty() {
        return Err(TableError::Content { path: records.path.clone(), reason: "it holds no games".into() });
    }
    Ok(games)
}

/// Makes a move on a board. Returns its terms and its score, or `None` if the bag is empty.
fn make(
    board: &mut Board,
    rack: &str,
    chosen: &str,
    spread: i32,
    terms: &Terms,
    setup: &Setup,
) -> Result<Option<(Vec<Term>, i32)>, String> {
    let rack = Rack::from_notation(rack, &setup.tileset).map_err(|error| error.to_string())?;
    let unseen =
        unseen(&setup.tileset, board, &rack).ok_or("the board and the rack hold more tiles than the tile set has")?;
    let bag = unseen.size().saturating_sub(setup.tileset.rules().rack_size);
    let cross_sets = CrossSets::from_board(setup, board);
    let turn = Turn { setup, board, cross_sets: &cross_sets, rack, unseen, bag, spread };
    let chosen = read_move(chosen, &turn).map_err(|error| format!("{chosen}: {error}"))?;
    let made = (bag > 0).then(|| (terms.for_move(&turn, &chosen), chosen.score()));
    if let Move::Play(play) = chosen {
        let laid: Vec<_> = play.placements(board).collect();
        for (square, tile) in laid {
            board.set(square, Some(tile));
        }
    }
    Ok(made)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use tilewright_engine::artefact::Loader;
    use tilewright_engine::deals::Domain;
    use tilewright_engine::features::{Feature, PlacedFeature, PositionFeature};
    use tilewright_engine::monitor::NoMonitor;
    use tilewright_engine::movegen::Generator;
    use tilewright_engine::player::Player;
    use tilewright_engine::static_player::StaticPlayer;

    use super::*;
    use crate::exploration::Exploration;
    use crate::records::Records;
    use crate::td::trajectory::play;

    #[test]
    fn records_give_the_trajectories_of_the_games_that_they_record() {
        let setup = Setup::embedded("english").unwrap();
        let sizes =
            [(Feature::Position(PositionFeature::TilesInBag), 10.0), (Feature::Placed(PlacedFeature::HooksOpened), 0.3)];
        let terms = Arc::new(Terms::new(&setup, true, &BTreeMap::from(sizes), 20).unwrap());
        let weights: Vec<f64> = (0..terms.count()).map(|number| f64::from((number * 37 % 23) as u32) - 11.0).collect();
        let player = StaticPlayer::new(terms.evaluator(&weights).unwrap());
        let (mut generator, deals) = (Generator::new(&setup), Domain::TdLearning.deals(1));
        let played = [0, 1, 2].map(|index| {
            play(&mut generator, &player, |turn, chosen| terms.for_move(turn, chosen), &Exploration::default(), deals, index)
        });

        let recorded = Player::from_static("td", player);
        let mut records = Records::new(&setup).into_table();
        for index in 0..3 {
            records.append(Records::play(&mut generator, [&recorded; 2], deals, index, &NoMonitor).unwrap());
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.parquet");
        crate::parquet_file::write(&path, &records.columns, &[]).unwrap();
        let records = RecordFiles::open(&path, Loader::new(&setup)).unwrap();
        assert_eq!(read(&records, &terms, &setup).unwrap(), played);
    }
}
