//! The course of a run: TD errors and weights by games, as `course.csv` in its artefact and as tables.
//!
//! ```text
//! games,error,,?,A,…            the names of the weights; that of the constant is empty
//! 500,31.2047,-0.4120,9.1033,…  a line per snapshot, in points
//! ```
//!
//! The weights belong to all linear terms, or for a network to its state values.

use tilewright_engine::{Artefact, Monitor};

use super::batches::{NAMES, STATE, Snapshot, State};
use super::config::TdConfig;
use super::learner::Learner;
use super::network::NetworkLearner;
use crate::journal::{JournalError, StoredRun};
use crate::parquet_file::TableError;
use crate::schema::Cell::{Double, Int64, Text};
use crate::schema::{Schema, Table, double, int64, text};

/// The file name, next to the payloads that play.
pub const COURSE_FILE: &str = "course.csv";

/// The columns of the snapshots.
pub const SNAPSHOTS_SCHEMA: Schema = Schema {
    name: "td_snapshots",
    row: "a snapshot of a TD run",
    fields: &[
        int64("games", "games learned from").unit("games"),
        double("td_error", "root mean square of the TD errors of the last batch").unit("points"),
    ],
};

/// The columns of the weights.
pub const WEIGHTS_SCHEMA: Schema = Schema {
    name: "td_weights",
    row: "a weight at a snapshot of a TD run",
    fields: &[
        int64("games", "games learned from").unit("games"),
        text("term", "what has the weight: a tile pattern such as E, EE or QU, the name of a feature, or a term of a network's state value; empty \
             for the constant"),
        double("weight", "the weight, for a feature of its usual size; a leave is worth the weights of all patterns in it, so that of EE is what a \
             second E adds to the first").unit("points").view("player who keeps the tiles or moves"),
    ],
};

/// The course of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// The names of the weights. The constant has an empty name.
    pub names: Vec<String>,
    /// The snapshots by games, at least one. Each has a weight for every name.
    pub snapshots: Vec<Snapshot>,
}

impl Course {
    /// Reads the course of an artefact, or `None` if it holds no course.
    ///
    /// # Errors
    /// [`TableError`] if it cannot be read, or does not have the expected form.
    pub fn read(artefact: &Artefact) -> Result<Option<Course>, TableError> {
        if !artefact.has(COURSE_FILE) {
            return Ok(None);
        }
        let text = String::from_utf8(artefact.payload(COURSE_FILE)?).map_err(|error| error.to_string());
        let course = text.and_then(|text| Course::from_text(&text));
        let damaged = |reason| format!("{reason}; the artefact is damaged, make it again");
        course.map(Some).map_err(|reason| TableError::Content { path: artefact.path(COURSE_FILE), reason: damaged(reason) })
    }

    /// The course so far of a run with this config that goes on or was stopped, or `None` before its first batch.
    ///
    /// # Errors
    /// [`JournalError`] if a work file cannot be read.
    pub fn so_far(run: &StoredRun, config: &TdConfig, monitor: &dyn Monitor) -> Result<Option<Course>, JournalError> {
        let snapshots = if config.network.is_some() {
            run.read::<State<NetworkLearner>>(STATE, "", monitor)?.map(|state| state.snapshots)
        } else {
            run.read::<State<Learner>>(STATE, "", monitor)?.map(|state| state.snapshots)
        };
        let course = run.read(NAMES, "", monitor)?.zip(snapshots);
        Ok(course.map(|(names, snapshots)| Course { names, snapshots }).filter(Course::is_whole))
    }

    /// Whether there is a snapshot, and each has a weight for every name, all of them numbers.
    fn is_whole(&self) -> bool {
        let is_good = |Snapshot { error, weights, .. }: &Snapshot| {
            weights.len() == self.names.len() && weights.iter().chain([error]).all(|number| number.is_finite())
        };
        !self.snapshots.is_empty() && self.snapshots.iter().all(is_good)
    }

