//! The course of recorded games: win probability and spread by turn, with the mistakes.

use std::iter::once;

use tilewright_engine::annotation::Basis;

use super::files::{GameFile, Loaded};
use super::mistakes::cost;
use super::result::{RecordedGames, ShownGame, ShownJudgement, ShownTurn};
use crate::report::html::{Markup, Section, html};
use crate::report::svg::{Colour, Layer, Mark, layered_chart};

/// Places by turn, from 1.
type Curve = Vec<(f64, f64)>;

/// The address of a turn in the viewer, both from 1. `are_many`: the page has several games.
pub fn address(game: usize, turn: u32, are_many: bool) -> String {
    if are_many { format!("#g{game}t{turn}") } else { format!("#t{turn}") }
}

/// The charts of the games. With several games they are folded, but for the first.
pub fn section(loaded: &Loaded, games: &RecordedGames) -> Section {
    let are_many = games.games.len() > 1;
    let shown = (1..).zip(loaded.games.iter().zip(&games.games));
    let body = html! {
        @for (number, (file, game)) in shown {
            @let charts = charts(file, game, number, are_many);
            @if are_many { details open[number == 1] { summary { (game.title) } (charts) } } @else { (charts) }
        }
    };
    let dots = games.comparison.as_ref().map_or("", |_| " A dot is a mistake of the player with its colour.");
    let lead = html! { "After each move, from the view of the first player." (dots) };
    Section::new("course", "Course", "The course of the game", lead, body)
}

fn charts(file: &GameFile, game: &ShownGame, number: usize, are_many: bool) -> Markup {
    let first = &game.players[0];
    let leads = file.positions.iter().map(|position| f64::from(position.scores[0]) - f64::from(position.scores[1]));
    let spreads: Curve = (0..).map(f64::from).zip(once(0.0).chain(leads)).collect();
    let spreads = with_mistakes(vec![line(spreads.clone())], &spreads, game);
    // Solved endgames alone make no curve.
    let is_open = judged(game).any(|(.., judged)| judged.by != Basis::Endgame && judged.win_loss.is_some());
    let costs = |judged: &ShownJudgement| cost(judged.loss, judged.win_loss);
    let mistakes = judged(game).filter(|(.., judged)| judged.is_mistake);
    let worst = mistakes.max_by(|one, next| costs(one.2).total_cmp(&costs(next.2)));
    html! {
        div.two.curves {
            @if is_open {
                (layered_chart(&format!("Win probability of {first}"), "turn", "percent", &win_layers(&wins(game), game)))
            }
            (layered_chart(&format!("Lead of {first}"), "turn", "points", &spreads))
        }
        @if let Some((turn, shown, judged)) = worst {
            p { "The most costly move is turn " a href=(address(number, turn, are_many)) { (turn) } ", "
                (shown.chosen) " by " (game.players[shown.player]) ": " (judged.lost()) "." }
        }
    }
}

/// The judged turns with their numbers.
fn judged(game: &ShownGame) -> impl Iterator<Item = (u32, &ShownTurn, &ShownJudgement)> {
    (1..).zip(&game.turns).filter_map(|(number, turn)| Some((number, turn, turn.judged.as_ref()?)))
}

/// The win probability of the first player in percent, after the moves whose judgement has one.
fn wins(game: &ShownGame) -> Curve {
    let win = |(number, turn, judged): (u32, &ShownTurn, &ShownJudgement)| {
        let win = judged.best.iter().find(|best| best.made)?.win?.mean;
        Some((f64::from(number), 100.0 * if turn.player == 0 { win } else { 1.0 - win }))
    };
    judged(game).filter_map(win).collect()
}

/// The halves of the players, the curve with gaps between turns that are not neighbours, and the mistakes.
fn win_layers<'a>(wins: &Curve, game: &'a ShownGame) -> Vec<Layer<'a>> {
    let end = game.turns.len() as f64;
    let half = |colour, low, high| ("", colour, Mark::Band(vec![(0.0, low, high), (end, low, high)]));
    let stretches = wins.chunk_by(|one, next| next.0 - one.0 < 1.5).map(|stretch| line(stretch.to_vec()));
    let halves = [half(Colour::First, 50.0, 100.0), half(Colour::Third, 0.0, 50.0)];
    with_mistakes(halves.into_iter().chain(stretches).collect(), wins, game)
}

/// A line, or a dot if it has no length.
fn line<'a>(curve: Curve) -> Layer<'a> {
    ("", Colour::Second, if curve.len() > 1 { Mark::Line(curve) } else { Mark::Dots(curve) })
}

/// The layers with the mistakes of each player on a curve.
fn with_mistakes<'a>(mut layers: Vec<Layer<'a>>, curve: &Curve, game: &'a ShownGame) -> Vec<Layer<'a>> {
    for (player, (name, colour)) in game.players.iter().zip([Colour::First, Colour::Third]).enumerate() {
        let mistakes = judged(game).filter(|(_, turn, judged)| turn.player == player && judged.is_mistake);
        let turns: Vec<f64> = mistakes.map(|(number, ..)| f64::from(number)).collect();
        let dots: Curve = curve.iter().copied().filter(|(turn, _)| turns.contains(turn)).collect();
        if !dots.is_empty() {
            layers.push((name, colour, Mark::Dots(dots)));
        }
    }
    layers
}

#[cfg(test)]
mod tests {
    use tilewright_engine::series::Estimate;

    use super::super::mistakes::MistakeSize;
    use super::super::result::ShownMove;
    use super::*;

    fn turn(player: usize, win: Option<f64>, mistake: Option<MistakeSize>) -> ShownTurn {
        let win = win.map(|win| Estimate::normal(win, 0.0));
        let made = ShownMove { chosen: String::new(), score: 0, equity: 0.0, value: 0.0, spread: None, win, made: true };
        let judged = ShownJudgement {
            by: Basis::Simulation,
            loss: 0.0,
            win_loss: None,
            loss_interval: None,
            win_loss_interval: None,
            is_mistake: mistake.is_some(),
            mistake,
            better_by_equity: 0,
            best: vec![made],
        };
        let [rack, chosen] = [String::new(), String::new()];
        ShownTurn { player, rack, chosen, score: 0, total: 0, leave: None, not_judged: None, judged: Some(judged) }
    }

    #[test]
    fn wins_are_those_of_the_first_player_with_gaps() {
        let turns = vec![
            turn(0, Some(0.5), None),
            turn(1, Some(0.75), Some(MistakeSize::Small)),
            turn(0, None, Some(MistakeSize::Large)),
            turn(1, Some(0.25), None),
        ];
        let players = ["ann", "bob"].map(String::from);
        let game = ShownGame { file: String::new(), title: String::new(), players, scores: [0; 2], turns };
        let wins = wins(&game);
        assert_eq!(wins, [(1.0, 50.0), (2.0, 25.0), (4.0, 75.0)]);
        let layers = win_layers(&wins, &game);
        let curves: Vec<&Mark> = layers[2..].iter().map(|(.., mark)| mark).collect();
        assert!(matches!(curves[0], Mark::Line(points) if points.len() == 2), "turn 3 is a gap: {curves:?}");
        assert!(matches!(curves[1], Mark::Dots(points) if points[..] == [(4.0, 75.0)]), "{curves:?}");
        // The mistake of ann has no place on this curve.
        assert!(matches!(curves[2..], [Mark::Dots(points)] if points[..] == [(2.0, 25.0)]), "{curves:?}");
        assert_eq!(layers[4].0, "bob");
    }
}
