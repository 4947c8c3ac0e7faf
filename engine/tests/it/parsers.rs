//! No parser panics on damaged input: each gets thousands of mutations of a valid file.

use proptest::prelude::{any, prop_assert, proptest};
use rand::{Rng, RngExt};
use tilewright_engine::artefact::{Lexicons, Loader};
use tilewright_engine::deals::Purpose;
use tilewright_engine::game::Game;
use tilewright_engine::game::reading::read_move;
use tilewright_engine::layout::Layout;
use tilewright_engine::leave::{LeaveTable, csv, klv};
use tilewright_engine::lexicon::{LineForm, WordList};
use tilewright_engine::moves::notation;
use tilewright_engine::player::external::{Hello, MoveRequest, ToPlayer};
use tilewright_engine::player::{Host, Player};
use tilewright_engine::rack::Rack;
use tilewright_engine::rng::{Stream, stream};
use tilewright_engine::setup::Setup;
use tilewright_engine::tileset::{Style, TileSet};
use tilewright_engine::turn::Turn;
use tilewright_engine::win_percentage::{WinPercentage, csv as win_csv, export, import};

const MUTATIONS: u64 = 3000;

/// Fragments that parsers treat specially, in addition to single bytes.
const FRAGMENTS: [&str; 14] =
    ["[", "]", "?", "\n", ",", "=", "-1", "999999999999999999999", "CH", "ñ", "\u{feff}", "\u{0}", "İ", "ß"];

/// Makes a few random changes: it replaces bytes, inserts fragments, and removes or repeats pieces.
fn mutate(bytes: &[u8], stream: &mut Stream) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..stream.random_range(1..6) {
        let at = stream.random_range(0..=bytes.len());
        let end = (at + stream.random_range(0..20)).min(bytes.len());
        match stream.random_range(0..4) {
            0 if at < bytes.len() => bytes[at] = stream.next_u32() as u8,
            1 => drop(bytes.drain(at..end)),
            2 => {
                let piece = bytes[at..end].to_vec();
                drop(bytes.splice(at..at, piece));
            }
            _ => drop(bytes.splice(at..at, FRAGMENTS[stream.random_range(0..FRAGMENTS.len())].bytes())),
        }
    }
    bytes
}

/// Gives many mutations of `good` to `parse`, which returns whether it accepts its input, and must refuse at least one.
fn survive(name: &str, good: &[u8], parse: impl Fn(&[u8]) -> bool) {
    assert!(parse(good), "{name}: the valid input was refused");
    let accepted = (0..MUTATIONS).filter(|&index| parse(&mutate(good, &mut stream(1, name, index)))).count();
    assert!((accepted as u64) < MUTATIONS, "{name}: every mutation was accepted");
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn tile_sets() {
    let good = tilewright_configs::text("tilesets", "spanish");
    survive("tile set", good.as_bytes(), |bytes| TileSet::from_toml(&text(bytes), "x").is_ok());
}

#[test]
fn boards() {
    let good = tilewright_configs::text("boards", "standard");
    survive("board", good.as_bytes(), |bytes| Layout::from_toml(&text(bytes), "x").is_ok());
}

#[test]
fn word_lists() {
    let spanish = TileSet::embedded("spanish").expect("an embedded set");
    let good = "CHURRO\nCALLE\nÑU\nAÑO\nPERRO\n".as_bytes();
    let clean = |path: &str, bytes: &[u8]| {
        WordList::from_bytes(bytes, path.as_ref(), &spanish, 15, LineForm::default())
            .is_ok_and(|list| list.report.is_clean())
    };
    survive("word list", good, |bytes| clean("x.txt", bytes));
    let mut zipped = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut zipped, good).expect("memory");
    survive("zipped word list", &zipped.finish().expect("memory"), |bytes| clean("x.txt.gz", bytes));
}

#[test]
fn leave_tables() {
    // A tile set with few leaves, so that thousands of tables are fast.
    let few = r#"
        name = "few"
        board = "standard"
        total_tiles = 12
        total_points = 14
        blanks = 1
        letters = [{ letter = "A", count = 6, value = 1, vowel = true }, { letter = "CH", count = 3, value = 2 }, { letter = "Ñ", count = 2, value = 1 }]
        [rules]
        rack_size = 4
        bingo_bonus = 50
        exchange_minimum = 4
    "#;
    let few = TileSet::from_toml(few, "few").expect("a tile set");
    let good = csv::write(&LeaveTable::zero(&few), &few);
    survive("leave table", good.as_bytes(), |bytes| csv::read(&text(bytes), &few).is_ok());
    let good = klv::write(&LeaveTable::zero(&few)).expect("few nodes");
    survive("klv2", &good, |bytes| klv::read(bytes, &few).is_ok());
    for index in 0..MUTATIONS {
        let mut stream = stream(1, "bytes", index);
        let length = stream.random_range(0..200);
        // Every other input has small numbers, so that the lengths in the header sometimes fit.
        let most = if index % 2 == 0 { 255 } else { 8 };
        let bytes: Vec<u8> = (0..length).map(|_| (stream.next_u32() % (most + 1)) as u8).collect();
        let _ = klv::read(&bytes, &few);
    }
}

