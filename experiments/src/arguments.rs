//! What can be asked for. The comments on fields are the texts of `--help`.

#![allow(clippy::doc_markdown)]

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use tilewright_engine::lexicon::EMBEDDED_NAME;
use tilewright_engine::pre_endgame::MOST_BAG;
use tilewright_train::leaves::budget::Budget;
use tilewright_train::leaves::shards::Part;

/// The tile set that needs no flag.
pub const DEFAULT_TILESET: &str = "english";

/// Trains and tests learned evaluators for crossword board games.
#[derive(Debug, Parser)]
#[command(name = "tilewright", version, about, max_term_width = 110)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Word lists and word graphs
    #[command(subcommand)]
    Lexicon(LexiconVerb),
    /// The best moves of a position
    Moves(MovesArguments),
    /// The endgame of a position, calculated to its end
    Solve(SolveArguments),
    /// Play games and record every turn as Parquet
    Selfplay(SelfplayArguments),
    /// Leave tables: train, inspect, compare, export
    #[command(subcommand)]
    Leaves(LeavesVerb),
    /// How often a lead wins: train, score, inspect, export
    #[command(subcommand)]
    WinPercentage(WinPercentageVerb),
    /// A paired match between two players
    Match(MatchArguments),
    /// Simulate the best moves of a position
    Simulate(SimulateArguments),
    /// How fast this machine plays: games, turns, moves and playouts a CPU-second
    Bench(BenchArguments),
}

/// What a game is played with.
#[derive(Clone, Debug, Args)]
pub struct GameArguments {
    /// Word list: enable2k (embedded), or a .txt, .txt.gz or .kwg file
    #[arg(long, value_name = "NAME|FILE")]
    pub lexicon: Option<String>,
    /// Tile set: english, french, german, spanish, polish, dutch, norwegian, swedish, catalan, english_super, or a TOML file
    #[arg(long, value_name = "NAME|FILE")]
    pub tileset: Option<String>,
    /// Use tables made for another lexicon
    #[arg(long)]
    pub accept_other_lexicon: bool,
    /// No progress and no warnings
    #[arg(long, short)]
    pub quiet: bool,
}

impl GameArguments {
    /// The flags that ask for the same game, as a command that is suggested needs them: a space before each, nothing for what
    /// is the default anyway.
    pub fn repeated(&self) -> String {
        let mut flags = String::new();
        for (flag, name, default) in
            [("--lexicon", &self.lexicon, EMBEDDED_NAME), ("--tileset", &self.tileset, DEFAULT_TILESET)]
        {
            if let Some(name) = name.as_deref().filter(|&name| name != default) {
                flags += &format!(" {flag} {}", shell_word(name));
            }
        }
        if self.accept_other_lexicon {
            flags += " --accept-other-lexicon";
        }
        flags
    }
}

/// A name as a shell reads it back: in quotes if it holds anything that a shell might take for its own.
pub fn shell_word(name: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "-_./:,+=@%".contains(character);
    if !name.is_empty() && name.chars().all(is_plain) { name.into() } else { format!("'{}'", name.replace('\'', "'\\''")) }
}

/// How words are found.
#[derive(Clone, Debug, Args)]
pub struct SearchArguments {
    /// Find words without the word map: less memory, a fraction of the speed, the same moves
    #[arg(long)]
    pub no_word_map: bool,
}

