//! Random games are written and read back: every position as CGP, the whole game as GCG. Both readers also get damaged text.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::Index;
use rand::RngExt;
use tilewright_engine::deals::Domain;
use tilewright_engine::evaluator::Greedy;
use tilewright_engine::game::Game;
use tilewright_engine::game::cgp::{self, CgpPosition};
use tilewright_engine::game::gcg::{self, GcgAction, GcgGame, GcgPlayer};
use tilewright_engine::movegen::Generator;
use tilewright_engine::moves::Move;
use tilewright_engine::rng::stream;
use tilewright_engine::setup::Setup;
use tilewright_engine::static_player::StaticPlayer;
use tilewright_engine::tileset::TileSet;

/// Short words with frequent letters and every digraph, so that most racks have a play and some do not.
const SPANISH_WORDS: &str = "\
    AL\nAS\nCHE\nCHAL\nDE\nEL\nEN\nES\nLA\nLE\nLLA\nLLE\nNO\nOS\nRE\nSE\nSI\nSU\nTE\nTU\nUN\nYA\nYO\nAÑO\nUÑA\nARRE\nERRA\n\
    CASA\nCOSA\nLUNA\nPERRO\nCHURRO\nLLAVE\nNIÑO\nMESA\nSERA\nRATO\nTARDE\nDADO\nPASO\nCALLE\nLECHE\nZORRO\nAIRE\nOIR\n\
    AEREO\nRADIO\nARENOSA\nRESTADO\nTEORIAS\nCANTOR\nSACO\nOCA\nOLA\nALA\nASO\nESO\nESA\nOSA\nUSO\nIDEA\nODA\nADA\nQUE\nGAJO\n\
    FIJO\nHAZ\nHOY\nBOXEO\nVEZ\nJUEZ\nMIX\nXI\nEX\nOX\n";

static SETUPS: LazyLock<[Setup; 3]> = LazyLock::new(|| {
    let embedded = |name| Setup::embedded(name).expect("an embedded tile set");
    let spanish = TileSet::embedded("spanish").expect("an embedded tile set");
    let spanish = Setup::from_words(spanish, SPANISH_WORDS).expect("the words of this file");
    [embedded("english"), spanish, embedded("english_super")]
});

fn players() -> [GcgPlayer; 2] {
    [GcgPlayer::named("Ana Núñez"), GcgPlayer::named("bob")]
}

/// Plays a game with best and random moves. `look` receives every position.
fn play(setup: &Setup, index: u64, mut look: impl FnMut(&Game)) -> (Game, GcgGame) {
    let player = StaticPlayer::new(Greedy);
    let mut choices = stream(1, "choice", index);
    let mut game = Game::deal(setup, Domain::Match.deals(11), index);
    let mut generator = Generator::new(setup);
    let mut record = GcgGame::new(setup, players());
    record.pragma("title", "A game of the tests");
    // Some games stay unfinished, some end by passes, most are played out.
    let (stop, passes) = (if index % 5 == 4 { 9 } else { 500 }, if index % 7 == 6 { 12 } else { 500 });
    for turn in 0..stop {
        look(&game);
        if game.is_over() {
            break;
        }
        let chosen = if turn >= passes {
            Move::Pass
        } else if choices.random_range(0..3) == 0 {
            let moves = player.rank(&mut generator, &game.turn(setup));
            moves[choices.random_range(0..moves.len())].chosen
        } else {
            player.choose(&mut generator, &game.turn(setup)).chosen
        };
        record.record(&game, &chosen);
        if turn == 3 {
            record.note("the fourth move\n\n#not a pragma\n>nor an event");
        }
        game.make(setup, &chosen);
    }
    let written = record.finish(setup, &game);
    (game, written)
}

fn games(name: usize, count: u64) -> impl Iterator<Item = (&'static Setup, u64)> {
    (0..count).map(move |index| (&SETUPS[name], index))
}

#[test]
fn every_position_is_read_from_cgp_as_it_was_written() {
    for (setup, index) in games(0, 15).chain(games(1, 25)).chain(games(2, 4)) {
        play(setup, index, |game| {
            let position = CgpPosition::from_game(game, setup);
            let line = position.write(&setup.tileset);
            assert_eq!(cgp::opcodes(&line).unwrap(), position.opcodes);
            let read = cgp::read(&line, &setup.tileset, setup.layout.side());
            assert_eq!(read.as_ref(), Ok(&position), "{line}");
        });
    }
}

#[test]
fn every_game_is_read_from_gcg_as_it_was_written_and_replays_to_its_end() {
    let mut ends = [0; 3];
    for (setup, index) in games(0, 30).chain(games(1, 60)).chain(games(2, 6)) {
        let mut positions = Vec::new();
        let (last, game) = play(setup, index, |game| positions.push(game.clone()));
        let text = game.write(&setup.tileset);
        let read = gcg::read(text.as_bytes(), &setup.tileset).unwrap();
        assert_eq!(read, game, "{text}");
        assert_eq!(read.write(&setup.tileset), text);
        for record in [&read, &game] {
            let replayed: Vec<_> = gcg::replay(record, setup).collect::<Result<_, _>>().unwrap_or_else(|error| {
                panic!("{error}\n{text}");
            });
            for ((after, expected), event) in replayed.iter().zip(&positions[1..]).zip(&record.events) {
                assert_eq!(&after.board, expected.board());
                assert_eq!(
                    (after.to_move, after.scoreless_turns, after.passes),
                    (expected.to_move, expected.scoreless_turns, expected.passes)
                );
                assert_eq!((after.bag, after.held), (expected.bag.len(), expected.racks.map(|rack| rack.size())));
                assert!(after.chosen.is_some(), "{event:?}");
            }
            let end = replayed.last().unwrap();
            assert_eq!((&end.board, end.scores), (last.board(), last.scores), "{text}");
        }
        match read.events.last().map(|event| &event.action) {
            Some(GcgAction::Out(_)) => ends[0] += 1,
            Some(GcgAction::Penalty(_)) if last.is_over() => ends[1] += 1,
            _ => ends[2] += 1,
        }
    }
    assert!(ends.iter().all(|&count| count >= 5), "went out, passed out, unfinished: {ends:?}");
}

