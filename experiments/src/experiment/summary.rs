//! The results of a run of a study, as JSON and as text.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tilewright_engine::hash::sha256;
use tilewright_engine::input_file;
use tilewright_train::parquet_file::{Column, Columns};
use tilewright_train::schema::{Schema, double, int64, text};

use super::verdict::{Measured, Published, Verdict};
use crate::report::markdown;
use crate::{Failure, InFile};

/// The summary in the folder of a run.
pub const SUMMARY: &str = "summary.json";

#[derive(Clone, Copy, Debug, PartialEq, Eq, schemars::JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Size {
    /// About a minute.
    Quick,
    /// As the page of the study reports it.
    Full,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Size::Quick => "quick",
            Size::Full => "full",
        })
    }
}

/// The result of a study. Equal runs make equal summaries, but for the times that were measured.
#[derive(Clone, Debug, PartialEq, schemars::JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    pub study: String,
    pub question: String,
    /// The publication of the answer, if the lines do not name it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    pub size: Size,
    /// The version of the program that ran it.
    pub version: String,
    /// The hash of the study's config.
    pub config: String,
    pub lines: Vec<Line>,
    /// The hash of the rest.
    pub checksum: String,
}

/// A figure.
#[derive(Clone, Debug, PartialEq, schemars::JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The arm or the measure.
    pub part: String,
    pub figure: String,
    pub unit: String,
    pub measured: Measured,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<Published>,
    /// How they compare.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}

impl Line {
    /// A line with its verdict. `none` is the figure of no effect.
    pub fn new(
        part: &str,
        figure: &str,
        unit: &str,
        measured: Measured,
        published: Option<&Published>,
        none: Option<f64>,
    ) -> Line {
        // Probabilities have no unit, and may be small.
        let parts = if unit.is_empty() { 1e12 } else { 1e6 };
        let round = |value: f64| (value * parts).round() / parts;
        let Measured { value, interval, pairs } = measured;
        let measured = Measured { value: round(value), interval: interval.map(|ends| ends.map(round)), pairs };
        let verdict = published.map(|published| Verdict::new(measured, published, none));
        let published = published.cloned();
        Line { part: part.into(), figure: figure.into(), unit: unit.into(), measured, published, verdict }
    }

    /// The cells of a row of the table.
    pub fn cells(&self) -> [String; 5] {
        let pairs = self.measured.pairs.map_or(String::new(), |pairs| format!("; {pairs} pairs"));
        let measured = format!("{}{pairs}", value(self.measured.value, self.measured.interval, &self.unit));
        let published = self.published.as_ref().map_or(String::new(), |published| {
            format!("{}; {}", value(published.value, published.interval, &self.unit), published.source)
        });
        let verdict = self.verdict.map_or(String::new(), |verdict| verdict.to_string());
        [self.part.clone(), self.figure.clone(), measured, published, verdict]
    }
}

/// A figure with its interval and its unit.
fn value(value: f64, interval: Option<[f64; 2]>, unit: &str) -> String {
    if unit.is_empty() && value < 1e-3 {
        return format!("{value:.1e}");
    }
    let digits = if value != 0.0 && value.abs() < 0.7 && interval.is_none() { 4 } else { 2 };
    let interval = interval.map_or(String::new(), |[low, high]| format!(" ({low:.digits$} to {high:.digits$})"));
    format!("{value:.digits$} {unit}{interval}").trim_end().into()
}

impl Summary {
    /// The summary with its checksum.
    #[must_use]
    pub fn sealed(self) -> Summary {
        let checksum = self.hash();
        Summary { checksum, ..self }
    }

    fn hash(&self) -> String {
        let rest = Summary { checksum: String::new(), ..self.clone() };
        let text = serde_json::to_string(&rest).unwrap_or_else(|error| unreachable!("a summary is plain data: {error}"));
        sha256(text.as_bytes())
    }

    /// Reads a summary. `origin` names it in errors.
    pub fn from_json(text: &str, origin: &str) -> Result<Summary, String> {
        let summary: Summary = serde_json::from_str(text).map_err(|error| format!("{origin}: {error}"))?;
        if summary.hash() != summary.checksum {
            return Err(format!("{origin}: it was changed after the run that made it; run the study again"));
        }
        Ok(summary)
    }

    /// The summary in the folder of a finished run.
    pub fn of_run(run: &Path) -> Result<Summary, Failure> {
        let file = run.join(SUMMARY);
        let text = input_file::read_text(&file).in_file(&file)?;
        Summary::from_json(&text, &file.display().to_string()).map_err(Failure::input)
    }

