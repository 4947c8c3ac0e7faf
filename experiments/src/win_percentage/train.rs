//! `win-percentage train`: trains a network and its win table from self-play, and scores them on held-out games.

use std::sync::Arc;

use serde::Serialize;
use tilewright_engine::{Player, Setup};
use tilewright_train::win_percentage::comparison::Comparison;
use tilewright_train::win_percentage::config::WinPercentageConfig;
use tilewright_train::win_percentage::run::WinPercentageRun;

use super::flags::WinPercentageTrainArguments;
use super::summary::player;
use super::{page, summary};
use crate::flags::shell_word;
use crate::report::{PAGE_FILE, REPORT_FILE};
use crate::run_config::{FitRequest, RunJson};
use crate::runs::{Context, Finished, RunRequest};
use crate::{Failure, Progress, output, say};

pub type WinPercentageRequest = FitRequest<WinPercentageConfig>;

pub fn request(arguments: &WinPercentageTrainArguments) -> Result<WinPercentageRequest, Failure> {
    let (path, flags) = (arguments.config.as_deref(), arguments.flags.with_tables(&arguments.files));
    FitRequest::of_file_or("default", path, &flags, (), |config: &mut WinPercentageConfig| {
        config.player = arguments.player.clone().or(config.player.take());
        arguments.files.name_in(&mut config.player);
        config.games = arguments.games.unwrap_or(config.games);
        config.held_out_games = arguments.held_out_games.unwrap_or(config.held_out_games);
    })
}

impl RunRequest for WinPercentageRequest {
    type Loaded = Player;
    type Run<'a> = WinPercentageRun<'a>;
    const DOING: &'static str = "training";

    fn load(&mut self, setup: &Arc<Setup>, _context: &Context<'_>, _progress: &Progress) -> Result<Player, Failure> {
        player(self.config.player.as_ref(), setup, &self.flags.common.game)
    }

    fn run<'a>(&'a self, setup: &'a Setup, player: &'a Player) -> Result<Self::Run<'a>, Failure> {
        Ok(WinPercentageRun { setup, player, config: &self.config })
    }

    fn name(&self, setup: &Setup) -> String {
        let (WinPercentageConfig { games, seed, .. }, lexicon) = (&self.config, &setup.lexicon.name);
        format!("win-percentage-{lexicon}-{}-{games}-games-{seed}", setup.tileset.name())
    }

    fn finish(&self, finished: Finished<'_, WinPercentageRun<'_>>, _player: &Player) -> Result<(), Failure> {
        let Finished { run, outcome, artefact, out, json, file } = finished;
        let WinPercentageRun { setup, player, config } = *run;
        let comparison = run.compare(&outcome);
        let report = summary::write(setup, config, &player.name, &outcome, &comparison);
        if let Some(artefact) = artefact {
            artefact.add(REPORT_FILE, &report)?;
            let page = page::write(outcome.tally.games, &outcome.table, &comparison, artefact.manifest());
            artefact.add(PAGE_FILE, page)?;
        }
        let trained = TrainedWinTable {
            run: json,
            player: &player.name,
            training_games: outcome.tally.games,
            training_turns: outcome.tally.turns(),
            loss: outcome.losses.last().copied(),
            held_out: &comparison,
        };
        let shown = output::show_as(report, &trained, file);
        say!(
            "The table is in {0}. Try: tilewright win-percentage show {1}{2}",
            out.display(),
            shell_word(&out.to_string_lossy()),
            self.flags.common.game.repeated()
        );
        shown
    }
}

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
}
