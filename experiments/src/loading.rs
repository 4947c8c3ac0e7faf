//! Loads the tile sets, lexicons and players that the flags name.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::ThreadPoolBuildError;
use tilewright_engine::artefact::{Artefact, ArtefactOrFile};
use tilewright_engine::evaluator::network::load::LoadedNetwork;
use tilewright_engine::input_file;
use tilewright_engine::leave::load::NotEmbedded;
use tilewright_engine::lexicon::{EMBEDDED_NAME, Lexicon, LineForm};
use tilewright_engine::monitor::{Monitor, NoMonitor};
use tilewright_engine::player::{MatchPlayer, Player, PlayerSpec};
use tilewright_engine::setup::{Setup, WordGraphTooLarge};
use tilewright_engine::{Layout, LeaveData, StaticPlayer, TileSet, WinPercentage};
use tilewright_train::network::shape::network_path;

use crate::failure::{warning_and_remedy, words_and_remedy};
use crate::flags::{CommonFlags, DEFAULT_TILESET, GameFlags, PlayFlags, TableFlags};
use crate::memo::{Memos, Source};
use crate::status::status;
use crate::{Failure, Input, Progress};

/// Starts the threads and loads the setup, which the runs of the process share.
pub fn start(flags: &PlayFlags, memos: &Memos) -> Result<Arc<Setup>, Failure> {
    start_threads(flags.common.threads)?;
    let (game, no_word_map) = (&flags.common.game, flags.no_word_map);
    let key = ([game.lexicon.as_ref(), game.tileset.as_ref()].map(source), no_word_map);
    memos.setup.get_or(key, || setup(game, no_word_map))
}

/// Loads the setup with a word map, unless `no_word_map`.
pub fn setup(game: &GameFlags, no_word_map: bool) -> Result<Setup, Failure> {
    prepared(game, |tileset, layout, lexicon| {
        if no_word_map {
            Setup::without_word_map(tileset, layout, lexicon)
        } else {
            Ok(Setup::new(tileset, layout, lexicon))
        }
    })
}

/// Loads the setup for verbs that look at few positions or none: a word map would not pay.
pub fn few_positions(game: &GameFlags) -> Result<Setup, Failure> {
    prepared(game, |tileset, layout, lexicon| Ok(Setup::for_few_positions(tileset, layout, lexicon)))
}

/// Loads tile set, board and lexicon, and makes their setup. Warns of rejected lines of the word list.
fn prepared(
    game: &GameFlags,
    new: impl FnOnce(TileSet, Layout, Lexicon) -> Result<Setup, WordGraphTooLarge>,
) -> Result<Setup, Failure> {
    let (tileset, layout) = tileset_and_layout(game.tileset_name())?;
    let lexicon = lexicon(game, &tileset, &layout)?;
    warn_of_rejected_lines(&lexicon, game);
    let _waiting = Progress::waiting(game.quiet, "preparing the search for moves");
    new(tileset, layout, lexicon).input()
}

/// Starts the threads of the flags, by default one per core, at the first call of the process. Later calls do nothing: the
/// commands of a study share its threads.
pub fn start_threads(threads: Option<u16>) -> Result<(), Failure> {
    static STARTED: AtomicBool = AtomicBool::new(false);
    if !STARTED.swap(true, Ordering::Relaxed) {
        let threads = threads.map_or(0, usize::from);
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().map_err(no_threads)?;
    }
    Ok(())
}

/// The failure to start threads, which the system limits.
pub fn no_threads(error: ThreadPoolBuildError) -> Failure {
    Failure::Failed(
        anyhow::Error::new(error).context("cannot start the threads; ask for fewer with --threads, or end other programs"),
    )
}

/// Loads a player, and prints its warning on standard error.
///
/// # Errors
/// [`Failure::Input`] for a player that cannot be loaded.
pub fn player(spec: &PlayerSpec, setup: &Setup, game: &GameFlags) -> Result<Player, Failure> {
    match_player(&spec.clone().into(), setup, game, &NoMonitor)
}

/// Loads the named player, or the default player, as [`player`] does.
///
/// # Errors
/// As [`player`], also if no leave table fits the game and no player is named.
pub fn player_or_default(named: Option<&PlayerSpec>, setup: &Setup, game: &GameFlags) -> Result<Player, Failure> {
    let default = || PlayerSpec::default_of(game.loader(setup));
    player(&named.cloned().unwrap_or_else(default), setup, game)
}

