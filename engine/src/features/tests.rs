use std::collections::BTreeSet;

use super::test_support::{english, no_leaves, positions, small};
use super::*;
use crate::equity::Equity;
use crate::game::Game;
use crate::leave::late::{LateRow, LateValues};
use crate::leave::{LeaveData, LeaveTable};
use crate::movegen::Generator;

#[test]
fn every_feature_has_a_row_of_its_own() {
    let names: BTreeSet<&str> = Feature::all().iter().map(|feature| feature.about().name).collect();
    assert_eq!(names.len(), Feature::all().len());
    assert!(Feature::all().is_sorted());
    for &feature in Feature::all() {
        let about = feature.about();
        let name = serde_json::to_value(feature).unwrap();
        assert_eq!(name, about.name);
        assert_eq!(serde_json::from_value::<Feature>(name).unwrap(), feature);
        assert!(!about.unit.is_empty() && about.meaning.ends_with('.') && !about.source.is_empty());
    }
    let error = serde_json::from_str::<Feature>("\"bingo\"").unwrap_err().to_string();
    assert!(error.contains("unknown variant `bingo`, expected one of `score`, `score_difference`"), "{error}");
}

#[test]
fn features_computed_from_a_leave_table_need_one() {
    let setup = small(test_support::WORDS);
    for &feature in Feature::all() {
        let is_refused = Features::new(&[Feature::Score, feature], &setup, None).is_err();
        assert_eq!(is_refused, feature.needs_leaves(), "{feature:?}");
    }
    let draw_value = Feature::Leave(LeaveFeature::DrawValue);
    let error = Features::new(&[Feature::Score, draw_value], &setup, None).unwrap_err();
    assert_eq!(error.to_string(), "the feature draw_value needs a leave table; name one");
    let late = Feature::Leave(LeaveFeature::Late);
    let error = Features::new(&[late], &setup, Some(LeaveTable::zero(&setup.tileset).into())).unwrap_err();
    assert!(error.to_string().contains("late needs a leave table with late.csv"), "{error}");
}

/// The smallest and the largest value of each feature over the positions, for one good move of each position.
fn extremes(setup: &Setup, games: &[Game]) -> Vec<(f64, f64)> {
    let mut table = LeaveTable::zero(&setup.tileset);
    for index in 1..table.values().len() {
        table.set(index, Equity::from_fractional_points((index * 37 % 101) as f64 / 10.0 - 5.0));
    }
    let row = |left: f32| LateRow { constant: left, scale: 0.5, tiles: vec![left; setup.tileset.kinds().len()] };
    let late = LateValues { rows: (0..8).map(|left| row(left as f32)).collect() };
    let leaves = LeaveData { late: Some(Arc::new(late)), ..LeaveData::from(table) };
    let features = Features::new(Feature::all(), setup, Some(leaves)).unwrap();
    let mut generator = Generator::new(setup);
    let mut extremes = vec![(f64::INFINITY, f64::NEG_INFINITY); Feature::all().len()];
    for game in games {
        let turn = game.turn(setup);
        let moves = generator.top_moves(&turn, &no_leaves(game.rack()), 4);
        let values = features.move_values(&turn, &moves[moves.len() - 1].chosen);
        for ((least, most), (value, feature)) in extremes.iter_mut().zip(values.into_iter().zip(Feature::all())) {
            assert!(value.is_finite(), "{} = {value}", feature.about().name);
            *least = least.min(value);
            *most = most.max(value);
        }
    }
    extremes
}

/// A feature that is not computed would be constant.
#[test]
fn every_feature_varies_over_the_positions_of_games() {
    // In the made-up words, an A follows every Q.
    let made_up = small("AB\nBE\nBA\nABBE\nBEBE\nABBA\nBABE\nBEQA\nQABBE\nEQABA\nBABEBA\nEQAB\nAAB\nEB\nQA\n");
    for (setup, count) in [(english(), 8), (made_up, 60)] {
        let games = positions(&setup, 4, count);
        assert!(games.len() > 150, "{}", games.len());
        for (feature, (least, most)) in Feature::all().iter().zip(extremes(&setup, &games)) {
            assert!(least < most, "{} is always {least} with {}", feature.about().name, setup.tileset.name());
        }
    }
}
