//! The config of a study.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tilewright_configs::{Config, of_folder};
use tilewright_engine::input_file;
use tilewright_engine::player::MatchPlayer;

use super::verdict::{Figure, Published};
use crate::failure::Failure;
use crate::flags::names_output;
use crate::status::did_you_mean;

/// The folders of `configs` that hold studies.
const FOLDERS: [&str; 2] = ["studies", "studies/papers"];

/// All studies, in the order of the configs.
pub fn studies() -> impl Iterator<Item = &'static Config> {
    FOLDERS.into_iter().flat_map(of_folder)
}

/// A study, by its name.
#[derive(Clone, Debug)]
pub struct Study {
    /// The name of its file, without the ending.
    pub name: String,
    pub text: String,
    pub plan: Plan,
}

/// The question, the artefacts and the measurements of a study.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    pub question: String,
    /// Where the answer was published, if it is not one of our own pages.
    pub source: Option<String>,
    /// The word list, as on the command line.
    pub lexicon: String,
    /// The command that makes the word list, if it is not in the program.
    pub lexicon_from: Option<String>,
    pub tileset: String,
    /// The seed of the matches.
    pub seed: u64,
    /// The player against which the arms play.
    pub baseline: Option<String>,
    /// The values of `{name}` in commands at the quick size.
    pub quick: BTreeMap<String, u64>,
    /// The same at full size.
    pub full: BTreeMap<String, u64>,
    /// Configs of its own, for artefacts and players.
    #[serde(default)]
    pub configs: Vec<OwnConfig>,
    /// The artefacts that the study makes before it measures.
    #[serde(default)]
    pub artefacts: Vec<Artefact>,
    /// Matches: each changes one thing of the baseline.
    #[serde(default)]
    pub arms: Vec<Arm>,
    /// Figures of other commands.
    #[serde(default)]
    pub measures: Vec<Measure>,
}

/// A config that the study writes into the folder of its run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnConfig {
    /// Its name. In players and commands, `{name}` is its file.
    pub name: String,
    /// Its content, TOML.
    pub text: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Artefact {
    /// Its name. In players and commands, `{name}` is its folder.
    pub name: String,
    /// The command that makes it, without `--out`, the game and the threads.
    pub command: String,
}

/// A match.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arm {
    /// The change, in a few words.
    pub name: String,
    pub player: String,
    /// Its opponent, if that is not the baseline.
    pub against: Option<String>,
    /// The number of pairs, as text: a number, or a name that depends on the size, such as `{pairs}`.
    #[serde(default = "pairs")]
    pub pairs: String,
    /// The published win rate, in percent.
    pub published_win_rate: Option<Published>,
    /// The published spread, in points per game.
    pub published_spread: Option<Published>,
    /// Whether the probability of the result with equal players is listed, by pairs and by a binomial test over games.
    #[serde(default)]
    pub p_values: bool,
    /// The number of pairs of a second match, as text. This match measures the CPU time of the player per game. It keeps
    /// nothing, because a resumed match has only the time since then. Two arms with costs make a
    /// [`Ladder`](super::ladder::Ladder), whose module describes the names of its arms.
    pub cost: Option<String>,
}

fn pairs() -> String {
    "{pairs}".into()
}

/// A command with `--json`, and the figures to take from its result.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    pub name: String,
    /// The command, without `--json`.
    pub command: String,
    pub figures: Vec<Figure>,
}

impl Measure {
    pub fn each_figure(&self) -> impl Iterator<Item = Figure> {
        self.figures.iter().flat_map(Figure::each)
    }
}

impl Study {
    /// The study of this name or of this file.
    pub fn find(name: &str) -> Result<Study, Failure> {
        let path = Path::new(name);
        let is_named = |config: &&Config| config.name == name || path == Path::new(config.folder).join(config.name);
        if let Some(config) = studies().find(is_named).filter(|_| !path.is_file()) {
            return Study::embedded(config);
        }
        let text = input_file::read_text(path).map_err(|error| {
            let near = did_you_mean(name, studies().map(|config| config.name));
            Failure::input(format!("study {name}: {error}; tilewright experiment list shows all names{near}"))
        })?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        Study::from_text(&stem, &text, name)
    }

