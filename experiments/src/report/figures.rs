//! The key figures of a run as data. The header of its page, its row in an index and comparisons show the same list.

use maud::{Markup, Render, html};
use serde::Serialize;
use tilewright_engine::series::Estimate;

use super::html::{grouped, signed};
use crate::Number;

/// A key figure.
#[derive(Clone, Debug, schemars::JsonSchema, Serialize)]
pub struct KeyFigure {
    /// The name, with the unit unless that is percent.
    pub name: String,
    /// The value. The ends of its 95 % interval are null if they are not known.
    pub value: Estimate,
    /// `%` or empty.
    pub unit: &'static str,
    /// A remark, or empty.
    pub note: String,
    /// None for a count.
    #[serde(skip)]
    decimals: Option<usize>,
    #[serde(skip)]
    is_signed: bool,
}

/// A value without an interval.
pub fn certain(mean: f64) -> Estimate {
    Estimate { mean, low: f64::NAN, high: f64::NAN }
}

impl KeyFigure {
    pub fn count(name: impl Into<String>, count: u64) -> KeyFigure {
        KeyFigure { decimals: None, ..KeyFigure::number(name, count as f64, 0) }
    }

    pub fn number(name: impl Into<String>, value: f64, decimals: usize) -> KeyFigure {
        KeyFigure::estimate(name, certain(value), decimals)
    }

    pub fn estimate(name: impl Into<String>, value: Estimate, decimals: usize) -> KeyFigure {
        let (name, note, decimals) = (name.into(), String::new(), Some(decimals));
        KeyFigure { name, value, unit: "", note, decimals, is_signed: false }
    }

    /// A share of 0–1, in percent.
    pub fn percent(name: impl Into<String>, share: Estimate, decimals: usize) -> KeyFigure {
        KeyFigure { unit: "%", ..KeyFigure::estimate(name, share.times(100.0), decimals) }
    }

    /// The figure with a sign.
    #[must_use]
    pub fn signed(self) -> KeyFigure {
        KeyFigure { is_signed: true, ..self }
    }

    #[must_use]
    pub fn note(self, note: impl Into<String>) -> KeyFigure {
        KeyFigure { note: note.into(), ..self }
    }

    /// The difference between two values of this figure.
    pub fn difference(&self, value: Estimate) -> KeyFigure {
        let unit = if self.unit == "%" { "percentage points" } else { self.unit };
        KeyFigure { value, unit, is_signed: true, ..self.clone() }
    }

    pub fn is_count(&self) -> bool {
        self.decimals.is_none()
    }

    fn text_of(&self, value: f64) -> String {
        match self.decimals {
            None => grouped(value as u64),
            Some(decimals) if self.is_signed => signed(value, decimals),
            Some(decimals) => format!("{:.decimals$}", Number(value)).replace('-', "−"),
        }
    }

    /// The value, such as `54.20 %`.
    pub fn shown(&self) -> String {
        format!("{} {}", self.text_of(self.value.mean), self.unit).trim_end().into()
    }

    /// The ends of the interval in words, if they are known.
    pub fn interval(&self) -> Option<String> {
        let Estimate { low, high, .. } = self.value;
        (!self.value.half_width().is_nan()).then(|| format!("{} to {}", self.text_of(low), self.text_of(high)))
    }

    /// The value with its interval, such as `54.20 % (51.10 to 57.30)`.
    pub fn shown_with_interval(&self) -> String {
        self.shown() + &self.interval().map_or(String::new(), |interval| format!(" ({interval})"))
    }
}

impl Render for KeyFigure {
    /// An entry of a header: name, value, and a note, which may be empty.
    fn render(&self) -> Markup {
        let interval = self.interval().map(|interval| format!("95 %: {interval}"));
        let note: Vec<String> = interval.into_iter().chain([self.note.clone()]).filter(|part| !part.is_empty()).collect();
        html! { div {
            dt { (self.name) }
            dd.key { (self.shown()) }
            @if !note.is_empty() { dd { (note.join(", ")) } }
        } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_shown_in_its_form() {
        let rate = KeyFigure::percent("win rate", Estimate { mean: 0.542, low: 0.511, high: 0.573 }, 2);
        assert_eq!(rate.shown_with_interval(), "54.20 % (51.10 to 57.30)");
        let spread = KeyFigure::estimate("spread", Estimate::normal(-3.0, 1.0), 1).signed();
        assert_eq!(spread.shown_with_interval(), "−3.0 (−5.0 to −1.0)");
        assert_eq!(
            [KeyFigure::count("games", 1200), KeyFigure::number("error", -0.04, 1)].map(|f| f.shown()),
            ["1,200", "0.0"]
        );
        let endless = KeyFigure::estimate("Elo", Estimate { mean: 300.0, low: 200.0, high: f64::INFINITY }, 0).signed();
        assert_eq!(endless.shown_with_interval(), "+300 (+200 to +∞)");
    }

    #[test]
    fn texts_of_a_figure_are_escaped() {
        let shown = KeyFigure::percent("<b>", Estimate::normal(0.5, 0.1), 0).note("<i>").render().0;
        assert_eq!(shown, "<div><dt>&lt;b&gt;</dt><dd class=\"key\">50 %</dd><dd>95 %: 30 to 70, &lt;i&gt;</dd></div>");
    }
}
