//! Files and folders of others are data: they start no program, write nowhere else, and show nothing of other files.

use std::path::Path;

use serde_json::{Value, json};
use tilewright_tests::{Workplace, files_below};

use super::documents::root;
use super::resuming::prepared;
use super::{small_workplace, td};

/// A player that makes a file if it is started.
const PROGRAM: &str = "stdio:touch started";

/// Runs a command that must be refused with exit code 2 and these parts, before the program is started.
fn starts_nothing(place: &Workplace, arguments: &[&str], parts: &[&str]) {
    place.refuse(arguments, parts);
    assert!(!place.path("started").exists(), "{arguments:?} started a program");
}

/// Changes the JSON of a file.
#[test]
fn no_verb_starts_a_program_that_the_file_of_a_player_names() {
    let (place, small) = small_workplace();
    place.write("game.gcg", std::fs::read(root().join("experiments/readme/logan-maven-1998.gcg")).unwrap());
    let verbs: [&[&str]; 5] = [
        &["moves", "--rack", "AENRS", "--player"],
        &["serve", "--stdio", "--player"],
        &["bench", "--player"],
        &["game", "annotate", "game.gcg", "--player"],
        &["match", "--pairs", "1", "--player-b", "greedy", "--player-a"],
    ];
    for verb in verbs {
        for (kind, key) in [("static", "ranker"), ("sim", "policy"), ("full", "policy")] {
            place.write("player.toml", format!("seed = 3\n{key} = \"{PROGRAM}\"\n"));
            let player = format!("{kind}:player.toml");
            let game = if verb[0] == "game" { &[][..] } else { &small };
            starts_nothing(&place, &[verb, &[&player], game].concat(), &[&player, "line 2", key, PROGRAM, "external"]);
        }
    }
    starts_nothing(&place, &[verbs[0], &[PROGRAM]].concat(), &[PROGRAM, "external", "a match of two players"]);
}

#[test]
fn a_file_of_a_player_that_leads_to_itself_is_refused() {
    let (place, small) = small_workplace();
    let moves = |player: &str, parts: &[&str]| {
        place.refuse(&[&["moves", "--rack", "AENRS", "--player", player][..], &small].concat(), parts);
    };
    place.write("self.toml", "ranker = \"static:self.toml\"\n");
    place.write("one.toml", "ranker = \"greedy\"\npolicy = \"static:two.toml\"\n");
    place.write("two.toml", "ranker = \"static:one.toml\"\n");
    place.write("deep.toml", "ranker = \"sim:deep.toml\"\n");
    for player in ["static:self.toml", "sim:self.toml", "full:one.toml"] {
        moves(player, &["more than 4 files of players name each other"]);
    }
    moves("sim:deep.toml", &["sim:deep.toml is not a static player"]);
    // A file may name another one.
    place.write("last.toml", "ranker = \"greedy\"\n");
    place.write("first.toml", "ranker = \"static:last.toml\"\n");
    place.succeed(&[&["moves", "--rack", "AENRS", "--player", "static:first.toml"][..], &small].concat());
}

#[test]
fn no_run_starts_a_program_that_its_config_names() {
    let (place, small) = prepared();
    for (verb, config, from) in [
        (&["evolve"][..], "evolve.toml", "baseline = \"greedy\""),
        (&["evolve"], "evolve.toml", "against = \"greedy\""),
        (&["linear", "fit"], "fit.toml", "player = \"leave:table.csv\""),
        (&["network", "train"], "network.toml", "player = \"leave:table.csv\""),
        (&["win-percentage", "train"], "win.toml", "player = \"greedy\""),
    ] {
        let text = std::fs::read_to_string(place.path(config)).unwrap();
        let (key, player) = from.split_once(" = ").unwrap();
        // The program is named in the config, and in the file of a player that the config names.
        assert!(text.contains(from), "{from}");
        place.write("bad.toml", text.replace(from, &format!("{key} = \"{PROGRAM}\"")));
        starts_nothing(&place, &[verb, &["bad.toml"]].concat(), &["bad.toml", "line", key, PROGRAM, "external"]);
        place.write("player.toml", format!("ranker = \"{PROGRAM}\"\n"));
        place.write("bad.toml", text.replace(player, "\"static:player.toml\""));
        starts_nothing(&place, &[verb, &["bad.toml"]].concat(), &["static:player.toml", "line 1", PROGRAM, "external"]);
    }
    place.write("bad.toml", format!("{}[network]\nstart = \"{PROGRAM}\"\nlearn = [\"output\"]\n", td::CONFIG));
    starts_nothing(&place, &["td", "bad.toml"], &["bad.toml", "line", "start", PROGRAM, "external"]);
    let selfplay = ["selfplay", "--games", "1", "--opponent", PROGRAM];
    starts_nothing(&place, &[&selfplay[..], &small].concat(), &["--opponent", PROGRAM, "external"]);
}

