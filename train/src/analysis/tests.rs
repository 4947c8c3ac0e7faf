use std::collections::BTreeMap;
use std::path::Path;

use tilewright_engine::artefact::{ArtefactOrFile, Loader};
use tilewright_engine::deals::Domain;
use tilewright_engine::selfplay::play_game;
use tilewright_engine::{Generator, Move, Player, Setup, TileSet};

use super::*;
use crate::parquet_file::{Column, to_bytes, write};
use crate::records::{RecordFiles, RecordTable, Records};
use crate::test_support::made_up_words;

fn queries(table: RecordTable) -> Vec<&'static Query> {
    QUERIES.into_iter().filter(|query| query.table == table).collect()
}

fn answers(path: &Path, table: RecordTable, setup: &Setup) -> BTreeMap<&'static str, Vec<(String, Ratio)>> {
    let records = RecordFiles::new(path, ArtefactOrFile::File(path.into()), table);
    let rules = Rules::new(&setup.tileset, &setup.layout);
    let queries = queries(table);
    let found = tables(&records, &queries, &rules).unwrap();
    let labelled = |(query, rows): (&Query, Vec<Row>)| {
        (query.name, rows.into_iter().map(|row| ((query.label)(row.key, &rules), row.ratio)).collect())
    };
    queries.into_iter().zip(found).map(labelled).collect()
}

#[test]
fn hand_made_records_have_the_tables_that_one_counts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.parquet");
    let setup = Setup::embedded("english").unwrap();
    // Two games of three turns; RETAINS lays seven tiles, the others as many as are outside the parentheses.
    let rows = [
        (0, 0, "AEINRST", "8D RETAINS", 66),
        (0, 1, "AAIQUV?", "D7 A(R)", 4),
        (0, 2, "EE", "-EE", 0),
        (7, 0, "AEINRST", "8D RETAINS", 66),
        (7, 1, "EIOSTX?", "H1 EXISTe(N)", 50),
        (7, 2, "", "pass", 0),
    ];
    let texts = |text: fn(&(i64, i32, &str, &str, i32)) -> String| Column::Text(rows.iter().map(text).collect());
    let columns = [
        ("game", Column::Int64(rows.iter().map(|row| row.0).collect())),
        ("turn", Column::Int32(rows.iter().map(|row| row.1).collect())),
        ("rack", texts(|row| row.2.into())),
        ("move", texts(|row| row.3.into())),
        ("score", Column::Int32(rows.iter().map(|row| row.4).collect())),
    ];
    let columns: Vec<(String, Column)> = columns.map(|(name, column)| (name.to_string(), column)).into();
    write(&path, &columns, &[]).unwrap();
    let found = answers(&path, RecordTable::Turns, &setup);
    let ratios = |name: &str| found[name].iter().map(|(key, ratio)| (key.as_str(), ratio.x, ratio.n)).collect::<Vec<_>>();
    assert_eq!(ratios("bingos-by-turn"), [("1", 2, 2), ("2", 0, 2), ("3", 0, 2)]);
    assert_eq!(ratios("scores-by-turn"), [("1", 132, 2), ("2", 54, 2), ("3", 0, 2)]);
    assert_eq!(ratios("scores-by-two"), [("A", 4, 1), ("E", 0, 1)]);
    let by_tile = ratios("bingos-by-tile");
    assert!([("A", 2, 3), ("E", 2, 4), ("X", 0, 1), ("?", 0, 2)].iter().all(|row| by_tile.contains(row)), "{by_tile:?}");
    assert_eq!(ratios("tiles-laid"), [("0", 2, 6), ("1", 1, 6), ("6", 1, 6), ("7", 2, 6)]);
    assert_eq!(ratios("scores-by-tiles-laid"), [("0", 0, 2), ("1", 4, 1), ("6", 50, 1), ("7", 132, 2)]);
    assert_eq!(ratios("word-lengths"), [("2", 1, 4), ("7", 3, 4)]);
    assert_eq!(ratios("scores-by-word-length"), [("2", 4, 1), ("7", 182, 3)]);
    let squares = ratios("squares");
    assert!([("8D", 2, 2), ("8J", 2, 2), ("7D", 1, 2), ("1H", 1, 2), ("6H", 1, 2)].iter().all(|row| squares.contains(row)));
    assert_eq!(squares.len(), 7 + 1 + 6);
    assert!(ratios("scores-by-square").contains(&("7D", 4, 1)));
    // In the first game one of three turns is a bingo, in the other one of three too.
    let (_, bingos) = &found["tiles-laid"][3];
    assert_eq!((bingos.games, bingos.nn, bingos.nx, bingos.xx), (2, 18, 6, 2));
    assert!(bingos.half_width().abs() < 1e-9, "x is a third of n in both games");

    let foreign = to_bytes(&[("turn".to_string(), Column::Int32(vec![1]))], &[]).unwrap();
    std::fs::write(&path, foreign).unwrap();
    let records = RecordFiles::new(&path, ArtefactOrFile::File(path.clone()), RecordTable::Turns);
    let rules = Rules::new(&setup.tileset, &setup.layout);
    let error = tables(&records, &queries(RecordTable::Turns), &rules).unwrap_err().to_string();
    assert!(error.contains("games.parquet: ") && error.contains("game"), "{error}");
}

