//! Bad input, with one test per message: what was wrong, where, and what to do. The exit code is 2, and nothing panics.

use super::{small_workplace, workplace};

#[test]
fn a_missing_word_list_is_named() {
    workplace().refuse(&["lexicon", "build", "--lexicon", "nowhere.txt"], &["nowhere.txt", "No such file", "enable2k"]);
}

#[test]
fn a_directory_is_not_a_word_list() {
    let place = workplace();
    std::fs::create_dir(place.path("words")).unwrap();
    place.refuse(&["lexicon", "build", "--lexicon", "words"], &["words is a directory", ".kwg"]);
}

#[test]
fn text_that_is_not_utf8_is_reported_with_its_line() {
    let place = workplace();
    place.write("latin.txt", b"CARE\nCAF\xc9\n");
    place.refuse(&["lexicon", "build", "--lexicon", "latin.txt"], &["latin.txt, line 2", "not UTF-8", "iconv"]);
}

#[test]
fn an_empty_word_list_is_refused() {
    let place = workplace();
    place.write("empty.txt", "\n\n");
    place.refuse(&["lexicon", "build", "--lexicon", "empty.txt"], &["empty.txt contains no words", "english"]);
}

#[test]
fn unknown_letters_and_long_words_are_reported_and_left_out() {
    let place = workplace();
    place.write("odd.txt", "CARE\nCAF\u{c9}\nABCDEFGHIJKLMNOP\nX\n");
    let output = place.succeed(&["lexicon", "build", "--lexicon", "odd.txt"]);
    for part in [
        "odd.txt (english tile set): 1 words, 3 lines rejected",
        "line 2",
        "\"\u{c9}\" is not a letter",
        "line 3",
        "16 tiles; the board is 15",
        "line 4",
        "1 tile",
    ] {
        assert!(output.contains(part), "{part} in {output}");
    }
    let ended = place.run(&["lexicon", "check", "--lexicon", "odd.txt"]);
    assert_eq!(ended.code, 1, "{}", ended.output);
    place.write("none.txt", "CAF\u{c9}\n");
    place.refuse(&["lexicon", "build", "--lexicon", "none.txt"], &["contains no words", "line 1", "\u{c9}"]);
}

#[test]
fn an_unknown_tile_set_is_refused_with_a_list() {
    workplace().refuse(&["moves", "--rack", "AE", "--tileset", "klingon"], &["klingon", "english, french", "TOML"]);
    workplace().refuse(&["moves", "--rack", "AE", "--tileset", "nowhere.toml"], &["tile set nowhere.toml", "No such file"]);
}

#[test]
fn other_languages_need_a_word_list() {
    workplace().refuse(&["moves", "--rack", "AE", "--tileset", "polish"], &["polish", "--lexicon FILE"]);
}

#[test]
fn tile_counts_with_a_wrong_sum_are_reported() {
    let place = workplace();
    place.write("wrong.toml", tilewright_tests::SMALL_TILESET.replace("total_tiles = 60", "total_tiles = 61"));
    place.refuse(
        &["moves", "--rack", "AE", "--tileset", "wrong.toml", "--lexicon", "enable2k"],
        &["wrong.toml", "tiles add up to 60", "is 61"],
    );
    place.write("torn.toml", "name = \"x\"\nboard = ");
    place.refuse(&["moves", "--rack", "AE", "--tileset", "torn.toml"], &["torn.toml", "line 2"]);
}

#[test]
fn values_and_squares_beyond_the_limits_are_reported() {
    let place = workplace();
    place.write("dear.toml", tilewright_tests::SMALL_TILESET.replace("value = 12", "value = 51"));
    place.refuse(&["moves", "--rack", "AE", "--tileset", "dear.toml"], &["dear.toml", "\"Z\" has value 51", "0 to 50"]);
    place.write("words.toml", tilewright_tests::SMALL_TILESET.replace("\"standard\"", "\"wide.toml\""));
    let row = format!("\"{}\",\n", ["2W"; 9].join(" "));
    place.write(
        "wide.toml",
        format!("name = \"wide\"\nstart = \"1A\"\nsquares = [\n{}]\n", row.repeat(9)).replace("2W", "3W"),
    );
    place.refuse(
        &["moves", "--rack", "AE", "--tileset", "words.toml", "--lexicon", "enable2k"],
        &["wide.toml", "row 1 can reach a word multiplier of 6561", "maximum is 256"],
    );
}

