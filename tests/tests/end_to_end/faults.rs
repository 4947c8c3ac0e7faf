//! The list of planted faults agrees with the sources.

use tilewright_tests::faults::{problems, read};

use crate::documents::root;

#[test]
fn every_planted_fault_fits_the_sources_and_names_a_test() {
    let faults = read(&root()).unwrap();
    let problems = problems(&root(), &faults);
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    assert!(faults.len() >= 64, "{} faults", faults.len());
}
