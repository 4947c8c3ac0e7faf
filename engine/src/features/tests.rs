use std::collections::BTreeMap;

use rand::RngExt;

use super::*;
use crate::bag::Bag;
use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::deals::Purpose;
use crate::game::Game;
use crate::layout::{Direction, Layout, Square};
use crate::leave::embedded::embedded;
use crate::lexicon::Lexicon;
use crate::movegen::{Generator, KeepValues, Position};
use crate::rng::{Stream, stream};
use crate::tileset::{Tile, TileSet};

fn english() -> Setup {
    let tileset = TileSet::embedded("english").unwrap();
    let lexicon = Lexicon::load("enable2k", &tileset, 15, None).unwrap();
    Setup::new(tileset, Layout::embedded("standard").unwrap(), lexicon)
}

/// Racks of four from 22 tiles, two of them blanks.
fn small() -> Setup {
    let text = r#"
        name = "small"
        board = "standard"
        total_tiles = 22
        total_points = 40
        blanks = 2
        letters = [
            { letter = "A", count = 6, value = 1, vowel = true },
            { letter = "B", count = 4, value = 3 },
            { letter = "E", count = 6, value = 1, vowel = true },
            { letter = "Q", count = 4, value = 4 },
        ]
        [rules]
        rack_size = 4
        bingo_bonus = 30
        exchange_minimum = 4
    "#;
    let tileset = TileSet::from_toml(text, "small").unwrap();
    let words = "AB\nBE\nBA\nABBE\nBEBE\nABBA\nBABE\nBEAQ\nQABBE\nAQEBA\nBABEBA\nEQAB\nAAB\nEB\nQA\n";
    let words = Lexicon::from_text(words, &tileset).unwrap();
    Setup::new(tileset, Layout::embedded("standard").unwrap(), words)
}

/// Positions of games that take one of the best moves.
fn positions(setup: &Setup, seed: u64, games: u64) -> Vec<Game> {
    let mut generator = Generator::new(setup);
    let mut seen = Vec::new();
    for index in 0..games {
        let mut choices = stream(seed, "test", index);
        let mut game = Game::deal(setup, Purpose::Match.deals(seed), index);
        while !game.is_over() {
            seen.push(game.clone());
            let moves = generator.top_moves(&game.position(), &no_keeps(game.rack()), 5);
            game.make(setup, &moves[choices.random_range(0..moves.len())].chosen);
        }
    }
    seen
}

fn no_keeps(rack: &Rack) -> KeepValues {
    let numbers = SubRacks::new(rack);
    let mut values = [Equity::ZERO; MAX_SUB_RACKS];
    values[numbers.whole()] = Equity::PASS;
    KeepValues { numbers, values }
}

