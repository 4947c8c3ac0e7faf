//! The folders of long runs: begun once, resumed, never overwritten.

use std::path::Path;

use tilewright_engine::artefact::{MANIFEST, TEMPORARY, write_atomically};

use crate::failure::{Failure, Input};

/// The config of the run that owns a folder.
pub const CONFIG: &str = "config.toml";

/// Makes `folder` ready for the run that `config` describes: new, or left behind by the same run.
pub fn prepare(folder: &Path, config: &str) -> Result<(), Failure> {
    let shown = folder.display();
    let cannot = |error: std::io::Error| Failure::input(format!("cannot write to {shown}: {error}; choose another --out"));
    if folder.is_file() {
        return Err(Failure::input(format!("{shown} is a file; --out names a folder")));
    }
    if folder.join(MANIFEST).exists() {
        return Err(Failure::input(format!(
            "{shown} holds a finished result, which is never overwritten; choose another --out"
        )));
    }
    std::fs::create_dir_all(folder).map_err(cannot)?;
    match std::fs::read_to_string(folder.join(CONFIG)) {
        Ok(own) if own == config => clear_temporary(folder).map_err(cannot),
        Ok(own) => Err(Failure::input(format!(
            "{shown} belongs to a run with another config ({}); repeat that one or choose another --out",
            difference(&own, config)
        ))),
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(cannot(error)),
        Err(_) => {
            // A run killed while it wrote its config has left a temporary file and nothing else.
            clear_temporary(folder).map_err(cannot)?;
            if std::fs::read_dir(folder).map_err(cannot)?.next().is_some() {
                return Err(Failure::input(format!("{shown} is not empty and no run of tilewright; choose another --out")));
            }
            write_atomically(&folder.join(CONFIG), config.as_bytes()).input()
        }
    }
}

/// The first line that differs.
fn difference(own: &str, wanted: &str) -> String {
    own.lines()
        .zip(wanted.lines())
        .find(|(own, wanted)| own != wanted)
        .map_or_else(|| "it is longer or shorter".into(), |(own, wanted)| format!("there {own}, here {wanted}"))
}

/// Removes what a killed run left half-written.
fn clear_temporary(folder: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if path.is_dir() {
            clear_temporary(&path)?;
        } else if entry.file_name().to_string_lossy().starts_with(TEMPORARY) {
            std::fs::remove_file(path)?;
        }
    }
    Ok(())
}
