//! Named deals, so that training and measurement never share a game.
//!
//! A deal is the order of a full bag. It is a function of a seed, a [`Domain`] and an index: games of one domain are
//! numbered from 0, and the deals of different domains are unrelated for every seed.

use std::fmt;

use crate::rng::{Stream, stream};

/// The domain of the games that are dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// Matches, round robins and promotion tests. Speed measurements use the same games.
    Match,
    /// Matches in which the two games of a pair have different deals.
    UnpairedMatch,
    /// Records of self-play.
    SelfPlay,
    /// Self-play of one generation of a leave table.
    LeaveGeneration(u64),
    /// Games in which late plays are compared, to fit the leave adjustments for a small bag.
    LatePlays,
    /// Self-play to which a win table is fitted.
    WinPercentage,
    /// Self-play on which win tables are scored.
    WinPercentageHeldOut,
    /// Pairs with which one search of an evolution evaluates its candidates.
    Search(u64),
    /// Pairs with which the final means of all searches are compared.
    FinalMeans,
    /// Games of TD learning.
    TdLearning,
    /// Games whose positions become candidate sets.
    CandidateSets,
    /// Games whose positions become the candidate sets on which a finished fit is evaluated.
    HeldOutCandidateSets,
    /// Pairs that a network plays between the epochs of its training.
    NetworkTraining,
}

/// The name of the random streams of a domain. Changing a name changes all games of the domain.
impl fmt::Display for Domain {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Domain::Match => out.write_str("deal"),
            Domain::UnpairedMatch => out.write_str("unpaired match"),
            Domain::SelfPlay => out.write_str("self-play"),
            Domain::LeaveGeneration(generation) => write!(out, "leave generation {generation}"),
            Domain::LatePlays => out.write_str("late plays"),
            Domain::WinPercentage => out.write_str("win percentage"),
            Domain::WinPercentageHeldOut => out.write_str("held-out win percentage"),
            Domain::Search(search) => write!(out, "search {search}"),
            Domain::FinalMeans => out.write_str("final means"),
            Domain::TdLearning => out.write_str("TD learning"),
            Domain::CandidateSets => out.write_str("candidate sets"),
            Domain::HeldOutCandidateSets => out.write_str("held-out candidate sets"),
            Domain::NetworkTraining => out.write_str("network training"),
        }
    }
}

impl Domain {
    /// Returns the deals of this domain for a seed.
    pub fn deals(self, seed: u64) -> Deals {
        Deals { seed, domain: self }
    }
}

/// The deals of a seed and a domain, numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Deals {
    /// The seed.
    pub seed: u64,
    /// The domain.
    pub domain: Domain,
}

impl Deals {
    /// Returns the numbers of the deals of the two games of a pair: twice the same number, or 2i and 2i + 1 in an unpaired
    /// match. In an unpaired match of a player against itself the result is even on average, by symmetry, but a pair can
    /// have a winner.
    pub fn pair_deals(self, index: u64) -> [u64; 2] {
        if self.is_unpaired() { [2 * index, 2 * index + 1] } else { [index; 2] }
    }

    /// Returns whether the two games of a pair have different deals.
    pub fn is_unpaired(self) -> bool {
        self.domain == Domain::UnpairedMatch
    }

    /// Returns the random stream that shuffles the bag of game `index`.
    pub(crate) fn stream(self, index: u64) -> Stream {
        stream(self.seed, &self.domain.to_string(), index)
    }

    /// Returns the random stream of game `index` for random choices other than its tiles, such as exploration moves.
    pub fn side_stream(self, what: &str, index: u64) -> Stream {
        stream(self.seed, &format!("{}: {what}", self.domain), index)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::rng::shuffle;

    /// Returns every domain at least once.
    fn domains() -> Vec<Domain> {
        let mut all = vec![Domain::Match];
        // A new variant does not compile until it is added to this chain.
        while let Some(next) = match all[all.len() - 1] {
            Domain::Match => Some(Domain::UnpairedMatch),
            Domain::UnpairedMatch => Some(Domain::SelfPlay),
            Domain::SelfPlay => Some(Domain::LeaveGeneration(0)),
            Domain::LeaveGeneration(generation @ 0..4) => Some(Domain::LeaveGeneration(generation + 1)),
            Domain::LeaveGeneration(_) => Some(Domain::LatePlays),
            Domain::LatePlays => Some(Domain::WinPercentage),
            Domain::WinPercentage => Some(Domain::WinPercentageHeldOut),
            Domain::WinPercentageHeldOut => Some(Domain::Search(0)),
            Domain::Search(search @ 0..4) => Some(Domain::Search(search + 1)),
            Domain::Search(_) => Some(Domain::FinalMeans),
            Domain::FinalMeans => Some(Domain::TdLearning),
            Domain::TdLearning => Some(Domain::CandidateSets),
            Domain::CandidateSets => Some(Domain::HeldOutCandidateSets),
            Domain::HeldOutCandidateSets => Some(Domain::NetworkTraining),
            Domain::NetworkTraining => None,
        } {
            all.push(next);
        }
        all
    }

    #[test]
    fn no_two_purposes_share_a_deal() {
        let mut seen = HashMap::new();
        for domain in domains() {
            for seed in [1, 2] {
                for index in 0..2000 {
                    let mut order: Vec<u8> = (0..100).collect();
                    shuffle(&mut order, &mut domain.deals(seed).stream(index));
                    if let Some(other) = seen.insert(order, (domain, seed, index)) {
                        panic!("{:?} and {other:?} share a deal", (domain, seed, index));
                    }
                }
            }
        }
    }

    #[test]
    fn only_unpaired_matches_have_two_deals_per_pair() {
        let pair = |domain: Domain| domain.deals(1).pair_deals(7);
        assert_eq!((pair(Domain::UnpairedMatch), pair(Domain::Match)), ([14, 15], [7, 7]));
    }
}
