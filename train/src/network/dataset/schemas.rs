//! The columns of the tables.

use crate::schema::{Field, Schema, Type, field};

const MOVER: &str = "player to move";

/// Columns of several tables.
const POSITIONS: Field = field(
    "positions",
    Type::Text,
    "",
    "",
    "with_bag: turns with tiles in the bag, which the network itself is for; empty_bag: turns without, for the network of the endgame",
);
const STAGE: Field = field(
    "stage",
    Type::Text,
    "",
    "",
    "stage of the game by the tiles in the bag: early, middle or late; all for all of them together",
);
const PART: Field = field(
    "part",
    Type::Text,
    "",
    "",
    "what is foreseen: gain, win, reply (points of the opponent's next turn) or next_turn (points of the own next turn)",
);
const SETS: Field = field("sets", Type::Int64, "candidate sets", "", "held-out candidate sets");
const SIGNAL: Field = field(
    "signal",
    Type::Double,
    "share of the variance",
    "",
    "how much of the variance of the labels beyond score and prior is no noise of the deals",
);
const EXPLAINED: Field = field(
    "explained",
    Type::Double,
    "share of the variance",
    "",
    "how much of that variance, noise included, is explained; below 0 if zero explains more",
);
const OF_SIGNAL: Field =
    field("explained_of_signal", Type::Double, "share of the signal", "", "explained over signal; NaN without a signal");
const GAIN: Field = field(
    "gain",
    Type::Double,
    "points per turn",
    MOVER,
    "what the choice of the evaluator gains over the best move by static equity, in simulation",
);
const GAIN_ERROR: Field = field("gain_error", Type::Double, "points per turn", "", "standard error of gain");
const WIN_GAIN: Field = field("win_gain", Type::Double, "win probability per turn", MOVER, "the same as a win probability");
const WIN_GAIN_ERROR: Field =
    field("win_gain_error", Type::Double, "win probability per turn", "", "standard error of win_gain");

/// What evaluators explain of held-out games, by stage.
pub const EXPLAINED_SCHEMA: Schema = Schema {
    name: "network_explained",
    row: "a stage of held-out games, as one evaluator explains it",
    fields: &[
        POSITIONS,
        field(
            "evaluator",
            Type::Text,
            "",
            "",
            "network, linear_fit (fitted to the sets that the network was trained on) or skip_connection (the network without its layers)",
        ),
        STAGE,
        SETS,
        SIGNAL,
        EXPLAINED,
        OF_SIGNAL,
        GAIN,
        GAIN_ERROR,
        WIN_GAIN,
        WIN_GAIN_ERROR,
    ],
};

/// What auxiliary heads explain of held-out games.
pub const HEADS_SCHEMA: Schema = Schema {
    name: "network_heads",
    row: "an auxiliary head on held-out games",
    fields: &[
        POSITIONS,
        PART,
        field("share", Type::Double, "", "", "its share of the gradient, relative to the network's own output"),
        SIGNAL,
        field(
            "explained_by_linear_fit",
            Type::Double,
            "share of the variance",
            "",
            "how much of that variance a linear fit to the same labels explains",
        ),
        field(
            "explained",
            Type::Double,
            "share of the variance",
            "",
            "how much of that variance the linear fit and the head explain",
        ),
    ],
};

/// The epochs of the training.
pub const EPOCHS_SCHEMA: Schema = Schema {
    name: "network_epochs",
    row: "a pass over the training sets",
    fields: &[
        POSITIONS,
        field("epoch", Type::Int64, "", "", "number of the pass, from 1"),
        field(
            "error",
            Type::Double,
            "",
            "",
            "mean square error of the training sets during the pass, over that of the skip connection",
        ),
        field(
            "explained",
            Type::Double,
            "share of the variance",
            "",
            "how much of the variance of the validation labels beyond score and prior is explained after the pass",
        ),
        field(
            "explained_of_signal",
            Type::Double,
            "share of the signal",
            "",
            "the same over the signal of these labels; NaN without a signal",
        ),
        field("pairs", Type::Int64, "pairs", "", "pairs of the match after the pass; 0 if there was none"),
        field("win_rate", Type::Double, "0 to 1", "network", "win rate in that match; NaN without a match"),
        field("win_rate_low", Type::Double, "0 to 1", "network", "lower end of its 95 % interval"),
        field("win_rate_high", Type::Double, "0 to 1", "network", "upper end of its 95 % interval"),
        field("spread", Type::Double, "points per game", "network", "spread in that match; NaN without a match"),
        field("spread_low", Type::Double, "points per game", "network", "lower end of its 95 % interval"),
        field("spread_high", Type::Double, "points per game", "network", "upper end of its 95 % interval"),
    ],
};

/// The learning curve.
pub const LEARNING_CURVE_SCHEMA: Schema = Schema {
    name: "network_learning_curve",
    row: "a network that was trained on some of the candidate sets, on all held-out games",
    fields: &[
        field("training_sets", Type::Int64, "candidate sets", "", "candidate sets that its layers were trained on"),
        SETS,
        SIGNAL,
        EXPLAINED,
        OF_SIGNAL,
        GAIN,
        GAIN_ERROR,
        WIN_GAIN,
        WIN_GAIN_ERROR,
    ],
};

/// Which part of the future the network foresees.
pub const SOURCES_SCHEMA: Schema = Schema {
    name: "network_sources",
    row: "a part of the future in a stage of held-out games",
    fields: &[
        PART,
        STAGE,
        field(
            "signal",
            Type::Double,
            "share of the variance",
            "",
            "how much of the variance of the part among the moves of a turn is no noise of the deals",
        ),
        field(
            "correlation",
            Type::Double,
            "−1 to 1",
            "",
            "of the part with what the network adds to score and prior; noise may take it beyond 1; NaN without a signal",
        ),
        field("explained_of_signal", Type::Double, "share of the signal", "", "its square; NaN without a signal"),
    ],
};

/// Simulated gains by predicted gain.
pub const CALIBRATION_SCHEMA: Schema = Schema {
    name: "network_calibration",
    row: "a tenth of the held-out candidates of a stage, by predicted gain",
    fields: &[
        STAGE,
        field("bin", Type::Int64, "", "", "number of the tenth, from 1 for the lowest predictions"),
        field("candidates", Type::Int64, "candidates", "", "candidates in it"),
        field("predicted", Type::Double, "points", MOVER, "mean prediction, less the mean of the moves of each turn"),
        field(
            "target",
            Type::Double,
            "points",
            MOVER,
            "mean target, which mixes gain and win probability as the network learned them, less that mean",
        ),
        field("simulated", Type::Double, "points", MOVER, "mean simulated gain, less that mean"),
        field("simulated_low", Type::Double, "points", MOVER, "lower end of its 95 % interval"),
        field("simulated_high", Type::Double, "points", MOVER, "upper end of its 95 % interval"),
    ],
};

/// What each input is worth.
pub const INPUTS_SCHEMA: Schema = Schema {
    name: "network_inputs",
    row: "an input of the network",
    fields: &[
        field(
            "input",
            Type::Text,
            "",
            "",
            "the feature, or score, leave_tiles, unseen_tiles or board; the counts of all kinds of tiles are one input",
        ),
        field(
            "fall",
            Type::Double,
            "share of the variance",
            "",
            "how much less of the variance is explained on held-out games when the input is shuffled among the candidates",
        ),
    ],
};
