//! Tests on small dictionaries, with the words that they should form.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

fn read(affixes: &str, dictionary: &str) -> Result<Dictionary, Failure> {
    Dictionary::from_bytes(dictionary.as_bytes(), Path::new("x.dic"), affixes.as_bytes(), Path::new("x.aff"))
}

fn words_of(dictionary: &Dictionary) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    dictionary
        .for_each_word(|word, _| {
            words.insert(word.to_string());
        })
        .unwrap();
    words
}

/// Asserts that stems (one per line, without the number of words) form exactly these words.
fn makes(affixes: &str, stems: &str, expected: &str) {
    let dictionary = read(&format!("SET UTF-8\n{affixes}"), &format!("9\n{stems}")).unwrap();
    let expected: BTreeSet<String> = expected.split_whitespace().map(str::to_string).collect();
    assert_eq!(words_of(&dictionary), expected, "{affixes}\n{stems}");
}

fn refused(affixes: &str, dictionary: &str, parts: &[&str]) {
    let message = read(affixes, dictionary).unwrap_err().message();
    for part in parts {
        assert!(message.contains(part), "no {part:?} in {message}");
    }
}

#[test]
fn affixes_strip_and_add_under_their_condition() {
    let affixes = "SFX A Y 3\nSFX A ar o ar\nSFX A 0 s [^r]\nSFX A y ies [^aeiou]y\n";
    makes(affixes, "amar/A\ncasa/A\nfly/A\nplay/A", "amar amo casa casas fly flies flys play plays");
    makes("PFX P Y 2\nPFX P 0 in [^lp]\nPFX P 0 im p\n", "util/P\npar/P\nlegal/P", "util inutil par impar legal");
}

#[test]
fn a_strip_must_match_the_word_and_leave_a_rest() {
    let affixes = "SFX A Y 3\nSFX A ierdo 1 .\nSFX A do 2 .\nSFX A o 0 .\nPFX P Y 1\nPFX P do 3 .\n";
    makes(affixes, "do/AP\nando/A", "do d ando an2 and");
    makes(&format!("FULLSTRIP\n{affixes}"), "do/AP\nñ", "do 2 d 3 ñ");
}

#[test]
fn prefixes_and_suffixes_combine_only_if_both_allow_it() {
    let affixes = |prefix: &str, suffix: &str| format!("PFX P {prefix} 1\nPFX P 0 re .\nSFX S {suffix} 1\nSFX S 0 s .\n");
    makes(&affixes("Y", "Y"), "do/PS", "do redo dos redos");
    makes(&affixes("Y", "N"), "do/PS", "do redo dos");
    makes(&affixes("N", "Y"), "do/PS", "do redo dos");
}

#[test]
fn a_suffix_allows_a_second_one_but_no_third() {
    let affixes = "SFX A Y 1\nSFX A 0 b/B .\nSFX B Y 1\nSFX B 0 c/CP .\nSFX C Y 1\nSFX C 0 d .\nPFX P Y 1\nPFX P 0 z .\n";
    makes(affixes, "a/A", "a ab abc zabc");
    makes(affixes, "a/AC", "a ab abc zabc ad");
    makes("SFX A Y 1\nSFX A r ble/S [ai]r\nSFX S Y 2\nSFX S 0 s e\nSFX S 0 es r\n", "usar/AS", "usar usares usable usables");
}

#[test]
fn suffixes_allow_prefixes_and_prefixes_allow_suffixes() {
    let affixes = "SFX A Y 1\nSFX A 0 able/P .\nPFX P Y 1\nPFX P 0 un .\n";
    makes(affixes, "drink/A", "drink drinkable undrinkable");
    makes("PFX P Y 1\nPFX P 0 ge/S .\nSFX S Y 1\nSFX S 0 t .\n", "sag/P", "sag gesag gesagt");
    makes("PFX P N 1\nPFX P 0 ge/S .\nSFX S Y 1\nSFX S 0 t .\n", "sag/P", "sag gesag");
}

#[test]
fn stems_that_need_an_affix_form_no_word_alone() {
    let affixes = "NEEDAFFIX X\nSFX A Y 1\nSFX A 0 s .\nPFX P Y 1\nPFX P 0 un .\n";
    makes(affixes, "foo/X\nbar/XA\nbaz/XP", "bars unbaz");
    makes("NEEDAFFIX X\nSFX A Y 1\nSFX A 0 0 .\n", "foo/XA", "foo");
    makes(&affixes.replace("NEEDAFFIX", "PSEUDOROOT"), "foo/X\nfoo", "foo");
}

