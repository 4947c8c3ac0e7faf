//! `experiment run`: makes what a study needs, plays its matches, and reports.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tilewright_engine::artefact::{stated_code_version, write_atomically};
use tilewright_engine::hash::sha256;
use tilewright_engine::monitor::NoMonitor;
use tilewright_train::journal::{Journal, RunKey};

use super::flags::ExperimentRunArguments;
use super::study::{Arm, Artefact, Figure, Measure, Study, file_name, studies};
use super::summary::{Line, Results, Size, Summary};
use super::verdict::Measured;
use crate::failure::Failure;
use crate::output::{self, say};
use crate::run_config;

/// Runs a command of the program, given as its words.
pub type Command<'a> = &'a dyn Fn(Vec<String>) -> Result<(), Failure>;

/// The summary in the folder of a run.
pub const SUMMARY: &str = "summary.json";

/// `experiment run`.
///
/// # Errors
/// [`Failure`]. All studies are read before the first one runs.
pub fn run(arguments: &ExperimentRunArguments, command: Command<'_>) -> Result<(), Failure> {
    let json = arguments.json.file()?;
    let named: Result<Vec<Study>, Failure> = if arguments.all {
        studies().map(Study::embedded).collect()
    } else {
        arguments.names.iter().map(|name| Study::find(name)).collect()
    };
    let size = if arguments.quick { Size::Quick } else { Size::Full };
    let mut results = Results { studies: Vec::new() };
    for study in &named? {
        results.studies.push(StudyRun::new(study, size, arguments, command).run()?);
    }
    output::show(&results, json)
}

/// A run of a study.
struct StudyRun<'a> {
    study: &'a Study,
    size: Size,
    folder: PathBuf,
    key: RunKey,
    /// Flags that every command has.
    shared: Vec<String>,
    /// What stands for `{name}` in commands.
    values: BTreeMap<String, String>,
    quiet: bool,
    command: Command<'a>,
}

