//! The value of the balance of vowels and consonants, as a heat map for each number of blanks.

use tilewright_train::leaves::vowels::{Balance, balances};

use super::subject::Subject;
use crate::report::html::{Markup, Section, figure, grouped, html, missing, signed};
use crate::report::svg::{Anchor, Svg};

const CELL: (f64, f64) = (42.0, 30.0);
const LEFT: f64 = 46.0;
const TOP: f64 = 34.0;
const GAP: f64 = 1.5;

pub fn section(subject: &Subject<'_>) -> Section {
    let balances = balances(subject.table, subject.tileset);
    let vowels: Vec<&str> =
        subject.tileset.kinds().iter().filter(|kind| kind.is_vowel).map(|kind| kind.label.as_str()).collect();
    let body = if vowels.is_empty() {
        missing("The tile set marks no letter as a vowel.")
    } else {
        let most = balances.iter().map(|balance| balance.blanks).max().unwrap_or_default();
        html! { div.maps { @for blanks in 0..=most { (facet(&balances, blanks)) } } }
    };
    let lead = format!(
        "The mean value of leaves by their numbers of vowels and consonants, in points. Each leave is weighted by how \
             often a random full rack contains it. The vowels are {}. Warm colours are below the mean of the map, cool \
             colours above.",
        vowels.join(" ")
    );
    Section::new("vowels", "Vowels", "Vowels and consonants", lead, body)
}

fn facet(balances: &[Balance], blanks: usize) -> Markup {
    let cells: Vec<&Balance> = balances.iter().filter(|balance| balance.blanks == blanks).collect();
    let most = |of: &dyn Fn(&Balance) -> usize| cells.iter().map(|cell| of(cell)).max().unwrap_or_default() as f64;
    let (columns, rows) = (most(&|cell| cell.consonants), most(&|cell| cell.vowels));
    // All maps are equally wide, so that their cells have the same size.
    let columns_of_all = balances.iter().map(|cell| cell.consonants).max().unwrap_or_default() as f64;
    let (width, height) = (LEFT + CELL.0 * (columns_of_all + 1.0), TOP + CELL.1 * (rows + 1.0));
    let mut svg = Svg::new(width, height, &format!("Mean leave value by vowels and consonants, {}", named(blanks)));
    svg.text("tick", (LEFT, 10.0), Anchor::Start, "consonants →");
    svg.text("tick", (0.0, TOP - 8.0), Anchor::Start, "vowels ↓");
    for column in 0..=columns as usize {
        let middle = LEFT + CELL.0 * (column as f64 + 0.5);
        svg.text("name", (middle, TOP - 8.0), Anchor::Middle, &column.to_string());
    }
    for row in 0..=rows as usize {
        svg.text("name", (20.0, TOP + CELL.1 * (row as f64 + 0.5) + 4.0), Anchor::Start, &row.to_string());
    }
    let dealt: f64 = cells.iter().map(|cell| cell.dealt).sum();
    let centre = cells.iter().map(|cell| cell.dealt * cell.mean).sum::<f64>() / dealt.max(f64::MIN_POSITIVE);
    let reach = cells.iter().map(|cell| (cell.mean - centre).abs()).fold(1e-9, f64::max);
    for cell in &cells {
        let at = (LEFT + CELL.0 * cell.consonants as f64, TOP + CELL.1 * cell.vowels as f64);
        let off = (cell.mean - centre) / reach;
        let class = if off < 0.0 { "negative" } else { "positive" };
        let title = format!(
            "{} vowels, {} consonants, {}: {} points over {} leaves",
            cell.vowels,
            cell.consonants,
            named(blanks),
            signed(cell.mean, 2),
            grouped(cell.leaves as u64)
        );
        svg.cell(class, at, (CELL.0 - GAP, CELL.1 - GAP), 0.06 + 0.72 * off.abs(), &title);
        svg.text("inside", (at.0 + CELL.0 / 2.0, at.1 + CELL.1 / 2.0 + 4.0), Anchor::Middle, &signed(cell.mean, 1));
    }
    figure(svg.finish(), format!("{}: mean {}", named(blanks), signed(centre, 1)))
}

fn named(blanks: usize) -> String {
    match blanks {
        0 => "no blank".into(),
        1 => "1 blank".into(),
        more => format!("{more} blanks"),
    }
}