    pub fn embedded(config: &Config) -> Result<Study, Failure> {
        Study::from_text(config.name, config.text, config.name)
    }

    /// The study with this name in a text from `origin`.
    pub(super) fn from_text(name: &str, text: &str, origin: &str) -> Result<Study, Failure> {
        let fault = |reason: String| Failure::input(format!("study {origin}: {reason}"));
        if Path::new(name).file_name() != Some(name.as_ref()) {
            return Err(fault("the name of a study is that of its folder, without a path".into()));
        }
        let plan: Plan = toml::from_str(text).map_err(|error| fault(error.to_string()))?;
        plan.check(text).map_err(fault)?;
        Ok(Study { name: name.into(), text: text.into(), plan })
    }
}

/// The most bytes of the name of a file.
const LONGEST_NAME: usize = 200;

/// The verbs that make artefacts, in the folders that the study gives them.
pub const FITS: &str = "evolve, leaves train, linear fit, network train, selfplay, td, win-percentage train";
/// The verbs of measures. They write only to files that flags name.
pub const MEASURES: &str = "analyse, bench, infer, leaves diff, leaves eval, leaves show, match, moves, network eval, simulate, solve, \
                            win-percentage eval";

/// Checks that a command begins with one of these verbs, and writes only to the place, if there is one. The study may be
/// somebody else's.
fn check_command(verbs: &str, place: Option<&str>, command: &str) -> Result<(), String> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let is_own = |verb: &str| verb.split(' ').eq(words.iter().copied().take(verb.split(' ').count()));
    if !verbs.split(", ").any(is_own) {
        return Err(format!("{command:?} is no command that a study may have here; it may have {verbs}"));
    }
    for (at, word) in words.iter().enumerate() {
        let (flag, value) = word.split_once('=').unwrap_or((word, words.get(at + 1).copied().unwrap_or_default()));
        if names_output(flag) && place != Some(value) {
            let advice = place.map_or(String::new(), |place| format!(", or give it {place}"));
            return Err(format!("{flag} {value}: a study writes into its own folder alone; leave the flag out{advice}"));
        }
    }
    Ok(())
}

/// Values of every study: the seed, and a folder in which a measure keeps its work.
pub const SEED: &str = "seed";
/// See [`SEED`].
pub const KEPT: &str = "kept";

impl Plan {
    /// The programs that its arms and commands name as players.
    pub fn programs(&self) -> Vec<String> {
        let arms = self.arms.iter().flat_map(|arm| [Some(&arm.player), arm.against.as_ref()]).flatten();
        let words =
            self.commands().flat_map(|(.., command)| command.split(|letter: char| letter.is_whitespace() || letter == '='));
        let named = arms.chain(&self.baseline).map(String::as_str).chain(words);
        named.filter_map(|name| name.parse().ok().filter(MatchPlayer::is_external)).map(|name| name.to_string()).collect()
    }

    /// The commands, with their allowed verbs, and the place to which they may write.
    fn commands(&self) -> impl Iterator<Item = (&'static str, Option<&'static str>, &String)> {
        let artefacts = self.artefacts.iter().map(|artefact| (FITS, None, &artefact.command));
        artefacts.chain(self.measures.iter().map(|measure| (MEASURES, Some("{kept}"), &measure.command)))
    }

    /// The step that is missing before it can run here.
    pub fn missing(&self) -> Option<String> {
        if let Some(made_by) = self.lexicon_from.as_ref().filter(|_| !Path::new(&self.lexicon).exists()) {
            return Some(format!("there is no {}; {made_by} makes it, from a clone of the project", self.lexicon));
        }
        let table = self.tables().find(|table| !Path::new(table).exists())?;
        Some(format!(
            "there is no {table}; the first lines of the study name the command that makes it, from a clone of the project"
        ))
    }

