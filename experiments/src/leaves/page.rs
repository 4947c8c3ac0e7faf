//! A leave table as one self-contained HTML page. It loads nothing from the network, and the same artefact gives the same
//! bytes.

use std::path::PathBuf;

use serde::Serialize;
use tilewright_engine::lexicon::EMBEDDED_NAME;
use tilewright_engine::series::Summary;
use tilewright_engine::{Artefact, LeaveTable, Manifest, TileSet};
use tilewright_train::leaves::config::LeavesConfig;
use tilewright_train::leaves::generations::Generations;
use tilewright_train::leaves::warnings::{WarningCounts, Warnings};
use tilewright_train::run_config::RunConfig;

use super::flags::LeavesReportArguments;
use super::table::{OpenTable, Place};
use crate::flags::GameFlags;
use crate::report::figures::KeyFigure;
use crate::report::html::{
    Markup, Page, Render, Section, grouped, html, made_by, page_beside, page_header, repeat_in_folder, table,
};
use crate::{Failure, Input, NewFile, loading, output};

pub mod lengths;
mod tiles;
mod support;
mod search;

pub use lengths::{Subject, leave_html};

/// The page as HTML of about 2 MB at most.
pub fn write(subject: &Subject<'_>) -> String {
    let (search, data) = search::section_and_data(subject);
    let is_trained = |manifest: &&Manifest| LeavesConfig::from_toml(&manifest.config, "").is_ok();
    let repeat = subject.manifest.filter(is_trained).map(|_| repeat_in_folder("leaves train"));
    let mut page = Page {
        title: format!("Leave table for {}", subject.name),
        header: header(subject),
        sections: vec![
            elsewhere(subject),
            tiles::of_tiles(subject),
            lengths::lengths(subject),
            tiles::of_synergies(subject),
            tiles::of_balances(subject),
            support::support(subject),
            support::convergence(subject),
            support::warnings(subject),
            search,
        ],
        footer: footer(subject),
        script: Some((data, include_str!("page/search.js"))),
    };
    page.sections.extend(repeat);
    page.write()
}

fn header(subject: &Subject<'_>) -> Markup {
    let facts = facts(subject.tileset, subject.table, subject.words, subject.manifest);
    let mut figures = figures(subject.generations, subject.manifest);
    let warned = subject.warnings.leaves.len();
    let note = match subject.detail {
        _ if warned > 0 => "listed under Warnings",
        Some(_) => "every value is supported",
        None => "by the only rule that needs no support",
    };
    figures.push(KeyFigure::count("leaves with warnings", warned as u64).note(note));
    page_header(
        "Leave table",
        subject.name,
        &facts,
        "A leave is the tiles that stay on the rack after a move. Its value says how many points more the following turns \
         bring with these tiles than with tiles drawn at random. A player adds it to the score of each move.",
        &figures,
    )
}

/// The way to use the table in players here and in other programs.
fn elsewhere(subject: &Subject<'_>) -> Section {
    let lexicon = subject.manifest.map_or("LEXICON", |manifest| manifest.lexicon.name.as_str());
    // The page is a part of the table, so it cannot name its place.
    let (place, lead) = match subject.manifest {
        Some(_) => (
            "FOLDER",
            "Other programs read the file leaves.klv2 of the folder. Copy it to the place that the program expects.",
        ),
        None => ("FILE", "Other programs read the table as a .klv2 file. Copy it to the place that the program expects."),
    };
    let rows = [
        ("Tilewright", format!("tilewright match --player-a leave:{place} --player-b leave")),
        ("Macondo", format!("data/strategy/{lexicon}/leaves.klv2")),
        ("MAGPIE", format!("data/lexica/{lexicon}.klv2")),
        ("wolges", "any path, named after the .kwg file".into()),
        ("spreadsheets", format!("tilewright leaves export {place} --save leaves.csv")),
    ];
    let rows = rows.map(|(program, place)| [program.render(), html! { code { (place) } }]);
    Section::new("use", "Use", "Use this table", lead, table(&["program", "command, or place of the file"], rows))
}

