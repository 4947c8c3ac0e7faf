//! The position that a verb is asked about.

use tilewright_engine::board::Board;
use tilewright_engine::cross_set::CrossSets;
use tilewright_engine::game::plausible::check_board;
use tilewright_engine::game::reading::read_last_play;
use tilewright_engine::game::{Game, LastPlay, SCORELESS_LIMIT, cgp, unseen};
use tilewright_engine::rack::Rack;
use tilewright_engine::rng::stream;
use tilewright_engine::setup::Setup;
use tilewright_engine::turn::Turn;

use crate::failure::{Failure, Input};
use crate::flags::CommonFlags;

/// A position from the view of the player to move.
pub struct Position {
    /// The tiles on the board.
    pub board: Board,
    /// What the player to move holds.
    pub rack: Rack,
    /// What that player cannot see.
    pub unseen: Rack,
    /// Tiles in the bag.
    pub bag: usize,
    /// Tiles that the other rack is known to hold.
    pub known: Rack,
    /// Points of the player to move and of the opponent.
    pub scores: [i32; 2],
    /// Scoreless turns in a row.
    pub scoreless_turns: u32,
}

/// The flags, completed by the lexicon and the tile set that the opcodes of the CGP name.
pub fn with_opcodes(flags: &CommonFlags, cgp: Option<&str>) -> Result<CommonFlags, Failure> {
    let mut flags = flags.clone();
    if let Some(text) = cgp {
        let game = &mut flags.game;
        let opcodes = cgp::opcodes(text).input()?;
        game.tileset = game.tileset.take().or_else(|| opcodes.tile_set().map(str::to_lowercase));
        // A name without a file is that of a publisher's word list, which this program does not have.
        game.lexicon = game
            .lexicon
            .take()
            .or_else(|| opcodes.lexicon().filter(|name| std::path::Path::new(name).is_file()).map(str::to_string));
    }
    Ok(flags)
}

/// The position of a CGP; its board is one that a game could come to, or any.
///
/// # Errors
/// [`Failure::Input`].
pub fn read_cgp(text: &str, any_board: bool, setup: &Setup) -> Result<cgp::CgpPosition, Failure> {
    let given = cgp::read(text, &setup.tileset, setup.layout.side()).input()?;
    if !any_board {
        check_board(setup, &given.board)
            .map_err(|error| Failure::input(format!("board: {error}; with --any-board it is taken as it is")))?;
    }
    Ok(given)
}

impl Position {
    /// The position of a CGP or of an empty board; `rack` overrides the rack of the CGP. A board that no game could come to is refused
    /// unless `any_board`.
    pub fn read(rack: Option<&str>, cgp: Option<&str>, any_board: bool, setup: &Setup) -> Result<Position, Failure> {
        let given = cgp.map(|text| read_cgp(text, any_board, setup)).transpose()?;
        let rack = match (rack, &given) {
            (Some(text), _) if !text.is_empty() => Rack::parse(text, &setup.tileset).input()?,
            (None, Some(position)) if !position.racks[0].is_empty() => position.racks[0],
            _ => return Err(Failure::input("no rack; name one with --rack AEINRST, or in --cgp")),
        };
        let (board, known, scores, scoreless_turns) = match given {
            Some(position) => (position.board, position.racks[1], position.scores, position.scoreless_turns),
            None => (Board::new(setup.layout.side()), Rack::default(), [0; 2], 0),
        };
        let unseen = unseen(setup, &board, &rack).ok_or_else(|| {
            let rack = rack.show(&setup.tileset);
            Failure::input(format!(
                "board and rack {rack} together hold more of a tile than the {} tile set has",
                setup.tileset.name()
            ))
        })?;
        // The opponent holds a full rack for as long as there are tiles to fill it.
        let bag = unseen.size().saturating_sub(setup.tileset.rules().rack_size);
        Ok(Position { board, rack, unseen, bag, known, scores, scoreless_turns })
    }

    /// The turn of the player to move.
    pub fn turn<'a>(&'a self, setup: &'a Setup, cross_sets: &'a CrossSets) -> Turn<'a> {
        let Position { board, rack, unseen, bag, scores: [own, other], .. } = self;
        Turn { setup, board, cross_sets, rack: *rack, unseen: *unseen, bag: *bag, spread: own - other }
    }

    /// The opponent's last play, `8D FA(C)Es`, with the board that it was made on; the position's board has its tiles.
    ///
    /// # Errors
    /// [`Failure::Input`] if the board does not have them, or they could not be played there.
    pub fn last_play(&self, text: &str, setup: &Setup) -> Result<LastPlay, Failure> {
        read_last_play(text, &self.board, setup).map_err(|error| Failure::input(format!("--last-move {text:?}: {error}")))
    }

    /// The game from here on, with what cannot be seen dealt at random.
    ///
    /// # Errors
    /// [`Failure::Input`] if it is over, or if the other rack is said to hold tiles that are not unseen.
    pub fn game(&self, setup: &Setup, seed: u64) -> Result<Game, Failure> {
        if self.scoreless_turns >= SCORELESS_LIMIT {
            return Err(Failure::input(format!("{SCORELESS_LIMIT} scoreless turns in a row have ended this game")));
        }
        if self.unseen.is_empty() {
            return Err(Failure::input("no tile is unseen: the opponent has gone out, and the game is over"));
        }
        if !self.unseen.contains(&self.known) {
            let [known, rack] = [&self.known, &self.rack].map(|rack| rack.show(&setup.tileset));
            return Err(Failure::input(format!(
                "the opponent's rack {known} holds tiles that are not unseen: board and rack {rack} leave too few of them"
            )));
        }
        let game = Game::from_position(setup, self.board.clone(), self.rack, self.scores, stream(seed, "position", 0));
        let mut game = game.ok_or_else(|| Failure::input("board and rack hold more of a tile than there are"))?;
        game.scoreless_turns = self.scoreless_turns;
        Ok(game)
    }
}
