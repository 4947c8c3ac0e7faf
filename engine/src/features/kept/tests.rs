use super::*;
use crate::artefact::Loader;
use crate::features::samples::{english, with_turn};
use crate::features::{Feature, Features, PositionFeature};
use crate::leave::embedded::embedded;
use crate::moves::Move;
use crate::rack::Rack;

/// A turn of the English set: its rack, the other tiles that are not unseen, and the features of the leave `keep`.
fn kept_of(setup: &Setup, rack: &str, played: &str, keep: &str, wanted: &[Feature]) -> Vec<f64> {
    let parse = |text: &str| {
        let tiles = setup.tileset.parse(text, crate::tileset::Style::Greedy).unwrap();
        Rack::from_tiles(&tiles)
    };
    let (rack, played, keep) = (parse(rack), parse(played), parse(keep));
    let unseen = Rack::from_counts(&setup.tileset.counts()).minus(&rack).unwrap().minus(&played).unwrap();
    let leaves = Arc::new(embedded(Loader::new(setup)).unwrap().0);
    let features = Features::new(wanted, setup, Some(leaves)).unwrap();
    let given = rack.minus(&keep).unwrap();
    with_turn(setup, &rack, &unseen, |turn| features.move_values(turn, &Move::Exchange(given.tiles().collect())))
}

#[test]
fn what_is_kept_is_counted() {
    let setup = english();
    let wanted = [
        Feature::Kept(KeptFeature::TilesPlayed),
        Feature::Kept(KeptFeature::VowelsLessConsonants),
        Feature::Kept(KeptFeature::VowelImbalance),
        Feature::Kept(KeptFeature::BlanksKept),
        Feature::Kept(KeptFeature::DuplicatesKept),
        Feature::Kept(KeptFeature::StrandedTiles),
        Feature::Position(PositionFeature::ScoreDifference),
        Feature::Position(PositionFeature::TilesInBag),
    ];
    let counted = |rack, keep| kept_of(&setup, rack, "", keep, &wanted);
    assert_eq!(counted("AEEQTT?", "EEQTT?"), [1.0, -1.0, 1.0, 1.0, 2.0, 1.0, 12.0, 86.0]);
    assert_eq!(counted("AEIQUUT", "IQU"), [4.0, 1.0, 1.0, 0.0, 0.0, 0.0, 12.0, 86.0]);
    // 93 tiles are unseen, with the Q among them; then 92 without.
    let shares = [Feature::Kept(KeptFeature::AwaitedTiles), Feature::Kept(KeptFeature::TileDensity)];
    let close =
        |found: Vec<f64>, wanted: [f64; 2]| found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-6);
    assert!(close(kept_of(&setup, "AEIOUST", "", "UT", &shares), [1.0 / 93.0, 3.0 / 93.0 - 0.04 + 5.0 / 93.0 - 0.06]));
    assert!(close(kept_of(&setup, "AEIOUST", "Q", "UT", &shares), [0.0, 3.0 / 92.0 - 0.04 + 5.0 / 92.0 - 0.06]));
}

#[test]
fn what_is_drawn_and_drawn_again_is_worth_what_the_table_says() {
    let setup = english();
    let leaves = embedded(Loader::new(&setup)).unwrap().0;
    let value = |text: &str| leaves.get(&Rack::parse(text, &setup.tileset).unwrap()).unwrap().points();
    let wanted =
        [Feature::Kept(KeptFeature::Leave), Feature::Kept(KeptFeature::DrawValue), Feature::Kept(KeptFeature::GameState)];
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
