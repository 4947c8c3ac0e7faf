//! The table to search: the leaves that the page holds, in a compact form for its script.

use serde::Serialize;
use tilewright_engine::tileset::{MAX_KINDS, Tile};
use tilewright_train::leaves::difference::chance;

use super::subject::{Source, Subject, sources};
use crate::report::html::{Section, grouped};

/// Leaves on the page; about 20 bytes each.
const MOST: usize = 60_000;
/// Lengths are on the page whole as long as they leave a third of it to the leaves most often dealt.
const MOST_WHOLE: usize = MOST / 3 * 2;
/// A character a kind of tile: none that HTML or JSON reads.
const ALPHABET: &[u8; MAX_KINDS] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

/// What the script is given.
#[derive(Serialize)]
struct Data<'a> {
    /// The character of each kind, and how it is written; the first is the blank.
    alphabet: &'a str,
    labels: Vec<&'a str>,
    /// Leaves of up to so many tiles are all here.
    whole: usize,
    /// Tiles in the longest leave of the table.
    longest: usize,
    groups: Vec<Group>,
}

/// Leaves of one length: their characters one after the other, and a column a figure.
#[derive(Serialize)]
struct Group {
    tiles: usize,
    leaves: String,
    /// Hundredths of a point.
    value: Vec<i64>,
    /// Hundredths of a point; empty if unknown.
    error: Vec<i64>,
    /// Turns of self-play; empty if there were none, or they are not known.
    support: Vec<i64>,
    /// Boards of the census; empty likewise.
    boards: Vec<i64>,
}

/// The leaves on the page.
struct Selection {
    /// All leaves of up to so many tiles.
    whole: usize,
    /// Longer ones, the most often dealt, in the table's order.
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
            (first..ranking.len()).map(|index| (chance(&ranking.unrank(index), subject.tileset), index)).collect();
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
        let sources = sources(subject);
        (1..=ranking.max_size()).map(|tiles| Group::new(subject, &sources, tiles, &in_length(tiles))).collect()
    }
}

impl Group {
    fn new(subject: &Subject<'_>, sources: &[Source<'_>], tiles: usize, indices: &[usize]) -> Group {
        let kinds = indices.iter().flat_map(|&index| {
            let leave: Vec<Tile> = subject.table.ranking().unrank(index).tiles().collect();
            leave.into_iter().map(|tile| char::from(ALPHABET[tile.kind() as usize]))
        });
        let detail = subject.detail;
        let counts = |unit: &str| {
            let source = sources.iter().find(|source| source.unit == unit);
            source.map_or(Vec::new(), |source| indices.iter().map(|&index| source.counts[index]).collect())
        };
        Group {
            tiles,
            leaves: kinds.collect(),
            value: indices.iter().map(|&index| hundredths(subject.table.values()[index].points())).collect(),
            error: detail
                .map_or(Vec::new(), |known| indices.iter().map(|&index| hundredths(known.standard_error[index])).collect()),
            support: counts("turns"),
            boards: counts("boards"),
        }
    }
}

fn hundredths(points: f64) -> i64 {
    (100.0 * points).round() as i64
}

/// The section, and the leaves for its script as an element of the page.
pub fn section_and_data(subject: &Subject<'_>) -> (Section, String) {
    let selection = Selection::new(subject, MOST, MOST_WHOLE);
    (section(subject, &selection), data(subject, &selection))
}

fn section(subject: &Subject<'_>, selection: &Selection) -> Section {
    let ranking = subject.table.ranking();
    let on_page = ranking.indices_of_size(selection.whole).end - 1 + selection.dealt.len();
    let all = ranking.len() - 1;
    let held = if on_page == all {
        format!("All {} leaves are on this page.", grouped(all as u64))
    } else {
        format!(
            "On this page are {} of {} leaves: all of up to {} tiles, and of the longer ones the {} that random racks deal most \
             often. <code>tilewright leaves show</code> answers any.",
            grouped(on_page as u64),
            grouped(all as u64),
            selection.whole,
            grouped(selection.dealt.len() as u64)
        )
    };
    let body = "<form id=\"find\" role=\"search\" autocomplete=\"off\">\n\
         <label for=\"query\">Tiles</label>\n\
         <input id=\"query\" type=\"search\" placeholder=\"AEINR?\" spellcheck=\"false\" autocapitalize=\"characters\" \
         enterkeyhint=\"search\">\n\
         <fieldset><legend>Show leaves</legend>\
         <label><input type=\"radio\" name=\"mode\" value=\"with\" checked> with these tiles</label> \
         <label><input type=\"radio\" name=\"mode\" value=\"from\"> kept from this rack</label></fieldset>\n</form>\n\
         <noscript><p class=\"missing\">The search needs the page's script, which is switched off.</p></noscript>\n\
         <p id=\"told\" class=\"note\" role=\"status\"></p>\n\
         <div class=\"wide\"><table id=\"found\"><thead><tr></tr></thead><tbody></tbody></table></div>\n\
         <p><button id=\"more\" type=\"button\" hidden>Show more</button></p>\n"
        .into();
    Section { id: "search", link: "Search", title: "Searchable table".into(), lead: held, body }
}

fn data(subject: &Subject<'_>, selection: &Selection) -> String {
    let data = Data {
        alphabet: std::str::from_utf8(ALPHABET).unwrap_or_default(),
        labels: subject.tileset.kinds().iter().map(|kind| kind.label.as_str()).collect(),
        whole: selection.whole,
        longest: subject.table.ranking().max_size(),
        groups: selection.groups(subject),
    };
    let json = serde_json::to_string(&data).unwrap_or_default();
    // A label may hold anything; the parser of HTML must see no tag within the script element.
    format!("<script type=\"application/json\" id=\"leaves\">{}</script>\n", json.replace('<', "\\u003c"))
}

#[cfg(test)]
mod tests {
    use tilewright_engine::leave::LeaveTable;
    use tilewright_engine::tileset::TileSet;
    use tilewright_train::leaves::warnings::Warnings;

    use super::*;

    #[test]
    fn short_leaves_are_whole_and_longer_ones_those_most_often_dealt() {
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
        // 12 × 12 × 9 ways: of no other three tiles are there more.
        assert_eq!(shown, ["AEO"]);
        let groups = selection.groups(&subject);
        assert_eq!(groups.iter().map(|group| group.value.len()).sum::<usize>(), pairs + 1);
        assert!(groups.iter().all(|group| group.leaves.len() == group.tiles * group.value.len() && group.error.is_empty()));
        let all = table.ranking().len() - 1;
        assert_eq!(Selection::new(&subject, all, all / 3).whole, table.ranking().max_size(), "a small table is there whole");
    }
}
