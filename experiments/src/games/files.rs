//! The flags of `game`, the files of recorded games, and the setup with which they are replayed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};
use tilewright_engine::game::gcg::{self, GcgError, GcgFault, GcgGame, GcgPosition};
use tilewright_engine::input_file::{self, limits};
use tilewright_engine::{PlayerSpec, Setup, TileSet};

use crate::flags::{JsonFlag, PlayFlags, TableFlags, new_files, player_named};
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
        let contents = files.files.iter().map(|path| Ok((path, input_file::read_up_to(path, limits::GAME).in_file(path)?)));
        let contents = contents.collect::<Result<Vec<_>, Failure>>()?;
        let mut flags = files.flags.clone();
        let pragmas = gcg::pragmas(&contents[0].1).ok();
        let named = pragmas.as_ref().and_then(|pragmas| pragmas.tile_set()).map(str::to_lowercase);
        let is_embedded = |name: &String| TileSet::embedded_names().any(|known| known == name);
        let game = &mut flags.common.game;
        game.tileset = game.tileset.take().or_else(|| named.filter(is_embedded));
        if game.tileset.is_none() {
            loading::name_game_of_players(player, tables, &mut flags.common)?;
        }
        let setup = loading::start(&flags, &Memos::default())?;
        let lexicon = pragmas.as_ref().and_then(|pragmas| pragmas.lexicon());
        loading::warn_of_other_lexicon("game", lexicon, &files.flags.common.game, &setup);
        let read = |(path, bytes): (&PathBuf, Vec<u8>)| {
            let game = gcg::read(&bytes, &setup.tileset).in_file(path)?;
            game.pragmas.check(&setup).in_file(path)?;
            if let Some(event) = game.events.iter().find(|event| !event.after.is_empty()) {
                let place = format!("{}: {:?} after the total means nothing here", path.display(), event.after);
                loading::warn(&files.flags.common.game, Some(&place));
            }
            let mut replay = gcg::replay(&game, &setup);
            if files.accept_scores {
                replay = replay.accepting_scores();
            }
            let positions = replay.by_ref().collect::<Result<Vec<_>, _>>().map_err(|error| refused(path, &error))?;
            for wrong in replay.accepted() {
                loading::warn(&files.flags.common.game, Some(&format!("{}: {wrong}", path.display())));
            }
            if game.events.is_empty() {
                return Err("it has no events; an event is a line such as `>ann: AEINRTZ 8H ZA +22 22`").in_file(path);
            }
            Ok(GameFile { path: path.clone(), game, positions })
        };
        let games = contents.into_iter().map(read).collect::<Result<Vec<_>, Failure>>()?;
        Ok(Loaded { setup, games })
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

    /// A player's full name, or the nickname.
    pub fn player(&self, player: usize) -> &str {
        let player = &self.game.players[player];
        if player.name.is_empty() { &player.nickname } else { &player.name }
    }
}
