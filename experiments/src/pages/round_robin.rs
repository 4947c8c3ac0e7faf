//! The page of a round robin: ratings against the field, and the cross tables as heat maps.

use std::path::Path;

use tilewright_engine::series::Estimate;
use tilewright_engine::series::ratings::elo;
use tilewright_engine::series::round_robin::Standings;
use tilewright_train::journal::StoredRun;
use tilewright_train::stored_match::{MatchSpec, stored, stored_standings};

use super::made::{Head, Made, footer_of, progress_of};
use super::matches::command;
use crate::matches::round_robin::{comparisons, width};
use crate::report::figures::KeyFigure;
use crate::report::html::{Section, figure, game_facts, grouped, html, repeat, shortened, signed, sortable_table};
use crate::report::intervals::{Row, intervals};
use crate::report::svg::{Anchor, Svg};
use crate::{Failure, Input, Progress};

/// The width and the height of a cell of the heat map.
const CELL: (f64, f64) = (64.0, 26.0);
/// The points of win rate beyond which the colour is full.
const FULL: f64 = 0.1;
/// The longest name that the drawings have room for, in characters.
const LONGEST: usize = 28;

/// The page of the round robin in a folder, or `None` if no deal is finished.
pub fn page(run: &Path, stored: &StoredRun, progress: &Progress) -> Result<Option<Made>, Failure> {
    let manifest = stored::of_folder(run).input()?;
    let (spec, standings) = stored_standings(run, progress).input()?;
    if standings.deals == 0 {
        return Ok(None);
    }
    let subject = Subject {
        spec: &spec,
        names: spec.names(),
        ranking: standings.ranking(),
        standings,
        is_finished: manifest.is_some(),
    };
    let title = format!("Round robin of {} players", spec.players.len());
    let sections = vec![subject.ratings(), subject.cross_table(), subject.matches(), subject.repeat()];
    let made = Made::new(subject.head(title), sections, footer_of(manifest.as_ref(), &stored.key));
    Ok(Some(Made { is_finished: manifest.is_some(), ..made }))
}

struct Subject<'a> {
    spec: &'a MatchSpec,
    names: Vec<String>,
    standings: Standings,
    is_finished: bool,
    /// The players, the best first.
    ranking: Vec<usize>,
}

fn percent(Estimate { mean, low, high }: Estimate) -> String {
    format!("{:.2} ({:.2} to {:.2})", 100.0 * mean, 100.0 * low, 100.0 * high)
}