impl<'a> StudyRun<'a> {
    fn new(study: &'a Study, size: Size, arguments: &ExperimentRunArguments, command: Command<'a>) -> StudyRun<'a> {
        let key = RunKey::new(study.text.clone()).with_input("size", size.to_string());
        let name = format!("experiment-{}-{size}", study.name);
        let folder = match &arguments.out {
            Some(out) => out.join(format!("{}-{size}", study.name)),
            None => run_config::out_folder(None, &name, &key),
        };
        let plan = &study.plan;
        let mut shared = vec!["--tileset".into(), plan.tileset.clone()];
        if !plan.lexicon.is_empty() {
            shared.extend(["--lexicon".into(), plan.lexicon.clone()]);
        }
        shared.extend(arguments.threads.iter().flat_map(|threads| ["--threads".into(), threads.to_string()]));
        shared.extend(arguments.quiet.then(|| "--quiet".into()));
        let sizes = if size == Size::Quick { &plan.quick } else { &plan.full };
        let mut values: BTreeMap<String, String> =
            sizes.iter().map(|(key, value)| (key.clone(), value.to_string())).collect();
        let place = |artefact: &Artefact| (artefact.name.clone(), place(&folder, "artefacts", &artefact.name, ""));
        values.extend(plan.artefacts.iter().map(place).map(|(name, path)| (name, path.display().to_string())));
        StudyRun { study, size, folder, key, shared, values, quiet: arguments.quiet, command }
    }

    /// Runs the study, and writes its summary.
    fn run(&self) -> Result<Summary, Failure> {
        let Study { name, plan, text } = self.study;
        let _locked = Journal::open(&self.folder, &self.key, &NoMonitor)?;
        say!("{name}, {} size: {}", self.size, plan.question);
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
            size: self.size,
            version: stated_code_version(),
            config: sha256(text.as_bytes()),
            lines,
            checksum: String::new(),
        }
        .sealed();
        let json = serde_json::to_string_pretty(&summary)? + "\n";
        write_atomically(&self.folder.join(SUMMARY), json.as_bytes())?;
        write_atomically(&self.folder.join("summary.md"), summary.page().as_bytes())?;
        Ok(summary)
    }

    /// Makes an artefact. A finished one is checked by its checksums when it is loaded.
    fn make(&self, artefact: &Artefact) -> Result<(), Failure> {
        let folder = place(&self.folder, "artefacts", &artefact.name, "");
        if folder.join("manifest.json").is_file() {
            return Ok(());
        }
        let mut command = self.words(&artefact.command);
        command.extend(self.shared.iter().cloned());
        command.extend(["--out".into(), folder.display().to_string()]);
        self.call(command)
    }

    /// Plays a match, or goes on with it.
    fn play(&self, arm: &Arm) -> Result<Vec<Line>, Failure> {
        let plan = &self.study.plan;
        let against = arm.against.as_ref().or(plan.baseline.as_ref()).cloned().unwrap_or_default();
        let [player, against, pairs] = [&arm.player, &against, &arm.pairs].map(|text| self.filled(text));
        let seed = plan.seed.to_string();
        let mut command: Vec<String> =
            ["match", "--player-a", &player, "--player-b", &against, "--pairs", &pairs, "--seed", &seed]
                .map(String::from)
                .into();
        command.extend(self.shared.iter().cloned());
        let of_arm = |folder, ending| place(&self.folder, folder, &arm.name, ending);
        // The figures are taken from the pairs that the match keeps and checks, never from an earlier file.
        let (pairs, folder) = (of_arm("pairs", ".parquet"), of_arm("matches", ""));
        make_way(&pairs)?;
        command.extend(["--pairs-out".into(), pairs.display().to_string(), "--out".into(), folder.display().to_string()]);
        let found = self.result(&arm.name, command)?;
        let number = |key: &str| found.get(key).and_then(Value::as_f64).unwrap_or(f64::NAN);
        let line = |figure: &str, called: &str, unit: &str, scale: f64, none: f64| {
            let ends = ["low", "high"].map(|end| scale * number(&format!("{figure}_{end}")));
            let measured = Measured { value: scale * number(figure), interval: Some(ends) };
            let published = arm.published.iter().find(|published| published.figure == figure);
            let line = Line::new(&arm.name, called, unit, measured, published, Some(none));
            Line { pairs: found.get("pairs").and_then(Value::as_u64), ..line }
        };
        Ok(vec![line("win_rate", "win rate", "%", 100.0, 50.0), line("spread", "spread", "points", 1.0, 0.0)])
    }

    /// Runs a command, and takes figures from its result.
    fn measure(&self, measure: &Measure) -> Result<Vec<Line>, Failure> {
        let found = self.result(&measure.name, self.words(&measure.command))?;
        let line = |figure: &Figure| {
            let number = |at: &str| {
                found.pointer(at).and_then(Value::as_f64).map(|value| figure.scale * value).ok_or_else(|| {
                    Failure::input(format!("study {}: {} has no number at {at}", self.study.name, measure.name))
                })
            };
            let interval = figure.interval.as_ref().map(|[low, high]| Ok::<_, Failure>([number(low)?, number(high)?]));
            let measured = Measured { value: number(&figure.at)?, interval: interval.transpose()? };
            Ok(Line::new(&measure.name, &figure.name, &figure.unit, measured, figure.published.as_ref(), None))
        };
        measure.figures.iter().map(line).collect()
    }

    /// Runs a command, and returns its result as JSON.
    fn result(&self, name: &str, mut command: Vec<String>) -> Result<Value, Failure> {
        let file = place(&self.folder, "results", name, ".json");
        make_way(&file)?;
        command.extend(["--json".into(), file.display().to_string()]);
        self.call(command)?;
        Ok(serde_json::from_slice(&std::fs::read(&file)?)?)
    }

    fn call(&self, command: Vec<String>) -> Result<(), Failure> {
        if !self.quiet {
            eprintln!("tilewright {}", command.join(" "));
        }
        (self.command)(command)
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

/// The place of a part of a run.
fn place(run: &Path, folder: &str, name: &str, ending: &str) -> PathBuf {
    run.join(folder).join(format!("{}{ending}", file_name(name)))
}

/// Removes an earlier file of the run, and makes its folder.
fn make_way(file: &Path) -> Result<(), Failure> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}
