//! `config`: the configs that are embedded in the program. A name works wherever the path of such a file does.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use clap::{Args, Subcommand};
use serde::Serialize;

use crate::failure::{Failure, Input};
use crate::flags::JsonFlag;
use crate::output;

/// A config in the program.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddedConfig {
    /// The folder in `configs`.
    pub folder: &'static str,
    /// The name of the file without its ending.
    pub name: &'static str,
    /// The content.
    pub text: &'static str,
}

/// Lists configs by folder and name.
macro_rules! configs {
    ($($folder:literal: $($name:literal)+;)+) => {
        &[$($(EmbeddedConfig {
            folder: $folder,
            name: $name,
            text: include_str!(concat!("../../configs/", $folder, "/", $name, ".toml")),
        }),+),+]
    };
}

/// Every file in `configs`.
const CONFIGS: &[EmbeddedConfig] = configs! {
    "leaves": "default" "enable2k" "six-generations" "yawl";
    "linear-fit": "default" "amendment";
    "networks": "small" "enable2k" "board";
    "evolve": "full" "from-fitted" "network-output" "six-features" "six-features-long" "barbicels";
    "td": "greedy" "exploring" "least-squares" "least-squares-exploring" "features" "win-probability" "network" "network-from-nothing";
    "win-percentage": "default" "enable2k";
    "matches": "pool" "static";
    "linear": "evolved" "fitted" "heuri1" "heuri2" "heuri3";
    "players": "static" "sim" "full";
    "tilesets": "english" "english_super" "french" "german" "spanish" "polish" "dutch" "norwegian" "swedish" "catalan";
    "boards": "standard" "super";
};

/// What each key means, by folder and dotted path.
const KEYS: &str = include_str!("configs/keys.toml");
/// The folders whose configs make candidate sets.
const FITS: [&str; 2] = ["linear-fit", "networks"];

/// `config`.
#[derive(Debug, Subcommand)]
pub enum ConfigVerb {
    /// List the embedded configs: a name works wherever the path of such a file does
    List(ConfigListArguments),
    /// Print a config with the meaning, unit, range and default of each key
    Show(ConfigShowArguments),
}

/// `config list`.
#[derive(Debug, Args)]
pub struct ConfigListArguments {
    /// Folder, such as evolve or td [default: all]
    pub folder: Option<String>,
    /// The file for the result.
    #[command(flatten)]
    pub json: JsonFlag,
}

/// `config show`.
#[derive(Debug, Args)]
pub struct ConfigShowArguments {
    /// Name, with its folder if several folders have it: pool, evolve/full
    pub name: String,
    /// The file for the result.
    #[command(flatten)]
    pub json: JsonFlag,
}

/// Runs a verb on configs.
///
/// # Errors
/// [`Failure::Input`] for a folder or a name that does not exist.
pub fn run(verb: &ConfigVerb) -> Result<(), Failure> {
    match verb {
        ConfigVerb::List(arguments) => list(arguments),
        ConfigVerb::Show(arguments) => show(arguments),
    }
}

/// The text of the config that a name or a path stands for, with its origin for messages. A file comes first; a name, with
/// its folder or without, is also looked for among the embedded configs of `folder`.
///
/// # Errors
/// [`Failure::Input`].
pub fn read(path: &Path, folder: &str) -> Result<(String, String), Failure> {
    let origin = path.display().to_string();
    let is_named = |config: &&EmbeddedConfig| {
        config.folder == folder && (path == Path::new(config.name) || path == Path::new(folder).join(config.name))
    };
    if let Some(config) = CONFIGS.iter().find(is_named).filter(|_| !path.is_file()) {
        return Ok((config.text.into(), origin));
    }
    let text = std::fs::read_to_string(path).map_err(|error| {
        let names: Vec<&str> = of_folder(folder).map(|config| config.name).collect();
        Failure::input(format!("config {origin}: {error}; the embedded ones are {}", names.join(", ")))
    })?;
    Ok((text, origin))
}

fn of_folder(folder: &str) -> impl Iterator<Item = &'static EmbeddedConfig> {
    CONFIGS.iter().filter(move |config| config.folder == folder)
}

/// The result of `config list`.
#[derive(Serialize)]
struct ConfigList {
    configs: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    folder: &'static str,
    name: &'static str,
    purpose: String,
}

impl fmt::Display for ConfigList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |Listed { folder, name, purpose }: &Listed| format!("{:<30} {purpose}", format!("{folder}/{name}"));
        f.write_str(&self.configs.iter().map(line).collect::<Vec<_>>().join("\n"))
    }
}

fn list(arguments: &ConfigListArguments) -> Result<(), Failure> {
    let json = arguments.json.file()?;
    let folder = arguments.folder.as_deref();
    let configs: Vec<&EmbeddedConfig> =
        CONFIGS.iter().filter(|config| folder.is_none_or(|one| config.folder == one)).collect();
    if configs.is_empty() {
        let mut folders: Vec<&str> = CONFIGS.iter().map(|config| config.folder).collect();
        folders.dedup();
        return Err(Failure::input(format!(
            "there is no folder {}; there are {}",
            folder.unwrap_or_default(),
            folders.join(", ")
        )));
    }
    let listed = |config: &&EmbeddedConfig| Listed { folder: config.folder, name: config.name, purpose: config.purpose() };
    output::show(&ConfigList { configs: configs.iter().map(listed).collect() }, json)
}

/// The result of `config show`.
#[derive(Serialize)]
struct ShownConfig {
    folder: &'static str,
    name: &'static str,
    config: toml::Table,
    /// The config with the meaning of each key, as TOML.
    explained: String,
}

impl fmt::Display for ShownConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.explained.trim_end())
    }
}

