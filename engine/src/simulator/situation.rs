//! A position to simulate, and how its unseen tiles are dealt.

use super::deals::Deals;
use super::inference::{Inference, Limits};
use super::settings::Settings;
use crate::game::{Game, LastMove};
use crate::rack::Rack;
use crate::setup::Setup;
use crate::static_player::StaticPlayer;

/// A position to simulate.
#[derive(Clone, Debug)]
pub struct Situation {
    /// The game, not over. The simulation deals the unseen tiles anew.
    pub game: Game,
    /// Unseen tiles that the opponent's rack is known to hold; none in a game.
    pub known: Rack,
    /// The opponent's last move, for inference if the settings ask for it.
    pub last: Option<LastMove>,
    /// The seed of the deals.
    pub seed: u64,
}

impl Situation {
    /// The deals of the unseen tiles, inferred from the opponent's last move if the settings ask for it.
    pub(super) fn deals(&self, setup: &Setup, policy: &StaticPlayer, settings: &Settings) -> Deals {
        let Situation { game, known, last, seed } = self;
        let size = game.racks[1 - game.to_move].size();
        let deals = Deals::new(&game.unseen(), known, size, *seed);
        match last {
            Some(last) if settings.inference && known.is_empty() => {
                deals.with_inference(Inference::new(setup, policy, game, last, &Limits::default(), *seed))
            }
            _ => deals,
        }
    }
}