#[test]
fn a_network_whose_manifest_names_a_program_or_another_file_starts_and_shows_nothing() {
    let (place, small) = prepared();
    place.succeed(&["network", "train", "network.toml", "--out", "net", "--quiet"]);
    let eval = [&["network", "eval", "net", "--games", "120", "--quiet"][..], &small].concat();
    place.succeed(&eval);
    let with_player = |player: &str| {
        place.edit("net/manifest.json", |manifest| {
            let config = manifest["config"].as_str().unwrap();
            let (before, rest) = config.split_once("[candidates]\nplayer = \"").unwrap();
            let after = rest.split_once('"').unwrap().1;
            manifest["config"] = format!("{before}[candidates]\nplayer = \"{player}\"{after}").into();
        });
    };
    place.write("player.toml", format!("ranker = \"{PROGRAM}\"\n"));
    with_player("static:player.toml");
    starts_nothing(&place, &eval, &["the manifest of net names the players static:player.toml"]);
    with_player(PROGRAM);
    starts_nothing(&place, &eval, &["manifest of net", PROGRAM, "external"]);
    place.write("secret.csv", "hidden words\n");
    with_player("leave:secret.csv");
    let ended = place.run(&eval);
    assert!(
        ended.code == 2 && ended.errors.contains("leave:secret.csv") && !ended.errors.contains("hidden"),
        "{}",
        ended.errors
    );
}

#[test]
fn files_that_name_programs_say_so_before_they_start() {
    let (place, small) = small_workplace();
    place.write("pair.toml", format!("players = [\"greedy\", \"{PROGRAM}\"]\npairs = 1\n"));
    let says = |arguments: &[&str], file: &str| {
        let ended = place.run(arguments);
        let line = format!("{file} names a program, which takes part now: {PROGRAM}\n");
        assert_eq!(ended.errors.matches(&line).count(), 1, "{arguments:?}: {}", ended.errors);
        assert!(place.path("started").exists() && ended.errors.find(&line) < ended.errors.find("the program ended"));
        std::fs::remove_file(place.path("started")).unwrap();
    };
    let play = [&["match", "pair.toml", "--quiet"][..], &small].concat();
    says(&play, "pair.toml");
    says(&[&["work", "plan", "--quiet", "--out", "job", "--"], &play[..3], &small].concat(), "pair.toml");
    let study = format!(
        "question = \"?\"\nlexicon = \"small.txt\"\ntileset = \"small.toml\"\nseed = 1\nquick = {{}}\nfull = {{}}\n\
         [[arms]]\nname = \"arm\"\nplayer = \"{PROGRAM}\"\nagainst = \"greedy\"\npairs = \"1\"\n"
    );
    place.write("study.toml", study);
    says(&["experiment", "run", "study.toml", "--quick", "--quiet", "--out", "studies"], "study study, arm");
    // What the command line names itself needs no words.
    let named = ["match", "--player-a", PROGRAM, "--player-b", "greedy", "--pairs", "1", "--quiet"];
    let ended = place.run(&[&named[..], &small].concat());
    assert!(place.path("started").exists() && !ended.errors.contains("names a program"), "{}", ended.errors);
}

/// Plans a match of own players, and returns what must start nothing: all that takes part in the job.
fn planned(place: &Workplace, small: &[&str; 4]) -> [&'static [&'static str]; 4] {
    let plan = ["work", "plan", "--quiet", "--out", "job", "--", "match", "--player-a", "greedy", "--player-b", "no-leaves"];
    place.succeed(&[&plan[..], &["--pairs", "200"], small].concat());
    [
        &["work", "run", "job", "--shard", "0", "--quiet"],
        &["work", "run", "job", "--next", "--quiet"],
        &["work", "run", "job", "--stay", "--quiet"],
        &["work", "merge", "job", "--quiet"],
    ]
}

