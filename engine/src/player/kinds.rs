//! The three kinds of players: static, deciding and external. The errors of their creation, and a player's seat in one game.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error as ThisError;

use super::external::{External, ExternalSeat, FaultKind, FaultRecord, SeatName};
use super::judged::{Basis, JudgedMove};
use super::spec::SpecError;
use super::thinking_time::{GameTime, ThinkingTime};
use crate::clock::{SearchLimits, TimeLeft};
use crate::deals::Deals;
use crate::game::Game;
use crate::hash::{sha256, sha256_parts};
use crate::leave::load::{LeaveTableError, NotEmbedded};
use crate::monitor::Monitor;
use crate::movegen::{Generator, ValuedMove};
use crate::rng::stream;
use crate::static_player::StaticPlayer;
use crate::win_percentage::load::DefaultWinTable;

/// Chooses moves by looking ahead.
pub trait Decide: Send + Sync {
    /// Returns a move for the player to move, with its equity for records. That player cannot see the opponent's rack and
    /// the order of the bag. In `game` they are fixed and not a sample: deal samples by [`Game::shuffle_unseen`], each with
    /// its own [`Game::stream`]. If the bag is empty, the opponent's rack is the true one.
    ///
    /// Without a clock, the move must be a function of the player's view.
    fn decide(&self, generator: &mut Generator<'_>, game: &Game, limits: SearchLimits<'_>) -> ValuedMove;

    /// Returns the moves that it looks at, its choice first, and `also`, a legal move, if it can value that move. `None` if it
    /// finds only a move. `game` is as for [`Decide::decide`].
    fn judge(
        &self,
        _generator: &mut Generator<'_>,
        _game: &Game,
        _also: Option<ValuedMove>,
        _limits: SearchLimits<'_>,
    ) -> Option<(Basis, Vec<JudgedMove>)> {
        None
    }
}

impl fmt::Debug for dyn Decide + '_ {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("dyn Decide")
    }
}

/// A player.
#[derive(Clone, Debug)]
pub struct Player {
    /// The name as on the command line: `greedy`, `leave:PATH`.
    pub name: String,
    /// A hash of everything that its choices depend on, except the game.
    pub identity: String,
    /// A warning for the user.
    pub warning: Option<Warning>,
    pub(super) kind: Kind,
    /// Shared by the clones of the player.
    pub(super) thinking_time: Arc<ThinkingTime>,
}

/// The way in which a player chooses its moves.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// It plays the move of highest static equity.
    Static(StaticPlayer),
    /// It looks ahead. `ranker` is its static ranking.
    Deciding { ranker: StaticPlayer, decide: Arc<dyn Decide> },
    /// Another program plays.
    External(External),
}

impl Player {
    /// Creates a player that plays the move of highest static equity. Its identity is the hash of its name.
    pub fn from_static(name: impl Into<String>, static_player: StaticPlayer) -> Player {
        Player::from_kind(name.into(), Kind::Static(static_player))
    }

    /// Creates a player that another program runs. Its identity is the hash of its name, because the program is unknown.
    pub fn from_external(name: impl Into<String>, external: External) -> Player {
        Player::from_kind(name.into(), Kind::External(external))
    }

    fn from_kind(name: String, kind: Kind) -> Player {
        Player { identity: sha256(name.as_bytes()), name, warning: None, kind, thinking_time: Arc::default() }
    }

