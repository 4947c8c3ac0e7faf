//! Match requests: the flags of `match` and the config file that they override, as plain data.

use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tilewright_engine::artefact::{ArtefactWriter, MANIFEST};
use tilewright_engine::series::sequential::SequentialTest;
use tilewright_engine::{Monitor, Player, PlayerSpec, Setup};
use tilewright_train::journal::{Journal, JournalError};
use tilewright_train::run::{Place, Run};
use tilewright_train::stored_match::MatchSpec;
use tilewright_train::stored_match::spec::MOVES;

use super::flags::{FileFlags, MAX_PAIRS, MatchArguments};
use crate::flags::PlayFlags;
use crate::runs::Context;
use crate::{Failure, Input, Progress, configs, loading};

/// A match between two players, or a round robin between more.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchRequest {
    /// The game, the threads and the word map.
    pub flags: PlayFlags,
    /// What is played.
    pub spec: MatchSpec,
    /// The files besides the figures.
    pub files: FileFlags,
}

impl MatchRequest {
    /// A match without files.
    pub fn new(flags: PlayFlags, spec: MatchSpec) -> MatchRequest {
        MatchRequest { flags, spec, files: FileFlags::default() }
    }

    /// The match that the flags describe. The config file fills in what they leave out.
    ///
    /// # Errors
    /// [`Failure::Input`] for an invalid config, and for flags that do not go together.
    pub fn from_flags(arguments: &MatchArguments) -> Result<MatchRequest, Failure> {
        let mut spec = arguments.config.as_deref().map(read_config).transpose()?.unwrap_or_default();
        match (&arguments.player_a, &arguments.player_b) {
            (Some(a), Some(b)) => spec.players = vec![a.clone(), b.clone()],
            _ if arguments.players.is_empty() => {}
            _ => spec.players.clone_from(&arguments.players),
        }
        let mut flags = arguments.flags.clone();
        let game = &mut flags.common.game;
        // The lexicon of the config is for the tile set of the config.
        if game.tileset.is_none() || game.tileset == spec.tileset {
            game.lexicon = game.lexicon.take().or(spec.lexicon.take());
        }
        game.tileset = game.tileset.take().or(spec.tileset.take());
        game.tables.clone_from(&arguments.tables);
        spec.seed = flags.common.seed.or(spec.seed);
        spec.pairs = arguments.pairs.or(spec.pairs);
        spec.unpaired |= arguments.unpaired;
        spec.sequential = arguments.sequential.or(spec.sequential);
        spec.alpha = arguments.rates.alpha.or(spec.alpha);
        spec.beta = arguments.rates.beta.or(spec.beta);
        if let Some(time) = arguments.clock {
            (spec.clock_seconds, spec.overtime) = (Some(time.as_secs_f64()), Some(arguments.overtime));
        }
        spec.answer_seconds = arguments.answer_time.map(|time| time.as_secs_f64()).or(spec.answer_seconds);
        let request = MatchRequest { flags, spec, files: arguments.files.clone() };
        request.check()?;
        Ok(request)
    }

    /// Checks what is given together, as it may come from a config or a job.
    ///
    /// # Errors
    /// [`Failure::Input`].
    pub fn check(&self) -> Result<(), Failure> {
        let MatchRequest { spec, files, .. } = self;
        let count = spec.players.len();
        if count < 2 {
            let found = spec.players.first().map_or("no player".into(), |player| format!("only {player}"));
            return Err(Failure::input(format!(
                "{found} is named; a match needs two players, a round robin more: add --players, or players = [...] in the config"
            )));
        }
        let flags = [
            ("--sequential", spec.sequential.is_some()),
            ("--pairs-out", files.pairs_out.is_some()),
            ("--games-out", files.games_out.is_some()),
            ("--fault-log", files.fault_log.is_some()),
            ("--answer-time", spec.answer_seconds.is_some()),
        ];
        if let Some((flag, _)) = flags.into_iter().find(|&(_, is_given)| is_given && count > 2) {
            return Err(Failure::input(format!("{flag} needs exactly two players, but {count} are named")));
        }
        if spec.sequential.is_none() && (spec.alpha.is_some() || spec.beta.is_some()) {
            return Err(Failure::input("--alpha and --beta are error rates of a sequential test; add --sequential H0:H1"));
        }
        if spec.clock().is_none() && (spec.clock_seconds.is_some() || spec.overtime.is_some()) {
            return Err(Failure::input("config: clock_seconds, above 0, and overtime, 0 to 10000 points, need each other"));
        }
        self.test()?;
        self.pairs().map(drop)
    }

