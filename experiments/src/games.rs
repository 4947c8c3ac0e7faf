//! `game`: recorded games, replayed and annotated.

use rayon::prelude::*;
use tilewright_engine::annotation::{AnnotatedTurn, Annotator};
use tilewright_engine::simulator::{Settings, Simulator};
use tilewright_engine::{Generator, Monitor};

use crate::flags::TableFlags;
use crate::{Failure, InFile, Progress, loading, output};

pub mod files;
mod mistakes;
pub mod result;
mod course;
mod page;

use files::{AnnotateArguments, GameFile, GameVerb, Loaded};
use mistakes::Comparison;
use result::RecordedGames;

pub fn run(verb: &GameVerb) -> Result<(), Failure> {
    match verb {
        GameVerb::Show(files) => {
            let [html, json] = files.new_files()?;
            let loaded = Loaded::read(files, &TableFlags::default(), None)?;
            let games = RecordedGames::new(&loaded, None, &[]);
            output::show_and_page(&games, json, html, || page::write(&loaded, &games, &[]))
        }
        GameVerb::Annotate(arguments) => annotate(arguments),
    }
}

fn annotate(arguments: &AnnotateArguments) -> Result<(), Failure> {
    let files = &arguments.files;
    let [html, json] = files.new_files()?;
    if !(arguments.mistake.is_finite() && arguments.mistake > 0.0) {
        return Err(Failure::input(format!("--mistake {}; expected a positive number of points", arguments.mistake)));
    }
    let loaded = Loaded::read(files, &arguments.tables, arguments.player.as_ref())?;
    let Loaded { setup, games } = &loaded;
    let flags = &files.flags.common;
    let game = flags.game.with_tables(&arguments.tables);
    let player = loading::player_or_default(arguments.player.as_ref(), setup, &game)?;
    let settings =
        Settings { iterations: arguments.deals.unwrap_or(1), candidates: usize::from(arguments.top), ..Settings::default() };
    let probabilities = loading::win_percentage(setup, &game)?;
    let ranker = loading::ranker(&player)?;
    let looks_ahead = player.as_static().is_none();
    if looks_ahead && arguments.deals.is_some() {
        return Err(Failure::input(format!("{} looks ahead by its own settings; leave out --deals", player.name)));
    }
    let simulator = Simulator::new(setup, ranker, &probabilities, &settings);
    // One game has the threads for its simulations, several share them.
    let threads = if games.len() == 1 { rayon::current_num_threads() } else { 1 };
    let simulator = arguments.deals.map(|_| (simulator, flags.seed.unwrap_or(1)));
    let annotator =
        Annotator { ranker, player: looks_ahead.then_some(&player), simulator, most: usize::from(arguments.top), threads };
    let progress = Progress::new(flags.game.quiet);
    progress.begin("annotate", games.iter().map(|file| file.game.events.len() as u64).sum(), "turns");
    let of_game =
        |file: &GameFile| annotator.annotate(&file.game, &mut Generator::new(setup), &progress).in_file(&file.path);
    let annotated: Result<Vec<Vec<AnnotatedTurn>>, Failure> = games.par_iter().map(of_game).collect();
    progress.finish();
    if progress.is_stopped() {
        return Err(Failure::Interrupted("nothing is written; annotate fewer games, or without --deals".into()));
    }
    let comparison =
        Comparison { player: player.name.clone(), looks_ahead, deals: arguments.deals, mistake: arguments.mistake };
    let annotated = annotated?;
    let games = RecordedGames::new(&loaded, Some(comparison), &annotated);
    output::show_and_page(&games, json, html, || page::write(&loaded, &games, &annotated))
}