/// The game and the size of a table.
fn facts(tileset: &TileSet, table: &LeaveTable, words: Option<usize>, manifest: Option<&Manifest>) -> Vec<String> {
    let ranking = table.ranking();
    let mut facts = vec![format!("{} tile set", tileset.name())];
    facts.extend(words.map(|words| format!("{} words", grouped(words as u64))));
    facts.push(format!("{} leaves of 1 to {} tiles", grouped(ranking.len() as u64 - 1), ranking.max_size()));
    if table.estimated() > 0 {
        facts.push(format!("{} of them estimated", grouped(table.estimated() as u64)));
    }
    facts.extend(manifest.map(|manifest| format!("seed {}", manifest.seed)));
    facts
}

/// The key figures of a run, as far as they are recorded. The first are of its closing match, if one was played.
fn figures(generations: Option<&Generations>, manifest: Option<&Manifest>) -> Vec<KeyFigure> {
    let mut figures = Vec::new();
    let closing = generations.and_then(|known| known.closing_match.as_ref());
    if let Some((closing, Summary { win_rate, spread, .. })) = closing.and_then(|one| Some((one, one.tally.summary()?))) {
        let pairs = format!("{} pairs", grouped(closing.tally.pairs));
        figures.push(KeyFigure::percent(format!("win rate against {}", closing.opponent), win_rate, 2).note(pairs));
        figures.push(KeyFigure::estimate("spread, points per game", spread, 2).signed());
    }
    let note = generations.map_or(String::new(), |known| {
        let many = known.generations.len();
        format!("in {many} {}", if many == 1 { "generation" } else { "generations" })
    });
    figures.extend(games(generations, manifest).map(|games| KeyFigure::count("games of self-play", games).note(note)));
    figures
}

/// Games of self-play over all generations, if known.
fn games(generations: Option<&Generations>, manifest: Option<&Manifest>) -> Option<u64> {
    if let Some(known) = generations {
        return Some(known.generations.iter().fold(0, |sum, one| one.games.saturating_add(sum)));
    }
    let config = LeavesConfig::from_toml(&manifest?.config, "manifest").ok()?;
    Some(config.games.iter().fold(0, |sum, games| games.saturating_add(sum)))
}

fn footer(subject: &Subject<'_>) -> Markup {
    let bare = || html! { p { "A bare table: there is no record of how it was made." } };
    subject.manifest.map_or_else(bare, made_by)
}

/// The page of the embedded table, which has no path.
const EMBEDDED_PAGE: &str = "leaves-report.html";

pub fn run(arguments: &LeavesReportArguments) -> Result<(), Failure> {
    let json = arguments.json.file()?;
    let game = &arguments.flags.game;
    loading::start_threads(arguments.flags.threads)?;
    let place = Place::named_or_newest(arguments.table.as_deref(), game)?;
    let out = match (&arguments.save, &place) {
        (Some(out), _) => out.clone(),
        (None, Place::Path(path)) => page_beside(path)?,
        (None, Place::Embedded) => PathBuf::from(EMBEDDED_PAGE),
    };
    let out = NewFile::new(Some(&out))?;
    let Drawn { html, warnings, is_without_support } = ReadTable::read(place, game)?.draw(game)?;
    let text = if warnings.leaves == 0 && is_without_support {
        "no leave fails the only rule that needs no support".into()
    } else {
        warnings.to_string()
    };
    let written = out.export(html.into_bytes(), WarningsOfPage { warnings }, text)?;
    written.iter().try_for_each(|written| output::show(written, json))
}

/// The page of a table.
pub struct Drawn {
    pub html: String,
    warnings: WarningCounts,
    is_without_support: bool,
}

/// A table that was read, without the support of its values.
pub struct ReadTable {
    place: Place,
    open: OpenTable,
    /// The lexicon of an artefact, the file name of a bare table.
    pub name: String,
    /// The generations of its run, if the artefact records them.
    pub generations: Option<Generations>,
}

impl ReadTable {
    /// Reads a table and the record of its run.
    pub fn read(place: Place, game: &GameFlags) -> Result<ReadTable, Failure> {
        let open = OpenTable::open(&place, game)?;
        let generations = open.artefact.as_ref().map(Generations::read).transpose().input()?.flatten();
        let name = match (&place, open.artefact.as_ref().map(Artefact::manifest)) {
            (Place::Embedded, _) => format!("{EMBEDDED_NAME}, embedded"),
            (_, Some(manifest)) => manifest.lexicon.name.clone(),
            (Place::Path(path), None) => path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
        };
        Ok(ReadTable { place, open, name, generations })
    }

