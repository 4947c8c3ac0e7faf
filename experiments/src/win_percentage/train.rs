//! `win-percentage train`: trains a network and its win table from self-play, and scores them on held-out games.

use std::fmt;

use serde::Serialize;
use tilewright_engine::setup::Setup;
use tilewright_engine::win_percentage::scaled::scaled;
use tilewright_train::win_percentage::artefact;
use tilewright_train::win_percentage::comparison::Comparison;
use tilewright_train::win_percentage::config::WinPercentageConfig;
use tilewright_train::win_percentage::run::{key, run as train};

use super::flags::WinPercentageTrainArguments;
use super::naming::{SCALED, player};
use super::{page, summary};
use crate::failure::Failure;
use crate::flags::shell_word;
use crate::output::{self, say};
use crate::progress::Progress;
use crate::report::{PAGE_FILE, REPORT_FILE};
use crate::run_config::RunJson;
use crate::tell::tell;
use crate::{crew, loading, run_config};

/// `win-percentage train`.
pub fn run(arguments: &WinPercentageTrainArguments) -> Result<(), Failure> {
    let json = arguments.json.file()?;
    let config = arguments.config.as_deref().map_or_else(|| Ok(WinPercentageConfig::default()), run_config::from_file)?;
    let (config, flags) = run_config::with_flags(config, &arguments.flags, |config| {
        if let Some(player) = &arguments.player {
            config.player.clone_from(player);
        }
        arguments.files.name_in([&mut config.player]);
        config.games = arguments.games.unwrap_or(config.games);
        config.held_out_games = arguments.held_out_games.unwrap_or(config.held_out_games);
    })?;
    let (setup, game) = (loading::start(&flags)?, &flags.common.game.with_tables(&arguments.files));
    let player = player(&config.player, &setup, game)?;
    let key = key(&setup, &player, &config);
    let out = run_config::out_folder(arguments.out.as_deref(), &default_name(&config, &setup), &key);
    let progress = Progress::new(game.quiet);
    let journal = crew::open(&out, &key, &progress)?;
    if !game.quiet {
        tell!("training in {}", out.display());
    }
    let outcome = train(&setup, &player, &config, &journal);
    progress.finish();
    let outcome = outcome?;
    let tables = [
        ("network".to_string(), outcome.table.clone()),
        ("empirical".to_string(), outcome.empirical.clone()),
        ("logistic".to_string(), outcome.curves.clone()),
        (SCALED.to_string(), scaled(&setup.tileset)),
    ];
    let comparison = Comparison::new(&tables, &setup.tileset, &outcome.held_out);
    let report = summary::write(&setup, &config, &player.name, &outcome, &comparison);
    let mut artefact = artefact::write(&setup, &config, &outcome, &comparison, &out)?;
    artefact.add(REPORT_FILE, &report)?;
    let page = page::write(&setup, &outcome, &comparison, artefact.manifest());
    artefact.add(PAGE_FILE, page)?;
    artefact.finish()?;
    let trained = TrainedWinTable {
        run: RunJson::new(&out, &setup, config.seed),
        player: &player.name,
        training_games: outcome.tally.games,
        training_turns: outcome.tally.turns(),
        loss: outcome.losses.last().copied(),
        held_out: &comparison,
        report,
    };
    let shown = output::show(&trained, json);
    say!(
        "The table is in {0}. Try: tilewright win-percentage show {1}{2}",
        out.display(),
        shell_word(&out.to_string_lossy()),
        game.repeated()
    );
    shown
}

/// The result of `win-percentage train`.
#[derive(Serialize)]
struct TrainedWinTable<'a> {
    #[serde(flatten)]
    run: RunJson,
    player: &'a str,
    training_games: u64,
    training_turns: u64,
    /// The final loss of the network above the smallest possible loss, in nats per turn.
    loss: Option<f64>,
    /// The scores of the tables on held-out games, as `win-percentage eval` writes them.
    held_out: &'a Comparison,
    /// The report that is printed.
    #[serde(skip)]
    report: String,
}

impl fmt::Display for TrainedWinTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report)
    }
}

fn default_name(config: &WinPercentageConfig, setup: &Setup) -> String {
    let (lexicon, tileset) = (&setup.lexicon.name, setup.tileset.name());
    format!("win-percentage-{lexicon}-{tileset}-{}-games-{}", config.games, config.seed)
}
