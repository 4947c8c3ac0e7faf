//! `lexicon` from end to end.

use super::{small_workplace, workplace};

#[test]
fn the_embedded_lexicon_builds_and_starts_from_its_cache() {
    let place = workplace();
    let built = place.succeed(&["lexicon", "build"]);
    assert!(built.contains("enable2k (english tile set): 169266 words") && built.contains("built in"), "{built}");
    let again = place.succeed(&["lexicon", "build"]);
    assert!(again.contains("from the cache"), "{again}");
    let hash = |text: &str| text.lines().find(|line| line.starts_with("hash")).map(str::to_string);
    assert_eq!(hash(&built), hash(&again));
}

#[test]
fn exported_graphs_and_lists_come_back_as_the_same_lexicon() {
    let (place, small) = small_workplace();
    let [tileset_flag, tileset, lexicon_flag, lexicon] = small;
    let build = |lexicon: &str| place.succeed(&["lexicon", "build", tileset_flag, tileset, lexicon_flag, lexicon]);
    let hash = |text: String| text.lines().find(|line| line.starts_with("hash")).map(str::to_string).unwrap();
    let first = hash(build(lexicon));
    for (format, name) in [("kwg", "out.kwg"), ("txt", "out.txt")] {
        place.succeed(&[&["lexicon", "export", "--format", format, "--out", name], &small[..]].concat());
        assert_eq!(hash(build(name)), first, "{name}");
    }
    place.succeed(&["lexicon", "export", "--out", "again.kwg", tileset_flag, tileset, lexicon_flag, "out.kwg"]);
    assert_eq!(std::fs::read(place.path("out.kwg")).unwrap(), std::fs::read(place.path("again.kwg")).unwrap());
}

#[test]
fn words_are_checked_in_either_case() {
    let place = workplace();
    assert_eq!(place.succeed(&["lexicon", "check", "aa", "RETAINS"]), "AA valid\nRETAINS valid\n");
    let ended = place.run(&["lexicon", "check", "AA", "QXZ"]);
    assert_eq!((ended.code, ended.output.as_str()), (1, "AA valid\nQXZ not valid\n"));
    place.refuse(&["lexicon", "check", "AÑO"], &["AÑO", "column 2"]);
}

#[test]
fn statistics_count_every_word_once() {
    let output = workplace().succeed(&["lexicon", "stats"]);
    let by_length: usize = output
        .lines()
        .filter_map(|line| {
            let mut numbers = line.split_whitespace().map(str::parse::<usize>);
            match (numbers.next()?, numbers.next()?, numbers.next()) {
                (Ok(_), Ok(words), None) => Some(words),
                _ => None,
            }
        })
        .sum();
    assert_eq!(by_length, 169_266, "{output}");
}

#[test]
fn digraphs_and_two_byte_letters_are_tiles() {
    let place = workplace();
    place.write("es.txt", "CHURRO\nCALLE\nÑU\nZUMO\nKILO\n");
    let output = place.succeed(&["lexicon", "stats", "--lexicon", "es.txt", "--tileset", "spanish"]);
    assert!(output.contains("4 words, 1 lines left out") && output.contains("\"K\""), "{output}");
    let output = place.succeed(&["lexicon", "check", "--lexicon", "es.txt", "--tileset", "spanish", "churro"]);
    assert_eq!(output, "[CH]U[RR]O valid\n");
}