    /// Pairs per match; with a test, the maximum.
    ///
    /// # Errors
    /// [`Failure::Input`] if there is no number, or one that is out of range.
    pub fn pairs(&self) -> Result<u64, Failure> {
        match self.spec.pairs {
            Some(pairs) if (1..=MAX_PAIRS).contains(&pairs) => Ok(pairs),
            Some(pairs) => Err(Failure::input(format!("config: pairs = {pairs}; expected 1 to {MAX_PAIRS}"))),
            None => Err(Failure::input("no number of pairs; add --pairs N, or pairs = N in the config")),
        }
    }

    /// The sequential test, which may end a match of two players early.
    ///
    /// # Errors
    /// [`Failure::Input`] for rates with which no test exists.
    pub fn test(&self) -> Result<Option<SequentialTest>, Failure> {
        self.spec.test().input()
    }

    /// Loads the players. Only matches of two have external ones, which the answer time limits.
    ///
    /// # Errors
    /// [`Failure::Input`] for players that cannot be used, and for an answer time without an external player.
    pub fn load_players(&self, setup: &Setup, progress: &Progress) -> Result<Vec<Player>, Failure> {
        let (game, players) = (&self.flags.common.game, &self.spec.players);
        if players.len() > 2 {
            return players.iter().map(|player| loading::player(player, setup, game)).collect();
        }
        let has_external = players.iter().any(PlayerSpec::is_external);
        let load = |player: &PlayerSpec| {
            let mut player = player.clone();
            if let Some(seconds) = self.spec.answer_seconds.filter(|_| player.is_external() || !has_external) {
                let time = Duration::try_from_secs_f64(seconds).input()?;
                player = player.with_answer_time(time).input()?;
            }
            loading::any_player(&player, setup, game, progress)
        };
        players.iter().map(load).collect()
    }

    /// Opens the journal of a run in the folder of the context, or one in memory. A finished match in the folder is not finished any more.
    ///
    /// # Errors
    /// [`Failure::Input`] for a folder whose pairs have no moves, or have moves that nobody asks for; [`JournalError`].
    pub fn journal<'m>(
        &self,
        run: &impl Run,
        context: &Context<'_>,
        monitor: &'m dyn Monitor,
    ) -> Result<Journal<'m>, Failure> {
        let Some(out) = context.out else { return Ok(Journal::in_memory(monitor)) };
        match context.open(out, &run.key(), true, monitor) {
            Err(JournalError::OtherRun { what, .. }) if what == MOVES => {
                let advice = if self.files.games_out.is_some() {
                    "the pairs of this run have no moves; leave --games-out out"
                } else {
                    "this run keeps the moves of its games; add --games-out DIR"
                };
                Err(Failure::input(format!("{}: {advice}, or choose another --out", out.display())))
            }
            journal => {
                let journal = journal?;
                journal.folder().map_or(Ok(()), |folder| folder.remove(MANIFEST))?;
                Ok(journal)
            }
        }
    }
}

/// Writes the manifest of a finished match into the folder of its journal, unless that is in memory.
///
/// # Errors
/// It cannot be written.
pub fn finish<R: Run>(run: &R, outcome: &R::Outcome, journal: &Journal<'_>) -> Result<(), Failure> {
    let (Some(folder), Some(key)) = (journal.folder(), journal.key()) else { return Ok(()) };
    Ok(run.write(outcome, Place { folder, key })?.map_or(Ok(()), ArtefactWriter::finish)?)
}

fn read_config(path: &Path) -> Result<MatchSpec, Failure> {
    let (text, _) = configs::read(path, "matches")?;
    toml::from_str(&text).map_err(|error| Failure::input(format!("config {}: {error}", path.display())))
}
