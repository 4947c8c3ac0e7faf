use rand::RngExt;

use super::*;
use crate::bag::Bag;
use crate::deals::Domain;
use crate::features::test_support::{WORDS, draws, english, small, with_turn};
use crate::features::{Feature, Features, LeaveFeature};
use crate::rack::{Rack, SubRacks};
use crate::rng::{Stream, stream};

/// The number of words that a rack spells with all of its tiles, by trying every word.
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

const BINGOS: [Feature; 4] = [
    Feature::Leave(LeaveFeature::BingoChance),
    Feature::Leave(LeaveFeature::BingosExpected),
    Feature::Leave(LeaveFeature::BingoPoints),
    Feature::Leave(LeaveFeature::BingoAveragePoints),
];

#[test]
fn bingo_features_agree_with_enumerating_all_draws() {
    let setup = small(WORDS);
    let features = Features::new(&BINGOS, &setup, None).unwrap();
    let full = Rack::from_counts(&setup.tileset.counts());
    let value = |rack: &Rack| f64::from(rack.points(&setup.tileset));
    let mut some = 0;
    for game in 0..40 {
        let mut rack = Rack::default();
        Bag::new(&setup.tileset, Domain::Match.deals(9), game).refill(&mut rack, 4, 0);
        let unseen = full.minus(&rack).unwrap();
        let sub_racks = SubRacks::new(&rack);
        let rows = with_turn(&setup, &rack, &unseen, |turn| features.leave_rows(turn, &sub_racks));
        for (number, leave) in (0..sub_racks.len()).map(|number| (number, sub_racks.get(number))) {
            let left = 4 - leave.size();
            let mean = |worth: &mut dyn FnMut(&Rack) -> f64| {
                let (sum, ways) = draws(&leave, &unseen, left, worth);
                sum / ways
            };
            let chance = mean(&mut |rack| f64::from(u8::from(words_of(&setup, rack) > 0)));
            let expected = mean(&mut |rack| words_of(&setup, rack) as f64);
            let points = mean(&mut |rack| if words_of(&setup, rack) > 0 { 30.0 + 2.5 * value(rack) } else { 0.0 });
            let average = chance * (30.0 + 2.5 * (value(&leave) + left as f64 * 40.0 / 22.0));
            let row = [0, 1, 2, 3].map(|place: usize| f64::from(rows[place][number]));
            for (found, wanted) in row.into_iter().zip([chance, expected, points, average]) {
                assert!((found - wanted).abs() < 1e-4, "{} {row:?} {chance} {expected}", leave.show(&setup.tileset));
            }
            some += u32::from(chance > 0.0);
        }
    }
    assert!(some > 300, "{some}");
}

/// Adds `left` random tiles of `pool` to a leave.
fn drawn(leave: &Rack, pool: &mut [u8], left: usize, draws: &mut Stream) -> Rack {
    let mut rack = *leave;
    for place in 0..left {
        let other = draws.random_range(place..pool.len());
        pool.swap(place, other);
        rack.add(pool[place]);
    }
    rack
}

/// Compares exact chances with `trials` random draws in each of `cases` cases. Returns how many cases are off by more than
/// three standard errors, and how many were compared.
fn off_by_three(cases: u64, trials: u32) -> (u32, u32) {
    let setup = english();
    let features = Features::new(&BINGOS[..1], &setup, None).unwrap();
    let full = Rack::from_counts(&setup.tileset.counts());
    let mut spelled = rustc_hash::FxHashSet::default();
    let mut racks = Vec::new();
    setup.lexicon.graph.for_each_word(|word| racks.extend((word.len() == 7).then(|| sorted(word))));
    for rack in racks {
        for_each_blanked(rack, 2, &mut |rack| {
            spelled.insert(Rack::from_kinds(&rack[..7]));
        });
    }
    let (mut off, mut all) = (0, 0);
    for case in 0..cases {
        let mut choices = stream(3, "case", case);
        let [mut leave, mut played] = [Rack::default(); 2];
        let mut bag = Bag::new(&setup.tileset, Domain::Match.deals(11), case);
        bag.refill(&mut leave, choices.random_range(0..7), 0);
        bag.refill(&mut played, choices.random_range(0..8), 1);
        let mut unseen = full.minus(&leave).unwrap().minus(&played).unwrap();
        while unseen.size() > choices.random_range(14..94) {
            let kind = choices.random_range(0..27);
            unseen.remove(kind);
        }
        let sub_racks = SubRacks::new(&leave);
        let rows = with_turn(&setup, &leave, &unseen, |turn| features.leave_rows(turn, &sub_racks));
        let chance = f64::from(rows[0][sub_racks.whole()]);
        let mut pool: Vec<u8> = unseen.tiles().map(Tile::kind).collect();
        let left = 7 - leave.size();
        let hits = (0..trials).filter(|_| spelled.contains(&drawn(&leave, &mut pool, left, &mut choices))).count();
        let error = (chance * (1.0 - chance) / f64::from(trials)).sqrt();
        off += u32::from((hits as f64 / f64::from(trials) - chance).abs() > 3.0 * error + 0.5 / f64::from(trials));
        all += 1;
    }
    (off, all)
}

#[test]
fn chances_agree_with_random_draws() {
    let (off, all) = off_by_three(60, 3000);
    assert!(off <= 1 && all == 60, "{off} of {all}");
}
