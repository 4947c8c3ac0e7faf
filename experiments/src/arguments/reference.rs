//! The help of the program (verbs by purpose, and examples of each verb) and files about the command line itself: completion scripts, manual
//! pages, and the reference of the book: commands, config keys and features as Markdown, from the texts of the program.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use clap::builder::Resettable;
use clap::{Arg, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use tilewright_configs::all;
use tilewright_engine::features::Feature;
use tilewright_engine::folder::Folder;

use super::schemas;
use crate::{Failure, Input, configs, features, say};

/// The files of the reference with their texts, for a program with these commands.
pub fn files(program: &Command) -> [(&'static str, String); 6] {
    let schemas = schemas::schemas();
    [
        ("commands.md", commands(program)),
        ("configs.md", config_keys()),
        ("features.md", catalogue()),
        ("json.md", schemas::page(MADE, &schemas)),
        ("schemas.json", schemas::document(&schemas)),
        ("exit-codes.md", exit_codes()),
    ]
}

const MADE: &str = "The program writes this page: `tilewright man docs/reference --book`.";

fn commands(program: &Command) -> String {
    let mut text = format!(
        "# Commands\n\n{MADE} `tilewright VERB --help` prints the same, with the possible values of each argument.\n\n## Shared flags\n"
    );
    let mut shared = Vec::new();
    find_shared(program, &mut shared);
    add_arguments(&mut text, &shared);
    for verb in program.get_subcommands() {
        add_command(&mut text, verb, "tilewright");
    }
    text
}

/// Adds a command and the commands below it.
fn add_command(text: &mut String, command: &Command, above: &str) {
    let name = format!("{above} {}", command.get_name());
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    text.push_str(&format!("\n## {name}\n\n{about}.\n"));
    let shown = |argument: &&Arg| !argument.is_hide_set() && !["help", "version"].contains(&argument.get_id().as_str());
    let arguments: Vec<&Arg> = command.get_arguments().filter(shown).collect();
    let (shared, own): (Vec<&Arg>, Vec<&Arg>) = arguments.into_iter().partition(|argument| is_shared(argument));
    if !command.is_subcommand_required_set() {
        add_arguments(text, &own);
        let shared: Vec<String> = shared.into_iter().map(|flag| format!("`{}`", spelled(flag))).collect();
        if !shared.is_empty() {
            let _ = write!(text, "\nShared flags: {}.\n", shared.join(", "));
        }
    }
    for (purpose, example) in examples(name.trim_start_matches("tilewright ")) {
        let _ = write!(text, "\n{purpose}:\n\n```sh\ntilewright {example}\n```\n");
    }
    for below in command.get_subcommands() {
        add_command(text, below, &name);
    }
}

/// Finds one of each of the shared flags.
fn find_shared<'a>(command: &'a Command, found: &mut Vec<&'a Arg>) {
    for flag in command.get_arguments().filter(|flag| is_shared(flag)) {
        if !found.iter().any(|other| other.get_id() == flag.get_id()) {
            found.push(flag);
        }
    }
    command.get_subcommands().for_each(|below| find_shared(below, found));
}

/// Adds a table of arguments.
fn add_arguments(text: &mut String, arguments: &[&Arg]) {
    if !arguments.is_empty() {
        text.push_str("\n| argument | meaning | default |\n| --- | --- | --- |\n");
    }
    for argument in arguments {
        let (meaning, default) = meaning(argument);
        let _ = writeln!(text, "| `{}` | {} | {} |", spelled(argument).replace('|', "\\|"), cell(&meaning), cell(&default));
    }
}

/// An argument as a user types it.
fn spelled(argument: &Arg) -> String {
    let values = argument.get_value_names().unwrap_or_default().iter();
    let values: Vec<String> = values.map(ToString::to_string).collect();
    let takes = argument.get_action().takes_values();
    match (argument.get_long(), takes) {
        (Some(long), true) => format!("--{long} {}", values.join(" ")),
        (Some(long), false) => format!("--{long}"),
        (None, _) => values.join(" "),
    }
}

/// The meaning of an argument and its default, which a help text states in brackets at its end.
fn meaning(argument: &Arg) -> (String, String) {
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default().replace('\n', " ");
    let named: Vec<String> = argument.get_default_values().iter().map(|value| value.to_string_lossy().into()).collect();
    match help.split_once(" [default: ") {
        Some((meaning, rest)) => (meaning.into(), rest.trim_end_matches(']').into()),
        None if argument.is_required_set() => (help, "required".into()),
        None => (help, if argument.get_action().takes_values() { named.join(" ") } else { String::new() }),
    }
}

/// A text that stays within its cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}

fn config_keys() -> String {
    let mut text = format!(
        "# Config keys\n\n{MADE} `tilewright config show NAME` prints a config with the meaning of each key. \
         `tilewright config list` prints the names.\n"
    );
    let mut seen = BTreeSet::new();
    let folders = all().map(|config| config.folder).filter(|folder| !folder.contains('/') && seen.insert(*folder));
    for folder in folders {
        let names: Vec<String> =
            all().filter(|config| config.folder == folder).map(|config| format!("`{folder}/{}`", config.name)).collect();
        let _ = write!(text, "\n## {folder}\n\n{}\n\n| key | meaning |\n| --- | --- |\n", names.join(", "));
        for (key, meaning) in configs::keys(folder) {
            let _ = writeln!(text, "| `{key}` | {} |", cell(&meaning));
        }
    }
    text
}

fn exit_codes() -> String {
    let mut text = format!("# Exit codes\n\n{MADE}\n\n| code | meaning |\n| --- | --- |\n");
    for (code, meaning) in EXIT_STATUS {
        let _ = writeln!(text, "| {code} | {meaning} |");
    }
    text + "\nWith 1 or 2, standard error has the reason, unless the reader of standard output has gone away (`| head`). With 130, rerun \
            the command of a run to resume it. `lexicon check` ends with 1 if a word is not valid.\n"
}

fn catalogue() -> String {
    let mut text = format!(
        "# Features\n\n{MADE} `tilewright features NAME` prints the rows of a name, with the measured cost.\n\n\
         | feature | part of the turn | unit | meaning | source |\n| --- | --- | --- | --- | --- |\n"
    );
    for &feature in Feature::all() {
        let about = feature.about();
        let [meaning, source] = [about.meaning, about.source].map(cell);
        let _ = writeln!(text, "| `{}` | {} | {} | {meaning} | {source} |", about.name, features::part(feature), about.unit);
    }
    text
}

/// Prints the completion script of a shell.
pub fn completions(shell: Shell, mut command: Command) {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, NAME, &mut script);
    say!("{}", String::from_utf8_lossy(&script).trim_end());
}