    /// The leave tables that its players and commands name by a path, but not those that the study makes.
    fn tables(&self) -> impl Iterator<Item = &str> {
        let tables = self.texts().flat_map(|text| text.split_whitespace()).filter_map(|word| word.strip_prefix("leave:"));
        tables.filter(|table| table.contains('/') && !table.contains('{'))
    }

    /// The texts in which `{name}` stands for a value.
    fn texts(&self) -> impl Iterator<Item = &String> {
        let configs = self.configs.iter().map(|config| &config.text);
        let artefacts = self.artefacts.iter().map(|artefact| &artefact.command);
        let arms =
            self.arms.iter().flat_map(|arm| [Some(&arm.player), arm.against.as_ref(), Some(&arm.pairs), arm.cost.as_ref()]);
        let arms = arms.flatten();
        let measures = self.measures.iter().map(|measure| &measure.command);
        configs.chain(artefacts).chain(arms).chain(&self.baseline).chain(measures)
    }

    /// The names of values, besides the names of every study.
    fn value_names(&self) -> impl Iterator<Item = &str> {
        let configs = self.configs.iter().map(|config| config.name.as_str());
        let artefacts = self.artefacts.iter().map(|artefact| artefact.name.as_str());
        self.full.keys().map(String::as_str).chain(configs).chain(artefacts)
    }

    fn check_names(&self) -> Result<(), String> {
        let mut names = vec![SEED, KEPT];
        for name in self.value_names() {
            if name.is_empty() || !name.chars().all(is_of_name) {
                return Err(format!("{name:?} cannot stand for a value; use small letters, digits, - and _"));
            }
            if names.contains(&name) {
                return Err(format!("{name} stands for two values"));
            }
            names.push(name);
        }
        let is_used = |name: &&str| self.texts().any(|text| text.contains(&format!("{{{name}}}")));
        if let Some(unused) = self.value_names().find(|name| !is_used(name)) {
            return Err(format!("nothing uses {{{unused}}}"));
        }
        if let Some(unknown) = self.texts().flat_map(|text| names_in(text)).find(|name| !names.contains(name)) {
            return Err(format!("{{{unknown}}} stands for nothing; there are {}", names.join(", ")));
        }
        let arms = self.arms.iter().map(|arm| arm.name.clone());
        let costs = self.arms.iter().filter(|arm| arm.cost.is_some()).map(|arm| of_cost(&arm.name));
        let measures = self.measures.iter().map(|measure| measure.name.clone());
        let parts: Vec<String> = arms.chain(costs).chain(measures).map(|name| file_name(&name)).collect();
        if let Some(long) = parts.iter().find(|name| name.len() > LONGEST_NAME) {
            return Err(format!("the name {long:.40}… of an arm or a measure is longer than {LONGEST_NAME} bytes"));
        }
        match parts.iter().enumerate().find(|(at, name)| name.is_empty() || parts[..*at].contains(name)) {
            Some((_, name)) => Err(format!("two arms or measures are named {name:?}, or one has no letters")),
            None => Ok(()),
        }
    }

    /// Checks a plan. `text` is the text of the study.
    fn check(&self, text: &str) -> Result<(), String> {
        for (verbs, place, command) in self.commands() {
            let line = text.lines().position(|line| line.contains(command));
            let line = line.map_or(String::new(), |line| format!("line {}: ", line + 1));
            check_command(verbs, place, command).map_err(|fault| line + &fault)?;
        }
        if !self.quick.keys().eq(self.full.keys()) {
            return Err("quick and full must have the same keys".into());
        }
        if self.arms.is_empty() && self.measures.is_empty() {
            return Err("it measures nothing; add [[arms]] or [[measures]]".into());
        }
        if let Some(arm) = self.arms.iter().find(|arm| arm.against.is_none() && self.baseline.is_none()) {
            return Err(format!("the arm {} has no opponent; add against, or a baseline for all arms", arm.name));
        }
        let of_arms = self.arms.iter().flat_map(|arm| [&arm.published_win_rate, &arm.published_spread]);
        of_arms.flatten().try_for_each(Published::check)?;
        let figures = || self.measures.iter().flat_map(|measure| &measure.figures);
        figures().try_for_each(Figure::check)?;
        figures().flat_map(Figure::each).try_for_each(|figure| figure.check())?;
        self.check_names()
    }
}

