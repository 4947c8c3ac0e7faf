//! The verbs, a module each.

use std::process::ExitCode;

use crate::arguments::{Arguments, LeavesVerb, LexiconVerb, Verb, WinPercentageVerb};
use crate::failure::Failure;
use crate::progress;

mod bench;
mod bench_endgames;
mod bench_features;
mod bench_pre_endgames;
mod evolve;
mod leaves;
mod lexicon;
mod match_series;
mod moves;
mod selfplay;
mod serve;
mod simulate;
mod solve;
mod td;
mod win_percentage;

/// Does what was asked for.
///
/// # Errors
/// [`Failure`], which knows its exit code.
pub fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    progress::catch_interrupts();
    match arguments.verb {
        Verb::Lexicon(LexiconVerb::Build(arguments)) => lexicon::build(&arguments),
        Verb::Lexicon(LexiconVerb::Check(arguments)) => return lexicon::check(&arguments),
        Verb::Lexicon(LexiconVerb::Stats(arguments)) => lexicon::stats(&arguments),
        Verb::Lexicon(LexiconVerb::Export(arguments)) => lexicon::export(&arguments),
        Verb::Lexicon(LexiconVerb::Expand(arguments)) => lexicon::expand::run(&arguments),
        Verb::Solve(arguments) => solve::run(&arguments),
        Verb::Moves(arguments) => moves::run(&arguments),
        Verb::Selfplay(arguments) => selfplay::run(&arguments),
        Verb::Leaves(LeavesVerb::Train(arguments)) => leaves::train::run(&arguments),
        Verb::Leaves(LeavesVerb::Evaluate(arguments)) => leaves::evaluate::run(&arguments),
        Verb::Leaves(LeavesVerb::Show(arguments)) => leaves::inspect::show(&arguments),
        Verb::Leaves(LeavesVerb::Report(arguments)) => leaves::report::run(&arguments),
        Verb::Leaves(LeavesVerb::Diff(arguments)) => leaves::inspect::diff(&arguments),
        Verb::Leaves(LeavesVerb::Export(arguments)) => leaves::inspect::export(&arguments),
        Verb::Simulate(arguments) => simulate::run(&arguments),
        Verb::WinPercentage(WinPercentageVerb::Train(arguments)) => win_percentage::train::run(&arguments),
        Verb::WinPercentage(WinPercentageVerb::Eval(arguments)) => win_percentage::evaluate::run(&arguments),
        Verb::WinPercentage(WinPercentageVerb::Show(arguments)) => win_percentage::inspect::show(&arguments),
        Verb::WinPercentage(WinPercentageVerb::Export(arguments)) => win_percentage::inspect::export(&arguments),
        Verb::Evolve(arguments) => evolve::run(&arguments),
        Verb::Td(arguments) => td::run(&arguments),
        Verb::Bench(arguments) => bench::run(&arguments),
        Verb::Match(arguments) => match_series::run(&arguments),
        Verb::Serve(arguments) => serve::run(&arguments),
    }?;
    Ok(ExitCode::SUCCESS)
}