impl Subject<'_> {
    fn name(&self, player: usize) -> &str {
        &self.names[player]
    }

    /// The width of a name in the drawings.
    fn names_width(&self) -> f64 {
        let longest = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        12.0 + 6.6 * longest.min(LONGEST) as f64
    }

    fn shown(&self, player: usize) -> String {
        shortened(self.name(player), LONGEST)
    }

    fn field_win_rate(&self, player: usize) -> Option<Estimate> {
        self.standings.field_win_rate(player, width(&self.standings))
    }

    fn head(&self, title: String) -> Head {
        let [lexicon, tileset] = self.spec.game();
        let deals = self.standings.deals;
        let facts = game_facts(lexicon, tileset, self.spec.seed(), []);
        let asked = self.spec.pairs.unwrap_or(deals);
        let unfinished = progress_of(deals, asked, self.is_finished);
        let lead = format!(
            "Every player meets every other on the same deals.{unfinished} The {} intervals hold together with 95 % (Bonferroni){}: each \
             extends {:.2} standard errors to both sides.",
            comparisons(&self.standings),
            if self.is_finished { "" } else { ", but only at the end" },
            width(&self.standings)
        );
        // Until the end the order is provisional.
        let best = self.ranking.first().filter(|_| self.is_finished).and_then(|&best| {
            let name = format!("win rate of {}, the best, against the field", self.name(best));
            Some(KeyFigure::percent(name, self.field_win_rate(best)?, 2))
        });
        let figures = best.into_iter().chain([KeyFigure::count("pairs of each match", deals)]).collect();
        Head { kind: "round robin".into(), title, facts, lead, figures }
    }

    fn ratings(&self) -> Section {
        let row =
            |&player: &usize| Some((self.name(player).into(), vec![("first", self.field_win_rate(player)?.times(100.0))]));
        let rows: Vec<Row> = self.ranking.iter().filter_map(row).collect();
        let drawing = intervals("Win rate against the field with intervals", &rows);
        let rating = |rate: f64| signed(elo(rate), 0);
        let row = |(place, &player): (usize, &usize)| {
            let rate = self.field_win_rate(player);
            let elo = rate.map(|one| format!("{} ({} to {})", rating(one.mean), rating(one.low), rating(one.high)));
            [
                place.to_string(),
                self.name(player).into(),
                rate.map_or(String::new(), percent),
                elo.unwrap_or_default(),
                self.standings.field_spread(player).map_or(String::new(), |spread| signed(spread, 2)),
            ]
        };
        let head = ["#place", "player", "#win rate, %", "#Elo over the field", "#points per game"];
        let rows = (1..).zip(&self.ranking).map(row);
        let drawing = figure(drawing, "Win rate against the field, percent.");
        let body = html! { (drawing) (sortable_table("by-player", &head, rows)) };
        let lead = "The mean over all opponents, with intervals over deals.";
        Section::new("ratings", "Ratings", "Against the field", lead, body)
    }

    fn cross_table(&self) -> Section {
        let left = self.names_width();
        let count = self.ranking.len() as f64;
        let mut svg = Svg::new(left + CELL.0 * count, CELL.1 * (count + 1.0), "Win rate of each player against each other");
        for (column, _) in self.ranking.iter().enumerate() {
            svg.text("tick", (left + CELL.0 * (column as f64 + 0.5), 16.0), Anchor::Middle, &format!("{}", column + 1));
        }
        for (row, &player) in self.ranking.iter().enumerate() {
            let top = CELL.1 * (row as f64 + 1.0);
            svg.text("label", (0.0, top + 17.0), Anchor::Start, &format!("{} {}", row + 1, self.shown(player)));
            for (column, &other) in self.ranking.iter().enumerate() {
                let Some(rate) = self.standings.win_rate(player, other, width(&self.standings)) else { continue };
                let at = (left + CELL.0 * column as f64, top);
                let class = if rate.mean < 0.5 { "negative" } else { "positive" };
                let title = format!("{} against {}: {}", self.name(player), self.name(other), percent(rate));
                let strength = (0.75 * (rate.mean - 0.5).abs() / FULL).min(0.75);
                svg.cell(class, (at.0 + 1.0, at.1 + 1.0), (CELL.0 - 2.0, CELL.1 - 2.0), strength, &title);
                let star = if self.is_finished && (rate.low > 0.5 || rate.high < 0.5) { "*" } else { "" };
                let text = format!("{:.1}{star}", 100.0 * rate.mean);
                svg.text("inside", (at.0 + CELL.0 / 2.0, at.1 + 17.0), Anchor::Middle, &text);
            }
        }
        let lead = "The win rate of the row against the column in percent; a star at the end if the interval excludes 50. The colour is full ten points \
                    away from 50.";
        let body = figure(svg.finish(), "Green rows win, orange rows lose.");
        Section::new("cross-table", "Cross table", "Cross table", lead, body)
    }

    fn matches(&self) -> Section {
        let width = width(&self.standings);
        let mut rows = Vec::new();
        for (place, &player) in self.ranking.iter().enumerate() {
            for &other in &self.ranking[place + 1..] {
                let Some((tally, is_second)) = self.standings.matchup(player, other) else { continue };
                let mut outcomes = tally.outcomes.map(grouped);
                if is_second {
                    outcomes.reverse();
                }
                let rate = self.standings.win_rate(player, other, width);
                let spread = self.standings.spread(player, other);
                rows.push([
                    self.name(player).into(),
                    self.name(other).into(),
                    rate.map_or(String::new(), percent),
                    spread.map_or(String::new(), |spread| signed(spread, 2)),
                    outcomes.join(" "),
                ]);
            }
        }
        let head = ["player", "against", "#win rate, %", "#points per game", "#pairs with 0, ½, 1, 1½, 2 wins"];
        let lead = "From the view of the player with the better place.";
        Section::new("matches", "Matches", "All matches", lead, sortable_table("by-match", &head, &rows))
    }

    fn repeat(&self) -> Section {
        let command = command(self.spec, self.standings.deals);
        repeat(&command, "The same seed deals the same tiles.", None)
    }
}