fn show(arguments: &ConfigShowArguments) -> Result<(), Failure> {
    let json = arguments.json.file()?;
    let config = named(&arguments.name)?;
    let table = toml::from_str(config.text).input()?;
    let (folder, name, explained) = (config.folder, config.name, explained(&config));
    output::show(&ShownConfig { folder, name, config: table, explained }, json)
}

/// The config with this name.
fn named(name: &str) -> Result<EmbeddedConfig, Failure> {
    let plain = name.strip_suffix(".toml").unwrap_or(name);
    let plain = plain.strip_prefix("configs/").unwrap_or(plain);
    let fits = |config: &&EmbeddedConfig| match plain.split_once('/') {
        Some((folder, name)) => config.folder == folder && config.name == name,
        None => config.name == plain,
    };
    match CONFIGS.iter().filter(fits).collect::<Vec<_>>()[..] {
        [config] => Ok(*config),
        [] => Err(Failure::input(format!("no config is named {name}; tilewright config list shows all"))),
        ref several => {
            let names: Vec<String> = several.iter().map(|config| format!("{}/{}", config.folder, config.name)).collect();
            Err(Failure::input(format!("several configs are named {name}: {}; name one with its folder", names.join(", "))))
        }
    }
}

impl EmbeddedConfig {
    /// What the config is for: the first sentence after the command that runs it.
    fn purpose(&self) -> String {
        let lines = self.text.lines().skip(1).map_while(|line| line.strip_prefix("# "));
        let comment = lines.collect::<Vec<_>>().join(" ");
        comment.split_inclusive(". ").next().unwrap_or_default().trim_end().to_string()
    }
}

/// The texts of the keys in a folder, by dotted path.
fn keys(folder: &str) -> BTreeMap<String, String> {
    let all: BTreeMap<String, BTreeMap<String, String>> =
        toml::from_str(KEYS).unwrap_or_else(|error| unreachable!("a test reads this text: {error}"));
    let shared = if FITS.contains(&folder) { "any-fit" } else { "" };
    ["any", shared, folder]
        .into_iter()
        .filter_map(|table| all.get(table))
        .flatten()
        .map(|(key, text)| (key.clone(), text.clone()))
        .collect()
}

/// What a key means; `*` stands for its last part.
fn meaning<'a>(keys: &'a BTreeMap<String, String>, table: &str, key: &str) -> Option<&'a String> {
    let path = |key: &str| if table.is_empty() { key.to_string() } else { format!("{table}.{key}") };
    keys.get(&path(key)).or_else(|| keys.get(&path("*")))
}

/// The config with a comment before each key. A text that has just been printed is not repeated.
fn explained(config: &EmbeddedConfig) -> String {
    let keys = keys(config.folder);
    let (mut text, mut table, mut depth, mut last) = (String::new(), String::new(), 0i32, None);
    for line in config.text.lines() {
        if depth == 0 {
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
                table = name.into();
            } else if let Some((key, _)) = line.split_once(" = ").filter(|_| !line.starts_with('#'))
                && let Some(meaning) = meaning(&keys, &table, key.trim())
                && last != Some(meaning)
            {
                text += &format!("# {meaning}.\n");
                last = Some(meaning);
            }
        }
        let brackets = line.split('#').next().unwrap_or_default();
        depth += brackets.matches('[').count() as i32 - brackets.matches(']').count() as i32;
        text += line;
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_file_is_embedded() {
        let mut files = BTreeSet::new();
        for folder in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../configs")).unwrap().flatten() {
            for file in std::fs::read_dir(folder.path()).unwrap().flatten() {
                let name = file.path().file_stem().unwrap().to_string_lossy().into_owned();
                files.insert(format!("{}/{name}", folder.file_name().to_string_lossy()));
            }
        }
        let embedded: BTreeSet<String> = CONFIGS.iter().map(|config| format!("{}/{}", config.folder, config.name)).collect();
        assert_eq!(embedded, files);
        for config in CONFIGS {
            assert!(
                config.purpose().ends_with(['.', ':']) || config.purpose().len() > 20,
                "{}: {}",
                config.name,
                config.purpose()
            );
        }
    }

    #[test]
    fn every_key_is_explained_and_the_explained_config_says_the_same() {
        fn check(table: &toml::Table, path: &str, keys: &BTreeMap<String, String>, place: &str) {
            for (key, value) in table {
                let whole = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                match (meaning(keys, path, key), value) {
                    (Some(_), _) => {}
                    (None, toml::Value::Table(table)) => check(table, &whole, keys, place),
                    (None, _) => panic!("{place}: {whole} is not explained in keys.toml"),
                }
            }
        }
        for config in CONFIGS {
            let table: toml::Table = toml::from_str(config.text).unwrap();
            check(&table, "", &keys(config.folder), config.name);
            let shown = explained(config);
            assert_eq!(toml::from_str::<toml::Table>(&shown).unwrap(), table, "{shown}");
            assert!(table.is_empty() || shown.lines().count() > config.text.lines().count(), "{shown}");
        }
    }

    #[test]
    fn names_are_found_and_ambiguous_ones_are_refused() {
        assert_eq!(named("pool").unwrap().folder, "matches");
        assert_eq!(named("configs/td/greedy.toml").unwrap().name, "greedy");
        assert!(named("default").is_err() && named("evolve/none").is_err());
        assert!(read(Path::new("full"), "evolve").is_ok_and(|(text, origin)| text.contains("cma-es") && origin == "full"));
        assert!(read(Path::new("evolve/full"), "evolve").is_ok());
        assert!(read(Path::new("full"), "td").is_err() && read(Path::new("evolve/full"), "td").is_err());
    }
}
