//! Replay of a GCG game on a board, with every number checked.

use super::game::{GcgAction, GcgError, GcgEvent, GcgFault, GcgGame, GcgPlace};
use crate::board::Board;
use crate::game::{scoring, unseen};
use crate::layout::{Direction, Square};
use crate::moves::notation::{WordSquare, place_word, show_word};
use crate::moves::{Move, Play};
use crate::rack::Rack;
use crate::setup::Setup;
use crate::tileset::{MAX_KINDS, TileSet};

/// The state of a game after an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GcgPosition {
    /// The tiles on the board.
    pub board: Board,
    /// The scores in points, in the order of [`GcgGame::players`].
    pub scores: [i32; 2],
    /// The player to move.
    pub to_move: usize,
    /// The number of consecutive scoreless turns.
    pub scoreless_turns: u32,
    /// The number of consecutive passes, which are the last of the scoreless turns.
    pub passes: u32,
    /// The number of tiles that each player holds.
    pub held: [usize; 2],
    /// The number of tiles in the bag.
    pub bag: usize,
    /// The move of the event, if the event was a move with known tiles.
    pub chosen: Option<Move>,
}

impl GcgPosition {
    /// The position before the first event, with player 0 to move.
    pub fn start(setup: &Setup) -> GcgPosition {
        let rack_size = setup.tileset.rules().rack_size;
        GcgPosition {
            board: Board::new(setup.layout.side()),
            scores: [0; 2],
            to_move: 0,
            scoreless_turns: 0,
            passes: 0,
            held: [rack_size; 2],
            bag: setup.tileset.total_tiles() - 2 * rack_size,
            chosen: None,
        }
    }

    /// Ends a turn without points.
    fn scoreless(&mut self, player: usize) {
        self.scoreless_turns = self.scoreless_turns.saturating_add(1);
        self.passes = 0;
        self.to_move = 1 - player;
    }

    /// Ends a turn in which nothing was done. After the out play it is a challenge that failed, and no move.
    fn pass(&mut self, player: usize) {
        let (passes, is_move) = (self.passes.saturating_add(1), self.held[1 - player] > 0);
        self.scoreless(player);
        (self.passes, self.chosen) = (passes, is_move.then_some(Move::Pass));
    }
}

/// Replays a game: iterates over the position after each event, up to the first event that is impossible.
///
/// A play must fit the board, its score and total must be right, and its tiles must exist. A rack may be partly known: it is
/// wrong only if the known tiles and the tiles used are together more than the player can hold, or more than the tile set
/// has. The player who goes out gains twice the opponent's tiles, or once if the opponent loses them. The players take turns, and either may begin. The number of scoreless turns that end a game is not checked. `#rack1`
/// and `#rack2` are ignored, because files give them for any moment of the game.
pub fn replay<'a>(game: &'a GcgGame, setup: &'a Setup) -> Replay<'a> {
    let position = GcgPosition::start(setup);
    let (next, begun, counted, lost) = (0, false, [false; 2], Rack::default());
    Replay { game, setup, position, next, begun, before_play: None, counted, lost, accepted: None }
}

/// An iterator over the positions of a game (see [`replay`]).
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    game: &'a GcgGame,
    setup: &'a Setup,
    position: GcgPosition,
    next: usize,
    /// Whether a player has moved.
    begun: bool,
    /// If the last event was a play that may be withdrawn or challenged: its player, its points and the position before it.
    before_play: Option<(usize, i32, Box<GcgPosition>)>,
    /// The players for whom the remaining tiles have been counted.
    counted: [bool; 2],
    /// The tiles for which a player has lost points at the end.
    lost: Rack,
    /// The wrong scores and totals so far, if they are accepted.
    accepted: Option<Vec<GcgError>>,
}

impl Iterator for Replay<'_> {
    type Item = Result<GcgPosition, GcgError>;

    fn next(&mut self) -> Option<Self::Item> {
        let event = self.game.events.get(self.next)?;
        self.next += 1;
        Some(match self.step(event) {
            Ok(()) => Ok(self.position.clone()),
            Err(fault) => {
                self.next = self.game.events.len();
                Err(error_at(event, self.next, fault))
            }
        })
    }
}

