//! `bench pre-endgames`: the cost of pre-endgames, and the win probability of the chosen moves compared with the static
//! ones.

use std::fmt;

use cpu_time::ProcessTime;
use serde::Serialize;
use tilewright_engine::game::cgp::CgpPosition;
use tilewright_engine::pre_endgame::{Certainty, MAX_EXACT_BAG, PreEndgame, Settings};
use tilewright_engine::series::Estimate;
use tilewright_engine::{Game, Setup};

use super::measuring::{Distribution, HEAD, PreEndgamesArguments, Started, Subject};
use crate::{Failure, Number, loading, output};

/// The most positions searched per endgame to compare the chosen move with the static one. Nearly all endgames need fewer.
/// A position with an endgame that needs more is not compared.
const COMPARED_NODES: u64 = 300_000;

/// The costs and the gains, printed as a table and written as JSON. Times are CPU time (user and system) of all threads. Win
/// probabilities are 0–1.
#[derive(schemars::JsonSchema, Serialize)]
pub struct PreEndgameCosts {
    #[serde(flatten)]
    subject: Subject,
    bag: usize,
    positions: usize,
    cpu_seconds: Distribution,
    nodes: Distribution,
    /// Positions in which the winner of every draw is certain for the chosen move, if both players reply as assumed.
    decided: usize,
    /// The mean share of the draws whose winner is certain, if both players reply as assumed.
    certain: f64,
    /// The mean share of the draws whose winner is proved: no reply is assumed.
    proved: f64,
    /// Positions in which both moves empty the bag, so that both win probabilities are exact. The figures below are over
    /// these.
    compared: usize,
    /// Positions in which the chosen move is not the static move.
    different: usize,
    better: usize,
    equal: usize,
    worse: usize,
    #[schemars(with = "Option<f64>")]
    chosen_win_probability: f64,
    #[schemars(with = "Option<f64>")]
    static_win_probability: f64,
    /// The mean difference of the win probabilities.
    gain: Estimate,
    each: Vec<PositionMeasurement>,
}

#[derive(schemars::JsonSchema, Serialize)]
struct PositionMeasurement {
    game: u64,
    /// The position for `solve`, without the opponent's rack.
    cgp: String,
    cpu_seconds: f64,
    nodes: u64,
    chosen_static_rank: usize,
    /// With more tiles in the bag than all draws can be tried for, win probabilities are not compared.
    chosen_win_probability: Option<f64>,
    chosen_spread: f64,
    static_win_probability: Option<f64>,
    static_spread: f64,
    /// Whether both win probabilities are exact.
    exact: bool,
    /// The share of the draws whose winner is certain for the chosen move, if both players reply as assumed.
    certain: f64,
    /// The share of the draws whose winner is proved for the chosen move. 0 if replies are assumed.
    proved: f64,
}

pub fn run(arguments: &PreEndgamesArguments) -> Result<(), Failure> {
    let bag = arguments.bag as usize;
    let started = Started::new(&arguments.bench)?;
    let Started { json, setup, player, subject, .. } = &started;
    let ranker = loading::ranker(player)?;
    let solver = || PreEndgame::new(setup, ranker.clone()).with_threads(rayon::current_num_threads());
    let settings = Settings { endgame_nodes: Some(COMPARED_NODES), nodes: None, ..Settings::for_bag(bag) };
    let (mut answers, mut exact) = (solver(), solver().with_settings(settings));
    let measure = |index, game: &Game| measure(index, game, setup, &mut answers, &mut exact);
    let each = started.measure((arguments.count, "pre-endgames"), bag, measure)?;
    output::show(&table(each, subject.clone(), bag), *json)
}

fn measure(
    index: u64,
    game: &Game,
    setup: &Setup,
    answers: &mut PreEndgame<'_>,
    exact: &mut PreEndgame<'_>,
) -> Result<PositionMeasurement, Failure> {
    let begun = ProcessTime::now();
    let analysis = answers.solve(game)?;
    let cpu_seconds = begun.elapsed().as_secs_f64();
    let static_move = analysis.candidates.iter().find(|candidate| candidate.static_place == 0);
    let (Some(chosen), Some(static_move)) = (analysis.candidates.first(), static_move) else {
        return Err(Failure::Failed(anyhow::anyhow!("game {index} has no candidates")));
    };
    let solved = if game.bag.len() <= MAX_EXACT_BAG {
        exact.solve_moves(game, &[chosen.chosen, static_move.chosen], false)?
    } else {
        Vec::new()
    };
    let found = [chosen, static_move].map(|wanted| solved.iter().find(|candidate| candidate.chosen == wanted.chosen));
    let [chosen_win_probability, static_win_probability] = found.map(|found| Some(found?.win_probability));
    Ok(PositionMeasurement {
        game: index,
        cgp: CgpPosition::seen_in(game, setup).write(&setup.tileset),
        cpu_seconds,
        nodes: analysis.nodes,
        chosen_static_rank: chosen.static_place + 1,
        chosen_win_probability,
        chosen_spread: chosen.spread,
        static_win_probability,
        static_spread: static_move.spread,
        exact: found.iter().all(|found| found.is_some_and(|one| one.certainty == Certainty::Exact)),
        certain: chosen.certain,
        proved: chosen.proved,
    })
}

