//! The CPU time of a run by part.

use std::time::Duration;

use cpu_time::ProcessTime;

/// The CPU time of the parts of a fit to candidate sets: user plus system, over all threads of this process. It depends on
/// the machine and its load, so no artefact holds it. A resumed run counts only the time since it was resumed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuTimes {
    /// Playing the games and labelling the candidates, or reading the labels of earlier runs.
    pub labels: Duration,
    /// Computing the inputs of the candidates.
    pub features: Duration,
    /// The regression, the layers, and the figures of the report.
    pub training: Duration,
}

impl CpuTimes {
    /// All parts together.
    pub fn total(&self) -> Duration {
        self.labels + self.features + self.training
    }
}

/// Measures CPU time from one lap to the next.
#[derive(Debug)]
pub struct CpuClock(ProcessTime);

impl CpuClock {
    /// Starts a lap.
    pub fn start() -> CpuClock {
        CpuClock(ProcessTime::now())
    }

    /// The CPU time of this process since the last lap. Starts the next lap.
    pub fn lap(&mut self) -> Duration {
        let now = ProcessTime::now();
        let lap = now.duration_since(self.0);
        self.0 = now;
        lap
    }

    /// The CPU time of this process since it began.
    pub fn of_process() -> Duration {
        ProcessTime::now().as_duration()
    }
}
