//! Leave tables of other tools: each is read correctly or refused with the reason.

use tilewright_engine::equity::Equity;
use tilewright_engine::leave::klv::KlvError;
use tilewright_engine::leave::{LeaveTable, csv, klv};
use tilewright_engine::tileset::TileSet;

fn tiles(name: &str) -> &'static str {
    tilewright_engine::configs::text("tilesets", name).expect("an embedded tile set")
}

fn tileset(text: &str) -> TileSet {
    TileSet::from_toml(text, "test").expect("a tile set")
}

/// Returns a table in which nearly every leave has a different value.
fn numbered(tileset: &TileSet) -> LeaveTable {
    let mut table = LeaveTable::zero(tileset);
    for index in 1..table.ranking().len() {
        table.set(index, Equity((index as i64 * 7919 % 60_000) as i32 - 30_000));
    }
    table
}

fn as_klv(table: &LeaveTable) -> Vec<u8> {
    klv::write(table).expect("few enough nodes")
}

/// Returns the file of a table in the older form, with values of 16 bits.
fn as_klv1(table: &LeaveTable) -> Vec<u8> {
    let mut bytes = as_klv(table);
    let values = bytes.split_off(bytes.len() - 4 * (table.values().len() - 1));
    for raw in values.chunks_exact(4) {
        let points = f32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]]);
        bytes.extend_from_slice(&((points * 256.0).round() as i16).to_le_bytes());
    }
    bytes
}

fn refusal(bytes: &[u8], tileset: &TileSet) -> KlvError {
    klv::read(bytes, tileset).expect_err("a refusal")
}

#[test]
fn older_files_with_values_of_16_bits_are_read_exactly() {
    let english = tileset(tiles("english"));
    let table = numbered(&english);
    let (again, leaves) = klv::read(&as_klv1(&table), &english).expect("a table");
    assert_eq!((leaves, again.estimated()), (914_624, 0));
    for (value, exact) in again.values().iter().zip(table.values()) {
        let sixteen_bits = (exact.points() * 256.0).round() / 256.0;
        assert_eq!(value.0, (sixteen_bits * 1000.0).round() as i32, "{exact}");
    }
    let zeros = LeaveTable::zero(&english);
    assert_eq!(klv::read(&as_klv1(&zeros), &english).expect("a table").0.values(), zeros.values());
}

#[test]
fn a_truncated_file_is_refused() {
    let spanish = TileSet::embedded("spanish").expect("a tile set");
    let table = numbered(&spanish);
    let bytes = as_klv(&table);
    // A file without the second half of its values has the length of the older form.
    let half = bytes.len() - 2 * (table.values().len() - 1);
    for length in (0..bytes.len()).step_by(bytes.len() / 300).chain([half - 1, half, half + 1, bytes.len() - 1]) {
        let error = refusal(&bytes[..length], &spanish);
        assert!(matches!(error, KlvError::Truncated { .. }), "{length}: {error}");
    }
}

/// Returns the Swedish tile set as wolges and MAGPIE number it: letters without a tile have a number too.
fn swedish_with_all_letters() -> TileSet {
    let mut text = tiles("swedish").to_string();
    for (before, added) in [("R", "Q"), ("X", "W"), ("Z", "Ü"), ("Ö", "Æ")] {
        let place = text.find(&format!("    {{ letter = \"{before}\"")).expect("the letter");
        text.insert_str(place, &format!("    {{ letter = \"{added}\", count = 0, value = 0 }},\n"));
    }
    tileset(&text)
}

#[test]
fn a_file_with_another_order_of_letters_is_refused_and_can_be_converted_by_csv() {
    let (ours, theirs) = (tileset(tiles("swedish")), swedish_with_all_letters());
    let table = numbered(&ours);
    let (moved, _) = csv::read(&csv::write(&table, &ours), &theirs).expect("the same leaves");
    assert_eq!(moved.estimated(), 0);
    let bytes = as_klv(&moved);
    let error = refusal(&bytes, &ours);
    assert!(matches!(error, KlvError::Letter(_)) && error.to_string().contains("in the same order"), "{error}");

    let (read, _) = klv::read(&bytes, &theirs).expect("in its own order");
    let (back, _) = csv::read(&csv::write(&read, &theirs), &ours).expect("the same leaves");
    assert_eq!(back.values(), table.values());
}

#[test]
fn letters_in_another_order_are_noticed_by_their_numbers_of_tiles() {
    let english = tileset(tiles("english"));
    let exchanged = |a: &str, b: &str| {
        let line = |letter| {
            tiles("english").lines().find(|line| line.contains(&format!("letter = \"{letter}\""))).expect("a letter")
        };
        let (a, b) = (line(a), line(b));
        tileset(&tiles("english").replace(a, "    #").replace(b, a).replace("    #", b))
    };
    let error = refusal(&as_klv(&LeaveTable::zero(&exchanged("A", "B"))), &english);
    assert!(matches!(&error, KlvError::Leave { leave, .. } if leave.contains("BBB")), "{error}");
    assert!(error.to_string().contains("number the letters in another order"), "{error}");
    // A limit of the format: J and Q have one tile each, so a swap of their numbers goes unnoticed.
    assert!(klv::read(&as_klv(&LeaveTable::zero(&exchanged("J", "Q"))), &english).is_ok());
}

