//! The page of a match: its trajectory, the outcomes of pairs, spreads and turns.

use std::path::Path;

use tilewright_engine::TileSet;
use tilewright_engine::moves::Move;
use tilewright_engine::series::sequential::SequentialTest;
use tilewright_engine::series::{ERROR_RATE, Estimate, NORMAL_95, Pair, Summary, Tally};
use tilewright_train::journal::{RunKey, StoredRun};
use tilewright_train::stored_match::spec::{Hypotheses, percent};
use tilewright_train::stored_match::{MatchSpec, StoredError, StoredMatch, stored};

use super::compared::{Compared, Curve, Strength};
use super::made::{ByTurn, Head, Made, Spreads, chart_by_turn, chart_of_test, footer_of, progress_of};
use crate::flags::{GameFlags, shell_word};
use crate::report::figures::{KeyFigure, certain};
use crate::report::html::{Section, folded, game_facts, grouped, html, missing, repeat, signed, sortable_table, table};
use crate::report::svg::{Colour, Layer, Mark, chart_of, layered_chart, thinned};
use crate::{Failure, Input, Progress};

/// The most rows of a table that are shown.
const MAX_ROWS: usize = 200;

/// A match with the data that all its sections need.
struct Match<'a> {
    spec: &'a MatchSpec,
    names: Vec<String>,
    seen: Seen,
    tally: Tally,
    summary: Summary,
    asked: u64,
    /// The test whose course is drawn.
    test: Option<SequentialTest>,
    /// Whether that test ended the match.
    is_sequential: bool,
    is_finished: bool,
    /// Whether the match has played all pairs that were chosen beforehand. Only then the interval for a fixed number of pairs
    /// holds.
    is_as_planned: bool,
}

/// The data of the pairs for the sections, gathered while the pairs are read.
#[derive(Default)]
struct Seen {
    /// The tallies up to each of the thinned pairs.
    course: Vec<Tally>,
    spreads: Spreads,
    /// The first pairs, without their moves.
    first: Vec<Pair>,
    /// The scores of each player by its turn of the game, from the kept moves.
    scores: [ByTurn; 2],
    /// Its bingos, if the tile set is in the program.
    bingos: Option<[ByTurn; 2]>,
    keeps_moves: bool,
    /// By pair.
    half_wins: Vec<u8>,
}

/// The page of the match in a folder, or `None` without a finished pair. `hypotheses` come before its own test.
pub fn page(
    run: &Path,
    stored: &StoredRun,
    hypotheses: Option<Hypotheses>,
    progress: &Progress,
) -> Result<Option<Made>, Failure> {
    let stored_match = match StoredMatch::open(run, progress) {
        Err(StoredError::NoMatch { .. }) => return Ok(None),
        stored => stored.input()?,
    };
    let StoredMatch { spec, asked, .. } = &stored_match;
    if stored_match.pairs == 0 {
        return Ok(None);
    }
    let named = hypotheses.map(|hypotheses| hypotheses.test(None, None)).transpose().input()?;
    let manifest = stored_match.manifest.as_ref();
    let own = manifest.and_then(stored::test_of);
    let rack_size = TileSet::embedded(spec.game()[1]).ok().map(|tileset| tileset.rules().rack_size);
    let (tally, seen) = Seen::of(&stored_match, rack_size, progress).input()?;
    let summary = tally.summary().ok_or_else(|| Failure::input(format!("{}: no pair is finished", run.display())))?;
    let subject = Match {
        spec,
        names: spec.names(),
        seen,
        tally,
        summary,
        asked: *asked,
        test: named.or(own),
        is_sequential: own.is_some(),
        is_finished: manifest.is_some(),
        is_as_planned: manifest.is_some() && own.is_none(),
    };
    let title = subject.names.join(" against ");
    let mut sections = vec![subject.trajectory(), subject.outcomes(), subject.spreads()];
    sections.extend([subject.turns(), subject.all_pairs(), subject.repeat()]);
    let (compared, is_finished) = (subject.compared(&stored.key), manifest.is_some());
    let made = Made::new(subject.head(title), sections, footer_of(manifest, &stored.key));
    Ok(Some(Made { is_finished, compared, ..made }))
}

