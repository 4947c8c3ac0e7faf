//! The stored summaries of full runs, in `experiments/studies/results`.

use super::summary::Summary;

/// Lists summaries by the name of their study.
macro_rules! stored {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../studies/results/", $name, ".json")))),*]
    };
}

/// Names of studies, with their summaries as JSON.
pub const STORED: &[(&str, &str)] = stored! {
    "barbicels-evolved" "barbicels-greedy" "embedded-network" "endgames" "evolved-weights"
    "generations" "heuri-french" "heuri-spanish" "ladder" "larger-list" "late-game" "linear-fit" "mathieu-game-state"
    "mathieu-no-leaves" "maven-endgames" "maven-games" "maven-iterations" "maven-leaves" "maven-openings" "maven-plays"
    "maven-simulations" "maven-synergies" "maven-tile-values" "maven-tiles-held" "maven-turns" "no-leaves"
    "quackle-leaves" "self-play-games" "sequential-null" "small-network" "spanish-table" "td-exploration"
    "unseen-tiles" "win-tables"
};

/// The stored summary of a study, or `None` if its full size was never stored.
pub fn stored(study: &str) -> Option<Result<Summary, String>> {
    let &(name, text) = STORED.iter().find(|(name, _)| *name == study)?;
    Some(Summary::from_json(text, name))
}
