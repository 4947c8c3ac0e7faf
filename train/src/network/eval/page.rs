//! Details as a page.

use std::fmt::Write;

use super::Details;
use super::attribution::Attribution;
use super::calibration::Bin;
use super::sources::Source;

impl Details {
    /// The details as tables in Markdown, each below a heading of the second level.
    pub fn to_markdown(&self) -> String {
        let mut text = String::from("## What the correction foresees\n\n");
        text += "| points of | stage | signal, % of the variance | correlation | share of the signal, % |\n";
        text += "| --- | --- | ---: | ---: | ---: |\n";
        for Source { part, stage, signal, correlation, share } in &self.sources {
            let correlation = correlation.map_or("-".into(), |value| format!("{value:+.2}"));
            let share = share.map_or("-".into(), |share| format!("{:.1}", 100.0 * share));
            let _ = writeln!(text, "| {part} | {stage} | {:.1} | {correlation} | {share} |", 100.0 * signal);
        }
        text += "\n## Calibration\n\nGain over the mean of the set, in points, by predicted gain.\n\n";
        text += "| stage | candidates | predicted | simulated |\n| --- | ---: | ---: | ---: |\n";
        for stage in &self.calibration {
            for Bin { candidates, predicted, simulated, interval, .. } in &stage.bins {
                let name = &stage.stage;
                let _ = writeln!(text, "| {name} | {candidates} | {predicted:.2} | {simulated:.2} ± {interval:.2} |");
            }
        }
        text += "\n## What each input is worth\n\nHow much less of the variance is explained, in per cent, when the input is shuffled.\n\n";
        text += "| input | explained less, % |\n| --- | ---: |\n";
        for Attribution { input, fall } in &self.attributions {
            let _ = writeln!(text, "| `{input}` | {:.2} |", 100.0 * fall);
        }
        text
    }
}