fn error_at(event: &GcgEvent, number: usize, fault: GcgFault) -> GcgError {
    GcgError { place: event.line.map_or(GcgPlace::Event(number), GcgPlace::Line), fault: Box::new(fault) }
}

impl Replay<'_> {
    /// Accepts scores and totals that are wrong by the rules. They count as they are written.
    #[must_use]
    pub fn accepting_scores(self) -> Self {
        Replay { accepted: Some(Vec::new()), ..self }
    }

    /// Returns the wrong scores and totals that it has accepted so far.
    pub fn accepted(&self) -> &[GcgError] {
        self.accepted.as_deref().unwrap_or_default()
    }

    /// Accepts a wrong number, or returns it as an error.
    fn accept(&mut self, event: &GcgEvent, fault: GcgFault) -> Result<(), GcgFault> {
        let Some(accepted) = &mut self.accepted else { return Err(fault) };
        accepted.push(error_at(event, self.next, fault));
        Ok(())
    }

    fn step(&mut self, event: &GcgEvent) -> Result<(), GcgFault> {
        self.check_indices(event)?;
        let before_play = self.before_play.take();
        let score_before = self.position.scores[event.player];
        self.position.chosen = None;
        match &event.action {
            GcgAction::Play { start, direction, word } => self.play(event, *start, *direction, word)?,
            GcgAction::Exchange(tiles) => self.exchange(event, tiles, tiles.size())?,
            GcgAction::ExchangeUnknown(count) => self.exchange(event, &Rack::default(), usize::from(*count))?,
            GcgAction::Pass => self.pass(event)?,
            GcgAction::Withdrawal => self.withdraw(event, before_play)?,
            GcgAction::Challenge => self.challenge(event, before_play.map(|(player, ..)| player))?,
            GcgAction::Time if event.score > 0 => {
                return Err(GcgFault::Sign { what: "a time penalty", written: event.score });
            }
            GcgAction::Time => {}
            GcgAction::Out(tiles) => self.out(event, tiles)?,
            GcgAction::Penalty(tiles) => self.penalty(event, tiles)?,
        }
        let right = match &event.action {
            // The play is withdrawn by the total alone.
            GcgAction::Withdrawal if event.score == 0 => i64::from(self.position.scores[event.player]),
            _ => i64::from(score_before) + i64::from(event.score),
        };
        if right != i64::from(event.total) {
            let (score, written) = (event.score, event.total);
            self.accept(event, GcgFault::Total { before: score_before, score, right, written })?;
        }
        self.position.scores[event.player] = event.total;
        Ok(())
    }

    fn tileset(&self) -> &TileSet {
        &self.setup.tileset
    }

    fn nickname(&self, player: usize) -> String {
        self.game.players[player].nickname.clone()
    }

    /// Checks that the player and the tiles are valid indices: the game may have been built by a caller or read with another
    /// tile set.
    fn check_indices(&self, event: &GcgEvent) -> Result<(), GcgFault> {
        if event.player > 1 {
            return Err(GcgFault::PlayerIndex { player: event.player });
        }
        let letters = self.tileset().letters();
        let known = |rack: &Rack| rack.kinds().all(|(kind, _)| kind <= letters);
        let all_known = known(&event.rack)
            && match &event.action {
                GcgAction::Play { word, .. } => word.iter().all(|square| match square {
                    WordSquare::Dot => true,
                    WordSquare::Through(tile) | WordSquare::Tile(tile) => tile.letter() <= letters,
                }),
                GcgAction::Exchange(tiles) | GcgAction::Out(tiles) | GcgAction::Penalty(tiles) => known(tiles),
                _ => true,
            };
        if all_known { Ok(()) } else { Err(GcgFault::OtherTileSet { tileset: self.tileset().name().into() }) }
    }

    fn check_turn(&mut self, event: &GcgEvent) -> Result<(), GcgFault> {
        if !self.begun {
            (self.begun, self.position.to_move) = (true, event.player);
        }
        let nickname = self.nickname(event.player);
        if self.counted != [false; 2] {
            return Err(GcgFault::Over { nickname });
        }
        if event.player != self.position.to_move {
            return Err(GcgFault::Turn { nickname, expected: self.nickname(self.position.to_move) });
        }
        if self.is_out(1 - event.player) && event.action != GcgAction::Pass {
            return Err(GcgFault::Over { nickname });
        }
        Ok(())
    }

    /// Whether a player holds no tiles, so that the game ends unless the last play is challenged.
    fn is_out(&self, player: usize) -> bool {
        self.position.held[player] == 0
    }

    fn check_score(&mut self, event: &GcgEvent, right: i32, what: impl FnOnce() -> String) -> Result<(), GcgFault> {
        if event.score == right {
            return Ok(());
        }
        self.accept(event, GcgFault::Score { what: what(), right, written: event.score })
    }

    /// Checks that the player can have held the rack and used these tiles. If the tiles are unknown, only `count` is
    /// checked.
    fn check_tiles(&self, event: &GcgEvent, used: &Rack, count: usize) -> Result<(), GcgFault> {
        let (rack, held) = (&event.rack, self.position.held[event.player]);
        let nickname = self.nickname(event.player);
        if rack.size() > held {
            return Err(GcgFault::RackSize { rack: rack.show(self.tileset()), size: rack.size(), nickname, held });
        }
        let together = union(rack, used);
        if together.iter().sum::<usize>() > held || count > held {
            let (rack, mut shown) = (rack.show(self.tileset()), used.show(self.tileset()));
            if used.is_empty() {
                shown = count.to_string();
            }
            return Err(GcgFault::NotOnRack { used: shown, rack, nickname, held });
        }
        self.check_set(together)
    }

    /// Checks that the tile set has these tiles in addition to those on the board.
    fn check_set(&self, mut counts: [usize; MAX_KINDS]) -> Result<(), GcgFault> {
        for (_, tile) in self.position.board.occupied() {
            counts[tile.kind() as usize] += 1;
        }
        Ok(self.tileset().check_counts(&counts)?)
    }

    fn play(&mut self, event: &GcgEvent, start: Square, direction: Direction, word: &[WordSquare]) -> Result<(), GcgFault> {
        self.check_turn(event)?;
        let play = place_word(start, direction, word, &self.position.board, self.tileset())?;
        let setup = self.setup;
        let shown = || show_word(word, &setup.tileset);
        let scored = scoring::score(setup, &self.position.board, &play)
            .map_err(|reason| GcgFault::Illegal { word: shown(), reason })?;
        self.check_score(event, scored.score, shown)?;
        self.check_tiles(event, &Rack::from_tiles(&play.tiles), play.tiles.len())?;
        self.before_play = Some((event.player, event.score, Box::new(self.position.clone())));
        self.place(event.player, Play { score: scored.score, ..play });
        Ok(())
    }

    fn place(&mut self, player: usize, play: Play) {
        let position = &mut self.position;
        let placed: Vec<_> = play.placements(&position.board).collect();
        for (square, tile) in placed {
            position.board.set(square, Some(tile));
        }
        let drawn = play.tiles.len().min(position.bag);
        position.bag -= drawn;
        position.held[player] -= play.tiles.len() - drawn;
        position.scoreless(player);
        if play.score != 0 {
            position.scoreless_turns = 0;
        }
        position.chosen = Some(Move::Play(play));
    }

    fn exchange(&mut self, event: &GcgEvent, tiles: &Rack, count: usize) -> Result<(), GcgFault> {
        self.check_turn(event)?;
        self.check_score(event, 0, || "an exchange".into())?;
        self.check_tiles(event, tiles, count)?;
        let (bag, minimum) = (self.position.bag, self.tileset().rules().exchange_minimum);
        if bag < minimum.max(count) {
            return Err(GcgFault::ExchangeBag { bag, minimum: minimum.max(count) });
        }
        self.position.scoreless(event.player);
        self.position.chosen = (!tiles.is_empty()).then(|| Move::Exchange(tiles.tiles().collect()));
        Ok(())
    }

    fn pass(&mut self, event: &GcgEvent) -> Result<(), GcgFault> {
        self.check_turn(event)?;
        self.check_score(event, 0, || "a pass".into())?;
        self.check_tiles(event, &Rack::default(), 0)?;
        self.position.pass(event.player);
        Ok(())
    }

    fn withdraw(&mut self, event: &GcgEvent, before_play: Option<(usize, i32, Box<GcgPosition>)>) -> Result<(), GcgFault> {
        match before_play {
            Some((player, points, before)) if player == event.player => {
                let is_in_total = event.score == 0 && event.total == before.scores[player];
                if !is_in_total {
                    self.check_score(event, -points, || "withdrawing the play".into())?;
                }
                self.position = GcgPosition { chosen: None, ..*before };
                self.position.scoreless(player);
                Ok(())
            }
            _ => Err(GcgFault::NothingToWithdraw { nickname: self.nickname(event.player) }),
        }
    }

    fn challenge(&mut self, event: &GcgEvent, challenged: Option<usize>) -> Result<(), GcgFault> {
        let challenged = challenged.ok_or(GcgFault::NothingToChallenge)?;
        if event.player == challenged {
            if event.score < 0 {
                return Err(GcgFault::Sign { what: "an unsuccessful challenge", written: event.score });
            }
            if event.score > 0 {
                self.position.scoreless_turns = 0;
            }
        } else {
            if event.score > 0 {
                return Err(GcgFault::Sign { what: "a turn lost by a challenge", written: event.score });
            }
            self.position.pass(event.player);
        }
        Ok(())
    }

    fn out(&mut self, event: &GcgEvent, tiles: &Rack) -> Result<(), GcgFault> {
        self.count(event)?;
        let held = self.position.held[event.player];
        if held > 0 {
            return Err(GcgFault::NotOut { nickname: self.nickname(event.player), held });
        }
        let left = unseen(self.tileset(), &self.position.board, &Rack::default()).unwrap_or_default();
        if left != *tiles {
            let (left, written) = (left.show(self.tileset()), tiles.show(self.tileset()));
            return Err(GcgFault::TilesLeft { left, written });
        }
        let is_loss = |other: &GcgEvent| other.player != event.player && other.action == GcgAction::Penalty(*tiles);
        let points = tiles.points(self.tileset());
        if self.game.events.iter().any(is_loss) {
            return self.check_score(event, points, || "the opponent's tiles, which the opponent loses,".into());
        }
        self.check_score(event, 2 * points, || "twice the opponent's tiles".into())
    }

    /// Records that the remaining tiles are counted for a player, which may happen once.
    fn count(&mut self, event: &GcgEvent) -> Result<(), GcgFault> {
        if std::mem::replace(&mut self.counted[event.player], true) {
            return Err(GcgFault::CountedTwice { nickname: self.nickname(event.player) });
        }
        Ok(())
    }

    fn penalty(&mut self, event: &GcgEvent, tiles: &Rack) -> Result<(), GcgFault> {
        self.count(event)?;
        let held = self.position.held[event.player];
        if tiles.size() != held {
            let (rack, nickname) = (tiles.show(self.tileset()), self.nickname(event.player));
            return Err(GcgFault::RackSize { rack, size: tiles.size(), nickname, held });
        }
        let mut counts = union(tiles, &Rack::default());
        for (kind, count) in self.lost.kinds() {
            counts[kind as usize] += usize::from(count);
        }
        self.check_set(counts)?;
        self.lost = *tiles;
        self.check_score(event, -tiles.points(self.tileset()), || "losing the remaining tiles".into())
    }
}

