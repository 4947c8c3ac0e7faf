//! A candidate of a queue: its job, and the progress of its test. Also `queue.toml`, the common settings of all candidates.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tilewright_engine::artefact::stated_code_version;
use tilewright_engine::folder::Folder;
use tilewright_engine::input_file::limits;
use tilewright_engine::player::MatchPlayer;
use tilewright_engine::series::ERROR_RATE;
use tilewright_engine::series::sequential::{Decision, SequentialTest};
use tilewright_train::stored_match::spec::{Hypotheses, SEED};
use tilewright_train::stored_match::{Looks, MatchSpec};

use crate::failure::{Failure, InFile, Input};
use crate::flags::{BuildFlag, CommonFlags, GameFlags, PlayFlags};
use crate::matches::request::MatchRequest;
use crate::requests::Request;
use crate::work::files;
use crate::work::flags::SettingsFlags;
use crate::work::job::{Job, RUN};
use crate::work::stage::{self, Record, Stage};

pub const FILE: &str = "queue.toml";
/// The default win rates of the test.
const HYPOTHESES: Hypotheses = Hypotheses { h0: 0.50, h1: 0.51 };
/// The default number of pairs at most.
const PAIRS: u64 = 100_000;

/// `queue.toml`.
#[derive(schemars::JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    pub player_b: String,
    /// Win rates of the candidate in percent: `H0:H1`.
    #[schemars(with = "String")]
    pub sequential: Hypotheses,
    /// The probability that a test accepts H1 although H0 is true.
    pub alpha: f64,
    /// The probability that a test accepts H0 although H1 is true.
    pub beta: f64,
    /// Pairs of each candidate at most.
    pub pairs: u64,
    /// The seed of the deals.
    pub seed: u64,
    /// The word list, by default the embedded one of the tile set.
    pub lexicon: Option<String>,
    /// The tile set, by default English.
    pub tileset: Option<String>,
    /// The build of the program: candidates of different builds would not be compared like with like.
    pub version: String,
}

impl Settings {
    /// The settings of a new queue.
    pub fn from_flags(flags: &SettingsFlags) -> Result<Settings, Failure> {
        let Some(player_b) = flags.player_b.clone() else {
            return Err(Failure::input("a new queue needs a baseline; add --player-b PLAYER"));
        };
        let settings = Settings {
            player_b,
            sequential: flags.sequential.unwrap_or(HYPOTHESES),
            alpha: flags.rates.alpha.unwrap_or(ERROR_RATE),
            beta: flags.rates.beta.unwrap_or(ERROR_RATE),
            pairs: flags.pairs.unwrap_or(PAIRS),
            seed: flags.seed.unwrap_or(SEED),
            lexicon: flags.lexicon.clone(),
            tileset: flags.tileset.clone(),
            version: stated_code_version(),
        };
        settings.test()?;
        Ok(settings)
    }

    pub fn read(queue: &Folder) -> Result<Settings, Failure> {
        let file = queue.place(FILE);
        let text = queue.read(FILE, limits::TEXT)?.ok_or_else(|| {
            Failure::input(format!(
                "{}: there is no such file; tilewright work match --queue {} --player-b BASELINE CANDIDATE… makes a queue",
                file.display(),
                queue.path().display()
            ))
        })?;
        toml::from_slice(&text).in_file(&file)
    }

    /// Writes the settings of a new queue.
    pub fn write(&self, queue: &Folder) -> Result<(), Failure> {
        let text = format!("# tilewright work match --queue {}\n{}", queue.path().display(), toml::to_string(self)?);
        Ok(queue.write(FILE, text.as_bytes())?)
    }