/// A turn with these racks and an empty board; `see` looks at it.
fn with_turn<T>(setup: &Setup, rack: &Rack, unseen: &Rack, see: impl FnOnce(&Turn<'_>) -> T) -> T {
    let (board, cross_sets) = (Board::new(setup.layout.side()), CrossSets::new(setup.layout.side(), &setup.tileset));
    let bag = unseen.size() - setup.tileset.rules().rack_size.min(unseen.size());
    let position = Position { board: &board, cross_sets: &cross_sets, rack, bag };
    see(&Turn { setup, position, unseen })
}

/// What all draws of `left` tiles from `unseen` to `rack` come to, and how many there are, each tile for itself.
fn draws(rack: &Rack, unseen: &Rack, left: usize, worth: &mut impl FnMut(&Rack) -> f64) -> (f64, f64) {
    if left == 0 {
        return (worth(rack), 1.0);
    }
    let mut sums = (0.0, 0.0);
    for (kind, count) in unseen.kinds() {
        let (mut next, mut rest) = (*rack, *unseen);
        next.add(kind);
        rest.remove(kind);
        let (sum, ways) = draws(&next, &rest, left - 1, worth);
        sums = (sums.0 + f64::from(count) * sum, sums.1 + f64::from(count) * ways);
    }
    sums
}

/// Words that a rack spells with all of its tiles, by trying.
fn words_of(setup: &Setup, rack: &Rack) -> usize {
    let mut words = 0;
    setup.lexicon.graph.for_each_word(|word| {
        if word.len() == rack.size() {
            let missing = (1..64).map(|kind| {
                let wanted = word.iter().filter(|&&letter| letter == kind).count();
                wanted.saturating_sub(rack.count(kind) as usize)
            });
            words += usize::from(missing.sum::<usize>() == rack.count(0) as usize);
        }
    });
    words
}

const BINGOS: [Feature; 4] =
    [Feature::BingoChance, Feature::BingosExpected, Feature::BingoPoints, Feature::BingoAveragePoints];

#[test]
fn bingos_are_counted_as_all_draws_have_them() {
    let setup = small();
    let features = Features::new(&BINGOS, &setup, None).unwrap();
    let full = Rack::from_counts(&setup.tileset.counts());
    let value = |rack: &Rack| f64::from(rack.points(&setup.tileset));
    let mut some = 0;
    for game in 0..40 {
        let mut rack = Rack::default();
        Bag::new(&setup.tileset, Purpose::Match.deals(9), game).refill(&mut rack, 4, 0);
        let unseen = full.minus(&rack).unwrap();
        let numbers = SubRacks::new(&rack);
        let rows = with_turn(&setup, &rack, &unseen, |turn| features.kept_values(turn, &numbers));
        for (number, keep) in (0..numbers.len()).map(|number| (number, numbers.get(number))) {
            let left = 4 - keep.size();
            let mean = |worth: &mut dyn FnMut(&Rack) -> f64| {
                let (sum, ways) = draws(&keep, &unseen, left, &mut |rack| worth(rack));
                sum / ways
            };
            let chance = mean(&mut |rack| f64::from(u8::from(words_of(&setup, rack) > 0)));
            let expected = mean(&mut |rack| words_of(&setup, rack) as f64);
            let points = mean(&mut |rack| if words_of(&setup, rack) > 0 { 30.0 + 2.5 * value(rack) } else { 0.0 });
            let average = chance * (30.0 + 2.5 * (value(&keep) + left as f64 * 40.0 / 22.0));
            let row = [0, 1, 2, 3].map(|place: usize| f64::from(rows[place][number]));
            for (found, wanted) in row.into_iter().zip([chance, expected, points, average]) {
                assert!((found - wanted).abs() < 1e-4, "{} {row:?} {chance} {expected}", keep.show(&setup.tileset));
            }
            some += u32::from(chance > 0.0);
        }
    }
    assert!(some > 300, "{some}");
}

#[test]
fn one_keep_is_told_as_all_keeps_are() {
    for (name, word_list) in [("english", "enable2k"), ("english_super", "enable2k")] {
        let tileset = TileSet::embedded(name).unwrap();
        let layout = Layout::embedded(tileset.board()).unwrap();
        let lexicon = Lexicon::load(word_list, &tileset, layout.side(), None).unwrap();
        let setup = Setup::new(tileset, layout, lexicon);
        let features = Features::new(&[Feature::BingoChance], &setup, None).unwrap();
        let alone = BingoChance::new(&setup);
        let full = Rack::from_counts(&setup.tileset.counts());
        for game in 0..20 {
            let [mut rack, mut played] = [Rack::default(); 2];
            let mut bag = Bag::new(&setup.tileset, Purpose::Match.deals(5), game);
            bag.refill(&mut rack, 7, 0);
            bag.refill(&mut played, 8, 1);
            let unseen = full.minus(&rack).unwrap().minus(&played).unwrap();
            let numbers = SubRacks::new(&rack);
            let rows = with_turn(&setup, &rack, &unseen, |turn| features.kept_values(turn, &numbers));
            for (number, keep) in (0..numbers.len()).map(|number| (number, numbers.get(number))) {
                let chance = alone.of(&setup, &keep, &unseen);
                assert!((f64::from(rows[0][number]) - chance).abs() < 1e-6, "{}", keep.show(&setup.tileset));
                assert!((0.0..=1.0 + 1e-12).contains(&chance));
            }
        }
    }
}

/// Draws `rack_size` tiles of a pool in random order.
fn drawn(keep: &Rack, pool: &mut [u8], left: usize, draws: &mut Stream) -> Rack {
    let mut rack = *keep;
    for place in 0..left {
        let other = draws.random_range(place..pool.len());
        pool.swap(place, other);
        rack.add(pool[place]);
    }
    rack
}

/// Compares chances with so many draws for so many (keep, pool) cases: how many are off by more than three standard errors, of how
/// many.
fn off_by_three(cases: u64, trials: u32) -> (u32, u32) {
    let setup = english();
    let chances = BingoChance::new(&setup);
    let full = Rack::from_counts(&setup.tileset.counts());
    let mut spelled = rustc_hash::FxHashSet::default();
    let mut racks = Vec::new();
    setup.lexicon.graph.for_each_word(|word| racks.extend((word.len() == 7).then(|| bingo::sorted(word))));
    for rack in racks {
        bingo::for_each_blanked(rack, 2, &mut |rack| {
            spelled.insert(Rack::from_kinds(&rack[..7]));
        });
    }
    let (mut off, mut all) = (0, 0);
    for case in 0..cases {
        let mut choices = stream(3, "case", case);
        let [mut keep, mut played] = [Rack::default(); 2];
        let mut bag = Bag::new(&setup.tileset, Purpose::Match.deals(11), case);
        bag.refill(&mut keep, choices.random_range(0..7), 0);
        bag.refill(&mut played, choices.random_range(0..8), 1);
        let mut unseen = full.minus(&keep).unwrap().minus(&played).unwrap();
        while unseen.size() > choices.random_range(14..94) {
            let kind = choices.random_range(0..27);
            unseen.remove(kind);
        }
        let chance = chances.of(&setup, &keep, &unseen);
        let mut pool: Vec<u8> = unseen.tiles().map(Tile::kind).collect();
        let left = 7 - keep.size();
        let hits = (0..trials).filter(|_| spelled.contains(&drawn(&keep, &mut pool, left, &mut choices))).count();
        let error = (chance * (1.0 - chance) / f64::from(trials)).sqrt();
        off += u32::from((hits as f64 / f64::from(trials) - chance).abs() > 3.0 * error + 0.5 / f64::from(trials));
        all += 1;
    }
    (off, all)
}

#[test]
fn chances_are_what_draws_show() {
    let (off, all) = off_by_three(60, 3000);
    assert!(off <= 1 && all == 60, "{off} of {all}");
}

#[test]
fn what_can_be_laid_is_what_the_sheet_of_the_board_has() {
    use crate::census::Sheet;
    use crate::rack::Ranking;
    let setup = small();
    let size = setup.tileset.rules().rack_size;
    let ranking = Ranking::new(&setup.tileset.counts(), size);
    let mut found = 0;
    for game in positions(&setup, 2, 12) {
        let words = LongWords::new(&setup);
        let position = game.position();
        let mut pool = game.unseen();
        game.rack().tiles().for_each(|tile| pool.add(tile.kind()));
        let mut sheet = Sheet::new(&ranking);
        sheet.fill(&setup, &ranking, &game.board, &game.cross_sets, &pool, 0);
        let mut laid: Vec<usize> = Vec::new();
        for (rack, _) in words.racks(&Turn { setup: &setup, position, unseen: &game.unseen() }) {
            bingo::for_each_blanked(rack, 2, &mut |rack| {
                let rack = Rack::from_kinds(&rack[..size]);
                if pool.contains(&rack) {
                    laid.push(ranking.rank(&rack));
                }
            });
        }
        laid.sort_unstable();
        laid.dedup();
        let playable = |&number: &usize| sheet.scores()[number] != Sheet::UNPLAYABLE;
        let wanted: Vec<usize> = ranking.indices_of_size(size).filter(playable).collect();
        assert_eq!(laid, wanted);
        found += laid.len();
    }
    assert!(found > 500, "{found}");
}

#[test]
fn playable_bingos_are_counted_as_all_draws_have_them() {
    let setup = small();
    let wanted = [Feature::PlayableBingoChance, Feature::PlayableBingosExpected, Feature::PlayableBingoPoints];
    let features = Features::new(&wanted, &setup, None).unwrap();
    let words = LongWords::new(&setup);
    let mut some = 0;
    for game in positions(&setup, 6, 4) {
        let unseen = game.unseen();
        let turn = Turn { setup: &setup, position: game.position(), unseen: &unseen };
        let mut places: BTreeMap<Vec<u8>, f64> = BTreeMap::new();
        for (rack, count) in words.racks(&turn) {
            bingo::for_each_blanked(rack, 2, &mut |rack| {
                *places.entry(rack[..4].to_vec()).or_default() += f64::from(count);
            });
        }
        let of = |rack: &Rack| {
            let kinds: Vec<u8> = rack.tiles().map(Tile::kind).collect();
            places.get(&kinds).copied().unwrap_or_default()
        };
        let numbers = SubRacks::new(game.rack());
        let rows = features.kept_values(&turn, &numbers);
        for (number, keep) in (0..numbers.len()).map(|number| (number, numbers.get(number))) {
            let left = 4 - keep.size();
            let wanted = if left > game.bag.len() {
                [0.0; 3]
            } else {
                let points = |rack: &Rack| 30.0 + 2.5 * f64::from(rack.points(&setup.tileset));
                let mean = |worth: &mut dyn FnMut(&Rack) -> f64| {
                    let (sum, ways) = draws(&keep, &unseen, left, &mut |rack| worth(rack));
                    sum / ways
                };
                let is_one = |rack: &Rack| f64::from(u8::from(of(rack) > 0.0));
                [mean(&mut |rack| is_one(rack)), mean(&mut |rack| of(rack)), mean(&mut |rack| is_one(rack) * points(rack))]
            };
            let found = [0, 1, 2].map(|place: usize| f64::from(rows[place][number]));
            let is_close = found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-3 * (1.0 + wanted));
            assert!(is_close, "{} {found:?} {wanted:?}", keep.show(&setup.tileset));
            some += u32::from(wanted[0] > 0.0);
        }
    }
    assert!(some > 200, "{some}");
}

