//! `moves`, `solve` and `simulate` on a turn of a recorded game.

use serde_json::Value;
use tilewright_tests::Workplace;

use super::documents::root;
use super::workplace;

/// The position before turn 5 of the game, as its player saw it.
const TURN_5: &str = "15/11M3/11O3/11R3/11N3/11I3/11N3/7TWANGLES/7A7/7R7/7T7/7U7/7F7/7E7/7s7 DNNSUXY/ 58/103 0";

/// The lines of a published game.
fn lines() -> Vec<String> {
    let text = std::fs::read_to_string(root().join("experiments/readme/logan-maven-1998.gcg")).unwrap();
    text.lines().map(String::from).collect()
}

/// A workplace with the game as `game.gcg`.
fn with_game() -> Workplace {
    let place = workplace();
    place.write("game.gcg", lines().join("\n"));
    place
}

fn json(place: &Workplace, arguments: &[&str]) -> Value {
    serde_json::from_str(&place.succeed(&[arguments, &["--json", "-"]].concat())).unwrap()
}

#[test]
fn a_turn_of_a_game_is_a_position() {
    let place = with_game();
    let of_turn = ["--gcg", "game.gcg", "--turn", "5"];
    let moves = json(&place, &[&["moves"], &of_turn[..]].concat());
    assert_eq!((&moves["rack"], &moves["choice"], &moves["bag"]), (&"DNNSUXY".into(), &"3L (O)NYX".into(), &65.into()));
    assert_eq!(moves, json(&place, &["moves", "--cgp", TURN_5]));
    let last = ["--deals", "10", "--candidates", "3", "--last-move", "H8 (T)ARTUFEs"];
    let simulated = json(&place, &[&["simulate"], &of_turn[..], &last].concat());
    assert_eq!(simulated, json(&place, &[&["simulate", "--cgp", TURN_5], &last[..]].concat()));
    place.refuse(&[&["solve"], &of_turn[..]].concat(), &["72 tiles are unseen", "65 in the bag"]);
    let solved = place.succeed(&["solve", "--gcg", "game.gcg", "--turn", "21"]);
    assert!(solved.contains("DEEIRSV against IIT, spread -69"), "the bag is empty: {solved}");
    assert!(solved.contains("value +90, final spread +21 (exact)") && solved.contains("3B DERIVES +84"), "{solved}");
}

#[test]
fn the_position_does_not_depend_on_the_move() {
    let place = with_game();
    let expected = json(&place, &["moves", "--cgp", TURN_5]);
    let begin: Vec<String> = lines().into_iter().filter(|line| !line.starts_with("#note")).take(8).collect();
    assert!(begin[7].contains("ARTUFEs"), "{begin:?}");
    let game = |more: &[&str]| begin.iter().map(String::as_str).chain(more.iter().copied()).collect::<Vec<_>>().join("\n");
    place.write("withdrawn.gcg", game(&[">Logan: DNNSUXY 6K N.XY +22 80", ">Logan: DNNSUXY -- -22 58"]));
    place.write("phony.gcg", game(&[">Logan: DNNSUXY 6K N.YX +30 88"]));
    place.write("exchange.gcg", game(&[">Logan: DNNSUXY -3 +0 58"]));
    place.write("open.gcg", game(&["#rack1 DNNSUXY"]));
    for name in ["withdrawn.gcg", "phony.gcg", "exchange.gcg"] {
        assert_eq!(json(&place, &["moves", "--gcg", name, "--turn", "5"]), expected, "{name}");
    }
    assert_eq!(json(&place, &["moves", "--gcg", "open.gcg"]), expected);
}

#[test]
fn a_game_without_the_position_is_refused_with_the_reason() {
    let place = with_game();
    let refuse = |more: &[&str], parts: &[&str]| place.refuse(&[&["moves", "--gcg"], more].concat(), parts);
    refuse(&["game.gcg", "--turn", "23"], &["game.gcg, turn 23", "the last turn of the game is 22"]);
    refuse(&["game.gcg", "--turn", "22"], &["game.gcg, turn 22", "neither a play, an exchange nor a pass"]);
    refuse(&["game.gcg"], &["game.gcg, after the last turn: the game is over", "--turn"]);
    refuse(&["game.gcg", "--turn", "0"], &["--turn"]);
    refuse(&["nowhere.gcg", "--turn", "1"], &["nowhere.gcg", "No such file"]);
    refuse(&["game.gcg", "--cgp", TURN_5], &["--gcg", "--cgp", "cannot be used with"]);
    place.refuse(&["moves", "--rack", "A", "--turn", "1"], &["--gcg"]);
    place.refuse(&["solve", "--gcg", "game.gcg", "--cgp-file", "game.gcg"], &["cannot be used with"]);

    place.write("partly.gcg", lines().join("\n").replace("DNNSUXY", "NXY"));
    let partly = ["partly.gcg", "--turn", "5"];
    refuse(&partly, &["partly.gcg, turn 5", "3 of 7 tiles of the rack are known", "\"NXY\"", "--rack"]);
    let named = [&["moves", "--gcg"], &partly[..], &["--rack", "DNNSUXY"]].concat();
    assert_eq!(json(&place, &named), json(&place, &["moves", "--cgp", TURN_5]));
}

#[test]
fn a_game_names_its_tile_set_and_its_lexicon() {
    let place = workplace();
    let players = "#player1 ann Ann\n#player2 bob Bob\n";
    let game = format!("#tile-distribution Spanish\n#lexicon FISE2\n{players}>ann: AÑOEEIS 8G AÑO +20 20\n");
    place.write("es.gcg", &game);
    place.write("words.txt", "AÑO\nAÑOS\n");
    let arguments = ["moves", "--gcg", "es.gcg", "--turn", "1", "--player", "greedy"];
    let moves = json(&place, &[&arguments[..], &["--lexicon", "words.txt"]].concat());
    assert_eq!((&moves["tileset"], &moves["choice"]), (&"spanish".into(), &"8E AÑOS".into()));
    // A game of somebody else names no files to read.
    place.write("file.gcg", game.replace("FISE2", "words.txt").replace("Spanish", "english").replace('Ñ', "N"));
    let named = ["moves", "--gcg", "file.gcg", "--turn", "1", "--player", "greedy"];
    let exit = place.run(&named);
    assert_eq!(exit.code, 0, "{}", exit.errors);
    assert!(exit.errors.contains("the game names the lexicon words.txt, but enable2k is used"), "{}", exit.errors);
    // Wrong scores count as they are written.
    assert!(exit.errors.contains("warning: file.gcg: GCG line 5"), "{}", exit.errors);
}
