use super::*;
use crate::artefact::Loader;
use crate::deals::Domain;
use crate::features::{ExtraInput, Feature, Inputs, VERSION};
use crate::game::Game;
use crate::leave::LeaveData;
use crate::movegen::Generator;
use crate::moves::Move;
use crate::setup::Setup;
use crate::static_player::StaticPlayer;

/// A network with made-up weights on these inputs.
fn weights(features: &[&str], extra: &[ExtraInput], hidden: &[usize]) -> NetworkWeights {
    let names = features.iter().map(|name| serde_json::from_value(serde_json::Value::from(*name)).unwrap());
    let features: Vec<Feature> = names.collect();
    let made_up = |count: usize, size: f32| -> Vec<f32> {
        (0..count).map(|at| ((at * 7919 % 101) as f32 / 50.0 - 1.0) * size).collect()
    };
    // In English.
    let of_extra = extra.iter().map(|&extra| if extra == ExtraInput::Score { 1 } else { 27 });
    let inputs = features.len() + of_extra.sum::<usize>();
    let mut layers = Vec::new();
    let mut from = inputs;
    for &outputs in hidden.iter().chain(&[1]) {
        layers.push(Dense { weights: made_up(from * outputs, 0.5), bias: made_up(outputs, 0.3) });
        from = outputs;
    }
    let count = features.len();
    let settings = NetworkSettings {
        feature_version: VERSION,
        leaves: None,
        features,
        extra_inputs: extra.to_vec(),
        candidate_moves: 1000,
        margin: 500.0,
        prior: Vec::new(),
    };
    let mean = made_up(inputs, 2.0);
    let scale = made_up(inputs, 1.0).iter().map(|value| 2.0 + value).collect();
    let mut skip = made_up(count, 0.5);
    skip[0] = 1.0;
    NetworkWeights { settings, skip, mean, scale, layers }
}

const EXTRA: [ExtraInput; 3] = [ExtraInput::Score, ExtraInput::LeaveTiles, ExtraInput::UnseenTiles];
const FEATURES: [&str; 6] = ["leave", "tiles_in_bag", "tiles_played", "vowel_imbalance", "hooks_opened", "reply_40"];

/// The definition, in 64 bits and one output at a time.
fn slow(weights: &NetworkWeights, values: &[f32]) -> f64 {
    let skip: f64 = values.iter().zip(&weights.skip).map(|(&value, &weight)| f64::from(value) * f64::from(weight)).sum();
    let input = |at: usize| (f64::from(values[at]) - f64::from(weights.mean[at])) / f64::from(weights.scale[at]);
    let mut row: Vec<f64> = (0..values.len()).map(input).collect();
    for (number, layer) in weights.layers.iter().enumerate() {
        let outputs = layer.bias.len();
        let output = |to: usize| {
            let sum: f64 = (0..row.len()).map(|from| row[from] * f64::from(layer.weights[from * outputs + to])).sum();
            let sum = sum + f64::from(layer.bias[to]);
            if number + 1 < weights.layers.len() { sum.max(0.0) } else { sum }
        };
        row = (0..outputs).map(output).collect();
    }
    skip + row[0]
}

#[test]
fn moves_are_valued_as_the_definition_says() {
    let setup = Setup::embedded("english").unwrap();
    let weights = weights(&FEATURES, &EXTRA, &[8, 4]);
    let leaves = LeaveData::embedded(Loader::new(&setup)).unwrap();
    let inputs = Inputs::new(&weights.settings.features, &EXTRA, &setup, Some(leaves.clone())).unwrap();
    let player = StaticPlayer::new(Network::new(weights.clone(), &setup, Some(leaves)).unwrap());
    let mut generator = Generator::new(&setup);
    let mut game = Game::deal(&setup, Domain::Match.deals(3), 1);
    let mut compared = 0;
    while game.bag.len() > last_turns::MOST_IN_BAG {
        let turn = game.turn(&setup);
        let moves = player.choose_top(&mut generator, &turn, 12);
        assert!(moves.is_sorted());
        // The state value is arbitrary: the mean over all valued moves is taken away.
        let mut state_value = None;
        for valued in moves.iter().filter(|valued| valued.chosen != Move::Pass) {
            let values = inputs.values(&turn, &[valued.chosen]).remove(0);
            let wanted = f64::from(valued.chosen.score()) + slow(&weights, &values) - valued.equity.points();
            let state_value = *state_value.get_or_insert(wanted);
            assert!((wanted - state_value).abs() < 0.02, "{valued:?} {wanted} {state_value}");
            compared += 1;
        }
        game.make(&setup, &moves[0].chosen);
    }
    assert!(compared > 60, "{compared}");
}