/// A turn of the English set: its rack, what is not unseen beside it, and the features of what `keep` keeps.
fn kept_of(setup: &Setup, rack: &str, played: &str, keep: &str, wanted: &[Feature]) -> Vec<f64> {
    let parse = |text: &str| {
        let tiles = setup.tileset.parse(text, crate::tileset::Style::Greedy).unwrap();
        Rack::from_tiles(&tiles)
    };
    let (rack, played, keep) = (parse(rack), parse(played), parse(keep));
    let unseen = Rack::from_counts(&setup.tileset.counts()).minus(&rack).unwrap().minus(&played).unwrap();
    let leaves = Arc::new(embedded(setup, false).unwrap().0);
    let features = Features::new(wanted, setup, Some(leaves)).unwrap();
    let given = rack.minus(&keep).unwrap();
    with_turn(setup, &rack, &unseen, |turn| features.of_move(wanted, turn, 12, &Move::Exchange(given.tiles().collect())))
}

#[test]
fn what_is_kept_is_counted() {
    let setup = english();
    let wanted = [
        Feature::TilesPlayed,
        Feature::VowelsLessConsonants,
        Feature::VowelImbalance,
        Feature::BlanksKept,
        Feature::DuplicatesKept,
        Feature::StrandedTiles,
        Feature::ScoreDifference,
        Feature::TilesInBag,
    ];
    let counted = |rack, keep| kept_of(&setup, rack, "", keep, &wanted);
    assert_eq!(counted("AEEQTT?", "EEQTT?"), [1.0, -1.0, 1.0, 1.0, 2.0, 1.0, 12.0, 86.0]);
    assert_eq!(counted("AEIQUUT", "IQU"), [4.0, 1.0, 1.0, 0.0, 0.0, 0.0, 12.0, 86.0]);
    // 93 tiles are unseen, with the Q among them; then 92 without.
    let shares = [Feature::AwaitedTiles, Feature::TileDensity];
    let close =
        |found: Vec<f64>, wanted: [f64; 2]| found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-6);
    assert!(close(kept_of(&setup, "AEIOUST", "", "UT", &shares), [1.0 / 93.0, 3.0 / 93.0 - 0.04 + 5.0 / 93.0 - 0.06]));
    assert!(close(kept_of(&setup, "AEIOUST", "Q", "UT", &shares), [0.0, 3.0 / 92.0 - 0.04 + 5.0 / 92.0 - 0.06]));
}

