//! The position that a verb examines, the limits of its search, and its page: the drawn board, the rack, the unseen
//! tiles, and the moves or the best line.

use tilewright_engine::endgame::Limits;
use tilewright_engine::game::cgp::CgpPosition;
use tilewright_engine::game::plausible::check_board;
use tilewright_engine::game::reading::read_last_move;
use tilewright_engine::game::{LastMove, unseen};
use tilewright_engine::moves::notation;
use tilewright_engine::pre_endgame::MAX_BAG;
use tilewright_engine::rng::{Stream, stream};
use tilewright_engine::{Board, Game, Move, Rack, Setup, TileSet};

use super::flags::{BoardFlags, SolveArguments};
use super::given::Given;
use crate::report::html::{Page, Section, html, page_header, signed};
use crate::report::viewer::{SCRIPT, Step, ViewedGame, ViewedMove, Viewer, counted, drawn_tiles, laid, rack_tiles};
use crate::{Failure, Input};

/// A position from the view of the player to move.
pub struct Position {
    pub board: Board,
    /// The rack of the player to move.
    pub rack: Rack,
    /// The tiles that the player to move cannot see.
    pub unseen: Rack,
    pub bag: usize,
    /// The known tiles of the opponent's rack.
    pub known: Rack,
    /// The scores of the player to move and of the opponent.
    pub scores: [i32; 2],
    pub scoreless_turns: u32,
}

impl Position {
    /// Reads the position that the flags give. Their rack replaces its rack.
    ///
    /// # Errors
    /// [`Failure::Input`] if the position cannot be read, or, unless the flags accept any board, if no game could reach the
    /// board of a CGP.
    pub fn read(flags: &BoardFlags, given: &Given<'_>, setup: &Setup) -> Result<Position, Failure> {
        let named = flags.rack.as_deref().filter(|text| !text.is_empty());
        let named = named.map(|text| Rack::parse(text, &setup.tileset).input()).transpose()?;
        let position = given.read(named, setup)?;
        // A recorded game has reached its board, maybe with words of another lexicon.
        let is_checked = !flags.any_board && matches!(given, Given::Cgp(_));
        if let Some(position) = position.as_ref().filter(|_| is_checked) {
            check_board(setup, &position.board)
                .map_err(|error| Failure::input(format!("board: {error}; --any-board accepts any board")))?;
        }
        let rack = match (named, &position) {
            (Some(rack), _) => rack,
            (None, Some(position)) if flags.rack.is_none() && !position.racks[0].is_empty() => position.racks[0],
            _ => return Err(Failure::input("no rack; name one with --rack AEINRST, or in --cgp")),
        };
        let (board, known, scores, scoreless_turns) = match position {
            Some(position) => (position.board, position.racks[1], position.scores, position.scoreless_turns),
            None => (Board::new(setup.layout.side()), Rack::default(), [0; 2], 0),
        };
        let unseen = unseen(&setup.tileset, &board, &rack).ok_or_else(|| {
            let rack = rack.show(&setup.tileset);
            Failure::input(format!(
                "board and rack {rack} together hold more tiles of a kind than the {} tile set has",
                setup.tileset.name()
            ))
        })?;
        // The opponent's rack is full as long as there are enough unseen tiles.
        let bag = unseen.size().saturating_sub(setup.tileset.rules().rack_size);
        Ok(Position { board, rack, unseen, bag, known, scores, scoreless_turns })
    }

    /// The position of a game, from the view of the player to move. The opponent's rack is known if the bag is empty.
    pub fn of_game(game: &Game) -> Position {
        let other = 1 - game.to_move;
        Position {
            board: game.board().clone(),
            rack: *game.rack(),
            unseen: game.unseen(),
            bag: game.bag.len(),
            known: if game.bag.is_empty() { game.racks[other] } else { Rack::default() },
            scores: [game.scores[game.to_move], game.scores[other]],
            scoreless_turns: game.scoreless_turns,
        }
    }

    /// The leave of a move.
    pub fn leave(&self, chosen: &Move, tileset: &TileSet) -> String {
        self.rack.minus(&Rack::from_tiles(chosen.tiles())).unwrap_or_default().show(tileset)
    }

    /// Reads the opponent's last move: a play that is on the board, such as `8D FA(C)Es`, an exchange `exch 3`, or `pass`.
    ///
    /// # Errors
    /// [`Failure::Input`] if the tiles of a play are not on the board, if it breaks a rule of placement, or, unless
    /// `any_board`, if no game could reach the board before it. The same if the bag had too few tiles for an exchange.
    pub fn last_move(&self, text: &str, any_board: bool, setup: &Setup) -> Result<LastMove, Failure> {
        let refused = |reason: String| Failure::input(format!("--last-move {text:?}: {reason}"));
        let last = read_last_move(text, &self.board, setup).map_err(|error| refused(error.to_string()))?;
        match &last {
            LastMove::Play(last) if !any_board => check_board(setup, &last.board)
                .map_err(|error| refused(format!("the board before it: {error}; --any-board accepts any board")))?,
            LastMove::Exchange { tiles } => {
                let least = setup.tileset.rules().exchange_minimum.max(*tiles);
                if self.bag < least {
                    let bag = self.bag;
                    return Err(refused(format!("{bag} tiles are in the bag, and this exchange needs at least {least}")));
                }
            }
            LastMove::Play(_) | LastMove::Pass => {}
        }
        Ok(last)
    }

