//! The verbs of the command line.

use std::ffi::OsString;
use std::iter::successors;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use tilewright_engine::artefact::state_code_version;

use crate::experiment::StudyRequest;
use crate::experiment::flags::ExperimentVerb;
use crate::flags::names_output;
use crate::leaves::flags::LeavesVerb;
use crate::linear::LinearVerb;
use crate::matches::request::MatchRequest;
use crate::network::flags::NetworkVerb;
use crate::requests::Request;
use crate::runs::{self, Context};
use crate::win_percentage::flags::WinPercentageVerb;
use crate::{
    Failure, Memos, NewFile, analyse, bench, configs, evolve, experiment, export, features, games, leaves, lexicon, linear,
    matches, network, output, pages, positions, selfplay, serve, td, win_percentage, work,
};

mod schemas;
mod reference;

use reference::NAME;

/// The version of the program, and the commit from which it was built.
const VERSION: &str = env!("TILEWRIGHT_VERSION");

/// Trains and tests learned evaluators for crossword board games.
#[derive(Debug, Parser)]
#[command(name = "tilewright", version = VERSION, about, max_term_width = 110)]
#[command(help_template = "{about}\n\n{usage-heading} {usage}{after-help}\n\nOptions:\n{options}", after_help = reference::groups(&Verb::augment_subcommands(Command::new(NAME))))]
pub struct Arguments {
    #[command(subcommand)]
    pub verb: Verb,
    /// The words of the verb, joined: `leaves-show`.
    #[arg(skip)]
    name: String,
}

#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Word lists and word graphs
    #[command(subcommand)]
    Lexicon(lexicon::flags::LexiconVerb),
    /// List the best moves of a position for any player
    Moves(positions::flags::MovesArguments),
    /// Solve the endgame or the pre-endgame of a position
    Solve(positions::flags::SolveArguments),
    /// Recorded games: replay them, find the mistakes
    #[command(subcommand)]
    Game(games::files::GameVerb),
    /// Play games and record every turn as Parquet
    Selfplay(selfplay::SelfplayArguments),
    /// Tables of bingos, scores, words and squares from records
    Analyse(analyse::AnalyseArguments),
    /// Leave tables: train, inspect, compare, export
    #[command(subcommand)]
    Leaves(leaves::flags::LeavesVerb),
    /// Win tables, by lead and tiles left: train, score, inspect, export
    #[command(subcommand)]
    WinPercentage(win_percentage::flags::WinPercentageVerb),
    /// Linear evaluators: fit feature weights to simulated gains
    #[command(subcommand)]
    Linear(linear::LinearVerb),
    /// Networks: train on simulated gains
    #[command(subcommand)]
    Network(network::flags::NetworkVerb),
    /// Evolve weights of features or of a network in matches (CMA-ES)
    Evolve(evolve::EvolveArguments),
    /// Learn leave values, feature weights or a network by TD learning
    Td(td::TdArguments),
    /// Play a paired match between two players, or a round robin
    Match(Box<matches::request::MatchArguments>),
    /// Serve a player to other programs over standard streams or TCP
    Serve(serve::ServeArguments),
    /// Find the best moves of a position by simulation
    Simulate(positions::flags::SimulateArguments),
    /// Infer the opponent's likely leaves from its last move
    Infer(positions::flags::InferArguments),
    /// Configs in the program: list them, print one with its keys
    #[command(subcommand)]
    Config(configs::ConfigVerb),
    /// The catalogue of features: meaning, unit, cost and source
    Features(features::FeaturesArguments),
    /// Studies to repeat: published figures next to measured ones
    #[command(subcommand)]
    Experiment(experiment::flags::ExperimentVerb),
    /// Write the page of a run, of several runs compared, or of all runs in a folder
    Report(pages::ReportArguments),
    /// Write the tables of a run as a dataset with a schema
    Export(export::dataset::ExportArguments),
    /// Share a run among machines: plan, work, merge, status, queue
    #[command(subcommand)]
    Work(work::flags::WorkVerb),
    /// Print a completion script for a shell
    Completions {
        /// Shell for which to print a completion script: tilewright completions bash > ~/.local/share/bash-completion/completions/tilewright
        shell: Shell,
    },
    /// Write manual pages, one per verb
    Man {
        /// Existing folder for the pages, one per verb, such as ~/.local/share/man/man1. Pages of these names are replaced
        folder: PathBuf,
        /// Write the reference of the book instead: commands, config keys, features, JSON and exit codes as Markdown, and the
        /// JSON Schemas
        #[arg(long)]
        book: bool,
    },
    /// Measure speed, and the cost of features, endgames and pre-endgames
    Bench(bench::measuring::BenchArguments),
}