#[test]
fn too_many_letters_without_a_word_map_are_reported() {
    let place = workplace();
    let label = |letter: u8| [letter / 8, letter % 8].map(|part| char::from(b'A' + part)).iter().collect::<String>();
    let letters: String =
        (0..63).map(|letter| format!("{{ letter = \"{}\", count = 1, value = 1 }},\n", label(letter))).collect();
    let (head, rules) = tilewright_tests::SMALL_TILESET.split_once("total_tiles").unwrap();
    let rules = &rules[rules.find("[rules]").unwrap()..];
    place.write(
        "wide.toml",
        format!("{head}total_tiles = 63\ntotal_points = 63\nblanks = 0\nletters = [\n{letters}]\n\n{rules}"),
    );
    place.write("words.txt", "[AA][AB]\n[AB][BA]\n");
    let game = ["--tileset", "wide.toml", "--lexicon", "words.txt"];
    place.refuse(
        &[&["selfplay", "--player", "greedy", "--games", "1", "--no-word-map"][..], &game].concat(),
        &["63 letters", "leave out --no-word-map"],
    );
    place.succeed(&[&["selfplay", "--player", "greedy", "--games", "1", "--quiet"][..], &game].concat());
}

#[test]
fn a_cause_is_reported_once() {
    let ended = workplace().run(&["moves", "--rack", "AE", "--lexicon", "missing.txt"]);
    assert_eq!((ended.code, ended.errors.matches("No such file").count()), (2, 1), "{}", ended.errors);
}

#[test]
fn impossible_racks_are_reported() {
    let place = workplace();
    place.refuse(&["moves", "--rack", "ZZ"], &["2 Z", "has 1"]);
    place.refuse(&["moves", "--rack", "ABCDEFGH"], &["8 tiles", "at most 7"]);
    place.refuse(&["moves", "--rack", "AB1"], &["column 3", "\"1\""]);
    place.refuse(&["moves"], &["--rack"]);
    let board = format!("7Z7{} ZE/ 0/0 0", "/15".repeat(14));
    place.refuse(&["moves", "--cgp", &board], &["Z"]);
}

#[test]
fn a_malformed_position_is_reported_with_its_place() {
    let place = workplace();
    place.refuse(&["moves", "--rack", "AE", "--cgp", "15/15 / 0/0 0"], &["row"]);
    place.refuse(&["moves", "--rack", "AE", "--cgp", &format!("16{} / 0/0 0", "/15".repeat(14))], &["row 1"]);
}

#[test]
fn invalid_players_and_tables_are_reported() {
    let place = workplace();
    let play = |player: &str, parts: &[&str]| {
        place.refuse(&["match", "--player-a", player, "--player-b", "greedy", "--pairs", "1"], parts);
    };
    play("genius", &["genius", "leave (the embedded leave table) or leave:PATH"]);
    play("leave:", &["leave:PATH"]);
    play("leave:nowhere.klv2", &["nowhere.klv2", "No such file"]);
    std::fs::create_dir(place.path("empty")).unwrap();
    play("leave:empty", &["manifest.json", "No such file"]);
    place.write("torn.klv2", [9, 0, 0, 0, 1]);
    play("leave:torn.klv2", &["torn.klv2", "cut or damaged"]);
    place.write("odd.csv", "A,1\nB,much\n");
    play("leave:odd.csv", &["odd.csv", "line 2", "much"]);
    place.write("table.txt", "A,1\n");
    play("leave:table.txt", &["table.txt", ".klv2.gz or a .csv"]);
}

#[test]
fn zero_threads_and_zero_pairs_are_refused() {
    let place = workplace();
    place.refuse(&["moves", "--rack", "AE", "--threads", "0"], &["--threads", "1..=1024"]);
    place.refuse(&["match", "--player-a", "greedy", "--player-b", "greedy", "--pairs", "0"], &["--pairs", "1.."]);
    place.refuse(&["selfplay", "--games", "0"], &["--games", "1.."]);
}