#[test]
fn affixes_that_need_an_affix_need_one_outside_or_on_the_other_side() {
    let affixes = "NEEDAFFIX X\n\
        SFX A Y 2\nSFX A 0 suf/B .\nSFX A 0 pseudosuf/XB .\n\
        SFX B Y 1\nSFX B 0 bar .\n\
        PFX C Y 2\nPFX C 0 pre .\nPFX C 0 pseudopre/X .\n";
    makes(
        affixes,
        "foo/AC",
        "foo prefoo foosuf prefoosuf foosufbar prefoosufbar pseudoprefoosuf pseudoprefoosufbar \
         foopseudosufbar prefoopseudosuf prefoopseudosufbar pseudoprefoopseudosufbar",
    );
}

#[test]
fn halves_of_a_circumfix_occur_together() {
    let affixes = "CIRCUMFIX X\n\
        PFX A Y 1\nPFX A 0 leg/X .\n\
        PFX B Y 1\nPFX B 0 legesleg/X .\n\
        SFX C Y 3\nSFX C 0 obb .\nSFX C 0 obb/AX .\nSFX C 0 obb/BX .\n";
    makes(affixes, "nagy/C", "nagy nagyobb legnagyobb legeslegnagyobb");
    makes(affixes, "nagy/CA", "nagy nagyobb legnagyobb legeslegnagyobb");
    makes("CIRCUMFIX X\nPFX A Y 1\nPFX A 0 ge/X .\nSFX B Y 1\nSFX B 0 t/X .\n", "sag/AB\nruf/B", "sag gesagt ruf");
}

#[test]
fn compound_parts_and_forbidden_words_are_left_out() {
    let affixes = "ONLYINCOMPOUND O\nFORBIDDENWORD F\nSFX S Y 2\nSFX S 0 s .\nSFX S 0 er/O .\nCOMPOUNDFLAG c\n";
    makes(affixes, "haus/Sc\ntisch/OS\nhund\nhund/F\nstuhl/S\nstuhl/SF", "haus hauss");
    makes(affixes, "Haus/S\nhaus/F", "Haus Hauss");
}

#[test]
fn long_and_numeric_flags_and_numbered_sets() {
    let affixes = "FLAG long\nNEEDAFFIX ()\nSFX A1 Y 1\nSFX A1 0 s/B2 .\nSFX B2 Y 1\nSFX B2 0 t .\n";
    makes(affixes, "foo/A1()\nbar/B2A1", "foos foost bar bars bart barst");
    let affixes = "FLAG num\nSFX 65000 Y 1\nSFX 65000 0 s/7 .\nPFX 7 Y 1\nPFX 7 0 un .\nSFX 007 N 1\nSFX 007 0 t .\n";
    makes(affixes, "foo/65000\nbar/1,7", "foo foos unfoos foost bar unbar bart");
    let affixes = "AF 2\nAF AB\nAF B\nSFX A Y 1\nSFX A 0 x/2 .\nSFX B Y 1\nSFX B 0 y .\n";
    makes(affixes, "foo/1\nbar/2\nbaz", "foo foox fooxy fooy bar bary baz");
    makes("FLAG UTF-8\nSFX À Y 1\nSFX À 0 lo r\nSFX ñ Y 1\nSFX ñ 0 se r\n", "dar/Àñ", "dar darlo darse");
}

#[test]
fn descriptions_slashes_and_comments_are_read() {
    let affixes = "# a comment\n\nSFX A Y 2 # two\nSFX A 0 s\nSFX A 0 t . is:past\nTRY abc\n";
    makes(affixes, "foo/A po:noun is:x\nbar/A\tnoun\nbaz po:x\n\n", "foo foos foot bar bars bart baz");
    let dictionary = read(affixes, "\u{feff}3\r\nand\\/or/A\r\n/slash\r\nNew York/A st:x\r\n").unwrap();
    let words: Vec<String> = words_of(&dictionary).into_iter().collect();
    assert_eq!(words, ["/slash", "New York", "New Yorks", "New Yorkt", "and/or", "and/ors", "and/ort"]);
}

