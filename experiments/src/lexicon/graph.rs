//! `lexicon build`, `check`, `stats`, `export`; `expand` has a file of its own.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use tilewright_engine::artefact::write_atomically;
use tilewright_engine::lexicon::{EMBEDDED_NAME, Lexicon, kwg};
use tilewright_engine::tileset::{Style, TileSet};

use super::flags::{
    LexiconArguments, LexiconBuildArguments, LexiconCheckArguments, LexiconExportArguments, LexiconFormat,
    LexiconStatsArguments,
};
use crate::failure::{Failure, Input};
use crate::folder::check_new_file;
use crate::loading;
use crate::output::{Page, say};

/// Loads as any verb does, but leaves it to the verb to tell the report.
fn load(arguments: &LexiconArguments) -> Result<(TileSet, Lexicon), Failure> {
    loading::set_threads(&arguments.run)?;
    let (tileset, layout) = loading::tileset_and_layout(arguments.game.tileset.as_deref().unwrap_or("english"))?;
    let lexicon = loading::lexicon(&arguments.game, &tileset, &layout, loading::cache_folder().as_deref())?;
    Ok((tileset, lexicon))
}

/// The word list as the user named it, so that its bad lines can be found.
fn source(arguments: &LexiconArguments) -> &str {
    arguments.game.lexicon.as_deref().unwrap_or(EMBEDDED_NAME)
}

/// `lexicon build`.
pub fn build(arguments: &LexiconBuildArguments) -> Result<(), Failure> {
    if let Some(out) = &arguments.out {
        check_new_file(out)?;
    }
    let begun = Instant::now();
    let (tileset, lexicon) = load(&arguments.lexicon)?;
    say!("{} ({} tile set): {}", source(&arguments.lexicon), tileset.name(), lexicon.report);
    let from = if lexicon.cached { "from the cache" } else { "built" };
    let graph = &lexicon.graph;
    say!(
        "word graph: {} nodes, {:.1} MB, {from} in {:.2} s",
        graph.nodes().len(),
        megabytes(graph.bytes()),
        begun.elapsed().as_secs_f64()
    );
    say!("hash: {}", lexicon.hash);
    if let Some(out) = &arguments.out {
        write(&tileset, &lexicon, arguments.format, out)?;
    }
    Ok(())
}

fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}

/// `lexicon check`: exit code 1 if a word is not valid or the list has bad lines.
pub fn check(arguments: &LexiconCheckArguments) -> Result<ExitCode, Failure> {
    let mut page = Page::new(arguments.out.as_deref())?;
    let (tileset, lexicon) = load(&arguments.lexicon)?;
    if arguments.words.is_empty() {
        page.line(format_args!("{}: {}", source(&arguments.lexicon), lexicon.report));
        page.finish()?;
        return Ok(ExitCode::from(u8::from(!lexicon.report.is_clean())));
    }
    let mut all_valid = true;
    for word in &arguments.words {
        let tiles = tileset.parse(&word.to_uppercase(), Style::Greedy);
        let tiles = tiles.map_err(|bad| Failure::input(format!("word {word:?}, {bad} ({})", tileset.name())))?;
        let letters: Vec<u8> = tiles.iter().map(|tile| tile.letter()).collect();
        let valid = lexicon.graph.contains(&letters);
        all_valid &= valid;
        page.line(format_args!("{} {}", tileset.show_all(&tiles), if valid { "valid" } else { "not valid" }));
    }
    page.finish()?;
    Ok(ExitCode::from(u8::from(!all_valid)))
}

/// `lexicon stats`.
pub fn stats(arguments: &LexiconStatsArguments) -> Result<(), Failure> {
    let mut page = Page::new(arguments.out.as_deref())?;
    let (tileset, lexicon) = load(&arguments.lexicon)?;
    let mut by_length = [0usize; 64];
    let mut by_letter = vec![0usize; tileset.kinds().len()];
    lexicon.graph.for_each_word(|word| {
        by_length[word.len()] += 1;
        for &letter in word {
            by_letter[letter as usize] += 1;
        }
    });
    page.line(format_args!("{} ({} tile set): {}", source(&arguments.lexicon), tileset.name(), lexicon.report));
    page.line(format_args!("word graph: {} nodes, {:.1} MB", lexicon.graph.nodes().len(), megabytes(lexicon.graph.bytes())));
    page.line(format_args!("\ntiles    words"));
    for (length, words) in by_length.iter().enumerate().filter(|(_, words)| **words > 0) {
        page.line(format_args!("{length:>5} {words:>8}"));
    }
    let letters: usize = by_letter.iter().sum();
    page.line(format_args!("\nletter  in words  in bag  value"));
    for (kind, &times) in tileset.kinds().iter().zip(&by_letter).skip(1) {
        let share = 100.0 * times as f64 / letters as f64;
        page.line(format_args!("{:<6} {share:>8.2} %  {:>6} {:>6}", kind.label, kind.count, kind.value));
    }
    page.finish()
}

/// `lexicon export`.
pub fn export(arguments: &LexiconExportArguments) -> Result<(), Failure> {
    check_new_file(&arguments.out)?;
    let (tileset, lexicon) = load(&arguments.lexicon)?;
    write(&tileset, &lexicon, arguments.format, &arguments.out)
}

fn write(tileset: &TileSet, lexicon: &Lexicon, format: LexiconFormat, out: &Path) -> Result<(), Failure> {
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
    write_atomically(out, &bytes)?;
    say!("{}: {} words, {:.1} MB", out.display(), lexicon.words(), megabytes(bytes.len()));
    Ok(())
}
