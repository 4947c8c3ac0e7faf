//! Tables of leaves and of win probabilities.

use tilewright_engine::artefact::{ArtefactOrFile, Loader};
use tilewright_engine::equity::Equity;
use tilewright_engine::leave::late::{LateRow, LateValues};
use tilewright_engine::leave::{LeaveTable, csv, klv};
use tilewright_engine::win_percentage::{States, WinPercentage, csv as win_csv, export, import};

use super::games_setup::few;
use crate::target::{Subject, gzip, headed, message, split_head, text};

/// The head is the ending of the file's name.
pub fn leaves() -> Subject {
    let (setup, folder) = (few(), tempfile::tempdir().expect("a temporary folder"));
    let table = LeaveTable::zero(&setup.tileset);
    let klv = klv::write(&table).expect("few nodes");
    let seeds = [
        headed("csv", csv::write(&table, &setup.tileset)),
        headed("csv", "CHA,1.5\nÑ,-3\n?,20\nAA,-0.001\n"),
        headed("klv2", &klv),
        headed("klv2.gz", gzip(&klv)),
        headed("csv.gz", gzip(b"A,1\n?,25.5\n")),
    ];
    Subject::new(seeds, move |bytes| {
        let (ending, rest) = split_head(bytes)?;
        let ending =
            ["csv", "klv2", "klv", "csv.gz", "klv2.gz"].into_iter().find(|known| *known == ending).ok_or("an ending")?;
        let file = folder.path().join(format!("table.{ending}"));
        std::fs::write(&file, rest).map_err(message)?;
        let table = LeaveTable::read(&ArtefactOrFile::File(file), &setup.tileset).map_err(message)?;
        let again = klv::read(&klv::write(&table).expect("few nodes"), &setup.tileset).expect("what was written");
        // The format has 24 bits for each value.
        let rounded = table.values().iter().map(|value| Equity::from_fractional_points(f64::from(value.points() as f32)));
        assert_eq!(again.0.values(), rounded.collect::<Vec<_>>());
        let text = csv::write(&table, &setup.tileset);
        assert_eq!(csv::read(&text, &setup.tileset).expect("what was written").0.values(), table.values());
        Ok(table.estimated())
    })
    .with_fragments(&["csv\n", "klv\n", "[CH]", "?,", "A,1\n", "100000", "-100000.001", "1e5", "5e-324"])
}

pub fn late_values() -> Subject {
    let setup = few();
    let row =
        |number: i16| LateRow { constant: f32::from(number), scale: 0.5, tiles: vec![-0.125; setup.tileset.kinds().len()] };
    let seed = LateValues { rows: (0..4).map(row).collect() }.to_csv(&setup.tileset);
    Subject::new([seed], move |bytes| {
        let values = LateValues::from_csv(&text(bytes), &setup.tileset).map_err(message)?;
        let written = values.to_csv(&setup.tileset);
        let again = LateValues::from_csv(&written, &setup.tileset).expect("what was written");
        assert_eq!(again.to_csv(&setup.tileset), written);
        Ok(values.rows.len())
    })
}

pub fn win_tables() -> Subject {
    let (setup, folder) = (few(), tempfile::tempdir().expect("a temporary folder"));
    let small = WinPercentage::from_fn(States { rack_size: 4, most_bag: 4 }, 6, |left, spread| {
        let lead = f64::from(spread) / (1.0 + left.unseen() as f64);
        1.0 / (1.0 + (-lead).exp())
    });
    let (mut macondo, mut magpie, mut quackle) = (String::from(",0,1,2\n"), String::new(), String::new());
    for lead in (-4..=4).rev() {
        macondo += &format!("{lead},0.5,{},0.5\n", if lead > 0 { 0.75 } else { 0.25 });
    }
    for unseen in 1..=8 {
        magpie += &format!("10{}\n", " 7".repeat(9));
        quackle += &(-4..=4).map(|lead| format!("{lead} {unseen} 0.25\n")).collect::<String>();
    }
    let own = win_csv::write(&small);
    let seeds = [
        own.clone().into(),
        gzip(own.as_bytes()),
        export::macondo(&small).into(),
        macondo.into(),
        magpie.into(),
        quackle.into(),
    ];
    Subject::new::<Vec<u8>>(seeds, move |bytes| {
        let text = text(bytes);
        let file = folder.path().join("table");
        std::fs::write(&file, bytes).map_err(message)?;
        let loaded = WinPercentage::load(&file, Loader::new(&setup)).map_err(message);
        let read = win_csv::read_table(&text).map_err(message);
        for table in [&loaded, &read].into_iter().flatten() {
            let written = win_csv::write(table);
            match win_csv::read_table(&written) {
                Ok(again) => assert_eq!(win_csv::write(&again), written),
                // Tables of other programs may fall where the lead grows.
                Err(error) => assert!(loaded.is_ok() && read.is_err() && error.reason.contains("must not fall"), "{error}"),
            }
        }
        let other = import::read_any(&text).map_err(message).map(|table| table.rows.len());
        loaded.or(read).map(|table| table.states().most_bag).or(other)
    })
    .with_fragments(&["bag,own,other,turns,", ",0,1,2\n", "0.5,", "0.0000001", "1 1 0.5\n", "-4 "])
}
