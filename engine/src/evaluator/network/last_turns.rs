//! The last turns of a game, played out.
//!
//! When the bag is empty or nearly so, a game is over in a few turns, and how it ends depends on who goes out and on plays that the
//! other player cannot block. Features do not say that. So the moves are tried: both players go on with the highest score, and
//! once the bag is empty they count the tiles left, as `leave` does. A turn does not say how many turns before it were scoreless, so
//! they are taken to be none.

use crate::equity::Equity;
use crate::evaluator::{Evaluator, NoLeaves};
use crate::game::{Continuations, Game};
use crate::movegen::LeaveValues;
use crate::moves::Move;
use crate::rack::{MAX_SUB_RACKS, SubRacks};
use crate::rng::{shuffle, stream};
use crate::setup::Setup;
use crate::tileset::Tile;
use crate::turn::Turn;

/// The most tiles in the bag at which a network also plays the game out.
pub const MOST_IN_BAG: usize = 3;
/// The number of moves that are played out while tiles are in the bag.
const PLAYED_OUT: usize = 10;
/// The most moves whose boards are in memory together.
const MOVES_AT_ONCE: usize = 50;

// The weights while tiles are in the bag, from matches (`experiments/studies/23-embedded-network.md`). Their sum keeps the scale of
// points: so late in an even game, a point is worth some 2 % of a win.

/// The weight of the equity of the network.
const EQUITY: f64 = 0.7 / 3.0;
/// The weight of the gain.
const GAIN: f64 = 0.3 / 3.0;
/// The points for a won game.
const WON: f64 = 100.0 / 3.0;

/// How the game ends after a move, from the view of the player who makes it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct End {
    /// The growth of the spread, in points.
    pub gain: f64,
    /// The share of the games that are won, 0–1. A draw counts half.
    pub won: f64,
}

/// Turns the equities of the best of some moves into weighted sums with how the game ends. Their mean stays, so they compare with
/// the others.
pub(super) fn count_ends(turn: &Turn<'_>, moves: &[Move], equities: &mut [f64]) {
    let mut best: Vec<usize> = (0..moves.len()).collect();
    best.sort_by(|&one, &other| equities[other].total_cmp(&equities[one]));
    best.truncate(PLAYED_OUT);
    let chosen: Vec<Move> = best.iter().map(|&number| moves[number]).collect();
    let sum = |(&number, end): (&usize, End)| EQUITY * equities[number] + GAIN * end.gain + WON * end.won;
    let sums: Vec<f64> = best.iter().zip(ends(turn, &chosen)).map(sum).collect();
    let total: f64 = best.iter().zip(&sums).map(|(&number, sum)| equities[number] - sum).sum();
    let shift = total / best.len().max(1) as f64;
    for (&number, sum) in best.iter().zip(sums) {
        equities[number] = sum + shift;
    }
}

/// How the game ends after each of some moves of a turn: means over deals. There are as many deals as unseen tiles, and every tile
/// is in the bag equally often. With an empty bag there is one.
pub(super) fn ends(turn: &Turn<'_>, moves: &[Move]) -> Vec<End> {
    moves.chunks(MOVES_AT_ONCE).flat_map(|moves| ends_of_few(turn, moves)).collect()
}

fn ends_of_few(turn: &Turn<'_>, moves: &[Move]) -> Vec<End> {
    let mut draw = stream(0, "last turns", 0);
    let game = Game::from_position(turn.setup, turn.board.clone(), turn.rack, [turn.spread, 0], draw.clone());
    let mut game = game.unwrap_or_else(|| unreachable!("a turn has the tiles of its tile set"));
    let mut tiles: Vec<u8> = game.unseen().tiles().map(Tile::kind).collect();
    shuffle(&mut tiles, &mut draw);
    let mut continuations = Continuations::new(turn.setup, &mut game, moves.iter().copied());
    let deals = if game.bag.is_empty() { 1 } else { tiles.len() };
    let mut ends = vec![End::default(); moves.len()];
    for _ in 0..deals {
        game.deal_in_order(&tiles, draw.clone());
        continuations.boards.begin_deal();
        for (number, (chosen, end)) in moves.iter().zip(&mut ends).enumerate() {
            let spread = played_out(turn.setup, &mut continuations, number, &mut game, chosen);
            end.gain += f64::from(spread - turn.spread) / deals as f64;
            end.won += f64::from(1 + spread.signum()) / 2.0 / deals as f64;
        }
        tiles.rotate_left(1);
    }
    ends
}

