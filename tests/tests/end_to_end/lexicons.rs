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
fn exported_graphs_and_lists_load_as_the_same_lexicon() {
    let (place, small) = small_workplace();
    let [tileset_flag, tileset, lexicon_flag, lexicon] = small;
    let build = |lexicon: &str| place.succeed(&["lexicon", "build", tileset_flag, tileset, lexicon_flag, lexicon]);
    let hash = |text: String| text.lines().find(|line| line.starts_with("hash")).map(str::to_string).unwrap();
    let first = hash(build(lexicon));
    for (format, name) in [("kwg", "out.kwg"), ("txt", "out.txt")] {
        place.succeed(&[&["lexicon", "export", "--format", format, "--save", name], &small[..]].concat());
        assert_eq!(hash(build(name)), first, "{name}");
    }
    // The name of the file says the format, unless --format does.
    let export = |out: &'static str| [&["lexicon", "export", "--save", out], &small[..]].concat();
    place.succeed(&export("words.txt"));
    assert_eq!(std::fs::read(place.path("words.txt")).unwrap(), std::fs::read(place.path("out.txt")).unwrap());
    place.refuse(&export("words.doc"), &["words.doc", "use .kwg or .txt", "--format"]);
    place.refuse(&export("words"), &["words", "--format"]);
    place.succeed(&["lexicon", "export", "--save", "again.kwg", tileset_flag, tileset, lexicon_flag, "out.kwg"]);
    assert_eq!(std::fs::read(place.path("out.kwg")).unwrap(), std::fs::read(place.path("again.kwg")).unwrap());
}

#[test]
fn a_graph_of_alphagrams_is_noticed() {
    let place = workplace();
    let letters = || 'A'..='Z';
    let sorted = |a: char| letters().filter(move |&b| b >= a).flat_map(move |b| letters().map(move |c| [a, b, c]));
    let words = |is_kept: fn(&[char; 3]) -> bool| {
        let all = letters().flat_map(sorted).filter(is_kept);
        all.map(|word| String::from_iter(word) + "\n").collect::<String>()
    };
    place.write("sorted.txt", words(|word| word.is_sorted()));
    place.succeed(&["lexicon", "export", "--lexicon", "sorted.txt", "--save", "alphagrams.kwg"]);
    let warned = |lexicon: &str| place.run(&["lexicon", "stats", "--lexicon", lexicon]).errors;
    assert!(warned("alphagrams.kwg").contains("the words of alphagrams have their letters in order"));
    place.write("words.txt", words(|word| word.is_sorted()) + "BAA\n");
    assert!(!warned("words.txt").contains("in order"));
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
    assert!(output.contains("4 words, 1 line rejected") && output.contains("\"K\""), "{output}");
    let output = place.succeed(&["lexicon", "check", "--lexicon", "es.txt", "--tileset", "spanish", "churro"]);
    assert_eq!(output, "[CH]U[RR]O valid\n");
}

#[test]
fn lists_of_clubs_are_read_or_one_message_names_the_cure() {
    let place = workplace();
    // Definitions, UTF-16, and a word graph without its extension.
    place.write("defined.txt", "CARE\tto mind\nCAB\ta car\n");
    let wide: Vec<u8> = "\u{feff}care\r\ncab\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    place.write("wide.txt", wide);
    place.succeed(&["lexicon", "export", "--lexicon", "defined.txt", "--save", "graph.kwg"]);
    std::fs::rename(place.path("graph.kwg"), place.path("graph")).unwrap();
    let hash = |name: &str, more: &[&str]| {
        let built = place.succeed(&[&["lexicon", "build", "--lexicon", name], more].concat());
        built.lines().find(|line| line.starts_with("hash")).unwrap().to_string()
    };
    let expected = hash("defined.txt", &[]);
    assert_eq!([hash("wide.txt", &[]), hash("graph", &[])], [expected.clone(), expected.clone()]);

    // What is not safe needs a flag, and the message says which.
    let lines: String = (0..300).map(|_| "CÀRE to mind\n\"cab\", a car\n").collect();
    place.write("club.txt", lines);
    let flags = ["--first-column", "--fold"];
    let refused =
        place.run(&["match", "--lexicon", "club.txt", "--player-a", "greedy", "--player-b", "greedy", "--pairs", "1"]);
    assert_eq!(refused.code, 2);
    let cure = "600 of these lines are words with --first-column --fold: tilewright lexicon export --first-column --fold";
    assert!(refused.errors.contains(cure) && refused.errors.lines().count() < 10, "{}", refused.errors);
    assert_eq!(hash("club.txt", &flags), expected);
    place.succeed(&[&["lexicon", "export", "--lexicon", "club.txt", "--save", "clean.txt"], &flags[..]].concat());
    assert_eq!(std::fs::read_to_string(place.path("clean.txt")).unwrap(), "CAB\nCARE\n");

    // The dot of the Catalan L·L is on a tile.
    place.write("ca.txt", "col·legi\ncasa\n");
    place.succeed(&["lexicon", "expand", "--tileset", "catalan", "--words", "ca.txt", "--save", "catalan.txt"]);
    assert_eq!(std::fs::read_to_string(place.path("catalan.txt")).unwrap(), "CASA\nCOL·LEGI\n");
    let warned = place.run(&["lexicon", "build", "--tileset", "catalan", "--lexicon", "catalan.txt"]).errors;
    assert!(warned.contains("no word of catalan has B Ç D F H J L M N NY P QU R T U V X Z"), "{warned}");
    // A slow machine may say that it is waiting.
    assert!(!place.run(&["lexicon", "stats"]).errors.contains("warning"));
}