/// Texts to damage: finished and unfinished games, and one with every other kind of line.
static TEXTS: LazyLock<Vec<(usize, String)>> = LazyLock::new(|| {
    let mut texts = vec![(
        1,
        "#character-encoding utf-8\n#player1 a A\n#player2 b B\n#description x\ny\n#- z\n#note 1\n\
         >a: [CH]AÑL? 8H L[CH]a +12 12\n>a: [CH]AÑL? -- -12 0\n>b:  8G (Ñ)[UNO]ñ. +9 9\n>b: (challenge) +5 14\n>a: -3 +0 0\n\
         >b: (time) -10 4\n>b: (A[CH]) +12 16\n>a: ?? (??) -0 0\n#rack1 A[LL]\n"
            .to_string(),
    )];
    for (name, index) in [(0, 0), (0, 4), (1, 1), (1, 6)] {
        texts.push((name, play(&SETUPS[name], index, |_| {}).1.write(&SETUPS[name].tileset)));
    }
    texts
});

static LINES: LazyLock<Vec<(usize, String)>> = LazyLock::new(|| {
    let mut lines = Vec::new();
    for (name, index) in [(0, 1), (1, 2)] {
        let setup = &SETUPS[name];
        play(setup, index, |game| lines.push((name, CgpPosition::from_game(game, setup).write(&setup.tileset))));
    }
    lines
});

/// Fragments that a reader treats specially, inserted in random places.
const FRAGMENTS: [&str; 32] = [
    "#",
    "#-",
    ">",
    ":",
    " ",
    "\n",
    "\r",
    "-",
    "--",
    "(",
    ")",
    "[",
    "]",
    "[CH",
    "?",
    ".",
    "/",
    ";",
    "0",
    "99999999999999999999",
    "(time)",
    "(challenge)",
    "+",
    "8H",
    "H8",
    "U21",
    "Ñ",
    "\u{feff}",
    "\u{a0}",
    "a",
    "#player1 ",
    "#note ",
];

/// A damage: its place, the number of bytes that it removes, and the bytes that it inserts.
type Damage = (Index, usize, Vec<u8>);

fn damages() -> impl Strategy<Value = Vec<Damage>> {
    let fragment = prop_oneof![
        5 => proptest::sample::select(&FRAGMENTS[..]).prop_map(|fragment| fragment.as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..4),
    ];
    proptest::collection::vec((any::<Index>(), prop_oneof![3 => 0..3usize, 1 => 0..60usize], fragment), 1..5)
}

fn damaged(text: &str, damages: &[Damage]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for (place, length, fragment) in damages {
        let at = place.index(bytes.len() + 1);
        let end = (at + length).min(bytes.len());
        bytes.splice(at..end, fragment.iter().copied());
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(6000) })]

    #[test]
    fn damaged_gcg_is_an_error_or_is_read_as_written(text in any::<Index>(), damages in damages()) {
        let (name, text) = text.get(&TEXTS);
        let bytes = damaged(text, &damages);
        let setup = &SETUPS[*name];
        let _ = gcg::pragmas(&bytes);
        if let Ok(game) = gcg::read(&bytes, &setup.tileset) {
            let written = game.write(&setup.tileset);
            let again = gcg::read(written.as_bytes(), &setup.tileset);
            prop_assert_eq!(again.as_ref(), Ok(&game), "{}", written);
            prop_assert_eq!(again.unwrap().write(&setup.tileset), written);
            for other in &*SETUPS {
                gcg::replay(&game, other).for_each(drop);
            }
        }
    }

    #[test]
    fn damaged_cgp_is_an_error_or_is_read_as_written(line in any::<Index>(), damages in damages(), side in 13..23usize) {
        let (name, line) = line.get(&LINES);
        let bytes = damaged(line, &damages);
        let text = String::from_utf8_lossy(&bytes);
        let tileset = &SETUPS[*name].tileset;
        let _ = cgp::opcodes(&text);
        for side in [15, side] {
            if let Ok(position) = cgp::read(&text, tileset, side) {
                let written = position.write(tileset);
                prop_assert_eq!(cgp::read(&written, tileset, side), Ok(position), "{}", written);
            }
        }
    }

    #[test]
    fn any_text_is_read_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), text in "\\PC{0,80}") {
        let setup = &SETUPS[1];
        for bytes in [&bytes, text.as_bytes()] {
            let _ = gcg::pragmas(bytes);
            let _ = gcg::read(bytes, &setup.tileset);
        }
        let _ = cgp::read(&text, &setup.tileset, 15);
    }
}
