//! Playouts, the inner loop: tries every candidate on the same deal, a few plies deep.

use super::deals::Deals;
use super::playout_result::{PlayoutResult, billionths};
use super::settings::Settings;
use crate::endgame::fast::{Estimate, FastEvaluator};
use crate::equity::Equity;
use crate::game::{Game, Undo};
use crate::movegen::{Generator, ValuedMove};
use crate::moves::Move;
use crate::setup::Setup;
use crate::static_player::StaticPlayer;
use crate::win_percentage::{TilesLeft, WinPercentage};

/// Plies with a generator of their own per candidate; later plies share the last one, because most lanes have changed by then.
const MOST_GENERATORS: usize = 8;

/// The length of a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Horizon {
    /// Replies to the candidate.
    pub plies: usize,
    /// With this many tiles in the bag, or fewer, it goes on to the end of the game; `None` if it never does.
    pub end_bag: Option<usize>,
    /// Whether a playout ends with an empty bag, where the endgame is estimated.
    pub fast_endgame: bool,
}

/// What playouts go by.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    /// What is played.
    pub setup: &'a Setup,
    /// Chooses the replies.
    pub policy: &'a StaticPlayer,
    /// Values the leaves at the end; without one, the equity of a move beyond its score does.
    pub horizon: Option<&'a StaticPlayer>,
    /// Turns a spread at the end into a win probability.
    pub win_percentage: &'a WinPercentage,
}

/// Tries the candidates of one position, iteration by iteration. One for each thread.
///
/// An iteration deals the unseen tiles and tries every candidate on that deal: it makes the candidate and the replies, each the best
/// move of a static player, and takes everything back. Its result is a function of the deals and of its number.
pub(super) struct Playouts<'a> {
    rules: Rules<'a>,
    horizon: Horizon,
    game: Game,
    candidates: Vec<ValuedMove>,
    deals: Deals,
    /// One generator per candidate and ply, so that each finds most lanes unchanged.
    generators: Vec<Vec<Generator<'a>>>,
    undos: Vec<Undo>,
    fast: FastEvaluator<'a>,
}

impl<'a> Playouts<'a> {
    pub(super) fn new(
        rules: Rules<'a>,
        horizon: Horizon,
        game: Game,
        candidates: Vec<ValuedMove>,
        deals: Deals,
    ) -> Playouts<'a> {
        let undos = Vec::with_capacity(horizon.plies + 1);
        let fast = FastEvaluator::new(rules.setup);
        let generators = Vec::new();
        let playouts = Playouts { rules, horizon, game, candidates, deals, generators, undos, fast };
        playouts.with_generators()
    }

    /// Goes on to another position; the generators stay.
    pub(super) fn at(self, game: Game, candidates: Vec<ValuedMove>, deals: Deals) -> Playouts<'a> {
        Playouts { game, candidates, deals, ..self }.with_generators()
    }

    /// Creates the generators that the candidates lack.
    fn with_generators(mut self) -> Playouts<'a> {
        let (setup, plies) = (self.rules.setup, self.horizon.plies.min(MOST_GENERATORS));
        let most = self.generators.len().max(self.candidates.len());
        self.generators.resize_with(most, || vec![Generator::new(setup); plies]);
        self
    }

    /// Plays iteration `index` with those of the candidates whose numbers are `running`, and tells what each came to.
    pub(super) fn iteration(&mut self, index: u64, running: &[usize]) -> Vec<PlayoutResult> {
        let (unseen, stream) = self.deals.deal(index);
        self.game.deal_in_order(unseen, stream);
        running.iter().map(|&candidate| self.playout(candidate)).collect()
    }

    fn playout(&mut self, candidate: usize) -> PlayoutResult {
        let Playouts { rules: Rules { setup, policy, horizon: valuer, win_percentage }, game, undos, horizon, .. } = self;
        let (mover, lead_before) = (game.to_move, game.spread());
        let full_rack = setup.tileset.rules().rack_size;
        let mut kept = [Equity::ZERO; 2];
        let (mut next_bingos, mut next_scores) = ([false; 2], [0; 2]);
        let mut make = |game: &mut Game, valued: ValuedMove| {
            kept[game.to_move] = match valuer {
                None => valued.reported_equity() - Equity::from_points(valued.chosen.score()),
                Some(valuer) => valuer.leave_value(&game.turn(setup), &valued.chosen),
            };
            undos.push(game.make_with_undo(setup, &valued.chosen));
        };
        make(game, self.candidates[candidate]);
        let generators = &mut self.generators[candidate];
        for ply in 0.. {
            if game.is_over() || !horizon.is_within(ply, game) {
                break;
            }
            let generator = &mut generators[ply.min(MOST_GENERATORS - 1).min(horizon.plies - 1)];
            let reply = policy.choose(generator, &game.turn(setup));
            let is_bingo = matches!(reply.chosen, Move::Play(play) if play.tiles.len() == full_rack);
            // The first reply is the opponent's next turn, the second is the mover's own.
            if ply < 2 {
                next_bingos[usize::from(ply == 0)] = is_bingo;
                next_scores[usize::from(ply == 0)] = reply.chosen.score();
            }
            make(game, reply);
        }
        let lead = game.scores[mover] - game.scores[1 - mover];
        let estimate = if horizon.fast_endgame && !game.is_over() { self.fast.evaluate(game).ok() } else { None };
        let (spread, win_probability) = if game.is_over() {
            (Equity::from_points(lead), f64::from(1 + lead.signum()) / 2.0)
        } else if let Some(Estimate { value, win_probability, .. }) = estimate {
            let is_own = game.to_move == mover;
            let (value, win_probability) = if is_own { (value, win_probability) } else { (-value, 1.0 - win_probability) };
            (Equity::from_points(lead + value), win_probability)
        } else {
            let spread = Equity::from_points(lead) + kept[mover] - kept[1 - mover];
            let left = TilesLeft::from_game(game);
            let win_probability = if game.to_move == mover {
                win_percentage.win_probability(left, spread)
            } else {
                1.0 - win_percentage.win_probability(left, -spread)
            };
            (spread, win_probability)
        };
        while let Some(undo) = undos.pop() {
            game.unmake(&undo);
        }
        let gain = spread - Equity::from_points(lead_before);
        PlayoutResult { win_probability: billionths(win_probability), gain, next_bingos, next_scores }
    }
}

impl Horizon {
    /// The length that the settings ask for.
    pub(super) fn new(settings: &Settings) -> Horizon {
        let end_bag = settings.to_the_end.then_some(settings.end_bag);
        Horizon { plies: settings.plies, end_bag, fast_endgame: settings.fast_endgame }
    }

    /// Whether the playout continues with reply number `ply`, counted from 0.
    fn is_within(self, ply: usize, game: &Game) -> bool {
        let is_estimated = self.fast_endgame && game.bag.is_empty();
        let goes_on = self.end_bag.is_some_and(|tiles| game.bag.len() <= tiles);
        !is_estimated && (ply < self.plies || goes_on)
    }
}