/// The static player that `flag` names, or the default player. `why` is the reason against other players.
pub fn static_player(
    named: Option<&PlayerSpec>,
    flag: &str,
    why: &str,
    setup: &Setup,
    game: &GameFlags,
) -> Result<Player, Failure> {
    let player = player_or_default(named, setup, game)?;
    if player.as_static().is_none() {
        let name = &player.name;
        return Err(Failure::input(format!("--{flag} {name} looks ahead{why}; name a static player, such as leave")));
    }
    Ok(player)
}

/// The static player with which a player ranks moves.
///
/// # Errors
/// [`Failure::Input`] for an external player.
pub fn ranker(player: &Player) -> Result<&StaticPlayer, Failure> {
    player.ranker().ok_or_else(|| Failure::input(format!("player {} is external, and ranks no moves", player.name)))
}

/// Loads a player of a match. A stop request of the monitor ends the wait for an external one.
pub fn match_player(spec: &MatchPlayer, setup: &Setup, game: &GameFlags, monitor: &dyn Monitor) -> Result<Player, Failure> {
    let player = spec.load(game.loader(setup), monitor);
    if player.is_err() && monitor.is_stopped() {
        return Err(Failure::Interrupted(format!("player {spec} was not ready yet")));
    }
    let player = player.map_err(|error| {
        let error = anyhow::Error::new(error);
        let missing = error.chain().find_map(|cause| cause.downcast_ref::<NotEmbedded>());
        missing
            .map(|missing| missing_table(missing, game).within(&format!("player {spec}")))
            .unwrap_or(Failure::Input(error))
    })?;
    warn_of(game, player.warning.as_ref());
    Ok(player)
}

/// The failure of a game for which no leave table is embedded, with the ways to one.
pub fn missing_table(error: &NotEmbedded, game: &GameFlags) -> Failure {
    let shipped = if error.lexicon.eq_ignore_ascii_case("yawl") {
        "; for YAWL there is lexicons/leaves/yawl.klv2.gz in the repository"
    } else {
        ""
    };
    Failure::input(format!(
        "{error}; make one with tilewright leaves train{}, and use it as leave:PATH or with --leaves PATH{shipped}; greedy needs no table",
        game.repeated()
    ))
}

/// The win table of simulations: the table of the flags, or the table for the game.
pub fn win_percentage(setup: &Setup, game: &GameFlags) -> Result<WinPercentage, Failure> {
    if let Some(path) = &game.tables.win_percentage {
        return WinPercentage::load(path, game.loader(setup)).input();
    }
    let (table, warning) = WinPercentage::for_setup(setup);
    warn_of(game, warning.as_ref());
    Ok(table)
}

/// The leave table of features that need one: from a path, otherwise from the flags, otherwise the embedded one.
pub fn needed_leaves(
    needs: bool,
    path: Option<&Path>,
    setup: &Setup,
    game: &GameFlags,
) -> Result<Option<LeaveData>, Failure> {
    let loader = game.loader(setup);
    let load = || match path.or(loader.tables.leaves) {
        Some(path) => LeaveData::load(path, loader).input(),
        None => LeaveData::embedded(loader).map_err(|error| missing_table(&error, game)),
    };
    needs.then(load).transpose()
}

/// The network of `player`, the value of `key` in a config: `network` or `network:PATH`.
///
/// # Errors
/// [`Failure::Input`] if it is another player, or if the network cannot be used in this game.
pub fn network(key: &str, player: &PlayerSpec, setup: &Setup, game: &GameFlags) -> Result<LoadedNetwork, Failure> {
    let path = network_path(key, player).map_err(Failure::input)?;
    let loaded = LoadedNetwork::open(path, game.loader(setup));
    loaded.map_err(|error| Failure::input(format!("{key} = \"{player}\": {error}")))
}

