//! The endgame solver against an independent proof search, on endgames with full racks.

use rayon::prelude::*;
use tilewright_engine::deals::Domain;
use tilewright_engine::endgame::{Limits, Solver};
use tilewright_engine::evaluator::Greedy;
use tilewright_engine::game::Game;
use tilewright_engine::movegen::Generator;
use tilewright_engine::setup::Setup;
use tilewright_engine::static_player::StaticPlayer;

use crate::proof::Proof;

const SEED: u64 = 19;

/// Games of [`SEED`] whose endgames a proof search of [`FEW`] positions decides.
const QUICK: [u64; 40] = [
    0, 5, 8, 10, 14, 16, 21, 26, 27, 28, 32, 33, 39, 47, 57, 58, 59, 65, 67, 71, 77, 78, 84, 87, 88, 89, 93, 96, 97, 104,
    105, 107, 114, 121, 125, 126, 128, 129, 130, 140,
];
/// The positions of a proof search in the test that always runs.
const FEW: u64 = 20_000;
/// The positions of a proof search in the test that runs by hand.
const MANY: u64 = 1_000_000;

/// Returns the game at the moment when its bag is empty; `None` if it ends before, or if no rack has seven tiles.
fn full_endgame(generator: &mut Generator<'_>, index: u64) -> Option<Game> {
    let setup = generator.setup();
    let greedy = StaticPlayer::new(Greedy);
    let mut game = Game::deal(setup, Domain::Match.deals(SEED), index);
    while !game.is_over() && !game.bag.is_empty() {
        let chosen = greedy.choose(generator, &game.turn(setup)).chosen;
        game.make(setup, &chosen);
    }
    (!game.is_over() && game.racks.iter().any(|rack| rack.size() == 7)).then_some(game)
}

/// Compares the solutions of games with the proof search, and returns the games that it decides.
fn prove(games: &[u64], nodes: u64) -> Vec<u64> {
    let setup = Setup::embedded("english").expect("an embedded tile set");
    let decided = games.par_iter().map_init(
        || (Generator::new(&setup), Solver::new(&setup)),
        |(generator, solver), &index| {
            let game = full_endgame(generator, index)?;
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let solution = solver.solve(&game, &limits).expect("an endgame");
            let racks = game.racks.map(|rack| rack.show(&setup.tileset));
            if !solution.is_exact {
                return None;
            }
            let is_value = Proof::new(generator.clone(), nodes).is_value(&game, solution.value)?;
            assert!(is_value, "game {index}, {racks:?}: {solution:?}");
            Some(index)
        },
    );
    decided.flatten().collect()
}

#[test]
fn forty_endgames_with_full_racks_agree_with_a_proof_search() {
    assert_eq!(prove(&QUICK, FEW), QUICK);
}

#[test]
#[ignore = "takes hours; run it after a change of the solver"]
fn three_hundred_endgames_with_full_racks_agree_with_a_proof_search() {
    let decided = prove(&(0..1_200).collect::<Vec<_>>(), MANY);
    assert!(decided.len() >= 300, "{}: {decided:?}", decided.len());
}
