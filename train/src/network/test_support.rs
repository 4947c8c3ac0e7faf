//! Small runs and layers for tests.

use tilewright_engine::artefact::Loader;
use tilewright_engine::evaluator::network::{Dense, NetworkSettings, NetworkWeights};
use tilewright_engine::features::VERSION;
use tilewright_engine::{Player, Setup, WinPercentage};

use super::config::NetworkConfig;
use super::model::Layers;
use super::run::NetworkRun;
use crate::candidates::test_support::{labelled_sets, plain_inputs};
use crate::linear::run::{LinearFit, Regression, Rows};
use crate::models::{parameters, with_parameters};
use crate::run_config::RunConfig;

/// A run on the sample of candidate sets, with features that need no leave table.
pub const CONFIG: &str = r#"
lexicon = ""
tileset = "english"
seed = 5
games = 6
held_out = 3
features = ["tiles_in_bag", "tiles_played", "vowel_imbalance", "hooks_opened"]
extra_inputs = ["score"]
candidate_moves = 10
margin = 20.0
hidden = [6, 4]
epochs = 4
batch_sets = 16
learning_rate = 0.01
weight_decay = 0.01

[candidates]
player = "greedy"
turns = 1
candidates = 6
window = 8.0
deals = 4
plies = 1
shard_games = 6
"#;

/// Passes a run by this config, whose opponent is `greedy`, and the maker of its regression to a test.
pub fn with_run(config: &str, test: impl FnOnce(&NetworkRun<'_>, &dyn Fn() -> Regression)) {
    let config = NetworkConfig::from_toml(config, "sample").unwrap();
    let setup = Setup::embedded("english").unwrap();
    let player = Player::from_name("greedy", Loader::new(&setup)).unwrap();
    let table = WinPercentage::for_setup(&setup).0;
    let inputs = plain_inputs(&setup, &player, &table);
    let (sets, linear) = (labelled_sets(&setup), config.linear());
    let regression = || {
        let parts = config.heads.parts();
        let rows = Rows { inputs: &config.extra_inputs, parts: &parts };
        let fit = LinearFit { inputs: inputs.clone(), config: &linear };
        fit.regression_on(rows, |take| {
            take(&sets);
            Ok(())
        })
        .unwrap()
    };
    test(&NetworkRun { inputs: inputs.clone(), config: &config, opponent: Some(&player) }, &regression);
}

/// Layers whose outputs are not zero.
pub fn layers(inputs: usize, hidden: &[usize], heads: usize) -> Layers {
    let layers = Layers::new(inputs, hidden, heads, 4);
    let mut lists = parameters(&layers);
    for (number, values) in lists[2 * hidden.len()..].iter_mut().enumerate() {
        let made_up = |at: usize| ((at * 7919 + number * 271) % 101) as f32 / 50.0 - 0.9;
        values.iter_mut().enumerate().for_each(|(at, value)| *value = made_up(at));
    }
    with_parameters(layers, &lists)
}

/// A network of these layers on inputs that are standardised already, without features.
pub fn bare(layers: Vec<Dense>, inputs: usize) -> NetworkWeights {
    let settings = NetworkSettings {
        feature_version: VERSION,
        leaves: None,
        features: Vec::new(),
        extra_inputs: Vec::new(),
        candidate_moves: 1,
        margin: 1.0,
        prior: Vec::new(),
    };
    let (mean, scale) = (vec![0.0; inputs], vec![1.0; inputs]);
    NetworkWeights { settings, skip: Vec::new(), mean, scale, layers }
}
