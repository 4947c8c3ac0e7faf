//! The help of the program: verbs by purpose, and examples of each verb.

use std::collections::BTreeMap;

use clap::{Arg, Command};

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

/// Adds its examples to the help of each verb.
pub fn with_examples(program: Command) -> Command {
    program.mut_subcommands(|verb| {
        let name = verb.get_name().to_string();
        with_examples_of(verb, &name)
    })
}

/// Whether an argument is one of the flags of many verbs.
pub fn is_shared(argument: &Arg) -> bool {
    !argument.is_positional() && SHARED.contains(&argument.get_id().as_str())
}

fn with_examples_of(command: Command, verb: &str) -> Command {
    let examples = examples(verb).into_iter().map(|(purpose, example)| format!("\n  {purpose}:\n    {NAME} {example}"));
    let examples: String = examples.collect();
    let command = command.mut_args(|flag| if is_shared(&flag) { flag.help_heading("Shared flags") } else { flag });
    let command = if examples.is_empty() { command } else { command.after_help(format!("Examples:{examples}")) };
    command.mut_subcommands(|below| {
        let verb = format!("{verb} {}", below.get_name());
        with_examples_of(below, &verb)
    })
}