/// The spread at the end of the game after move `number` of player 0. The game is then as it was.
fn played_out(setup: &Setup, continuations: &mut Continuations<'_>, number: usize, game: &mut Game, chosen: &Move) -> i32 {
    let mut lanes = continuations.after[number];
    let mut undos = vec![game.make_with_undo(setup, chosen)];
    while !game.is_over() {
        let turn = game.turn(setup);
        let best = continuations.boards.best_move(&turn, || without_table(&turn), false, &lanes).chosen;
        let goes_out = turn.bag == 0 && best.tiles().len() == turn.rack.size();
        undos.push(if goes_out { game.make_off_board(setup, &best) } else { continuations.make(game, &best, &mut lanes) });
    }
    let spread = game.scores[0] - game.scores[1];
    undos.iter().rev().for_each(|undo| game.unmake(undo));
    spread
}

/// The values of leaves without a table.
fn without_table(turn: &Turn<'_>) -> LeaveValues {
    let sub_racks = SubRacks::new(&turn.rack);
    let mut values = [Equity::ZERO; MAX_SUB_RACKS];
    NoLeaves.leave_values(turn, &sub_racks, &mut values);
    LeaveValues { sub_racks, values }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artefact::Loader;
    use crate::deals::Domain;
    use crate::evaluator::Network;
    use crate::evaluator::network::load::LoadedNetwork;
    use crate::movegen::Generator;
    use crate::rack::Rack;
    use crate::setup::Setup;
    use crate::static_player::StaticPlayer;
    use crate::tileset::TileSet;

    /// The tiles of the other rack and of the bag, deal by deal.
    fn deals_of(tiles: &[u8], bag: usize) -> Vec<(Vec<u8>, Vec<u8>)> {
        let mut order = tiles.to_vec();
        shuffle(&mut order, &mut stream(0, "last turns", 0));
        let deal = |first: usize| {
            let mut rotated = order.clone();
            rotated.rotate_left(first);
            let drawn = rotated.split_off(tiles.len() - bag);
            (rotated, drawn)
        };
        (0..if bag == 0 { 1 } else { tiles.len() }).map(deal).collect()
    }

    /// Turns with few tiles in the bag are valued as by playing each deal out, move by move, with a player that has no table.
    #[test]
    fn the_ends_are_those_of_games_that_are_played_out() {
        let spanish =
            Setup::from_words(TileSet::embedded("spanish").unwrap(), "CASA\nSACO\nOCA\nCAL[LL]E\nES\nSE\n").unwrap();
        let polish =
            Setup::from_words(TileSet::embedded("polish").unwrap(), "KOT\nKOTA\nOKO\nTAK\nŁAD\nAKT\nTO\nKĄT\nOKA\n");
        let (mut turns, mut bags) = (0, [0; 1 + MOST_IN_BAG]);
        for (setup, games) in [(Setup::embedded("english").unwrap(), 20), (spanish, 3), (polish.unwrap(), 3)] {
            let player = StaticPlayer::by_leaves(|_, _| 0.0);
            let mut generator = Generator::new(&setup);
            for index in 0..games {
                let mut game = Game::deal(&setup, Domain::Match.deals(5), index);
                while !game.is_over() {
                    let turn = game.turn(&setup);
                    if turn.bag <= MOST_IN_BAG {
                        let ranked = player.choose_top(&mut generator, &turn, 4);
                        let moves: Vec<Move> = ranked.iter().map(|valued| valued.chosen).collect();
                        let tiles: Vec<u8> = turn.unseen.tiles().map(Tile::kind).collect();
                        let deals = deals_of(&tiles, turn.bag);
                        for (chosen, found) in moves.iter().zip(ends(&turn, &moves)) {
                            let mut wanted = End::default();
                            for (other, bag) in &deals {
                                let scores = [turn.spread, 0];
                                let nothing = stream(0, "last turns", 0);
                                let mut end =
                                    Game::from_position(&setup, turn.board.clone(), turn.rack, scores, nothing.clone())
                                        .unwrap();
                                let drawn: Vec<u8> = [&other[..], &bag[..]].concat();
                                end.deal_in_order(&drawn, nothing);
                                assert_eq!(end.racks[1], Rack::from_kinds(other));
                                end.make(&setup, chosen);
                                while !end.is_over() {
                                    let next = player.choose(&mut generator, &end.turn(&setup)).chosen;
                                    end.make(&setup, &next);
                                }
                                let spread = end.scores[0] - end.scores[1];
                                wanted.gain += f64::from(spread - turn.spread) / deals.len() as f64;
                                wanted.won += [0.0, 0.5, 1.0][(1 + spread.signum()) as usize] / deals.len() as f64;
                            }
                            assert!(
                                (found.gain - wanted.gain).abs() < 1e-6 && (found.won - wanted.won).abs() < 1e-6,
                                "{found:?} {wanted:?}"
                            );
                            bags[turn.bag] += 1;
                        }
                        turns += 1;
                    }
                    let chosen = player.choose(&mut generator, &game.turn(&setup)).chosen;
                    game.make(&setup, &chosen);
                }
            }
        }
        assert!(turns > 30 && bags.iter().all(|&count| count > 10), "{turns} {bags:?}");
    }

    /// With an empty bag the move with the best end is chosen. While tiles are in the bag, the ends change the order of the best moves,
    /// and their mean stays.
    #[test]
    fn the_ends_count_as_far_as_they_are_known() {
        let setup = Setup::embedded("english").unwrap();
        let network: Network = LoadedNetwork::embedded(Loader::new(&setup)).unwrap().evaluator;
        let player = StaticPlayer::new(network.clone());
        let mut generator = Generator::new(&setup);
        let (mut empty, mut nearly, mut many) = (0, 0, 0);
        for index in 0..12 {
            let mut game = Game::deal(&setup, Domain::Match.deals(6), index);
            while !game.is_over() {
                let turn = game.turn(&setup);
                let ranked = player.choose_top(&mut generator, &turn, 20);
                let moves: Vec<Move> =
                    ranked.iter().map(|valued| valued.chosen).filter(|&chosen| chosen != Move::Pass).collect();
                let ends = if turn.bag > MOST_IN_BAG { Vec::new() } else { ends(&turn, &moves) };
                if turn.bag == 0 && moves.len() > 1 {
                    let best = ends.iter().map(|end| end.gain).fold(f64::MIN, f64::max);
                    assert!(ends[0].gain >= best, "{ends:?}");
                    let all: Vec<Move> = player.rank(&mut generator, &turn).iter().map(|valued| valued.chosen).collect();
                    let alone = all.iter().map(|&chosen| super::ends(&turn, &[chosen])[0]);
                    assert!(super::ends(&turn, &all).into_iter().eq(alone));
                    many += u32::from(all.len() > MOVES_AT_ONCE);
                    empty += 1;
                } else if (1..=MOST_IN_BAG).contains(&turn.bag) && moves.len() > 1 {
                    let mut equities: Vec<f64> = (0..moves.len()).map(|number| -(number as f64) / 8.0).collect();
                    let before = equities.clone();
                    count_ends(&turn, &moves, &mut equities);
                    let most = moves.len().min(PLAYED_OUT);
                    let mean = |values: &[f64]| values[..most].iter().sum::<f64>();
                    assert!((mean(&equities) - mean(&before)).abs() < 1e-6 && equities[most..] == before[most..]);
                    let value = |number: usize| GAIN * ends[number].gain + EQUITY * before[number] + WON * ends[number].won;
                    let gap = |number: usize| (equities[number] - equities[0]) - (value(number) - value(0));
                    assert!((1..most).all(|number| gap(number).abs() < 1e-6));
                    nearly += 1;
                }
                game.make(&setup, &ranked[0].chosen);
            }
        }
        assert!(empty > 20 && nearly > 8 && many > 5, "{empty} {nearly} {many}");
    }
}
