//! Recorded games, as trajectories.

use tilewright_engine::cross_set::CrossSets;
use tilewright_engine::game::reading::read_move;
use tilewright_engine::game::unseen;
use tilewright_engine::turn::Turn;
use tilewright_engine::{Board, Move, Rack, Setup};

use super::terms::{Term, Terms};
use super::trajectory::{Step, Trajectory};
use crate::parquet_file::{Column, TableError};
use crate::records::{self, RecordFiles};

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
