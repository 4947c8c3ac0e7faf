//! `completions` and `man`: the command line for shells and for `man`, made from the flags themselves.

use std::path::Path;

use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use tilewright_engine::folder::Folder;

use crate::{Failure, Input, say};

const NAME: &str = "tilewright";

pub fn completions(shell: Shell, mut command: Command) {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, NAME, &mut script);
    say!("{}", String::from_utf8_lossy(&script).trim_end());
}

pub fn man(path: &Path, command: Command) -> Result<(), Failure> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    write_pages(&Folder::open(path).input()?, &command)?;
    say!("The pages are in {}. Try: man {}", path.display(), path.join(format!("{NAME}.1")).display());
    Ok(())
}

/// Writes the page of a command, and those of the commands below it.
fn write_pages(folder: &Folder, command: &Command) -> Result<(), Failure> {
    command.get_subcommands().filter(|below| !below.is_hide_set()).try_for_each(|below| write_pages(folder, below))?;
    let (page, mut text) = (Man::new(command.clone()), Vec::new());
    page.render(&mut text)?;
    Ok(folder.write(&page.get_filename(), &text)?)
}