    fn manifest(&self) -> Option<&Manifest> {
        self.open.artefact.as_ref().map(Artefact::manifest)
    }

    /// The game and the size of the table. The words of the lexicon are not counted.
    pub fn facts(&self) -> Vec<String> {
        facts(&self.open.tileset, &self.open.table, None, self.manifest())
    }

    /// The key figures of its run. The page also counts the leaves with warnings, which takes seconds.
    pub fn figures(&self) -> Vec<KeyFigure> {
        figures(self.generations.as_ref(), self.manifest())
    }

    /// The value of each tile as a leave of its own, in points, the best first.
    pub fn values_of_tiles(&self) -> Vec<(String, f64)> {
        tiles::values(&self.open.table, &self.open.tileset)
    }

    /// Draws the page.
    ///
    /// # Errors
    /// [`Failure::Input`] if the support of the values cannot be read.
    pub fn draw(&self, game: &GameFlags) -> Result<Drawn, Failure> {
        let (open, detail) = (&self.open, self.open.detail()?);
        let warnings = Warnings::new(&open.table, detail.as_ref());
        let html = write(&Subject {
            name: &self.name,
            words: words(&self.place, open, game),
            tileset: &open.tileset,
            table: &open.table,
            detail: detail.as_ref(),
            warnings: &warnings,
            manifest: self.manifest(),
            generations: self.generations.as_ref(),
        });
        Ok(Drawn { html, warnings: warnings.counts(), is_without_support: detail.is_none() })
    }
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct WarningsOfPage {
    warnings: WarningCounts,
}

/// The number of words of the lexicon of the table, if its word list is at hand: the list that the flags name, or else the
/// list in the config of the artefact. `None` for a bare file, which states no lexicon.
fn words(place: &Place, open: &OpenTable, game: &GameFlags) -> Option<usize> {
    let load = |name: &str| {
        let game = GameFlags { lexicon: Some(name.into()), ..game.clone() };
        loading::lexicon(&game, &open.tileset, &open.layout).ok()
    };
    let lexicon = match (place, &open.artefact, &game.lexicon) {
        (Place::Embedded, ..) => load(EMBEDDED_NAME),
        (_, Some(artefact), Some(named)) => load(named).filter(|lexicon| artefact.check_lexicon(lexicon).is_ok()),
        (_, Some(artefact), None) => loading::own_lexicon(artefact, &open.tileset, &open.layout),
        (_, None, _) => None,
    };
    lexicon.map(|lexicon| lexicon.report.words)
}

#[cfg(test)]
mod tests {
    use tilewright_train::leaves::detail::Detail;

    use super::*;

    const FEW: &str = r#"
        name = "few"
        board = "standard"
        total_tiles = 12
        total_points = 20
        blanks = 1
        letters = [
            { letter = "A", count = 5, value = 1, vowel = true },
            { letter = "B", count = 3, value = 3 },
            { letter = "C", count = 3, value = 2 },
        ]
        [rules]
        rack_size = 4
        bingo_bonus = 30
        exchange_minimum = 4
    "#;

    /// The page of a table of zeros, with this support of every leave in turns; `None` for a bare table.
    fn page(support: Option<i64>) -> String {
        let tileset = TileSet::from_toml(FEW, "few").unwrap();
        let table = LeaveTable::zero(&tileset);
        let leaves = table.ranking().len();
        let detail = support.map(|turns| Detail { support: vec![turns; leaves], standard_error: vec![0.0; leaves] });
        let warnings = Warnings::new(&table, detail.as_ref());
        write(&Subject {
            name: "few",
            words: None,
            tileset: &tileset,
            table: &table,
            detail: detail.as_ref(),
            warnings: &warnings,
            manifest: None,
            generations: None,
        })
    }

    #[test]
    fn support_is_shown_if_it_is_known() {
        for support in [Some(70), None] {
            let page = page(support);
            for part in ["never held", "turns held</th>", "\"support\":[70", "every value is supported"] {
                assert_eq!(page.contains(part), support.is_some(), "{part} with {support:?}");
            }
            assert_eq!(page.contains("by the only rule that needs no support"), support.is_none());
        }
    }
}
