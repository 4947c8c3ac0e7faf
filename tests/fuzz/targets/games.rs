//! Moves, positions and games as text.

use tilewright_engine::board::Board;
use tilewright_engine::deals::Domain;
use tilewright_engine::evaluator::Greedy;
use tilewright_engine::game::Game;
use tilewright_engine::game::cgp::{self, CgpPosition};
use tilewright_engine::game::gcg::{self, GcgGame, GcgPlayer};
use tilewright_engine::game::reading::{read_last_move, read_move};
use tilewright_engine::movegen::Generator;
use tilewright_engine::moves::notation;
use tilewright_engine::player::MatchPlayer;
use tilewright_engine::rack::Rack;
use tilewright_engine::setup::Setup;
use tilewright_engine::static_player::StaticPlayer;
use tilewright_engine::tileset::Style;
use tilewright_engine::turn::Turn;

use super::games_setup::{forever, spanish};
use crate::target::{Outcome, Subject, headed, message, split_head, text};

/// Plays a game; `look` sees every position.
fn play(setup: &Setup, index: u64, mut look: impl FnMut(&Game)) -> String {
    let player = StaticPlayer::new(Greedy);
    let mut game = Game::deal(setup, Domain::Match.deals(11), index);
    let mut generator = Generator::new(setup);
    let mut record = GcgGame::new(setup, ["Ana Núñez", "bob"].map(GcgPlayer::named));
    for _ in 0..60 {
        look(&game);
        if game.is_over() {
            break;
        }
        let chosen = player.choose(&mut generator, &game.turn(setup)).chosen;
        record.record(&game, &chosen);
        game.make(setup, &chosen);
    }
    record.finish(setup, &game).write(&setup.tileset)
}

/// The head says what the text is.
pub fn notation() -> Subject {
    let setup = forever(spanish());
    let game = forever(Game::deal(setup, Domain::Match.deals(1), 0));
    let cgp = format!("{}7[CH]U[RR]O4/{}15 CALLÑE?/ 10/-3 0 lex x;", "15/".repeat(7), "15/".repeat(6));
    let board = cgp::read(&cgp, &setup.tileset, 15).expect("a position").board;
    let seeds = [
        "rack\nAC[CH]RR?",
        "notation\n[CH]U[RR]O",
        "word\n[CH]URRO",
        "play\n9H [CH]U[RR]O",
        "move\n8H CA[LL]E",
        "move\n-CA[LL]",
        "move\npass",
        "last\n8H [CH]U[RR]O",
        "last\nexch 3",
        "start\nH8",
        "player\ntcp:localhost:80",
        "player\nleave+pool+endgame:table",
    ];
    Subject::new(seeds, move |bytes| {
        let (head, rest) = split_head(bytes)?;
        let text = text(rest);
        read_as(head, &text, setup, game, &board)
    })
    .with_fragments(&[
        "rack\n",
        "notation\n",
        "word\n",
        "play\n",
        "move\n",
        "last\n",
        "start\n",
        "8H ",
        "H8 ",
        "pass",
        "exch ",
        "-",
        "(.)",
        "[CALL]",
    ])
}

