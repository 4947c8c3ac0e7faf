//! `lexicon build`, `check`, `stats` and `export`: a word list and its word graph.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use tilewright_engine::lexicon::{Lexicon, kwg};
use tilewright_engine::tileset::{Style, TileSet};

use super::flags::{
    FormFlags, LexiconBuildArguments, LexiconCheckArguments, LexiconExportArguments, LexiconFormat, LexiconStatsArguments,
};
use super::result::{Built, Check, CheckedWord, ExportedWords, GraphSize, LengthCount, LetterCount, List, Stats};
use crate::failure::{Failure, Input};
use crate::flags::CommonFlags;
use crate::loading;
use crate::output::{self, NewFile, Written};

/// Loads the tile set and the lexicon. The verbs say themselves which lines were rejected.
fn load(flags: &CommonFlags, form: FormFlags) -> Result<(TileSet, Lexicon), Failure> {
    loading::start_threads(flags)?;
    let (tileset, layout) = loading::tileset_and_layout(flags.game.tileset_name())?;
    let lexicon = loading::lexicon_as(form.into(), &flags.game, &tileset, &layout)?;
    Ok((tileset, lexicon))
}

/// `lexicon build`.
pub fn build(arguments: &LexiconBuildArguments) -> Result<(), Failure> {
    let format = arguments.out.as_deref().map(|path| format_of(path, arguments.format)).transpose()?;
    let [out, json] = arguments.json.files(arguments.out.as_deref())?;
    let begun = Instant::now();
    let (tileset, lexicon) = load(&arguments.flags, arguments.form)?;
    let seconds = begun.elapsed().as_secs_f64();
    loading::warn_of_unused_letters(&lexicon, &tileset, &arguments.flags.game);
    let built = Built {
        list: List::new(&arguments.flags, &tileset, &lexicon),
        graph: GraphSize::new(&lexicon),
        graph_cached: lexicon.cached,
        seconds,
        hash: &lexicon.hash,
        written: format.map(|format| write(&tileset, &lexicon, format, out)).transpose()?.flatten(),
    };
    output::show(&built, json)
}

/// The format of an output file.
fn format_of(path: &Path, format: Option<LexiconFormat>) -> Result<LexiconFormat, Failure> {
    output::format_of(path, format, ".kwg or .txt", |extension| match extension {
        "kwg" => Some(LexiconFormat::Kwg),
        "txt" => Some(LexiconFormat::Txt),
        _ => None,
    })
}

/// `lexicon check`. The exit code is 1 if a word is invalid or the list has rejected lines.
pub fn check(arguments: &LexiconCheckArguments) -> Result<ExitCode, Failure> {
    let [out, json] = arguments.json.files(arguments.out.as_deref())?;
    let (tileset, lexicon) = load(&arguments.flags, arguments.form)?;
    let list = List::new(&arguments.flags, &tileset, &lexicon);
    let check = if arguments.words.is_empty() {
        Check::List(list)
    } else {
        loading::warn_of_rejected_lines(&lexicon, &arguments.flags.game);
        let checked = arguments.words.iter().map(|word| look_up(word, &tileset, &lexicon));
        Check::Words { list: list.name, tileset: list.tileset, checked: checked.collect::<Result<_, _>>()? }
    };
    output::show_in(&check, out, json)?;
    Ok(ExitCode::from(u8::from(!check.is_valid())))
}

fn look_up(word: &str, tileset: &TileSet, lexicon: &Lexicon) -> Result<CheckedWord, Failure> {
    let tiles = tileset.parse(&word.to_uppercase(), Style::Greedy);
    let tiles = tiles.map_err(|bad| Failure::input(format!("word {word:?}, {bad} ({})", tileset.name())))?;
    let letters: Vec<u8> = tiles.iter().map(|tile| tile.letter()).collect();
    Ok(CheckedWord { word: tileset.show_all(&tiles), valid: lexicon.graph.contains(&letters) })
}

/// `lexicon stats`.
pub fn stats(arguments: &LexiconStatsArguments) -> Result<(), Failure> {
    let [out, json] = arguments.json.files(arguments.out.as_deref())?;
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
    let all: usize = by_letter.iter().sum();
    let letters = tileset.kinds().iter().zip(&by_letter).skip(1);
    let stats = Stats {
        list: List::new(&arguments.flags, &tileset, &lexicon),
        graph: GraphSize::new(&lexicon),
        by_length: (0..)
            .zip(by_length)
            .filter(|count| count.1 > 0)
            .map(|(tiles, words)| LengthCount { tiles, words })
            .collect(),
        letters: letters
            .map(|(kind, &times)| LetterCount {
                letter: &kind.label,
                share: times as f64 / all.max(1) as f64,
                count: kind.count,
                value: kind.value,
            })
            .collect(),
    };
    output::show_in(&stats, out, json)
}

/// `lexicon export`.
pub fn export(arguments: &LexiconExportArguments) -> Result<(), Failure> {
    let format = format_of(&arguments.out, arguments.format)?;
    let [out, json] = arguments.json.files(Some(&arguments.out))?;
    let (tileset, lexicon) = load(&arguments.flags, arguments.form)?;
    loading::warn_of_rejected_lines(&lexicon, &arguments.flags.game);
    let written = write(&tileset, &lexicon, format, out)?;
    written.iter().try_for_each(|written| output::show(written, json))
}

fn write(
    tileset: &TileSet,
    lexicon: &Lexicon,
    format: LexiconFormat,
    out: NewFile<'_>,
) -> Result<Option<Written<ExportedWords>>, Failure> {
    let bytes = match format {
        LexiconFormat::Kwg => kwg::write(&lexicon.graph).input()?,
        LexiconFormat::Txt => {
            let mut text = String::new();
            lexicon.graph.for_each_word(|word| {
                text += &tileset.spell(word);
                text.push('\n');
            });
            text.into_bytes()
        }
    };
    out.export(bytes, ExportedWords { words: lexicon.words(), format })
}
