//! The list of mutants agrees with the sources.

use tilewright_tests::mutants::{problems, read};

use crate::documents::root;

#[test]
fn every_planted_mutant_fits_the_sources_and_names_a_test() {
    let mutants = read(&root()).unwrap();
    let problems = problems(&root(), &mutants);
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    assert!(mutants.len() >= 64, "{} mutants", mutants.len());
}