fn read_as(head: &str, text: &str, setup: &Setup, game: &Game, board: &Board) -> Outcome {
    let tileset = &setup.tileset;
    match head {
        "rack" | "notation" => {
            let read = if head == "rack" { Rack::parse(text, tileset) } else { Rack::from_notation(text, tileset) };
            let rack = read.map_err(message)?;
            assert_eq!(Rack::from_notation(&rack.show(tileset), tileset), Ok(rack));
            Ok(rack.size())
        }
        "word" => {
            let tiles = tileset.parse(text, Style::Greedy).map_err(message)?;
            assert_eq!(tileset.parse(&tileset.show_all(&tiles), Style::Bracketed).as_ref(), Ok(&tiles));
            let _ = notation::read_word(text, tileset).map(|word| notation::show_word(&word, tileset));
            Ok(tiles.len())
        }
        "play" => {
            let (coordinate, word) = text.split_once(' ').unwrap_or((text, ""));
            let play = notation::read_play(coordinate, word, board, tileset).map_err(message)?;
            Ok(play.tiles.len())
        }
        "move" => {
            let rack = Rack::parse("CA[LL]E?", tileset).expect("a rack");
            let turn = Turn { rack, ..game.turn(setup) };
            let chosen = read_move(text, &turn).map_err(message)?;
            let shown = notation::show(&chosen, game.board(), tileset);
            assert_eq!(read_move(&shown, &turn).as_ref(), Ok(&chosen), "{shown}");
            Ok(shown.len())
        }
        "last" => read_last_move(text, board, setup).map_err(message).map(|_| 1),
        "start" => notation::read_start(text).map_err(message).map(|_| 1),
        _ => {
            let spec = text.parse::<MatchPlayer>().map_err(message)?;
            assert_eq!(spec.to_string(), text);
            Ok(1)
        }
    }
}

/// The head is the side of the board.
pub fn cgp() -> Subject {
    let setups = [spanish(), Setup::embedded("english").expect("an embedded tile set")];
    let mut seeds = Vec::new();
    for setup in &setups {
        play(setup, 2, |game| seeds.push(headed("15", CgpPosition::from_game(game, setup).write(&setup.tileset))));
    }
    seeds.retain({
        let tileset = &setups[0].tileset;
        move |seed| split_head(seed).is_ok_and(|(_, line)| cgp::read(&text(line), tileset, 15).is_ok())
    });
    let [Setup { tileset, .. }, _] = setups;
    Subject::new(seeds, move |bytes| {
        let (side, line) = split_head(bytes)?;
        let side = side.parse::<usize>().ok().filter(|side| *side <= 30).ok_or("a side")?;
        let line = text(line);
        let _ = cgp::opcodes(&line);
        let position = cgp::read(&line, &tileset, side).map_err(message)?;
        let written = position.write(&tileset);
        assert_eq!(cgp::read(&written, &tileset, side).as_ref(), Ok(&position), "{written}");
        Ok(written.len())
    })
    .with_fragments(&["15/", "21\n", "/", ";", "lex ", "[LL]", "a", "[ll]", " 0/0 ", "?", "4294967296"])
}

pub fn gcg() -> Subject {
    let setups = [spanish(), Setup::embedded("english").expect("an embedded tile set")];
    let by_hand = "#character-encoding utf-8\n#player1 a A\n#player2 b B\n#description x\ny\n#- z\n#note 1\n\
        >a: [CH]AÑL? 8H L[CH]a +12 12\n>a: [CH]AÑL? -- -12 0\n>b:  8G (Ñ)[UNO]ñ. +9 9\n>b: (challenge) +5 14\n>a: -3 +0 0\n\
        >b: (time) -10 4\n>b: (A[CH]) +12 16\n>a: ?? (??) -0 0\n#rack1 A[LL]\n";
    let seeds = [by_hand.to_string(), play(&setups[0], 1, |_| {}), play(&setups[0], 2, |_| {})];
    Subject::new(seeds, move |bytes| {
        let _ = gcg::pragmas(bytes);
        let tileset = &setups[0].tileset;
        let game = gcg::read(bytes, tileset).map_err(message)?;
        let written = game.write(tileset);
        let again = gcg::read(written.as_bytes(), tileset);
        assert_eq!(again.as_ref(), Ok(&game), "{written}");
        assert_eq!(again.expect("what was written").write(tileset), written);
        for setup in &setups {
            gcg::replay(&game, setup).for_each(drop);
        }
        Ok(game.events.len())
    })
    .with_fragments(&[
        "#",
        "#- ",
        ">",
        ": ",
        "--",
        "(time)",
        "(challenge)",
        "+",
        "8H ",
        "H8 ",
        "[CH",
        "U21",
        "#player1 ",
        "#note ",
        "#rack2 ",
        "iso-8859-1",
        "#character-encoding ",
    ])
}
