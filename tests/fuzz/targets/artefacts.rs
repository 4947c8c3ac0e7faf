//! Artefacts: the manifest, and payloads whose checksums are right.

use std::path::Path;

use tilewright_engine::artefact::{Artefact, ArtefactWriter, Lexicons, Loader, MANIFEST, Origin};
use tilewright_engine::evaluator::linear::load::{LINEAR_KIND, LoadedLinear, WEIGHTS_FILE};
use tilewright_engine::evaluator::network::load::{LoadedNetwork, NETWORK_FILE, NETWORK_KIND, SETTINGS_FILE};
use tilewright_engine::folder::Folder;
use tilewright_engine::leave::load::{LATE_FILE, LEAVES_FILE, LEAVES_KIND};
use tilewright_engine::leave::{LeaveData, LeaveTable, klv};
use tilewright_engine::setup::Setup;
use tilewright_train::leaves::detail::{DETAIL_FILE, Detail};
use tilewright_train::leaves::generations::{GENERATIONS_FILE, Generations};
use tilewright_train::network::artefact::read_report;

use super::evaluators::small_network;
use super::games_setup::{few, forever};
use crate::target::{Outcome, Subject, headed, message, split_head};

/// The payloads of an artefact that holds something of everything.
fn payloads(setup: &Setup) -> Vec<(&'static str, Vec<u8>)> {
    let table = LeaveTable::zero(&setup.tileset);
    let (settings, tensors) = small_network().to_files().expect("a network");
    let settings = settings.replacen('\n', &format!("\nleaves = \"{LEAVES_FILE}\"\n"), 1);
    let count = table.values().len();
    let detail = Detail { support: vec![1; count], standard_error: vec![0.5; count] };
    let weights = tilewright_engine::configs::text("linear", "heuri1").expect("a config");
    vec![
        (LEAVES_FILE, klv::write(&table).expect("few nodes")),
        (LATE_FILE, b"left,constant,scale,?,A,CH,\xc3\x91\n0,1,0.5,0,0,0,0\n".to_vec()),
        (WEIGHTS_FILE, format!("leaves = \"{LEAVES_FILE}\"\n{}", weights.replace("leaves =", "# leaves =")).into()),
        (SETTINGS_FILE, settings.into()),
        (NETWORK_FILE, tensors),
        (DETAIL_FILE, detail.to_bytes(&table, &setup.tileset).expect("memory")),
        (GENERATIONS_FILE, GENERATIONS.into()),
        ("report.json", b"{}".to_vec()),
    ]
}

const GENERATIONS: &str = r#"{"version":3,"generations":[],"closing_match":null}"#;

/// Writes an artefact of a kind with one payload changed.
fn write(folder: &Path, setup: &Setup, kind: &str, payloads: &[(&'static str, Vec<u8>)], changed: (&str, &[u8])) {
    let origin = Origin { seed: 1, ..Origin::default() };
    let mut writer = ArtefactWriter::new(&Folder::open(folder).expect("a folder"), kind, setup, origin);
    for (name, bytes) in payloads {
        writer.add(name, if *name == changed.0 { changed.1 } else { bytes }).expect("a temporary folder");
    }
    writer.finish().expect("a temporary folder");
}

/// Reads everything that a file of an artefact is read for.
fn read(folder: &Path, setup: &Setup, file: &str) -> Outcome {
    let loader = Loader { lexicons: Lexicons::Any, ..Loader::new(setup) };
    match file {
        LEAVES_FILE | LATE_FILE => {
            LeaveData::load(folder, loader).map_err(message).map(|data| data.identity(&setup.tileset).len())
        }
        WEIGHTS_FILE => LoadedLinear::load(folder, loader).map_err(message).map(|_| 1),
        SETTINGS_FILE | NETWORK_FILE => {
            LoadedNetwork::load(folder, loader).map_err(message).map(|loaded| loaded.weights.layers.len())
        }
        _ => {
            let artefact = Artefact::open(folder, LEAVES_KIND, loader).map_err(message)?;
            let table = LeaveTable::zero(&setup.tileset);
            match file {
                DETAIL_FILE => Detail::read(&artefact, &table)
                    .map_err(message)
                    .map(|detail| detail.map_or(0, |detail| detail.support.len())),
                GENERATIONS_FILE => match Generations::read(&artefact).map_err(message)? {
                    Some(generations) => {
                        generations.tables();
                        generations.to_bytes().map_err(message).map(|bytes| bytes.len())
                    }
                    None => Ok(0),
                },
                _ => read_report(&artefact).map_err(message).map(|report| usize::from(report.is_some())),
            }
        }
    }
}

/// The head is the name of the file; the manifest has no checksum.
pub fn open() -> Subject {
    let setup = forever(few());
    let folder = forever(tempfile::tempdir().expect("a temporary folder")).path();
    let payloads = payloads(setup);
    let kind = |file: &str| match file {
        WEIGHTS_FILE => LINEAR_KIND,
        SETTINGS_FILE | NETWORK_FILE => NETWORK_KIND,
        _ => LEAVES_KIND,
    };
    write(folder, setup, LEAVES_KIND, &payloads, ("", b""));
    let manifest = std::fs::read(folder.join(MANIFEST)).expect("a manifest");
    let files = payloads.iter().map(|(name, bytes)| headed(name, bytes)).chain([headed(MANIFEST, manifest)]);
    let seeds: Vec<Vec<u8>> = files.collect();
    Subject::new(seeds, move |bytes| {
        let (file, rest) = split_head(bytes)?;
        if file == MANIFEST {
            write(folder, setup, LEAVES_KIND, &payloads, ("", b""));
            std::fs::write(folder.join(MANIFEST), rest).map_err(message)?;
            let artefact = Artefact::read_any(folder).map_err(message)?;
            let written = serde_json::to_vec(artefact.manifest()).expect("plain data");
            std::fs::write(folder.join(MANIFEST), written).map_err(message)?;
            assert_eq!(Artefact::read_any(folder).expect("what was written").manifest(), artefact.manifest());
            for name in artefact.manifest().files.keys() {
                let _ = artefact.payload(name);
            }
            let loader = Loader { lexicons: Lexicons::Any, ..Loader::new(setup) };
            return Artefact::open(folder, LEAVES_KIND, loader)
                .map_err(message)
                .map(|artefact| artefact.manifest().files.len());
        }
        if !payloads.iter().any(|(name, _)| *name == file) {
            return Err("a file".into());
        }
        write(folder, setup, kind(file), &payloads, (file, rest));
        read(folder, setup, file)
    })
    .with_fragments(&[
        "leaves.klv2",
        "\"files\":{",
        "\"../x\"",
        "\"kind\":\"leaves\"",
        "\"hash\":",
        "\"generations\":[",
        "\"version\":1",
    ])
}
