//! `network eval`: the quality of a network on games that no training has seen.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;
use tilewright_engine::Setup;
use tilewright_engine::evaluator::network::load::LoadedNetwork;
use tilewright_train::candidates::{CandidateConfig, CandidateSet, Maker, Targets};
use tilewright_train::evolve::config::EvolveConfig;
use tilewright_train::network::config::NetworkConfig;
use tilewright_train::network::eval::calibration::Bin;
use tilewright_train::network::eval::{EvaluationData, NetworkEvaluation};
use tilewright_train::run_config::RunConfig;
use tilewright_train::td::config::TdConfig;

use super::flags::NetworkEvalArguments;
use super::page::{EvaluationFile, page};
use crate::fitting::{ExplanationTable, Loaded};
use crate::flags::new_files;
use crate::{Failure, Input, Memos, Progress, loading, say};

const EMBEDDED: &str = "embedded";
/// The default seed of the games.
const SEED: u64 = 1;
/// Candidate sets on which the network is timed.
const TIMED_SETS: usize = 1000;

pub fn run(arguments: &NetworkEvalArguments) -> Result<(), Failure> {
    let [html, json] = new_files([("--html", arguments.html.as_deref()), ("--json", arguments.json.as_deref())])?;
    let mut flags = arguments.flags.clone();
    loading::name_game_of([Path::new(&arguments.path)], &mut flags.common)?;
    let (games, game) = (arguments.games, &flags.common.game.with_tables(&arguments.tables));
    let seed = arguments.flags.common.seed.unwrap_or(SEED);
    let setup = loading::start(&flags, &Memos::default())?;
    let path = (arguments.path != EMBEDDED).then_some(Path::new(&arguments.path));
    let network = LoadedNetwork::open(path, game.loader(&setup)).input()?;
    let config = config(&arguments.path, &network)?;
    let loaded = Loaded::new(setup, game, &config.candidates, None).map_err(|failure| {
        if network.config.is_none() {
            return failure;
        }
        // Nothing is shown of the files that a manifest names: somebody else may have named them.
        let CandidateConfig { player, policy, .. } = &config.candidates;
        let players = [Some(player), policy.as_ref()].into_iter().flatten().map(ToString::to_string);
        let players = players.collect::<Vec<_>>().join(", ");
        let path = &arguments.path;
        Failure::input(format!(
            "the manifest of {path} names the players {players}; they are not all here, or not for this game"
        ))
    })?;
    let (inputs, setup) = (loaded.inputs()?, &loaded.setup);
    let maker = Maker::new(&inputs, &config.candidates, seed).held_out();
    let progress = Progress::new(game.quiet);
    let journal = arguments.build.journal(("--cache", arguments.cache.as_deref()), &maker.key(), &progress)?;
    let deals = config.candidates.deals;
    let targets = Targets { config: config.target, deals, win_percentage: inputs.win_percentage };
    let mut data = EvaluationData::new(setup, &network.weights, Arc::clone(network.evaluator.inputs()), targets);
    let mut timed = Vec::new();
    let made = maker.each(&journal, games, |sets| {
        data.append(&sets);
        timed.extend(sets.into_iter().take(TIMED_SETS - timed.len()));
    });
    progress.finish();
    made?;
    if data.sets() == 0 {
        return Err(Failure::input(format!("{games} games have no candidate sets; raise --games")));
    }
    let file = EvaluationFile {
        path: arguments.path.clone(),
        identity: network.identity.clone(),
        tileset: setup.tileset.name().into(),
        lexicon: setup.lexicon.name.clone(),
        seed,
        games,
        labels: config.candidates.clone(),
        evaluation: data.evaluate(seed),
    };
    html.write(page(&file, network.config.as_deref()).as_bytes())?;
    json.write_json(&file)?;
    say!("{games} held-out games, {} candidate sets, {} candidates", data.sets(), file.evaluation.candidates);
    print_evaluation(&file.evaluation);
    print_times(&network, &timed, setup);
    Ok(())
}

/// The config of the training that made a network. If it came from `td`, `evolve` or the program, the default config.
fn config(name: &str, network: &LoadedNetwork) -> Result<NetworkConfig, Failure> {
    let place = format!("in the manifest of {name}");
    let is_other = |text: &str| TdConfig::from_toml(text, &place).is_ok() || EvolveConfig::from_toml(text, &place).is_ok();
    match network.config.as_deref().filter(|&text| !is_other(text)) {
        Some(text) => NetworkConfig::from_toml(text, &place).input(),
        None => Ok(NetworkConfig::built_in("small")),
    }
}

fn print_evaluation(evaluation: &NetworkEvaluation) {
    say!("network\n{}", ExplanationTable(&evaluation.network));
    say!("skip connection alone\n{}", ExplanationTable(&evaluation.skip));
    say!("what the correction foresees");
    say!("{:10} {:8} {:>8} {:>12} {:>16}", "points of", "stage", "signal", "correlation", "share of signal");
    let number = |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:+.2}"));
    for one in &evaluation.details.sources {
        let share = one.share.map_or("-".into(), |share| format!("{:.1} %", 100.0 * share));
        let (signal, correlation) = (100.0 * one.signal, number(one.correlation));
        say!("{:10} {:8} {signal:>6.1} % {correlation:>12} {share:>16}", one.part, one.stage);
    }
    say!("gain over the mean of the set, in points, by predicted gain");
    say!("{:8} {:>10} {:>10} {:>10}   95 %", "stage", "candidates", "predicted", "simulated");
    for one in &evaluation.details.calibration {
        for bin in &one.bins {
            let Bin { candidates, predicted, simulated, .. } = bin;
            let (simulated, interval) = (simulated.mean, simulated.half_width());
            say!("{:8} {candidates:>10} {predicted:>10.2} {simulated:>10.2} ± {interval:.2}", one.stage);
        }
    }
    say!("{:26} what it explains less when the input is shuffled", "input");
    for one in &evaluation.details.attributions {
        say!("{:26} {:>6.2} %", one.input, 100.0 * one.fall);
    }
}

/// Prints the CPU time of one thread per candidate.
fn print_times(network: &LoadedNetwork, sets: &[CandidateSet], setup: &Setup) {
    let [mut features, mut layers] = [Duration::ZERO; 2];
    let mut candidates = 0;
    for set in sets {
        let moves = set.moves();
        let rows = set.at_turn(setup, |turn| {
            let begun = ThreadTime::now();
            let rows = network.evaluator.inputs().values(turn, &moves);
            features += begun.elapsed();
            rows
        });
        let begun = ThreadTime::now();
        std::hint::black_box(network.weights.gains(&rows));
        layers += begun.elapsed();
        candidates += moves.len();
    }
    let each = |time: Duration| format!("{:.1}", 1e6 * time.as_secs_f64() / candidates.max(1) as f64);
    say!("µs per candidate: features {}, layers {} ({candidates} candidates)", each(features), each(layers));
}
