//! The position of `solve`.

use tilewright_engine::game::{Game, unseen};
use tilewright_engine::pre_endgame::MAX_BAG;
use tilewright_engine::rack::Rack;
use tilewright_engine::rng::stream;
use tilewright_engine::setup::Setup;

use crate::failure::{Failure, Input};
use crate::positions::position::read_cgp;

/// The game of a CGP, with another rack of the player to move if `rack` names one.
///
/// # Errors
/// [`Failure::Input`] if it is malformed, or if no game could reach it with few tiles in the bag.
pub fn read_game(cgp: &str, rack: Option<&str>, any_board: bool, setup: &Setup) -> Result<Game, Failure> {
    let tileset = &setup.tileset;
    let given = read_cgp(cgp, any_board, setup)?;
    let rack = match rack {
        Some(text) => Rack::parse(text, tileset).input()?,
        None => given.racks[0],
    };
    if rack.is_empty() {
        return Err(Failure::input("no rack; name one in --cgp, or with --rack AEINRST"));
    }
    let unseen = unseen(&setup.tileset, &given.board, &rack).ok_or_else(|| {
        let (rack, name) = (rack.show(tileset), tileset.name());
        Failure::input(format!("board and rack {rack} together hold more tiles of a kind than the {name} tile set has"))
    })?;
    check_racks(setup, &rack, &given.racks[1], &unseen)?;
    let game = Game::from_position(setup, given.board, rack, given.scores, stream(0, "solve", 0));
    let mut game = game.ok_or_else(|| Failure::input("board and rack hold more tiles of a kind than the tile set has"))?;
    game.scoreless_turns = given.scoreless_turns;
    Ok(game)
}

/// Checks that the racks and the bag are possible: the opponent's rack is among the unseen tiles, the bag is not too full,
/// and both racks are full while the bag has tiles.
fn check_racks(setup: &Setup, own: &Rack, opponent: &Rack, unseen: &Rack) -> Result<(), Failure> {
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