#[test]
fn set_names_the_encoding_of_both_files() {
    let affixes = b"SET ISO8859-2\nSFX \xb1 Y 1\nSFX \xb1 \xb3 \xea [\xb3]\n";
    let dictionary = b"1\nby\xb3/\xb1\n";
    let dictionary = Dictionary::from_bytes(dictionary, Path::new("x.dic"), affixes, Path::new("x.aff")).unwrap();
    assert_eq!(words_of(&dictionary).into_iter().collect::<Vec<_>>(), ["byę", "był"]);
}

#[test]
fn checksharps_allows_capitals_for_words_with_a_sharp_s() {
    let affixes = "SET UTF-8\nKEEPCASE k\nSFX A Y 1\nSFX A 0 e .\n";
    let kept = |affixes: &str| {
        let dictionary = read(affixes, "3\nkm/k\nsüß/Ak\nSüd/A\n").unwrap();
        let mut kept = Vec::new();
        dictionary
            .for_each_word(|word, stem| {
                if dictionary.keeps_case(word, stem) {
                    kept.push(word.to_string());
                }
            })
            .unwrap();
        kept.sort_unstable();
        kept
    };
    assert_eq!(kept(affixes), ["km", "süß", "süße"]);
    assert_eq!(kept(&format!("{affixes}CHECKSHARPS\n")), ["km"]);
}

#[test]
fn a_repeated_flag_forms_no_word_twice() {
    let repeated = "A".repeat(300);
    let dictionary = read(&format!("SFX A Y 1\nSFX A 0 s/{repeated} .\n"), &format!("1\nfoo/{repeated}\n")).unwrap();
    let mut words = 0;
    dictionary.for_each_word(|_, _| words += 1).unwrap();
    assert_eq!(words, 3, "foo, foos and fooss");
}

#[test]
fn a_small_dictionary_that_forms_too_many_words_is_refused() {
    let additions = |flag: &str, more: &str| -> String {
        let lines = (0..4000).map(|number| format!("SFX {flag} 0 {number}{more} .\n"));
        format!("SFX {flag} Y 4000\n{}", lines.collect::<String>())
    };
    let affixes = additions("A", "/B") + &additions("B", "");
    // One stem forms 16 million words, and two stems 12 million each with a prefix.
    for (stems, affixes) in [("foo/A", affixes), ("foo/A\nbar/A", additions("A", "") + &prefixes(3000))] {
        let dictionary = read(&affixes, &format!("1\n{stems}\n")).unwrap();
        let mut words = 0;
        let fault = dictionary.for_each_word(|_, _| words += 1).unwrap_err().message();
        assert!(fault.contains("are more than 10000000"), "{fault}");
        assert!(words <= 10_000_000 && fault.contains("--leave-out-affixes"), "{fault}");
    }
}

/// Prefixes with flag A, which combine with its suffixes.
fn prefixes(count: usize) -> String {
    let lines = (0..count).map(|number| format!("PFX A 0 {number} .\n"));
    format!("PFX A Y {count}\n{}", lines.collect::<String>())
}

#[test]
fn output_is_converted() {
    makes("OCONV 2\nOCONV ' ’\nOCONV _e é\nICONV 1\nICONV x y\n", "l'eau\nee\nx", "l’eau ée x");
}

#[test]
fn affixes_can_be_left_out() {
    let affixes = "SFX A Y 1\nSFX A 0 s/B .\nSFX B Y 1\nSFX B 0 lo .\n";
    let mut dictionary = read(affixes, "1\ndar/AB\n").unwrap();
    dictionary.leave_out("B").unwrap();
    assert_eq!(words_of(&dictionary).into_iter().collect::<Vec<_>>(), ["dar", "dars"]);
    let message = dictionary.leave_out("Z").unwrap_err().message();
    assert!(message.contains("\"Z\" has a flag without prefixes"), "{message}");
}

