//! `game`: recorded games, replayed and annotated.

pub mod flags;
mod files;
mod result;
mod page;

use rayon::prelude::*;
use tilewright_engine::annotation::{AnnotatedTurn, Annotator};
use tilewright_engine::simulator::{Settings, Simulator};
use tilewright_engine::{Generator, Monitor};

use crate::failure::Failure;
use crate::flags::new_files;
use crate::loading;
use crate::output::{self, NewFile};
use crate::progress::Progress;
use files::{GameFile, Loaded};
use flags::{AnnotateArguments, GameFiles, GameVerb};
use result::{Comparison, RecordedGames};

pub fn run(verb: &GameVerb) -> Result<(), Failure> {
    match verb {
        GameVerb::Show(files) => {
            let [html, json] = outputs(files)?;
            let loaded = Loaded::read(files)?;
            finish(&loaded, None, &[], json, html)
        }
        GameVerb::Annotate(arguments) => annotate(arguments),
    }
}

fn outputs(files: &GameFiles) -> Result<[NewFile<'_>; 2], Failure> {
    new_files([("--html", files.html.as_deref()), ("--json", files.json.json.as_deref())])
}

fn annotate(arguments: &AnnotateArguments) -> Result<(), Failure> {
    let files = &arguments.files;
    let [html, json] = outputs(files)?;
    if !(arguments.mistake.is_finite() && arguments.mistake > 0.0) {
        return Err(Failure::input(format!("--mistake {}; expected a positive number of points", arguments.mistake)));
    }
    let loaded = Loaded::read(files)?;
    let Loaded { setup, games } = &loaded;
    let flags = &files.flags.common;
    let game = flags.game.with_tables(&arguments.tables);
    let player = loading::player_or_default(arguments.player.as_ref(), setup, &game)?;
    let settings = Settings {
        iterations: arguments.simulate.unwrap_or(1),
        candidates: usize::from(arguments.top),
        ..Settings::default()
    };
    let probabilities = loading::win_percentage(setup, &game)?;
    let ranker = loading::ranker(&player)?;
    let simulator = Simulator::new(setup, ranker, &probabilities, &settings);
    // One game has the threads for its simulations, several share them.
    let threads = if games.len() == 1 { rayon::current_num_threads() } else { 1 };
    let simulator = arguments.simulate.map(|_| (simulator, flags.seed.unwrap_or(1)));
    let annotator = Annotator { ranker, simulator, most: usize::from(arguments.top), threads };
    let progress = Progress::new(flags.game.quiet);
    progress.begin("annotate", games.iter().map(GameFile::turns).sum(), "turns");
    let of_game = |file: &GameFile| {
        let turns = annotator.annotate(&file.game, &mut Generator::new(setup), &progress);
        turns.map_err(|error| file.failure(&error))
    };
    let annotated: Result<Vec<Vec<AnnotatedTurn>>, Failure> = games.par_iter().map(of_game).collect();
    progress.finish();
    if progress.is_stopped() {
        return Err(Failure::Interrupted("nothing is written; annotate fewer games, or without --simulate".into()));
    }
    let comparison = Comparison { player: player.name.clone(), deals: arguments.simulate, mistake: arguments.mistake };
    finish(&loaded, Some(comparison), &annotated?, json, html)
}

fn finish(
    loaded: &Loaded,
    comparison: Option<Comparison>,
    annotated: &[Vec<AnnotatedTurn>],
    json: NewFile<'_>,
    html: NewFile<'_>,
) -> Result<(), Failure> {
    let games = RecordedGames::new(loaded, comparison, annotated);
    output::show_and_page(&games, json, html, || page::write(loaded, &games, annotated))
}