#[test]
fn a_file_for_another_tile_set_is_refused_with_the_missing_leaves() {
    let english = tileset(tiles("english"));
    let bytes = as_klv(&LeaveTable::zero(&english));
    let large = TileSet::embedded("english_super").expect("a tile set");
    let error = refusal(&bytes, &large);
    let KlvError::Missing { missing, all, .. } = &error else { panic!("{error}") };
    assert_eq!((all - missing, all + 1), (914_624, LeaveTable::zero(&large).values().len()));
    let nothing = [2u32, 1 << 22, 1 << 22, 0].map(u32::to_le_bytes).concat();
    assert!(matches!(refusal(&nothing, &english), KlvError::Missing { missing: 914_624, .. }));
    let polish = as_klv(&LeaveTable::zero(&TileSet::embedded("polish").expect("a tile set")));
    assert!(matches!(refusal(&polish, &english), KlvError::Letter(_)));
}

/// Returns a file with these leaves, which must be sorted, each worth one point.
fn spelled(leaves: &[&[u8]]) -> Vec<u8> {
    /// Adds the list of continuations and returns its index.
    fn list(nodes: &mut Vec<u32>, leaves: &[&[u8]]) -> u32 {
        let begin = nodes.len();
        let letters: Vec<&[&[u8]]> = leaves.chunk_by(|a, b| a[0] == b[0]).collect();
        nodes.resize(begin + letters.len(), 0);
        for (place, same) in letters.iter().enumerate() {
            let rest: Vec<&[u8]> = same.iter().map(|leave| &leave[1..]).filter(|rest| !rest.is_empty()).collect();
            let (accepts, last) = (rest.len() < same.len(), place + 1 == letters.len());
            let children = if rest.is_empty() { 0 } else { list(nodes, &rest) };
            nodes[begin + place] = u32::from(same[0][0]) << 24 | u32::from(accepts) << 23 | u32::from(last) << 22 | children;
        }
        begin as u32
    }
    let mut nodes = vec![0, 1 << 22];
    nodes[0] = 1 << 22 | list(&mut nodes, leaves);
    let mut words = vec![nodes.len() as u32];
    words.extend(nodes);
    words.push(leaves.len() as u32);
    words.extend(leaves.iter().map(|_| 1f32.to_bits()));
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn the_order_of_the_letters_of_a_leave_does_not_matter() {
    let tiny = tileset(
        r#"
        name = "tiny"
        board = "standard"
        total_tiles = 8
        total_points = 7
        blanks = 1
        letters = [{ letter = "A", count = 4, value = 1, vowel = true }, { letter = "B", count = 3, value = 1 }]
        [rules]
        rack_size = 3
        bingo_bonus = 50
        exchange_minimum = 1
    "#,
    );
    let all: [&[u8]; 8] = [&[0], &[1], &[1, 0], &[1, 1], &[2], &[2, 0], &[2, 1], &[2, 2]];
    let (table, leaves) = klv::read(&spelled(&all), &tiny).expect("a table");
    assert_eq!(leaves, 8);
    assert!(table.values()[1..].iter().all(|&value| value == Equity(1000)));

    let twice: [&[u8]; 9] = [&[0], &[1], &[1, 0], &[1, 1], &[1, 2], &[2], &[2, 0], &[2, 1], &[2, 2]];
    assert_eq!(refusal(&spelled(&twice), &tiny), KlvError::Twice { leave: "BA".into() });
    let most: [&[u8]; 7] = [&[0], &[1], &[1, 0], &[1, 1], &[2], &[2, 0], &[2, 2]];
    let error = refusal(&spelled(&most), &tiny).to_string();
    assert!(error.contains("lacks 1 of the 8 leaves of the tiny tile set; the first is AB"), "{error}");
    let long: [&[u8]; 2] = [&[0], &[1, 1, 1, 1]];
    assert!(matches!(refusal(&spelled(&long), &tiny), KlvError::Leave { leave, .. } if leave == "AAAA"));
    let none: [&[u8]; 2] = [&[0], &[0, 0, 1]];
    assert!(matches!(refusal(&spelled(&none), &tiny), KlvError::Leave { leave, .. } if leave == "??A"));

    // A census has full racks too.
    let census: [&[u8]; 10] = [&[0], &[1], &[1, 0], &[1, 1], &[1, 1, 1], &[1, 1, 2], &[2], &[2, 0], &[2, 1], &[2, 2]];
    let (of_census, leaves) = klv::read(&spelled(&census), &tiny).expect("a table");
    assert_eq!((leaves, of_census.values()), (8, table.values()));

    let mut few = spelled(&all);
    let count = few.len() - 4 * 9;
    few[count] = 7;
    few.truncate(few.len() - 4);
    assert_eq!(refusal(&few, &tiny), KlvError::Count { values: 7 });
}
