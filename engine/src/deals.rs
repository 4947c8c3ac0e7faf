//! Named deals, so that training and measurement never share a game.
//!
//! A deal is the order of a full bag. It is a function of a seed, a [`Purpose`] and an index: games of one purpose are
//! numbered from 0, and the deals of different purposes are unrelated for every seed.

use std::fmt;

use crate::rng::{Stream, stream};

/// The purpose of the games that are dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Matches, round robins and promotion tests. Speed measurements use the same games.
    Match,
    /// Matches in which the two games of a pair have different deals.
    UnpairedMatch,
    /// Records of self-play.
    SelfPlay,
    /// Self-play of one generation of a leave table.
    LeaveGeneration(u64),
    /// The boards of one generation's census.
    LeaveCensus(u64),
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

/// The name of the random streams of a purpose. Changing a name changes all games of the purpose.
impl fmt::Display for Purpose {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Purpose::Match => out.write_str("deal"),
            Purpose::UnpairedMatch => out.write_str("unpaired match"),
            Purpose::SelfPlay => out.write_str("self-play"),
            Purpose::LeaveGeneration(generation) => write!(out, "leave generation {generation}"),
            Purpose::LeaveCensus(generation) => write!(out, "leave census {generation}"),
            Purpose::LatePlays => out.write_str("late plays"),
            Purpose::WinPercentage => out.write_str("win percentage"),
            Purpose::WinPercentageHeldOut => out.write_str("held-out win percentage"),
            Purpose::Search(search) => write!(out, "search {search}"),
            Purpose::FinalMeans => out.write_str("final means"),
            Purpose::TdLearning => out.write_str("TD learning"),
            Purpose::CandidateSets => out.write_str("candidate sets"),
            Purpose::HeldOutCandidateSets => out.write_str("held-out candidate sets"),
            Purpose::NetworkTraining => out.write_str("network training"),
        }
    }
}

impl Purpose {
    /// Returns the deals of this purpose for a seed.
    pub fn deals(self, seed: u64) -> Deals {
        Deals { seed, purpose: self }
    }
}

/// The deals of a seed and a purpose, numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Deals {
    /// The seed.
    pub seed: u64,
    /// The purpose.
    pub purpose: Purpose,
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
        self.purpose == Purpose::UnpairedMatch
    }

    /// Returns the random stream that shuffles the bag of game `index`.
    pub fn stream(self, index: u64) -> Stream {
        stream(self.seed, &self.purpose.to_string(), index)
    }

    /// Returns the random stream of game `index` for random choices other than its tiles, such as exploration moves.
    pub fn side_stream(self, what: &str, index: u64) -> Stream {
        stream(self.seed, &format!("{}: {what}", self.purpose), index)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::rng::shuffle;

    /// Returns every purpose at least once.
    fn purposes() -> Vec<Purpose> {
        let mut all = vec![Purpose::Match];
        // A new variant does not compile until it is added to this chain.
        while let Some(next) = match all[all.len() - 1] {
            Purpose::Match => Some(Purpose::UnpairedMatch),
            Purpose::UnpairedMatch => Some(Purpose::SelfPlay),
            Purpose::SelfPlay => Some(Purpose::LeaveGeneration(0)),
            Purpose::LeaveGeneration(generation @ 0..4) => Some(Purpose::LeaveGeneration(generation + 1)),
            Purpose::LeaveGeneration(_) => Some(Purpose::LeaveCensus(0)),
            Purpose::LeaveCensus(generation @ 0..4) => Some(Purpose::LeaveCensus(generation + 1)),
            Purpose::LeaveCensus(_) => Some(Purpose::LatePlays),
            Purpose::LatePlays => Some(Purpose::WinPercentage),
            Purpose::WinPercentage => Some(Purpose::WinPercentageHeldOut),
            Purpose::WinPercentageHeldOut => Some(Purpose::Search(0)),
            Purpose::Search(search @ 0..4) => Some(Purpose::Search(search + 1)),
            Purpose::Search(_) => Some(Purpose::FinalMeans),
            Purpose::FinalMeans => Some(Purpose::TdLearning),
            Purpose::TdLearning => Some(Purpose::CandidateSets),
            Purpose::CandidateSets => Some(Purpose::HeldOutCandidateSets),
            Purpose::HeldOutCandidateSets => Some(Purpose::NetworkTraining),
            Purpose::NetworkTraining => None,
        } {
            all.push(next);
        }
        all
    }

    #[test]
    fn no_two_purposes_share_a_deal() {
        let mut seen = HashMap::new();
        for purpose in purposes() {
            for seed in [1, 2] {
                for index in 0..2000 {
                    let mut order: Vec<u8> = (0..100).collect();
                    shuffle(&mut order, &mut purpose.deals(seed).stream(index));
                    if let Some(other) = seen.insert(order, (purpose, seed, index)) {
                        panic!("{:?} and {other:?} share a deal", (purpose, seed, index));
                    }
                }
            }
        }
    }

    #[test]
    fn only_unpaired_matches_have_two_deals_per_pair() {
        let pair = |purpose: Purpose| purpose.deals(1).pair_deals(7);
        assert_eq!((pair(Purpose::UnpairedMatch), pair(Purpose::Match)), ([14, 15], [7, 7]));
    }
}
