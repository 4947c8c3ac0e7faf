//! `experiment run`: makes the artefacts of a study, plays its matches, and reports.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tilewright_engine::artefact::stated_code_version;
use tilewright_engine::folder::Folder;
use tilewright_engine::hash::sha256;
use tilewright_engine::input_file::{self, limits};
use tilewright_engine::player::MatchPlayer;
use tilewright_engine::series::NORMAL_95;
use tilewright_train::journal::{JournalError, RunKey};
use tilewright_train::parquet_file;
use tilewright_train::run::kind;
use tilewright_train::stored_match::MatchSpec;

use super::flags::ExperimentRunArguments;
use super::ladder::{COST, DRAWING, Ladder, WIN_RATE};
use super::results::{LeftOut, Ran, Results};
use super::study::{Arm, Artefact, KEPT, Measure, SEED, Study, file_name, of_cost, studies};
use super::summary::{Line, SUMMARY, Size, Summary};
use super::verdict::{Figure, Measured};
use crate::flags::{CommonFlags, GameFlags, PlayFlags, shell_word};
use crate::matches::request::MatchRequest;
use crate::output::{NewFile, captured, say};
use crate::runs::{Context, Programs};
use crate::status::status;
use crate::{Failure, Input, Progress, interrupts, matches};

/// A request to run studies: their texts, so that it needs no files.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyRequest {
    /// Names and texts.
    studies: Vec<(String, String)>,
    size: Size,
    /// Whether studies that cannot run here are left out.
    all: bool,
    /// The threads, and whether there is progress.
    #[serde(skip)]
    pub process: CommonFlags,
}

impl StudyRequest {
    pub fn new(arguments: &ExperimentRunArguments) -> Result<StudyRequest, Failure> {
        let named: Vec<Study> = if arguments.all {
            studies().map(Study::embedded).collect::<Result<_, _>>()?
        } else {
            arguments.names.iter().map(|name| Study::find(name)).collect::<Result<_, _>>()?
        };
        let is_twice = |at: usize, study: &Study| named[..at].iter().any(|other| other.name == study.name);
        if let Some((_, twice)) = named.iter().enumerate().find(|(at, study)| is_twice(*at, study)) {
            return Err(Failure::input(format!("two studies are named {}; run one of them", twice.name)));
        }
        let &ExperimentRunArguments { all, threads, quiet, quick, .. } = arguments;
        let studies = named.into_iter().map(|study| (study.name, study.text)).collect();
        let game = GameFlags { quiet, ..GameFlags::default() };
        let process = CommonFlags { game, threads, ..CommonFlags::default() };
        Ok(StudyRequest { studies, size: if quick { Size::Quick } else { Size::Full }, all, process })
    }

    /// The programs that the studies name as players.
    pub fn programs(&self) -> Vec<String> {
        let studies = self.studies.iter().filter_map(|(name, text)| Study::from_text(name, text, name).ok());
        studies.flat_map(|study| study.plan.programs()).collect()
    }

