//! `config`: the configs that are embedded in the program. A name works wherever the path of such a file does.

use std::collections::BTreeMap;
use std::path::Path;

use clap::Subcommand;
use serde::Serialize;
use tilewright_configs::{Config, all, of_folder};
use tilewright_engine::input_file;

use crate::flags::JsonFlag;
use crate::status::did_you_mean;
use crate::{Failure, Input, output};

/// The meaning of each key, by folder and dotted path.
const KEYS: &str = include_str!("configs/keys.toml");
/// The folders whose configs make candidate sets.
const FITS: [&str; 2] = ["linear-fit", "networks"];
/// The folders whose configs name a leave table for features.
const OF_FEATURES: [&str; 5] = ["evolve", "linear", "linear-fit", "networks", "td"];

#[derive(Debug, Subcommand)]
pub enum ConfigVerb {
    /// List the embedded configs: a name works wherever the path of such a file does
    List {
        /// Folder, such as evolve or td [default: all]
        folder: Option<String>,
        #[command(flatten)]
        json: JsonFlag,
    },
    /// Print a config with the meaning, unit, range and default of each key
    Show {
        /// Name, with its folder if several folders have it: pool, evolve/full
        name: String,
        #[command(flatten)]
        json: JsonFlag,
    },
}

pub fn run(verb: &ConfigVerb) -> Result<(), Failure> {
    match verb {
        ConfigVerb::List { folder, json } => list(folder.as_deref(), json),
        ConfigVerb::Show { name, json } => show(name, json),
    }
}

/// The text of a config by name or path, with its origin for messages. A file comes first. If there is none, a name, with
/// its folder or without, is looked for among the embedded configs of `folder`.
pub fn read(path: &Path, folder: &str) -> Result<(String, String), Failure> {
    let origin = path.display().to_string();
    let is_named = |config: &&Config| {
        config.folder == folder && (path == Path::new(config.name) || path == Path::new(folder).join(config.name))
    };
    if let Some(config) = all().find(is_named).filter(|_| !path.is_file()) {
        return Ok((config.text.into(), origin));
    }
    let text = input_file::read_text(path).map_err(|error| {
        let names: Vec<&str> = of_folder(folder).map(|config| config.name).collect();
        let near = did_you_mean(origin.rsplit('/').next().unwrap_or(&origin), names.iter().copied());
        Failure::input(format!("config {origin}: {error}; the embedded ones are {}{near}", names.join(", ")))
    })?;
    Ok((text, origin))
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct ConfigList {
    configs: Vec<Listed>,
}

#[derive(schemars::JsonSchema, Serialize)]
struct Listed {
    folder: &'static str,
    name: &'static str,
    purpose: String,
}

fn list(folder: Option<&str>, json: &JsonFlag) -> Result<(), Failure> {
    let json = json.file()?;
    let configs = all().filter(|config| folder.is_none_or(|one| config.folder == one));
    let listed = |config: &Config| Listed { folder: config.folder, name: config.name, purpose: purpose(config) };
    let configs: Vec<Listed> = configs.map(listed).collect();
    if configs.is_empty() {
        let mut folders: Vec<&str> = all().map(|config| config.folder).collect();
        folders.dedup();
        return Err(Failure::input(format!(
            "there is no folder {}; there are {}",
            folder.unwrap_or_default(),
            folders.join(", ")
        )));
    }
    let line = |Listed { folder, name, purpose }: &Listed| format!("{:<30} {purpose}", format!("{folder}/{name}"));
    let text = configs.iter().map(line).collect::<Vec<_>>().join("\n");
    output::show_as(text, &ConfigList { configs }, json)
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct ShownConfig<'a> {
    folder: &'static str,
    name: &'static str,
    /// As in its file.
    #[schemars(with = "BTreeMap<String, serde_json::Value>")]
    config: toml::Table,
    /// The config with the meaning of each key, as TOML.
    explained: &'a str,
}

fn show(name: &str, json: &JsonFlag) -> Result<(), Failure> {
    let json = json.file()?;
    let config = named(name)?;
    let table = toml::from_str(config.text).input()?;
    let (folder, name, explained) = (config.folder, config.name, &explained(&config));
    output::show_as(explained.trim_end(), &ShownConfig { folder, name, config: table, explained }, json)
}

fn named(name: &str) -> Result<Config, Failure> {
    let plain = name.strip_suffix(".toml").unwrap_or(name);
    let plain = plain.strip_prefix("configs/").unwrap_or(plain);
    let fits = |config: &&Config| match plain.rsplit_once('/') {
        Some((folder, name)) => config.folder == folder && config.name == name,
        None => config.name == plain,
    };
    match all().filter(fits).collect::<Vec<_>>()[..] {
        [config] => Ok(*config),
        [] => {
            let near = did_you_mean(plain.rsplit('/').next().unwrap_or(plain), all().map(|config| config.name));
            Err(Failure::input(format!("no config is named {name}; tilewright config list shows all{near}")))
        }
        ref several => {
            let names: Vec<String> = several.iter().map(|config| format!("{}/{}", config.folder, config.name)).collect();
            Err(Failure::input(format!("several configs are named {name}: {}; name one with its folder", names.join(", "))))
        }
    }
}

/// The purpose of a config: the first sentence after the command that runs it.
fn purpose(config: &Config) -> String {
    let lines = config.text.lines().skip(1).map_while(|line| line.strip_prefix("# "));
    let comment = lines.collect::<Vec<_>>().join(" ");
    comment.split_inclusive(". ").next().unwrap_or_default().trim_end().to_string()
}

/// The texts of the keys in a folder, by dotted path.
pub fn keys(folder: &str) -> BTreeMap<String, String> {
    let all: BTreeMap<String, BTreeMap<String, String>> =
        toml::from_str(KEYS).unwrap_or_else(|error| unreachable!("a test reads this text: {error}"));
    let tables = [
        ("any", !["boards", "tilesets", "linear"].contains(&folder)),
        ("any-of-features", OF_FEATURES.contains(&folder)),
        ("any-fit", FITS.contains(&folder)),
        (folder.split('/').next().unwrap_or_default(), true),
    ];
    tables.into_iter().filter(|(_, applies)| *applies).filter_map(|(table, _)| all.get(table).cloned()).flatten().collect()
}

/// The meaning of a key. `*` stands for its last part.
fn meaning<'a>(keys: &'a BTreeMap<String, String>, table: &str, key: &str) -> Option<&'a String> {
    let path = |key: &str| if table.is_empty() { key.to_string() } else { format!("{table}.{key}") };
    keys.get(&path(key)).or_else(|| keys.get(&path("*")))
}

/// The config with a comment before each key. A text that has just been printed is not repeated.
fn explained(config: &Config) -> String {
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
    use super::*;

    #[test]
    fn every_config_says_what_it_is_for() {
        for config in all() {
            let purpose = purpose(config);
            assert!(purpose.ends_with(['.', ':']) || purpose.len() > 20, "{}: {purpose}", config.name);
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
        for config in all() {
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
