//! The notebooks of `notebooks-export`: they run on the data that `make-data` writes, and are committed with their charts.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tilewright_tests::skip;

use crate::documents::{root, text};
use crate::references::extension;
use crate::workplace;

const FOLDER: &str = "notebooks-export";
const MAX_BYTES: u64 = 300_000;

/// The names of the notebooks, in order.
fn notebooks() -> Vec<String> {
    let entries = std::fs::read_dir(root().join(FOLDER)).unwrap().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| extension(name) == "ipynb").collect();
    names.sort();
    assert!(names.len() >= 8, "{names:?}");
    names
}

/// The folder of an environment of Python with the packages of the notebooks, next to what cargo builds.
fn environment() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into())).join("notebooks")
}

/// A Python that has the packages of the notebooks: that of the environment, or the one of the system.
fn python() -> Option<PathBuf> {
    let has_packages = |python: &Path| {
        let imports = Command::new(python).args(["-c", "import altair, nbclient, polars, vl_convert"]).output();
        imports.is_ok_and(|output| output.status.success())
    };
    [environment().join("bin/python"), PathBuf::from("python3")].into_iter().find(|python| has_packages(python))
}

/// Runs a command, and expects that it succeeds.
fn succeed(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let printed = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&printed));
}

#[test]
fn every_notebook_runs_on_the_data_that_make_data_writes() {
    let Some(python) = python() else {
        let place = environment();
        let place = place.display();
        return skip(&format!(
            "no Python has the packages of the notebooks; install them with: python3 -m venv {place} && \
             {place}/bin/pip install -r {FOLDER}/requirements.txt"
        ));
    };
    let place = workplace();
    let (folder, data) = (root().join(FOLDER), place.path("data"));
    let mut make = Command::new("bash");
    make.arg(folder.join("make-data")).arg(env!("CARGO_BIN_EXE_tilewright-under-test")).arg(&data);
    succeed(make.env("XDG_CACHE_HOME", place.path("cache")));
    succeed(Command::new(python).arg(folder.join("execute.py")).env("TILEWRIGHT_DATA", &data));
}

#[test]
fn every_notebook_is_listed_and_small_and_has_its_charts() {
    let readme = text(&format!("{FOLDER}/README.md"));
    for name in notebooks() {
        assert!(readme.contains(&format!("({name})")), "{FOLDER}/README.md links to {name}");
        let path = root().join(FOLDER).join(&name);
        let bytes = std::fs::metadata(&path).unwrap().len();
        assert!(bytes <= MAX_BYTES, "{name} has {bytes} bytes");

        let notebook: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let cells = notebook["cells"].as_array().unwrap().iter();
        let mut charts = 0;
        for (number, cell) in (1..).zip(cells.filter(|cell| cell["cell_type"] == "code")) {
            let outputs = cell["outputs"].as_array().unwrap();
            assert!(!outputs.is_empty(), "code cell {number} of {name} has no output; execute.py --in-place stores it");
            for output in outputs {
                assert_ne!(output["output_type"], "error", "code cell {number} of {name}");
                assert_ne!(output["name"], "stderr", "code cell {number} of {name}");
                charts += usize::from(output["data"]["image/png"].is_string());
            }
        }
        assert!(charts >= 4, "{name} has {charts} charts");
    }
}
