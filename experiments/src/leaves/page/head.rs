//! The header and the footer of the page.

use tilewright_train::leaves::config::LeavesConfig;
use tilewright_train::run_config::RunConfig;

use super::subject::Subject;
use crate::report::html::{escape, grouped, key_figure, signed};
use crate::report::page::{made_by, page_header};

/// Title, origin and key figures.
pub fn header(subject: &Subject<'_>) -> String {
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
        &figures(subject),
    )
}

fn figures(subject: &Subject<'_>) -> String {
    let mut figures = strength(subject);
    let [games, boards] = units(subject);
    if games + boards > 0 {
        let generations = subject.generations.map_or(String::new(), |known| {
            let many = known.generations.len();
            format!("in {many} {}", if many == 1 { "generation" } else { "generations" })
        });
        for (name, units) in [("games of self-play", games), ("boards of the census", boards)] {
            if units > 0 {
                figures += &key_figure(name, &grouped(units), &generations);
            }
        }
    }
    let warned = subject.warnings.leaves.len();
    let note = match subject.detail {
        _ if warned > 0 => "<a href=\"#warnings\">see the list</a>",
        Some(_) => "every value is supported",
        None => "by the only rule that needs no support",
    };
    figures + &key_figure("leaves with warnings", &grouped(warned as u64), note)
}

/// Games of self-play and boards of the census, over all generations; 0 if unknown.
fn units(subject: &Subject<'_>) -> [u64; 2] {
    if let Some(known) = subject.generations {
        let all = &known.generations;
        return [all.iter().map(|one| one.games).sum(), all.iter().map(|one| one.boards).sum()];
    }
    let config = subject.manifest.and_then(|manifest| LeavesConfig::from_toml(&manifest.config, "manifest").ok());
    config.map_or([0; 2], |config| [config.games.iter().sum(), config.boards.iter().sum()])
}

/// The closing match: with its intervals if the artefact holds the tally, otherwise as in the manifest.
fn strength(subject: &Subject<'_>) -> String {
    let closing = subject.generations.and_then(|known| known.closing_match.as_ref());
    if let Some((closing, summary)) = closing.and_then(|closing| Some((closing, closing.tally.summary()?))) {
        let (win, spread) = (summary.win_rate, summary.spread);
        let opponent = format!("games won against <i>{}</i>", escape(&closing.opponent));
        let pairs = format!("{} pairs", grouped(closing.tally.pairs));
        let range = format!("95 %: {:.2} to {:.2}; {pairs}", 100.0 * win.low, 100.0 * win.high);
        let spread_range = format!("95 %: {} to {}", signed(spread.low, 2), signed(spread.high, 2));
        return key_figure(&opponent, &format!("{:.2} %", 100.0 * win.mean), &range)
            + &key_figure("spread, points per game", &signed(spread.mean, 2), &spread_range);
    }
    let Some(metrics) = subject.manifest.map(|manifest| &manifest.metrics) else { return String::new() };
    let (Some(win), Some(spread)) = (metrics.get("match_win_rate"), metrics.get("match_spread")) else {
        return String::new();
    };
    let pairs = metrics.get("match_pairs").map_or(String::new(), |pairs| format!("{} pairs; ", grouped(*pairs as u64)));
    key_figure("games won against <i>greedy</i>", &format!("{:.2} %", 100.0 * win), &format!("{pairs}interval not recorded"))
        + &key_figure("spread, points per game", &signed(*spread, 2), "interval not recorded")
}

/// The config and the version of the run.
pub fn footer(subject: &Subject<'_>) -> String {
    subject
        .manifest
        .map_or_else(|| "<footer><p>A bare table: there is no record of how it was made.</p></footer>\n".into(), made_by)
}
