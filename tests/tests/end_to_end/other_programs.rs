//! Games and positions as other programs write them: read as they are, or refused by name.

use serde_json::Value;
use tilewright_tests::Workplace;

use super::workplace;

const PLAYERS: &str = "#character-encoding UTF-8\n#player1 P1 Player One\n#player2 P2 Player Two\n#lexicon enable2k\n";
/// A game up to the moment when the bag becomes empty.
const GAME: &str = "\
>P1: BEILORU 8H OUREBI +22 22
>P2: AADEEEN L8 .EANED +18 18
>P1: FLSSTT? I6 FL.TiSTS +63 85
>P2: AELOSTU M10 AUTO +20 38
>P1: AAGILMY 13B MYALGIA. +80 165
>P2: EILPRRS D7 REPRIS.L +72 110
>P1: EHIOOU? 14C O.IO +18 183
>P2: ACDELMO H1 COMADE +41 151
>P1: EHIOUU? N9 UH +27 210
>P2: AACILNS K1 CANALIS. +70 221
>P1: EIOOTU? 1B OUTvOI.E +60 270
>P2: ABEEKPY 15F BEAKY +48 269
>P1: AGHINVW 2J W.VING +42 312
>P2: DEEIPQT 4J Q.ID +28 297
>P1: AFGHIOR O7 FOH +32 344
>P2: EEJNPTX B10 EXE.PT +52 349
>P1: AGINRRT 6G R.. +6 350
>P2: DEEEJNV A7 EVENED +52 401
>P1: AGINRTW K11 GNAW +31 381
";
/// The play with which its first player goes out.
const END: &str = ">P1: IRT 3E TRI. +7 388\n";

/// The first events of that game.
fn first(events: usize) -> String {
    PLAYERS.to_string() + &GAME.split_inclusive('\n').take(events).collect::<String>()
}

fn annotated(place: &Workplace, game: &str) -> (String, Value) {
    place.write("game.gcg", game);
    let _ = std::fs::remove_file(place.path("game.json"));
    let text = place.succeed(&["game", "annotate", "game.gcg", "--threads", "1", "--json", "game.json"]);
    (text, serde_json::from_slice(&std::fs::read(place.path("game.json")).unwrap()).unwrap())
}

fn last_turn(game: &Value) -> &Value {
    game["games"][0]["turns"].as_array().unwrap().last().unwrap()
}

fn summary(game: &Value, player: usize) -> [u64; 3] {
    ["turns", "judged", "mistakes"].map(|figure| game["players"][player][figure].as_u64().unwrap())
}

#[test]
fn after_the_out_play_only_a_challenge_comes() {
    let place = workplace();
    let whole = [PLAYERS, GAME, ">P2: JNRZ 10H Z.N +13 414\n", END].concat();
    let out = ">P1:  (JR) +18 406\n";
    let (_, without) = annotated(&place, &[&whole, out].concat());
    // A pass, with the note of Macondo and without it, and our own form.
    for challenge in
        [">P2: JR - +0 414\n", ">P2: JR - +0 414\n#note #unsuccessful-challenge\n", ">P2: JR (challenge) +0 414\n"]
    {
        let (_, game) = annotated(&place, &[&whole, challenge, out].concat());
        assert_eq!(
            [0, 1].map(|player| summary(&game, player)),
            [0, 1].map(|player| summary(&without, player)),
            "{challenge}"
        );
        assert_eq!(game["players"][1]["lost"], without["players"][1]["lost"]);
    }
    for wrong in [">P2: JR B1 .R +2 416\n", ">P2: JR -J +0 414\n"] {
        place.write("wrong.gcg", [&whole, wrong].concat());
        place.refuse(&["game", "show", "wrong.gcg"], &["line 26: P2 moves after the end of the game"]);
    }
}

#[test]
fn a_turn_lost_by_a_challenge_is_no_choice_of_a_move() {
    let (text, game) = annotated(&workplace(), &(first(3) + ">P2: AELOSTU - +0 18\n#note #unsuccessful-challenge\n"));
    let last = last_turn(&game);
    assert_eq!(
        (last["move"].as_str(), &last["judged"], &last["not_judged"]),
        (Some("challenge"), &Value::Null, &Value::Null)
    );
    assert_eq!(summary(&game, 1)[1..], [1, 0], "{text}");
}

#[test]
fn racks_with_an_empty_bag_follow_by_elimination() {
    let place = workplace();
    let ends = [
        // The tiles left at the end, the next rack of the opponent, and both in part.
        [">P2: NZ 10H Z.N +13 414\n", ">P1: IRT 3E TRI. +7 388\n", ">P1:  (JR) +18 406\n"],
        [">P2: NZ 10H Z.N +13 414\n", ">P1: IRT 3E TRI. +7 388\n", ""],
        [">P2: NZ 10H Z.N +13 414\n", ">P1:  3E TRI. +7 388\n", ""],
    ];
    for end in ends {
        let (text, game) = annotated(&place, &[&[PLAYERS, GAME][..], &end].concat().concat());
        let turn = &game["games"][0]["turns"][19];
        assert_eq!((turn["judged"]["by"].as_str(), &turn["not_judged"]), (Some("endgame"), &Value::Null), "{text}");
        assert_eq!(turn["judged"]["loss"].as_f64(), Some(0.0), "{text}");
    }
    // Neither rack is known.
    let (_, game) =
        annotated(&place, &[PLAYERS, GAME, ">P2: NZ 10H Z.N +13 414\n", ">P1: R 3E ..R. +3 384\n"][..3].concat());
    assert_eq!(last_turn(&game)["not_judged"].as_str(), Some("2 of 4 tiles of the rack are known"));
}