#[test]
fn moves_beyond_the_margin_stay_behind() {
    let setup = Setup::embedded("english").unwrap();
    let mut narrow = weights(&FEATURES, &EXTRA, &[8, 4]);
    narrow.settings.margin = 3.0;
    let leaves = LeaveData::embedded(Loader::new(&setup)).unwrap();
    let features = FEATURES.len();
    let skip = crate::evaluator::Linear::new(&narrow.linear(), &setup, Some(leaves.clone())).unwrap();
    let skip = StaticPlayer::new(skip);
    let player = StaticPlayer::new(Network::new(narrow, &setup, Some(leaves)).unwrap());
    let mut generator = Generator::new(&setup);
    let game = Game::deal(&setup, Domain::Match.deals(8), 0);
    let turn = game.turn(&setup);
    let by_leave = generator.top_moves(&turn, &skip.leave_values(&turn), 40);
    let close = by_leave.iter().filter(|valued| valued.equity.points() >= by_leave[0].equity.points() - 3.0).count();
    assert!(features == 6 && (1..40).contains(&close), "{close}");
    let ranked = player.choose_top(&mut generator, &turn, 40);
    let first: Vec<Move> = ranked[..close].iter().map(|valued| valued.chosen).collect();
    assert!(by_leave[..close].iter().all(|valued| first.contains(&valued.chosen)));
}

#[test]
fn files_read_back_to_the_bit_and_faults_are_named() {
    let weights = weights(&FEATURES, &EXTRA, &[8, 4]);
    let (settings, tensors) = weights.to_files().unwrap();
    assert_eq!(NetworkWeights::from_files(&settings, &tensors).unwrap(), weights);
    let message = |settings: &str, tensors: &[u8]| NetworkWeights::from_files(settings, tensors).unwrap_err().to_string();
    assert!(
        message(&settings.replace("feature_version = 3", "feature_version = 9"), &tensors).contains("feature_version = 9")
    );
    assert!(message(&settings.replace("\"reply_40\"", "\"reply_41\""), &tensors).contains("reply_41"));
    assert!(message(&settings.replace(", \"reply_40\"", ""), &tensors).contains("skip has the shape [6]; expected [5]"));
    assert!(!message(&settings, &tensors[..tensors.len() - 4]).is_empty());
    assert!(!message(&settings, &[]).is_empty());
    for name in ["score", "leave"] {
        let twice = settings.replace("\"reply_40\"", &format!("\"{name}\""));
        assert!(message(&twice, &tensors).contains(&format!("{name} must not be there, or not twice")));
    }
    // Version 0.1.0 had networks that saw the board; they are refused, and no weight of theirs is ignored.
    let with_board = settings.replace("candidate_moves", "board_radius = 2\ncandidate_moves");
    assert!(message(&with_board, &tensors).contains("unknown field `board_radius`"));
    let mut broken = weights.clone();
    broken.layers[1].bias.pop();
    assert!(broken.check().unwrap_err().to_string().contains("layer 1"));
    for (value, shown) in [(f32::NAN, "NaN"), (f32::INFINITY, "inf"), (-3e38, "-3e38"), (2e6, "2e6")] {
        broken.clone_from(&weights);
        broken.mean[2] = value;
        let fault = broken.check().unwrap_err().to_string();
        assert_eq!(fault, format!("mean, value 2: {shown}; expected a magnitude of 0e0 to 1e6"));
    }
    broken.clone_from(&weights);
    broken.scale[1] = 0.0;
    assert_eq!(broken.check().unwrap_err().to_string(), "scale, value 1: 0e0; expected a magnitude of 1e-6 to 1e6");
    broken.clone_from(&weights);
    broken.scale[1] = 1e-6;
    broken.layers.iter_mut().for_each(|layer| layer.weights.fill(1e6));
    broken.check().unwrap();
    let deep = [broken.layers[0].clone(), broken.layers[1].clone(), Dense { weights: vec![1e6; 16], bias: vec![0.0; 4] }];
    broken.layers = deep.into_iter().chain([broken.layers[2].clone()]).collect();
    assert!(broken.check().unwrap_err().to_string().contains("so large"));
}

/// The same numbers in another order are another network, so the shape counts and not the size alone.
#[test]
fn tensors_of_another_shape_are_refused() {
    use safetensors::{Dtype, SafeTensors, tensor::TensorView};

    let weights = weights(&FEATURES, &EXTRA, &[8, 4]);
    let (settings, tensors) = weights.to_files().unwrap();
    let message = |name: &str, shape: &[usize]| {
        let own = SafeTensors::deserialize(&tensors).unwrap();
        let reshaped = own.tensors().into_iter().map(|(own_name, tensor)| {
            let shape = if own_name == name { shape } else { tensor.shape() };
            (own_name, TensorView::new(Dtype::F32, shape.to_vec(), tensor.data()).unwrap())
        });
        let bytes = safetensors::serialize(reshaped.collect::<Vec<_>>(), None).unwrap();
        NetworkWeights::from_files(&settings, &bytes).unwrap_err().to_string()
    };
    assert_eq!(message("layer.1.weights", &[4, 8]), "layer.1.weights has the shape [4, 8]; expected [8, any]");
    assert_eq!(message("layer.2.weights", &[1, 4]), "layer.2.weights has the shape [1, 4]; expected [4, 1]");
    assert_eq!(message("layer.1.bias", &[2, 2]), "layer.1.bias has the shape [2, 2]; expected [4]");
    assert_eq!(message("mean", &[61, 1]), "mean has the shape [61, 1]; expected [any]");
}
