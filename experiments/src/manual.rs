//! `completions` and `man`: the command line for shells and for `man`, made from the flags themselves.

use std::path::Path;

use clap::Command;
use clap_complete::Shell;

use crate::{Failure, say};

const NAME: &str = "tilewright";

pub fn completions(shell: Shell, mut command: Command) {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, NAME, &mut script);
    say!("{}", String::from_utf8_lossy(&script).trim_end());
}

pub fn man(folder: &Path, command: Command) -> Result<(), Failure> {
    clap_mangen::generate_to(command, folder)
        .map_err(|error| Failure::input(format!("cannot write the pages to {}: {error}", folder.display())))?;
    say!("The pages are in {}. Try: man {}", folder.display(), folder.join(format!("{NAME}.1")).display());
    Ok(())
}
