//! A leave table as one self-contained HTML page. It loads nothing from the network, and the same artefact gives the same
//! bytes.

use std::path::PathBuf;

use serde::Serialize;
use tilewright_engine::lexicon::EMBEDDED_NAME;
use tilewright_engine::{Artefact, Manifest};
use tilewright_train::leaves::config::LeavesConfig;
use tilewright_train::leaves::generations::Generations;
use tilewright_train::leaves::warnings::{WarningCounts, Warnings};
use tilewright_train::run_config::RunConfig;

use super::flags::LeavesReportArguments;
use super::table::{OpenTable, Place};
use crate::flags::GameFlags;
use crate::report::html::{
    Markup, Page, Render, Section, grouped, html, key_figure, made_by, page_beside, page_header, repeat_in_folder, signed,
    table,
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
    let ranking = subject.table.ranking();
    let mut facts = vec![format!("{} tile set", subject.tileset.name())];
    facts.extend(subject.words.map(|words| format!("{} words", grouped(words as u64))));
    facts.push(format!("{} leaves of 1 to {} tiles", grouped(ranking.len() as u64 - 1), ranking.max_size()));
    if subject.table.estimated() > 0 {
        facts.push(format!("{} of them estimated", grouped(subject.table.estimated() as u64)));
    }
    facts.extend(subject.manifest.map(|manifest| format!("seed {}", manifest.seed)));
    page_header(
        "Leave table",
        subject.name,
        &facts,
        "A leave is the tiles that stay on the rack after a move. Its value says how many points more the following turns \
         bring with these tiles than with tiles drawn at random. A player adds it to the score of each move.",
        figures(subject),
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

fn figures(subject: &Subject<'_>) -> Markup {
    let generations = subject.generations.map_or(String::new(), |known| {
        let many = known.generations.len();
        format!("in {many} {}", if many == 1 { "generation" } else { "generations" })
    });
    let warned = subject.warnings.leaves.len();
    let note = match subject.detail {
        _ if warned > 0 => html! { a href="#warnings" { "see the list" } },
        Some(_) => html! { "every value is supported" },
        None => html! { "by the only rule that needs no support" },
    };
    html! {
        (strength(subject))
        @if let Some(games) = games(subject) { (key_figure("games of self-play", grouped(games), generations)) }
        (key_figure("leaves with warnings", grouped(warned as u64), note))
    }
}

/// Games of self-play over all generations, if known.
fn games(subject: &Subject<'_>) -> Option<u64> {
    if let Some(known) = subject.generations {
        return Some(known.generations.iter().fold(0, |sum, one| one.games.saturating_add(sum)));
    }
    let config = LeavesConfig::from_toml(&subject.manifest?.config, "manifest").ok()?;
    Some(config.games.iter().fold(0, |sum, games| games.saturating_add(sum)))
}

/// The closing match, if the artefact records one.
fn strength(subject: &Subject<'_>) -> Markup {
    let closing = subject.generations.and_then(|known| known.closing_match.as_ref());
    let summary = closing.and_then(|closing| Some((closing, closing.tally.summary()?)));
    summary.map_or(Markup::default(), |(closing, summary)| {
        let (win, spread) = (summary.win_rate, summary.spread);
        let opponent = html! { "games won against " i { (closing.opponent) } };
        let pairs = format!("{} pairs", grouped(closing.tally.pairs));
        let range = format!("95 %: {:.2} to {:.2}; {pairs}", 100.0 * win.low, 100.0 * win.high);
        let spread_range = format!("95 %: {} to {}", signed(spread.low, 2), signed(spread.high, 2));
        html! {
            (key_figure(opponent, format!("{:.2} %", 100.0 * win.mean), range))
            (key_figure("spread, points per game", signed(spread.mean, 2), spread_range))
        }
    })
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
    let Drawn { html, warnings, is_without_support, .. } = draw(&place, game)?;
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
    /// The lexicon of an artefact, the file name of a bare table.
    pub name: String,
    pub html: String,
    warnings: WarningCounts,
    is_without_support: bool,
}

/// Draws the page of a table.
pub fn draw(place: &Place, game: &GameFlags) -> Result<Drawn, Failure> {
    let open = OpenTable::open(place, game)?;
    let manifest = open.artefact.as_ref().map(Artefact::manifest);
    let detail = open.detail()?;
    let generations = open.artefact.as_ref().map(Generations::read).transpose().input()?.flatten();
    let warnings = Warnings::new(&open.table, detail.as_ref());
    let name = match (place, manifest) {
        (Place::Embedded, _) => format!("{EMBEDDED_NAME}, embedded"),
        (_, Some(manifest)) => manifest.lexicon.name.clone(),
        (Place::Path(path), None) => path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
    };
    let subject = Subject {
        name: &name,
        words: words(place, &open, game),
        tileset: &open.tileset,
        table: &open.table,
        detail: detail.as_ref(),
        warnings: &warnings,
        manifest,
        generations: generations.as_ref(),
    };
    let (html, warnings, is_without_support) = (write(&subject), warnings.counts(), detail.is_none());
    Ok(Drawn { name, html, warnings, is_without_support })
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
    use tilewright_engine::leave::LeaveTable;
    use tilewright_engine::tileset::TileSet;
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