#[test]
fn programs_of_a_job_start_only_if_the_worker_allows_them() {
    let (place, small) = small_workplace();
    let all = planned(&place, &small);
    place.edit("job/job.json", |job| job["run"]["match"]["spec"]["players"][0] = PROGRAM.into());
    for take_part in all {
        starts_nothing(&place, take_part, &["job names programs", PROGRAM, "--allow-programs"]);
    }
    place.succeed(&["work", "status", "job"]);
    place.run(&[all[0], &["--allow-programs"]].concat());
    assert!(place.path("started").exists(), "it was allowed");
}

#[test]
fn programs_of_a_queue_start_only_if_the_worker_allows_them() {
    let (place, small) = small_workplace();
    let queue = ["work", "match", "--queue", "queue", "--quiet"];
    let with = |more: &[&'static str]| [&queue[..], more].concat();
    place.succeed(&[&with(&["--player-b", "greedy", "--pairs", "200", "no-leaves"])[..], &small].concat());
    let job = "queue/candidates/0001/job.json";
    let whole = std::fs::read(place.path(job)).unwrap();
    for player in [0, 1] {
        place.edit(job, |job| job["run"]["match"]["spec"]["players"][player] = PROGRAM.into());
        starts_nothing(&place, &with(&["--work"]), &["candidates/0001 names programs", PROGRAM, "--allow-programs"]);
        assert!(!place.path("queue/candidates/0001/failed.json").exists(), "another worker may allow it");
        place.write(job, &whole);
    }
    let settings = std::fs::read_to_string(place.path("queue/queue.toml")).unwrap();
    place.write("queue/queue.toml", settings.replace("\"greedy\"", &format!("\"{PROGRAM}\"")));
    starts_nothing(&place, &with(&["leave:x"]), &["queue.toml names programs", PROGRAM, "--allow-programs"]);
}

/// A change of a stored run.
type Change = fn(&mut Value);

#[test]
fn a_job_writes_into_its_folder_alone() {
    let (place, small) = prepared();
    let all = planned(&place, &small);
    let stored = std::fs::read(place.path("job/job.json")).unwrap();
    let changes: [(&str, Change); 4] = [
        ("unknown field `files`", |run| run["match"]["files"] = json!({"pairs_out": "written"})),
        ("unknown field `config`", |run| run["match"]["config"] = "written".into()),
        ("unknown variant `man`", |run| *run = json!({"man": {"folder": "written"}})),
        ("unknown variant `work`", |run| *run = json!({"work": ["run", "job", "--shard", "0"]})),
    ];
    for (fault, change) in changes {
        place.edit("job/job.json", |job| change(&mut job["run"]));
        for take_part in all {
            place.refuse(take_part, &["job.json is damaged", fault]);
        }
        place.write("job/job.json", &stored);
    }
    for fit in ["linear fit fit.toml", "network train network.toml"] {
        let fit: Vec<&str> = fit.split(' ').collect();
        let plan = |job| [&["work", "plan", "--quiet", "--out", job, "--"], &fit[..]].concat();
        place.refuse(
            &[&plan("sets")[..], &["--cache", "written"]].concat(),
            &["--cache is a flag that the job sets itself or does without"],
        );
        place.succeed(&plan(fit[0]));
        let job = format!("{}/job.json", fit[0]);
        place.edit(&job, |job| {
            let more = &mut job["run"][fit[0]]["more"];
            let sets = if fit[0] == "network" { &mut more["sets"] } else { more };
            sets["folder"] = "written".into();
        });
        place.refuse(&["work", "merge", fit[0]], &["job.json is damaged", "unknown field `folder`"]);
    }
    let plan = ["work", "plan", "--quiet", "--out", "new", "--", "match", "--player-a", "greedy", "--player-b", "greedy"];
    for flag in ["--pairs-out", "--games-out", "--fault-log"] {
        let more = ["--pairs", "1", flag, "written"];
        place.refuse(&[&plan[..], &more, &small].concat(), &[flag, "is a flag that the job sets itself or does without"]);
    }
    assert!(!place.path("written").exists() && !place.path("new").exists());
}

#[test]
fn a_job_reads_the_files_alone_with_which_it_was_planned() {
    let (place, small) = small_workplace();
    place.write("player.toml", "ranker = \"greedy\"\n");
    place.write("secret.toml", "hidden words\n");
    let plan = ["work", "plan", "--quiet", "--out", "job", "--", "match", "--player-a", "static:player.toml"];
    place.succeed(&[&plan[..], &["--player-b", "greedy", "--pairs", "20"], &small].concat());
    let job = std::fs::read(place.path("job/job.json")).unwrap();
    let refused = |named: &str| {
        for take_part in ["run job --next", "run job --stay", "merge job"] {
            let arguments: Vec<&str> = ["work"].into_iter().chain(take_part.split(' ')).collect();
            let ended = place.run(&arguments);
            let parts = [&format!("job.json names {named}"), "not what the job was planned with", "plan the job again"];
            assert!(ended.code == 2 && parts.iter().all(|part| ended.errors.contains(*part)), "{}", ended.errors);
            assert!(!ended.errors.contains("hidden"), "{}", ended.errors);
        }
        for (name, bytes) in files_below(&place.path("job")) {
            assert!(!String::from_utf8_lossy(&bytes).contains("hidden"), "{name}");
        }
    };
    // A tile set, a player, and a player that a file names; with and without a hash that somebody made up.
    let changes: [(&str, Change); 3] = [
        ("secret.toml", |job| job["run"]["match"]["flags"]["common"]["game"]["tileset"] = "secret.toml".into()),
        ("secret.toml", |job| job["run"]["match"]["spec"]["players"] = json!(["greedy", "linear:secret.toml"])),
        ("player.toml", |job| job["inputs"] = json!({"player.toml": "0"})),
    ];
    for (named, change) in changes {
        place.edit("job/job.json", change);
        refused(named);
        place.write("job/job.json", &job);
    }
    place.write("player.toml", "ranker = \"static:secret.toml\"\n");
    refused("player.toml");
    place.write("player.toml", "ranker = \"greedy\"\n");
    place.succeed(&["work", "run", "job", "--stay", "--quiet"]);
}

/// A study with this artefact and this measure.
fn study(artefact: &str, measure: &str) -> String {
    format!(
        "question = \"?\"\nlexicon = \"small.txt\"\ntileset = \"small.toml\"\nseed = 1\nquick = {{}}\nfull = {{}}\n\
         [[artefacts]]\nname = \"made\"\ncommand = '{artefact}'\n[[measures]]\nname = \"measured\"\ncommand = '{measure}'\n\
         figures = [{{ name = \"pairs\", at = \"/pairs\", unit = \"pairs\" }}]\n"
    )
}

#[test]
fn a_study_has_commands_of_studies_that_write_into_its_folder() {
    let (place, _) = small_workplace();
    place.write("td.toml", td::CONFIG);
    let (made, measured) = ("td td.toml", "match --player-a leave:{made} --player-b greedy --pairs 4");
    let cases = [
        (study("lexicon export --out written", measured), "line 9: \"lexicon export --out written\" is no command"),
        (study("man written", measured), "line 9: \"man written\" is no command"),
        (study("work run job --shard 0", measured), "line 9: "),
        (study("experiment run again", measured), "line 9: "),
        (study("td td.toml --out written", measured), "line 9: --out written"),
        (study("td td.toml --out={kept}", measured), "line 9: --out {kept}"),
        (study("network train x.toml --cache written", measured), "line 9: --cache written"),
        (study(made, &format!("{measured} --out written")), "line 12: --out written"),
        (study(made, &format!("{measured} --pairs-out=written")), "line 12: --pairs-out written"),
        (study(made, "leaves export {made} --out written"), "line 12: "),
        (study(made, &format!("{measured} --games-out {{made}}")), "line 12: --games-out {made}"),
    ];
    let run = ["experiment", "run", "study.toml", "--quick", "--quiet", "--out", "run"];
    for (text, fault) in &cases {
        place.write("study.toml", text);
        place.refuse(&run, &["study study.toml", fault]);
    }
    let good = study(made, &format!("{measured} --out {{kept}}"));
    place.write("study.toml", &good);
    place.succeed(&run);
    // A link is no folder of the study, wherever it leads.
    std::fs::create_dir(place.path("linked")).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(place.path("run/study-quick"), place.path("linked/study-quick")).unwrap();
        let linked = ["experiment", "run", "study.toml", "--quick", "--quiet", "--out", "linked"];
        place.refuse(&linked, &["linked/study-quick is a link"]);
    }
    // The same in a job, whose names of studies are no paths either.
    place.succeed(&["work", "plan", "--quiet", "--out", "job", "--", "experiment", "run", "study.toml", "--quick"]);
    let before = files_below(&place.path(""));
    let with_study = |name: &str, text: &str, fault: &str| {
        place.edit("job/job.json", |job| job["run"]["study"]["studies"] = json!([[name, text]]));
        for take_part in [["work", "run", "job", "--stay"], ["work", "run", "job", "--next"], ["work", "merge", "job", "-q"]]
        {
            starts_nothing(&place, &take_part, &[fault]);
        }
    };
    for (text, fault) in &cases {
        with_study("study", text, fault);
    }
    with_study("../../outside", &good, "without a path");
    let program = good.replace("greedy", "stdio:./started");
    with_study("study", &program, "job names programs, which would run with your rights: stdio:./started");
    let after = files_below(&place.path(""));
    let outside = |name: &&String| !Path::new(name).starts_with("job");
    assert!(before.keys().filter(outside).eq(after.keys().filter(outside)), "only the job was written to");
}

