//! The flags of `game`, the files of recorded games, and the setup with which they are replayed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};
use tilewright_engine::annotation::game_before;
use tilewright_engine::game::cgp::CgpPosition;
use tilewright_engine::game::gcg::GcgAction::{Exchange, ExchangeUnknown, Pass, Penalty, Play, Time};
use tilewright_engine::game::gcg::{self, GcgError, GcgEvent, GcgFault, GcgGame, GcgPosition, Pragmas};
use tilewright_engine::input_file::{self, limits};
use tilewright_engine::{PlayerSpec, Rack, Setup, TileSet};

use crate::flags::{GameFlags, JsonFlag, PlayFlags, TableFlags, new_files, player_named};
use crate::{Failure, InFile, Memos, NewFile, loading};

#[derive(Debug, Subcommand)]
pub enum GameVerb {
    /// Replay recorded games: every turn with its rack, move and score
    Show(GameFiles),
    /// Compare every move of recorded games with the best ones: the loss of each move, and a summary per player
    Annotate(AnnotateArguments),
}

/// The files, and where the result goes.
#[derive(Debug, Args)]
pub struct GameFiles {
    /// Recorded games in GCG
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub flags: PlayFlags,
    /// Accept scores and totals that are wrong by the rules, with a warning for each. They count as they are written
    #[arg(long)]
    pub accept_scores: bool,
    /// Also write a page that replays the games to a new file
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    pub json: JsonFlag,
}

impl GameFiles {
    /// The files of `--html` and `--json`, checked before the work.
    pub fn new_files(&self) -> Result<[NewFile<'_>; 2], Failure> {
        new_files([("--html", self.html.as_deref()), ("--json", self.json.json.as_deref())])
    }
}

#[derive(Debug, Args)]
pub struct AnnotateArguments {
    #[command(flatten)]
    pub files: GameFiles,
    #[command(flatten)]
    pub tables: TableFlags,
    /// Player that ranks the moves by equity, such as leave or network, or looks ahead, such as sim [default: leave, or network with --network]
    #[arg(long, value_name = "PLAYER", value_parser = player_named::<PlayerSpec>)]
    pub player: Option<PlayerSpec>,
    /// Compare the best moves by simulation, two plies deep, on at most N deals, instead of by equity. Endgames are solved in either case
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub deals: Option<u64>,
    /// Best moves to compare with and to show
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=100))]
    pub top: u16,
    /// Points from which a loss is a mistake. Half a percent of a win counts as a point. A medium mistake costs twice as much, a large one four times
    #[arg(long, value_name = "POINTS", default_value_t = 5.0)]
    pub mistake: f64,
}

pub struct Loaded {
    pub setup: Arc<Setup>,
    pub games: Vec<GameFile>,
}

pub struct GameFile {
    pub path: PathBuf,
    /// The game, which replays without an error.
    pub game: GcgGame,
    /// The position after each event.
    pub positions: Vec<GcgPosition>,
}

impl Loaded {
    /// Reads and replays the games. The first file names the tile set if no flag does.
    pub fn read(files: &GameFiles, tables: &TableFlags, player: Option<&PlayerSpec>) -> Result<Loaded, Failure> {
        let unread = files.files.iter().map(|path| UnreadGame::open(path)).collect::<Result<Vec<_>, Failure>>()?;
        let mut flags = files.flags.clone();
        let game = &mut flags.common.game;
        game.tileset = game.tileset.take().or_else(|| unread[0].tileset());
        if game.tileset.is_none() {
            loading::name_game_of_players(player, tables, &mut flags.common)?;
        }
        let setup = loading::start(&flags, &Memos::default())?;
        let given = &files.flags.common.game;
        loading::warn_of_other_lexicon("game", unread[0].pragmas.lexicon(), given, &setup);
        let games = unread.iter().map(|unread| unread.read(&setup, given, files.accept_scores));
        let games = games.collect::<Result<Vec<_>, Failure>>()?;
        Ok(Loaded { setup, games })
    }
}

/// A recorded game that is not read yet: this needs the tile set, which the file may name.
pub struct UnreadGame {
    path: PathBuf,
    bytes: Vec<u8>,
    pub pragmas: Pragmas,
}

impl UnreadGame {
    pub fn open(path: &Path) -> Result<UnreadGame, Failure> {
        let bytes = input_file::read_up_to(path, limits::GAME).in_file(path)?;
        // The game is read later, and then a text that cannot be decoded is an error.
        let pragmas = gcg::pragmas(&bytes).unwrap_or_default();
        Ok(UnreadGame { path: path.into(), bytes, pragmas })
    }

    /// The embedded tile set that the file names. Only the command line names files.
    pub fn tileset(&self) -> Option<String> {
        let named = self.pragmas.tile_set().map(str::to_lowercase);
        named.filter(|name| TileSet::embedded_names().any(|known| known == name))
    }