#[test]
fn what_is_drawn_and_drawn_again_is_worth_what_the_table_says() {
    let setup = english();
    let leaves = embedded(&setup, false).unwrap().0;
    let value = |text: &str| leaves.get(&Rack::parse(text, &setup.tileset).unwrap()).unwrap().points();
    let wanted = [Feature::Leave, Feature::DrawValue, Feature::GameState];
    let found = kept_of(&setup, "AEIRRST", "", "ERR", &wanted);
    let unseen = Rack::from_counts(&setup.tileset.counts()).minus(&Rack::parse("AEIRRST", &setup.tileset).unwrap()).unwrap();
    let mean: f64 = unseen
        .kinds()
        .map(|(kind, count)| f64::from(count) * leaves.get(&Rack::from_kinds(&[kind])).unwrap().points())
        .sum::<f64>()
        / 93.0;
    let (e, r) = (11.0 / 93.0, 4.0 / 93.0);
    // E with each R, and the two Rs.
    let pair = |text: &str, one: &str, other: &str| value(text) - value(one) - value(other);
    let gamma = 2.0 * (2.0 * e * r * pair("ER", "E", "R") + r * r * pair("RR", "R", "R"));
    for (found, wanted) in found.iter().zip([value("ERR"), 4.0 * mean, gamma]) {
        assert!((found - wanted).abs() < 1e-3, "{found} {wanted}");
    }
}