/// Prints a warning of a library with its remedy.
pub fn warn_of(game: &GameFlags, warning: Option<&(impl Error + 'static)>) {
    warn(game, warning.map(|warning| warning_and_remedy(warning)).as_deref());
}

/// Prints the warning on standard error, if there is one, unless quiet.
pub fn warn(game: &GameFlags, warning: Option<&str>) {
    if let Some(warning) = warning.filter(|_| !game.quiet) {
        status!("warning: {warning}");
    }
}

/// The tile set with this name, or from this TOML file, and its board.
pub fn tileset_and_layout(name: &str) -> Result<(TileSet, Layout), Failure> {
    let (path, is_file) = (Path::new(name), is_file_name(name));
    let tileset =
        if is_file { TileSet::from_toml(&read_text(path, "tile set")?, name) } else { TileSet::embedded(name) }.input()?;
    let board = tileset.board();
    let layout = if is_file && Path::new(board).extension().is_some() {
        let path = path.parent().unwrap_or(Path::new(".")).join(board);
        Layout::from_toml(&read_text(&path, "board")?, &path.to_string_lossy()).input()?
    } else {
        Layout::embedded(board).input()?
    };
    Ok((tileset, layout))
}

/// Whether the name of a tile set is the name of a file.
pub fn is_file_name(name: &str) -> bool {
    Path::new(name).extension().is_some() || name.contains(['/', '\\'])
}

pub struct Opened {
    pub content: ArtefactOrFile,
    /// The tile set of the artefact, or the tile set of the flags.
    pub tileset: TileSet,
    pub layout: Layout,
}

/// Opens a table to show or convert it. An artefact states its tile set and its lexicon, so no flag has to repeat them. If
/// flags name them, they are checked. A bare file states neither and is taken to be for the tile set of the flags.
///
/// # Errors
/// [`Failure::Input`] if an artefact, its tile set or the lexicon of the flags cannot be read, or do not fit each other.
pub fn open(path: &Path, kind: &str, game: &GameFlags) -> Result<Opened, Failure> {
    if !path.is_dir() {
        let (tileset, layout) = tileset_and_layout(game.tileset_name())?;
        return Ok(Opened { content: ArtefactOrFile::File(path.into()), tileset, layout });
    }
    let artefact = Artefact::read(path, kind).input()?;
    let (tileset, layout) = match &game.tileset {
        Some(named) => tileset_and_layout(named)?,
        None => own_tileset(&artefact)?,
    };
    artefact.check_rules(&tileset, &layout).input()?;
    if game.lexicon.is_some() && !game.accept_other_lexicon {
        let lexicon = lexicon(game, &tileset, &layout)?;
        artefact.check_lexicon(&lexicon).input()?;
    }
    Ok(Opened { content: ArtefactOrFile::Artefact(Box::new(artefact)), tileset, layout })
}

/// The tile set and the board that the config of an artefact names. Nothing of another file is shown: somebody else may have named it.
fn own_tileset(artefact: &Artefact) -> Result<(TileSet, Layout), Failure> {
    let manifest = artefact.manifest();
    let named = named_in(&manifest.config, "tileset").unwrap_or_else(|| manifest.tileset.name.clone());
    let found = tileset_and_layout(&named).ok();
    found.filter(|(tileset, layout)| artefact.check_rules(tileset, layout).is_ok()).ok_or_else(|| {
        Failure::input(format!(
            "{} was made for the tile set {named}, and no such tile set is here, or it has changed: name it with --tileset",
            artefact.folder().display()
        ))
    })
}

/// The lexicon in the config of an artefact, if it has the words of the artefact. No text of a file is shown or cached.
pub fn own_lexicon(artefact: &Artefact, tileset: &TileSet, layout: &Layout) -> Option<Lexicon> {
    let named = named_in(&artefact.manifest().config, "lexicon")?;
    let cache = cache_folder().filter(|_| named == EMBEDDED_NAME);
    let lexicon = Lexicon::load(&named, LineForm::default(), tileset, layout.side(), cache.as_deref()).ok()?;
    artefact.check_lexicon(&lexicon).is_ok().then_some(lexicon)
}

/// Names the game of the first artefact among these paths, unless flags name one: its tile set, and its word list where the config of its run
/// has it.
///
/// # Errors
/// [`Failure::Input`] if that word list has moved or changed.
pub fn name_game_of<'a>(paths: impl IntoIterator<Item = &'a Path>, flags: &mut CommonFlags) -> Result<(), Failure> {
    // Words are read on the threads of the flags.
    start_threads(flags.threads)?;
    let game = &mut flags.game;
    if game.lexicon.is_some() || game.tileset.is_some() || game.accept_other_lexicon {
        return Ok(());
    }
    let Some(artefact) = paths.into_iter().find_map(|path| Artefact::read_any(path).ok()) else { return Ok(()) };
    let manifest = artefact.manifest();
    // Somebody else may have named the file. Its faults must not be shown.
    let (tileset, layout) = own_tileset(&artefact)?;
    let tileset_name = named_in(&manifest.config, "tileset").unwrap_or_else(|| manifest.tileset.name.clone());
    let lexicon_name = named_in(&manifest.config, "lexicon").filter(|named| !["", EMBEDDED_NAME].contains(&named.as_str()));
    let Some(named) = lexicon_name else {
        game.tileset = Some(tileset_name);
        return Ok(());
    };
    if own_lexicon(&artefact, &tileset, &layout).is_none() {
        let (folder, name) = (artefact.folder().display(), &manifest.lexicon.name);
        return Err(Failure::input(format!(
            "{folder} was made for the word list {name}, which has moved or changed; name it with --lexicon FILE"
        )));
    }
    (game.tileset, game.lexicon) = (Some(tileset_name), Some(named));
    Ok(())
}

