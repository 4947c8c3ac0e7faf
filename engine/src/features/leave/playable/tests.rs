use std::collections::BTreeSet;

use super::*;
use crate::features::test_support::{WORDS, draws, positions, small};
use crate::features::{Feature, Features, LeaveFeature};
use crate::rack::{Rack, SubRacks};

#[test]
fn playable_racks_agree_with_the_plays_of_the_reference_generator() {
    use crate::movegen::reference;
    use crate::rack::Ranking;
    let setup = small(WORDS);
    let size = setup.tileset.rules().rack_size;
    let ranking = Ranking::new(&setup.tileset.counts(), size);
    let mut list = Vec::new();
    setup.lexicon.graph.for_each_word(|word| list.push(word.to_vec()));
    let mut found = 0;
    for game in positions(&setup, 2, 12) {
        let words = LongWords::new(&setup);
        let mut tiles = game.unseen();
        game.rack().tiles().for_each(|tile| tiles.add(tile.kind()));
        let mut laid: Vec<usize> = Vec::new();
        for rack in words.racks(&game.turn(&setup)) {
            for_each_blanked(rack, 2, &mut |rack| {
                let rack = Rack::from_kinds(&rack[..size]);
                if tiles.contains(&rack) {
                    laid.push(ranking.rank(&rack));
                }
            });
        }
        laid.sort_unstable();
        laid.dedup();
        let is_playable = |&number: &usize| {
            let rack = ranking.unrank(number);
            tiles.contains(&rack)
                && reference::plays(&setup, game.board(), &rack, &list).iter().any(|play| play.tiles.len() == size)
        };
        let wanted: Vec<usize> = ranking.indices_of_size(size).filter(is_playable).collect();
        assert_eq!(laid, wanted);
        found += laid.len();
    }
    assert!(found > 500, "{found}");
}

#[test]
fn playable_bingo_points_agree_with_enumerating_all_draws() {
    let setup = small(WORDS);
    let features = Features::new(&[Feature::Leave(LeaveFeature::PlayableBingoPoints)], &setup, None).unwrap();
    let words = LongWords::new(&setup);
    let mut some = 0;
    for game in positions(&setup, 6, 4) {
        let turn = game.turn(&setup);
        let mut fitting: BTreeSet<Vec<u8>> = BTreeSet::new();
        for rack in words.racks(&turn) {
            for_each_blanked(rack, 2, &mut |rack| {
                fitting.insert(rack[..4].to_vec());
            });
        }
        let sub_racks = SubRacks::new(game.rack());
        let rows = features.leave_rows(&turn, &sub_racks);
        for (number, leave) in (0..sub_racks.len()).map(|number| (number, sub_racks.get(number))) {
            let left = 4 - leave.size();
            let points = |rack: &Rack| {
                let kinds: Vec<u8> = rack.tiles().map(Tile::kind).collect();
                if fitting.contains(&kinds) { 30.0 + 2.5 * f64::from(rack.points(&setup.tileset)) } else { 0.0 }
            };
            let wanted = if left > game.bag.len() {
                0.0
            } else {
                let (sum, ways) = draws(&leave, &turn.unseen, left, &mut |rack| points(rack));
                sum / ways
            };
            let found = f64::from(rows[0][number]);
            assert!((found - wanted).abs() < 1e-3 * (1.0 + wanted), "{} {found} {wanted}", leave.show(&setup.tileset));
            some += u32::from(wanted > 0.0);
        }
    }
    assert!(some > 200, "{some}");
}
