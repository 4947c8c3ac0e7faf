//! `linear`: weights of features by least squares.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tilewright_engine::features::Feature;
use tilewright_engine::player::{Base, PlayerSpec};
use tilewright_engine::setup::Setup;
use tilewright_train::candidates::OnSets;
use tilewright_train::linear::config::LinearFitConfig;
use tilewright_train::linear::report::LinearReport;
use tilewright_train::linear::run::LinearFit;

use crate::failure::Failure;
use crate::fitting::{ExplanationTable, Loaded, print_place};
use crate::flags::PlayFlags;
use crate::progress::Progress;
use crate::run_config::{self, RunJson};
use crate::runs::{Checked, Context, Finished, RunRequest};
use crate::{loading, output};

pub mod flags;

use flags::LinearFitArguments;

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinearRequest {
    config: Checked<LinearFitConfig>,
    pub flags: PlayFlags,
    /// The name of the config.
    stem: String,
    /// The folder of candidate sets that runs share.
    candidates: Option<PathBuf>,
}

impl LinearRequest {
    pub fn new(arguments: &LinearFitArguments) -> Result<LinearRequest, Failure> {
        let config = arguments.config.as_deref().map_or_else(|| Ok(LinearFitConfig::default()), run_config::from_file)?;
        let (config, flags) =
            run_config::with_flags(config, &arguments.fit.play_flags(), |config: &mut LinearFitConfig| {
                arguments.fit.apply(&mut config.leaves, &mut config.games, &mut config.candidates);
            })?;
        let stem = run_config::stem(arguments.config.as_deref(), "default");
        Ok(LinearRequest { config: Checked(config), flags, stem, candidates: arguments.fit.candidates.clone() })
    }
}

impl RunRequest for LinearRequest {
    type Loaded = Loaded;
    type Run<'a> = OnSets<'a, LinearFit<'a>>;
    const DOING: &'static str = "fitting";

    fn flags(&self) -> &PlayFlags {
        &self.flags
    }

    fn load(&mut self, setup: &Arc<Setup>, _context: &Context<'_>, _progress: &Progress) -> Result<Loaded, Failure> {
        let (game, Checked(config)) = (&self.flags.common.game, &self.config);
        let leaves = config.needs_leaves().then(|| loading::feature_leaves(config.leaves.as_deref(), setup, game));
        Loaded::new(Arc::clone(setup), game, &config.candidates, leaves.transpose()?)
    }

    fn run<'a>(&'a self, _setup: &'a Setup, loaded: &'a Loaded) -> Result<Self::Run<'a>, Failure> {
        let fit = LinearFit { inputs: loaded.inputs()?, config: &self.config.0 };
        Ok(OnSets { fit, folder: self.candidates.as_deref(), made: &[], budget: None })
    }

    fn name(&self, setup: &Setup) -> String {
        let LinearFitConfig { games, seed, .. } = self.config.0;
        format!("linear-{}-{}-{games}-games-{seed}", self.stem, setup.lexicon.name)
    }

    fn finish(&self, mut finished: Finished<'_, Self::Run<'_>>, loaded: &Loaded) -> Result<(), Failure> {
        finished.finish_artefact()?;
        let Finished { outcome, out, json: run, file, .. } = finished;
        let (report, weights) = (&outcome.report, &outcome.weights.weights);
        let shown = output::show(&FittedWeights { run, games: self.config.0.games, report, weights }, file);
        let against = PlayerSpec::without_files(&loaded.setup);
        print_place("The weights are", out, Base::Linear(out.into()), against, &self.flags.common.game);
        shown
    }
}

/// The result of `linear fit`: what the weights explain, and the weights.
#[derive(Serialize)]
struct FittedWeights<'a> {
    #[serde(flatten)]
    run: RunJson,
    games: u64,
    #[serde(flatten)]
    report: &'a LinearReport,
    /// In points per unit.
    weights: &'a BTreeMap<Feature, f64>,
}

impl fmt::Display for FittedWeights<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{:26} {:>9}", ExplanationTable(&self.report.held_out), "feature", "weight")?;
        for (feature, weight) in self.weights {
            write!(f, "\n{:26} {weight:9.3}  points per unit ({})", feature.about().name, feature.about().unit)?;
        }
        Ok(())
    }
}
