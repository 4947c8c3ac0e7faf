//! Self-play turn by turn, with what the player to move saw.

use serde::{Deserialize, Serialize};
use tilewright_engine::monitor::Monitor;
use tilewright_engine::win_percentage::{States, TilesLeft};

use super::inputs::{Seen, Sight, VERSION};
use crate::win_percentage::run::{Games, HELD_OUT_DEALS, Kind, RunError};
use crate::win_percentage::swings::{Outcomes, SwingTally, Turn, play};

/// A turn's state and what was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Noted {
    /// The number of the state.
    pub state: u16,
    /// By the player to move.
    pub seen: Seen,
}

/// The turns of a game.
pub type GameRecord = Vec<Turn<Noted>>;

impl Turn<Noted> {
    /// What came of it.
    pub fn outcome(&self) -> Outcomes {
        let end = self.spread + self.swing;
        Outcomes { turns: 1, wins: u64::from(end > 0), draws: u64::from(end == 0) }
    }
}

impl Games<'_> {
    /// Records of so many training games: the same games as [`Games::training`] has, kept in files of their own.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn training_records(&self, sight: &Sight, games: u64, monitor: &dyn Monitor) -> Result<Vec<GameRecord>, RunError> {
        monitor.begin("self-play", games, "games");
        self.records("training", 0, sight, games, monitor)
    }

    /// The same of the games of [`Games::held_out`].
    ///
    /// # Errors
    /// [`RunError`].
    pub fn held_out_records(&self, sight: &Sight, games: u64, monitor: &dyn Monitor) -> Result<Vec<GameRecord>, RunError> {
        monitor.begin("held-out self-play", games, "games");
        self.records("held-out", HELD_OUT_DEALS, sight, games, monitor)
    }

    fn records(
        &self,
        name: &str,
        first_deal: u64,
        sight: &Sight,
        games: u64,
        monitor: &dyn Monitor,
    ) -> Result<Vec<GameRecord>, RunError> {
        let (states, mut records) = (States::of(&self.setup.tileset), Vec::new());
        // A network of other words counts other tiles.
        let seen = format!(" {VERSION} {:?}", sight.kinds);
        self.each(
            Kind { name, extension: "positions", seen: &seen, first_deal },
            games,
            monitor,
            |deals| {
                let note = |game: &_| {
                    let state = states.number(TilesLeft::of(game)) as u16;
                    Noted { state, seen: sight.look(self.setup, game) }
                };
                play(self.setup, self.player, self.seed, deals, || monitor.advance(1), note)
            },
            |shard: Vec<GameRecord>| records.extend(shard),
        )?;
        Ok(records)
    }
}

/// The tally that the plain network learns from.
pub fn tally(states: States, records: &[GameRecord]) -> SwingTally {
    let mut tally = SwingTally::new(states);
    for game in records {
        tally.add(game.iter().map(|turn| Turn { noted: turn.noted.state as usize, spread: turn.spread, swing: turn.swing }));
    }
    tally
}
