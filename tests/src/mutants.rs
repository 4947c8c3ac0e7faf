//! Mutants: a list of small errors, each with a test that must notice it.
//!
//! [`read`] reads the list, [`problems`] says what is wrong with it, and [`plant`] makes every mutant switchable in a copy of the
//! sources: the code `find` becomes
//!
//! ```text
//! (if crate::mutant("name") { replace } else { find })
//! ```
//!
//! so all mutants are built once. The environment variable [`SWITCH`] turns one of them on. `tests/mutants/main.rs` builds the
//! copy and runs the tests.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use serde::Deserialize;

/// The list, from the root of the project.
pub const LIST: &str = "tests/mutants/mutants.toml";

/// The environment variable that names the mutant to turn on.
pub const SWITCH: &str = "TILEWRIGHT_MUTANT";

/// The crates that may have mutants.
const CRATES: [&str; 2] = ["engine", "train"];

/// An error that can be turned on.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Mutant {
    /// What is wrong, in words with hyphens.
    pub name: String,
    /// The source file, from the root of the project.
    pub file: String,
    /// An expression, or statements that end with a semicolon. The file has this text once.
    pub find: String,
    /// The wrong code of the same type.
    pub replace: String,
    /// The test that must fail: `engine`, `it` (of the engine) or `train`, and the path of the test.
    pub test: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    mutants: Vec<Mutant>,
}

impl Mutant {
    /// The test binary and the path of the test in it.
    pub fn binary_and_test(&self) -> (&str, &str) {
        self.test.split_once(' ').unwrap_or((&self.test, ""))
    }

    /// The crate whose code is wrong: the first folder of the path.
    fn in_crate(&self) -> &str {
        self.file.split('/').next().unwrap_or_default()
    }

    fn planted(&self) -> String {
        let Mutant { name, find, replace, .. } = self;
        let choice = format!("if crate::mutant({name:?}) {{ {replace} }} else {{ {find} }}");
        if find.trim_end().ends_with(';') { choice } else { format!("({choice})") }
    }
}

/// Reads the list of the project in the folder `root`.
///
/// # Errors
/// A message if the file cannot be read or does not parse.
pub fn read(root: &Path) -> Result<Vec<Mutant>, String> {
    let text = std::fs::read_to_string(root.join(LIST)).map_err(|error| format!("{LIST}: {error}"))?;
    let list: List = toml::from_str(&text).map_err(|error| format!("{LIST}: {error}"))?;
    Ok(list.mutants)
}

/// What is wrong with the list, without building anything: a name that is taken, code that the file does not have exactly once, a
/// mutant that changes nothing, or a test that is not there.
pub fn problems(root: &Path, mutants: &[Mutant]) -> Vec<String> {
    let mut names = BTreeSet::new();
    let mut problems = Vec::new();
    for mutant in mutants {
        let mut complain = |what: String| problems.push(format!("{}: {what}", mutant.name));
        if !names.insert(&mutant.name) {
            complain("two mutants have this name".into());
        }
        if !mutant.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-') {
            complain("a name has lower-case letters, digits and hyphens".into());
        }
        if mutant.find == mutant.replace || mutant.find.trim().is_empty() {
            complain("the mutant changes nothing".into());
        }
        if !CRATES.iter().any(|folder| mutant.file.starts_with(&format!("{folder}/src/"))) {
            complain(format!("{} is not in engine/src or train/src", mutant.file));
        }
        if let Err(problem) = source_of_test(root, mutant) {
            complain(problem);
        }
    }
    problems.extend(plant(root, mutants).err().unwrap_or_default());
    problems
}

/// The file in which the test of a mutant is written.
fn source_of_test(root: &Path, mutant: &Mutant) -> Result<String, String> {
    let (binary, test) = mutant.binary_and_test();
    let folder = match binary {
        "engine" | "train" => format!("{binary}/src"),
        "it" => "engine/tests/it".into(),
        _ => return Err(format!("{binary:?} is not engine, it or train")),
    };
    if binary != "train" && mutant.in_crate() == "train" {
        return Err(format!("the tests of {binary} do not run the code of train"));
    }
    let mut modules: Vec<&str> = test.split("::").collect();
    let function = modules.pop().unwrap_or_default();
    // A module of tests may be in the file of its parent.
    for depth in (1..=modules.len()).rev() {
        let file = format!("{folder}/{}.rs", modules[..depth].join("/"));
        if let Ok(text) = std::fs::read_to_string(root.join(&file)) {
            let is_there = text.contains(&format!("fn {function}("));
            return if is_there { Ok(file) } else { Err(format!("{file} has no test {function}")) };
        }
    }
    Err(format!("no file has the test {test}"))
}

