//! Playouts, the inner loop: tries every candidate on the same deal, a few plies deep.

use super::deals::Deals;
use super::settings::{PlayoutResult, Settings, billionths};
use crate::endgame::fast::{Estimate, FastEvaluator};
use crate::equity::Equity;
use crate::game::{Continuations, Game, Undo};
use crate::movegen::{BoardLanes, Generator, ValuedMove};
use crate::moves::Move;
use crate::setup::Setup;
use crate::static_player::StaticPlayer;
use crate::turn::Turn;
use crate::win_percentage::{TilesLeft, WinPercentage};

/// The length of a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Horizon {
    /// Replies to the candidate.
    plies: usize,
    /// With this many tiles in the bag, or fewer, it goes on to the end of the game. `None` if it never does.
    end_bag: Option<usize>,
    /// Whether a playout ends with an empty bag, where the endgame is estimated.
    fast_endgame: bool,
}

/// The rules of playouts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules<'a> {
    /// The setup of the game.
    pub setup: &'a Setup,
    /// Chooses the replies.
    pub policy: &'a StaticPlayer,
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
    replies: Replies<'a>,
    undos: Vec<Undo>,
    fast: FastEvaluator<'a>,
}

/// Finds the replies of the policy.
struct Replies<'a> {
    continuations: Continuations<'a>,
    /// For a policy that is not plain: it looks twice, or draws lots.
    generator: Option<Box<Generator<'a>>>,
}

impl<'a> Playouts<'a> {
    pub(super) fn new(
        rules: Rules<'a>,
        settings: &Settings,
        mut game: Game,
        candidates: Vec<ValuedMove>,
        deals: Deals,
    ) -> Playouts<'a> {
        let horizon = Horizon::new(settings, game.bag.len());
        let undos = Vec::with_capacity(horizon.plies + 1);
        let fast = FastEvaluator::new(rules.setup);
        let replies = Replies::new(rules, &mut game, &candidates);
        Playouts { rules, horizon, game, candidates, deals, replies, undos, fast }
    }

    /// Plays iteration `index` with the candidates whose numbers are `running`, and returns the result of each.
    pub(super) fn iteration(&mut self, index: u64, running: &[usize]) -> Vec<PlayoutResult> {
        let (unseen, stream) = self.deals.deal(index);
        self.game.deal_in_order(unseen, stream);
        self.replies.continuations.boards.begin_deal();
        running.iter().map(|&candidate| self.playout(candidate)).collect()
    }

    fn playout(&mut self, candidate: usize) -> PlayoutResult {
        let Playouts { rules, replies, game, undos, horizon, .. } = self;
        let Rules { setup, policy, win_percentage } = *rules;
        let (mover, lead_before) = (game.to_move, game.spread());
        let full_rack = setup.tileset.rules().rack_size;
        let mut kept = [Equity::ZERO; 2];
        let (mut next_bingos, mut next_scores) = ([false; 2], [0; 2]);
        let leave_value = |valued: &ValuedMove| valued.reported_equity() - Equity::from_points(valued.chosen.score());
        let first = self.candidates[candidate];
        kept[mover] = leave_value(&first);
        undos.push(game.make_with_undo(setup, &first.chosen));
        let mut lanes = replies.continuations.after[candidate];
        for ply in 0.. {
            if game.is_over() || !horizon.is_within(ply, game.bag.len()) {
                break;
            }
            let reply = replies.best(policy, &game.turn(setup), &lanes);
            let is_bingo = matches!(reply.chosen, Move::Play(play) if play.tiles.len() == full_rack);
            // The first reply is the opponent's next turn, the second is the mover's own.
            if ply < 2 {
                next_bingos[usize::from(ply == 0)] = is_bingo;
                next_scores[usize::from(ply == 0)] = reply.chosen.score();
            }
            kept[game.to_move] = leave_value(&reply);
            undos.push(if horizon.ends_with(ply, game, &reply.chosen) {
                game.make_off_board(setup, &reply.chosen)
            } else {
                replies.continuations.make(game, &reply.chosen, &mut lanes)
            });
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
    /// The length that the settings ask for with this many tiles in the bag.
    fn new(settings: &Settings, bag: usize) -> Horizon {
        let is_late = (1..=settings.late_bag).contains(&bag);
        let plies = if is_late { settings.late_plies } else { settings.plies };
        let end_bag = settings.to_the_end.then_some(settings.end_bag);
        Horizon { plies, end_bag, fast_endgame: settings.fast_endgame }
    }

    /// Whether the playout continues with reply number `ply`, counted from 0, with this many tiles in the bag.
    fn is_within(self, ply: usize, bag: usize) -> bool {
        let is_estimated = self.fast_endgame && bag == 0;
        let goes_on = self.end_bag.is_some_and(|tiles| bag <= tiles);
        !is_estimated && (ply < self.plies || goes_on)
    }

    /// Whether reply number `ply` is certain to be the last one, and the board after it does not count.
    fn ends_with(self, ply: usize, game: &Game, reply: &Move) -> bool {
        let drawn = if let Move::Play(play) = reply { play.tiles.len() } else { 0 };
        let bag = game.bag.len().saturating_sub(drawn);
        !(self.is_within(ply + 1, bag) || self.fast_endgame && bag == 0)
    }
}

impl<'a> Replies<'a> {
    fn new(Rules { setup, policy, .. }: Rules<'a>, game: &mut Game, candidates: &[ValuedMove]) -> Replies<'a> {
        let continuations = Continuations::new(setup, game, candidates.iter().map(|candidate| candidate.chosen));
        let generator = (!policy.is_plain()).then(|| Box::new(Generator::new(setup)));
        Replies { continuations, generator }
    }

    /// The policy's best move. `lanes` are the lanes of the turn's board.
    fn best(&mut self, policy: &StaticPlayer, turn: &Turn<'_>, lanes: &BoardLanes) -> ValuedMove {
        match &mut self.generator {
            None => {
                let leaves = || policy.leave_values(turn);
                self.continuations.boards.best_move(turn, leaves, policy.needs_only_rack(turn.bag), lanes)
            }
            Some(generator) => policy.choose(generator, turn),
        }
    }
}
