//! Networks of positions: what `train` writes of one, and how `eval` scores one beside tables.

use std::path::Path;

use tilewright_engine::setup::Setup;
use tilewright_engine::win_percentage::csv;
use tilewright_engine::win_percentage::load::POSITION_KIND;
use tilewright_train::win_percentage::config::WinPercentageConfig;
use tilewright_train::win_percentage::position::compare::{Forecast, compare};
use tilewright_train::win_percentage::position::inputs::{Sight, VERSION};
use tilewright_train::win_percentage::position::run::{NETWORK_FILE, PLAIN_FILE, PositionArtefact, PositionOutcome};

use super::naming::table;
use super::summary;
use super::train::manifest;
use crate::failure::{Failure, Input};
use crate::flags::{GameArguments, shell_word};
use crate::output::say;

/// Scores a run that is done, and writes the artefact: payloads, report, and the manifest last.
pub fn write(
    setup: &Setup,
    config: &WinPercentageConfig,
    player: &str,
    outcome: &PositionOutcome,
    out: &Path,
) -> Result<(), Failure> {
    let forecasts = [
        ("position".to_string(), Forecast::Network(Box::new(outcome.network.clone()))),
        ("plain".to_string(), Forecast::Table(Box::new(outcome.plain.clone()))),
    ];
    let comparison = compare(&forecasts, &setup.tileset, &outcome.held_out);
    let inputs = outcome.network.sight.describe(&setup.tileset);
    let report = summary::write_position(setup, config, player, outcome, &comparison, &inputs);
    let feature_set = format!("{VERSION}: {inputs}");
    let mut manifest = manifest(setup, config, &comparison, POSITION_KIND, feature_set);
    manifest.add(out, NETWORK_FILE, (serde_json::to_string(&outcome.network)? + "\n").as_bytes())?;
    manifest.add(out, PLAIN_FILE, csv::write(&outcome.plain).as_bytes())?;
    manifest.add(out, "scores.json", (serde_json::to_string_pretty(&comparison)? + "\n").as_bytes())?;
    manifest.add(out, "report.md", report.as_bytes())?;
    manifest.finish(out)?;
    say!("{report}");
    let shown = shell_word(&out.to_string_lossy());
    say!("The network is in {}. On other games: tilewright win-percentage eval {shown}", out.display());
    Ok(())
}

/// The forecasts of a name or a path: a table, or a network of positions and the plain table of its games.
pub fn forecasts(name: &str, setup: &Setup, game: &GameArguments) -> Result<Vec<(String, Forecast)>, Failure> {
    let of_table = |name: String, table| (name, Forecast::Table(Box::new(table)));
    match PositionArtefact::load(Path::new(name), setup, game.accept_other_lexicon).input()? {
        None => Ok(vec![of_table(name.into(), table(name, setup, game)?)]),
        Some(PositionArtefact { network, plain }) => Ok(vec![
            (name.into(), Forecast::Network(Box::new(network))),
            of_table(format!("{}/{PLAIN_FILE}", name.trim_end_matches('/')), plain),
        ]),
    }
}

/// How the networks among some forecasts look at positions; `None` without any. Their records count the same tiles, or there are none
/// that suit all.
pub fn sight(named: &[(String, Forecast)], setup: &Setup) -> Result<Option<Sight>, Failure> {
    let mut found: Option<(&str, &Sight)> = None;
    for (name, forecast) in named {
        let Forecast::Network(network) = forecast else { continue };
        match found {
            None => found = Some((name, &network.sight)),
            Some((_, sight)) if sight.kinds == network.sight.kinds => {}
            Some((first, sight)) => {
                let [one, other] = [sight, &network.sight].map(|sight| sight.describe(&setup.tileset));
                return Err(Failure::input(format!(
                    "{first} counts {one}, {name} counts {other}; networks of other words see other tiles, so score them one by one"
                )));
            }
        }
    }
    Ok(found.map(|(_, sight)| sight.clone()))
}