/// The name of the match that measures the cost of an arm.
pub fn of_cost(arm: &str) -> String {
    format!("{arm}, cost")
}

fn is_of_name(character: char) -> bool {
    character.is_ascii_lowercase() || character.is_ascii_digit() || "-_".contains(character)
}

/// The names in braces in a text. Other braces belong to TOML.
fn names_in(text: &str) -> impl Iterator<Item = &str> {
    let names = text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name);
    names.filter(|name| !name.is_empty() && name.chars().all(is_of_name))
}

/// A name as a file name: letters, digits and dashes.
pub fn file_name(name: &str) -> String {
    let plain = |character: char| if character.is_alphanumeric() { character.to_ascii_lowercase() } else { '-' };
    let dashes: String = name.chars().map(plain).collect();
    dashes.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_study_in_the_program_can_be_run() {
        let mut names = Vec::new();
        for config in studies() {
            let study = Study::embedded(config).unwrap_or_else(|failure| panic!("{}", failure.message()));
            assert!(!names.contains(&study.name), "{}", study.name);
            assert!(study.plan.question.ends_with('?'), "{}", study.name);
            names.push(study.name);
        }
        assert!(names.len() > 5);
    }

    #[test]
    fn faults_of_studies_are_named() {
        let good = "question = \"?\"\nlexicon = \"\"\ntileset = \"english\"\nseed = 1\nquick = { pairs = 1 }\nfull = { pairs = 2 }\n\
                    baseline = \"leave\"\n[[arms]]\nname = \"a\"\nplayer = \"greedy\"\n";
        assert!(Study::from_text("x", good, "x").is_ok());
        let cases = [
            (good.replace("baseline = \"leave\"\n", ""), "no opponent"),
            (good.replace("pairs = 2", "games = 2"), "same keys"),
            (good.replace("[[arms]]\nname = \"a\"\nplayer = \"greedy\"\n", ""), "measures nothing"),
            (format!("{good}[[arms]]\nname = \"A\"\nplayer = \"leave\"\n"), "two arms"),
            (good.replace("seed = 1", "sed = 1"), "unknown field `sed`"),
            (good.replace("greedy", "leave:{table}"), "{table} stands for nothing"),
            (good.replace("pairs = ", "seed = 3, pairs = "), "seed stands for two values"),
            (good.replace("pairs = ", "games = 3, pairs = "), "nothing uses {games}"),
            (good.replace("pairs = ", "Games = 3, pairs = "), "small letters"),
            (format!("{good}cost = \"1\"\n[[arms]]\nname = \"A cost\"\nplayer = \"leave\"\n"), "two arms"),
            (good.replace("name = \"a\"", &format!("name = \"{}\"", "a".repeat(300))), "longer than 200 bytes"),
            (format!("{good}published_spread = {{ value = nan, source = \"\" }}\n"), "within its interval"),
            (format!("{good}published_rate = {{ value = 1.0, source = \"\" }}\n"), "unknown field `published_rate`"),
        ];
        for (text, expected) in cases {
            let message = Study::from_text("x", &text, "x.toml").unwrap_err().message();
            assert!(message.contains(expected) && message.contains("x.toml"), "{message}");
        }
        let table = good.replace("baseline = \"leave\"", "baseline = \"leave:no/such.csv\"");
        let missing = Study::from_text("x", &table, "x").unwrap().plan.missing();
        assert!(missing.is_some_and(|reason| reason.contains("there is no no/such.csv")));
        assert_eq!(Study::from_text("x", good, "x").unwrap().plan.missing(), None);
        assert!(Study::find("no-such-study").unwrap_err().message().contains("experiment list"));
    }

    #[test]
    fn names_become_names_of_files() {
        assert_eq!(file_name("leave+pool, 2 plies"), "leave-pool-2-plies");
    }
}