/// A dictionary with prefixes, suffixes on suffixes, irregular verbs with pronouns, and words that the game does not have.
const AFFIXES: &str = "SET UTF-8\nFLAG UTF-8\nNEEDAFFIX x\nKEEPCASE k\n\
    PFX p Y 1\nPFX p 0 re .\n\
    SFX V Y 3\nSFX V ar o ar\nSFX V r ble/S ar\nSFX V 0 se r\n\
    SFX S Y 2\nSFX S 0 s [aeo]\nSFX S z ces z\n\
    SFX À Y 1\nSFX À ar árselo ar\n";
const STEMS: &str =
    "15\nusar/VpÀ\nniño/S\npez/S\ncañon/x\nMadrid\nkilo/S\nkm/k\netc.\nex libris\ndar\ndarlo\ndarle\npst\nllll\ny\n";

#[test]
fn a_dictionary_expands_to_the_words_of_the_game() {
    let place = workplace();
    place.write("es.aff", AFFIXES);
    place.write("es.dic", STEMS);
    place.write("more.txt", b"\xfau\npez\netc\nsupercalifragilistico\n");
    let output = place.succeed(&[
        "lexicon",
        "expand",
        "--tileset",
        "spanish",
        "--dictionary",
        "es.dic",
        "--words",
        "more.txt",
        "--encoding",
        "ISO8859-1",
        "--leave-out-affixes",
        "À",
        "--leave-out-enclitics",
        "se,lo,le",
        "--fold",
        "--need-vowel",
        "--save",
        "es.txt",
    ]);
    let words = std::fs::read_to_string(place.path("es.txt")).unwrap();
    let expected = "DAR NIÑO NIÑOS PECES PEZ REUSABLE REUSABLES REUSAR REUSO USABLE USABLES USAR USO UU";
    assert_eq!(words.split_whitespace().collect::<Vec<_>>().join(" "), expected, "{output}");
    for line in [
        "4 left out: verb forms with pronouns",
        "2 left out: units and abbreviations",
        "1 left out: capital letters",
        "2 left out: hyphens, apostrophes, digits or other signs",
        "2 left out: letters that the spanish tile set lacks (K 2)",
        "1 left out: fewer than 2 tiles",
        "1 left out: more than 15 tiles",
        "14 kept",
    ] {
        assert!(output.contains(line), "no {line:?} in {output}");
    }
    let output = place.succeed(&["lexicon", "check", "--tileset", "spanish", "--lexicon", "es.txt"]);
    assert_eq!(output, "es.txt: 14 words\n");
}

#[test]
fn capitalised_nouns_are_kept_and_names_are_left_out() {
    let place = workplace();
    place.write("de.aff", "SET UTF-8\nSFX S Y 1\nSFX S 0 s .\n");
    place.write("de.dic", "5\nTal/Sm\nAnna/S\nDDR\nAbk.\nsüß\n");
    place.write("more.txt", "Anna\nTalsohle\nAbk\nAG\n");
    let arguments = [
        "lexicon",
        "expand",
        "--tileset",
        "german",
        "--dictionary",
        "de.dic",
        "--words",
        "more.txt",
        "--noun-flag",
        "m",
        "--fold",
    ];
    place.succeed(&[&arguments[..], &["--save", "de.txt"]].concat());
    assert_eq!(std::fs::read_to_string(place.path("de.txt")).unwrap(), "SÜSS\nTAL\nTALS\nTALSOHLE\n");
}