/// How work is run.
#[derive(Clone, Debug, Args)]
pub struct RunArguments {
    /// Every random draw comes from it
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Threads to use; the result does not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// Verbs on word lists.
#[derive(Debug, Subcommand)]
pub enum LexiconVerb {
    /// Build the word graph, tell what was left out, and keep the graph for the next start
    Build(LexiconBuildArguments),
    /// Say whether words are valid; without words, check the list itself. Exit code 1 if something is not
    Check(LexiconCheckArguments),
    /// Words by length, letters, size of the graph
    Stats(LexiconStatsArguments),
    /// Write the word graph for other tools
    Export(LexiconExportArguments),
    /// Make a word list of a hunspell dictionary and of lists of other kinds
    Expand(LexiconExpandArguments),
}

/// A lexicon and nothing else.
#[derive(Debug, Args)]
pub struct LexiconArguments {
    /// What to look at.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
}

/// `lexicon build`.
#[derive(Debug, Args)]
pub struct LexiconBuildArguments {
    /// What to build.
    #[command(flatten)]
    pub lexicon: LexiconArguments,
    /// The form to write to --out
    #[arg(long, value_enum, default_value = "kwg", requires = "out")]
    pub format: LexiconFormat,
    /// Also write the lexicon to this file, for other tools; never overwritten
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `lexicon check`.
#[derive(Debug, Args)]
pub struct LexiconCheckArguments {
    /// What to check against.
    #[command(flatten)]
    pub lexicon: LexiconArguments,
    /// Words to look up
    pub words: Vec<String>,
    /// Also write what is printed to this file; never overwritten
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `lexicon stats`.
#[derive(Debug, Args)]
pub struct LexiconStatsArguments {
    /// What to count.
    #[command(flatten)]
    pub lexicon: LexiconArguments,
    /// Also write what is printed to this file; never overwritten
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `lexicon export`.
#[derive(Debug, Args)]
pub struct LexiconExportArguments {
    /// What to export.
    #[command(flatten)]
    pub lexicon: LexiconArguments,
    /// The form to write
    #[arg(long, value_enum, default_value = "kwg")]
    pub format: LexiconFormat,
    /// The file to write; never overwritten
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// `lexicon expand`.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("source").args(["dictionary", "words"]).multiple(true).required(true))]
pub struct LexiconExpandArguments {
    /// Tile set that must spell the words: a name or a TOML file
    #[arg(long, value_name = "NAME|FILE")]
    pub tileset: String,
    /// Hunspell dictionary, whose words are expanded
    #[arg(long, value_name = "FILE.dic")]
    pub dictionary: Option<PathBuf>,
    /// Its affixes [default: the .aff file beside it]
    #[arg(long, value_name = "FILE.aff", requires = "dictionary")]
    pub affixes: Option<PathBuf>,
    /// Affixes of the dictionary to make no words with, by their flags
    #[arg(long, value_name = "FLAGS", requires = "dictionary")]
    pub leave_out_affixes: Option<String>,
    /// Leave out Spanish verb forms with these pronouns behind them, such as me,te,se,lo
    #[arg(long, value_name = "PRONOUNS", value_delimiter = ',')]
    pub leave_out_enclitics: Vec<String>,
    /// Keep capitalised words whose stem has this flag, as common nouns, and those of plain lists that the dictionary does not
    /// have; without it all are left out as proper nouns
    #[arg(long, value_name = "FLAG", requires = "dictionary")]
    pub noun_flag: Option<String>,
    /// Plain list of words, one a line; may be given several times
    #[arg(long, value_name = "FILE")]
    pub words: Vec<PathBuf>,
    /// Encoding of the plain lists, such as ISO8859-2; a dictionary names its own
    #[arg(long, value_name = "NAME", default_value = "UTF-8")]
    pub encoding: String,
    /// Spell letters that the tile set lacks with those that it has: É as E, Œ as OE. Without it their words are left out
    #[arg(long)]
    pub fold_letters: bool,
    /// Leave out words without a vowel, as the tile set marks them: abbreviations, and interjections such as PST
    #[arg(long)]
    pub need_vowel: bool,
    /// The list to write, gzipped if it is called .gz; never overwritten. Without it only the counts are told
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Forms of a lexicon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LexiconFormat {
    /// The word graph of wolges, Macondo and MAGPIE
    Kwg,
    /// One word a line
    Txt,
}

/// `moves`.
#[derive(Debug, Args)]
pub struct MovesArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// The rack; ? is a blank. Overrides the rack of --cgp
    #[arg(long, value_name = "TILES")]
    pub rack: Option<String>,
    /// The position in CGP; an empty board without it
    #[arg(long, value_name = "CGP")]
    pub cgp: Option<String>,
    /// Who judges: greedy, leave, leave:PATH, leave+pool+late:PATH, … [default: leave where the embedded table fits, else greedy]
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
    /// Moves to show
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    pub top: u32,
    /// Also write them as JSON; never overwritten
    #[arg(long, alias = "out", value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// `solve`.
#[derive(Debug, Args)]
pub struct SolveArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// The position in CGP, with the rack of the player to move, the scores and the scoreless turns
    #[arg(long, value_name = "CGP")]
    pub cgp: String,
    /// The rack of the player to move; ? is a blank. Overrides the rack of --cgp
    #[arg(long, value_name = "TILES")]
    pub rack: Option<String>,
    /// With tiles in the bag: who screens the candidates, and moves until the bag is empty where a candidate leaves tiles in it
    /// [default: leave where the embedded table fits, else greedy]
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
    /// With tiles in the bag: candidates to show
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    pub top: u32,
    /// Find out who wins, and look no farther
    #[arg(long, conflicts_with = "fast")]
    pub first_win: bool,
    /// Look at so many positions at most, and tell the best so far and its bounds
    #[arg(long, value_name = "N", conflicts_with = "fast", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Take so many seconds at most, and tell the best so far and its bounds
    #[arg(long, value_name = "SECONDS", conflicts_with = "fast", value_parser = seconds)]
    pub time: Option<f64>,
    /// Estimate the value and the chance to win at a glance, as simulations do
    #[arg(long)]
    pub fast: bool,
    /// Take any board: tiles that are not joined, words that are not in the lexicon
    #[arg(long)]
    pub any_board: bool,
    /// Also write the answer as JSON; never overwritten
    #[arg(long, alias = "out", value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// `selfplay`.
#[derive(Debug, Args)]
pub struct SelfplayArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// How to find words.
    #[command(flatten)]
    pub search: SearchArguments,
    /// Games to play
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub games: u64,
    /// Who plays both sides: greedy, leave, leave:PATH, leave+pool+late:PATH, … [default: leave where the embedded table fits,
    /// else greedy]
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
    /// The folder for the records [default: a new one in runs]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Verbs on leave tables.
#[derive(Debug, Subcommand)]
pub enum LeavesVerb {
    /// Train a leave table from nothing
    Train(LeavesTrainArguments),
    /// Say by games whether a table is better than another, or than none
    Evaluate(LeavesEvaluateArguments),
    /// Values, support and intervals of leaves
    Show(LeavesShowArguments),
    /// One HTML page of a table: values, synergies, support, warnings, and a search
    Report(LeavesReportArguments),
    /// How far two tables differ
    Diff(LeavesDiffArguments),
    /// Write a table as .klv2 or .csv
    Export(LeavesExportArguments),
}

/// `leaves train`.
#[derive(Debug, Args)]
pub struct LeavesTrainArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// How to find words.
    #[command(flatten)]
    pub search: SearchArguments,
    /// A config to start from; the other flags override it [default: configs/leaves/default.toml]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// How much work: CPU time such as 90s, 5m or 2h, games=N or boards=N; the generations keep their shares of it
    #[arg(long, value_name = "BUDGET")]
    pub budget: Option<Budget>,
    /// Make only shards K, K + N, … of the last generation, and stop: one machine's part of N
    #[arg(long, value_name = "K/N", value_parser = part)]
    pub part: Option<Part>,
    /// Pairs of the closing match against no leaves; 0 for none
    #[arg(long, value_name = "N")]
    pub match_pairs: Option<u64>,
    /// The folder for the table and its report; started again there, the run goes on [default: a new one in runs]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// `leaves evaluate`.
#[derive(Debug, Args)]
pub struct LeavesEvaluateArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// How to find words.
    #[command(flatten)]
    pub search: SearchArguments,
    /// The table: an artefact folder, a .klv2 or a .csv
    #[arg(value_name = "TABLE")]
    pub table: String,
    /// What it has to beat: greedy, which has no leave values, leave, which has the embedded table, or another table
    #[arg(long, value_name = "TABLE|PLAYER", default_value = "greedy")]
    pub against: String,
    /// The most pairs of games; the test nearly always ends far sooner
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub pairs: u64,
    /// Play until one win rate of the table is believed over the other, in percent
    #[arg(long, visible_alias = "sprt", value_name = "H0:H1", default_value = "50:51", value_parser = read_hypotheses)]
    pub sequential: Hypotheses,
    /// How sure to be.
    #[command(flatten)]
    pub rates: ErrorRates,
    /// Also write the figures as JSON; never overwritten
    #[arg(long, alias = "out", value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// `leaves show`.
#[derive(Debug, Args)]
pub struct LeavesShowArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// Leaves to show; ? is a blank
    #[arg(required = true)]
    pub leaves: Vec<String>,
    /// The table: an artefact folder, a .klv2 or a .csv [default: the newest artefact in runs, else the embedded table]
    #[arg(long, value_name = "PATH")]
    pub table: Option<PathBuf>,
    /// Also write what is printed to this file; never overwritten
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `leaves report`.
#[derive(Debug, Args)]
pub struct LeavesReportArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// The table: an artefact folder, a .klv2 or a .csv [default: the newest artefact in runs, else the embedded table]
    pub table: Option<PathBuf>,
    /// The page to write; never overwritten [default: beside the table, with its name; leaves-report.html for the embedded one]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `leaves diff`.
#[derive(Debug, Args)]
pub struct LeavesDiffArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// The one table: an artefact folder, a .klv2 or a .csv
    pub a: PathBuf,
    /// The other
    pub b: PathBuf,
    /// Largest differences to show
    #[arg(long, value_name = "N", default_value_t = 15)]
    pub top: usize,
    /// Also write what is printed to this file; never overwritten
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `leaves export`.
#[derive(Debug, Args)]
pub struct LeavesExportArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// The table: an artefact folder, a .klv2 or a .csv
    pub table: PathBuf,
    /// The form to write [default: by the name of --out]
    #[arg(long, value_enum)]
    pub format: Option<LeavesFormat>,
    /// The file to write; never overwritten
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Forms of a leave table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LeavesFormat {
    /// The format of wolges, Macondo and MAGPIE
    Klv2,
    /// LEAVE,VALUE a line
    Csv,
}

/// Verbs on win tables.
#[derive(Debug, Subcommand)]
pub enum WinPercentageVerb {
    /// Train a network of the chance of winning from self-play, and make its table
    Train(WinPercentageTrainArguments),
    /// Score tables on games that none of them saw
    Eval(WinPercentageEvalArguments),
    /// Chances by lead and tiles left
    Show(WinPercentageShowArguments),
    /// Write a table for other tools: Macondo's .csv or MAGPIE's .txt
    Export(WinPercentageExportArguments),
}

/// `win-percentage train`.
#[derive(Debug, Args)]
pub struct WinPercentageTrainArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// How to find words.
    #[command(flatten)]
    pub search: SearchArguments,
    /// A config to start from; the other flags override it [default: configs/win-percentage/default.toml]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Self-play games to learn from
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// Games to score the tables on
    #[arg(long, value_name = "N")]
    pub held_out_games: Option<u64>,
    /// Who plays both sides, a static player [default: leave where the embedded table fits, else greedy]
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
    /// The folder for the table and its report; started again there, the run goes on [default: a new one in runs]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// `win-percentage eval`.
#[derive(Debug, Args)]
pub struct WinPercentageEvalArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// How to find words.
    #[command(flatten)]
    pub search: SearchArguments,
    /// Tables, the first of which is compared with the others: artefact folders, files of this or other tools (Macondo, MAGPIE,
    /// Quackle), embedded, or scaled (from the tile set alone) [default: embedded, scaled]
    #[arg(value_name = "TABLE")]
    pub tables: Vec<String>,
    /// Self-play games to score them on
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(2..=1_000_000_000))]
    pub games: u64,
    /// Who plays both sides, a static player [default: leave where the embedded table fits, else greedy]
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
    /// Keep the games in this folder as they are played, and take those that are there
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// Also write the figures as JSON; never overwritten
    #[arg(long, alias = "out", value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// `win-percentage show`.
#[derive(Debug, Args)]
pub struct WinPercentageShowArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// The table: an artefact folder, a file of this or another tool, embedded, or scaled [default: embedded]
    #[arg(value_name = "TABLE")]
    pub table: Option<String>,
    /// Also write what is printed to this file; never overwritten
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `win-percentage export`.
#[derive(Debug, Args)]
pub struct WinPercentageExportArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// The table: an artefact folder, a file of this or another tool, embedded, or scaled
    #[arg(value_name = "TABLE")]
    pub table: String,
    /// The form to write [default: macondo for a .csv, magpie for a .txt]
    #[arg(long, value_enum)]
    pub format: Option<WinPercentageFormat>,
    /// The file to write, gzipped if it is called .gz; never overwritten
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Forms of a win table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WinPercentageFormat {
    /// CSV by spread and unseen tiles
    Macondo,
    /// Counts of wins by unseen tiles and spread
    Magpie,
    /// This project's own: in full, by bag and both racks
    Full,
}

/// `match`.
#[derive(Debug, Args)]
pub struct MatchArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// How to find words.
    #[command(flatten)]
    pub search: SearchArguments,
    /// The player whose view the figures take: greedy, leave (the embedded table), leave:PATH; leave+pool values leaves for the
    /// unseen tiles, leave+late for few tiles in the bag, leave+pool+late for both
    #[arg(long, value_name = "PLAYER")]
    pub player_a: String,
    /// The other player
    #[arg(long, value_name = "PLAYER")]
    pub player_b: String,
    /// Pairs of games, with --sequential the most of them; the two games of a pair share their deal and swap the seats
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub pairs: u64,
    /// Stop as soon as one win rate of player A, in percent, is believed over the other (a sequential probability ratio test of
    /// the pairs); 50:51 without a value
    #[arg(
        long,
        visible_alias = "sprt",
        value_name = "H0:H1",
        num_args = 0..=1,
        default_missing_value = "50:51",
        value_parser = read_hypotheses
    )]
    pub sequential: Option<Hypotheses>,
    /// How sure to be.
    #[command(flatten)]
    pub rates: ErrorRates,
    /// Also write the figures as JSON; never overwritten
    #[arg(long, alias = "out", value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// The two win rates of a sequential test, 0–1; the first is the lower.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypotheses {
    /// Of the null hypothesis.
    pub h0: f64,
    /// Of the alternative.
    pub h1: f64,
}

/// How often the sequential test may be wrong.
#[derive(Clone, Debug, Args)]
pub struct ErrorRates {
    /// How often the sequential test may accept H1 though H0 is true [default: 0.05]
    #[arg(long, value_name = "PROBABILITY", value_parser = read_error_rate)]
    pub alpha: Option<f64>,
    /// How often it may accept H0 though H1 is true [default: 0.05]
    #[arg(long, value_name = "PROBABILITY", value_parser = read_error_rate)]
    pub beta: Option<f64>,
}

/// Reads `50:51`.
fn read_hypotheses(text: &str) -> Result<Hypotheses, String> {
    let rates = text.split_once(':').and_then(|(h0, h1)| Some((h0.trim().parse().ok()?, h1.trim().parse().ok()?)));
    let Some((h0, h1)): Option<(f64, f64)> = rates else {
        return Err("two win rates in percent with a colon between them, as in 50:51".into());
    };
    if h1 <= 1.0 {
        return Err("win rates are in percent, as in 50:51".into());
    }
    if !(0.0 < h0 && h0 < h1 && h1 < 100.0) {
        return Err(
            "the lower win rate comes first, both between 0 and 100 percent; to ask the opposite, change the players over"
                .into(),
        );
    }
    Ok(Hypotheses { h0: h0 / 100.0, h1: h1 / 100.0 })
}

/// Reads `0.05`.
fn read_error_rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|&rate: &f64| 0.0 < rate && rate < 0.5);
    rate.ok_or_else(|| "a probability above 0 and below 0.5, as in 0.05".into())
}