#[test]
fn bad_lines_are_reported_with_file_and_line() {
    let stem = "1\na/A\n";
    refused("SET klingon\n", stem, &["x.aff, line 1", "\"klingon\"", "ISO8859-1"]);
    refused("SET UTF-8\nCOMPLEXPREFIXES\n", stem, &["x.aff, line 2", "COMPLEXPREFIXES", "plain list"]);
    refused("IGNORE abc\n", stem, &["x.aff, line 1", "IGNORE"]);
    refused("FLAG wide\n", stem, &["x.aff, line 1", "\"wide\"", "long, num or UTF-8"]);
    refused("FLAG long\nSFX A Y 0\n", stem, &["x.aff, line 2", "\"A\"", "two characters"]);
    refused("SFX\n", stem, &["x.aff, line 1", "SFX needs a flag"]);
    refused("SFX A Z 1\n", stem, &["x.aff, line 1", "Y or N", "\"A Z 1\""]);
    refused("SFX A Y many\n", stem, &["x.aff, line 1", "the number of affixes"]);
    refused("SFX A Y 1\nSFX A 0\n", stem, &["x.aff, line 2", "0 for nothing"]);
    refused("SFX A Y 1\nSFX A 0 s [ab\n", stem, &["x.aff, line 2", "[ab", "not closed"]);
    refused("SFX A Y 2\nSFX A 0 s .\n", stem, &["x.aff, line 1", "SFX A states 2", "1 follow"]);
    refused("SFX A Y 1\nSFX A 0 s .\nSFX A 0 t .\n", stem, &["x.aff, line 3", "no table is open"]);
    refused("SFX A Y 2\nSFX A 0 s .\nPFX B Y 0\n", stem, &["x.aff, line 3", "SFX A states 2"]);
    refused("NEEDAFFIX\n", stem, &["x.aff, line 1", "not one flag"]);
    refused("AF 1\nAF AB\n", "1\nfoo/2\n", &["x.dic, line 2", "\"2\"", "1 to 1"]);
    refused("FLAG num\n", "1\nfoo/70000\n", &["x.dic, line 2", "70000", "65535"]);
    refused("", "foo\nbar\n", &["x.dic, line 1", "number of words", "foo"]);
    refused("", "", &["x.dic, line 1", "number of words"]);
    let bytes = Dictionary::from_bytes(b"1\n\xe9\n", Path::new("x.dic"), b"SET UTF-8\n", Path::new("x.aff"));
    assert!(bytes.unwrap_err().message().contains("x.dic, line 2"));
}

/// Lines that are nearly valid.
fn line() -> impl Strategy<Value = String> {
    let word =
        proptest::sample::select(vec!["", "a", "ab", "ñu", "0", "a/AB", "b/1", "\\/", "/", "[a", "[^b]", ".", "é/X", "12"]);
    let directive = proptest::sample::select(vec![
        "SFX A",
        "PFX B",
        "SFX",
        "SFX A Y 1",
        "PFX B Y 2",
        "SFX B N 1",
        "FLAG",
        "FLAG long",
        "FLAG num",
        "AF",
        "NEEDAFFIX X",
        "SET",
        "SET UTF-8",
        "CIRCUMFIX A",
        "ONLYINCOMPOUND",
        "FORBIDDENWORD",
        "FULLSTRIP",
        "OCONV",
        "OCONV _",
        "1",
    ]);
    (directive, proptest::collection::vec(word, 0..4))
        .prop_map(|(directive, words)| format!("{directive} {}", words.join(" ")))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4000) })]

    #[test]
    fn no_input_panics(
        affixes in proptest::collection::vec(line(), 0..8),
        stems in proptest::collection::vec("[abñ/\\\\ABX1 \t]{0,8}", 0..5),
        bytes in proptest::collection::vec(any::<u8>(), 0..60),
    ) {
        let dictionary = format!("1\n{}", stems.join("\n"));
        if let Ok(dictionary) = read(&affixes.join("\n"), &dictionary) {
            dictionary.for_each_word(|_, _| {}).unwrap();
        }
        let _ = Dictionary::from_bytes(&bytes, Path::new("x.dic"), &bytes, Path::new("x.aff"));
        let _ = Dictionary::from_bytes(dictionary.as_bytes(), Path::new("x.dic"), &bytes, Path::new("x.aff"));
    }

    /// A stem with one suffix forms the words that the definition of the suffix gives.
    #[test]
    fn one_suffix_follows_its_definition(stem in "[abc]{1,5}", strip in "[abc]{0,3}", add in "[abc]{1,3}", class in "[abc]{1,2}") {
        let affixes = format!("SFX A Y 1\nSFX A {} {add} [^{class}]{strip}\n", if strip.is_empty() { "0" } else { &strip });
        let mut expected = BTreeSet::from([stem.clone()]);
        if let Some(rest) = stem.strip_suffix(&strip)
            && rest.chars().next_back().is_some_and(|last| !class.contains(last))
        {
            expected.insert(format!("{rest}{add}"));
        }
        let dictionary = read(&affixes, &format!("1\n{stem}/A\n")).unwrap();
        prop_assert_eq!(words_of(&dictionary), expected);
    }
}
