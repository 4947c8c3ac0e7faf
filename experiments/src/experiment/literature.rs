//! The figures of the literature beside ours, table by table: reproduced, reproduced in shape, or contradicted.
//!
//! `studies/literature.toml` lists the published tables that studies measure. It gives the cause of each difference, and the
//! studies that test the cause. The finding follows a rule ([`RULE`]).

use std::fmt;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::store::stored;
use super::summary::Line;
use super::verdict::{Published, Verdict};
use crate::report::html::signed;
use crate::report::markdown;

/// A published table, or a single figure, that a study measures.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    study: String,
    /// The beginning of the names of its figures. Each figure belongs to the first entry that fits.
    #[serde(default)]
    figures: String,
    /// The subject of the table, in a few words.
    name: String,
    source: String,
    /// The cause of the difference, or the reason to believe our figures.
    #[serde(default)]
    why: String,
    #[serde(default)]
    tests: Vec<CauseTest>,
}

/// The same figures with one thing changed, which tests a cause.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CauseTest {
    study: String,
    /// The change, as the beginning of a sentence.
    change: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entries {
    tables: Vec<Entry>,
}

static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let entries: Result<Entries, _> = toml::from_str(include_str!("../../studies/literature.toml"));
    entries.map_or_else(|error| unreachable!("a test reads this file: {error}"), |entries| entries.tables)
});

/// The finding on a table of the literature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, schemars::JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    Reproduced,
    InShape,
    Contradicted,
}

/// The rule of the findings, as a page states it.
pub const RULE: &str = "The root mean square of the differences is compared with the root mean square of √(a² + b²), where a and b are \
                        half the widths of the two intervals of a figure, and with the standard deviation of the published figures. A \
                        table is *reproduced* if the differences are within the intervals, or at most a fifth of that deviation. It is \
                        *reproduced in shape* if the figures have a correlation of 0.9 or more. Otherwise it is *contradicted*. Fewer than \
                        three figures, or equal ones, are judged one by one, and the worst decides: *reproduced* within the intervals, \
                        *in shape* with an effect of a third to three times the published one (matches) or within a quarter of the published figure, or if the study is \
                        too small to tell.";

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Finding::Reproduced => "reproduced",
            Finding::InShape => "reproduced in shape",
            Finding::Contradicted => "contradicted",
        })
    }
}

/// The largest difference of a reproduced table, in standard deviations of the published figures.
const CLOSE: f64 = 0.2;
/// The smallest correlation of a table that is reproduced in shape.
const SHAPE: f64 = 0.9;
/// The largest difference of a single figure of the same size, as a share of the published one.
const SIZE: f64 = 0.25;
/// The largest ratio of two effects of the same size in matches.
const EFFECT: f64 = 3.0;

/// Measured figures beside published ones.
#[derive(Clone, Debug, schemars::JsonSchema, Serialize)]
pub struct Comparison {
    /// The number of figures.
    pub figures: usize,
    /// `None` if fewer than three figures differ.
    pub correlation: Option<f64>,
    /// Measured less published, in the unit of the table.
    pub mean_difference: f64,
    pub finding: Finding,
}