impl Seen {
    /// Reads the pairs of a match, and returns the tally of all of them too. `full` is the number of tiles of a full rack.
    fn of(stored: &StoredMatch, full: Option<usize>, progress: &Progress) -> Result<(Tally, Seen), StoredError> {
        let mut kept = thinned(stored.pairs as usize).peekable();
        let (mut sum, mut seen) = (Tally::default(), Seen { bingos: full.map(|_| Default::default()), ..Seen::default() });
        stored.each(progress, |pair| {
            sum = pair.tally().plus(&sum);
            if kept.next_if_eq(&(pair.index as usize)).is_some() {
                seen.course.push(sum.clone());
            }
            pair.spreads().into_iter().for_each(|spread| seen.spreads.add(spread));
            seen.add_turns(&pair, full);
            seen.half_wins.push(pair.half_wins() as u8);
            if seen.first.len() < MAX_ROWS {
                seen.first.push(pair.without_moves());
            }
        })?;
        Ok((sum, seen))
    }

    /// Adds the turns of a pair. A turn without a play scores nothing.
    pub fn add_turns(&mut self, pair: &Pair, full: Option<usize>) {
        for (game, moves) in pair.moves.iter().flatten().enumerate() {
            self.keeps_moves |= !moves.is_empty();
            for (at, valued) in moves.iter().enumerate() {
                let play = if let Move::Play(play) = &valued.chosen { Some(play) } else { None };
                let player = (at + game) % 2;
                self.scores[player].add(at / 2, play.map_or(0, |play| i64::from(play.score)));
                if let Some(bingos) = &mut self.bingos {
                    let is_bingo = play.is_some_and(|play| Some(play.tiles.len()) == full);
                    bingos[player].add(at / 2, i64::from(is_bingo));
                }
            }
        }
    }
}