#[test]
fn paths_in_a_manifest_show_and_cache_nothing_of_other_files() {
    let (place, small) = small_workplace();
    place.succeed(
        &[&["leaves", "train", "--budget", "games=600", "--match-pairs", "0", "--out", "table", "--quiet"][..], &small]
            .concat(),
    );
    let with = |key: &str, path: &str| {
        place.edit("table/manifest.json", |manifest| {
            let mut config: toml::Table = toml::from_str(manifest["config"].as_str().unwrap()).unwrap();
            config.insert(key.into(), path.into());
            manifest["config"] = toml::to_string(&config).unwrap().into();
        });
    };
    place.write("secret.txt", "hidden words\nABLE\n");
    place.write("secret.toml", "hidden = \n");
    let report = ["leaves", "report", "table", "--save", "page.html"];
    with("lexicon", "small.txt");
    place.succeed(&report);
    let number = format!("{:03} words", tilewright_tests::small_words().lines().count() % 1000);
    let has_words = || std::fs::read_to_string(place.path("page.html")).unwrap().contains(&number);
    assert!(has_words(), "the list of the table is at hand");
    std::fs::remove_dir_all(place.path("cache")).unwrap();
    std::fs::remove_file(place.path("page.html")).unwrap();
    with("lexicon", "secret.txt");
    let ended = place.run(&report);
    assert!(ended.code == 0 && !ended.errors.contains("hidden"), "{}", ended.errors);
    assert!(!has_words() && !place.path("cache").exists(), "nothing is cached of a file that only a manifest names");
    for path in ["secret.toml", "secret.txt", "nowhere.toml"] {
        with("tileset", path);
        let ended = place.run(&["leaves", "show", "A", "--table", "table"]);
        assert!(ended.code == 2 && ended.errors.contains("--tileset"), "{}", ended.errors);
        assert!(!ended.errors.contains("hidden"), "{}", ended.errors);
    }
    // A tile set that is not that of the table is no better.
    place.write("other.toml", tilewright_tests::SMALL_TILESET.replace("bingo_bonus = 30", "bingo_bonus = 31"));
    with("tileset", "other.toml");
    place.refuse(&["leaves", "show", "A", "--table", "table"], &["made for the tile set other.toml", "it has changed"]);
}

