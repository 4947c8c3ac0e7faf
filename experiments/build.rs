//! Tells the program from which commit it is built.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let git = |arguments: &[&str]| -> Option<String> {
        let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8(output.stdout).ok()?.trim().to_string())
    };
    // A package outside its repository has no commit, and one inside another repository must not take that one's.
    let commit = git(&["ls-files", "--error-unmatch", "build.rs"]).and_then(|_| git(&["rev-parse", "--short=12", "HEAD"]));
    // Every commit and checkout adds a line to this log.
    let log =
        git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| commit.is_some() && std::path::Path::new(log).exists());
    if let Some(log) = log {
        println!("cargo:rerun-if-changed={log}");
    }
    let version = env!("CARGO_PKG_VERSION");
    let version = commit.map_or(version.to_string(), |commit| format!("{version} {commit}"));
    println!("cargo:rustc-env=TILEWRIGHT_VERSION={version}");
}