#[test]
fn outputs_that_cannot_be_written_are_reported_before_the_work() {
    let (place, small) = small_workplace();
    place.write("file", "");
    place.write("file.txt", "");
    let with = |arguments: &[&'static str]| [arguments, &small[..]].concat();
    place.refuse(&with(&["selfplay", "--player", "greedy", "--games", "1", "--out", "file"]), &["file is a file", "--out"]);
    place.refuse(
        &with(&["leaves", "train", "--budget", "games=100", "--out", "file/below"]),
        &["file is a file; --out names a folder"],
    );
    place.refuse(
        &with(&["match", "--player-a", "greedy", "--player-b", "greedy", "--pairs", "1", "--json", "no/such/x.json"]),
        &["no/such/x.json"],
    );
    place.refuse(&with(&["lexicon", "export", "--save", "no/such/x.kwg"]), &["no/such/x.kwg"]);
    place.refuse(&with(&["lexicon", "export", "--save", "file.txt"]), &["never overwritten"]);
    place.succeed(&with(&["lexicon", "stats", "--save", "stats.txt"]));
    place.refuse(&with(&["lexicon", "stats", "--save", "stats.txt"]), &["stats.txt", "never overwritten"]);
    let play = with(&["match", "--player-a", "greedy", "--player-b", "greedy", "--pairs", "1"]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", place.path("link")).unwrap();
        place.refuse(&[&play[..], &["--out", "link"]].concat(), &["link is not a folder", "--out"]);
        place.refuse(&[&play[..], &["--games-out", "link"]].concat(), &["link already exists", "--games-out"]);
    }
    for seconds in ["-1", "1e300", "nan"] {
        place.write("match.toml", format!("answer_seconds = {seconds}\n"));
        let parts = ["answer_seconds = ", "expected seconds above 0"];
        place.refuse(&[&play[..], &["match.toml"]].concat(), &parts);
    }
    std::fs::create_dir(place.path("mine")).unwrap();
    place.write("mine/diary.txt", "");
    place.refuse(
        &with(&["selfplay", "--player", "greedy", "--games", "1", "--out", "mine"]),
        &["mine is not empty", "--out"],
    );
}

#[test]
fn a_bad_config_is_reported_with_its_line() {
    let place = workplace();
    place.refuse(&["leaves", "train", "nowhere.toml"], &["nowhere.toml", "No such file"]);
    place.write("c.toml", "seed = 1\nsead = 2\n");
    place.refuse(&["leaves", "train", "c.toml"], &["c.toml", "sead"]);
}

#[test]
fn a_config_that_flags_make_invalid_is_reported_with_the_flags() {
    let place = workplace();
    let train = ["win-percentage", "train", "--games", "1", "--held-out-games", "50", "--out", "x"];
    place.refuse(&train, &["config with --games 1 --held-out-games 50: games = 1; expected 2 to"]);
    place.refuse(&["linear", "fit", "--games", "1", "--out", "x"], &["config with --games 1: games = 1"]);
}

#[cfg(unix)]
#[test]
fn what_may_have_no_end_is_refused_at_once() {
    let place = workplace();
    assert!(std::process::Command::new("mkfifo").arg(place.path("pipe")).status().unwrap().success());
    for path in ["pipe", "/dev/zero"] {
        for arguments in [
            ["lexicon", "stats", "--lexicon", path].as_slice(),
            &["lexicon", "expand", "--tileset", "english", "--words", path],
            &["moves", "--rack", "ABC", "--leaves", path],
            &["match", "--player-a", &format!("sim:{path}"), "--player-b", "greedy", "--pairs", "1"],
            &["solve", "--cgp-file", path],
            &["game", "show", path],
            &["evolve", path],
            &["win-percentage", "show", path],
        ] {
            place.refuse(arguments, &[path, "a pipe or a device"]);
        }
    }
}

#[test]
fn dictionaries_that_cannot_be_expanded_are_reported_with_file_and_line() {
    let place = workplace();
    let expand = |arguments: &[&str], parts: &[&str]| {
        place.refuse(&[&["lexicon", "expand", "--tileset", "spanish"], arguments].concat(), parts);
    };
    place.write("es.dic", "1\nusar/V\n");
    expand(&["--dictionary", "es.dic"], &["es.aff", "No such file"]);
    place.write("es.aff", "SET UTF-8\nSFX V Y 2\nSFX V ar o ar\n");
    expand(&["--dictionary", "es.dic"], &["es.aff, line 2", "SFX V states 2 affixes, but 1 follow"]);
    place.write("es.aff", "SET UTF-8\nCOMPLEXPREFIXES\n");
    expand(&["--dictionary", "es.dic"], &["es.aff, line 2", "COMPLEXPREFIXES is not supported"]);
    place.write("es.aff", "SET UTF-8\nFLAG num\n");
    expand(&["--dictionary", "es.dic"], &["es.dic, line 2", "\"V\"", "1 to 65535"]);
    place.write("es.aff", "SET UTF-8\nSFX V Y 1\nSFX V ar o ar\n");
    place.write("none.dic", "usar/V\n");
    expand(&["--dictionary", "none.dic", "--affixes", "es.aff"], &["none.dic, line 1", "number of words"]);
    expand(
        &["--dictionary", "es.dic", "--leave-out-affixes", "Z"],
        &["--leave-out-affixes", "\"Z\" has a flag without prefixes"],
    );
    expand(&["--dictionary", "es.dic", "--noun-flag", "mn"], &["--noun-flag", "\"mn\" is not one flag"]);
    place.write("latin.txt", b"cab\nni\xf1o\n");
    expand(&["--words", "latin.txt"], &["latin.txt, line 2", "not UTF-8"]);
    expand(&["--words", "latin.txt", "--encoding", "klingon"], &["\"klingon\"", "ISO8859-1"]);
    place.write("kilo.txt", "kilo\n");
    expand(&["--words", "kilo.txt"], &["no word is left", "spanish"]);
    place.write("taken.txt", "");
    expand(&["--words", "kilo.txt", "--save", "taken.txt"], &["taken.txt", "never overwritten"]);
    expand(&[], &["--dictionary"]);
}
