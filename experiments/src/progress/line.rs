//! The texts of progress reports, as functions of the state of the work.

use std::time::Duration;

use indicatif::HumanDuration;

/// The widest bar, and the narrowest that is shown, in characters with its brackets.
const BAR: [usize; 2] = [32, 12];
/// The fewest characters to which a name or a note is cut.
const LEAST: usize = 6;

/// The known state of a stage of the work.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// The name of the stage.
    pub what: String,
    /// Units done.
    pub done: u64,
    /// Units of the stage, at most. 0 if unknown.
    pub units: u64,
    /// The number of units that is expected, if the stage may end before its last one.
    pub expected: Option<u64>,
    /// The name of the units.
    pub unit: &'static str,
    /// The intermediate result, or nothing.
    pub note: String,
    /// Time since the stage began.
    pub elapsed: Duration,
    /// Time of the stages before it, for a run that knows the work ahead, and the share that was done when they ended.
    pub before: (Duration, f64),
    /// Units per second, if known.
    pub speed: Option<f64>,
    /// The work that follows the stage, in multiples of the stage. NaN if unknown.
    pub ahead: f64,
}

impl View {
    fn counts(&self) -> String {
        match (self.units, self.done) {
            (0, 0) => HumanDuration(self.elapsed).to_string(),
            (0, done) => format!("{done} {}", self.unit),
            (units, done) => format!("{done}/{units} {}", self.unit),
        }
    }

    /// The speed, or the time that has passed if the speed is unknown.
    fn speed_in_words(&self) -> String {
        match self.speed {
            Some(speed) => format!("{speed:.1} per second"),
            None if self.units == 0 && self.done == 0 => String::new(),
            None => HumanDuration(self.elapsed).to_string(),
        }
    }

    /// The time left for the run, or for the stage if the work ahead is unknown.
    fn left(&self) -> Option<Duration> {
        let left = self.expected.unwrap_or(self.units).saturating_sub(self.done) as f64;
        let ahead = if self.ahead.is_nan() { 0.0 } else { self.ahead * self.units as f64 };
        Duration::try_from_secs_f64((left + ahead) / self.speed.unwrap_or_default()).ok().filter(|_| self.units > 0)
    }

    fn left_in_words(&self) -> String {
        let about = if self.expected.is_some() || self.ahead > 0.0 { "about " } else { "" };
        self.left().map_or(String::new(), |left| format!("{about}{} left", HumanDuration(left)))
    }

    /// The share that is done: of the time of the run if the work ahead is known, otherwise of the units of the stage.
    pub fn share(&self) -> f64 {
        if self.ahead.is_nan() {
            return (self.done as f64 / self.units.max(1) as f64).min(1.0);
        }
        let (time, least) = (self.before.0 + self.elapsed, self.before.1);
        self.left().map_or(least, |left| time.div_duration_f64(time + left).max(least))
    }

    /// The line for a terminal of this width: the bar, the counts and the rest, as far as they fit. Live parts stay longest:
    /// counts, then note, time left, name of the stage, speed and bar.
    pub fn on_terminal(&self, width: usize) -> String {
        let mut room = Room(width.saturating_sub(1));
        let counts = room.take(self.counts(), 0, Some(1));
        let note = room.take(self.note.clone(), 2, Some(LEAST));
        let left = room.take(self.left_in_words(), 2, None);
        let what = room.take(self.what.clone(), 2, Some(LEAST));
        let speed = room.take(self.speed_in_words(), 2, None);
        let bar = room.take(self.bar(BAR[0].min(room.0.saturating_sub(1))), 1, None);
        let parts: Vec<String> = [counts, speed, left, note].into_iter().filter(|part| !part.is_empty()).collect();
        let head = match (what.as_str(), bar.as_str()) {
            ("", bar) => bar.to_string(),
            (what, "") => format!("{what}:"),
            (what, bar) => format!("{what} {bar}"),
        };
        format!("{head} {}", parts.join(", ")).trim_start().to_string()
    }

    /// The bar with this many characters. Empty if they are too few.
    fn bar(&self, width: usize) -> String {
        if self.units == 0 && self.ahead.is_nan() || width < BAR[1] {
            return String::new();
        }
        let inner = width - 2;
        let full = (inner as f64 * self.share()) as usize;
        let head = if full < inner { ">" } else { "" };
        format!("[{}{head}{}]", "=".repeat(full), " ".repeat(inner - full - head.len()))
    }

    /// The line for a log. `idle` is the time since the line before if no unit was finished since.
    pub fn in_log(&self, idle: Option<Duration>) -> String {
        let mut parts = vec![self.counts()];
        match idle.filter(|_| self.units > 0) {
            Some(_) if self.done == 0 => parts.push(format!("none finished after {}", HumanDuration(self.elapsed))),
            Some(idle) => {
                parts.push(HumanDuration(self.elapsed).to_string());
                parts.push(format!("none finished for {}", HumanDuration(idle)));
            }
            None => parts.push(self.speed_in_words()),
        }
        parts.push(self.left_in_words());
        parts.push(self.note.clone());
        parts.retain(|part| !part.is_empty());
        format!("{}: {}", self.what, parts.join(", "))
    }
}

/// The characters of a line that are still free.
struct Room(usize);