    /// Runs the studies, or the part of a study that the context names.
    ///
    /// # Errors
    /// [`Failure`] of the last study that fails. All are read before the first one runs, and finished ones are reported.
    pub fn run(&self, context: &Context<'_>) -> Result<(), Failure> {
        let read = |(name, text): &(String, String)| Study::from_text(name, text, name);
        let named: Vec<Study> = self.studies.iter().map(read).collect::<Result<_, _>>()?;
        if let Some(out) = context.out.filter(|out| out.is_file()) {
            return Err(JournalError::NotAFolder { folder: out.into() }.into());
        }
        // The folders of studies in the named folder may be somebody else's.
        let named_folder = context.out.filter(|_| context.within.is_none()).map(|out| context.hold(out)).transpose()?;
        let context = &Context { within: named_folder.as_ref().or(context.within), ..*context };
        let mut results = Results::default();
        let mut runs = Vec::new();
        for study in &named {
            match study.plan.missing() {
                None => runs.push(study),
                Some(reason) if self.all => results.left_out.push(LeftOut { study: study.name.clone(), reason }),
                Some(reason) => return Err(Failure::input(format!("study {}: {reason}", study.name))),
            }
        }
        if let Some((study, part)) = context.part.split_once('/') {
            let study = runs.into_iter().find(|own| own.name == study);
            let study = study.ok_or_else(|| Failure::input(format!("there is no study of part {}", context.part)))?;
            return StudyRun::new(study, self, context).run_part(part);
        }
        let mut failed: Option<Failure> = None;
        for study in runs {
            let run = StudyRun::new(study, self, context);
            match run.run() {
                Ok(summary) => {
                    let ran = Ran { folder: run.folder.display().to_string(), summary };
                    if !context.json.is_standard_output() {
                        say!("{ran}");
                    }
                    results.studies.push(ran);
                }
                Err(failure) => {
                    let is_interrupted = matches!(failure, Failure::Interrupted(_));
                    if let Some(earlier) = failed.replace(failure) {
                        status!("error: {}", earlier.message());
                    }
                    if is_interrupted {
                        break;
                    }
                }
            }
        }
        // Who runs again after a failure finds the file as it was.
        let written = if failed.is_none() { context.json.write_json(&results) } else { Ok(()) };
        if named.len() > 1 {
            say!("{results}");
        }
        failed.map_or(written, Err)
    }
}

struct StudyRun<'a> {
    study: &'a Study,
    request: &'a StudyRequest,
    folder: PathBuf,
    key: RunKey,
    /// The values of `{name}` in commands.
    values: BTreeMap<String, String>,
    context: &'a Context<'a>,
    held: OnceCell<Folder>,
}

