//! How a journal is opened.

use tilewright_engine::folder::Folder;
use tilewright_engine::monitor::Monitor;

use super::scheduler::Scheduled;

/// How a journal is opened.
#[derive(Clone)]
pub struct Opening<'m> {
    /// The monitor of the run.
    pub monitor: &'m dyn Monitor,
    /// A folder that others may have handed over: a run inside it is opened without following links.
    pub within: Option<Folder>,
    /// Whether a finished run may be continued, as a match with more pairs.
    pub grows: bool,
    /// Whether work of other builds of the program is accepted.
    pub accept_other_build: bool,
    /// The scheduler of a run that several processes share.
    pub scheduled: Option<Scheduled>,
}

impl<'m> Opening<'m> {
    /// By one process, for a run of this build that ends once.
    pub fn new(monitor: &'m dyn Monitor) -> Opening<'m> {
        Opening { monitor, within: None, grows: false, accept_other_build: false, scheduled: None }
    }

    /// Whether this process has the folder to itself, or coordinates the others.
    pub(super) fn is_alone(&self) -> bool {
        self.scheduled.as_ref().is_none_or(|scheduled| scheduled.scheduler.is_alone())
    }
}