/// `simulate`.
#[derive(Debug, Args)]
pub struct SimulateArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// How to find words.
    #[command(flatten)]
    pub search: SearchArguments,
    /// The rack; ? is a blank. Overrides the rack of --cgp
    #[arg(long, value_name = "TILES")]
    pub rack: Option<String>,
    /// The position in CGP; an empty board without it. Tiles that it gives the opponent are dealt to that rack every time
    #[arg(long, value_name = "CGP")]
    pub cgp: Option<String>,
    /// Who ranks the candidates: greedy, leave, leave:PATH, … [default: leave where the embedded table fits, else greedy]
    #[arg(long, value_name = "PLAYER")]
    pub ranker: Option<String>,
    /// Who plays the replies, a static player [default: the ranker]
    #[arg(long, value_name = "PLAYER")]
    pub policy: Option<String>,
    /// The win table: an artefact folder or a file [default: the embedded one, or one scaled to the tile set]
    #[arg(long, value_name = "PATH")]
    pub win_percentage: Option<PathBuf>,
    /// Moves to try
    #[arg(long, value_name = "N", default_value_t = 15)]
    pub candidates: usize,
    /// Replies of a playout; 2 are one of each side
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub plies: usize,
    /// Deals that each candidate is tried on at most [default: 1000; with --time as many as there is time for]
    #[arg(long, value_name = "N")]
    pub iterations: Option<u64>,
    /// The opponent's last play, which is on the board of --cgp, as in "8D FA(C)Es": that rack is then dealt as the play suggests
    #[arg(long, value_name = "PLAY", requires = "cgp")]
    pub last_move: Option<String>,
    /// Seconds to spend; the result then depends on the machine and cannot be reproduced
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<f64>,
    /// How sure to be that the best candidate is not among those that are dropped as beaten; 1 drops none
    #[arg(long, value_name = "PROBABILITY", default_value_t = 0.99)]
    pub confidence: f64,
    /// What the best is best by
    #[arg(long, value_enum, default_value = "win")]
    pub utility: UtilityName,
    /// Also write the table as JSON; never overwritten
    #[arg(long, alias = "out", value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// What candidates are ranked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UtilityName {
    /// The chance to win; where it is the same, the spread
    Win,
    /// The spread
    Spread,
}

