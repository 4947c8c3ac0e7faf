//! Artefacts that are damaged, incomplete or point outside their folder are refused with the reason.

use std::path::Path;

use tilewright_tests::Workplace;

use super::small_workplace;

/// Trains a leave table from a few games in `folder`.
fn train(place: &Workplace, small: &[&str], folder: &str) {
    let arguments = ["leaves", "train", "--budget", "games=400", "--match-pairs", "0", "--quiet", "--out", folder];
    place.succeed(&[&arguments[..], small].concat());
}

/// Flips a bit in the middle of a file.
fn damage(path: &Path) {
    let mut bytes = std::fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn a_payload_is_checked_when_it_is_read() {
    let (place, small) = small_workplace();
    train(&place, &small, "table");
    let with = |arguments: &[&'static str]| [arguments, &small[..]].concat();
    let play = with(&["match", "--player-a", "leave:table", "--player-b", "greedy", "--pairs", "1"]);
    let show = with(&["leaves", "show", "A", "--table", "table"]);
    let report = with(&["leaves", "report", "table"]);
    // A player does not read the page and the support of the values.
    for name in ["report.html", "generations.json", "leaves.parquet", "leaves.klv2"] {
        place.succeed(&play);
        damage(&place.path(&format!("table/{name}")));
    }
    place.refuse(&play, &["leave table table/leaves.klv2: the content does not match its checksum"]);
    train(&place, &small, "other");
    std::fs::copy(place.path("other/leaves.klv2"), place.path("table/leaves.klv2")).unwrap();
    place.succeed(&play);
    place.refuse(&show, &["table/leaves.parquet: the content does not match its checksum"]);
    std::fs::copy(place.path("other/leaves.parquet"), place.path("table/leaves.parquet")).unwrap();
    place.succeed(&show);
    place.refuse(&report, &["table/generations.json: the content does not match its checksum"]);
    std::fs::remove_file(place.path("table/leaves.klv2")).unwrap();
    for arguments in [&play, &show, &report] {
        place.refuse(arguments, &["table/leaves.klv2 is listed in manifest.json and is not there"]);
    }
}

#[test]
fn payload_names_must_be_plain_file_names() {
    let (place, small) = small_workplace();
    train(&place, &small, "table");
    place.edit("table/manifest.json", |_| ());
    let manifest = std::fs::read_to_string(place.path("table/manifest.json")).unwrap();
    std::fs::copy(place.path("table/leaves.klv2"), place.path("leaves.klv2")).unwrap();
    let play = ["match", "--player-a", "leave:table", "--player-b", "greedy", "--pairs", "1"];
    let refuse = |from: &str, to: &str, parts: &[&str]| {
        assert!(manifest.contains(from), "{from}");
        std::fs::write(place.path("table/manifest.json"), manifest.replace(from, to)).unwrap();
        place.refuse(&[&play[..], &small[..]].concat(), parts);
    };
    refuse("\"leaves.klv2\"", "\"../leaves.klv2\"", &["table/manifest.json", "\"../leaves.klv2\" is not a plain file name"]);
    refuse("\"report.html\"", "\"/etc/hosts\"", &["table/manifest.json", "\"/etc/hosts\" is not a plain file name"]);
    refuse("\"leaves.klv2\"", "\"other.klv2\"", &["table has no leaves.klv2", "manifest.json does not list it"]);
    refuse("\"kind\":\"leaves\"", "\"kind\":\"linear\"", &["table holds linear, not leaves"]);
    refuse("{", "", &["table/manifest.json", "the artefact is damaged"]);
}

#[test]
fn records_are_checked_before_learning() {
    let (place, small) = small_workplace();
    let selfplay = ["selfplay", "--games", "4", "--player", "greedy", "--out", "records", "--quiet"];
    place.succeed(&[&selfplay[..], &small[..]].concat());
    let config = "lexicon = \"small.txt\"\ntileset = \"small.toml\"\nseed = 1\ntarget = \"points\"\nlambda = 0.5\nrate = 0.01\n\
                  games = 4\nbatch_games = 4\nrecords = \"records\"\n";
    place.write("td.toml", config);
    place.succeed(&["td", "td.toml", "--out", "whole", "--quiet"]);
    // A file that the manifest does not list is ignored.
    place.write("records/stray.parquet", "stray");
    place.succeed(&["td", "td.toml", "--out", "again", "--quiet"]);
    damage(&place.path("records/games-00000.parquet"));
    place.refuse(&["td", "td.toml", "--out", "never", "--quiet"], &["games-00000.parquet", "does not match its checksum"]);
    std::fs::remove_file(place.path("records/games-00000.parquet")).unwrap();
    place.refuse(
        &["td", "td.toml", "--out", "never", "--quiet"],
        &["games-00000.parquet is listed in manifest.json and is not there"],
    );
}
