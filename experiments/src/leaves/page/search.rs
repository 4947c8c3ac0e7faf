//! The searchable table: the leaves of the page, in a compact form for its script.

use serde::Serialize;
use tilewright_engine::tileset::{MAX_KINDS, Tile};
use tilewright_train::leaves::difference::expected_count;

use super::lengths::Subject;
use crate::report::html::{Markup, Section, grouped, html, script_data};

/// The most leaves on the page, of about 20 bytes each.
const MOST: usize = 60_000;
/// Whole lengths fill at most two thirds of the page. The rest is for the longer leaves that are dealt most often.
const MAX_WHOLE: usize = MOST / 3 * 2;
/// One character per kind of tile, without a meaning in HTML or JSON.
const ALPHABET: &[u8; MAX_KINDS] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

#[derive(Serialize)]
struct Data<'a> {
    /// The character of each kind, and its label. The first is the blank.
    alphabet: &'a str,
    labels: Vec<&'a str>,
    /// The page has all leaves of up to this number of tiles.
    whole: usize,
    /// Tiles in the longest leave of the table.
    longest: usize,
    groups: Vec<Group>,
}

/// Leaves of one length: their characters in one string, and a column per figure.
#[derive(Serialize)]
struct Group {
    tiles: usize,
    leaves: String,
    /// Hundredths of a point.
    value: Vec<i64>,
    /// Hundredths of a point. Empty if unknown.
    error: Vec<i64>,
    /// Turns of self-play. Empty if unknown.
    support: Vec<i64>,
}

struct Selection {
    /// All leaves of up to this number of tiles.
    whole: usize,
    /// The longer leaves that are dealt most often, in the order of the table.
    dealt: Vec<usize>,
}

impl Selection {
    fn new(subject: &Subject<'_>, most: usize, most_whole: usize) -> Selection {
        let ranking = subject.table.ranking();
        let whole = (1..=ranking.max_size())
            .take_while(|&tiles| {
                let leaves = ranking.indices_of_size(tiles).end - 1;
                leaves <= most_whole || (tiles == ranking.max_size() && leaves <= most)
            })
            .last()
            .unwrap_or_default();
        let first = ranking.indices_of_size(whole).end;
        let mut dealt: Vec<(f64, usize)> =
            (first..ranking.len()).map(|index| (expected_count(&ranking.unrank(index), subject.tileset), index)).collect();
        dealt.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        dealt.truncate(most.saturating_sub(first - 1));
        let mut dealt: Vec<usize> = dealt.into_iter().map(|(_, index)| index).collect();
        dealt.sort_unstable();
        Selection { whole, dealt }
    }

    fn groups(&self, subject: &Subject<'_>) -> Vec<Group> {
        let ranking = subject.table.ranking();
        let in_length = |tiles: usize| -> Vec<usize> {
            if tiles <= self.whole {
                ranking.indices_of_size(tiles).collect()
            } else {
                self.dealt.iter().copied().filter(|index| ranking.indices_of_size(tiles).contains(index)).collect()
            }
        };
        (1..=ranking.max_size()).map(|tiles| Group::new(subject, tiles, &in_length(tiles))).collect()
    }
}

impl Group {
    fn new(subject: &Subject<'_>, tiles: usize, indices: &[usize]) -> Group {
        let kinds = indices.iter().flat_map(|&index| {
            let leave: Vec<Tile> = subject.table.ranking().unrank(index).tiles().collect();
            leave.into_iter().map(|tile| char::from(ALPHABET[tile.kind() as usize]))
        });
        let detail = subject.detail;
        Group {
            tiles,
            leaves: kinds.collect(),
            value: indices.iter().map(|&index| hundredths(subject.table.values()[index].points())).collect(),
            error: detail
                .map_or(Vec::new(), |known| indices.iter().map(|&index| hundredths(known.standard_error[index])).collect()),
            support: detail.map_or(Vec::new(), |known| indices.iter().map(|&index| known.support[index]).collect()),
        }
    }
}

fn hundredths(points: f64) -> i64 {
    (100.0 * points).round() as i64
}

/// The section, and the leaves for its script as an element of the page.
pub fn section_and_data(subject: &Subject<'_>) -> (Section, Markup) {
    let selection = Selection::new(subject, MOST, MAX_WHOLE);
    let ranking = subject.table.ranking();
    let on_page = ranking.indices_of_size(selection.whole).end - 1 + selection.dealt.len();
    let all = ranking.len() - 1;
    let held = if on_page == all {
        html! { "All " (grouped(all as u64)) " leaves are on this page." }
    } else {
        html! {
            "This page has " (grouped(on_page as u64)) " of " (grouped(all as u64)) " leaves: all leaves of up to " (selection.whole)
            " tiles, and the " (grouped(selection.dealt.len() as u64)) " longer leaves that random racks contain most often. "
            code { "tilewright leaves show" } " prints any leave."
        }
    };
    let body = html! {
        form id="find" role="search" autocomplete="off" {
            label for="query" { "Tiles" } "\n"
            input id="query" type="search" placeholder="AEINR?" spellcheck="false" autocapitalize="characters" enterkeyhint="search";
            fieldset {
                legend { "Show leaves" }
                label { input type="radio" name="mode" value="with" checked; " with these tiles" } " "
                label { input type="radio" name="mode" value="from"; " from this rack" }
            }
        }
        noscript { p.missing { "The search needs JavaScript, which is switched off." } }
        p id="status" class="note" role="status" {}
        div.wide { table id="found" { thead { tr {} } tbody {} } }
        p { button id="more" type="button" hidden { "Show more" } }
    };
    (Section::new("search", "Search", "Searchable table", held, body), data(subject, &selection))
}

fn data(subject: &Subject<'_>, selection: &Selection) -> Markup {
    let data = Data {
        alphabet: std::str::from_utf8(ALPHABET).unwrap_or_default(),
        labels: subject.tileset.kinds().iter().map(|kind| kind.label.as_str()).collect(),
        whole: selection.whole,
        longest: subject.table.ranking().max_size(),
        groups: selection.groups(subject),
    };
    script_data("leaves", &data).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use tilewright_engine::leave::LeaveTable;
    use tilewright_engine::tileset::TileSet;
    use tilewright_train::leaves::warnings::Warnings;

    use super::*;

    #[test]
    fn the_page_has_all_short_leaves_and_the_longer_ones_dealt_most_often() {
        let spanish = TileSet::embedded("spanish").unwrap();
        let table = LeaveTable::zero(&spanish);
        let warnings = Warnings::default();
        let subject = Subject {
            name: "x",
            words: None,
            tileset: &spanish,
            table: &table,
            detail: None,
            warnings: &warnings,
            manifest: None,
            generations: None,
        };
        let pairs = table.ranking().indices_of_size(2).end - 1;
        let selection = Selection::new(&subject, pairs + 1, pairs);
        assert_eq!((selection.whole, selection.dealt.len()), (2, 1));
        let shown: Vec<String> = selection.dealt.iter().map(|&index| table.ranking().unrank(index).show(&spanish)).collect();
        // 12 × 12 × 9 ways: no other three tiles have more.
        assert_eq!(shown, ["AEO"]);
        let groups = selection.groups(&subject);
        assert_eq!(groups.iter().map(|group| group.value.len()).sum::<usize>(), pairs + 1);
        assert!(groups.iter().all(|group| group.leaves.len() == group.tiles * group.value.len() && group.error.is_empty()));
        let all = table.ranking().len() - 1;
        assert_eq!(
            Selection::new(&subject, all, all / 3).whole,
            table.ranking().max_size(),
            "a small table is on the page completely"
        );
    }
}
