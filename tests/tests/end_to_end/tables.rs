//! Leave tables of other sources: they are read correctly, or refused with a message that says what to do.

use tilewright_tests::{SMALL_TILESET, Workplace};

use super::small_workplace;

const FEW: &str = "A,2\nE,3\nS,6\nEE,-2\nAE,1\n?,20\nRZ,-4\n";

/// The values that `leaves show` prints for these leaves.
fn shown(place: &Workplace, small: &[&str], table: &str, leaves: &[&str]) -> Vec<String> {
    let output = place.succeed(&[&["leaves", "show", "--table", table][..], leaves, small].concat());
    output.lines().skip(2).map(|line| line.split_whitespace().nth(1).unwrap().to_string()).collect()
}

#[test]
fn tiles_are_read_in_any_order_and_case() {
    let (place, small) = small_workplace();
    place.write("few.csv", FEW);
    place.write("odd.csv", "a,2\r\ne,3\r\nS,6\r\nee,-2\r\nEA,1\r\n?,20\r\nzr,-4\r\n");
    let leaves = ["A", "EE", "AE", "?", "RZ", "AES?", "DNTZ"];
    let values = shown(&place, &small, "few.csv", &leaves);
    assert_eq!(values[..5], ["2.00", "-2.00", "1.00", "20.00", "-4.00"]);
    assert_eq!(shown(&place, &small, "odd.csv", &leaves), values);
}

#[test]
fn leaves_that_a_csv_lacks_are_estimated_with_a_warning() {
    let (place, small) = small_workplace();
    place.write("few.csv", FEW);
    // A and S add up; R and Z alone are unknown, so 0.
    assert_eq!(shown(&place, &small, "few.csv", &["AS", "AAS", "R"]), ["8.00", "10.00", "0.00"]);
    let warning = "leave table few.csv has 7 of ";
    for arguments in [
        &["leaves", "show", "A", "--table", "few.csv"][..],
        &["leaves", "export", "few.csv", "--save", "few.klv2"],
        &["match", "--player-a", "leave:few.csv", "--player-b", "greedy", "--pairs", "1"],
        &["leaves", "eval", "few.csv", "--pairs", "1"],
        &["leaves", "report", "few.csv"],
        &["moves", "--rack", "ADEN", "--player", "leave:few.csv"],
        &["selfplay", "--games", "1", "--player", "leave:few.csv", "--out", "games"],
    ] {
        let ended = place.run(&[arguments, &small[..]].concat());
        assert_eq!(ended.code, 0, "{arguments:?}: {}", ended.errors);
        assert!(ended.errors.contains(warning) && ended.errors.contains("are estimated"), "{arguments:?}: {}", ended.errors);
    }
    assert!(std::fs::read_to_string(place.path("few.html")).unwrap().contains(" of them estimated"));
    let quiet = place.run(&[&["leaves", "show", "A", "--table", "few.csv", "--quiet"][..], &small[..]].concat());
    let whole = place.run(&[&["leaves", "show", "A", "--table", "few.klv2"][..], &small[..]].concat());
    assert_eq!((quiet.errors.as_str(), whole.errors.as_str()), ("", ""));
}

#[test]
fn a_klv2_with_another_order_of_letters_needs_its_own_tile_set() {
    let (place, small) = small_workplace();
    place.write("few.csv", FEW);
    // A letter without tiles shifts the numbers of the letters after it.
    let other =
        SMALL_TILESET.replace("    { letter = \"R\"", "    { letter = \"Q\", count = 0, value = 0 },\n    { letter = \"R\"");
    place.write("other.toml", other);
    let theirs = ["--tileset", "other.toml", "--lexicon", "small.txt"];
    place.succeed(&[&["leaves", "export", "few.csv", "--save", "theirs.klv2"][..], &theirs].concat());
    place.refuse(
        &[&["leaves", "show", "S", "--table", "theirs.klv2"][..], &small[..]].concat(),
        &["theirs.klv2", "the tile set has 8 letters", "another order", "a tile set", "export it as .csv"],
    );
    place.succeed(&[&["leaves", "export", "theirs.klv2", "--save", "theirs.csv"][..], &theirs].concat());
    let leaves = ["A", "S", "RZ", "AEST", "NRSZ"];
    let ended = place.run(&[&["leaves", "show", "S", "--table", "theirs.csv"][..], &small[..]].concat());
    assert_eq!((ended.code, ended.errors.as_str()), (0, ""));
    assert_eq!(shown(&place, &small, "theirs.csv", &leaves), shown(&place, &small, "few.csv", &leaves));
}

#[test]
fn a_klv2_that_lacks_leaves_or_is_torn_is_refused() {
    let (place, small) = small_workplace();
    place.write("few.csv", FEW);
    let fewer = SMALL_TILESET.replace("\"Z\", count = 2", "\"Z\", count = 1");
    place.write("fewer.toml", fewer.replace("total_tiles = 60", "total_tiles = 59").replace("= 98", "= 86"));
    let theirs = ["--tileset", "fewer.toml", "--lexicon", "small.txt"];
    place.succeed(&[&["leaves", "export", "few.csv", "--save", "fewer.klv2"][..], &theirs].concat());
    let player = |name: &'static str| [&["leaves", "eval", name][..], &small[..]].concat();
    place.refuse(&player("fewer.klv2"), &["fewer.klv2", "lacks", "leaves of the small tile set", "the first is ZZ"]);
    place.succeed(&[&["leaves", "export", "few.csv", "--save", "whole.klv2"][..], &small[..]].concat());
    place.refuse(
        &[&["leaves", "show", "A", "--table", "whole.klv2"][..], &theirs].concat(),
        &["whole.klv2", "the file has the leave ", "ZZ, which the small tile set does not"],
    );
    let bytes = std::fs::read(place.path("whole.klv2")).unwrap();
    let nodes = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
    let values = (bytes.len() - 8 - 4 * nodes) / 4;
    for length in [bytes.len() - 1, bytes.len() - 2 * values, 4 * nodes, 3] {
        place.write("torn.klv2", &bytes[..length]);
        place.refuse(&player("torn.klv2"), &["torn.klv2", "cut or damaged"]);
    }
}