#[test]
fn racks_words_and_plays() {
    let spanish = TileSet::embedded("spanish").expect("an embedded set");
    let board = tilewright_engine::board::Board::new(15);
    survive("rack", "AC[CH]RR?".as_bytes(), |bytes| Rack::parse(&text(bytes), &spanish).is_ok());
    survive("word", "[CH]URRO".as_bytes(), |bytes| spanish.parse(&text(bytes), Style::Greedy).is_ok());
    survive("play", "8H [CH]URRO".as_bytes(), |bytes| {
        let text = text(bytes);
        let (coordinate, word) = text.split_once(' ').unwrap_or((&text, ""));
        notation::read_play(coordinate, word, &board, &spanish).is_ok()
    });
}

#[test]
fn moves_and_requests_of_external_players() {
    let setup = Setup::from_words(
        TileSet::embedded("spanish").expect("an embedded set"),
        "CHURRO\nCALLE\nÑU\nAÑO\nPERRO\nCHE\nES\nSE\n",
    )
    .expect("the words of this test");
    let greedy = Player::from_name("greedy", Loader::new(&setup)).expect("a player");
    let game = Game::deal(&setup, Purpose::Match.deals(1), 0);
    survive("move", "8H CALLE".as_bytes(), |bytes| {
        let rack = Rack::parse("CALEE", &setup.tileset).expect("a rack");
        let turn = Turn { rack, ..game.turn(&setup) };
        let text = text(bytes);
        text == "8H CALLE" || read_move(&text, &turn).is_ok()
    });
    let mut host = Host::new(&setup, &greedy, Lexicons::Same);
    let hello = serde_json::to_vec(&ToPlayer::Hello(Box::new(Hello::new(&setup)))).expect("a message");
    survive("greeting", &hello, |bytes| Host::new(&setup, &greedy, Lexicons::Same).handle_line(bytes).error.is_none());
    host.handle_line(&hello);
    let empty = |rows| "15/".repeat(rows);
    let cgp = format!("{}7[CH]U[RR]O4/{}15 CALLÑE?/ 10/-3 0 lex x;", empty(7), empty(6));
    let request = MoveRequest { cgp, last: Some("8H [CH]U[RR]O".into()), ..MoveRequest::default() };
    let request = serde_json::to_vec(&ToPlayer::Move(Box::new(request))).expect("a message");
    let host = std::cell::RefCell::new(host);
    survive("request", &request, |bytes| host.borrow_mut().handle_line(bytes).is_move);
}

proptest! {
    #[test]
    fn a_host_refuses_any_bytes_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let setup = Setup::from_words(TileSet::embedded("english").expect("an embedded set"), "CAT\nCATS\n").expect("two words");
        let greedy = Player::from_name("greedy", Loader::new(&setup)).expect("a player");
        let outcome = Host::new(&setup, &greedy, Lexicons::Same).handle_line(&bytes);
        prop_assert!(outcome.error.is_some() && outcome.reply.is_some_and(|reply| !reply.contains('\n')));
    }
}

#[test]
fn win_tables() {
    let small = WinPercentage::from_fn(3, 4, 6, |left, spread| {
        let lead = f64::from(spread) / (1.0 + left.unseen() as f64);
        1.0 / (1.0 + (-lead).exp())
    });
    let good = win_csv::write(&small);
    survive("win table", good.as_bytes(), |bytes| win_csv::read_table(&text(bytes)).is_ok());
    let table = import::read_any(&export::macondo(&small)).expect("its own export");
    let (mut macondo, mut magpie, mut quackle) = (String::from(",0,1,2\n"), String::new(), String::new());
    for lead in (-4..=4).rev() {
        macondo += &format!("{lead},0.5,{},0.5\n", if lead > 0 { 0.75 } else { 0.25 });
    }
    for unseen in 1..=2 {
        magpie += &format!("10{}\n", " 7".repeat(9));
        quackle += &(-4..=4).map(|lead| format!("{lead} {unseen} 0.25\n")).collect::<String>();
    }
    assert_eq!(table.rows.len(), 7);
    for (name, good) in [("macondo", macondo), ("magpie", magpie), ("quackle", quackle)] {
        survive(name, good.as_bytes(), |bytes| import::read_any(&text(bytes)).is_ok());
    }
}
