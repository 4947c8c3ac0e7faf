//! Games and positions in the styles of other programs (`tests/games_of_others`): read, or refused with the reason.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Value, json};
use tilewright_engine::game::cgp;
use tilewright_engine::game::gcg::{self, GcgGame};
use tilewright_engine::{Setup, TileSet};

use super::documents::root;
use super::workplace;

/// The word of the list for tile sets without an embedded one. Replays check no words.
const WORDS: &str = "AA\n";

/// The right answer to a file: scores, or the refusal.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    style: String,
    point: String,
    /// The final scores of a game, or the scores of a position.
    scores: Option<[i32; 2]>,
    /// The number of events of a game.
    events: Option<usize>,
    /// The number of tiles on the board of a position.
    tiles: Option<usize>,
    /// A part of the only warning.
    warning: Option<String>,
    /// A part of the file as this program writes it.
    #[serde(default)]
    text: String,
    /// A part of the error message.
    refused: Option<String>,
}

/// The setup of the tile set that a file names, otherwise the English one.
fn setup(named: Option<&str>) -> Setup {
    let named = named.and_then(|name| TileSet::embedded(&name.to_lowercase()).ok());
    Setup::from_words(named.unwrap_or_else(|| TileSet::embedded("english").unwrap()), WORDS).unwrap()
}

/// Checks a game that was read: its numbers, and that it is written and read again as it was.
fn check_game(what: &str, bytes: &[u8], shown: &Value, setup: &Setup, expected: &Expected) {
    let shown = &shown["games"][0];
    assert_eq!(shown["scores"], json!(expected.scores), "{what}");
    assert_eq!(shown["turns"].as_array().map(Vec::len), expected.events, "{what}");
    let read = |bytes: &[u8]| gcg::read(bytes, &setup.tileset).unwrap_or_else(|error| panic!("{what}: {error}"));
    let positions = |game: &GcgGame| gcg::replay(game, setup).collect::<Result<Vec<_>, _>>().unwrap();
    let game = read(bytes);
    let written = game.write(&setup.tileset);
    assert!(written.contains(&expected.text), "{what}: no {:?} in {written}", expected.text);
    let again = read(written.as_bytes());
    assert_eq!(again, game, "{what}");
    assert_eq!(positions(&again), positions(&game), "{what}");
}

/// Checks a position in the same way.
fn check_position(what: &str, text: &str, shown: &Value, setup: &Setup, expected: &Expected) {
    let read =
        |text: &str| cgp::read(text, &setup.tileset, setup.layout.side()).unwrap_or_else(|error| panic!("{what}: {error}"));
    let position = read(text);
    assert_eq!((Some(position.scores), Some(position.board.tiles())), (expected.scores, expected.tiles), "{what}");
    let bag = setup.tileset.total_tiles() - position.board.tiles() - 2 * setup.tileset.rules().rack_size;
    assert_eq!(shown["bag"], json!(bag), "{what}");
    let written = position.write(&setup.tileset);
    assert!(written.contains(&expected.text), "{what}: no {:?} in {written}", expected.text);
    assert_eq!(read(&written), position, "{what}");
}

#[test]
fn files_in_the_styles_of_other_programs_are_read_or_refused() {
    let folder = root().join("tests/games_of_others");
    let expected = std::fs::read_to_string(folder.join("expected.toml")).unwrap();
    let expected: BTreeMap<String, Expected> = toml::from_str(&expected).unwrap();
    let files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let files: BTreeSet<String> = files.filter(|name| name != "expected.toml").collect();
    assert_eq!(files, expected.keys().cloned().collect());

    let place = workplace();
    place.write("words.txt", WORDS);
    for (name, expected) in &expected {
        let what = format!("{name} ({}: {})", expected.style, expected.point);
        let bytes = std::fs::read(folder.join(name)).unwrap();
        place.write(name, &bytes);
        let text = String::from_utf8_lossy(&bytes);
        let is_game = std::path::Path::new(name).extension().is_some_and(|extension| extension == "gcg");
        let (setup, mut arguments) = if is_game {
            let pragmas = gcg::pragmas(&bytes).unwrap_or_default();
            (setup(pragmas.tile_set()), vec!["game", "show", name.as_str()])
        } else {
            let opcodes = cgp::opcodes(&text).unwrap();
            (setup(opcodes.tile_set()), vec!["moves", "--any-board", "--player", "greedy", "--top", "1", "--cgp", &*text])
        };
        if !setup.tileset.name().starts_with("english") {
            arguments.extend(["--lexicon", "words.txt"]);
        }
        arguments.extend(["--json", "-"]);
        if let Some(reason) = &expected.refused {
            assert!(expected.scores.is_none(), "{what}");
            place.refuse(&arguments, &[reason.as_str()]);
            continue;
        }
        let ended = place.run(&arguments);
        assert_eq!(ended.code, 0, "{what}: {}", ended.errors);
        match &expected.warning {
            Some(warning) => assert!(ended.errors.contains(&**warning), "{what}: {}", ended.errors),
            None => assert_eq!(ended.errors, "", "{what}"),
        }
        let shown: Value = serde_json::from_str(&ended.output).unwrap();
        if is_game {
            check_game(&what, &bytes, &shown, &setup, expected);
        } else {
            check_position(&what, &text, &shown, &setup, expected);
        }
    }
}