impl Room {
    /// The text if it fits with `extra` characters around it. Otherwise the part that fits, from `least` on, or nothing.
    fn take(&mut self, text: String, extra: usize, least: Option<usize>) -> String {
        let (wanted, room) = (text.chars().count(), self.0.saturating_sub(extra));
        let text = match least {
            _ if wanted == 0 => return text,
            _ if wanted <= room => text,
            Some(least) if room >= least => cut(&text, room),
            _ => return String::new(),
        };
        self.0 -= text.chars().count() + extra;
        text
    }
}

/// The first characters of a text, with a mark that some are missing.
fn cut(text: &str, width: usize) -> String {
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// The time between two lines in a log, by the age of the run. At the start a line comes within two seconds, and a long run
/// fills no file. A line comes at this time whether or not a unit was finished.
pub fn line_interval(age: Duration) -> Duration {
    let steps = [(2, 2), (5, 3), (10, 5), (30, 10)];
    let step = steps.into_iter().find(|&(until, _)| age < Duration::from_secs(until));
    Duration::from_secs(step.map_or(30, |(_, seconds)| seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTE: &str = "51.23 % ± 0.41, LLR +1.20 (-2.94 to +2.94)";

    fn view() -> View {
        View {
            what: "generation 3 of 6 (last error 0.412): playing games".into(),
            done: 1024,
            units: 50_000,
            expected: None,
            unit: "pairs",
            note: NOTE.into(),
            elapsed: Duration::from_secs(41),
            before: (Duration::ZERO, 0.0),
            speed: Some(25.0),
            ahead: 2.0,
        }
    }

    #[test]
    fn no_line_is_wider_than_the_terminal_and_the_live_figures_stay_longest() {
        let long = "x".repeat(300);
        for width in 0..260 {
            for note in ["", NOTE, &long] {
                for (units, done) in [(0, 0), (0, 7), (50_000, 0), (50_000, 1024), (50_000, 60_000)] {
                    for what in ["", "match", &long] {
                        let line = View { what: what.into(), done, units, note: note.into(), ..view() }.on_terminal(width);
                        assert!(line.chars().count() < width.max(1), "{width}: {line}");
                    }
                }
            }
        }
        let at = |width| view().on_terminal(width);
        assert_eq!(at(40), "1024/50000 pairs, 51.23 % ± 0.41, LLR…");
        let line = at(80);
        assert!(line.contains("1024/50000 pairs") && line.contains(NOTE), "{line}");
        let line = at(120);
        assert!(line.starts_with("generation 3 of 6") && line.contains("about 2 hours left"), "{line}");
        let line = at(200);
        for part in ["[", "25.0 per second", "about 2 hours left", NOTE] {
            assert!(line.contains(part), "{part}: {line}");
        }
    }

    #[test]
    fn the_bar_shows_the_share_that_is_done() {
        let stage = View { units: 10, ahead: f64::NAN, ..view() };
        let bar = |done| View { done, ..stage.clone() }.bar(12);
        assert_eq!([bar(0), bar(5), bar(10), bar(11)], ["[>         ]", "[=====>    ]", "[==========]", "[==========]"]);
        // Ten more units of the stage and twenty after it, at half a unit per second: a minute is left.
        let run = View { done: 0, ahead: 2.0, speed: Some(0.5), before: (Duration::from_secs(19), 0.2), ..stage };
        assert_eq!((run.left(), run.bar(12)), (Some(Duration::from_mins(1)), "[=====>    ]".into()));
        // A stage without units leaves the bar where it was.
        assert_eq!(View { units: 0, before: (Duration::ZERO, 0.7), ..run }.bar(12), "[=======>  ]");
    }

    #[test]
    fn a_log_line_says_how_long_no_unit_was_finished() {
        let idle = Some(Duration::from_secs(12));
        assert_eq!(
            View { what: "match".into(), done: 3, units: 100, speed: None, note: String::new(), ..view() }.in_log(idle),
            "match: 3/100 pairs, 41 seconds, none finished for 12 seconds"
        );
        assert_eq!(
            View { what: "match".into(), done: 0, units: 100, speed: None, note: String::new(), ..view() }.in_log(idle),
            "match: 0/100 pairs, none finished after 41 seconds"
        );
        assert_eq!(
            View { what: "reading words".into(), done: 0, units: 0, speed: None, note: String::new(), ..view() }
                .in_log(idle),
            "reading words: 41 seconds"
        );
        assert_eq!(
            View { what: "match".into(), ahead: f64::NAN, ..view() }.in_log(None),
            format!("match: 1024/50000 pairs, 25.0 per second, 33 minutes left, {NOTE}")
        );
    }

    #[test]
    fn a_stage_that_may_end_early_states_the_expected_time() {
        let line =
            View { what: "match".into(), expected: Some(2524), ahead: f64::NAN, note: String::new(), ..view() }.in_log(None);
        assert_eq!(line, "match: 1024/50000 pairs, 25.0 per second, about 60 seconds left");
    }

    #[test]
    fn lines_come_within_two_seconds_and_then_less_often() {
        let mut age = Duration::ZERO;
        let mut lines = Vec::new();
        for _ in 0..8 {
            age += line_interval(age);
            lines.push(age.as_secs());
        }
        assert_eq!(lines, [2, 5, 10, 20, 30, 60, 90, 120]);
    }
}