    /// The game from this position on, with the unseen tiles dealt at random.
    ///
    /// # Errors
    /// [`Failure::Input`] if the game is over, or if a known tile of the opponent's rack is not unseen.
    pub fn game(&self, setup: &Setup, seed: u64) -> Result<Game, Failure> {
        if self.unseen.is_empty() {
            return Err(Failure::input("no tile is unseen: the opponent has gone out, and the game is over"));
        }
        if !self.unseen.contains(&self.known) {
            let [known, rack] = [&self.known, &self.rack].map(|rack| rack.show(&setup.tileset));
            return Err(Failure::input(format!(
                "the opponent's rack {known} holds tiles that are not unseen: board and rack {rack} leave too few of them"
            )));
        }
        let game = self.dealt(setup, stream(seed, "position", 0))?;
        if game.passes_left(setup) == 0 {
            let turns = self.scoreless_turns;
            return Err(Failure::input(format!("the game is over: {turns} scoreless turns in a row have ended it")));
        }
        Ok(game)
    }

    /// The same without these checks, dealt by a stream.
    pub fn dealt(&self, setup: &Setup, stream: Stream) -> Result<Game, Failure> {
        let game = Game::from_position(setup, self.board.clone(), self.rack, self.scores, stream);
        let game = game.ok_or_else(|| Failure::input("board and rack hold more tiles of a kind than the tile set has"))?;
        Ok(game.with_scoreless_turns(setup, self.scoreless_turns))
    }
}

/// The game of a position, with another rack of the player to move if the flags name one.
///
/// # Errors
/// [`Failure::Input`] if it cannot be read, or if no game could reach it with few tiles in the bag.
pub fn read_game(flags: &BoardFlags, given: &Given<'_>, setup: &Setup) -> Result<Game, Failure> {
    let position = Position::read(flags, given, setup)?;
    check_racks(setup, &position)?;
    position.dealt(setup, stream(0, "solve", 0))
}

pub fn limits_of(arguments: &SolveArguments) -> Limits {
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

impl Position {
    fn step(&self, setup: &Setup, title: String) -> Step {
        let Position { board, rack, unseen, bag, known, scores, scoreless_turns } = self;
        let mut facts = vec![
            ("score", scores[0].to_string()),
            ("opponent", scores[1].to_string()),
            ("tiles in the bag", bag.to_string()),
            ("unseen tiles", counted(unseen, &setup.tileset)),
        ];
        if !known.is_empty() {
            facts.push(("opponent's rack", known.show(&setup.tileset)));
        }
        Step {
            title,
            rack: rack_tiles(rack, &setup.tileset),
            facts,
            cgp: CgpPosition::new(setup, board.clone(), [*rack, *known], *scores, *scoreless_turns).write(&setup.tileset),
            ..Step::default()
        }
    }

    /// The page of moves of this position, each with its cells in the table. The first cell has the move. `how` is the
    /// method of the verb, with its settings. `#` marks heads of numbers.
    pub fn page_of_moves(
        &self,
        setup: &Setup,
        verb: &str,
        how: &str,
        heads: &'static [&'static str],
        rows: impl Iterator<Item = (Move, Vec<String>)>,
    ) -> Result<String, Failure> {
        let view = |(chosen, cells)| ViewedMove { cells, laid: laid(&chosen, &self.board, &setup.tileset), made: false };
        let title = format!("The moves of {}", self.rack.show(&setup.tileset));
        let step = Step { heads, moves: rows.map(view).collect(), ..self.step(setup, title) };
        self.page(setup, verb, how, vec![step])
    }

    /// The page of a line from this position on, in which the opponent's rack is known.
    pub fn page_of_line(game: &Game, setup: &Setup, line: &[Move], how: &str) -> Result<String, Failure> {
        let mut played = game.clone();
        let mut steps = Vec::with_capacity(line.len());
        for (number, chosen) in (1..).zip(line) {
            let shown = notation::show(chosen, played.board(), &setup.tileset);
            let whose = if number % 2 == 1 { "the player to move" } else { "the opponent" };
            let title = format!("{shown} {} by {whose}", signed(f64::from(chosen.score()), 0));
            let laid = laid(chosen, played.board(), &setup.tileset);
            steps.push(Step { laid, ..Position::of_game(&played).step(setup, title) });
            played.make(setup, chosen);
        }
        Position::of_game(game).page(setup, "solve", how, steps)
    }

    fn page(&self, setup: &Setup, verb: &str, how: &str, steps: Vec<Step>) -> Result<String, Failure> {
        let Setup { lexicon, tileset, layout, .. } = setup;
        let lead = if steps.len() > 1 {
            "The arrow keys go from move to move, Home and End to the first and the last."
        } else {
            "A move of the table, once chosen, is shown on the board."
        };
        let rack = self.rack.show(tileset);
        let start = drawn_tiles(&self.board, tileset);
        let viewer = Viewer { games: vec![ViewedGame { name: rack.clone(), start, steps }] };
        let facts = [format!("lexicon {}", lexicon.name), format!("{} tile set", tileset.name())];
        let header = page_header(verb, &rack, &facts, how, &[""; 0]);
        let sections = vec![Section::new("position", "Board", "The position", lead, viewer.show(layout))];
        let footer = html! { p { "Made by " code { "tilewright " (verb) } "." } };
        let script = Some((viewer.data()?, SCRIPT));
        Ok(Page { script, ..Page::new(&format!("{rack}, {verb}"), header, sections, footer) }.write())
    }
}
