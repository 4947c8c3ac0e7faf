//! `sim` and `sim:FILE.toml`: players that simulate before they move.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rand::Rng;
use serde::{Deserialize, Serialize};

use super::naming::PlayerError;
use super::{Decide, Player};
use crate::game::Game;
use crate::hash::{sha256, sha256_of};
use crate::monitor::Unwatched;
use crate::movegen::{Generator, ValuedMove};
use crate::rack::Rack;
use crate::rng::stream;
use crate::setup::Setup;
use crate::simulator::{Settings, Simulator, Situation};
use crate::static_player::StaticPlayer;
use crate::tileset::Tile;
use crate::win_percentage::{WinPercentage, csv};

/// What the file of a simulating player says; what it leaves out is as in `sim`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// The static player that ranks the candidates [default: the one that plays where nobody is named].
    pub ranker: Option<String>,
    /// The static player of the replies [default: the ranker].
    pub policy: Option<String>,
    /// The win table: an artefact folder or a file [default: the embedded one, or one scaled to the tile set].
    pub win_percentage: Option<PathBuf>,
    /// Of the deals of the simulation, together with the position.
    pub seed: u64,
    /// How it simulates.
    pub simulation: Settings,
}

impl Config {
    /// Reads the file of the player `name`.
    ///
    /// # Errors
    /// [`PlayerError::Simulating`], with the line of the file.
    pub fn read(name: &str, path: &Path) -> Result<Config, PlayerError> {
        let fault = |reason: String| PlayerError::Simulating { name: name.into(), reason };
        let text = std::fs::read_to_string(path).map_err(|error| fault(error.to_string()))?;
        toml::from_str(&text).map_err(|error| fault(error.to_string()))
    }

    /// The player, called `name`; `named` finds the static players that the config names.
    ///
    /// # Errors
    /// [`PlayerError`].
    pub fn player(
        &self,
        name: &str,
        setup: &Setup,
        accept_other_lexicon: bool,
        named: impl Fn(&str) -> Result<Player, PlayerError>,
    ) -> Result<Player, PlayerError> {
        let fault = |reason: String| PlayerError::Simulating { name: name.into(), reason };
        self.simulation.check().map_err(|error| fault(error.to_string()))?;
        let ranker = named(self.ranker.as_deref().unwrap_or(Player::default_name(setup)))?;
        let policy = self.policy.as_deref().map_or(Ok(ranker.clone()), &named)?;
        for player in [&ranker, &policy] {
            if player.looks_ahead() {
                return Err(fault(format!("{} looks ahead itself; ranker and policy are static players", player.name)));
            }
        }
        let win_percentage = match &self.win_percentage {
            None => WinPercentage::for_setup(setup).0,
            Some(path) => {
                WinPercentage::load(path, setup, accept_other_lexicon).map_err(|error| fault(error.to_string()))?
            }
        };
        let text = serde_json::to_string(self).map_err(|error| fault(error.to_string()))?;
        let table = csv::write(&win_percentage);
        let parts = [&text, &ranker.identity, &policy.identity, &table];
        let identity = sha256_of(parts.map(String::as_bytes));
        let warning = ranker.warning.clone().or(policy.warning.clone());
        let decide = Simulating {
            ranker: ranker.ranking.clone(),
            policy: policy.ranking,
            win_percentage,
            settings: self.simulation.clone(),
            seed: self.seed,
        };
        let player = Player::of_static(name, ranker.ranking).deciding(Arc::new(decide));
        Ok(Player { identity, warning, ..player })
    }
}

/// Decides by simulation, each decision on one thread: a series plays its pairs on all of them.
struct Simulating {
    ranker: StaticPlayer,
    policy: StaticPlayer,
    win_percentage: WinPercentage,
    settings: Settings,
    seed: u64,
}