#[test]
fn gzipped_lists_are_the_same_bytes_every_time() {
    let place = workplace();
    place.write("words.txt", "cab\ncafé\n");
    for name in ["a.txt.gz", "b.txt.gz"] {
        place.succeed(&["lexicon", "expand", "--tileset", "english", "--words", "words.txt", "--save", name]);
    }
    assert_eq!(std::fs::read(place.path("a.txt.gz")).unwrap(), std::fs::read(place.path("b.txt.gz")).unwrap());
    let output = place.succeed(&["lexicon", "check", "--lexicon", "a.txt.gz", "CAB"]);
    assert_eq!(output, "CAB valid\n");
}

#[cfg(unix)]
#[test]
fn existing_lists_are_not_built_again() {
    let place = workplace();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../lexicons/build");
    let run = |arguments: &[&str]| {
        let ended = std::process::Command::new("bash").arg(script).args(arguments).output().unwrap();
        (ended.status.code(), String::from_utf8_lossy(&[ended.stdout, ended.stderr].concat()).into_owned())
    };
    place.write("polish.txt.gz", "built");
    let folder = place.path("");
    let (code, text) = run(&["polish", "--out", folder.to_str().unwrap()]);
    assert!(code == Some(0) && text.contains("polish.txt.gz exists; --again"), "{text}");
    assert_eq!(std::fs::read(place.path("polish.txt.gz")).unwrap(), b"built");
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 1);
    let (code, text) = run(&["--help"]);
    assert!(code == Some(0) && text.starts_with("Makes word lists") && text.contains("--again"), "{text}");
    let (code, text) = run(&["klingon"]);
    assert!(
        code == Some(2) && text.contains("klingon is neither a language nor an option") && text.contains("spanish, french"),
        "{text}"
    );
}

#[cfg(unix)]
#[test]
fn a_list_is_made_from_the_files_of_a_package() {
    const STUBS: &str = r#"
        curl() { while [ $# -gt 1 ]; do if [ "$1" = --output ]; then printf deb > "$2"; fi; shift; done; }
        dpkg-query() { return 1; }
        sha256sum() { sed -n '/^        wpolish)/,/;;/s/ *sha256=//p' "$SCRIPT"; }
        dpkg-deb() { mkdir -p "$3/usr/share/dict" && printf 'kot\nźrebię\nPolska\n' > "$3/usr/share/dict/polish"; }
        export -f curl dpkg-query sha256sum dpkg-deb
        export SCRIPT=$0
        exec bash "$0" "$@"
    "#;
    let place = workplace();
    let program = place.command(&[]).get_program().to_owned();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../lexicons/build");
    let mut command = std::process::Command::new("bash");
    command.args(["-c", STUBS, script, "polish", "--out"]).arg(place.path("lists")).arg("--with").arg(program);
    let ended = command.output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let checked = ["lexicon", "check", "--tileset", "polish", "--lexicon", "lists/polish.txt.gz", "KOT", "ŹREBIĘ"];
    assert_eq!(place.succeed(&checked), "KOT valid\nŹREBIĘ valid\n");
}

#[cfg(unix)]
#[test]
fn packages_with_a_wrong_checksum_are_not_used_and_leave_nothing() {
    // The mirrors answer with something else, and the package was removed from the machine but not purged.
    const STUBS: &str = r#"
        curl() { while [ $# -gt 1 ]; do if [ "$1" = --output ]; then printf other > "$2"; fi; shift; done; }
        dpkg-query() { case $3 in *Status*) printf 'config-files ';; esac; printf 20220301-1; }
        export -f curl dpkg-query
        exec bash "$0" "$@"
    "#;
    let place = workplace();
    let folder = place.path("lists");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../lexicons/build");
    let mut command = std::process::Command::new("bash");
    command.args(["-c", STUBS, script, "polish", "--with", "true", "--out"]).arg(&folder);
    let ended = command.output().unwrap();
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{errors}");
    for mirror in ["deb.debian.org", "snapshot.debian.org"] {
        assert!(errors.contains(&format!("wpolish: fetching https://{mirror}/")), "{errors}");
    }
    assert_eq!(errors.matches("its SHA-256 is").count(), 2, "{errors}");
    assert!(errors.contains("no mirror has pool/main/i/ipolish/wpolish"), "{errors}");
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 0);
}