    /// Reads and replays the game. If wrong scores are accepted, there is a warning for each.
    pub fn read(&self, setup: &Setup, flags: &GameFlags, accepts_scores: bool) -> Result<GameFile, Failure> {
        let path = &self.path;
        let used = setup.tileset.name();
        if let Some(named) = self.pragmas.tile_set().filter(|named| !named.eq_ignore_ascii_case(used))
            && flags.tileset.is_none()
        {
            return Err(format!("it names the tile set {named}, but {used} is in use; name the right one with --tileset"))
                .in_file(path);
        }
        let game = gcg::read(&self.bytes, &setup.tileset).in_file(path)?;
        game.pragmas.check(setup).in_file(path)?;
        if let Some(event) = game.events.iter().find(|event| !event.after.is_empty()) {
            loading::warn(flags, Some(&format!("{}: {:?} after the total means nothing here", path.display(), event.after)));
        }
        let mut replay = gcg::replay(&game, setup);
        if accepts_scores {
            replay = replay.accepting_scores();
        }
        let positions = replay.by_ref().collect::<Result<Vec<_>, _>>().map_err(|error| refused(path, &error))?;
        for wrong in replay.accepted() {
            loading::warn(flags, Some(&format!("{}: {wrong}", path.display())));
        }
        let goes_on = |pair: &[GcgPosition]| {
            let GcgPosition { scoreless_turns, passes, .. } = pair[0];
            setup.tileset.rules().passes_left(scoreless_turns, passes) == 0 && pair[1].chosen.is_some()
        };
        if let Some(last) = positions.windows(2).position(goes_on) {
            let (turns, line) = (positions[last].scoreless_turns, game.events[last + 1].line.unwrap_or_default());
            let what = format!("by the rules the game ends with {turns} scoreless turns, and here it goes on");
            loading::warn(flags, Some(&format!("{}: line {line}: {what}", path.display())));
        }
        if game.events.is_empty() {
            return Err("it has no events; an event is a line such as `>ann: AEINRTZ 8H ZA +22 22`").in_file(path);
        }
        Ok(GameFile { path: path.clone(), game, positions })
    }
}

/// The failure to replay a game.
fn refused(path: &Path, error: &GcgError) -> Failure {
    let remedy = match *error.fault {
        GcgFault::Score { .. } | GcgFault::Total { .. } => "; --accept-scores counts it as it is written",
        _ => "",
    };
    Failure::input(format!("{}: {error}{remedy}", path.display()))
}

impl GameFile {
    /// The title of the game, or its file.
    pub fn title(&self) -> String {
        let name = self.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        self.game.pragmas.title().map_or(name, str::to_string)
    }

    pub fn before(&self, event: usize, setup: &Setup) -> GcgPosition {
        match event.checked_sub(1) {
            Some(last) => self.positions[last].clone(),
            None => GcgPosition::start(setup),
        }
    }

    /// The position before the move of a turn, counted from 1, or after the last turn, as the player to move saw it. `rack`
    /// replaces the rack in the file.
    pub fn position(&self, turn: Option<u32>, rack: Option<Rack>, setup: &Setup) -> Result<CgpPosition, Failure> {
        let GcgGame { events, racks, .. } = &self.game;
        let place = turn.map_or("after the last turn".to_string(), |turn| format!("turn {turn}"));
        let refused = |reason: &str| Failure::input(format!("{}, {place}: {reason}", self.path.display()));
        let number = turn.map_or(events.len(), |turn| (turn as usize).saturating_sub(1));
        let last = self.before(events.len(), setup);
        let is_over = last.held.contains(&0) || matches!(events.last(), Some(GcgEvent { action: Penalty(_) | Time, .. }));
        let written = events.get(number).map_or(racks[last.to_move], |event| event.rack);
        match events.get(number).map(|event| &event.action) {
            None if turn.is_some() => return Err(refused(&format!("the last turn of the game is {}", events.len()))),
            None if is_over => return Err(refused("the game is over; name a turn with --turn")),
            None | Some(Play { .. } | Exchange(_) | ExchangeUnknown(_) | Pass) => {}
            Some(_) => return Err(refused("this is neither a play, an exchange nor a pass")),
        }
        let game = game_before(setup, &self.game, &self.positions, number, rack);
        let game = game.map_err(|error| {
            let known = written.show(&setup.tileset);
            refused(&format!("{error} (the file has the rack {known:?}); name the whole rack with --rack"))
        })?;
        Ok(CgpPosition::seen_in(&game, setup))
    }

    /// A player's full name, or the nickname.
    pub fn player(&self, player: usize) -> &str {
        let player = &self.game.players[player];
        if player.name.is_empty() { &player.nickname } else { &player.name }
    }
}
