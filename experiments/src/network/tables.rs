//! The tables of `network eval`.

use tilewright_train::network::eval::NetworkEvaluation;
use tilewright_train::network::eval::calibration::Bin;

use crate::fitting::ExplanationTable;
use crate::output::say;

pub fn print_evaluation(evaluation: &NetworkEvaluation) {
    say!("network");
    say!("{}", ExplanationTable(&evaluation.network));
    say!("skip connection alone");
    say!("{}", ExplanationTable(&evaluation.skip));
    say!("what the correction foresees");
    say!("{:10} {:8} {:>8} {:>12} {:>16}", "points of", "stage", "signal", "correlation", "share of signal");
    let number = |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:+.2}"));
    for one in &evaluation.details.sources {
        let share = one.share.map_or("-".into(), |share| format!("{:.1} %", 100.0 * share));
        let (signal, correlation) = (100.0 * one.signal, number(one.correlation));
        say!("{:10} {:8} {signal:>6.1} % {correlation:>12} {share:>16}", one.part, one.stage);
    }
    say!("gain over the mean of the set, in points, by predicted gain");
    say!("{:8} {:>10} {:>10} {:>10}   95 %", "stage", "candidates", "predicted", "simulated");
    for one in &evaluation.details.calibration {
        for bin in &one.bins {
            let Bin { candidates, predicted, simulated, interval, .. } = bin;
            say!("{:8} {candidates:>10} {predicted:>10.2} {simulated:>10.2} ± {interval:.2}", one.stage);
        }
    }
    say!("{:26} what it explains less when the input is shuffled", "input");
    for one in &evaluation.details.attributions {
        say!("{:26} {:>6.2} %", one.input, 100.0 * one.fall);
    }
    if let Some(endgame) = &evaluation.endgame {
        say!("network for turns with an empty bag");
        say!("{}", ExplanationTable(&endgame.network));
        say!("its skip connection alone");
        say!("{}", ExplanationTable(&endgame.skip));
    }
}