/// The command line of the program, with examples.
pub fn program() -> Command {
    reference::with_examples(Arguments::command(), "")
}

/// Parses the words of a command. The first is the name of the program.
pub fn parse<W: Into<OsString> + Clone>(words: impl IntoIterator<Item = W>) -> Result<Arguments, clap::Error> {
    let matches = program().try_get_matches_from(words)?;
    let verbs = successors(matches.subcommand(), |(_, matches)| matches.subcommand());
    let name = verbs.map(|(name, _)| name).collect::<Vec<_>>().join("-");
    let arguments = Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut program()))?;
    Ok(Arguments { name, ..arguments })
}

/// Runs the verb and returns its exit code.
pub fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    state_code_version(VERSION);
    run_arguments(arguments, &Context::new(&Memos::default(), run_words))
}

fn run_arguments(Arguments { verb, name }: Arguments, context: &Context<'_>) -> Result<ExitCode, Failure> {
    output::of_verb(&name, || run_verb(verb, context))
}

/// Runs a verb. A run goes on as the context allows it.
fn run_verb(verb: Verb, context: &Context<'_>) -> Result<ExitCode, Failure> {
    match verb {
        Verb::Lexicon(verb) => return lexicon::run(&verb),
        Verb::Moves(arguments) => positions::moves::run(&arguments),
        Verb::Solve(arguments) => positions::solve::run(&arguments),
        Verb::Game(verb) => games::run(&verb),
        Verb::Selfplay(arguments) => runs::run(arguments.clone().request()?, &context.with(&arguments.run)?),
        Verb::Analyse(arguments) => analyse::run(&arguments),
        Verb::Leaves(verb) => leaves::run(&verb, context),
        Verb::WinPercentage(verb) => win_percentage::run(&verb, context),
        Verb::Linear(LinearVerb::Fit(arguments)) => {
            runs::run(linear::request(&arguments)?, &context.with(&arguments.fit.run)?)
        }
        Verb::Network(verb) => network::run(&verb, context),
        Verb::Evolve(arguments) => runs::run(evolve::request(&arguments)?, &context.with(&arguments.run)?),
        Verb::Td(arguments) => runs::run(td::request(&arguments)?, &context.with(&arguments.run)?),
        Verb::Match(arguments) => {
            let json = NewFile::unchecked(arguments.json.as_deref());
            let context = context.with_files(arguments.out.as_deref(), json, arguments.build);
            matches::run(&MatchRequest::from_flags(&arguments)?, &context)
        }
        Verb::Serve(arguments) => serve::run(&arguments),
        Verb::Simulate(arguments) => positions::simulate::run(&arguments),
        Verb::Infer(arguments) => positions::infer(&arguments),
        Verb::Features(arguments) => features::run(&arguments),
        Verb::Config(verb) => configs::run(&verb),
        Verb::Experiment(verb) => experiment::run(&verb, context),
        Verb::Report(arguments) => pages::run(&arguments),
        Verb::Export(arguments) => export::run(&arguments),
        Verb::Work(verb) => work::run(&verb, run_words, &program(), request_to_share),
        Verb::Completions { shell } => {
            reference::completions(shell, program());
            Ok(())
        }
        Verb::Man { folder, book: false } => reference::pages(&folder, program()),
        Verb::Man { folder, book: true } => reference::reference(&folder, &program()),
        Verb::Bench(arguments) => bench::run(&arguments),
    }?;
    Ok(ExitCode::SUCCESS)
}

/// The arguments of these words, which do not begin with the name of the program.
fn arguments_of(words: &[String]) -> Result<Arguments, Failure> {
    let arguments = parse(["tilewright"].into_iter().chain(words.iter().map(String::as_str)));
    arguments.map_err(|error| Failure::input(error.to_string().trim_start_matches("error: ")))
}

fn run_words(words: &[String], context: &Context<'_>) -> Result<(), Failure> {
    match run_arguments(arguments_of(words)?, context)? {
        ExitCode::SUCCESS => Ok(()),
        _ => Err(Failure::Failed(anyhow::anyhow!("the command found a fault"))),
    }
}

