//! The data of a run that only comparisons with other runs show.

/// The data of a run for comparisons, besides its key figures.
#[derive(Default)]
pub struct Compared {
    /// The figure that ranks runs of its kind, if one does.
    pub strength: Option<Strength>,
    /// The run as a player of the command line, or as a table of its verb.
    pub player: Option<String>,
    /// The flags of its game.
    pub game: String,
    /// The outcome in a few words, or empty.
    pub outcome: String,
    pub values: Vec<Values>,
    pub curves: Vec<Curve>,
}

/// A key figure that ranks runs if it was measured alike.
#[derive(Default)]
pub struct Strength {
    /// Its number among the key figures.
    pub figure: usize,
    pub is_less_better: bool,
    /// Equal texts stand for the same opponent and game.
    pub yardstick: String,
    /// The deals or held-out games. Equal texts stand for equal ones.
    pub deals: String,
    /// The half wins of each pair, if they are stored.
    pub half_wins: Vec<u8>,
    /// A sentence about the figure after a space, or empty.
    pub caveat: &'static str,
}

/// Values by name, for a table.
pub struct Values {
    pub title: &'static str,
    pub decimals: usize,
    pub rows: Vec<(String, f64)>,
}

/// A line of a chart.
pub struct Curve {
    pub caption: &'static str,
    pub across: &'static str,
    pub up: &'static str,
    pub points: Vec<(f64, f64)>,
}
