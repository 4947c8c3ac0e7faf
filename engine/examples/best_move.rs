//! Prints the best moves of a position in CGP notation.
//!
//! ```text
//! cargo run --release -p tilewright-engine --example best_move -- "CGP LINE" PLAYER
//! ```

#![allow(clippy::print_stdout)]

use std::error::Error;

use tilewright_engine::artefact::Loader;
use tilewright_engine::game::{Game, cgp};
use tilewright_engine::movegen::Generator;
use tilewright_engine::moves::notation;
use tilewright_engine::player::Player;
use tilewright_engine::rng::stream;
use tilewright_engine::setup::Setup;

/// FEAST and ABORTIVE are on the board; EEGGILZ is to move, 24 points against 76.
const POSITION: &str = "4A10/4B10/4O10/4R10/4T10/4I10/4V10/3FEAST7/15/15/15/15/15/15/15 EEGGILZ/ 24/76 0";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let line = arguments.next().unwrap_or_else(|| POSITION.into());
    let name = arguments.next().unwrap_or_else(|| "leave+pool".into());

    // The game: an embedded tile set, its board, and the embedded word list.
    let setup = Setup::embedded("english")?;
    let position = cgp::read(&line, &setup.tileset, setup.layout.side())?;
    let [rack, _] = position.racks;
    // The unseen tiles are dealt at random; a static player does not look at them.
    let unseen = stream(1, "example", 0);
    let game = Game::from_position(&setup, position.board, rack, position.scores, unseen)
        .ok_or("the position has more tiles than the tile set")?;

    // The player, and its ranking of all legal moves.
    let player = Player::from_name(&name, Loader::new(&setup))?;
    let ranker = player.ranker().ok_or("an external player returns only its move, not a ranking")?;
    let moves = ranker.rank(&mut Generator::new(&setup), &game.turn(&setup));

    println!("{} legal moves for {}; the best by {name}:", moves.len(), rack.show(&setup.tileset));
    for valued in moves.iter().take(5) {
        println!("{:7.2}  {}", valued.equity.points(), notation::show(&valued.chosen, game.board(), &setup.tileset));
    }
    Ok(())
}