/// The text of every file that has mutants, with all of them switchable.
///
/// # Errors
/// For each mutant whose code the file does not have exactly once, or shares with another mutant.
pub fn plant(root: &Path, mutants: &[Mutant]) -> Result<BTreeMap<String, String>, Vec<String>> {
    let mut problems = Vec::new();
    let mut places: BTreeMap<&str, Vec<(Range<usize>, &Mutant)>> = BTreeMap::new();
    for mutant in mutants {
        match place(root, mutant) {
            Ok(place) => places.entry(&mutant.file).or_default().push((place, mutant)),
            Err(problem) => problems.push(format!("{}: {problem}", mutant.name)),
        }
    }
    let mut planted = BTreeMap::new();
    for (file, mut places) in places {
        places.sort_by_key(|(place, _)| place.start);
        for two in places.windows(2).filter(|two| two[1].0.start < two[0].0.end) {
            problems.push(format!("{} and {} change the same code", two[0].1.name, two[1].1.name));
        }
        let mut text = std::fs::read_to_string(root.join(file)).unwrap_or_default();
        if problems.is_empty() {
            places.into_iter().rev().for_each(|(place, mutant)| text.replace_range(place, &mutant.planted()));
        }
        planted.insert(file.to_string(), text);
    }
    if problems.is_empty() { Ok(planted) } else { Err(problems) }
}

/// Where the code of a mutant is in its file.
fn place(root: &Path, mutant: &Mutant) -> Result<Range<usize>, String> {
    let text = std::fs::read_to_string(root.join(&mutant.file)).map_err(|error| format!("{}: {error}", mutant.file))?;
    match text.match_indices(&mutant.find).map(|(start, _)| start).collect::<Vec<_>>()[..] {
        [start] => Ok(start..start + mutant.find.len()),
        ref starts => Err(format!("{} has its code {} times, not once", mutant.file, starts.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutant(name: &str, find: &str, replace: &str) -> Mutant {
        let test = "engine sums::tests::two_and_two".into();
        Mutant { name: name.into(), file: "engine/src/sums.rs".into(), find: find.into(), replace: replace.into(), test }
    }

    fn project() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(root.path().join("engine/src")).unwrap();
        let code = "fn sum(a: i32, b: i32) -> i32 {\n    log(a);\n    a + b\n}\nfn two_and_two() {}\n";
        std::fs::write(root.path().join("engine/src/sums.rs"), code).unwrap();
        root
    }

    #[test]
    fn mutants_are_planted_as_expressions_and_statements() {
        let root = project();
        let mutants = [mutant("minus", "a + b", "a - b"), mutant("no-log", "log(a);", "")];
        assert_eq!(problems(root.path(), &mutants), [""; 0]);
        let planted = &plant(root.path(), &mutants).unwrap()["engine/src/sums.rs"];
        assert!(planted.contains("    (if crate::mutant(\"minus\") { a - b } else { a + b })\n"), "{planted}");
        assert!(planted.contains("    if crate::mutant(\"no-log\") {  } else { log(a); }\n"), "{planted}");
    }

    #[test]
    fn each_problem_is_named() {
        let root = project();
        let found = |mutants: &[Mutant]| problems(root.path(), mutants).join("; ");
        let good = || mutant("minus", "a + b", "a - b");
        assert_eq!(found(&[good(), good()]), "minus: two mutants have this name; minus and minus change the same code");
        assert!(found(&[mutant("Minus", "a + b", "a - b")]).contains("lower-case"));
        assert!(found(&[mutant("same", "a + b", "a + b")]).contains("changes nothing"));
        assert!(found(&[mutant("often", "i32", "i64")]).contains("engine/src/sums.rs has its code 3 times, not once"));
        assert!(found(&[mutant("gone", "a * b", "a + b")]).contains("has its code 0 times"));
        assert!(found(&[Mutant { file: "experiments/src/lib.rs".into(), ..good() }]).contains("is not in engine/src"));
        let tested = |test: &str| found(&[Mutant { test: test.into(), ..good() }]);
        assert!(tested("engine sums::tests::three").contains("engine/src/sums.rs has no test three"));
        assert!(tested("engine none::two_and_two").contains("no file has the test"));
        assert!(tested("tests sums::two_and_two").contains("is not engine, it or train"));
    }
}
