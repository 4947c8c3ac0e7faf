//! Every kind of run that can be asked for: the registry from a kind to its runner.

use serde::{Deserialize, Serialize};
use tilewright_train::run::kind;

use crate::Failure;
use crate::evolve::EvolveRequest;
use crate::flags::PlayFlags;
use crate::leaves::LeavesRequest;
use crate::linear::LinearRequest;
use crate::matches::{self, request::MatchRequest};
use crate::network::NetworkRequest;
use crate::runs::{self, Context};
use crate::selfplay::SelfplayRequest;
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
    Selfplay(Box<SelfplayRequest>),
    Match(Box<MatchRequest>),
}

/// Reads the words of a verb.
#[derive(Clone, Copy)]
pub struct Verbs {
    /// The request of a verb that ends in a run.
    pub request: fn(&[String]) -> Result<Request, Failure>,
    /// Runs any verb; a run goes on as the context allows it.
    pub run: fn(&[String], &Context<'_>) -> Result<(), Failure>,
}

impl Request {
    pub fn kind(&self) -> &'static str {
        match self {
            Request::Leaves(_) => kind::LEAVES,
            Request::WinPercentage(_) => kind::WIN_PERCENTAGE,
            Request::Linear(_) => kind::LINEAR,
            Request::Network(_) => kind::NETWORK,
            Request::Evolve(_) => kind::EVOLVE,
            Request::Td(_) => kind::TD,
            Request::Selfplay(_) => kind::SELFPLAY,
            Request::Match(_) => kind::MATCH,
        }
    }

    pub fn run(self, context: &Context<'_>) -> Result<(), Failure> {
        match self {
            Request::Leaves(request) => runs::run(request, context),
            Request::WinPercentage(request) => runs::run(request, context),
            Request::Linear(request) => runs::run(request, context),
            Request::Network(request) => runs::run(request, context),
            Request::Evolve(request) => runs::run(request, context),
            Request::Td(request) => runs::run(request, context),
            Request::Selfplay(request) => runs::run(*request, context),
            Request::Match(request) => matches::run(&request, context),
        }
    }

    /// The same run with other threads, and with or without progress.
    #[must_use]
    pub fn with_process(mut self, threads: Option<u16>, quiet: bool) -> Request {
        let PlayFlags { common, .. } = match &mut self {
            Request::Leaves(LeavesRequest { flags, .. })
            | Request::WinPercentage(WinPercentageRequest { flags, .. })
            | Request::Linear(LinearRequest { flags, .. })
            | Request::Network(NetworkRequest { flags, .. })
            | Request::Evolve(EvolveRequest { flags, .. })
            | Request::Td(TdRequest { flags, .. }) => flags,
            Request::Selfplay(request) => &mut request.0.flags,
            Request::Match(request) => &mut request.flags,
        };
        (common.threads, common.game.quiet) = (threads, quiet);
        self
    }
}