    /// The course that the text of a file holds.
    ///
    /// # Errors
    /// The number of the bad line, and the expected content.
    pub fn from_text(text: &str) -> Result<Course, String> {
        let mut lines = text.lines();
        let mut heads = lines.next().unwrap_or_default().split(',');
        if (heads.next(), heads.next()) != (Some("games"), Some("error")) {
            return Err("line 1: expected games,error and the names of the weights".into());
        }
        let names: Vec<String> = heads.map(String::from).collect();
        if let Some(name) = names.iter().find(|name| name.contains(char::is_control)) {
            return Err(format!("line 1: {name:?} is no name of a weight"));
        }
        let snapshot = |(number, line): (usize, &str)| {
            snapshot(line, names.len())
                .ok_or_else(|| format!("line {number}: {line:?}; expected games and {} numbers", names.len() + 1))
        };
        let snapshots: Vec<Snapshot> = (2..).zip(lines).map(snapshot).collect::<Result<_, _>>()?;
        if snapshots.is_empty() { Err("line 2: expected a snapshot".into()) } else { Ok(Course { names, snapshots }) }
    }

    /// The text of the file, with four decimals.
    pub fn to_text(&self) -> String {
        let names: String = self.names.iter().map(|name| format!(",{name}")).collect();
        let mut text = format!("games,error{names}\n");
        for Snapshot { games, error, weights } in &self.snapshots {
            let weights: String = weights.iter().map(|weight| format!(",{weight:.4}")).collect();
            text += &format!("{games},{error:.4}{weights}\n");
        }
        text
    }

    /// The snapshots and the weights, by games and in the order of the names.
    pub fn tables(&self) -> [Table; 2] {
        let [mut snapshots, mut weights] = [&SNAPSHOTS_SCHEMA, &WEIGHTS_SCHEMA].map(Table::new);
        for snapshot in &self.snapshots {
            let games = || ("games", Int64(snapshot.games as i64));
            snapshots.add([games(), ("td_error", Double(snapshot.error))]);
            for (term, &weight) in self.names.iter().zip(&snapshot.weights) {
                weights.add([games(), ("term", Text(term.clone())), ("weight", Double(weight))]);
            }
        }
        [snapshots, weights]
    }
}

fn snapshot(line: &str, weights: usize) -> Option<Snapshot> {
    let mut cells = line.split(',');
    let games = cells.next()?.parse().ok()?;
    let mut numbers: Vec<f64> = cells.map(str::parse).collect::<Result<_, _>>().ok()?;
    (numbers.len() == weights + 1 && numbers.iter().all(|number| number.is_finite())).then(|| Snapshot {
        games,
        error: numbers.remove(0),
        weights: numbers,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parquet_file::Column;

    #[test]
    fn a_course_reads_back_and_becomes_tables() {
        let snapshots = [(10, 5.5, [0.0, 0.0]), (20, 5.25, [3.0, -4.0])].map(|(games, error, weights)| Snapshot {
            games,
            error,
            weights: weights.to_vec(),
        });
        let course = Course { names: vec![String::new(), "A".into()], snapshots: snapshots.to_vec() };
        let text = course.to_text();
        assert_eq!(text, "games,error,,A\n10,5.5000,0.0000,0.0000\n20,5.2500,3.0000,-4.0000\n");
        assert_eq!(Course::from_text(&text).unwrap(), course);
        let [snapshots, weights] = course.tables();
        assert_eq!(snapshots.columns[0].1, Column::Int64(vec![10, 20]));
        let wanted = [
            ("games", Column::Int64(vec![10, 10, 20, 20])),
            ("term", Column::Text(["", "A", "", "A"].map(String::from).to_vec())),
            ("weight", Column::Double(vec![0.0, 0.0, 3.0, -4.0])),
        ];
        assert_eq!(weights.columns, wanted.map(|(name, column)| (name.to_string(), column)));
        for table in [snapshots, weights] {
            table.schema.fields_of(&table.columns).unwrap();
        }
    }

    #[test]
    fn a_damaged_line_is_named() {
        let damaged = [
            ("", "line 1"),
            ("games\n", "line 1"),
            ("games,error,\r\r\n1,2,3\n", "line 1: \"\\r\" is no name of a weight"),
            ("games,error,A\n", "line 2: expected a snapshot"),
            ("games,error,A\n1,2\n", "line 2: \"1,2\"; expected games and 2 numbers"),
            ("games,error,A\n1,2,3\n1,2,x\n", "line 3: \"1,2,x\""),
            ("games,error,A\n1.5,2,3\n", "line 2"),
            ("games,error,A\n1,2,inf\n", "line 2"),
            ("games,error,A\n1,NaN,3\n", "line 2"),
        ];
        for (text, part) in damaged {
            let reason = Course::from_text(text).unwrap_err();
            assert!(reason.starts_with(part), "{reason}");
        }
    }
}