#[test]
fn a_rack_with_brackets_is_read_strictly_and_one_of_two_readings_is_refused() {
    let place = workplace();
    place.write("words.txt", "CORRE\nCARROS\nCHAROS\nROSA\nCHIRAS\n");
    let moves = |more: &[&str]| {
        let common = ["moves", "--tileset", "spanish", "--lexicon", "words.txt", "--player", "greedy", "--json", "-"];
        place.run(&[&common[..], more].concat())
    };
    let cgp = format!("{} A[CH]OSRRI/ 0/0 0", ["15"; 15].join("/"));
    for more in [["--rack", "A[CH]OSRRI"], ["--rack", "a[ch]orsri"], ["--cgp", &cgp]] {
        let json: Value = serde_json::from_str(&moves(&more).output).unwrap();
        assert_eq!((json["rack"].as_str(), json["bag"].as_u64()), (Some("A[CH]IORRS"), Some(86)), "{more:?}");
    }
    let refused = moves(&["--rack", "AOSRRI"]);
    assert_eq!(refused.code, 2);
    assert!(refused.errors.contains("can be the tiles A I O [RR] S or the tiles A I O R R S"), "{}", refused.errors);
}

#[test]
fn words_after_the_total_are_left_alone_with_a_warning() {
    let place = workplace();
    place.write(
        "game.gcg",
        first(0) + ">P1: BEILORU   8h   OUREBI           +22   22\n>P2: AADEEEN   l8   .EANED           +18   18  BEANED\n",
    );
    let shown = place.run(&["game", "show", "game.gcg"]);
    assert_eq!(shown.code, 0, "{}", shown.errors);
    assert!(shown.output.contains("L8 (B)EANED") && shown.errors.contains("\"BEANED\" after the total"), "{}", shown.errors);
}

#[test]
fn points_at_the_end_and_of_withdrawn_plays_are_counted_in_both_ways() {
    let place = workplace();
    let show = |game: &str| {
        place.write("game.gcg", game);
        place.run(&["game", "show", "game.gcg"])
    };
    // Quackle withdraws a play by its total.
    for withdrawn in [">P2: AADEEEN -- +0 0\n", ">P2: AADEEEN -- -18 0\n"] {
        let shown = show(&(first(2) + withdrawn + ">P1: FLSSTT? I6 FL.TiSTS +63 85\n"));
        assert_eq!(shown.code, 0, "{}", shown.errors);
    }
    let wrong = show(&(first(2) + ">P2: AADEEEN -- +0 18\n"));
    assert!(wrong.errors.contains("line 7: withdrawing the play scores -18, not +0"), "{}", wrong.errors);
    // The tiles left count twice for the one player, or once for each.
    let whole = [PLAYERS, GAME, ">P2: JNRZ 10H Z.N +13 414\n", END].concat();
    for end in
        [">P1:  (JR) +18 406\n", ">P1:  (JR) +9 397\n>P2: JR (JR) -9 405\n", ">P2: JR (JR) -9 405\n>P1:  (JR) +9 397\n"]
    {
        let shown = show(&(whole.clone() + end));
        assert_eq!(shown.code, 0, "{end}: {}", shown.errors);
    }
    for (end, reason) in [
        (">P1:  (JR) +9 397\n", "twice the opponent's tiles scores +18, not +9"),
        (">P1:  (JR) +18 406\n>P2: JR (JR) -9 405\n", "which the opponent loses, scores +9, not +18"),
    ] {
        let shown = show(&(whole.clone() + end));
        assert!(shown.code == 2 && shown.errors.contains(reason), "{end}: {}", shown.errors);
    }
}

#[test]
fn other_boards_variants_and_numbers_of_players_are_refused_by_name() {
    let place = workplace();
    let empty = format!("{} AEINRST/ 0/0 0", ["15"; 15].join("/"));
    let moves =
        |opcodes: &str| place.run(&["moves", "--top", "1", "--player", "greedy", "--cgp", &format!("{empty} {opcodes}")]);
    for (opcodes, reason) in [
        ("bdn SuperCrosswordGame;", "bdn SuperCrosswordGame: the board in use is standard"),
        ("var wordsmog;", "var wordsmog: this variant is another game"),
        ("bb 35;", "bb 35: the english tile set has 50"),
        ("xyz 1;", "xyz: unknown opcode"),
    ] {
        let refused = moves(opcodes);
        assert!(refused.code == 2 && refused.errors.contains(reason), "{opcodes}: {}", refused.errors);
    }
    for opcodes in ["bdn CrosswordGame; var classic; cr double; tmr 1000/2000;", "-lex enable2k; -ld english;"] {
        let shown = moves(opcodes);
        assert!(shown.code == 0 && shown.errors.is_empty(), "{opcodes}: {}", shown.errors);
    }
    for (pragma, reason) in [
        ("#game-type wordsmog", "#game-type wordsmog: this variant is another game"),
        ("#board-layout SuperCrosswordGame", "the board in use is standard"),
        ("#player3 P3 Player Three", "line 5: #player3: games of more than two players are not supported"),
    ] {
        place.write("game.gcg", format!("{PLAYERS}{pragma}\n{GAME}"));
        place.refuse(&["game", "show", "game.gcg"], &["game.gcg: ", reason]);
    }
}