/// The run of a verb that can be shared.
fn request_to_share(words: &[String]) -> Result<Request, Failure> {
    let is_own = |flag: &&str| *flag == "--threads" || names_output(flag);
    if let Some(own) = words.iter().filter_map(|word| word.split('=').next()).find(is_own) {
        return Err(Failure::input(format!("{own} is a flag that the job sets itself or does without; leave it out")));
    }
    Ok(match arguments_of(words)?.verb {
        Verb::Leaves(LeavesVerb::Train(arguments)) => Request::Leaves(leaves::request(&arguments)?),
        Verb::WinPercentage(WinPercentageVerb::Train(arguments)) => {
            Request::WinPercentage(win_percentage::request(&arguments)?)
        }
        Verb::Linear(LinearVerb::Fit(arguments)) => Request::Linear(linear::request(&arguments)?),
        Verb::Network(NetworkVerb::Train(arguments)) => Request::Network(network::request(&arguments)?),
        Verb::Evolve(arguments) => Request::Evolve(evolve::request(&arguments)?),
        Verb::Td(arguments) => Request::Td(td::request(&arguments)?),
        Verb::Selfplay(arguments) => Request::Selfplay(Box::new(arguments.request()?)),
        Verb::Match(arguments) => Request::Match(Box::new(MatchRequest::from_flags(&arguments)?)),
        Verb::Experiment(ExperimentVerb::Run(arguments)) => Request::Study(StudyRequest::new(&arguments)?),
        _ => return Err(Failure::input(format!("{} ends in no run", words.join(" ")))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::study;

    /// The verbs without `--json`.
    const WITHOUT_JSON: [&str; 3] = [
        // It answers other programs, in JSON lines.
        "serve",
        // What they print is a script, or the place of the pages, and no result.
        "completions",
        "man",
    ];

    /// Verbs that do something of their own although they have verbs below them.
    const BOTH: [&str; 2] = ["match", "bench"];

    fn check(command: &Command, path: &str) -> usize {
        let mut checked = 0;
        for verb in command.get_subcommands() {
            let path = format!("{path}{}", verb.get_name());
            if !verb.has_subcommands() || BOTH.contains(&path.as_str()) {
                let has_json = verb.get_arguments().any(|argument| argument.get_long() == Some("json"));
                assert!(has_json != WITHOUT_JSON.contains(&path.as_str()), "{path}: --json {has_json}");
                checked += 1;
            }
            checked += check(verb, &format!("{path} "));
        }
        checked
    }

    /// The verbs with `--json`, among the verbs below a command.
    fn with_json(command: &Command, above: &str) -> Vec<String> {
        let of = |verb: &Command| {
            let name = format!("{above}{}", verb.get_name());
            let has_json = verb.get_arguments().any(|argument| argument.get_long() == Some("json"));
            let below = with_json(verb, &format!("{name} "));
            has_json.then_some(name).into_iter().chain(below).collect::<Vec<_>>()
        };
        command.get_subcommands().flat_map(of).collect()
    }

    #[test]
    fn every_verb_with_json_has_one_schema_and_every_key_a_meaning() {
        let schemas = schemas::schemas();
        let mut verbs: Vec<&str> = schemas.iter().map(|(verb, _)| *verb).collect();
        verbs.sort_unstable();
        let mut expected = with_json(&program(), "");
        expected.push(schemas::ROUND_ROBIN.into());
        expected.sort_unstable();
        assert_eq!(verbs, expected);
        let page = schemas::page("", &schemas);
        let bare: Vec<&str> = page.lines().filter(|line| line.ends_with("|  |") || line.contains("](")).collect();
        assert!(bare.len() == 1 && bare[0].contains("[schemas.json](schemas.json)"), "{bare:#?}");
    }

    #[test]
    fn every_verb_that_prints_a_result_has_json() {
        let command = program();
        assert!(check(&command, "") > 35);
        let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        assert!(WITHOUT_JSON.iter().all(|name| names.contains(name)), "{names:?}");
    }

    #[test]
    fn every_verb_is_in_one_group() {
        let mut grouped: Vec<&str> = reference::GROUPS.iter().flat_map(|(_, names)| names.split(' ')).collect();
        grouped.sort_unstable();
        let command = program();
        let mut verbs: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        verbs.sort_unstable();
        assert_eq!(grouped, verbs);
    }

    /// Checks the examples of a command and of the commands below it; returns their number.
    fn check_examples(command: &Command, verb: &str) -> usize {
        let examples = reference::examples(verb);
        assert!(!examples.is_empty() || command.is_subcommand_required_set(), "{verb} has no example");
        for example in examples.values() {
            let words = words(example);
            let words = words.iter().map(String::as_str).take_while(|&word| word != ">");
            assert!(example.starts_with(verb), "{verb}: {example}");
            if let Err(error) = parse([NAME].into_iter().chain(words)) {
                panic!("{example}\n{error}");
            }
        }
        let below = command.get_subcommands();
        examples.len() + below.map(|below| check_examples(below, &format!("{verb} {}", below.get_name()))).sum::<usize>()
    }

    #[test]
    fn every_verb_has_an_example() {
        let checked: usize = program().get_subcommands().map(|verb| check_examples(verb, verb.get_name())).sum();
        assert!(checked > 50, "{checked}");
    }

    #[test]
    fn the_reference_of_the_book_is_that_of_this_program() {
        for (name, text) in reference::files(&program()) {
            let stored =
                std::fs::read_to_string(format!("{}/../docs/reference/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
            assert!(stored == text, "{name}: run tilewright man docs/reference --book");
        }
    }

    /// The arguments of a verb, and of those below it, that name a file or a folder, and nothing that is only read.
    fn outputs(command: &Command) -> Vec<&clap::Arg> {
        let is_place = |name: &clap::builder::Str| ["FILE", "DIR"].contains(&name.as_str());
        let is_read =
            |argument: &clap::Arg| ["config", "cgp-file", "gcg"].contains(&argument.get_long().unwrap_or("config"));
        let own = command
            .get_arguments()
            .filter(|argument| argument.get_value_names().is_some_and(|names| names.iter().any(is_place)));
        own.filter(|argument| !is_read(argument)).chain(command.get_subcommands().flat_map(outputs)).collect()
    }

    #[test]
    fn the_flags_with_which_commands_of_studies_and_jobs_write_are_known() {
        let program = program();
        let mut checked = 0;
        for verb in study::FITS.split(", ").chain(study::MEASURES.split(", ")) {
            let command = verb
                .split(' ')
                .fold(&program, |above, name| above.find_subcommand(name).unwrap_or_else(|| panic!("{verb}")));
            for argument in outputs(command) {
                let names = argument.get_all_aliases().unwrap_or_default().into_iter().chain(argument.get_long());
                for flag in names.map(|name| format!("--{name}")) {
                    assert!(names_output(&flag), "{verb} {flag}");
                }
                assert!(argument.get_short().is_none(), "{verb}");
                checked += 1;
            }
        }
        assert!(checked > 25, "{checked}");
    }

    /// The words of a command as a shell splits them, without its comment.
    fn words(command: &str) -> Vec<String> {
        let (mut words, mut quoted) = (vec![String::new()], false);
        for letter in command.chars() {
            match letter {
                '\'' => quoted = !quoted,
                '#' if !quoted && words.last().is_some_and(String::is_empty) => break,
                ' ' if !quoted => words.push(String::new()),
                _ => words.last_mut().unwrap().push(letter),
            }
        }
        words.retain(|word| !word.is_empty());
        words
    }

    /// The texts of README and of the pages of the book.
    fn pages() -> Vec<String> {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
        let pages = std::fs::read_dir(format!("{root}/docs")).unwrap().map(|entry| entry.unwrap().path());
        let pages = pages.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
        pages.chain([format!("{root}/README.md").into()]).map(|path| std::fs::read_to_string(path).unwrap()).collect()
    }

    #[test]
    fn the_commands_of_the_book_are_commands() {
        let mut checked = 0;
        for line in pages().iter().flat_map(|page| page.split("```").skip(1).step_by(2)).flat_map(str::lines) {
            let command = line.strip_prefix("$ ").unwrap_or(line);
            let Some(command) = command.strip_prefix("tilewright ").or(command.strip_prefix("cargo run --release -- "))
            else {
                continue;
            };
            let words = words(command);
            let words = words.iter().map(String::as_str).take_while(|&word| word != ">");
            if let Err(error) = parse(["tilewright"].into_iter().chain(words)) {
                panic!("{line}\n{error}");
            }
            checked += 1;
        }
        assert!(checked > 60, "{checked}");
    }
}