fn board_of(rows: &[(usize, usize, &str)], setup: &Setup) -> Board {
    let mut board = Board::new(setup.layout.side());
    for &(row, column, word) in rows {
        for (step, tile) in setup.tileset.parse(word, crate::tileset::Style::Greedy).unwrap().into_iter().enumerate() {
            board.set(Square { row: row as u8, column: (column + step) as u8 }, Some(tile));
        }
    }
    board
}

/// The features of the first play of `word` across at a square, on a board with no other tiles than `rows`.
fn placed_of(rows: &[(usize, usize, &str)], play: (usize, usize, &str), wanted: &[Feature]) -> Vec<f64> {
    let setup = english();
    let board = board_of(rows, &setup);
    let cross_sets = CrossSets::from_board(&setup, &board);
    let start = Square { row: play.0 as u8, column: play.1 as u8 };
    let tiles: Vec<Tile> = setup.tileset.parse(play.2, crate::tileset::Style::Greedy).unwrap();
    let tiles = tiles
        .into_iter()
        .enumerate()
        .filter(|(step, _)| board.get(Square { row: start.row, column: start.column + *step as u8 }).is_none());
    let tiles: crate::moves::Tiles = tiles.map(|(_, tile)| tile).collect();
    let rack = Rack::from_tiles(&tiles);
    let unseen = crate::game::unseen(&setup, &board, &rack).unwrap();
    let position = Position { board: &board, cross_sets: &cross_sets, rack: &rack, bag: unseen.size() - 7 };
    let turn = Turn { setup: &setup, position, unseen: &unseen };
    let features = Features::new(wanted, &setup, None).unwrap();
    features.of_move(wanted, &turn, 0, &Move::Play(Play { direction: Direction::Across, start, tiles, score: 0 }))
}

#[test]
fn what_a_play_opens_is_counted() {
    // HORN at 8G covers no triple word, and leaves H1 seven squares above its O; H8 is the O itself. From the row, A8 is six squares
    // before the H, O8 five after the N.
    let opened = [Feature::TripleWordsOpened, Feature::PremiumsBesideVowels, Feature::HooksOpened];
    let found = placed_of(&[], (7, 6, "HORN"), &opened);
    // HORNS, HORNY and SHORN, THORN: 4 S and a blank or two before and after of 96 unseen; and T before, Y after.
    let hooks = f64::from(4 + 6 + 2 + 4 + 2 + 2) / 96.0;
    assert!((found[2] - hooks).abs() < 1e-6, "{found:?} {hooks}");
    assert!(found[1] == 0.0 && found[0] >= 4.0, "{found:?}");
    // A vowel at G7 of a word in row 7 is beside nothing; at 8H over 8I, none; the I of KITE in row 8 at C is beside no premium, at D it
    // is the double letter itself.
    let beside = |row, column, word| placed_of(&[], (row, column, word), &[Feature::PremiumsBesideVowels]);
    // Row 7 has double letters at G7 and I7: an O at G8 and one at I8 have one above and one below each.
    assert_eq!(beside(7, 6, "OHO"), [4.0]);
    assert_eq!(beside(7, 6, "HOH"), [0.0]);
    // Between two triple words: a tile at 1D, with H1 and A1 empty.
    let taken_off = |rows: &[(usize, usize, &str)], row, column, word| {
        placed_of(rows, (row, column, word), &[Feature::MultipliersOpened])
    };
    assert_eq!(taken_off(&[], 0, 3, "TH"), [20.0]);
    assert_eq!(taken_off(&[], 7, 6, "OHO"), [5.0]);
    // An A at D6 has the triple letter F6 two squares off, at E6 beside it.
    assert_eq!(taken_off(&[], 5, 3, "TA"), [10.0]);
    assert_eq!(taken_off(&[], 5, 2, "TA"), [0.0]);
}

