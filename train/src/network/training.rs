//! Training of the layers: epochs of mini-batches, each followed by a checkpoint.
//!
//! A checkpoint holds everything that the next epoch depends on, so a run that is killed between epochs resumes to the same bytes.

use burn::module::Module;
use burn::optim::GradientsParams;
use burn::tensor::Device;
use serde::{Deserialize, Serialize};
use tilewright_engine::evaluator::network::NetworkWeights;
use tilewright_engine::rng::{shuffle, stream};

use super::config::NetworkConfig;
use super::inference::{explained, predictions, signal};
use super::matches::{MatchFigures, Matches};
use super::model::{Examples, Layers};
use crate::journal::Journal;
use crate::linear::dataset::Dataset;
use crate::models::{self, Adam, share_of_rate, with_parameters};
use crate::run::RunError;

/// One pass over the candidate sets.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Epoch {
    /// The mean square error of the training sets during the pass, as a share of the skip connection's.
    pub error: f64,
    /// The share of the variance of the validation labels beyond score and prior that the network explains after the pass, 0–1.
    pub explained: f64,
    /// The same as a share of the signal in these labels, or `None` if they have no signal.
    pub explained_of_signal: Option<f64>,
    /// The match after the pass, if the config wants one.
    #[serde(rename = "match")]
    pub matched: Option<MatchFigures>,
}

/// A network under training, after some epochs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    parameters: Vec<Vec<f32>>,
    adam: Adam,
    /// The parameters after the epoch that explains most of the validation data, or before all epochs.
    pub best: Vec<Vec<f32>>,
    /// The share that they explain.
    most: f64,
    /// The epochs so far.
    pub course: Vec<Epoch>,
}

/// A network under training, with its data.
pub struct Training<'a> {
    /// The network without dense layers.
    pub network: &'a NetworkWeights,
    /// The candidates that the layers are fitted to.
    pub examples: Examples<'a>,
    /// The candidates that choose the epoch.
    pub validation: &'a Dataset,
    /// The skip weights less the prior.
    pub added: &'a [f64],
    /// The config.
    pub config: &'a NetworkConfig,
    /// The device that computes the steps.
    pub device: Device,
    /// The matches, if the config wants any.
    pub matches: Option<Matches<'a>>,
    /// The examples are the first of this many parts of the training sets.
    pub parts: usize,
}