#[test]
fn a_file_of_positions_names_no_files() {
    let (place, small) = small_workplace();
    place.write("secret.toml", "hidden = \n");
    place.write("secret.txt", "hidden words\nABLE\n");
    let board = "15/".repeat(14) + "15 AENRS/ 0/0 0";
    for (opcode, flag) in
        [("ld ./secret.toml", "--tileset"), ("ld secret.toml", "--tileset"), ("lex secret.txt", "--lexicon")]
    {
        place.write("positions.cgp", format!("# one\n{board} {opcode};\n"));
        let ended = place.run(&["solve", "--cgp-file", "positions.cgp"]);
        assert!(ended.code == 2 && !ended.errors.contains("hidden"), "{}", ended.errors);
        let name = opcode.split_once(' ').unwrap().1;
        for part in ["positions.cgp, line 2", opcode, &format!("{flag} {name}")] {
            assert!(ended.errors.contains(part), "{part} in {}", ended.errors);
        }
    }
    assert!(!place.path("cache").exists());
    // With the flags the names of the file do not matter.
    let row = "AENRSDTAENRSDTA";
    place.write("positions.cgp", format!("{}/{} AE/RS 0/0 0 ld secret.toml; lex secret.txt;\n", row, ["15"; 14].join("/")));
    let ended = place.run(&[&["solve", "--cgp-file", "positions.cgp", "--any-board"][..], &small].concat());
    assert!(!ended.errors.contains("secret"), "{}", ended.errors);
}