#[test]
fn bingo_lanes_are_counted_where_they_open_and_close() {
    let lanes = [Feature::BingoLanesOpened, Feature::BingoLanesClosed];
    // A lone tile in the middle: in its row and its column eight places through it or beside it (7 empty squares begin 0 to 7 squares
    // before it) less those that the edge cuts, and parallel places that touch it: seven in each of the four lanes beside it.
    let found = placed_of(&[], (7, 7, "A"), &lanes);
    assert_eq!(found, [2.0 * 8.0 + 4.0 * 7.0, 0.0]);
    let setup = english();
    let features = Features::new(&lanes, &setup, None).unwrap();
    let mut generator = Generator::new(&setup);
    let count = |board: &Board| -> [Vec<i32>; 2] {
        let cross_sets = CrossSets::from_board(&setup, board);
        Direction::BOTH.map(|direction| (0..15).map(|lane| places(board, &cross_sets, direction, lane)).collect())
    };
    for game in positions(&setup, 8, 2) {
        let unseen = game.unseen();
        let turn = Turn { setup: &setup, position: game.position(), unseen: &unseen };
        let moves = generator.top_moves(&game.position(), &no_keeps(game.rack()), 4);
        for valued in moves.iter().filter(|valued| matches!(valued.chosen, Move::Play(_))) {
            let mut after = game.clone();
            let before = count(&game.board);
            after.make(&setup, &valued.chosen);
            let after = count(&after.board);
            let changes = before.iter().flatten().zip(after.iter().flatten()).map(|(before, after)| after - before);
            let (opened, closed) =
                changes.fold((0, 0), |(opened, closed), change| (opened + change.max(0), closed - change.min(0)));
            let found = features.of_move(&lanes, &turn, 0, &valued.chosen);
            assert_eq!(found, [f64::from(opened), f64::from(closed)]);
        }
    }
}

/// Places for a bingo in a lane, by trying every row of squares.
fn places(board: &Board, cross_sets: &CrossSets, direction: Direction, lane: usize) -> i32 {
    let (cells, crosses) = (board.lane(direction, lane), cross_sets.lane(direction, lane));
    let is_empty = |square: usize| cells[square].is_none();
    let mut places = 0;
    for first in 0..15 {
        for end in first + 7..=15 {
            let squares = first..end;
            let ends_free = (first == 0 || is_empty(first - 1)) && (end == 15 || is_empty(end));
            let empty = squares.clone().filter(|&square| is_empty(square)).count();
            let tiles = squares.len() - empty;
            let hooks = squares.clone().filter(|&square| is_empty(square) && crosses[square].joined).count();
            let dead = squares.clone().any(|square| is_empty(square) && crosses[square].letters == 0);
            places += i32::from(ends_free && empty == 7 && tiles + hooks == 1 && !dead);
        }
    }
    places
}

#[test]
fn every_feature_has_a_name_of_its_own() {
    let names: Vec<&str> = Feature::ALL.iter().map(|feature| feature.about().name).collect();
    let unique: std::collections::BTreeSet<&&str> = names.iter().collect();
    assert_eq!(unique.len(), names.len());
    for feature in Feature::ALL {
        let about = feature.about();
        assert_eq!(serde_json::to_value(feature).unwrap(), about.name);
        assert!(!about.unit.is_empty() && about.meaning.ends_with('.') && !about.source.is_empty());
    }
    let error = Features::new(&[Feature::Score, Feature::DrawValue], &small(), None).unwrap_err();
    assert_eq!(error.to_string(), "the feature draw_value needs a leave table; name one");
}

#[test]
fn companions_are_found_in_the_words() {
    let label = |setup: &Setup, companion: &Companion| {
        [companion.tile, companion.needs].map(|kind| setup.tileset.kinds()[kind as usize].label.clone()).concat()
    };
    let setup = english();
    let found: Vec<String> = companions(&setup).iter().map(|companion| label(&setup, companion)).collect();
    assert_eq!(found, ["QU"]);
}
