//! The position of `solve`, and how long it is searched.

use tilewright_engine::endgame::Limits;
use tilewright_engine::pre_endgame::MAX_BAG;
use tilewright_engine::rng::stream;
use tilewright_engine::{Game, Setup};

use crate::Failure;
use crate::positions::flags::{BoardFlags, SolveArguments};
use crate::positions::position::Position;

/// The game of a CGP, with another rack of the player to move if the flags name one.
///
/// # Errors
/// [`Failure::Input`] if it is malformed, or if no game could reach it with few tiles in the bag.
pub fn read_game(flags: &BoardFlags, cgp: &str, setup: &Setup) -> Result<Game, Failure> {
    let position = Position::read(flags, Some(cgp), setup)?;
    check_racks(setup, &position)?;
    position.dealt(setup, stream(0, "solve", 0))
}

pub fn limits(arguments: &SolveArguments) -> Limits {
    Limits { nodes: arguments.nodes, time: arguments.time, first_win: arguments.first_win }
}

/// Checks that the racks and the bag are possible: the opponent's rack is among the unseen tiles, the bag is not too full,
/// and both racks are full while the bag has tiles.
fn check_racks(setup: &Setup, Position { rack: own, known: opponent, unseen, .. }: &Position) -> Result<(), Failure> {
    let (tileset, full) = (&setup.tileset, setup.tileset.rules().rack_size);
    if !unseen.contains(opponent) {
        let (opponent, unseen) = (opponent.show(tileset), unseen.show(tileset));
        return Err(Failure::input(format!(
            "the opponent's rack {opponent} is not among the unseen tiles, which are {unseen}"
        )));
    }
    let held = if opponent.is_empty() { full.min(unseen.size()) } else { opponent.size() };
    let bag = unseen.size() - held;
    if bag > MAX_BAG {
        return Err(Failure::input(format!(
            "{} tiles are unseen: {held} on the opponent's rack and {bag} in the bag; solve takes positions with up to \
             {MAX_BAG} tiles in the bag",
            unseen.size(),
        )));
    }
    for (whose, size) in [("the rack", own.size()), ("the opponent's rack", held)] {
        if bag > 0 && size < full {
            return Err(Failure::input(format!(
                "{whose} holds too few tiles ({size}) with {bag} in the bag: until that is empty, racks are filled up to {full}"
            )));
        }
    }
    Ok(())
}