    /// Returns the player with another name. Its identity is the hash of the name and of its present identity.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Player {
        let name = name.into();
        Player { identity: sha256_parts([name.as_bytes(), self.identity.as_bytes()]), name, ..self }
    }

    /// Returns the player with the same static ranking, and with `decide` to choose its moves. Then call [`Player::named`]. Its CPU
    /// time is counted together with the time of the players that it was cloned from.
    ///
    /// # Errors
    /// [`PlayerError::Unusable`] for an external player.
    pub fn with_decider(self, decide: Arc<dyn Decide>) -> Result<Player, PlayerError> {
        match self.kind {
            Kind::Static(ranker) | Kind::Deciding { ranker, .. } => {
                Ok(Player { kind: Kind::Deciding { ranker, decide }, ..self })
            }
            Kind::External(_) => {
                let reason = "another program chooses its moves, so no search of this one can";
                Err(PlayerError::unusable(&self.name, reason))
            }
        }
    }

    /// Returns the static player, or `None` if the player looks ahead or is external.
    pub fn as_static(&self) -> Option<&StaticPlayer> {
        match &self.kind {
            Kind::Static(static_player) => Some(static_player),
            Kind::Deciding { .. } | Kind::External(_) => None,
        }
    }

    /// Returns the player's static ranking, or `None` for an external player, which returns only its move.
    pub fn ranker(&self) -> Option<&StaticPlayer> {
        match &self.kind {
            Kind::Static(ranker) | Kind::Deciding { ranker, .. } => Some(ranker),
            Kind::External(_) => None,
        }
    }

    fn external(&self) -> Option<&External> {
        if let Kind::External(external) = &self.kind { Some(external) } else { None }
    }

    /// Returns whether the player is external.
    pub fn is_external(&self) -> bool {
        self.external().is_some()
    }

    /// Returns the name that the program of an external player gives itself, if it does.
    pub fn program(&self) -> Option<&str> {
        self.external()?.program()
    }

    /// Returns the faults of an external player so far, ordered by game and turn, at most
    /// [`super::external::MAX_RECORDS`]. Other players have none.
    pub fn faults(&self) -> Vec<FaultRecord> {
        self.external().map_or_else(Vec::new, External::faults)
    }

    /// Returns the CPU time that the player and its clones have used, or `None` if it is not known. It depends on the
    /// machine and its load.
    ///
    /// A player of this engine: the time of the thread in its choices, over the finished games of series. Players of this
    /// engine use one thread per choice. A [`Decide`] that uses more is counted too low. Of the turns of a static player a
    /// seventh is measured, and scaled to all: with 100 pairs the error is some percent. An external player: the time of all
    /// programs that were started for it, from their start on.
    pub fn cpu_time(&self) -> Option<Duration> {
        self.external().map_or_else(|| self.thinking_time.total(), External::cpu_time)
    }

    /// Returns the move for the player to move.
    pub fn choose(&self, generator: &mut Generator<'_>, game: &Game) -> ValuedMove {
        self.choose_within(generator, game, SearchLimits::NONE)
    }

    /// Returns the moves that a player looks at before it chooses, its choice first, and `also`, a legal move, if it can value that
    /// move. `None` for static and external players, and where a search finds only a move. A stop request of the monitor cuts the
    /// search short.
    pub fn judge(
        &self,
        generator: &mut Generator<'_>,
        game: &Game,
        also: Option<ValuedMove>,
        monitor: &dyn Monitor,
    ) -> Option<(Basis, Vec<JudgedMove>)> {
        let Kind::Deciding { decide, .. } = &self.kind else { return None };
        decide.judge(generator, &seen(game), also, SearchLimits { monitor, ..SearchLimits::NONE })
    }

    /// Returns the move for the player to move within these limits. Static players ignore them. With a clock,
    /// the move of any other player depends on the machine.
    pub(crate) fn choose_within(&self, generator: &mut Generator<'_>, game: &Game, limits: SearchLimits<'_>) -> ValuedMove {
        match &self.kind {
            Kind::Static(static_player) => static_player.choose(generator, &game.turn(generator.setup())),
            Kind::Deciding { decide, .. } => decide.decide(generator, &seen(game), limits),
            Kind::External(external) => external.choose(generator.setup(), game, limits.time),
        }
    }
}

/// A game as the player to move sees it: the other tiles are dealt anew.
fn seen(game: &Game) -> Game {
    let mut seen = game.clone();
    seen.shuffle_unseen(stream(0, "unseen", 0));
    seen
}

