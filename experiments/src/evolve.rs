//! `evolve`: evolves the weights of features or of a network in matches against a baseline.

use tilewright_engine::evaluator::linear::Weights;
use tilewright_engine::evaluator::network::NetworkWeights;
use tilewright_engine::evaluator::network::load::NETWORK_FILE;
use tilewright_engine::features::Feature;
use tilewright_engine::series::sequential::Decision;
use tilewright_train::evolve::artefact::{self, CANDIDATE_FILE};
use tilewright_train::evolve::config::EvolveConfig;
use tilewright_train::evolve::run::{
    Candidate, EvolveInputs, EvolveOutcome, GenerationRecord, RunError, describe, key, run as evolve,
};
use tilewright_train::evolve::space::Evolved;
use tilewright_train::journal::Journal;

use crate::failure::Failure;
use crate::flags::shell_word;
use crate::matches::pair;
use crate::output::say;
use crate::progress::Progress;
use crate::{loading, run_config};

pub mod flags;

use flags::EvolveArguments;

/// The most generations of a search that are printed.
const SHOWN: usize = 10;

/// `evolve`.
pub fn run(arguments: &EvolveArguments) -> Result<(), Failure> {
    let config: EvolveConfig = run_config::from_file(&arguments.config)?;
    let (config, flags) = run_config::with_flags(config, &arguments.flags, |_| ())?;
    let (setup, game) = (loading::start(&flags)?, &flags.common.game);
    let player = |name: &str| loading::player(name, &setup, game);
    let (baseline, against) = (player(&config.baseline)?, player(&config.promotion.against)?);
    let network = config.network.as_ref().map(|network| loading::network("network.start", &network.start, &setup, game));
    let network = network.transpose()?;
    let needs_leaves = network.is_none() && config.weights_of(&vec![0.0; config.weights.len()]).needs_leaves();
    let table = || loading::feature_leaves(config.leaves.as_deref(), &setup, game);
    let leaves = needs_leaves.then(table).transpose()?;
    let inputs = EvolveInputs { baseline: &baseline, promotion: &against, leaves, network };
    let key = key(&setup, &config, &inputs);
    let stem = run_config::stem(Some(&arguments.config), "");
    let default = format!("evolve-{stem}-{}-{}", setup.lexicon.name, config.seed);
    let out = run_config::out_folder(arguments.out.as_deref(), &default, &key);
    let progress = Progress::new(game.quiet);
    let journal = Journal::open(&out, &key, &progress)?;
    if !game.quiet {
        eprintln!("evolving in {}", out.display());
    }
    let outcome = evolve(&setup, &config, &inputs, &journal);
    progress.finish();
    let outcome = match outcome {
        Err(error @ RunError::Space(_)) => return Err(Failure::input(error)),
        outcome => outcome?,
    };
    artefact::write(&setup, &config, &inputs, &outcome, &out)?;
    print_results(&config, &inputs, &outcome);
    let written = shell_word(&out.to_string_lossy());
    let (kind, file) = match outcome.weights {
        Evolved::Linear(_) => ("linear", CANDIDATE_FILE),
        Evolved::Network(_) => ("network", NETWORK_FILE),
    };
    if outcome.is_promoted() {
        say!(
            "The weights are in {0}. Try: tilewright match --player-a {kind}:{0} --player-b {1} --pairs 1000{2}",
            written,
            config.baseline,
            game.repeated()
        );
    } else {
        say!("Not promoted. The weights are in {written}/{file}.");
    }
    Ok(())
}

/// Prints generations of each search, the final candidates, the weights and the promotion test.
fn print_results(config: &EvolveConfig, inputs: &EvolveInputs<'_>, outcome: &EvolveOutcome) {
    for search in 0..=config.restarts {
        let records: Vec<&GenerationRecord> = outcome.generations.iter().filter(|record| record.search == search).collect();
        let step = records.len().div_ceil(SHOWN).max(1);
        for record in records.iter().step_by(step) {
            say!("search {} generation {:3}: {}", search + 1, record.generation, describe(record));
        }
    }
    say!("{} games; all candidates of a generation play the same deals", outcome.games);
    for (number, candidate) in outcome.finals.iter().enumerate() {
        let name = if number == 0 { "start".into() } else { format!("search {number}") };
        let chosen = if number == outcome.answer { " (selected)" } else { "" };
        let Candidate { score, .. } = candidate;
        say!(
            "{name:10} {:6.2} %, {:+.2} points per game over {} pairs of new deals{chosen}",
            100.0 * score.win_rate(),
            score.mean_spread(),
            score.pairs
        );
    }
    match &outcome.weights {
        Evolved::Linear(weights) => {
            say!("{:26} {:>9}", "feature", "weight");
            for (feature, weight) in points_per_unit(weights) {
                say!("{:26} {weight:9.3}  {}", feature.about().name, feature.about().unit);
            }
        }
        Evolved::Network(weights) => inputs.network.iter().for_each(|start| print_changes(config, &start.weights, weights)),
    }
    let promotion = &config.promotion;
    say!("test on held-out deals against {}, seed {}", promotion.against, promotion.seed);
    if let Some(summary) = outcome.promotion.summary() {
        say!("{}", pair::describe(&outcome.promotion, &summary));
    }
    let verdict = match outcome.decision {
        Decision::AcceptH1 => format!("promoted: a win rate of {} % rather than {} %", promotion.h1, promotion.h0),
        Decision::AcceptH0 => format!("not promoted: a win rate of {} % rather than {} %", promotion.h0, promotion.h1),
        Decision::Open => "not promoted: undecided after the maximum number of pairs".into(),
    };
    say!("{verdict}");
}

/// Prints the searched skip weights of a network and how far its last layer moved.
fn print_changes(config: &EvolveConfig, start: &NetworkWeights, evolved: &NetworkWeights) {
    say!("{:26} {:>9} {:>9}", "skip weight", "start", "evolved");
    let weights = start.settings.features.iter().zip(start.skip.iter().zip(&evolved.skip));
    for (feature, (start, evolved)) in weights.filter(|(feature, _)| config.weights.contains_key(feature)) {
        say!("{:26} {start:9.3} {evolved:9.3}  {}", feature.about().name, feature.about().unit);
    }
    let [start, evolved] = [start, evolved].map(|network| network.layers.last().map_or(&[][..], |layer| &layer.weights));
    let length = |weights: &mut dyn Iterator<Item = f32>| weights.map(|weight| weight * weight).sum::<f32>().sqrt();
    let moved = length(&mut start.iter().zip(evolved).map(|(start, evolved)| evolved - start));
    say!("weights of the last layer: moved by {:.1} % of their length", 100.0 * moved / length(&mut start.iter().copied()));
}

/// The value of one unit of each feature, in points: its weight relative to the weight of the score.
fn points_per_unit(weights: &Weights) -> Vec<(Feature, f64)> {
    let score = weights.weights.get(&Feature::Score).copied().unwrap_or(1.0);
    weights.weights.iter().map(|(&feature, &weight)| (feature, weight / score)).collect()
}