impl Training<'_> {
    /// Trains to the last epoch, from the checkpoint in the journal on.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn run(&self, journal: &Journal<'_>) -> Result<Checkpoint, RunError> {
        let NetworkConfig { epochs, seed, .. } = *self.config;
        let monitor = journal.monitor();
        let file = self.file();
        let mut state = journal.read_like(&file, "", self.untrained())?;
        monitor.begin(&self.what(), epochs as u64, "epochs");
        monitor.advance(state.course.len() as u64);
        let mut order: Vec<usize> = (0..self.examples.sets()).collect();
        for epoch in 0..epochs {
            let mut draws = stream(seed, "network batches", epoch as u64);
            shuffle(&mut order, &mut draws);
            if epoch >= state.course.len() {
                journal.check_stop()?;
                self.epoch(&mut state, &order);
                state = journal.write(&file, "", &state)?;
                monitor.advance(1);
            }
            if epoch + 1 == state.course.len() {
                state = self.with_match(state, journal)?;
                monitor.note(&self.note(&state));
            }
        }
        Ok(state)
    }

    /// The same training on the first of this many parts of the sets, without matches.
    pub fn first_of(&self, parts: usize) -> Training<'_> {
        Training {
            examples: self.examples.clone().first_of(parts),
            device: self.device.clone(),
            matches: None,
            parts,
            ..*self
        }
    }

    /// The text of the monitor for the phase.
    fn what(&self) -> String {
        if self.parts == 1 { "training".into() } else { format!("training on 1/{} of the sets", self.parts) }
    }

    /// The work file of the checkpoint.
    fn file(&self) -> String {
        if self.parts == 1 { "network".into() } else { format!("network 1-{}", self.parts) }
    }

    /// The network with the layers of these parameters up to an output.
    pub fn network(&self, parameters: &[Vec<f32>], output: usize) -> NetworkWeights {
        NetworkWeights { layers: with_parameters(self.drawn(), parameters).up_to(output), ..self.network.clone() }
    }

    /// The layers before the first step.
    fn drawn(&self) -> Layers {
        let NetworkConfig { ref hidden, heads, seed, .. } = *self.config;
        Layers::new(self.network.mean.len(), hidden, heads.shares().len(), seed).to_device(&self.device)
    }

    fn untrained(&self) -> Checkpoint {
        let parameters = models::parameters(&self.drawn());
        let adam = Adam::new(&parameters);
        Checkpoint { most: self.explained(&parameters), best: parameters.clone(), parameters, adam, course: Vec::new() }
    }

    /// The explained share of the validation data.
    fn explained(&self, parameters: &[Vec<f32>]) -> f64 {
        explained(self.validation, None, &predictions(&self.network(parameters, 0), self.validation, self.added))
    }

    /// The factor of each output's loss: a head counts by its share, whatever the size of its labels.
    fn factors(&self) -> Vec<f32> {
        let squares = |output| f64::max(self.examples.squares(output), 1e-9);
        let factor = |(number, (_, share))| (share * squares(0) / squares(number)) as f32;
        [1.0].into_iter().chain((1..).zip(self.config.heads.shares()).map(factor)).collect()
    }

    /// One pass over the candidate sets in this order.
    fn epoch(&self, state: &mut Checkpoint, order: &[usize]) {
        let NetworkConfig { epochs, batch_sets, learning_rate, weight_decay, .. } = *self.config;
        let steps = (order.len().div_ceil(batch_sets) * epochs) as f64;
        let (mut model, factors, mut errors) = (with_parameters(self.drawn(), &state.parameters), self.factors(), 0.0);
        for numbers in order.chunks(batch_sets) {
            let batch = self.examples.batch(numbers, self.network, &self.device);
            let outputs = model.forward(batch.inputs.clone()).into_iter().enumerate();
            let losses: Vec<_> = outputs.map(|(number, values)| batch.loss(number, values)).collect();
            errors += f64::from(losses[0].clone().into_scalar::<f32>()) * batch.total_weight();
            let losses = losses.into_iter().zip(&factors).map(|(loss, &factor)| loss * factor);
            let Some(loss) = losses.reduce(|sum, loss| sum + loss) else { return };
            let gradients = GradientsParams::from_grads(loss.backward(), &model);
            let rate = learning_rate * share_of_rate(state.adam.steps as f64 / steps);
            model = state.adam.step(model, gradients, rate, weight_decay);
        }
        state.parameters = models::parameters(&model);
        let (explained, signal) = (self.explained(&state.parameters), signal(self.validation, None));
        if explained > state.most {
            (state.most, state.best) = (explained, state.parameters.clone());
        }
        let error = errors / f64::max(self.examples.squares(0), 1e-9);
        let explained_of_signal = (signal > 0.0).then(|| explained / signal);
        state.course.push(Epoch { error, explained, explained_of_signal, matched: None });
    }

    /// The checkpoint with the match that is due after its last epoch.
    fn with_match(&self, mut state: Checkpoint, journal: &Journal<'_>) -> Result<Checkpoint, RunError> {
        let epochs = state.course.len();
        let is_due = self.config.matches.as_ref().is_some_and(|config| epochs.is_multiple_of(config.every));
        if let (true, Some(matches), Some(last)) = (is_due, &self.matches, state.course.last_mut())
            && last.matched.is_none()
        {
            let figures = matches.play(self.network(&state.parameters, 0), journal.monitor())?;
            last.matched = Some(figures.ok_or_else(|| journal.interrupted())?);
            state = journal.write(&self.file(), "", &state)?;
        }
        Ok(state)
    }

    /// The last epoch in a few words, with the latest match.
    fn note(&self, state: &Checkpoint) -> String {
        let Some(Epoch { explained, explained_of_signal, .. }) = state.course.last() else { return String::new() };
        let mut note = match explained_of_signal {
            Some(share) => format!("explains {:.1} % of the signal of the validation games", 100.0 * share),
            None => format!("explains {:.2} % of the variance of the validation games", 100.0 * explained),
        };
        let mut matches = state.course.iter().enumerate().filter_map(|(number, epoch)| Some((number + 1, epoch.matched?)));
        if let (Some((epoch, figures)), Some(config)) = (matches.next_back(), &self.config.matches) {
            let MatchFigures { win_rate, pairs, .. } = figures;
            let (win_rate, half) = (100.0 * win_rate.mean, 100.0 * win_rate.half_width());
            note += &format!(
                ", won {win_rate:.1} ± {half:.1} % of {pairs} pairs against {} after epoch {epoch}",
                config.against
            );
        }
        note
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::{AtomicU64, Ordering};

    use tilewright_engine::evaluator::linear::varies_by_move;
    use tilewright_engine::monitor::{Monitor, NoMonitor};

    #[cfg(feature = "gpu")]
    use super::super::config::Processor;
    use super::super::run::NetworkRun;
    use super::super::test_support::{CONFIG, bare, with_run};
    use super::*;
    use crate::candidates::{Part, Target};
    use crate::journal::{JournalError, WORK};
    use crate::linear::dataset::centre;
    use crate::linear::run::Regression;
    use crate::run_config::RunConfig;

    const EVERYTHING: &str = "[heads]\nreply = 0.3\nnext_turn = 0.3\nwin = 0.2\ngain = 0.1\n\n[match]\nevery = 2\npairs = 2\nagainst = \"greedy\"\n\n[candidates]";

    /// Stops after one epoch.
    #[derive(Default)]
    struct OneEpoch(AtomicU64);

    impl Monitor for OneEpoch {
        fn begin(&self, _what: &str, _units: u64, _unit: &'static str) {}
        fn advance(&self, _done: u64) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
        fn is_stopped(&self) -> bool {
            // The first report is of the epochs that were read back.
            self.0.load(Ordering::Relaxed) > 1
        }
    }

    #[test]
    fn a_run_that_stops_after_every_epoch_ends_in_the_bytes_of_one_that_does_not() {
        with_run(&CONFIG.replace("[candidates]", EVERYTHING), |run, regression| {
            let folder = tempfile::tempdir().unwrap();
            let (calm_folder, folder_of_stops) = (folder.path().join("calm"), folder.path().join("stopped"));
            let bytes = |folder: &Path| std::fs::read(folder.join(WORK).join("network")).unwrap();
            let key = run.inputs.key("network", run.config.to_toml());
            let journal = Journal::open(&calm_folder, &key, &NoMonitor).unwrap();
            let calm = run.train(regression(), &journal).unwrap();
            for stops in 0.. {
                let monitor = OneEpoch::default();
                let journal = Journal::open(&folder_of_stops, &key, &monitor).unwrap();
                match run.train(regression(), &journal) {
                    Ok(outcome) => {
                        assert_eq!((outcome.network, outcome.report), (calm.network, calm.report.clone()));
                        assert!(stops >= 3, "{stops}");
                        break;
                    }
                    Err(error) => assert!(matches!(error, RunError::Journal(JournalError::Interrupted { .. })), "{error}"),
                }
            }
            assert!(bytes(&folder_of_stops) == bytes(&calm_folder));
            let is_played: Vec<bool> = calm.report.epochs.iter().map(|epoch| epoch.matched.is_some()).collect();
            assert_eq!(is_played, [false, true, false, true]);
            assert_eq!(calm.report.heads.len(), 4);
            // In memory nothing is stored, and the result is the same.
            let again = run.train(regression(), &Journal::in_memory(&NoMonitor)).unwrap();
            assert_eq!(again.report, calm.report);
        });
    }

    /// By hand, with a GPU or with Mesa's lavapipe: `cargo test -p tilewright-train --features gpu -- --ignored a_gpu`.
    #[cfg(feature = "gpu")]
    #[test]
    #[ignore = "needs a GPU, or a Vulkan driver in software"]
    fn a_gpu_trains_as_the_cpu_does() {
        with_run(CONFIG, |run, regression| {
            let train = |device| {
                let config = NetworkConfig { device, ..run.config.clone() };
                let run = NetworkRun { config: &config, inputs: run.inputs.clone(), ..*run };
                run.train(regression(), &Journal::in_memory(&NoMonitor)).unwrap().report
            };
            let [cpu, gpu] = [Processor::Cpu, Processor::Gpu].map(train);
            assert!(cpu.epochs[0].error < 1.0);
            for (cpu, gpu) in cpu.epochs.iter().zip(&gpu.epochs) {
                assert!((cpu.error - gpu.error).abs() < 1e-3, "{cpu:?} {gpu:?}");
                assert!((cpu.explained - gpu.explained).abs() < 1e-3, "{cpu:?} {gpu:?}");
            }
        });
    }

    /// The first parts of the sets train as if there were no others, and the last point is the network itself.
    #[test]
    fn a_learning_curve_sees_the_first_parts_of_the_sets() {
        with_run(&format!("learning_curve = true\n{CONFIG}"), |run, regression| {
            let journal = Journal::in_memory(&NoMonitor);
            let outcome = run.train(regression(), &journal).unwrap();
            let curve = &outcome.report.learning_curve;
            let sets = outcome.report.training_sets;
            let seen: Vec<u64> = curve.iter().map(|point| point.training_sets).collect();
            assert_eq!(seen, [sets.div_ceil(16), sets.div_ceil(4), sets]);
            assert_eq!(curve[2].held_out, outcome.report.network.all);
            assert!(curve[0].held_out != curve[1].held_out && curve[1].held_out != curve[2].held_out);
            let without = NetworkConfig { learning_curve: false, ..run.config.clone() };
            let alone = NetworkRun { config: &without, inputs: run.inputs.clone(), ..*run };
            let alone = alone.train(regression(), &journal).unwrap();
            assert_eq!((alone.network, alone.report.learning_curve), (outcome.network, Vec::new()));

            // What the other sets say does not matter to a part.
            let Regression { mut training, validation, .. } = regression();
            let first = training.sets().nth(sets.div_ceil(4) as usize).unwrap().0.start;
            let layers = |training: &Dataset, parts| {
                let (network, added) = (bare(Vec::new(), training.columns), vec![vec![0.0; 4]]);
                let examples = Examples::new(training, &added).first_of(parts);
                let (config, added) = (run.config, &added[0][..]);
                let (network, validation) = (&network, &validation);
                let device = models::device();
                let training = Training { network, examples, validation, added, config, device, matches: None, parts };
                training.run(&journal).unwrap().best
            };
            let before = [4, 1].map(|parts| layers(&training, parts));
            training.targets[first..].iter_mut().for_each(|target| target.points = 7.0);
            let after = [4, 1].map(|parts| layers(&training, parts));
            assert_eq!([before[0] == after[0], before[1] == after[1]], [true, false]);
        });
    }

    /// Target and replies become functions of the score that no line through the features follows.
    #[test]
    fn a_head_finds_what_is_planted_and_is_dropped() {
        let config = CONFIG.replace("[candidates]", "[heads]\nreply = 0.5\n\n[candidates]");
        let config = config.replace("epochs = 4", "epochs = 60").replace("hidden = [6, 4]", "hidden = [16, 8]");
        with_run(&config, |run, regression| {
            let mut regression = regression();
            let Regression { training, validation, held_out, .. } = &mut regression;
            for data in [training, validation, held_out] {
                let score = data.columns - 1;
                let mut planted: Vec<f64> =
                    (0..data.rows()).map(|row| f64::from((data.row(row)[score] - 20.0).abs())).collect();
                data.sets().for_each(|(rows, _)| centre(&mut planted[rows]));
                for (target, &points) in data.targets.iter_mut().zip(&planted) {
                    *target = Target { points, weight: 1.0, ..*target };
                }
                let label = |points: f64| Target { points: -2.0 * points, noise: 0.1, weight: 1.0 };
                data.parts = vec![(Part::Reply, planted.into_iter().map(label).collect())];
            }
            regression.added = vec![0.0; 4];
            regression.added_of_parts = vec![vec![0.0; 4]];
            let outcome = run.train(regression, &Journal::in_memory(&NoMonitor)).unwrap();
            let head = outcome.report.heads[0];
            assert!((head.part, head.share) == (Part::Reply, 0.5) && head.linear == 0.0 && head.signal > 0.9, "{head:?}");
            let own = outcome.report.network.all.explained;
            assert!(head.explained > 0.4 && own > 0.4, "{head:?} {own}");
            // The exported network has the layers of one without heads.
            let sizes: Vec<usize> = outcome.network.layers.iter().map(|layer| layer.bias.len()).collect();
            assert_eq!(sizes, [16, 8, 1]);
            outcome.network.check().unwrap();
        });
    }

    #[test]
    fn the_skip_connection_is_the_fit_or_the_prior() {
        let skip = |skip: &str| {
            let mut found = (Vec::new(), 0.0);
            with_run(&format!("skip = \"{skip}\"\n{CONFIG}"), |run, regression| {
                let regression = regression();
                assert!(regression.added.iter().any(|added| added.abs() > 1e-3));
                // What all moves of a turn share has no weight.
                let place = regression.training.features.iter().position(|&feature| !varies_by_move(feature)).unwrap();
                assert!(regression.added[place] == 0.0, "{:?}", regression.added);
                let outcome = run.train(regression, &Journal::in_memory(&NoMonitor)).unwrap();
                found = (outcome.network.skip, outcome.report.linear.all.explained);
            });
            found
        };
        let ((fit, linear), (prior, again)) = (skip("fit"), skip("prior"));
        // The features of the sample have no prior.
        assert_eq!(prior, [0.0; 4]);
        assert!(fit != prior && linear.to_bits() == again.to_bits());
        // A config without the key means the fit, and is written without it.
        assert!(!NetworkConfig::from_toml(CONFIG, "sample").unwrap().to_toml().contains("skip"));
    }
}
