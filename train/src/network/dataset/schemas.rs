//! The columns of the tables.

use crate::schema::{Field, Schema, double, int64, text};

/// All tables, in the order of the data dictionary.
pub const SCHEMAS: &[&Schema] = &[
    &EXPLAINED_SCHEMA,
    &HEADS_SCHEMA,
    &EPOCHS_SCHEMA,
    &LEARNING_CURVE_SCHEMA,
    &SOURCES_SCHEMA,
    &CALIBRATION_SCHEMA,
    &INPUTS_SCHEMA,
];

const MOVER: &str = "player to move";

/// Columns of tables of figures.
const STAGE: Field =
    text("stage", "stage of the game by the tiles in the bag: early, middle or late; all for all of them together");
const PART: Field = text(
    "part",
    "what is foreseen: gain, win, reply (points of the opponent's next turn) or next_turn (points of the own next turn)",
);
const SETS: Field = int64("sets", "held-out candidate sets").unit("candidate sets");
const SIGNAL: Field =
    double("signal", "how much of the variance of the labels beyond score and prior is no noise of the deals")
        .unit("share of the variance");
const EXPLAINED: Field =
    double("explained", "how much of that variance, noise included, is explained; below 0 if zero explains more")
        .unit("share of the variance");
const OF_SIGNAL: Field =
    double("explained_of_signal", "explained over signal; NaN without a signal").unit("share of the signal");
const GAIN: Field =
    double("gain", "what the choice of the evaluator gains over the best move by static equity, in simulation")
        .unit("points per turn")
        .view(MOVER);
const GAIN_ERROR: Field = double("gain_error", "standard error of gain").unit("points per turn");
const WIN_GAIN: Field = double("win_gain", "the same as a win probability").unit("win probability per turn").view(MOVER);
const WIN_GAIN_ERROR: Field = double("win_gain_error", "standard error of win_gain").unit("win probability per turn");
const EVALUATOR: Field = text(
    "evaluator",
    "network, linear_fit (fitted to the sets that the network was trained on) or skip_connection (the network without its layers)",
);
const TRAINING_SETS: Field = int64("training_sets", "candidate sets that its layers were trained on").unit("candidate sets");

/// The explained shares of evaluators on held-out games, by stage.
pub const EXPLAINED_SCHEMA: Schema = Schema {
    name: "network_explained",
    row: "a stage of held-out games, as one evaluator explains it",
    fields: &[EVALUATOR, STAGE, SETS, SIGNAL, EXPLAINED, OF_SIGNAL, GAIN, GAIN_ERROR, WIN_GAIN, WIN_GAIN_ERROR],
};

/// The explained shares of auxiliary heads on held-out games.
pub const HEADS_SCHEMA: Schema = Schema {
    name: "network_heads",
    row: "an auxiliary head on held-out games",
    fields: &[
        PART,
        double("share", "its share of the gradient, relative to the network's own output"),
        SIGNAL,
        double("explained_by_linear_fit", "how much of that variance a linear fit to the same labels explains")
            .unit("share of the variance"),
        double("explained", "how much of that variance the linear fit and the head explain").unit("share of the variance"),
    ],
};

/// The epochs of the training.
pub const EPOCHS_SCHEMA: Schema = Schema {
    name: "network_epochs",
    row: "a pass over the training sets",
    fields: &[
        int64("epoch", "number of the pass, from 1"),
        double("error", "mean square error of the training sets during the pass, over that of the skip connection"),
        double(
            "explained",
            "how much of the variance of the validation labels beyond score and prior is explained after the pass",
        )
        .unit("share of the variance"),
        double("explained_of_signal", "the same over the signal of these labels; NaN without a signal")
            .unit("share of the signal"),
        int64("pairs", "pairs of the match after the pass; 0 if there was none").unit("pairs"),
        double("win_rate", "win rate in that match; NaN without a match").unit("0 to 1").view("network"),
        double("win_rate_low", "lower end of its 95 % interval").unit("0 to 1").view("network"),
        double("win_rate_high", "upper end of its 95 % interval").unit("0 to 1").view("network"),
        double("spread", "spread in that match; NaN without a match").unit("points per game").view("network"),
        double("spread_low", "lower end of its 95 % interval").unit("points per game").view("network"),
        double("spread_high", "upper end of its 95 % interval").unit("points per game").view("network"),
    ],
};

/// The learning curve.
pub const LEARNING_CURVE_SCHEMA: Schema = Schema {
    name: "network_learning_curve",
    row: "a network that was trained on some of the candidate sets, on all held-out games",
    fields: &[TRAINING_SETS, SETS, SIGNAL, EXPLAINED, OF_SIGNAL, GAIN, GAIN_ERROR, WIN_GAIN, WIN_GAIN_ERROR],
};

/// Which part of the future the network foresees.
pub const SOURCES_SCHEMA: Schema = Schema {
    name: "network_sources",
    row: "a part of the future in a stage of held-out games",
    fields: &[
        PART,
        STAGE,
        double("signal", "how much of the variance of the part among the moves of a turn is no noise of the deals")
            .unit("share of the variance"),
        double(
            "correlation",
            "of the part with what the network adds to score and prior; noise may take it beyond 1; NaN without a signal",
        )
        .unit("−1 to 1"),
        double("explained_of_signal", "its square; NaN without a signal").unit("share of the signal"),
    ],
};

/// Simulated gains by predicted gain.
pub const CALIBRATION_SCHEMA: Schema = Schema {
    name: "network_calibration",
    row: "a tenth of the held-out candidates of a stage, by predicted gain",
    fields: &[
        STAGE,
        int64("bin", "number of the tenth, from 1 for the lowest predictions"),
        int64("candidates", "candidates in it").unit("candidates"),
        double("predicted", "mean prediction, less the mean of the moves of each turn").unit("points").view(MOVER),
        double("target", "mean target, which mixes gain and win probability as the network learned them, less that mean")
            .unit("points")
            .view(MOVER),
        double("simulated", "mean simulated gain, less that mean").unit("points").view(MOVER),
        double("simulated_low", "lower end of its 95 % interval").unit("points").view(MOVER),
        double("simulated_high", "upper end of its 95 % interval").unit("points").view(MOVER),
    ],
};

/// The importance of each input.
pub const INPUTS_SCHEMA: Schema = Schema {
    name: "network_inputs",
    row: "an input of the network",
    fields: &[
        text(
            "input",
            "the feature, or score, leave_tiles, unseen_tiles or board; the counts of all kinds of tiles are one input",
        ),
        double(
            "fall",
            "how much less of the variance is explained on held-out games when the input is shuffled among the candidates",
        )
        .unit("share of the variance"),
    ],
};
