//! `completions` and `man`: the command line for shells and for `man`, made from the flags themselves.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::failure::Failure;
use crate::output::say;

const NAME: &str = "tilewright";

/// `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArguments {
    /// Shell for which to print a completion script: tilewright completions bash > ~/.local/share/bash-completion/completions/tilewright
    pub shell: Shell,
}

/// `man`.
#[derive(Debug, Args)]
pub struct ManArguments {
    /// Existing folder for the pages, one per verb, such as ~/.local/share/man/man1; pages of these names are replaced
    pub folder: PathBuf,
}

pub fn completions(arguments: &CompletionsArguments, mut command: Command) {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, NAME, &mut script);
    say!("{}", String::from_utf8_lossy(&script).trim_end());
}

pub fn man(arguments: &ManArguments, command: Command) -> Result<(), Failure> {
    let folder = &arguments.folder;
    clap_mangen::generate_to(command, folder)
        .map_err(|error| Failure::input(format!("cannot write the pages to {}: {error}", folder.display())))?;
    say!("The pages are in {}. Try: man {}", folder.display(), folder.join(format!("{NAME}.1")).display());
    Ok(())
}
