use super::*;
use crate::artefact::Loader;
use crate::features::test_support::{english, with_turn};
use crate::features::{Feature, Features, PositionFeature};
use crate::leave::LeaveData;
use crate::moves::Move;
use crate::rack::Rack;

/// The features of the exchange that leaves `leave` of `rack` in English, when the tiles `played` are not unseen.
fn feature_values(setup: &Setup, rack: &str, played: &str, leave: &str, wanted: &[Feature]) -> Vec<f64> {
    let parse = |text: &str| {
        let tiles = setup.tileset.parse(text, crate::tileset::Style::Greedy).unwrap();
        Rack::from_tiles(&tiles)
    };
    let (rack, played, leave) = (parse(rack), parse(played), parse(leave));
    let unseen = Rack::from_counts(&setup.tileset.counts()).minus(&rack).unwrap().minus(&played).unwrap();
    let leaves = LeaveData::embedded(Loader::new(setup)).unwrap();
    let features = Features::new(wanted, setup, Some(leaves)).unwrap();
    let exchanged = rack.minus(&leave).unwrap();
    with_turn(setup, &rack, &unseen, |turn| features.move_values(turn, &Move::Exchange(exchanged.tiles().collect())))
}

#[test]
fn the_tiles_of_the_leave_are_counted() {
    let setup = english();
    let wanted = [
        Feature::Leave(LeaveFeature::TilesPlayed),
        Feature::Leave(LeaveFeature::VowelsLessConsonants),
        Feature::Leave(LeaveFeature::VowelImbalance),
        Feature::Leave(LeaveFeature::BlanksKept),
        Feature::Leave(LeaveFeature::DuplicatesKept),
        Feature::Leave(LeaveFeature::StrandedTiles),
        Feature::Position(PositionFeature::ScoreDifference),
        Feature::Position(PositionFeature::TilesInBag),
    ];
    let counted = |rack, leave| feature_values(&setup, rack, "", leave, &wanted);
    assert_eq!(counted("AEEQTT?", "EEQTT?"), [1.0, -1.0, 1.0, 1.0, 2.0, 1.0, 12.0, 86.0]);
    assert_eq!(counted("AEIQUUT", "IQU"), [4.0, 1.0, 1.0, 0.0, 0.0, 0.0, 12.0, 86.0]);
    // 93 tiles are unseen, among them the Q; then 92 without it.
    let shares = [Feature::Leave(LeaveFeature::AwaitedTiles), Feature::Leave(LeaveFeature::TileDensity)];
    let close =
        |found: Vec<f64>, wanted: [f64; 2]| found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-6);
    assert!(close(
        feature_values(&setup, "AEIOUST", "", "UT", &shares),
        [1.0 / 93.0, 3.0 / 93.0 - 0.04 + 5.0 / 93.0 - 0.06]
    ));
    assert!(close(feature_values(&setup, "AEIOUST", "Q", "UT", &shares), [0.0, 3.0 / 92.0 - 0.04 + 5.0 / 92.0 - 0.06]));
}

#[test]
fn draw_value_and_game_state_follow_from_the_table() {
    let setup = english();
    let leaves = LeaveData::embedded(Loader::new(&setup)).unwrap().table;
    let value = |text: &str| leaves.get(&Rack::parse(text, &setup.tileset).unwrap()).unwrap().points();
    let wanted = [
        Feature::Leave(LeaveFeature::TableValue),
        Feature::Leave(LeaveFeature::DrawValue),
        Feature::Leave(LeaveFeature::GameState),
    ];
    let found = feature_values(&setup, "AEIRRST", "", "ERR", &wanted);
    let unseen = Rack::from_counts(&setup.tileset.counts()).minus(&Rack::parse("AEIRRST", &setup.tileset).unwrap()).unwrap();
    let mean: f64 = unseen
        .kinds()
        .map(|(kind, count)| f64::from(count) * leaves.get(&Rack::from_kinds(&[kind])).unwrap().points())
        .sum::<f64>()
        / 93.0;
    let (e, r) = (11.0 / 93.0, 4.0 / 93.0);
    // The pairs: E with each R, and the two Rs.
    let pair = |text: &str, one: &str, other: &str| value(text) - value(one) - value(other);
    let gamma = 2.0 * (2.0 * e * r * pair("ER", "E", "R") + r * r * pair("RR", "R", "R"));
    for (found, wanted) in found.iter().zip([value("ERR"), 4.0 * mean, gamma]) {
        assert!((found - wanted).abs() < 1e-3, "{found} {wanted}");
    }
}
