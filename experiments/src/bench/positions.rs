//! The positions of self-play that benches measure.

use tilewright_engine::deals::Purpose;
use tilewright_engine::game::Game;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::movegen::Generator;
use tilewright_engine::player::Player;

use crate::failure::Failure;
use crate::progress::Progress;

/// The most games that are played in search of one position.
const MOST_GAMES: u64 = 10_000;

/// Self-play, one position of which is measured per game.
pub struct SelfPlay<'a> {
    pub generator: Generator<'a>,
    pub player: &'a Player,
    pub seed: u64,
    pub progress: &'a Progress,
    /// The number of the next game.
    pub next: u64,
}

impl SelfPlay<'_> {
    /// The next game that comes to a turn which begins with `bag` tiles in the bag, at that turn, with its number.
    ///
    /// # Errors
    /// [`Failure::Input`] if none of many games does, [`Failure::Interrupted`] if a signal stops the bench.
    pub fn with_bag(&mut self, bag: usize) -> Result<(u64, Game), Failure> {
        for index in self.next..self.next + MOST_GAMES {
            if self.progress.is_stopped() {
                return Err(Failure::Interrupted("nothing was written".into()));
            }
            if let Some(game) = self.play(index, bag) {
                self.next = index + 1;
                return Ok((index, game));
            }
        }
        let player = &self.player.name;
        Err(Failure::input(format!(
            "in none of {MOST_GAMES} games of {player} a turn begins with {bag} tiles in the bag; are there too few words?"
        )))
    }

    fn play(&mut self, index: u64, bag: usize) -> Option<Game> {
        let setup = self.generator.setup();
        let mut game = Game::deal(setup, Purpose::Match.deals(self.seed), index);
        while !game.is_over() && game.bag.len() > bag {
            let chosen = self.player.choose(&mut self.generator, &game).chosen;
            game.make(setup, &chosen);
        }
        (!game.is_over() && game.bag.len() == bag).then_some(game)
    }
}