/// Writes a manual page for each command.
pub fn pages(path: &Path, command: Command) -> Result<(), Failure> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    write_pages(&Folder::open(path).input()?, &command)?;
    say!("The pages are in {}. Try: man {}", path.display(), path.join(format!("{NAME}.1")).display());
    Ok(())
}

/// The sections of a manual page on examples and on the exit status.
fn more_sections(command: &Command) -> String {
    let verb = command.get_bin_name().unwrap_or_default().trim_start_matches(NAME).trim_start();
    let plain = |text: &str| text.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq").replace('~', "\\(ti");
    let mut text = String::new();
    let examples = examples(verb);
    if !examples.is_empty() {
        text += ".SH EXAMPLES\n";
    }
    for (purpose, example) in examples {
        text += &format!(".TP\n{purpose}:\n{NAME} {}\n", plain(&example));
    }
    text += ".SH \"EXIT STATUS\"\n";
    for (code, meaning) in EXIT_STATUS {
        text += &format!(".TP\n{code}\n{meaning}\n");
    }
    text
}

/// Writes the reference of the book.
pub fn reference(path: &Path, program: &Command) -> Result<(), Failure> {
    let folder = Folder::open(path).input()?;
    for (name, text) in files(program) {
        folder.write(name, text.as_bytes())?;
    }
    say!("The reference is in {}.", path.display());
    Ok(())
}

/// Writes the page of a command, and the pages of the commands below it.
fn write_pages(folder: &Folder, command: &Command) -> Result<(), Failure> {
    command.get_subcommands().filter(|below| !below.is_hide_set()).try_for_each(|below| write_pages(folder, below))?;
    let (page, mut text) = (Man::new(command.clone().after_help(Resettable::Reset)), Vec::new());
    page.render(&mut text)?;
    text.extend(more_sections(command).bytes());
    Ok(folder.write(&page.get_filename(), &text)?)
}

pub const NAME: &str = "tilewright";

/// The examples of each verb: commands by purpose.
const EXAMPLES: &str = include_str!("examples.toml");

/// The verbs by purpose, in the order of the help.
pub const GROUPS: [(&str, &str); 6] = [
    ("Play and analyse", "moves simulate solve infer game serve"),
    ("Train", "leaves win-percentage linear network evolve td"),
    ("Compare", "match experiment"),
    ("Data and pages", "selfplay analyse export report"),
    ("Scale out", "work"),
    ("Setup", "lexicon config features bench completions man"),
];

/// Three commands to start with.
const FIRST: &str = "To start:
  tilewright leaves train                                 Train a leave table in a minute
  tilewright moves --rack AEINRST                         List the best moves of a rack
  tilewright match --player-a leave --player-b no-leaves  Compare two players";

/// The flags of many verbs, which their help shows last.
const SHARED: [&str; 11] = [
    "lexicon",
    "tileset",
    "accept_other_lexicon",
    "leaves",
    "win_percentage",
    "network",
    "no_word_map",
    "accept_other_build",
    "quiet",
    "threads",
    "json",
];

pub const EXIT_STATUS: [(&str, &str); 4] =
    [("0", "success"), ("1", "failure, also of standard output"), ("2", "wrong usage or input"), ("130", "interrupted")];

/// The help of all verbs, by purpose.
pub fn groups(verbs: &Command) -> String {
    let line = |name: &str| {
        let about = verbs.find_subcommand(name).and_then(Command::get_about).map(ToString::to_string).unwrap_or_default();
        format!("  {name:<14} {about}")
    };
    let group = |(title, names): &(&str, &str)| {
        let lines: Vec<String> = names.split(' ').map(line).collect();
        format!("{title}:\n{}\n\n", lines.join("\n"))
    };
    GROUPS.iter().map(group).collect::<String>() + FIRST
}

/// The examples of a verb, such as `leaves train`: purposes and commands.
pub fn examples(verb: &str) -> BTreeMap<String, String> {
    let all: BTreeMap<String, BTreeMap<String, String>> =
        toml::from_str(EXAMPLES).unwrap_or_else(|error| unreachable!("a test reads this text: {error}"));
    all.get(verb).cloned().unwrap_or_default()
}

/// Whether an argument is one of the flags of many verbs.
pub fn is_shared(argument: &Arg) -> bool {
    !argument.is_positional() && SHARED.contains(&argument.get_id().as_str())
}

/// Adds the examples to the help of a command and of each command below it. `verb` is empty for the program.
pub fn with_examples(command: Command, verb: &str) -> Command {
    let examples = examples(verb).into_iter().map(|(purpose, example)| format!("\n  {purpose}:\n    {NAME} {example}"));
    let examples: String = examples.collect();
    let command = command.mut_args(|flag| if is_shared(&flag) { flag.help_heading("Shared flags") } else { flag });
    let command = if examples.is_empty() { command } else { command.after_help(format!("Examples:{examples}")) };
    command.mut_subcommands(|below| {
        let verb = format!("{verb} {}", below.get_name());
        with_examples(below, verb.trim_start())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Arguments without a default: without them, the part of the work that they ask for is left out.
    const LEFT_OUT: &str = "json save html dictionary leave_out_enclitics noun_flag words cgp cgp_file gcg deals candidates keep budget cache leaves folder \
                            player_a player_b players config sequential fault_log pairs_out games_out listen last_move names run out more \
                            shard watch time candidate_players tileset";

    fn without_default(command: &Command, verb: &str, found: &mut Vec<String>) {
        for argument in command.get_arguments().filter(|one| one.get_action().takes_values() && !one.is_hide_set()) {
            let id = argument.get_id().as_str();
            if meaning(argument).1.is_empty() && !LEFT_OUT.split_whitespace().any(|known| known == id) {
                found.push(format!("{verb} {} ({id})", spelled(argument)));
            }
        }
        for below in command.get_subcommands() {
            without_default(below, &format!("{verb} {}", below.get_name()), found);
        }
    }

    #[test]
    fn every_argument_with_a_value_states_its_default() {
        let mut found = Vec::new();
        without_default(&super::super::program(), "tilewright", &mut found);
        assert!(found.is_empty(), "without a default, [default: …] or a place among LEFT_OUT:\n{}", found.join("\n"));
    }
}
