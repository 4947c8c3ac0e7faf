//! The position that the flags give: a CGP, a turn of a recorded game, or an empty board. It may name the tile set.

use std::path::Path;

use tilewright_engine::game::cgp::{self, CgpPosition};
use tilewright_engine::{PlayerSpec, Rack, Setup};

use super::flags::RecordedTurn;
use crate::flags::{CommonFlags, GameFlags, TableFlags};
use crate::games::files::UnreadGame;
use crate::{Failure, Input, loading};

/// A position that is not read yet: this needs the tile set, which the position may name.
pub enum Given<'a> {
    Empty,
    Cgp(&'a str),
    /// The position before the move of a turn, counted from 1, or after the last turn.
    Recorded {
        game: UnreadGame,
        turn: Option<u32>,
        flags: &'a GameFlags,
    },
}

impl<'a> Given<'a> {
    /// Opens the recorded game, if the flags name one.
    pub fn new(cgp: Option<&'a str>, recorded: &RecordedTurn, flags: &'a GameFlags) -> Result<Given<'a>, Failure> {
        if let Some(path) = &recorded.gcg {
            return Ok(Given::Recorded { game: UnreadGame::open(path)?, turn: recorded.turn, flags });
        }
        Ok(cgp.map_or(Given::Empty, Given::Cgp))
    }

    /// The names of the tile set and of the lexicon.
    fn names(&self) -> Result<[Option<String>; 2], Failure> {
        Ok(match self {
            Given::Empty => [None, None],
            Given::Cgp(text) => {
                let opcodes = cgp::opcodes(text).input()?;
                [opcodes.tile_set(), opcodes.lexicon()].map(|name| name.map(str::to_string))
            }
            Given::Recorded { game, .. } => [game.tileset(), game.pragmas.lexicon().map(str::to_string)],
        })
    }

    /// Whether its lexicon is a file to read. Another name stands for a publisher's word list, which this program does not have.
    /// Somebody else may have written a recorded game, so it names no files.
    fn is_word_list(&self, lexicon: &str) -> bool {
        matches!(self, Given::Cgp(_)) && Path::new(lexicon).is_file()
    }

    /// The flags. If they name no lexicon or tile set, the position fills it in.
    pub fn fill_in(&self, flags: &CommonFlags) -> Result<CommonFlags, Failure> {
        let [tileset, lexicon] = self.names()?;
        let mut flags = flags.clone();
        let game = &mut flags.game;
        game.tileset = game.tileset.take().or_else(|| Some(tileset?.to_lowercase()));
        game.lexicon = game.lexicon.take().or_else(|| lexicon.filter(|name| self.is_word_list(name)));
        Ok(flags)
    }

    /// Warns if the position names a lexicon that is neither the one in use nor a file.
    pub fn warn_of_other_lexicon(&self, flags: &CommonFlags, setup: &Setup) {
        let named = self.names().ok().and_then(|[_, lexicon]| lexicon).filter(|name| !self.is_word_list(name));
        let what = if let Given::Recorded { .. } = self { "game" } else { "position" };
        loading::warn_of_other_lexicon(what, named.as_deref(), &flags.game, setup);
    }

    /// Loads the setup. The position fills in the flags, and then the game of its player or of its tables.
    pub fn start(&self, flags: &CommonFlags, tables: &TableFlags, player: Option<&PlayerSpec>) -> Result<Setup, Failure> {
        let mut filled = self.fill_in(flags)?;
        loading::name_game_of_players(player, tables, &mut filled)?;
        let setup = loading::few_positions(&filled.game)?;
        self.warn_of_other_lexicon(flags, &setup);
        Ok(setup)
    }

    /// Reads the position, or `None` for an empty board. `rack` replaces the rack of a recorded turn.
    ///
    /// # Errors
    /// [`Failure::Input`] if it is malformed, or if a recorded turn does not exist or its rack is not known.
    pub fn read(&self, rack: Option<Rack>, setup: &Setup) -> Result<Option<CgpPosition>, Failure> {
        Ok(match self {
            Given::Empty => None,
            Given::Cgp(text) => {
                let position = cgp::read(text, &setup.tileset, setup.layout.side()).input()?;
                position.opcodes.check(setup).input()?;
                Some(position)
            }
            Given::Recorded { game, turn, flags } => Some(game.read(setup, flags, true)?.position(*turn, rack, setup)?),
        })
    }
}
