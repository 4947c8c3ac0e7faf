//! The result of `game`, printed as text and written as JSON.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use tilewright_engine::annotation::{AnnotatedTurn, Basis, JudgedMove, Judgement};
use tilewright_engine::game::gcg::{GcgAction, GcgEvent};
use tilewright_engine::moves::notation;
use tilewright_engine::series::Estimate;
use tilewright_engine::{Board, Rack, Setup};

use super::files::{GameFile, Loaded};
use super::mistakes::{Comparison, MistakeSize, cost};
use crate::output::width;
use crate::report::html::with_half;

/// The games. Values are in points, from the view of the player of the move.
#[derive(schemars::JsonSchema, Serialize)]
pub struct RecordedGames {
    pub lexicon: String,
    pub tileset: String,
    pub comparison: Option<Comparison>,
    pub players: Vec<PlayerSummary>,
    /// The games with their turns.
    pub games: Vec<ShownGame>,
}

/// A player over all games.
#[derive(Default, schemars::JsonSchema, Serialize)]
pub struct PlayerSummary {
    pub player: String,
    pub games: u64,
    pub points: i64,
    pub turns: u64,
    pub bingos: u64,
    /// Turns whose moves were compared with the best ones.
    pub judged: u64,
    /// Judged turns without a loss.
    pub best_moves: u64,
    pub mistakes: u64,
    /// The numbers of small, medium and large mistakes.
    pub mistakes_by_size: [u64; 3],
    /// Points lost in judged turns.
    pub lost: f64,
    /// Win probability lost in simulated or solved turns, in games.
    pub win_lost: f64,
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct ShownGame {
    pub file: String,
    pub title: String,
    pub players: [String; 2],
    pub scores: [i32; 2],
    /// The turns in order.
    pub turns: Vec<ShownTurn>,
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct ShownTurn {
    /// Its place in `players`, from 0.
    pub player: usize,
    pub rack: String,
    #[serde(rename = "move")]
    pub chosen: String,
    pub score: i32,
    pub total: i32,
    /// The tiles that stay on the rack, if the whole rack is known.
    pub leave: Option<String>,
    /// Why the move was not compared, if it was not.
    pub not_judged: Option<String>,
    pub judged: Option<ShownJudgement>,
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct ShownJudgement {
    pub by: Basis,
    pub loss: f64,
    /// The win probability that the move lost, 0–1.
    pub win_loss: Option<f64>,
    /// The loss with its interval, if the moves were simulated or searched.
    pub loss_interval: Option<Estimate>,
    /// The lost win probability with its interval.
    pub win_loss_interval: Option<Estimate>,
    pub is_mistake: bool,
    pub mistake: Option<MistakeSize>,
    pub better_by_equity: usize,
    pub best: Vec<ShownMove>,
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct ShownMove {
    #[serde(rename = "move")]
    pub chosen: String,
    pub score: i32,
    pub equity: f64,
    /// In points: the equity, or the change of the spread by simulation or to the end.
    pub value: f64,
    /// The expected change of the spread in points, if the move was simulated or searched.
    pub spread: Option<Estimate>,
    /// The win probability, 0–1, if the move was simulated or searched.
    pub win: Option<Estimate>,
    pub made: bool,
}

impl RecordedGames {
    /// The result. `annotated` has the turns of each game, or nothing.
    pub fn new(loaded: &Loaded, comparison: Option<Comparison>, annotated: &[Vec<AnnotatedTurn>]) -> RecordedGames {
        let Loaded { setup, games } = loaded;
        let mistake = comparison.as_ref().map_or(f64::INFINITY, |comparison| comparison.mistake);
        let shown = games.iter().enumerate().map(|(number, file)| {
            let turns = annotated.get(number).map_or(&[][..], Vec::as_slice);
            game(file, setup, turns, mistake)
        });
        let games: Vec<ShownGame> = shown.collect();
        let (lexicon, tileset) = (setup.lexicon.name.clone(), setup.tileset.name().into());
        RecordedGames { lexicon, tileset, comparison, players: summaries(loaded, &games), games }
    }
}

fn game(file: &GameFile, setup: &Setup, annotated: &[AnnotatedTurn], mistake: f64) -> ShownGame {
    let turn = |(number, event): (usize, &GcgEvent)| {
        let before = file.before(number, setup);
        let (board, is_whole) = (before.board, event.rack.size() == before.held[event.player]);
        let chosen = file.positions[number].chosen.filter(|_| is_whole);
        let leave = chosen.and_then(|chosen| event.rack.minus(&Rack::from_tiles(chosen.tiles())));
        let found = annotated.iter().find(|turn| turn.event == number).map(|turn| &turn.judgement);
        ShownTurn {
            player: event.player,
            rack: event.rack.show(&setup.tileset),
            chosen: action(event, file, number, &board, setup),
            score: event.score,
            total: event.total,
            leave: leave.map(|leave| leave.show(&setup.tileset)),
            not_judged: found.and_then(|judgement| judgement.as_ref().err()).map(ToString::to_string),
            judged: found
                .and_then(|judgement| judgement.as_ref().ok())
                .map(|judgement| ShownJudgement::new(judgement, &board, setup, mistake)),
        }
    };
    ShownGame {
        file: file.path.display().to_string(),
        title: file.title(),
        players: [0, 1].map(|player| file.player(player).to_string()),
        scores: file.positions.last().map_or([0; 2], |position| position.scores),
        turns: file.game.events.iter().enumerate().map(turn).collect(),
    }
}

fn action(event: &GcgEvent, file: &GameFile, number: usize, board: &Board, setup: &Setup) -> String {
    if let (GcgAction::Play { .. } | GcgAction::Exchange(_), Some(chosen)) = (&event.action, file.positions[number].chosen) {
        return notation::show(&chosen, board, &setup.tileset);
    }
    match &event.action {
        GcgAction::ExchangeUnknown(count) => format!("exchange of {count}"),
        GcgAction::Pass => "pass".into(),
        GcgAction::Withdrawal => "withdraws the play".into(),
        GcgAction::Challenge => "challenge".into(),
        GcgAction::Time => "time".into(),
        GcgAction::Out(tiles) => format!("out, {}", tiles.show(&setup.tileset)),
        GcgAction::Penalty(tiles) => format!("left with {}", tiles.show(&setup.tileset)),
        GcgAction::Play { .. } | GcgAction::Exchange(_) => String::new(),
    }
}

impl ShownJudgement {
    fn new(judgement: &Judgement, board: &Board, setup: &Setup, mistake: f64) -> ShownJudgement {
        let show = |(number, judged): (usize, &JudgedMove)| ShownMove {
            chosen: notation::show(&judged.chosen, board, &setup.tileset),
            score: judged.chosen.score(),
            equity: judged.equity.points(),
            value: judged.points,
            spread: judged.expected.map(|[spread, _]| spread.into()),
            win: judged.expected.map(|[_, win]| win.into()),
            made: number == judgement.made,
        };
        let (loss, win_loss, expected) = (judgement.loss(), judgement.win_loss(), judgement.expected_loss());
        let mistake = MistakeSize::of(cost(loss, win_loss), mistake);
        ShownJudgement {
            by: judgement.basis,
            loss,
            win_loss,
            loss_interval: expected.map(|[points, _]| points.into()),
            win_loss_interval: expected.map(|[_, win]| win.into()),
            is_mistake: mistake.is_some(),
            mistake,
            better_by_equity: judgement.better_by_equity,
            best: judgement.moves.iter().enumerate().map(show).collect(),
        }
    }
}

fn summaries(loaded: &Loaded, games: &[ShownGame]) -> Vec<PlayerSummary> {
    let mut players: BTreeMap<&str, PlayerSummary> = BTreeMap::new();
    let full = loaded.setup.tileset.rules().rack_size;
    for (file, game) in loaded.games.iter().zip(games) {
        for (name, score) in game.players.iter().zip(game.scores) {
            let player = players.entry(name).or_default();
            player.games += 1;
            player.points += i64::from(score);
        }
        for (number, ((event, position), turn)) in file.game.events.iter().zip(&file.positions).zip(&game.turns).enumerate()
        {
            let Some(player) = players.get_mut(game.players[turn.player].as_str()) else { continue };
            let is_turn = position.chosen.is_some() || matches!(event.action, GcgAction::ExchangeUnknown(_));
            player.turns += u64::from(is_turn);
            let is_bingo = position.chosen.is_some_and(|chosen| chosen.score() > 0 && chosen.tiles().len() == full);
            player.bingos += u64::from(is_bingo && !file.game.is_withdrawn(number));
            let Some(judged) = &turn.judged else { continue };
            player.judged += 1;
            player.best_moves += u64::from(judged.best.first().is_some_and(|best| best.made) || judged.loss == 0.0);
            if let Some(size) = judged.mistake {
                player.mistakes += 1;
                player.mistakes_by_size[size as usize] += 1;
            }
            player.lost += judged.loss;
            player.win_lost += judged.win_loss.unwrap_or(0.0);
        }
    }
    players.into_iter().map(|(name, player)| PlayerSummary { player: name.into(), ..player }).collect()
}

impl PlayerSummary {
    /// Points per game.
    pub fn mean_points(&self) -> f64 {
        self.points as f64 / self.games.max(1) as f64
    }

    /// Points lost per judged turn.
    pub fn mean_loss(&self) -> f64 {
        self.lost / self.judged.max(1) as f64
    }
}

impl fmt::Display for RecordedGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for game in &self.games {
            let [first, second] = &game.players;
            writeln!(f, "{}: {first} {}, {second} {}", game.title, game.scores[0], game.scores[1])?;
            game.write_turns(f)?;
            writeln!(f)?;
        }
        let width = width(6, self.players.iter().map(|player| &player.player));
        write!(f, "{:<width$}  games  points per game  turns  bingos", "player")?;
        if self.comparison.is_some() {
            write!(f, "  judged  best  mistakes: small  medium  large  points lost  per turn")?;
        }
        for player in &self.players {
            let PlayerSummary { player: name, games, turns, bingos, judged, best_moves, lost, .. } = player;
            write!(f, "\n{name:<width$} {games:>6} {:>16.1} {turns:>6} {bingos:>7}", player.mean_points())?;
            if self.comparison.is_some() {
                let [small, medium, large] = player.mistakes_by_size;
                write!(f, " {judged:>7} {best_moves:>5} {small:>16} {medium:>7} {large:>6}")?;
                write!(f, " {lost:>12.1} {:>9.2}", player.mean_loss())?;
            }
        }
        let Some(comparison) = &self.comparison else { return Ok(()) };
        let how = comparison.deals.map_or(String::new(), |deals| format!(", simulated on up to {deals} deals"));
        write!(f, "\nmoves compared by {}{how}; {}", comparison.player, comparison.rule())
    }
}

impl ShownGame {
    fn write_turns(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let players = width(6, &self.players);
        let racks = width(6, self.turns.iter().map(|turn| &turn.rack));
        let moves = width(6, self.turns.iter().map(|turn| &turn.chosen));
        writeln!(f, "  # {:<players$}  {:<racks$}  {:<moves$}  score  total", "player", "rack", "move")?;
        for (number, turn) in (1..).zip(&self.turns) {
            let ShownTurn { player, rack, chosen, score, total, .. } = turn;
            let player = &self.players[*player];
            write!(f, "{number:>3} {player:<players$}  {rack:<racks$}  {chosen:<moves$}  {score:>5} {total:>6}")?;
            writeln!(f, "{}", turn.comparison().map_or(String::new(), |text| format!("  {text}")))?;
        }
        Ok(())
    }
}

impl ShownTurn {
    /// The result of the comparison, in a few words. `None` for the best move, and without a comparison.
    pub fn comparison(&self) -> Option<String> {
        let Some(judged) = &self.judged else { return self.not_judged.as_ref().map(|reason| format!("({reason})")) };
        let best = judged.best.first().filter(|best| !best.made)?;
        let mark = judged.mistake.map_or(String::new(), |size| format!("{size} mistake: "));
        Some(format!("{mark}{}, by {}: {} {}", judged.lost(), judged.by, best.chosen, best.score))
    }
}

impl ShownJudgement {
    /// The lost points, with half of their interval.
    pub fn lost_points(&self) -> String {
        with_interval(self.loss, self.loss_interval)
    }

    pub fn lost(&self) -> String {
        let percent = self.win_loss_interval.map(|win| win.times(100.0));
        let win = percent.map(|win| format!(" and {} % of a win", with_interval(win.mean, Some(win))));
        format!("{} points{} less than the best", self.lost_points(), win.unwrap_or_default())
    }
}

/// A figure with half of its interval, unless it is exact.
fn with_interval(figure: f64, interval: Option<Estimate>) -> String {
    let interval = interval.filter(|interval| interval.half_width() > 0.0);
    with_half(format!("{figure:.1}"), interval.unwrap_or(Estimate::normal(figure, f64::NAN)), 1)
}