/// `bench`.
#[derive(Debug, Args)]
pub struct BenchArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// How to find words.
    #[command(flatten)]
    pub search: SearchArguments,
    /// Who plays: greedy, leave, leave:PATH, leave+pool+late:PATH, …
    #[arg(long, value_name = "PLAYER", default_value = "greedy")]
    pub player: String,
    /// How often each is measured; the table has the best and the median
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeats: u32,
    /// Instead, solve so many endgames of its games from the moment that the bag is empty, and tell what they cost and how
    /// far off the fast evaluator and a static play-out are
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub endgames: Option<u64>,
    /// With --endgames: positions with so many tiles in the bag, calculated as pre-endgames; tells what they cost, and how often the
    /// chosen moves win beside the static ones
    #[arg(long, value_name = "TILES", requires = "endgames", default_value_t = 0, value_parser = bag_tiles)]
    pub bag: u64,
    /// Also write the table as JSON; never overwritten
    #[arg(long, alias = "out", value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// Tiles that a bag may hold in a pre-endgame, or none.
fn bag_tiles(text: &str) -> Result<u64, String> {
    let tiles = text.parse().ok().filter(|&tiles| tiles <= MOST_BAG as u64);
    tiles.ok_or_else(|| format!("a number from 0 to {MOST_BAG}"))
}