/// Why a player cannot be created from its name.
#[derive(Debug, ThisError)]
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[non_exhaustive]
pub enum PlayerError {
    /// There is no such player.
    #[error("{0}")]
    Spec(#[from] SpecError),
    /// The leave table cannot be used.
    #[error(transparent)]
    LeaveTable(#[from] LeaveTableError),
    /// Its weights, its leave table or its config cannot be used, or it is external and cannot be reached or refuses to play.
    #[error("player {name}: {source}")]
    Unusable { name: String, source: Box<dyn Error + Send + Sync> },
    /// There is no embedded leave table for this lexicon and tile set.
    #[error("{0}")]
    NotEmbedded(#[from] NotEmbedded),
}

impl PlayerError {
    pub(super) fn unusable(name: &str, source: impl Into<Box<dyn Error + Send + Sync>>) -> PlayerError {
        PlayerError::Unusable { name: name.into(), source: source.into() }
    }
}

/// The warnings for the user of a player.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
#[non_exhaustive]
pub enum Warning {
    /// The file of the leave table does not have every leave.
    #[error("{0}")]
    EstimatedLeaves(String),
    /// The test of an evolution has not promoted the weights of the player.
    #[error("{0} was not promoted: the test of its evolution did not show that it is stronger than the baseline")]
    NotPromoted(String),
    /// The player simulates with a default win table that was not trained for the game.
    #[error("{0}")]
    WinTable(#[from] DefaultWinTable),
}

/// Of the turns of static players, one of this number is measured, each turn of a game in another deal: reading the CPU time
/// twice per turn would cost a static player one to three percent.
const TURNS_PER_MEASUREMENT: u64 = 7;

/// A player in one game. For an external player it holds the connection.
#[derive(Debug)]
pub(crate) struct Seat<'a> {
    player: &'a Player,
    external: Option<ExternalSeat<'a>>,
    monitor: &'a dyn Monitor,
    deal: u64,
    time: GameTime,
}

impl Player {
    /// Takes seat 0, which moves first, or 1 in game `index`. An external player is connected to before its clock runs. A
    /// stop request of the monitor ends the wait for its answers, and the search of a player that looks ahead.
    pub(crate) fn take_seat<'a>(&'a self, deals: Deals, index: u64, seat: usize, monitor: &'a dyn Monitor) -> Seat<'a> {
        let name = SeatName { seed: deals.seed, deal: index, seat };
        let external = self.external().map(|external| external.take_seat(name, monitor));
        Seat { player: self, external, monitor, deal: index, time: GameTime::default() }
    }
}

impl Seat<'_> {
    /// Returns the player's move on a turn of the game, counted from 1, or `None` if the wait or the search for it was stopped. After a fault
    /// it is a pass, with the kind of fault.
    pub(crate) fn choose(
        &mut self,
        generator: &mut Generator<'_>,
        game: &Game,
        turn: usize,
        time: Option<&TimeLeft>,
    ) -> Option<(ValuedMove, Option<FaultKind>)> {
        if let Some(sitting) = &mut self.external {
            return sitting.answer(generator.setup(), game, turn, time);
        }
        let own_turn = self.deal.wrapping_add(turn as u64 / 2);
        let (is_static, monitor) = (self.player.as_static().is_some(), self.monitor);
        let is_measured = !is_static || own_turn.is_multiple_of(TURNS_PER_MEASUREMENT);
        let limits = SearchLimits { time, monitor };
        let valued = self.time.choose(is_measured, || self.player.choose_within(generator, game, limits));
        (is_static || !monitor.is_stopped()).then_some((valued, None))
    }

    /// Ends the game: its CPU time counts. Reports the final scores to an external player, and who forfeited the game by faults,
    /// if anyone.
    pub(crate) fn game_over(self, scores: [i32; 2], forfeited_by: Option<usize>) {
        self.player.thinking_time.add(self.time);
        if let Some(sitting) = self.external {
            sitting.game_over(scores, forfeited_by);
        }
    }
}
