//! The results of studies as text: the page of a study in Markdown, and the outcome of a run of several.

use std::fmt;

use serde::Serialize;

use super::ladder::{DRAWING, Ladder, WIN_RATE};
use super::literature::{self, counted, tables};
use super::summary::{Line, Summary};
use super::verdict::{self, Verdict};
use crate::flags::shell_word;
use crate::output;
use crate::report::markdown;

/// The finding of a study in one sentence, without its full stop: its tables of the literature, its earlier figures, or its best arm.
pub fn found(summary: &Summary) -> String {
    let (own, tables) = (earlier(summary).collect::<Vec<_>>(), tables(&summary.study, &summary.lines));
    if let ([], [table]) = (&own[..], &tables[..]) {
        return format!("{}: {}", table.name, table.sentence.trim_end_matches('.'));
    }
    let agreeing = own.iter().filter(|line| line.verdict == Some(Verdict::Agrees)).count();
    let own = if own.is_empty() { String::new() } else { format!("{agreeing} of {} earlier figures agree", own.len()) };
    let parts: Vec<String> = [counted(&tables), own].into_iter().filter(|part| !part.is_empty()).collect();
    if !parts.is_empty() {
        return parts.join(", ");
    }
    let arms = summary.lines.iter().filter(|line| line.figure == WIN_RATE && line.measured.pairs.is_some());
    let best = arms.max_by(|one, next| one.measured.value.total_cmp(&next.measured.value));
    best.map_or_else(
        || format!("{} new figures", summary.lines.len()),
        |best| format!("{} wins most, {}", best.part, best.cells()[2]),
    )
}

/// The figures beside earlier figures of our own.
fn earlier(summary: &Summary) -> impl Iterator<Item = &Line> {
    let is_own = |line: &&Line| line.published.as_ref().is_some_and(|published| !published.is_of_literature());
    summary.lines.iter().filter(is_own)
}

/// The rules that the verdicts of a study follow.
fn rules(summary: &Summary) -> Vec<&'static str> {
    let tables = tables(&summary.study, &summary.lines);
    let rules = [(!tables.is_empty(), literature::RULE), (earlier(summary).next().is_some(), verdict::RULE)];
    rules.into_iter().filter(|(holds, _)| *holds).map(|(_, rule)| rule).collect()
}

/// The part of a study for a written page: its ladder, or its figures and the findings on tables of the literature.
pub fn block(summary: &Summary) -> String {
    if let Some(ladder) = Ladder::new(&summary.lines) {
        return ladder.table();
    }
    let tables = tables(&summary.study, &summary.lines);
    let findings =
        tables.iter().map(|table| format!("- {}: {}\n", markdown::escape(&table.name), markdown::escape(&table.sentence)));
    let findings: String = findings.collect();
    if findings.is_empty() { summary.table() } else { format!("{findings}\n{}", summary.table()) }
}

/// The page of a study in Markdown: the question, the ladder if there is one, all figures, the findings and the rules.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { study, question, size, version, .. } = self;
        let [study, question, version] = [study, question, version].map(|text| markdown::escape(text));
        write!(f, "# {study}\n\n{question}\n\nThe {size} size, by {version}.")?;
        if let Some(source) = &self.source {
            write!(f, " Published in: {}.", markdown::escape(source))?;
        }
        write!(f, "\n\n{}", block(self))?;
        if Ladder::new(&self.lines).is_some() {
            write!(f, "\n![win rate over CPU-seconds per game]({DRAWING})\n\n{}", self.table())?;
        }
        rules(self).iter().try_for_each(|rule| write!(f, "\n{rule}"))
    }
}

#[derive(Default, schemars::JsonSchema, Serialize)]
pub struct Results {
    pub studies: Vec<Ran>,
    /// Studies that cannot run here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
}

/// A study that cannot run here.
#[derive(schemars::JsonSchema, Serialize)]
pub struct LeftOut {
    pub study: String,
    pub reason: String,
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct Ran {
    pub folder: String,
    #[serde(flatten)]
    pub summary: Summary,
}

/// A line for each study: its finding in a few words.
impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = output::width(0, self.studies.iter().map(|ran| &ran.summary.study));
        for Ran { summary, .. } in &self.studies {
            writeln!(f, "{:<width$}  {}", summary.study, found(summary))?;
        }
        write!(f, "{} studies", self.studies.len())?;
        for same in self.left_out.chunk_by(|one, two| one.reason == two.reason) {
            let names: Vec<&str> = same.iter().map(|left_out| left_out.study.as_str()).collect();
            write!(f, "\nLeft out: {}: {}", names.join(", "), same[0].reason)?;
        }
        Ok(())
    }
}

/// The most figures that the end of a run prints.
const MOST: usize = 8;

/// The finding of a run with its tables of the literature, and its first figures.
impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { study, size, question, lines, .. } = &self.summary;
        let shown = &lines[..lines.len().min(MOST)];
        let width = output::width(0, shown.iter().map(|line| &line.part));
        write!(f, "{study} ({size}): {question}\n{}.", found(&self.summary))?;
        let tables = tables(study, lines);
        tables
            .iter()
            .filter(|_| tables.len() > 1)
            .try_for_each(|table| write!(f, "\n  {}: {}", table.name, table.sentence))?;
        for line in shown {
            let [part, figure, measured, published, verdict] = line.cells();
            write!(f, "\n  {part:<width$}  {figure:<12}  {measured}")?;
            match &line.published {
                Some(own) if !own.is_of_literature() => write!(f, "   earlier {published}   {verdict}")?,
                Some(_) => write!(f, "   published {published}")?,
                None => {}
            }
        }
        if lines.len() > MOST {
            write!(f, "\n  {} more figures", lines.len() - MOST)?;
        }
        let folder = shell_word(&self.folder);
        write!(f, "\nThe summary is in {}. All figures: tilewright experiment show {folder}", self.folder)
    }
}

#[cfg(test)]
mod tests {
    use super::super::summary::tests::sample;
    use super::*;

    #[test]
    fn results_end_in_one_line_a_study() {
        let ran = Ran { folder: "runs/x".into(), summary: sample() };
        let left_out =
            ["maven-turns", "maven-plays"].map(|study| LeftOut { study: study.into(), reason: "no polars".into() });
        let text = ran.to_string();
        assert!(text.contains("win rate: reproduced.\n  leave+pool  win rate"), "{text}");
        assert!(text.contains("published 51.04 % (50.90 to 51.18); a page\nThe summary is in runs/x."), "{text}");
        let results = Results { studies: vec![ran], left_out: left_out.into() }.to_string();
        let lines: Vec<&str> = results.lines().collect();
        assert_eq!(lines, ["unseen  win rate: reproduced", "1 studies", "Left out: maven-turns, maven-plays: no polars"]);
    }
}