impl Match<'_> {
    fn players(&self) -> [&str; 2] {
        [&self.names[0], &self.names[1]]
    }

    /// A figure whose interval holds for a number of pairs that was chosen beforehand.
    fn held(&self, one: Estimate) -> Estimate {
        if self.is_as_planned { one } else { certain(one.mean) }
    }

    fn head(&self, title: String) -> Head {
        let (spec, [lexicon, tileset]) = (self.spec, self.spec.game());
        let Summary { win_rate, anytime_win_rate, spread, elo, .. } = self.summary;
        let [a, b] = self.players();
        let pairs = format!("{}{} pairs", grouped(self.tally.pairs), if spec.unpaired { " unpaired" } else { "" });
        let facts = game_facts(lexicon, tileset, spec.seed(), [pairs]);
        let deciding = if self.is_as_planned { win_rate } else { anytime_win_rate };
        let verdict = if deciding.low > 0.5 {
            format!("{a} wins more than half of the games.")
        } else if deciding.high < 0.5 {
            format!("{b} wins more than half of the games.")
        } else {
            "Which of them is stronger cannot be told from these pairs.".into()
        };
        let unfinished = progress_of(self.tally.pairs, self.asked, self.is_finished);
        let lead = format!(
            "{verdict}{unfinished} All figures are from the view of {a}. The two games of a pair share their deal and swap the seats, so \
             intervals count pairs, not games."
        );
        let any_time = if self.is_as_planned { "" } else { "at any time" };
        let figures = vec![
            KeyFigure::percent("win rate", Estimate { mean: win_rate.mean, ..deciding }, 2).note(any_time),
            KeyFigure::estimate("points per game", self.held(spread), 2).signed(),
            KeyFigure::estimate("Elo", self.held(elo), 1).signed(),
            KeyFigure::count("pairs", self.tally.pairs),
        ];
        Head { kind: "match".into(), title, facts, lead, figures }
    }

    /// Player A by its win rate against the opponent.
    fn compared(&self, key: &RunKey) -> Compared {
        let (spec, [player, opponent]) = (self.spec, self.players());
        let is_of_game = |(name, _): &&(String, String)| ["lexicon", "tile set", "player 2"].contains(&name.as_str());
        let of_game: Vec<_> = key.inputs.iter().filter(is_of_game).collect();
        let [lexicon, tileset] = spec.game().map(|name| Some(name.to_string()));
        let unpaired = if spec.unpaired { " unpaired" } else { "" };
        let strength = Strength {
            yardstick: format!("{opponent} {:?} {:?} {:?}", of_game, spec.clock_seconds, spec.overtime),
            deals: format!("the {}{unpaired} deals of seed {}", grouped(self.tally.pairs), spec.seed()),
            half_wins: self.seen.half_wins.clone(),
            caveat: if self.is_sequential { " A test that stops a match biases its win rate." } else { "" },
            ..Strength::default()
        };
        let points = self.along(|tally| Some(100.0 * tally.win_rate_within(NORMAL_95)?.mean));
        Compared {
            strength: Some(strength),
            player: Some(player.into()),
            game: GameFlags { lexicon, tileset, ..GameFlags::default() }.repeated(),
            curves: vec![Curve { caption: "Win rate as the match goes on", across: "pairs", up: "percent", points }],
            ..Compared::default()
        }
    }

    /// Points of the course: pairs so far, and a figure of the tally.
    fn along<T>(&self, figure: impl Fn(&Tally) -> Option<T>) -> Vec<(f64, T)> {
        // The first few pairs are noise and would stretch the scale.
        let least = (self.tally.pairs / 50).clamp(2, 50);
        let late = self.seen.course.iter().filter(|tally| tally.pairs >= least.min(self.tally.pairs));
        late.filter_map(|tally| Some((tally.pairs as f64, figure(tally)?))).collect()
    }

    fn trajectory(&self) -> Section {
        let band = |points: Vec<(f64, Estimate)>, unit: f64| {
            points.into_iter().map(|(x, Estimate { low, high, .. })| (x, unit * low, unit * high)).collect::<Vec<_>>()
        };
        let line = |points: &[(f64, Estimate)], unit: f64| points.iter().map(|(x, one)| (*x, unit * one.mean)).collect();
        let rates = self.along(|tally| tally.win_rate_within(NORMAL_95));
        let spreads = self.along(|tally| tally.summary().map(|summary| summary.spread));
        let anytime = self.along(|tally| tally.anytime_win_rate(ERROR_RATE));
        let chart = |caption, up, layers: &[Layer<'_>]| layered_chart(caption, "pairs", up, layers);
        let fixed = |points: &[(f64, Estimate)], unit| {
            self.is_as_planned.then(|| ("95 % interval", Colour::First, Mark::Band(band(points.to_vec(), unit))))
        };
        let mut of_rates = vec![("anytime-valid 95 % band", Colour::Second, Mark::Band(band(anytime, 100.0)))];
        of_rates.extend(fixed(&rates, 100.0));
        of_rates.push(("win rate", Colour::First, Mark::Line(line(&rates, 100.0))));
        of_rates.push(("equal players", Colour::Second, Mark::Level(50.0)));
        let mut of_spreads = Vec::from_iter(fixed(&spreads, 1.0));
        of_spreads.push(("spread", Colour::First, Mark::Line(line(&spreads, 1.0))));
        of_spreads.push(("", Colour::Second, Mark::Level(0.0)));
        let no_test = || missing(html! { "For the course of a sequential test add " code { "--sequential H0:H1" } "." });
        let lead = "The anytime-valid band holds whenever the match is stopped. The narrower 95 % interval holds only at the planned end, \
                    so it appears when the match is finished.";
        let body = html! { div.two {
            (chart("Win rate as the match goes on", "percent", &of_rates))
            (chart("Spread as the match goes on", "points per game", &of_spreads))
            (self.test.as_ref().map_or_else(no_test, |test| chart_of_test(test, &self.seen.course)))
        } };
        Section::new("trajectory", "Trajectory", "As the match goes on", lead, body)
    }

    fn outcomes(&self) -> Section {
        let share = |count: u64| 100.0 * count as f64 / self.tally.pairs as f64;
        let bars = self.tally.outcomes.iter().zip(0..).map(|(&count, half_wins)| (f64::from(half_wins) / 2.0, share(count)));
        let bars = Mark::Bars(bars.collect(), 0.45);
        let row = |(name, count): (&str, u64)| [name.into(), grouped(count), format!("{:.1}", share(count))];
        let rows = ["0", "½", "1", "1½", "2"].into_iter().zip(self.tally.outcomes).map(row);
        let chart = chart_of("Games won in a pair", "games won of two", "percent of the pairs", bars);
        let body = html! { div.two { (chart) (table(&["games won", "#pairs", "#percent"], rows)) } };
        let lead =
            "A pair with one game each often says that the deal decided; the more such pairs, the smaller the interval.";
        Section::new("outcomes", "Pairs", "Outcomes of pairs", lead, body)
    }

    fn spreads(&self) -> Section {
        let Summary { scores, bingos, turns, first_mover_win_rate, .. } = self.summary;
        let [a, b] = self.players();
        let row = |name: &str, one: Estimate, unit: f64, decimals: usize| {
            let figure = KeyFigure::estimate(name, self.held(one).times(unit), decimals);
            [name.into(), figure.shown(), figure.interval().unwrap_or_default()]
        };
        let rows = [
            row(&format!("points per game of {a}"), scores[0], 1.0, 1),
            row(&format!("points per game of {b}"), scores[1], 1.0, 1),
            row(&format!("bingos per game of {a}"), bingos[0], 1.0, 3),
            row(&format!("bingos per game of {b}"), bingos[1], 1.0, 3),
            row("turns per game", turns, 1.0, 2),
            row("first mover wins, %", first_mover_win_rate, 100.0, 2),
        ];
        let lead = format!("Points that {a} is ahead at the end of a game.");
        let figures = table(&["figure", "#mean", "95 % interval"], rows);
        let body = html! { div.two { (self.seen.spreads.chart("Spread of the games")) (figures) } };
        Section::new("spreads", "Spreads", "Spreads, scores and bingos", lead, body)
    }

    fn repeat(&self) -> Section {
        let mut command = command(self.spec, self.tally.pairs);
        if let Some(test) = self.test.filter(|_| self.is_sequential) {
            let [h0, h1] = test.hypotheses().map(percent);
            command += &format!(" --sequential {h0}:{h1}");
        }
        repeat(
            &command,
            "The same seed deals the same tiles; without a clock the figures are the same on any machine and number of threads.",
            None,
        )
    }

    /// Scores and bingos of each player by its turn of the game, from the kept moves.
    pub fn turns(&self) -> Section {
        let [a, b] = self.players();
        let chart = |caption, up, unit, [of_a, of_b]: [ByTurn; 2]| {
            chart_by_turn(caption, up, unit, [(b, Colour::Third, of_b), (a, Colour::First, of_a)])
        };
        let body = if self.seen.keeps_moves {
            html! { div.two {
                (chart("Mean score by turn", "points", 1.0, self.seen.scores))
                @if let Some(bingos) = self.seen.bingos {
                    (chart("Bingos by turn", "percent of the turns", 100.0, bingos))
                }
            } }
        } else {
            missing(html! {
                "A match with " code { "--games-out" } " from its first run on keeps its moves; this one has none."
            })
        };
        let lead = "Turns that fewer than ten games have are left out.";
        Section::new("turns", "Turns", "Scores and bingos by turn", lead, body)
    }

    pub fn all_pairs(&self) -> Section {
        let [a, b] = self.players();
        let row = |pair: &Pair| {
            let [first, second] = &pair.games;
            [
                pair.index.to_string(),
                format!("{} : {}", first.scores[0], first.scores[1]),
                format!("{} : {}", second.scores[1], second.scores[0]),
                format!("{:.1}", pair.half_wins() as f64 / 2.0),
                signed(f64::from(pair.spread()) / 2.0, 1),
            ]
        };
        let rows = self.seen.first.iter().map(row);
        let head = ["#pair", "#first game", "#second game", "#games won", "#spread per game"];
        let many = self.tally.pairs > MAX_ROWS as u64;
        let lead = format!(
            "Scores of {a} and {b}; the first of them begins the first game.{}",
            if many { format!(" The first {MAX_ROWS} of {} pairs.", grouped(self.tally.pairs)) } else { String::new() }
        );
        let body = folded("The scores of each pair", sortable_table("by-pair", &head, rows));
        Section::new("pairs", "All pairs", "All pairs", lead, body)
    }
}

/// The command that plays these pairs of a match or a round robin again, without its test.
pub fn command(spec: &MatchSpec, pairs: u64) -> String {
    let names: Vec<String> = spec.names().iter().map(|name| shell_word(name)).collect();
    let players = match &names[..] {
        [a, b] => format!("--player-a {a} --player-b {b}"),
        names => format!("--players {}", names.join(" ")),
    };
    let [lexicon, tileset] = spec.game().map(shell_word);
    let mut command =
        format!("tilewright match {players} --pairs {pairs} --seed {} --lexicon {lexicon} --tileset {tileset}", spec.seed());
    if spec.unpaired {
        command += " --unpaired";
    }
    if let (Some(seconds), Some(points)) = (spec.clock_seconds, spec.overtime) {
        command += &format!(" --clock {seconds}s --overtime {points}");
    }
    command
}
