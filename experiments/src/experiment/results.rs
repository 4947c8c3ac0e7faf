//! The results of some studies, printed as each one is finished, and as one table at the end.

use std::fmt;

use serde::Serialize;

use super::summary::{Line, Summary, in_short};

#[derive(Default, Serialize)]
pub struct Results {
    pub studies: Vec<Ran>,
    /// Studies that cannot run here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
}

/// A study that cannot run here.
#[derive(Serialize)]
pub struct LeftOut {
    pub study: String,
    pub reason: String,
}

#[derive(Serialize)]
pub struct Ran {
    pub folder: String,
    #[serde(flatten)]
    pub summary: Summary,
}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of_study = |Ran { summary: Summary { study, lines, .. }, .. }: &Ran| {
            lines.iter().filter(|line| line.verdict.is_some()).map(|line| (study.clone(), line.clone())).collect::<Vec<_>>()
        };
        let lines: Vec<(String, Line)> = self.studies.iter().flat_map(of_study).collect();
        let rows = lines.iter().map(|(study, line)| {
            let [part, figure, cells @ ..] = line.cells();
            let [measured, published, verdict] = cells;
            [study.clone(), format!("{part}, {figure}"), measured, published, verdict]
        });
        let rows: Vec<[String; 5]> =
            [["study", "figure", "measured", "published", "verdict"].map(String::from)].into_iter().chain(rows).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
        let widths = [0, 1, 2, 3].map(width);
        for [study, figure, measured, published, verdict] in &rows {
            let [one, two, three, four] = widths;
            writeln!(f, "{study:<one$}  {figure:<two$}  {measured:<three$}  {published:<four$}  {verdict}")?;
        }
        let lines: Vec<Line> = lines.into_iter().map(|(_, line)| line).collect();
        write!(f, "Published figures of {} studies: {}", self.studies.len(), in_short(&lines))?;
        for same in self.left_out.chunk_by(|one, two| one.reason == two.reason) {
            let names: Vec<&str> = same.iter().map(|left_out| left_out.study.as_str()).collect();
            write!(f, "\nLeft out: {}: {}", names.join(", "), same[0].reason)?;
        }
        Ok(())
    }
}

impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { study, size, question, lines, .. } = &self.summary;
        let width = lines.iter().map(|line| line.part.chars().count()).max().unwrap_or_default();
        write!(f, "{study} ({size}): {question}")?;
        for line in lines {
            let cells = line.cells();
            let published = if cells[3].is_empty() { String::new() } else { format!("   published {}", cells[3]) };
            let verdict = line.verdict.map_or(String::new(), |verdict| format!("   {verdict}"));
            write!(f, "\n  {:<width$}  {:<12}  {}{published}{verdict}", cells[0], cells[1], cells[2])?;
        }
        write!(f, "\nThe summary is in {}.", self.folder)
    }
}

#[cfg(test)]
mod tests {
    use super::super::summary::tests::sample;
    use super::*;

    #[test]
    fn results_end_in_one_table() {
        let summary = sample();
        let ran = Ran { folder: "runs/x".into(), summary };
        let left_out =
            ["maven-turns", "maven-plays"].map(|study| LeftOut { study: study.into(), reason: "no polars".into() });
        assert!(ran.to_string().ends_with("a page   agrees\nThe summary is in runs/x."), "{ran}");
        let results = Results { studies: vec![ran], left_out: left_out.into() }.to_string();
        let lines: Vec<&str> = results.lines().collect();
        assert!(lines[1].starts_with("unseen  leave+pool, win rate  51.00 %") && lines[1].ends_with("agrees"), "{results}");
        assert_eq!(lines[2], "Published figures of 1 studies: agree: 1");
        assert_eq!(lines[3], "Left out: maven-turns, maven-plays: no polars");
    }
}