/// Sums per key, counted turn by turn.
#[derive(Default)]
struct Counted(BTreeMap<(&'static str, String), (i64, i64)>);

impl Counted {
    fn add(&mut self, table: &'static str, key: &impl ToString, x: i64) {
        let sums = self.0.entry((table, key.to_string())).or_default();
        *sums = (sums.0 + 1, sums.1 + x);
    }
}

#[test]
fn tables_of_games_are_those_counted_turn_by_turn() {
    for language in ["english", "spanish", "polish"] {
        let tileset = TileSet::embedded(language).unwrap();
        let words = made_up_words(&tileset);
        let setup = Setup::from_words(tileset, &words).unwrap();
        let player = Player::from_name("greedy", Loader::new(&setup)).unwrap();
        let mut generator = Generator::new(&setup);
        let (mut records, mut counted) = (Records::new(&setup), Counted::default());
        for index in 0..60 {
            let finished = play_game(&mut generator, [&player, &player], Domain::SelfPlay.deals(2), index, |seen| {
                records.add(&setup, index, ["a", "b"], seen);
                let (chosen, turn) = (seen.chosen.chosen, seen.number + 1);
                let score = i64::from(chosen.score());
                let laid = if let Move::Play(play) = chosen { play.tiles.len() } else { 0 };
                let bingo = i64::from(laid == setup.tileset.rules().rack_size);
                counted.add("bingos-by-turn", &turn, bingo);
                counted.add("scores-by-turn", &turn, score);
                counted.add("scores-by-tiles-laid", &laid, score);
                for (kind, count) in seen.game.turn(&setup).rack.kinds() {
                    let label = &setup.tileset.kinds()[usize::from(kind)].label;
                    counted.add("bingos-by-tile", label, bingo);
                    counted.add("scores-by-tile", label, score);
                    if count > 1 {
                        counted.add("scores-by-two", label, score);
                    }
                }
                if let Move::Play(play) = chosen {
                    for (square, _) in play.placements(seen.game.board()) {
                        let name = format!("{}{}", square.row + 1, char::from(b'A' + square.column));
                        counted.add("scores-by-square", &name, score);
                    }
                }
            });
            records.end_game(finished.scores);
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.parquet");
        write(&path, &records.into_table().columns, &[]).unwrap();
        let found = answers(&path, RecordTable::Turns, &setup);
        let names: std::collections::BTreeSet<&str> = counted.0.keys().map(|(name, _)| *name).collect();
        assert_eq!(names.len(), 7);
        for name in names {
            let expected: BTreeMap<&str, (i64, i64)> = counted
                .0
                .iter()
                .filter(|((table, _), _)| *table == name)
                .map(|((_, key), sums)| (key.as_str(), *sums))
                .collect();
            let rows: BTreeMap<&str, (i64, i64)> =
                found[name].iter().map(|(key, ratio)| (key.as_str(), (ratio.n, ratio.x))).collect();
            assert_eq!(rows, expected, "{language} {name}");
        }
    }
}

#[test]
fn hand_made_candidates_have_the_tables_that_one_counts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("valued.parquet");
    let setup = Setup::embedded("english").unwrap();
    // Game, turn, rank, bag, deals, gain, deviations of a playout and of a difference.
    let rows = [
        (0, [1, 1, 60, 9], [1.0, 30.0, 0.0]),
        (0, [1, 2, 60, 9], [1.4, 40.0, 50.0]),
        (0, [1, 3, 60, 9], [-2.4, 30.0, 30.0]),
        (0, [4, 1, 8, 9], [3.0, 20.0, 0.0]),
        (0, [4, 2, 8, 9], [-3.0, 20.0, 20.0]),
        // Its deals are all one.
        (0, [9, 1, 0, 1], [5.0, 0.0, 0.0]),
        (0, [9, 2, 0, 1], [-5.0, 0.0, 0.0]),
        // Equal gains: the better equity.
        (3, [0, 1, 86, 9], [0.0, 30.0, 0.0]),
        (3, [0, 2, 86, 9], [0.0, 30.0, 10.0]),
    ];
    let ints = |at: usize| Column::Int32(rows.iter().map(|row| row.1[at]).collect());
    let doubles = |at: usize| Column::Double(rows.iter().map(|row| row.2[at]).collect());
    let columns = [
        ("game", Column::Int64(rows.iter().map(|row| row.0).collect())),
        ("turn", ints(0)),
        ("rank", ints(1)),
        ("bag", ints(2)),
        ("deals", ints(3)),
        ("gain", doubles(0)),
        ("playout_deviation", doubles(1)),
        ("difference_deviation", doubles(2)),
    ];
    write(&path, &columns.map(|(name, column)| (name.to_string(), column)), &[]).unwrap();
    let found = answers(&path, RecordTable::Candidates, &setup);
    let ratios = |name: &str| found[name].iter().map(|(key, ratio)| (key.as_str(), ratio.x, ratio.n)).collect::<Vec<_>>();
    assert_eq!(ratios("best-rank"), [("1", 1, 2), ("2", 1, 2)]);
    let gaps = ratios("best-gap");
    assert_eq!((gaps[0], gaps[11], gaps[12]), (("0.5", 2, 3), ("6", 2, 3), ("6.5", 3, 3)));
    assert_eq!(ratios("simulation-gain"), [("all", 400, 3)]);
    assert_eq!(ratios("playout-deviation"), [("all", 200_000, 7)]);
    assert_eq!(ratios("difference-deviation"), [("2", 80_000, 3), ("3", 30_000, 1)]);
    // 2500 of 900 + 1600, 400 of 800 and 100 of 1800; 900 of 1800.
    assert_eq!(ratios("common-deals"), [("2", 1000 + 500 + 56, 3), ("3", 500, 1)]);
}
