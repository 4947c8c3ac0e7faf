//! `lexicon build`, `check`, `stats` and `export`: a word list and its word graph.

use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use tilewright_engine::lexicon::{EMBEDDED_NAME, Lexicon, kwg};
use tilewright_engine::tileset::{Style, TileSet};

use super::flags::{
    FormFlags, LexiconBuildArguments, LexiconCheckArguments, LexiconExportArguments, LexiconFormat, LexiconStatsArguments,
};
use crate::failure::{Failure, Input};
use crate::flags::CommonFlags;
use crate::loading;
use crate::output::{self, NewFile, say};

/// Loads the tile set and the lexicon. The verbs say themselves which lines were rejected.
fn load(flags: &CommonFlags, form: FormFlags) -> Result<(TileSet, Lexicon), Failure> {
    loading::start_threads(flags)?;
    let (tileset, layout) = loading::tileset_and_layout(flags.game.tileset_name())?;
    let lexicon = loading::lexicon_as(form.into(), &flags.game, &tileset, &layout)?;
    Ok((tileset, lexicon))
}

/// The word list as the user named it.
fn source(flags: &CommonFlags) -> &str {
    flags.game.lexicon.as_deref().unwrap_or(EMBEDDED_NAME)
}

/// `lexicon build`.
pub fn build(arguments: &LexiconBuildArguments) -> Result<(), Failure> {
    let format = arguments.out.as_deref().map(|path| format_of(path, arguments.format)).transpose()?;
    let out = NewFile::new(arguments.out.as_deref())?;
    let begun = Instant::now();
    let (tileset, lexicon) = load(&arguments.flags, arguments.form)?;
    say!("{} ({} tile set): {}", source(&arguments.flags), tileset.name(), lexicon.report);
    loading::warn_of_unused_letters(&lexicon, &tileset, &arguments.flags.game);
    let from = if lexicon.cached { "from the cache" } else { "built" };
    let graph = &lexicon.graph;
    say!(
        "word graph: {} nodes, {:.1} MB, {from} in {:.2} s",
        graph.nodes().len(),
        megabytes(graph.bytes()),
        begun.elapsed().as_secs_f64()
    );
    say!("hash: {}", lexicon.hash);
    format.map_or(Ok(()), |format| write(&tileset, &lexicon, format, out))
}

/// The format of an output file.
fn format_of(path: &Path, format: Option<LexiconFormat>) -> Result<LexiconFormat, Failure> {
    output::format_of(path, format, ".kwg or .txt", |extension| match extension {
        "kwg" => Some(LexiconFormat::Kwg),
        "txt" => Some(LexiconFormat::Txt),
        _ => None,
    })
}

fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}

/// `lexicon check`. The exit code is 1 if a word is invalid or the list has rejected lines.
pub fn check(arguments: &LexiconCheckArguments) -> Result<ExitCode, Failure> {
    let (mut text, out) = (String::new(), NewFile::new(arguments.out.as_deref())?);
    let (tileset, lexicon) = load(&arguments.flags, arguments.form)?;
    if arguments.words.is_empty() {
        output::show_text(&format!("{}: {}\n", source(&arguments.flags), lexicon.report), out)?;
        return Ok(ExitCode::from(u8::from(!lexicon.report.is_clean())));
    }
    loading::warn_of_rejected_lines(&lexicon, &arguments.flags.game);
    let mut all_valid = true;
    for word in &arguments.words {
        let tiles = tileset.parse(&word.to_uppercase(), Style::Greedy);
        let tiles = tiles.map_err(|bad| Failure::input(format!("word {word:?}, {bad} ({})", tileset.name())))?;
        let letters: Vec<u8> = tiles.iter().map(|tile| tile.letter()).collect();
        let valid = lexicon.graph.contains(&letters);
        all_valid &= valid;
        writeln!(text, "{} {}", tileset.show_all(&tiles), if valid { "valid" } else { "not valid" })?;
    }
    output::show_text(&text, out)?;
    Ok(ExitCode::from(u8::from(!all_valid)))
}

/// `lexicon stats`.
pub fn stats(arguments: &LexiconStatsArguments) -> Result<(), Failure> {
    let (mut text, out) = (String::new(), NewFile::new(arguments.out.as_deref())?);
    let (tileset, lexicon) = load(&arguments.flags, arguments.form)?;
    loading::warn_of_unused_letters(&lexicon, &tileset, &arguments.flags.game);
    let mut by_length = [0usize; 64];
    let mut by_letter = vec![0usize; tileset.kinds().len()];
    lexicon.graph.for_each_word(|word| {
        by_length[word.len()] += 1;
        for &letter in word {
            by_letter[letter as usize] += 1;
        }
    });
    writeln!(text, "{} ({} tile set): {}", source(&arguments.flags), tileset.name(), lexicon.report)?;
    writeln!(text, "word graph: {} nodes, {:.1} MB", lexicon.graph.nodes().len(), megabytes(lexicon.graph.bytes()))?;
    writeln!(text, "\ntiles    words")?;
    for (length, words) in by_length.iter().enumerate().filter(|(_, words)| **words > 0) {
        writeln!(text, "{length:>5} {words:>8}")?;
    }
    let letters: usize = by_letter.iter().sum();
    writeln!(text, "\nletter  in words  in bag  value")?;
    for (kind, &times) in tileset.kinds().iter().zip(&by_letter).skip(1) {
        let share = 100.0 * times as f64 / letters as f64;
        writeln!(text, "{:<6} {share:>8.2} %  {:>6} {:>6}", kind.label, kind.count, kind.value)?;
    }
    output::show_text(&text, out)
}

/// `lexicon export`.
pub fn export(arguments: &LexiconExportArguments) -> Result<(), Failure> {
    let format = format_of(&arguments.out, arguments.format)?;
    let out = NewFile::new(Some(&arguments.out))?;
    let (tileset, lexicon) = load(&arguments.flags, arguments.form)?;
    loading::warn_of_rejected_lines(&lexicon, &arguments.flags.game);
    write(&tileset, &lexicon, format, out)
}

fn write(tileset: &TileSet, lexicon: &Lexicon, format: LexiconFormat, out: NewFile<'_>) -> Result<(), Failure> {
    let bytes = match format {
        LexiconFormat::Kwg => kwg::write(&lexicon.graph).input()?,
        LexiconFormat::Txt => {
            let mut text = String::new();
            lexicon.graph.for_each_word(|word| {
                for &letter in word {
                    text += &tileset.kinds()[letter as usize].label;
                }
                text.push('\n');
            });
            text.into_bytes()
        }
    };
    let form = match format {
        LexiconFormat::Kwg => "as a word graph",
        LexiconFormat::Txt => "one per line",
    };
    out.export(bytes, format_args!("{} words, {form}", lexicon.words()))
}