impl Comparison {
    /// Compares measured figures with the published figures of the same place. `None` without figures.
    fn new(pairs: &[Pair<'_>]) -> Option<Comparison> {
        let count = pairs.len() as f64;
        let mean =
            |value: &dyn Fn(&Line, &Published) -> f64| pairs.iter().map(|(line, one)| value(line, one)).sum::<f64>() / count;
        let difference = |line: &Line, published: &Published| line.measured.value - published.value;
        let allowed = |line: &Line, published: &Published| {
            let half = |ends: Option<[f64; 2]>| ends.map_or(0.0, |[low, high]| (high - low) / 2.0);
            half(line.measured.interval).hypot(half(published.interval))
        };
        let (own, other) = (mean(&|line, _| line.measured.value), mean(&|_, one| one.value));
        let covariance = mean(&|line, one| (line.measured.value - own) * (one.value - other));
        let [own_deviation, deviation] =
            [mean(&|line, _| (line.measured.value - own).powi(2)), mean(&|_, one| (one.value - other).powi(2))]
                .map(f64::sqrt);
        let correlation = Some(covariance / (own_deviation * deviation)).filter(|r| pairs.len() > 2 && r.is_finite());
        let off = mean(&|line, one| difference(line, one).powi(2)).sqrt();
        let finding = match correlation {
            Some(_) if off <= mean(&|line, one| allowed(line, one).powi(2)).sqrt() || off <= CLOSE * deviation => {
                Finding::Reproduced
            }
            Some(correlation) if correlation >= SHAPE => Finding::InShape,
            Some(_) => Finding::Contradicted,
            None => pairs.iter().map(|(line, published)| of_figure(line, published)).max()?,
        };
        Some(Comparison { figures: pairs.len(), correlation, mean_difference: mean(&difference), finding })
    }
}

/// The finding on a single figure.
fn of_figure(line: &Line, published: &Published) -> Finding {
    let equality = line.measured.pairs.map(|_| if line.unit == "%" { 50.0 } else { 0.0 });
    let [low, high] = line.measured.interval.unwrap_or([line.measured.value; 2]);
    let is_like = match equality {
        Some(equality) => {
            let times = (line.measured.value - equality) / (published.value - equality);
            !(low..=high).contains(&equality) && (1.0 / EFFECT..=EFFECT).contains(&times)
        }
        None => (line.measured.value - published.value).abs() <= SIZE * published.value.abs(),
    };
    match Verdict::new(line.measured, published, equality) {
        Verdict::Agrees => Finding::Reproduced,
        Verdict::CannotTell => Finding::InShape,
        Verdict::Differs if is_like => Finding::InShape,
        Verdict::Differs => Finding::Contradicted,
    }
}

/// A published table beside the figures of a study.
#[derive(schemars::JsonSchema, Serialize)]
pub struct Table {
    pub name: String,
    source: String,
    unit: String,
    #[serde(flatten)]
    compared: Comparison,
    /// The finding, its cause and the tests of the cause.
    pub sentence: String,
}

/// A measured figure beside the published one.
type Pair<'a> = (&'a Line, &'a Published);

/// The published tables of a study, from its figures. Figures of a study that is not ours form a table for each source and unit.
pub fn tables(study: &str, lines: &[Line]) -> Vec<Table> {
    let fits = |line: &Line, entry: &Entry| entry.study == study && line.figure.starts_with(&entry.figures);
    let mut groups: Vec<(Result<usize, String>, Vec<Pair<'_>>)> = Vec::new();
    for line in lines {
        let Some(published) = line.published.as_ref().filter(|published| published.is_of_literature()) else { continue };
        let entry = ENTRIES.iter().position(|entry| fits(line, entry));
        let key = entry.ok_or_else(|| format!("{} {}", published.source, line.unit));
        match groups.iter_mut().find(|(own, _)| *own == key) {
            Some((_, pairs)) => pairs.push((line, published)),
            None => groups.push((key, vec![(line, published)])),
        }
    }
    groups.into_iter().filter_map(|(entry, pairs)| Table::new(entry.ok().map(|at| &ENTRIES[at]), &pairs)).collect()
}

impl Table {
    fn new(entry: Option<&'static Entry>, pairs: &[Pair<'_>]) -> Option<Table> {
        let (line, published) = pairs.first()?;
        let (compared, unit) = (Comparison::new(pairs)?, &line.unit);
        let why = entry.map(|entry| &entry.why).filter(|why| !why.is_empty());
        let mut sentence = compared.finding.to_string() + &why.map_or(".".into(), |why| format!(": {why}"));
        for test in entry.iter().flat_map(|entry| &entry.tests) {
            if let Some(Comparison { mean_difference, finding, .. }) = test.compared(pairs) {
                let difference = with_unit(mean_difference, unit);
                sentence += &format!(" {}: {difference}, {finding}.", test.change);
            }
        }
        let [name, source] =
            entry.map_or([&line.figure, &published.source], |entry| [&entry.name, &entry.source]).map(Clone::clone);
        Some(Table { name, source, unit: unit.clone(), compared, sentence })
    }

    /// The cells of a row: name, sentence, figures, correlation, mean difference and source.
    pub fn cells(&self) -> [String; 6] {
        let Comparison { figures, correlation, mean_difference, .. } = self.compared;
        [
            self.name.clone(),
            self.sentence.clone(),
            figures.to_string(),
            correlation.map_or(String::new(), |correlation| format!("{correlation:.2}")),
            with_unit(mean_difference, &self.unit),
            self.source.clone(),
        ]
    }
}

/// A difference with its sign and unit.
fn with_unit(difference: f64, unit: &str) -> String {
    let number = signed(difference, 2);
    if unit == "%" { format!("{number} percentage points") } else { format!("{number} {unit}").trim_end().into() }
}

impl CauseTest {
    /// The figures of the test beside the published ones. `None` if its run is not stored.
    fn compared(&self, pairs: &[Pair<'_>]) -> Option<Comparison> {
        let summary = stored(&self.study)?.ok()?;
        let same = |line: &Line| summary.lines.iter().find(|own| own.figure == line.figure && own.unit == line.unit);
        let pairs: Vec<_> = pairs.iter().filter_map(|&(line, published)| Some((same(line)?, published))).collect();
        Comparison::new(&pairs)
    }
}

/// The heads of the columns of [`Table::cells`].
pub const HEAD: [&str; 6] = ["table", "finding", "#figures", "#correlation", "#mean difference", "source"];

/// Tables as Markdown: the contradicted ones first.
pub fn as_markdown<'t>(tables: impl IntoIterator<Item = &'t Table>) -> String {
    let mut all: Vec<&Table> = tables.into_iter().collect();
    all.sort_by_key(|table| std::cmp::Reverse(table.compared.finding));
    let rows: Vec<Vec<String>> = all.into_iter().map(|table| table.cells().into()).collect();
    markdown::table(&HEAD.map(|name| name.trim_start_matches('#')), &rows)
}

/// The findings on the tables of a study, counted in words. Empty without tables.
pub fn counted(tables: &[Table]) -> String {
    let count = |finding| tables.iter().filter(|table| table.compared.finding == finding).count();
    let all = [Finding::Reproduced, Finding::InShape, Finding::Contradicted].map(|finding| (finding, count(finding)));
    let mut counts = all.into_iter().filter(|(_, count)| *count > 0).map(|(finding, count)| (count, finding.to_string()));
    let Some((count, finding)) = counts.next() else { return String::new() };
    let others: String = counts.map(|(count, finding)| format!(", {count} {finding}")).collect();
    format!("{count} of {} tables {finding}{others}", tables.len())
}

#[cfg(test)]
pub fn entries() -> impl Iterator<Item = (&'static str, &'static str)> {
    ENTRIES.iter().map(|entry| (entry.study.as_str(), entry.name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::super::verdict::Measured;
    use super::*;

    fn finding(unit: &str, pairs: Option<u64>, figures: &[(f64, f64, f64, f64)]) -> Comparison {
        let line = |&(value, half, published, open): &(f64, f64, f64, f64)| {
            let ends = |value: f64, half: f64| Some([value - half, value + half]);
            let published = Published { value: published, interval: ends(published, open), source: "a paper".into() };
            let measured = Measured { value, interval: ends(value, half), pairs };
            Line::new("arm", "figure", unit, measured, Some(&published), None)
        };
        let lines: Vec<Line> = figures.iter().map(line).collect();
        let pairs: Vec<_> = lines.iter().map(|line| (line, line.published.as_ref().unwrap())).collect();
        Comparison::new(&pairs).unwrap()
    }

    #[test]
    fn findings_follow_the_rule() {
        let rising = |off: [f64; 4], half: f64| {
            let values = off.into_iter().zip([10.0, 20.0, 30.0, 40.0]);
            finding("points", None, &values.map(|(off, value)| (value + off, half, value, 0.05)).collect::<Vec<_>>())
        };
        let close = rising([2.0; 4], 0.1);
        assert_eq!((close.finding, close.figures), (Finding::Reproduced, 4));
        assert!((close.mean_difference - 2.0).abs() < 1e-9 && close.correlation.is_some_and(|r| r > 0.999));
        assert_eq!(rising([6.0; 4], 0.1).finding, Finding::InShape);
        assert_eq!(rising([6.0; 4], 7.0).finding, Finding::Reproduced, "within the intervals");
        assert_eq!(rising([20.0, 0.0, 0.0, -20.0], 0.1).finding, Finding::Contradicted);

        let one = |value, half, published| finding("points", None, &[(value, half, published, 0.5)]).finding;
        assert_eq!(
            [one(30.2, 0.1, 30.0), one(24.0, 0.1, 30.0), one(20.0, 0.1, 30.0)],
            [Finding::Reproduced, Finding::InShape, Finding::Contradicted]
        );
        let matched = |value, published| finding("%", Some(1000), &[(value, 0.5, published, 1.0)]).finding;
        let matches = [matched(44.0, 40.0), matched(50.2, 45.0), matched(47.0, 20.0)];
        assert_eq!(matches, [Finding::InShape, Finding::Contradicted, Finding::Contradicted]);
        let equal = finding("points", None, &[(29.0, 0.1, 30.0, 0.5), (24.0, 0.1, 30.0, 0.5), (15.0, 0.1, 30.0, 0.5)]);
        assert_eq!((equal.finding, equal.correlation), (Finding::Contradicted, None), "the worst decides");
    }
}
