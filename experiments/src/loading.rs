//! Loads what the flags name: tile sets, lexicons and players.

use std::path::{Path, PathBuf};

use tilewright_engine::layout::Layout;
use tilewright_engine::lexicon::{EMBEDDED_NAME, Lexicon};
use tilewright_engine::player::Player;
use tilewright_engine::player::external::Address;
use tilewright_engine::setup::Setup;
use tilewright_engine::static_player::StaticPlayer;
use tilewright_engine::tileset::TileSet;

use crate::failure::{Failure, Input};
use crate::flags::{CommonFlags, DEFAULT_TILESET, GameFlags, PlayFlags};

/// Starts the threads, and loads what games are played with.
///
/// # Errors
/// [`Failure::Input`] for a tile set or a word list that cannot be read.
pub fn start(flags: &PlayFlags) -> Result<Setup, Failure> {
    start_threads(&flags.common)?;
    setup(&flags.common.game, flags.no_word_map)
}

/// The same for verbs that look at a few positions, or at none.
pub fn start_for_few_positions(flags: &CommonFlags) -> Result<Setup, Failure> {
    start_threads(flags)?;
    let (tileset, layout, lexicon) = parts(&flags.game)?;
    Ok(Setup::for_few_positions(tileset, layout, lexicon))
}

/// Starts the number of threads that the flags name.
pub fn start_threads(flags: &CommonFlags) -> Result<(), Failure> {
    let threads = flags.threads.map_or(0, usize::from);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    Ok(())
}

/// The player of a name; tells on standard error what should be known of it.
///
/// # Errors
/// [`Failure::Input`], for players that run elsewhere too: most verbs need to know more of a player than its moves.
pub fn player(name: &str, setup: &Setup, game: &GameFlags) -> Result<Player, Failure> {
    if Address::of_name(name).is_some() {
        return Err(only_in_matches(name));
    }
    any_player(name, setup, game)
}

fn only_in_matches(name: &str) -> Failure {
    Failure::input(format!("player {name} runs elsewhere; such players play in tilewright match alone"))
}

/// How a player ranks moves at a glance.
///
/// # Errors
/// [`Failure::Input`] for an external player.
pub fn ranker(player: &Player) -> Result<&StaticPlayer, Failure> {
    player.ranker().ok_or_else(|| only_in_matches(&player.name))
}

/// The same, wherever it runs.
pub fn any_player(name: &str, setup: &Setup, game: &GameFlags) -> Result<Player, Failure> {
    let player = Player::from_name(name, game.loader(setup)).input()?;
    warn(game, player.warning.as_deref());
    Ok(player)
}

/// A warning on standard error, if there is one, unless quiet.
pub fn warn(game: &GameFlags, warning: Option<&str>) {
    if let Some(warning) = warning.filter(|_| !game.quiet) {
        eprintln!("warning: {warning}");
    }
}

/// The tile set of a name or a TOML file, with its board.
pub fn tileset_and_layout(name: &str) -> Result<(TileSet, Layout), Failure> {
    let path = Path::new(name);
    if path.extension().is_none() && !name.contains(['/', '\\']) {
        let tileset = TileSet::embedded(name).input()?;
        let layout = Layout::embedded(tileset.board()).input()?;
        return Ok((tileset, layout));
    }
    let tileset = TileSet::from_toml(&read_text(path, "tile set")?, name).input()?;
    let board = tileset.board();
    let layout = if Path::new(board).extension().is_some() {
        let path = path.parent().unwrap_or(Path::new(".")).join(board);
        Layout::from_toml(&read_text(&path, "board")?, &path.to_string_lossy()).input()?
    } else {
        Layout::embedded(board).input()?
    };
    Ok((tileset, layout))
}

fn read_text(path: &Path, what: &str) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| Failure::input(format!("{what} {}: {error}", path.display())))
}

/// What games are played with.
pub fn setup(game: &GameFlags, no_word_map: bool) -> Result<Setup, Failure> {
    let (tileset, layout, lexicon) = parts(game)?;
    if no_word_map {
        Setup::without_word_map(tileset, layout, lexicon).input()
    } else {
        Ok(Setup::new(tileset, layout, lexicon))
    }
}

/// Tile set, board and lexicon; tells on standard error what the word list left out.
fn parts(game: &GameFlags) -> Result<(TileSet, Layout, Lexicon), Failure> {
    let (tileset, layout) = tileset_and_layout(game.tileset.as_deref().unwrap_or(DEFAULT_TILESET))?;
    let lexicon = lexicon(game, &tileset, &layout, cache_folder().as_deref())?;
    if !game.quiet && !lexicon.report.is_clean() {
        eprintln!("warning: word list {}: {}", game.lexicon.as_deref().unwrap_or(EMBEDDED_NAME), lexicon.report);
    }
    Ok((tileset, layout, lexicon))
}

/// The lexicon asked for; the embedded one is for English only.
pub fn lexicon(game: &GameFlags, tileset: &TileSet, layout: &Layout, cache: Option<&Path>) -> Result<Lexicon, Failure> {
    let name = match &game.lexicon {
        Some(name) => name,
        None if tileset.name().starts_with(DEFAULT_TILESET) => EMBEDDED_NAME,
        None => {
            let name = tileset.name();
            return Err(Failure::input(format!(
                "no word list is embedded for the {name} tile set; name one with --lexicon FILE"
            )));
        }
    };
    Lexicon::load(name, tileset, layout.side(), cache).input()
}

/// Where built word graphs are kept: the user's cache folder. It changes how fast a start is, nothing else.
pub fn cache_folder() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = variable("XDG_CACHE_HOME")
        .or_else(|| variable("LOCALAPPDATA"))
        .or_else(|| variable("HOME").map(|home| home.join(".cache")));
    Some(base?.join("tilewright"))
}