impl Decide for Simulating {
    fn decide(&self, generator: &mut Generator<'_>, game: &Game) -> ValuedMove {
        let setup = generator.setup();
        let simulator = Simulator::new(setup, &self.policy, &self.win_percentage, &self.settings);
        let candidates = simulator.candidates(&self.ranker, generator, game);
        if let [only] = &candidates[..] {
            return only.valued;
        }
        let seed = stream(self.seed, &visible(game), 0).next_u64();
        let last = game.last_play().filter(|_| self.settings.inference);
        let situation = Situation { game: game.clone(), known: Rack::default(), last, seed };
        let simulated = simulator.run(&situation, &candidates, 1, &Unwatched, &mut |_| ());
        match simulated.best() {
            Some(best) => best.candidate.valued,
            None => self.ranker.choose(generator, &game.position(), &game.unseen()),
        }
    }
}

/// A hash of what the player to move can see.
fn visible(game: &Game) -> String {
    let mut seen: Vec<u8> = Vec::new();
    for (square, tile) in game.board.occupied() {
        seen.extend([square.row, square.column, tile.letter(), u8::from(tile.is_blank())]);
    }
    seen.push(u8::MAX);
    seen.extend(game.rack().tiles().map(Tile::kind));
    let other = game.racks[1 - game.to_move].size();
    let counts = [game.spread(), game.bag.len() as i32, other as i32, game.scoreless_turns as i32];
    seen.extend(counts.iter().flat_map(|count| count.to_le_bytes()));
    sha256(&seen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Layout;
    use crate::lexicon::Lexicon;
    use crate::selfplay::play_game;
    use crate::series::Tally;
    use crate::tileset::TileSet;

    fn setup() -> Setup {
        let tileset = TileSet::embedded("english").unwrap();
        let lexicon = Lexicon::load("enable2k", &tileset, 15, None).unwrap();
        Setup::new(tileset, Layout::embedded("standard").unwrap(), lexicon)
    }

    fn config(text: &str) -> Config {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn a_decision_is_a_function_of_what_can_be_seen() {
        let setup = setup();
        let named = |name: &str| Player::named(name, &setup, false);
        let config = config("ranker = \"greedy\"\n[simulation]\nplies = 1\ncandidates = 4\niterations = 32\n");
        let player = config.player("sim:a.toml", &setup, false, named).unwrap();
        let mut generator = Generator::new(&setup);
        let mut decided = Vec::new();
        play_game(&mut generator, [&player; 2], 1, 0, |seen| decided.push((seen.game.clone(), seen.chosen)));
        for (number, (game, chosen)) in decided.iter().enumerate() {
            let mut other = game.clone();
            if !game.bag.is_empty() {
                other.deal_anew(stream(9, "test", number as u64));
            }
            assert_eq!(player.choose(&mut Generator::new(&setup), &other), *chosen);
        }
        // A player looks at the game and changes nothing in it, so two of the same are even.
        let pair = Tally::of_pair(&mut generator, &player, &player, 3, 0);
        assert_eq!(pair.spread_sum, 0);
        let other_seed = Config { seed: 1, ..config }.player("sim:a.toml", &setup, false, named).unwrap();
        assert_ne!(other_seed.identity, player.identity);
    }

    #[test]
    fn files_that_make_no_player_are_told() {
        let setup = setup();
        let named = |name: &str| Player::named(name, &setup, false);
        let refuse = |text: &str| config(text).player("sim:a.toml", &setup, false, named).err().unwrap().to_string();
        assert!(refuse("[simulation]\niterations = 0\n").contains("sim:a.toml: iterations = 0; a simulation has 1 to"));
        assert!(refuse("policy = \"sim\"\n").contains("sim looks ahead itself"));
        assert!(refuse("policy = \"strong\"\n").contains("\"strong\" is no player"));
        assert!(named("sim:nowhere.toml").err().unwrap().to_string().contains("sim:nowhere.toml: No such file"));
        assert!(toml::from_str::<Config>("[simulation]\nplys = 2\n").unwrap_err().to_string().contains("plys"));
    }
}
