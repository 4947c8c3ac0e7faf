//! Every kind of run that can be asked for: the registry from a kind to its runner.

use serde::{Deserialize, Serialize};
use tilewright_train::run::kind;

use crate::Failure;
use crate::evolve::EvolveRequest;
use crate::experiment::StudyRequest;
use crate::leaves::LeavesRequest;
use crate::linear::LinearRequest;
use crate::matches::{self, request::MatchRequest};
use crate::network::NetworkRequest;
use crate::output::of_verb;
use crate::runs::{self, Context};
use crate::selfplay::SelfplayArguments;
use crate::td::TdRequest;
use crate::win_percentage::WinPercentageRequest;

/// A request for a run, by its kind.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Request {
    Leaves(LeavesRequest),
    WinPercentage(WinPercentageRequest),
    Linear(LinearRequest),
    Network(NetworkRequest),
    Evolve(EvolveRequest),
    Td(TdRequest),
    Selfplay(Box<SelfplayArguments>),
    Match(Box<MatchRequest>),
    Study(StudyRequest),
}

impl Request {
    pub fn kind(&self) -> &'static str {
        self.kind_and_verb().0
    }

    /// The kind, and the verb that makes the same run. The verb names the form of the result.
    fn kind_and_verb(&self) -> (&'static str, &'static str) {
        match self {
            Request::Leaves(_) => (kind::LEAVES, "leaves-train"),
            Request::WinPercentage(_) => (kind::WIN_PERCENTAGE, "win-percentage-train"),
            Request::Linear(_) => (kind::LINEAR, "linear-fit"),
            Request::Network(_) => (kind::NETWORK, "network-train"),
            Request::Evolve(_) => (kind::EVOLVE, "evolve"),
            Request::Td(_) => (kind::TD, "td"),
            Request::Selfplay(_) => (kind::SELFPLAY, "selfplay"),
            Request::Match(_) => (kind::MATCH, "match"),
            Request::Study(_) => (kind::STUDY, "experiment-run"),
        }
    }

    /// The programs that it names as players, as far as they are known before it runs.
    pub fn programs(&self) -> Vec<String> {
        match self {
            Request::Match(request) => request.spec.programs(),
            Request::Study(request) => request.programs(),
            _ => Vec::new(),
        }
    }

    pub fn run(self, context: &Context<'_>) -> Result<(), Failure> {
        of_verb(self.kind_and_verb().1, || match self {
            Request::Leaves(request) => runs::run(request, context),
            Request::WinPercentage(request) => runs::run(request, context),
            Request::Linear(request) => runs::run(request, context),
            Request::Network(request) => runs::run(request, context),
            Request::Evolve(request) => runs::run(request, context),
            Request::Td(request) => runs::run(request, context),
            Request::Selfplay(request) => runs::run(*request, context),
            Request::Match(request) => matches::run(&request, context),
            Request::Study(request) => request.run(context),
        })
    }

    /// The same run with other threads, and with or without progress.
    #[must_use]
    pub fn with_process(mut self, threads: Option<u16>, quiet: bool) -> Request {
        let common = match &mut self {
            Request::Leaves(request) => &mut request.flags.common,
            Request::WinPercentage(request) => &mut request.flags.common,
            Request::Linear(request) => &mut request.flags.common,
            Request::Network(request) => &mut request.flags.common,
            Request::Evolve(request) => &mut request.flags.common,
            Request::Td(request) => &mut request.flags.common,
            Request::Selfplay(request) => &mut request.flags.common,
            Request::Match(request) => &mut request.flags.common,
            Request::Study(request) => &mut request.process,
        };
        (common.threads, common.game.quiet) = (threads, quiet);
        self
    }
}