    /// Refuses flags that ask for something else.
    pub fn check(&self, queue: &Path, flags: &SettingsFlags) -> Result<(), Failure> {
        let (own, asked) = (serde_json::to_value(self)?, serde_json::to_value(flags)?);
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), String::from);
        for (flag, asked) in asked.as_object().into_iter().flatten().filter(|(_, asked)| !asked.is_null()) {
            let own = &own[flag.replace('-', "_")];
            if own == asked {
                continue;
            }
            let own = if own.is_null() { "its default".into() } else { text(own) };
            return Err(Failure::input(format!(
                "--{flag} {}: the candidates of {} have --{flag} {own}, and all of a queue have the same; leave the flag out, or choose \
                 another --queue",
                text(asked),
                queue.display()
            )));
        }
        Ok(())
    }

    /// Refuses a build that did not make the queue, unless the flag accepts it.
    pub fn check_build(&self, queue: &Path, build: BuildFlag) -> Result<(), Failure> {
        let own = stated_code_version();
        if self.version == own || build.accept_other_build {
            return Ok(());
        }
        Err(Failure::input(format!(
            "{} is a queue of tilewright {}, and this is {own}; its candidates would not be compared like with like: run that build, \
             choose another --queue, or go on with --accept-other-build",
            queue.display(),
            self.version
        )))
    }

    pub fn test(&self) -> Result<SequentialTest, Failure> {
        self.sequential.test(Some(self.alpha), Some(self.beta)).input()
    }

    /// The match of a candidate.
    pub fn match_of(&self, candidate: &str) -> Result<MatchRequest, Failure> {
        let (lexicon, tileset) = (self.lexicon.clone(), self.tileset.clone());
        let game = GameFlags { lexicon, tileset, ..GameFlags::default() };
        let common = CommonFlags { game, seed: Some(self.seed), threads: None };
        let [a, b] = [candidate, &self.player_b].map(|name| name.parse::<MatchPlayer>().input());
        let spec = MatchSpec {
            seed: Some(self.seed),
            sequential: Some(self.sequential),
            alpha: Some(self.alpha),
            beta: Some(self.beta),
            ..MatchSpec::of_two([a?, b?], self.pairs)
        };
        Ok(MatchRequest::new(PlayFlags { common, ..PlayFlags::default() }, spec))
    }
}

/// The folder of the candidates, inside the folder of the queue.
pub const CANDIDATES: &str = "candidates";
/// The record of a candidate that failed.
pub const FAILED: &str = "failed.json";

pub struct Candidate {
    /// Its name as a player.
    pub name: String,
    pub job: Arc<Job>,
    /// How far its test has come, as far as it was read.
    pub looks: Looks,
}

/// The folders of a queue's candidates by their names, in the order in which they were added.
pub fn folders(queue: &Folder) -> Result<Vec<(String, Folder)>, Failure> {
    if !queue.has(CANDIDATES) {
        return Ok(Vec::new());
    }
    let candidates = queue.folder(CANDIDATES)?;
    // A candidate that is being added has a name with a dot.
    let names = candidates.names()?.into_iter().filter(|name| !name.starts_with('.'));
    names.map(|name| candidates.folder(&name).map(|folder| (name, folder)).map_err(Failure::from)).collect()
}

/// The name of the candidate whose job this is.
pub fn name_of(job: &Job) -> String {
    let Request::Match(request) = &job.stored.run else { return String::new() };
    request.spec.players.first().map(ToString::to_string).unwrap_or_default()
}

impl Candidate {
    pub fn new(job: Job, settings: &Settings) -> Result<Candidate, Failure> {
        let looks = Looks::new(&job.folder, RUN, settings.test()?, settings.pairs);
        Ok(Candidate { name: name_of(&job), job: Arc::new(job), looks })
    }

    /// Why it failed, if it did.
    pub fn failed(&self) -> Option<String> {
        let folder = &self.job.folder;
        let error = folder.has(FAILED).then(|| stage::read(folder, FAILED).error);
        error.map(|error| error.unwrap_or_else(|| format!("{FAILED} is damaged")))
    }

    /// Writes down that it failed.
    pub fn fail(&self, error: String) -> Result<(), Failure> {
        let record = Record { by: files::process(), error: Some(error), ..Record::default() };
        files::write_json(&self.job.folder, FAILED, &record)
    }

    /// Its state in a word, after the looks that were read.
    pub fn state(&self) -> &'static str {
        if self.failed().is_some() {
            return "failed";
        }
        match self.looks.decision {
            Decision::AcceptH1 => "accepted",
            Decision::AcceptH0 => "rejected",
            Decision::Open if self.looks.is_over() => "undecided",
            Decision::Open if self.is_running() => "running",
            Decision::Open => "waiting",
        }
    }

    /// Whether a process is making one of its shards.
    fn is_running(&self) -> bool {
        let stage = Stage::read(&self.job);
        stage.is_ok_and(|stage| stage::are_running(&self.job, stage.number, &stage.missing(&self.job)))
    }
}