    /// The heads and cells of the table. Tables of the literature are judged as a whole, so only earlier figures of our own have
    /// a verdict.
    pub fn columns_shown(&self) -> (&'static [&'static str], Vec<Vec<String>>) {
        let published = || self.lines.iter().filter_map(|line| line.published.as_ref());
        let is_own = published().any(|published| !published.is_of_literature());
        let head: &[&str] = match (published().next().is_some(), is_own) {
            (false, _) => &["arm", "figure", "#measured"],
            (true, false) => &["arm", "figure", "#measured", "#published"],
            (true, true) => &["arm", "figure", "#measured", "#earlier", "verdict"],
        };
        (head, self.lines.iter().map(|line| line.cells()[..head.len()].to_vec()).collect())
    }

    /// The table of the page.
    pub fn table(&self) -> String {
        let (head, rows) = self.columns_shown();
        markdown::table(&head.iter().map(|name| name.trim_start_matches('#')).collect::<Vec<_>>(), &rows)
    }

    /// The figures as columns of [`LINES_SCHEMA`].
    pub fn columns(&self) -> Columns {
        let texts = |text: &dyn Fn(&Line) -> String| Column::Text(self.lines.iter().map(text).collect());
        let doubles = |value: &dyn Fn(&Line) -> Option<f64>| {
            Column::Double(self.lines.iter().map(|line| value(line).unwrap_or(f64::NAN)).collect())
        };
        let published = |line: &Line| line.published.as_ref().map(|published| (published.value, published.interval));
        let columns = [
            ("study", texts(&|_| self.study.clone())),
            ("size", texts(&|_| self.size.to_string())),
            ("arm", texts(&|line| line.part.clone())),
            ("figure", texts(&|line| line.figure.clone())),
            ("unit", texts(&|line| line.unit.clone())),
            ("measured", doubles(&|line| Some(line.measured.value))),
            ("measured_low", doubles(&|line| line.measured.interval.map(|ends| ends[0]))),
            ("measured_high", doubles(&|line| line.measured.interval.map(|ends| ends[1]))),
            ("pairs", Column::Int64(self.lines.iter().map(|line| line.measured.pairs.unwrap_or(0) as i64).collect())),
            ("published", doubles(&|line| published(line).map(|(value, _)| value))),
            ("published_low", doubles(&|line| published(line)?.1.map(|ends| ends[0]))),
            ("published_high", doubles(&|line| published(line)?.1.map(|ends| ends[1]))),
            ("source", texts(&|line| line.published.as_ref().map_or(String::new(), |published| published.source.clone()))),
            ("verdict", texts(&|line| line.verdict.map_or(String::new(), |verdict| verdict.to_string()))),
        ];
        columns.map(|(name, column)| (name.to_string(), column)).into()
    }
}

/// The columns of [`lines`].
pub const LINES_SCHEMA: Schema = Schema {
    name: "figures",
    row: "a figure of a study",
    fields: &[
        text("study", "name of the study"),
        text("size", "quick or full"),
        text("arm", "the arm, or what is measured"),
        text("figure", "the figure"),
        text("unit", "unit of the figures of this row"),
        double("measured", "what was measured").unit("that of unit"),
        double("measured_low", "lower end of the 95 % interval; NaN if there is none").unit("that of unit"),
        double("measured_high", "upper end of the 95 % interval; NaN if there is none").unit("that of unit"),
        int64("pairs", "pairs of games; 0 if it is no figure of a match").unit("pairs"),
        double("published", "what was published; NaN if nothing was").unit("that of unit"),
        double("published_low", "lower end of what the source leaves open; NaN if it does not say").unit("that of unit"),
        double("published_high", "upper end of what the source leaves open; NaN if it does not say").unit("that of unit"),
        text("source", "where it was published"),
        text("verdict", "agrees, differs, cannot tell, or empty"),
    ],
};

/// The figures in the folder of a finished run, and the facts of the run.
pub fn lines(run: &Path) -> Result<(Columns, BTreeMap<String, String>), Failure> {
    let summary = Summary::of_run(run)?;
    let about =
        [("kind", "study"), ("study", &summary.study), ("version", &summary.version), ("config_hash", &summary.config)];
    Ok((summary.columns(), about.map(|(key, value)| (key.to_string(), value.to_string())).into()))
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn sample() -> Summary {
        let published = Published { value: 51.04, interval: Some([50.9, 51.18]), source: "a page".into() };
        let measured = Measured { value: 51.0 + 1e-9, interval: Some([50.5, 51.5]), pairs: Some(100) };
        let line = Line::new("leave+pool", "win rate", "%", measured, Some(&published), Some(50.0));
        Summary {
            study: "unseen".into(),
            question: "What?".into(),
            source: None,
            size: Size::Quick,
            version: "1".into(),
            config: String::new(),
            lines: vec![line],
            checksum: String::new(),
        }
        .sealed()
    }

    #[test]
    fn a_summary_reads_back_and_a_changed_figure_is_found() {
        let summary = sample();
        let text = serde_json::to_string_pretty(&summary).unwrap();
        assert_eq!(Summary::from_json(&text, "x").unwrap(), summary);
        for changed in [text.replace("50.5", "50.6"), text.replace("quick", "full")] {
            assert!(changed != text && Summary::from_json(&changed, "x").unwrap_err().contains("was changed"));
        }
    }

    #[test]
    fn a_table_has_measured_and_published_figures() {
        let summary = sample();
        let row = "| leave+pool | win rate | 51.00 % (50.50 to 51.50); 100 pairs | 51.04 % (50.90 to 51.18); a page |";
        assert!(summary.table().lines().any(|line| line == row), "{}", summary.table());
    }
}
