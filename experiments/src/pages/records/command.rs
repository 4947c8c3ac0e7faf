//! The command that plays recorded games again.

use tilewright_engine::artefact::Manifest;
use toml::{Table, Value};

use crate::flags::shell_word;

/// The command whose games have this manifest, for a new folder.
pub fn command(manifest: &Manifest) -> Option<String> {
    let config: Table = toml::from_str(&manifest.config).ok()?;
    let mut command = String::from("tilewright");
    let mut add = |flag: &str, value: &Value| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_string);
        command += &format!(" {flag} {}", shell_word(&text));
    };
    if let Some([a, b]) = config.get("players").and_then(Value::as_array).map(Vec::as_slice) {
        add("match --player-a", a);
        add("--player-b", b);
        add("--pairs", config.get("pairs")?);
        if config.get("candidates")?.as_integer()? > 0 {
            add("--candidates", config.get("candidates")?);
        }
    } else {
        add("selfplay --games", config.get("games")?);
        add("--player", config.get("player")?);
        config.get("opponent").iter().for_each(|opponent| add("--opponent", opponent));
        if let Some(valued) = config.get("valued").and_then(Value::as_table) {
            add("--candidates", valued.get("candidates")?);
            add("--simulate", valued.get("deals")?);
            add("--every", valued.get("every")?);
        }
    }
    add("--seed", &Value::Integer(i64::try_from(manifest.seed).ok()?));
    add("--lexicon", &Value::String(manifest.lexicon.name.clone()));
    add("--tileset", &Value::String(manifest.tileset.name.clone()));
    let is_match = config.contains_key("players");
    if config.get("unpaired").and_then(Value::as_bool) == Some(true) {
        command += " --unpaired";
    }
    Some(command + if is_match { " --games-out games" } else { " --out games" })
}