/// Returns the counts of the smallest multiset that contains both racks, by kind.
fn union(rack: &Rack, other: &Rack) -> [usize; MAX_KINDS] {
    std::array::from_fn(|kind| usize::from(rack.count(kind as u8).max(other.count(kind as u8))))
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    /// A tile set of nine tiles and racks of four, for short games.
    const SMALL: &str = r#"
        name = "small"
        board = "standard"
        total_tiles = 9
        total_points = 17
        blanks = 1
        letters = [
            { letter = "A", count = 3, value = 1 },
            { letter = "Q", count = 1, value = 10 },
            { letter = "S", count = 1, value = 1 },
            { letter = "T", count = 3, value = 1 },
        ]
        [rules]
        rack_size = 4
        bingo_bonus = 50
        exchange_minimum = 1
    "#;

    const SMALL_GAME: &str = "#player1 ann Ann\n#player2 bob Bob\n\
        >ann: AATS 8G TAS +6 6\n\
        >bob: AT 9H AT +8 8\n\
        >ann: A? G8 .Aa +7 13\n\
        >ann:  (TQ) +22 35\n\
        >bob: TQ (time) -10 -2\n";

    const GAME: &str = "#player1 ann Ann\n#player2 bob Bob\n\
        >ann: AEINRTZ 8H ZA +22 22\n\
        >bob: EIOU?TX 8H ZAXT +20 20\n\
        >bob: EIOU?TX -- -20 0\n\
        >ann: EINRTCH -CH +0 22\n\
        >bob: EIOU?TX I8 (A)Xe +17 17\n\
        >bob: EIOUTQW (challenge) +5 22\n\
        >ann:  -3 +0 22\n\
        >bob: QW J9 QI +34 56\n\
        >ann: (challenge) +0 22\n\
        >bob: EOUT - +0 56\n";

    const WORDS: &str = "AA\nTAS\n";

    fn english() -> Setup {
        Setup::from_words(TileSet::embedded("english").unwrap(), WORDS).unwrap()
    }

    fn small() -> Setup {
        Setup::from_words(TileSet::from_toml(SMALL, "small").unwrap(), WORDS).unwrap()
    }

    fn replay_text(text: &str, setup: &Setup) -> Result<Vec<GcgPosition>, String> {
        let game = read(text.as_bytes(), &setup.tileset).map_err(|error| error.to_string())?;
        assert_eq!(read(game.write(&setup.tileset).as_bytes(), &setup.tileset), Ok(game.clone()));
        replay(&game, setup).collect::<Result<_, _>>().map_err(|error| error.to_string())
    }

    #[test]
    fn a_game_with_phonies_and_challenges_is_replayed_to_its_end() {
        let positions = replay_text(GAME, &english()).unwrap();
        let found: Vec<_> =
            positions.iter().map(|at| (at.board.tiles(), at.scores, at.to_move, at.scoreless_turns)).collect();
        let expected = [
            (2, [22, 0], 1, 0),
            (4, [22, 20], 0, 0),
            (2, [22, 0], 0, 1),
            (2, [22, 0], 1, 2),
            (4, [22, 17], 0, 0),
            (4, [22, 22], 0, 0),
            (4, [22, 22], 1, 1),
            (6, [22, 56], 0, 0),
            (6, [22, 56], 1, 1),
            (6, [22, 56], 0, 2),
        ];
        assert_eq!(found, expected);
        assert_eq!((positions[1].bag, positions[2].bag, positions[9].bag), (82, 84, 80));
        assert_eq!((positions[2].chosen, positions[6].chosen, positions[8].chosen), (None, None, Some(Move::Pass)));
    }

    #[test]
    fn going_out_and_time_penalties_are_counted() {
        let positions = replay_text(SMALL_GAME, &small()).unwrap();
        assert_eq!((positions[2].held, positions[2].bag), ([0, 2], 0));
        assert_eq!(positions.last().map(|at| at.scores), Some([35, -2]));
        // Some programs record a pass when the opponent does not challenge the last play.
        let accepted = SMALL_GAME.replace(">ann:  (TQ)", ">bob: TQ - +0 8\n>ann:  (TQ)");
        assert_eq!(replay_text(&accepted, &small()).map(|positions| positions.len()), Ok(6));
    }

    #[test]
    fn where_both_players_count_the_tiles_left_files_may_still_count_them_twice_for_one() {
        let rules = SMALL.replace("exchange_minimum = 1", "exchange_minimum = 1\ntiles_left = \"both\"");
        let both = Setup::from_words(TileSet::from_toml(&rules, "small").unwrap(), WORDS).unwrap();
        let once = SMALL_GAME.replace("(TQ) +22 35", "(TQ) +11 24\n>bob: TQ (TQ) -11 -3").replace("-10 -2", "-10 -13");
        for (text, scores) in [(SMALL_GAME, [35, -2]), (&once, [24, -13])] {
            let last = replay_text(text, &both).map(|positions| positions.last().map(|at| at.scores));
            assert_eq!(last, Ok(Some(scores)));
        }
    }

    #[test]
    fn six_scoreless_turns_cost_the_remaining_tiles() {
        let mut text = String::from("#player1 a\n#player2 b\n");
        for _ in 0..3 {
            text += ">b: AEINRTZ - +0 0\n>a:  - +0 0\n";
        }
        text += ">b: AEINRTZ (AEINRTZ) -16 -16\n>a: AEINR?? (AEINR??) -5 -5\n";
        let positions = replay_text(&text, &english()).unwrap();
        assert_eq!(positions.last().map(|at| (at.scores, at.scoreless_turns)), Some(([-5, -16], 6)));
        let second_z = replay_text(&text.replace("(AEINR??) -5 -5", "(AEINR?Z) -15 -15"), &english()).unwrap_err();
        assert!(second_z.contains("line 10") && second_z.contains("2 Z"), "{second_z}");
        let twice = replay_text(&(text + ">a: AEINR?? (AEINR??) -5 -10\n"), &english()).unwrap_err();
        assert!(twice.contains("line 11") && twice.contains("already counted"), "{twice}");
    }

    #[test]
    fn a_wrong_line_is_reported_with_the_reason() {
        let english = english();
        for (right, wrong, line, reason) in [
            ("ZA +22", "ZA +21", 3, "ZA scores +22, not +21"),
            ("8H ZA ", "1A ZA ", 3, "ZA: the first play must cover the start square"),
            ("8H ZA ", "8P ZA ", 3, "does not fit on a board of 15"),
            ("+22 22", "+22 23", 3, "the total should be 0+22 = 22, not 23"),
            ("8H ZAXT", "8H ZEXT", 4, "needs E on 8I, but the board has A"),
            ("8H ZAXT", "8J XT", 4, "XT: the main word begins before the given square"),
            ("8H ZAXT +20", "A1 XT +20", 4, "XT: the play touches no tile"),
            (">bob: EIOU?TX 8H", ">bob: EIOUABC 8H", 4, "TX are not all on the rack ABCEIOU"),
            ("AEINRTZ 8H", "EINNRTT 8H", 3, "AZ are not all on the rack EINNRTT"),
            ("EIOU?TX 8H", "ZIOU?TX 8H", 4, "2 Z, but the english tile set has 1"),
            (">bob: EIOU?TX 8H", ">ann: EIOU?TX 8H", 4, "ann moves, but it is bob's turn"),
            ("-- -20 0", "-- -19 1", 5, "withdrawing the play scores -20, not -19"),
            (">bob: EIOU?TX -- -20 0", ">ann: EIOU?TX -- -20 2", 5, "not a play of ann"),
            (">bob: EIOU?TX -- -20 0\n", "", 8, "(challenge) must follow the challenged play"),
            ("-CH +0", "-CH +1", 6, "an exchange scores +0, not +1"),
            ("(challenge) +5 22", "(challenge) -5 12", 8, "cannot score -5"),
            (">ann: (challenge) +0 22", ">ann: (challenge) +5 27", 11, "a turn lost by a challenge cannot score +5"),
            (">bob: EOUT - +0 56", ">bob:  (ABC) +14 70", 12, "still holds 7"),
            (">bob: EOUT - +0 56", ">bob:  (ABC) -7 49", 12, "has 3 tiles, but bob holds 7"),
            (">bob: EOUT - +0 56", ">bob: (time) +5 61", 12, "a time penalty cannot score +5"),
        ] {
            assert!(GAME.contains(right), "{right}");
            let text = GAME.replacen(right, wrong, 1);
            // Without the withdrawal other lines would be wrong first, so they are removed too.
            let text = if wrong.is_empty() {
                text.replace(">ann: EINRTCH -CH +0 22\n>bob: EIOU?TX I8 (A)Xe +17 17\n", ">ann:  -2 +0 22\n")
            } else {
                text
            };
            let line = if wrong.is_empty() { 6 } else { line };
            let error = replay_text(&text, &english).unwrap_err();
            assert!(error.starts_with(&format!("GCG line {line}: ")) && error.contains(reason), "{wrong}: {error}");
        }
        let small = small();
        for (right, wrong, line, reason) in [
            ("(TQ) +22 35", "(TQ) +11 24", 6, "twice the opponent's tiles scores +22, not +11"),
            ("(TQ) +22 35", "(AQ) +22 35", 6, "the remaining tiles are QT, not AQ"),
            (">bob: AT 9H AT +8 8", ">bob: AT -AT +0 0", 4, "an exchange with 0 tiles in the bag; the rules require 2"),
            (">ann: A? G8", ">ann: AT? G8", 5, "the rack AT? has 3 tiles, but ann holds 2"),
            (
                ">ann:  (TQ) +22 35\n>bob: TQ (time) -10 -2",
                ">bob: TQ B1 QT +22 30",
                6,
                "bob moves after the end of the game",
            ),
            (">bob: TQ (time) -10 -2", ">bob: TQ - +0 8", 7, "bob moves after the end of the game"),
        ] {
            assert!(SMALL_GAME.contains(right), "{right}");
            let error = replay_text(&SMALL_GAME.replacen(right, wrong, 1), &small).unwrap_err();
            assert!(error.starts_with(&format!("GCG line {line}: ")) && error.contains(reason), "{wrong}: {error}");
        }
    }

    #[test]
    fn wrong_scores_are_accepted_on_request_and_count_as_written() {
        let setup = english();
        let text = GAME.replace("ZA +22 22", "ZA +23 23").replace("-CH +0 22", "-CH +0 24").replace("+0 22", "+0 24");
        let game = read(text.as_bytes(), &setup.tileset).unwrap();
        let mut replay = replay(&game, &setup).accepting_scores();
        let positions: Vec<GcgPosition> = replay.by_ref().map(Result::unwrap).collect();
        assert_eq!(positions.iter().map(|at| at.scores[0]).collect::<Vec<_>>(), [23, 23, 23, 24, 24, 24, 24, 24, 24, 24]);
        let accepted: Vec<String> = replay.accepted().iter().map(ToString::to_string).collect();
        assert_eq!(accepted.len(), 2, "{accepted:?}");
        assert!(accepted[0].contains("line 3") && accepted[0].contains("ZA scores +22, not +23"), "{accepted:?}");
        assert!(accepted[1].contains("line 6") && accepted[1].contains("23+0 = 23, not 24"), "{accepted:?}");
    }

    #[test]
    fn a_game_of_another_tile_set_is_an_error_not_a_panic() {
        let polish = TileSet::embedded("polish").unwrap();
        let game = read("#player1 a\n#player2 b\n>a: ŻŹ 8H ŹŻ +28 28\n".as_bytes(), &polish).unwrap();
        let error = replay(&game, &english()).next().unwrap().unwrap_err().to_string();
        assert!(error.contains("line 3") && error.contains("the english tile set does not have"), "{error}");
        assert!(replay(&game, &Setup::from_words(polish, WORDS).unwrap()).all(|position| position.is_ok()));
    }
}
