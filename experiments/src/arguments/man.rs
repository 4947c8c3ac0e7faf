//! Files about the command line itself: completion scripts, manual pages, and the reference of the book.

use std::path::Path;

use clap::Command;
use clap::builder::Resettable;
use clap_complete::Shell;
use clap_mangen::Man;
use tilewright_engine::folder::Folder;

use super::help::{self, NAME};
use super::reference;
use crate::{Failure, Input, say};

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
    let examples = help::examples(verb);
    if !examples.is_empty() {
        text += ".SH EXAMPLES\n";
    }
    for (purpose, example) in examples {
        text += &format!(".TP\n{purpose}:\n{NAME} {}\n", plain(&example));
    }
    text += ".SH \"EXIT STATUS\"\n";
    for (code, meaning) in help::EXIT_STATUS {
        text += &format!(".TP\n{code}\n{meaning}\n");
    }
    text
}

/// Writes the reference of the book.
pub fn reference(path: &Path, program: &Command) -> Result<(), Failure> {
    let folder = Folder::open(path).input()?;
    for (name, text) in reference::files(program) {
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