impl<'a> StudyRun<'a> {
    fn new(study: &'a Study, request: &'a StudyRequest, context: &'a Context<'a>) -> StudyRun<'a> {
        let size = request.size;
        let key = RunKey::new(kind::STUDY, study.text.clone()).with_input("size", size.to_string());
        let folder = match context.out {
            Some(out) => out.join(format!("{}-{size}", study.name)),
            None => context.folder(&format!("experiment-{}-{size}", study.name), &key),
        };
        let plan = &study.plan;
        let sizes = if size == Size::Quick { &plan.quick } else { &plan.full };
        let mut values: BTreeMap<String, String> =
            sizes.iter().map(|(key, value)| (key.clone(), value.to_string())).collect();
        let configs = plan.configs.iter().map(|config| (&config.name, place(&folder, "configs", &config.name, ".toml")));
        let artefacts =
            plan.artefacts.iter().map(|artefact| (&artefact.name, place(&folder, "artefacts", &artefact.name, "")));
        values.extend(configs.chain(artefacts).map(|(name, path)| (name.clone(), path.display().to_string())));
        values.insert(SEED.into(), plan.seed.to_string());
        StudyRun { study, request, folder, key, values, context, held: OnceCell::new() }
    }

    /// Runs one artefact, arm or measure, by its name, as a process that shares the study.
    fn run_part(&self, part: &str) -> Result<(), Failure> {
        let plan = &self.study.plan;
        if let Some(artefact) = plan.artefacts.iter().find(|artefact| artefact.name == part) {
            return self.make(artefact);
        }
        if let Some(arm) = plan.arms.iter().find(|arm| arm.name == part) {
            return self.play(arm).map(drop);
        }
        match plan.measures.iter().find(|measure| measure.name == part) {
            Some(measure) => self.measure(measure).map(drop),
            None => Err(Failure::input(format!("study {} has no part {part}", self.study.name))),
        }
    }

    /// Runs the study, and writes its summary.
    fn run(&self) -> Result<Summary, Failure> {
        let Study { name, plan, text } = self.study;
        let progress = Progress::new(self.request.process.game.quiet);
        let alone = Context { scheduler: None, ..*self.context };
        let _locked = alone.open(&self.folder, &self.key, false, &progress)?;
        for config in &plan.configs {
            let name = format!("{}.toml", file_name(&config.name));
            self.held()?.make_folder("configs")?.write(&name, self.filled(&config.text).as_bytes())?;
        }
        for artefact in &plan.artefacts {
            self.make(artefact)?;
        }
        let mut lines = Vec::new();
        for arm in &plan.arms {
            lines.extend(self.play(arm)?);
        }
        for measure in &plan.measures {
            lines.extend(self.measure(measure)?);
        }
        let summary = Summary {
            study: name.clone(),
            question: plan.question.clone(),
            source: plan.source.clone(),
            size: self.request.size,
            version: stated_code_version(),
            config: sha256(text.as_bytes()),
            lines,
            checksum: String::new(),
        }
        .sealed();
        let json = serde_json::to_string_pretty(&summary)? + "\n";
        let held = self.held()?;
        held.write(SUMMARY, json.as_bytes())?;
        held.write("summary.md", format!("{summary}\n").as_bytes())?;
        if let Some(ladder) = Ladder::new(&summary.lines) {
            held.write(DRAWING, ladder.drawing().file().as_bytes())?;
        }
        let marks = [("study", summary.study.clone()), ("version", summary.version.clone())];
        held.write("summary.parquet", &parquet_file::to_bytes(&summary.columns(), &marks)?)?;
        Ok(summary)
    }

    /// Makes an artefact. A finished one is checked by its checksums when it is loaded. Without --accept-other-build one of another build is
    /// refused, because its command may make something else today.
    fn make(&self, artefact: &Artefact) -> Result<(), Failure> {
        let folder = place(&self.folder, "artefacts", &artefact.name, "");
        if let Ok(manifest) = input_file::read_up_to(&folder.join("manifest.json"), limits::JSON) {
            let manifest: Value = serde_json::from_slice(&manifest)?;
            let version = manifest.get("code_version").and_then(Value::as_str).unwrap_or("another version");
            if version == stated_code_version() || self.context.accept_other_build {
                return Ok(());
            }
            return Err(Failure::input(format!(
                "{} was made by {version}, and this is {}; remove it, choose another folder with --out, or add --accept-other-build",
                folder.display(),
                stated_code_version()
            )));
        }
        let mut words = self.words(&artefact.command);
        words.extend(self.shared());
        let context = Context { out: Some(&folder), json: NewFile::unchecked(None), ..*self.context };
        self.call(&artefact.name, &words, context, |context| (context.run_words)(&words, context))
    }

    /// Plays a match, or resumes it.
    fn play(&self, arm: &Arm) -> Result<Vec<Line>, Failure> {
        let plan = &self.study.plan;
        let against = arm.against.as_ref().or(plan.baseline.as_ref()).cloned().unwrap_or_default();
        let [player, against] = [&arm.player, &against].map(|text| self.filled(text));
        // The figures are taken from the pairs that the match keeps and checks, never from an earlier file.
        let (pairs_out, folder) =
            (self.make_way("pairs", &arm.name, ".parquet")?, place(&self.folder, "matches", &arm.name, ""));
        let mut stored = self.match_of([&player, &against], &arm.pairs)?;
        stored.files.pairs_out = Some(pairs_out);
        let found = self.result_of_match(&arm.name, &stored, Some(&folder))?;
        let line = |key: &str, called: &str, unit: &str, scale: f64, none: f64, published: Option<&_>| {
            let number = |at: String| self.number(&arm.name, &found, &at).map(|value| scale * value);
            let interval = Some([number(format!("/{key}/low"))?, number(format!("/{key}/high"))?]);
            let pairs = found.get("pairs").and_then(Value::as_u64);
            let measured = Measured { value: number(format!("/{key}/mean"))?, interval, pairs };
            Ok::<_, Failure>(Line::new(&arm.name, called, unit, measured, published, Some(none)))
        };
        let mut lines = vec![
            line("win_rate", WIN_RATE, "%", 100.0, 50.0, arm.published_win_rate.as_ref())?,
            line("spread", "spread", "points", 1.0, 0.0, arm.published_spread.as_ref())?,
        ];
        let tests = [("p_value", "p by pairs"), ("binomial_p_value", "p by a binomial test over games")];
        for (key, called) in tests.into_iter().filter(|_| arm.p_values) {
            let measured = Measured::alone(self.number(&arm.name, &found, &format!("/{key}"))?);
            lines.push(Line::new(&arm.name, called, "", measured, None, None));
        }
        if let Some(pairs) = &arm.cost {
            let found = self.result_of_match(&of_cost(&arm.name), &self.match_of([&player, &against], pairs)?, None)?;
            let value = self.number(&arm.name, &found, "/cpu_seconds_a_per_game")?;
            let measured = Measured { pairs: found.get("pairs").and_then(Value::as_u64), ..Measured::alone(value) };
            lines.push(Line::new(&arm.name, COST, "s", measured, None, None));
        }
        Ok(lines)
    }

    /// Runs a command, and takes figures from its result.
    fn measure(&self, measure: &Measure) -> Result<Vec<Line>, Failure> {
        let kept = place(&self.folder, KEPT, &measure.name, "").display().to_string();
        let words = self.words(&measure.command).into_iter().map(|word| word.replace(&format!("{{{KEPT}}}"), &kept));
        let found = self.result(&measure.name, words.collect())?;
        let line = |figure: &Figure| {
            let number = |at: &str| self.number(&measure.name, &found, at).map(|value| figure.scale * value);
            let minus = figure.minus.as_ref().map_or(Ok(0.0), |at| number(at))?;
            let value = number(&figure.at)? - minus;
            let interval = match (&figure.interval, &figure.standard_error) {
                (Some([low, high]), _) => Some([number(low)? - minus, number(high)? - minus]),
                (None, Some(at)) => {
                    let half = NORMAL_95 * number(at)?;
                    Some([value - half, value + half])
                }
                (None, None) => None,
            };
            let measured = Measured { interval, ..Measured::alone(value) };
            Ok(Line::new(&measure.name, &figure.name, &figure.unit, measured, figure.published.as_ref(), None))
        };
        measure.each_figure().map(|figure| line(&figure)).collect()
    }

    fn number(&self, part: &str, found: &Value, at: &str) -> Result<f64, Failure> {
        let number = value_at(found, at).and_then(Value::as_f64).filter(|value| value.is_finite());
        number.ok_or_else(|| Failure::input(format!("study {}, {part}: the result has no number at {at}", self.study.name)))
    }

    /// A match on the deals of the study.
    fn match_of(&self, players: [&str; 2], pairs: &str) -> Result<MatchRequest, Failure> {
        let plan = &self.study.plan;
        let CommonFlags { game, threads, .. } = self.request.process.clone();
        let lexicon = Some(plan.lexicon.clone()).filter(|lexicon| !lexicon.is_empty());
        let game = GameFlags { lexicon, tileset: Some(plan.tileset.clone()), ..game };
        let common = CommonFlags { game, seed: Some(plan.seed), threads };
        let [a, b] = players.map(|name| name.parse::<MatchPlayer>().input());
        let pairs = self.filled(pairs);
        let pairs = pairs.parse().map_err(|_| Failure::input(format!("pairs = {pairs:?} is no number")))?;
        let spec = MatchSpec { seed: Some(plan.seed), ..MatchSpec::of_two([a?, b?], pairs) };
        Ok(MatchRequest::new(PlayFlags { common, ..PlayFlags::default() }, spec))
    }

    /// Plays a match, and returns its result as JSON.
    fn result_of_match(&self, part: &str, request: &MatchRequest, out: Option<&Path>) -> Result<Value, Failure> {
        let file = self.make_way("results", part, ".json")?;
        let json = NewFile::new(Some(&file))?;
        let players = request.spec.players.iter().map(ToString::to_string);
        let words: Vec<String> = ["match".into(), "--players".into()].into_iter().chain(players).collect();
        self.call(part, &words, Context { out, json, ..*self.context }, |context| matches::run(request, context))?;
        Ok(serde_json::from_slice(&input_file::read_up_to(&file, limits::JSON)?)?)
    }

    /// Runs a verb on the game, and returns its result as JSON.
    fn result(&self, part: &str, mut words: Vec<String>) -> Result<Value, Failure> {
        let file = self.make_way("results", part, ".json")?;
        words.extend(self.shared());
        words.extend(["--json".into(), file.display().to_string()]);
        let context = Context { out: None, ..*self.context };
        self.call(part, &words, context, |context| (context.run_words)(&words, context))?;
        Ok(serde_json::from_slice(&input_file::read_up_to(&file, limits::JSON)?)?)
    }

    /// The folder of the study, held open.
    fn held(&self) -> Result<&Folder, Failure> {
        if let Some(held) = self.held.get() {
            return Ok(held);
        }
        let held = self.context.hold(&self.folder)?;
        Ok(self.held.get_or_init(|| held))
    }

    /// Removes an earlier file of the run, and makes its folder. Returns its place.
    fn make_way(&self, folder: &str, name: &str, ending: &str) -> Result<PathBuf, Failure> {
        self.held()?.make_folder(folder)?.remove(&format!("{}{ending}", file_name(name)))?;
        Ok(place(&self.folder, folder, name, ending))
    }

    /// The flags of every verb of the study.
    fn shared(&self) -> Vec<String> {
        let (plan, process) = (&self.study.plan, &self.request.process);
        let mut shared = vec!["--tileset".into(), plan.tileset.clone()];
        if !plan.lexicon.is_empty() {
            shared.extend(["--lexicon".into(), plan.lexicon.clone()]);
        }
        shared.extend(process.threads.iter().flat_map(|threads| ["--threads".into(), threads.to_string()]));
        shared.extend(process.game.quiet.then(|| "--quiet".into()));
        shared
    }

    /// Does a part of the study for its files and its progress alone.
    fn call(
        &self,
        part: &str,
        words: &[String],
        context: Context<'_>,
        work: impl FnOnce(&Context<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let place = format!("study {}, {part}", self.study.name);
        if interrupts::is_stopped() {
            return Err(Failure::Interrupted(format!("{place}: not begun; rerun the command to resume")));
        }
        let shown = words.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" ");
        if !self.request.process.game.quiet {
            status!("tilewright {shown}");
        }
        let part = format!("{}/{part}", self.study.name);
        let programs = match context.programs {
            Programs::Named => Programs::OfStudy(&place),
            programs => programs,
        };
        let within = Some(self.held()?);
        let (done, _) = captured(|| work(&Context { part: &part, programs, within, ..context }));
        done.map_err(|failure| failure.within(&place))
    }

    /// A text with the values of the study.
    fn filled(&self, text: &str) -> String {
        self.values.iter().fold(text.into(), |text: String, (name, value)| text.replace(&format!("{{{name}}}"), value))
    }

    /// The words of a command, with the values of the study.
    fn words(&self, command: &str) -> Vec<String> {
        command.split_whitespace().map(|word| self.filled(word)).collect()
    }
}

/// The value at a place in JSON. A step `name=text` is the element of a list that has this text under this name.
fn value_at<'v>(found: &'v Value, at: &str) -> Option<&'v Value> {
    at.strip_prefix('/')?.split('/').try_fold(found, |here, step| match (here, step.split_once('=')) {
        (Value::Array(elements), Some((name, text))) => {
            elements.iter().find(|element| element.get(name).and_then(Value::as_str) == Some(text))
        }
        (Value::Array(elements), None) => elements.get(step.parse::<usize>().ok()?),
        _ => here.get(step),
    })
}

/// The place of a part of a run.
fn place(run: &Path, folder: &str, name: &str, ending: &str) -> PathBuf {
    run.join(folder).join(format!("{}{ending}", file_name(name)))
}