fn table(each: Vec<PositionMeasurement>, subject: Subject, bag: usize) -> PreEndgameCosts {
    let exact: Vec<&PositionMeasurement> = each.iter().filter(|one| one.exact).collect();
    let count = exact.len() as f64;
    let mean = |of: &dyn Fn(&PositionMeasurement) -> f64| exact.iter().map(|one| of(one)).sum::<f64>() / count;
    let chosen = |one: &PositionMeasurement| one.chosen_win_probability.unwrap_or_default();
    let static_move = |one: &PositionMeasurement| one.static_win_probability.unwrap_or_default();
    let gain = |one: &PositionMeasurement| chosen(one) - static_move(one);
    let gained = mean(&gain);
    let variance = mean(&|one| (gain(one) - gained).powi(2)) * count / (count - 1.0);
    // Win probabilities are multiples of the weight of a split. Smaller differences are rounding.
    let share = |of: &dyn Fn(&PositionMeasurement) -> f64| each.iter().map(of).sum::<f64>() / each.len() as f64;
    let among = |wanted: &dyn Fn(f64) -> bool| exact.iter().filter(|one| wanted(gain(one))).count();
    PreEndgameCosts {
        subject,
        bag,
        positions: each.len(),
        cpu_seconds: Distribution::from_numbers(each.iter().map(|one| one.cpu_seconds)),
        nodes: Distribution::from_numbers(each.iter().map(|one| one.nodes as f64)),
        decided: each.iter().filter(|one| one.certain > 1.0 - 1e-9).count(),
        certain: share(&|one| one.certain),
        proved: share(&|one| one.proved),
        compared: exact.len(),
        different: exact.iter().filter(|one| one.chosen_static_rank > 1).count(),
        better: among(&|gain| gain > 1e-9),
        equal: among(&|gain| gain.abs() <= 1e-9),
        worse: among(&|gain| gain < -1e-9),
        chosen_win_probability: mean(&chosen),
        static_win_probability: mean(&static_move),
        gain: Estimate::normal(gained, (variance / count).sqrt()),
        each,
    }
}

impl fmt::Display for PreEndgameCosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PreEndgameCosts { subject, positions, bag, decided, compared, different, .. } = self;
        writeln!(f, "{subject}: {positions} positions with {bag} in the bag\n{HEAD}")?;
        writeln!(f, "{:<26}{}", "CPU-s per position", self.cpu_seconds)?;
        writeln!(f, "{:<26}{}", "positions searched", self.nodes)?;
        let [certain, proved] = [self.certain, self.proved].map(|share| 100.0 * share);
        write!(f, "draws whose winner is certain for the chosen move if replies are as assumed: {certain:.1} %, ")?;
        write!(f, "all of them in {decided} positions. Proved without assumptions: {proved:.1} %")?;
        if *compared == 0 {
            return write!(f, "\nno position in which both the chosen and the static move have exact win probabilities");
        }
        writeln!(
            f,
            "\n{compared} positions with exact win probabilities, because the chosen and the static move empty the bag:"
        )?;
        let PreEndgameCosts { better, equal, worse, .. } = self;
        writeln!(
            f,
            "  {different} chosen moves differ from the static move; {better} win more often, {equal} equally often \
             (including identical moves), {worse} less often"
        )?;
        let [chosen, static_move] =
            [self.chosen_win_probability, self.static_win_probability].map(|probability| 100.0 * probability);
        let gain = self.gain.times(100.0);
        write!(f, "  win probability: chosen {chosen:.2} %, static {static_move:.2} %, gain {:+.2}", Number(gain.mean))?;
        if *compared > 1 { write!(f, " ± {:.2} (half of a 95 % interval)", gain.half_width()) } else { Ok(()) }
    }
}