/// Seconds, more than none and fewer than a year.
fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("{text:?} is no number"))?;
    if seconds > 0.0 && seconds < 3e7 { Ok(seconds) } else { Err("it must be more than 0 and less than 30000000".into()) }
}

/// `K/N` as one part of several.
fn part(text: &str) -> Result<Part, String> {
    let read = || {
        let (number, of) = text.split_once('/')?;
        let (number, of): (u64, u64) = (number.parse().ok()?, of.parse().ok()?);
        (1..=of).contains(&number).then(|| Part { index: number - 1, of })
    };
    read().ok_or_else(|| "a part is K/N with K from 1 to N, such as 2/3".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_repeated_as_a_shell_reads_it() {
        let mut game = GameArguments {
            lexicon: Some("enable2k".into()),
            tileset: Some("english".into()),
            accept_other_lexicon: false,
            quiet: true,
        };
        assert_eq!(game.repeated(), "");
        game.lexicon = Some("my words/it's.txt".into());
        (game.tileset, game.accept_other_lexicon) = (Some("spanish".into()), true);
        assert_eq!(game.repeated(), r" --lexicon 'my words/it'\''s.txt' --tileset spanish --accept-other-lexicon");
        assert_eq!([shell_word("leave:añil.csv"), shell_word("$a"), shell_word("")], ["leave:añil.csv", "'$a'", "''"]);
    }
}