/// Names the game of the first artefact among the files of these players and the tables of flags.
///
/// # Errors
/// As [`name_game_of`].
pub fn name_game_of_players<'a>(
    players: impl IntoIterator<Item = &'a PlayerSpec>,
    tables: &'a TableFlags,
    flags: &mut CommonFlags,
) -> Result<(), Failure> {
    let of_players = players.into_iter().filter_map(|player| player.base.path());
    let of_flags = [&tables.leaves, &tables.network].into_iter().flatten().map(PathBuf::as_path);
    name_game_of(of_players.chain(of_flags), flags)
}

/// The text of a key in the config of an artefact.
fn named_in(config: &str, key: &str) -> Option<String> {
    Some(toml::from_str::<toml::Table>(config).ok()?.get(key)?.as_str()?.to_string())
}

fn read_text(path: &Path, what: &str) -> Result<String, Failure> {
    input_file::read_text(path).map_err(|error| Failure::input(format!("{what} {}: {error}", path.display())))
}

fn source(name: Option<&String>) -> Source {
    let file = name.and_then(|name| std::fs::metadata(name).ok());
    (name.cloned(), file.and_then(|file| Some((file.len(), file.modified().ok()?))))
}

pub fn warn_of_rejected_lines(lexicon: &Lexicon, game: &GameFlags) {
    if !lexicon.report.is_clean() {
        let name = game.lexicon.as_deref().unwrap_or(EMBEDDED_NAME);
        warn(game, Some(&format!("word list {name}: {}", words_and_remedy(&lexicon.report))));
    }
}

/// The lexicon that the flags name. The embedded one is the default of the English tile sets only.
pub fn lexicon(game: &GameFlags, tileset: &TileSet, layout: &Layout) -> Result<Lexicon, Failure> {
    lexicon_as(LineForm::default(), game, tileset, layout)
}

/// Like [`lexicon`], with the lines of a text read in this form.
pub fn lexicon_as(form: LineForm, game: &GameFlags, tileset: &TileSet, layout: &Layout) -> Result<Lexicon, Failure> {
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
    let _waiting = Progress::waiting(game.quiet, &format!("reading the words of {name}"));
    let lexicon = Lexicon::load(name, form, tileset, layout.side(), cache_folder().as_deref()).input()?;
    warn_of_alphagrams(&lexicon, tileset, game);
    Ok(lexicon)
}

/// So many words of a language do not all begin with two letters in order.
const MANY_WORDS: usize = 1000;

/// Warns of a `.kad`, in whose words all letters are in order.
fn warn_of_alphagrams(lexicon: &Lexicon, tileset: &TileSet, game: &GameFlags) {
    let graph = &lexicon.graph;
    let falls = |first: u8| (1..first).any(|second| graph.walk(graph.dawg_root(), [first, second]).is_some());
    if lexicon.report.words >= MANY_WORDS && !(2..=tileset.letters()).any(falls) {
        let name = &lexicon.name;
        warn(
            game,
            Some(&format!("the words of {name} have their letters in order, as in a .kad of alphagrams; name the .kwg")),
        );
    }
}

/// Warns of letters that are on tiles and in no word: such a list is hardly meant for the tile set.
pub fn warn_of_unused_letters(lexicon: &Lexicon, tileset: &TileSet, game: &GameFlags) {
    let unused = lexicon.unused_letters(tileset);
    if !unused.is_empty() {
        let (name, letters) = (&lexicon.name, unused.join(" "));
        let text = format!("no word of {name} has {letters}, which the {} tile set has on tiles", tileset.name());
        warn(game, Some(&text));
    }
}

/// Warns if a position or a game names a lexicon that no flag has overridden and that is not the one in use.
pub fn warn_of_other_lexicon(what: &str, named: Option<&str>, game: &GameFlags, setup: &Setup) {
    let used = &setup.lexicon.name;
    if let Some(named) = named.filter(|named| game.lexicon.is_none() && !named.eq_ignore_ascii_case(used)) {
        let text =
            format!("the {what} names the lexicon {named}, but {used} is used; name its word list with --lexicon FILE");
        warn(game, Some(&text));
    }
}

/// The folder in the user's cache that stores built word graphs. It affects the start-up time only.
pub fn cache_folder() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = variable("XDG_CACHE_HOME")
        .or_else(|| variable("LOCALAPPDATA"))
        .or_else(|| variable("HOME").map(|home| home.join(".cache")));
    Some(base?.join("tilewright"))
}
