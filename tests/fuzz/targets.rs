//! The targets. A parser of its own kind is a target; small parsers of one family share one.

mod games_setup;
mod rules;
mod words;
mod tables;
mod evaluators;
mod games;
mod protocol;
mod configs;
mod journal;
mod records;
mod artefacts;
mod commands;
mod runs;
mod jobs;

use crate::target::Target;

/// All targets, the slow ones first, so that none is left alone at the end.
pub const ALL: &[Target] = &[
    Target { name: "runs", what: "the pages and datasets of runs, with changed payloads and work files", open: runs::runs },
    Target { name: "jobs", what: "jobs, stages, records of shards, and queues, through work", open: jobs::jobs },
    Target { name: "hunspell", what: "hunspell dictionaries and affixes, through lexicon expand", open: commands::hunspell },
    Target { name: "studies", what: "studies, through experiment run", open: commands::studies },
    Target { name: "match-configs", what: "configs of matches, through match --config", open: commands::match_configs },
    Target { name: "players", what: "configs of static, sim and full players", open: configs::players },
    Target {
        name: "run-configs",
        what: "configs of td, evolve, leaves, linear, network, win-percentage",
        open: configs::runs,
    },
    Target { name: "tile-sets", what: "tile sets", open: rules::tile_sets },
    Target { name: "boards", what: "board layouts", open: rules::boards },
    Target { name: "word-lists", what: "word lists: text, gzip, xz, zip", open: words::lists },
    Target { name: "kwg", what: "word graphs of other programs", open: words::kwg },
    Target { name: "graph-cache", what: "cached word graphs", open: words::cache },
    Target { name: "leaves", what: "leave tables: klv2, CSV, gzipped", open: tables::leaves },
    Target { name: "late-values", what: "adjustments of leaves for few tiles", open: tables::late_values },
    Target { name: "win-tables", what: "win tables of this program, Macondo, MAGPIE, Quackle", open: tables::win_tables },
    Target { name: "linear", what: "weights of linear evaluators", open: evaluators::linear },
    Target { name: "network", what: "settings and tensors of networks", open: evaluators::network },
    Target { name: "notation", what: "racks, words, coordinates, plays and moves as text", open: games::notation },
    Target { name: "cgp", what: "positions in CGP", open: games::cgp },
    Target { name: "gcg", what: "games in GCG", open: games::gcg },
    Target { name: "protocol", what: "messages of external players and of serve", open: protocol::open },
    Target { name: "work-files", what: "work files of the journal", open: journal::open },
    Target { name: "parquet", what: "records and other tables in Parquet", open: records::parquet },
    Target { name: "logs", what: "logs of evolve, courses of td", open: records::logs },
    Target { name: "artefacts", what: "manifests, and payloads with right checksums", open: artefacts::open },
];
