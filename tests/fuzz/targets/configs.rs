//! Configs of runs and of players.

use tilewright_engine::artefact::{Loader, Tables};
use tilewright_engine::leave::{LeaveTable, klv};
use tilewright_engine::player::Player;
use tilewright_train::evolve::config::EvolveConfig;
use tilewright_train::leaves::config::LeavesConfig;
use tilewright_train::linear::config::LinearFitConfig;
use tilewright_train::network::config::NetworkConfig;
use tilewright_train::run_config::RunConfig;
use tilewright_train::td::config::TdConfig;
use tilewright_train::win_percentage::config::WinPercentageConfig;

use super::games_setup::{few, forever};
use crate::target::{Outcome, Subject, headed, message, split_head, text};

/// Reads a config and writes it.
fn round_trip<C: RunConfig>(text: &str) -> Outcome {
    let config = C::from_toml(text, "input").map_err(message)?;
    let written = config.to_toml();
    let again = C::from_toml(&written, "written").unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(again.to_toml(), written);
    Ok(written.len())
}

/// The head is the folder of the configs.
pub fn runs() -> Subject {
    let folders = [
        TdConfig::FOLDER,
        EvolveConfig::FOLDER,
        LeavesConfig::FOLDER,
        LinearFitConfig::FOLDER,
        NetworkConfig::FOLDER,
        WinPercentageConfig::FOLDER,
    ];
    let seeds =
        folders.iter().flat_map(|folder| tilewright_configs::of_folder(folder).map(|config| headed(folder, config.text)));
    Subject::new(seeds.collect::<Vec<_>>(), |bytes| {
        let (folder, rest) = split_head(bytes)?;
        let text = text(rest);
        match folder {
            TdConfig::FOLDER => round_trip::<TdConfig>(&text),
            EvolveConfig::FOLDER => round_trip::<EvolveConfig>(&text),
            LeavesConfig::FOLDER => round_trip::<LeavesConfig>(&text),
            LinearFitConfig::FOLDER => round_trip::<LinearFitConfig>(&text),
            NetworkConfig::FOLDER => round_trip::<NetworkConfig>(&text),
            WinPercentageConfig::FOLDER => round_trip::<WinPercentageConfig>(&text),
            _ => Err("a folder of configs".into()),
        }
    })
    .with_fragments(&[
        "seed = ",
        "games = ",
        "hidden = [",
        "[network]\n",
        "[exploration]\n",
        "[candidates]\n",
        "[weights]\n",
        "[promotion]\n",
        "start = ",
        "features = [\"leave\"]\n",
    ])
}

/// The head is the kind of player.
pub fn players() -> Subject {
    let (setup, folder) = (forever(few()), forever(tempfile::tempdir().expect("a temporary folder")));
    let leaves = forever(folder.path().join("leaves.klv2"));
    let table = klv::write(&LeaveTable::zero(&setup.tileset)).expect("few nodes");
    std::fs::write(leaves, table).expect("a temporary folder");
    let loader = Loader { tables: Tables { leaves: Some(leaves), ..Tables::default() }, ..Loader::new(setup) };
    let kinds = tilewright_engine::configs::of_folder("players").map(|config| headed(config.name, config.text));
    let changes = [
        headed("sim", "[simulation]\niterations = 50\n"),
        headed("full", "ranker = \"greedy\"\n"),
        headed("static", "ranker = \"no-leaves\"\n"),
    ];
    Subject::new(kinds.chain(changes).collect::<Vec<_>>(), move |bytes| {
        let (kind, rest) = split_head(bytes)?;
        // Such a player runs a command, or connects to another machine.
        let (is_kind, text) = (["static", "sim", "full"].contains(&kind), text(rest));
        if !is_kind || text.contains("stdio") || text.contains("tcp") {
            return Err("a kind of player".into());
        }
        let file = folder.path().join("player.toml");
        std::fs::write(&file, rest).map_err(message)?;
        let player = Player::from_name(&format!("{kind}:{}", file.display()), loader).map_err(message)?;
        Ok(player.name.len())
    })
    .with_fragments(&[
        "ranker = ",
        "policy = ",
        "\"greedy\"",
        "\"leave+endgame\"",
        "[simulation]\n",
        "[endgame]\n",
        "[pre_endgame]\n",
        "nodes = ",
        "bag = ",
        "playouts_per_game = ",
        "iterations = ",
    ])
}
