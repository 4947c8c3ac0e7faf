//! What a position network sees beside the tiles left, from the view of the player to move.

use serde::{Deserialize, Serialize};
use tilewright_engine::features::openness;
use tilewright_engine::game::Game;
use tilewright_engine::setup::Setup;
use tilewright_engine::tileset::{Tile, TileSet};
use tilewright_engine::turn::Turn;
use tilewright_engine::win_percentage::{States, TilesLeft};

use crate::win_percentage::network::features;

/// The version of what is seen; records of another are made anew.
pub const VERSION: &str = "position, version 1";

/// Something that can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Input {
    /// Unseen blanks.
    Blanks,
    /// Unseen tiles of the letter that makes the most words longer at their end: S in English.
    Hooks,
    /// Unseen tiles of the letter in the fewest words that a rack could hold: Q in English.
    Rare,
    /// How open the board is to bingos.
    Openness,
}

/// Those that are unseen tiles, in the order of [`Seen::unseen`].
const TILES: [Input; 3] = [Input::Blanks, Input::Hooks, Input::Rare];

/// A position as the player to move sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// Unseen blanks, hooks and rare tiles.
    pub unseen: [u8; 3],
    /// Openness of the board, in thousandths of a place.
    pub openness: u32,
}

/// How a network looks at the positions of a tile set with its words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sight {
    /// What it is told of, each once.
    pub inputs: Vec<Input>,
    /// The kinds that count as blanks, hooks and rare tiles.
    pub kinds: [u8; 3],
    /// How many tiles of each the set has.
    pub totals: [u8; 3],
    /// The most places for bingos that a board could have.
    pub most_places: u32,
}

impl Sight {
    /// That of a setup.
    ///
    /// # Cost
    /// Every word is looked at once: 0.02 s for 169,000 English ones.
    pub fn of(setup: &Setup, inputs: &[Input]) -> Sight {
        let [hooks, words] = letter_counts(setup);
        let there = || (1..=setup.tileset.letters()).filter(|&letter| setup.tileset.kinds()[letter as usize].count > 0);
        // Of letters alike the first.
        let hook = there().rev().max_by_key(|&letter| hooks[letter as usize]).unwrap_or_default();
        let rare = there().min_by_key(|&letter| words[letter as usize]).unwrap_or_default();
        let kinds = [Tile::BLANK.kind(), hook, rare];
        Sight {
            inputs: inputs.to_vec(),
            kinds,
            totals: kinds.map(|kind| setup.tileset.kinds()[kind as usize].count),
            most_places: openness::most_places(setup) as u32,
        }
    }

    /// What the player to move sees.
    pub fn look(&self, setup: &Setup, game: &Game) -> Seen {
        let unseen = game.unseen();
        let turn = Turn { setup, position: game.position(), unseen: &unseen };
        let openness = (1000.0 * openness::of_turn(&turn)).round() as u32;
        Seen { unseen: self.kinds.map(|kind| unseen.count(kind)), openness }
    }

    /// What a network is told of a position: of the tiles left what the plain one is told; of each sort of tile the share that is
    /// unseen and how many of them the other player should hold; of openness its share of all places, and the root of it.
    pub fn told(&self, states: States, left: TilesLeft, seen: &Seen) -> Vec<f32> {
        let mut told = features(states, left);
        let on_rack = left.other as f32 / left.unseen().max(1) as f32;
        for input in &self.inputs {
            if let Some(sort) = TILES.iter().position(|tile| tile == input) {
                let count = f32::from(seen.unseen[sort]);
                told.extend([count / f32::from(self.totals[sort].max(1)), count * on_rack]);
            } else {
                let share = seen.openness as f32 / (1000.0 * self.most_places.max(1) as f32);
                told.extend([share, share.sqrt()]);
            }
        }
        told
    }

    /// How many numbers it adds to those of the plain network.
    pub fn more(&self) -> usize {
        2 * self.inputs.len()
    }

    /// Its inputs in words: `blanks, hooks (S), rare (Q), openness`.
    pub fn describe(&self, tileset: &TileSet) -> String {
        let label = |kind: u8| tileset.kinds().get(kind as usize).map_or("", |kind| kind.label.as_str());
        let name = |input: &Input| match input {
            Input::Blanks => "blanks".to_string(),
            Input::Hooks => format!("hooks ({})", label(self.kinds[1])),
            Input::Rare => format!("rare ({})", label(self.kinds[2])),
            Input::Openness => "openness".to_string(),
        };
        self.inputs.iter().map(name).collect::<Vec<_>>().join(", ")
    }
}

/// For each letter the words that it makes longer at their end, and the words of up to a rack of tiles that hold it.
fn letter_counts(setup: &Setup) -> [Vec<u64>; 2] {
    let graph = &setup.lexicon.graph;
    let rack_size = setup.tileset.rules().rack_size;
    let mut counts = [0, 1].map(|_| vec![0_u64; setup.tileset.kinds().len()]);
    graph.for_each_word(|word| {
        if let Some((&last, shorter)) = word.split_last() {
            counts[0][last as usize] += u64::from(graph.contains(shorter));
        }
        if word.len() > rack_size {
            return;
        }
        let held = word.iter().fold(0_u64, |letters, letter| letters | 1 << letter);
        (0..64).filter(|letter| held >> letter & 1 == 1).for_each(|letter: usize| counts[1][letter] += 1);
    });
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewright_engine::layout::Layout;
    use tilewright_engine::lexicon::Lexicon;

    fn setup(tileset: &str, words: Option<&str>) -> Setup {
        let tileset = TileSet::embedded(tileset).unwrap();
        let layout = Layout::embedded(tileset.board()).unwrap();
        let lexicon = match words {
            Some(words) => Lexicon::from_text(words, &tileset),
            None => Lexicon::load("enable2k", &tileset, layout.side(), None),
        };
        Setup::for_few_positions(tileset, layout, lexicon.unwrap())
    }

    const ALL: [Input; 4] = [Input::Blanks, Input::Hooks, Input::Rare, Input::Openness];

    #[test]
    fn hooks_and_rare_tiles_come_from_the_words() {
        let english = setup("english", None);
        assert_eq!(Sight::of(&english, &ALL).describe(&english.tileset), "blanks, hooks (S), rare (Q), openness");
        assert_eq!(Sight::of(&english, &ALL).totals, [2, 4, 1]);
        // Every letter in two words or more but Ź in one, which is tied with nothing; Y lengthens two words.
        let letters: Vec<String> =
            TileSet::embedded("polish").unwrap().kinds()[1..].iter().map(|kind| kind.label.clone()).collect();
        let twice: String =
            letters.iter().filter(|letter| *letter != "Ź").map(|letter| format!("{letter}KO\nO{letter}K\n")).collect();
        let polish = setup("polish", Some(&format!("{twice}DOM\nDOMY\nKOT\nKOTY\nŹLE\n")));
        assert_eq!(Sight::of(&polish, &ALL[1..3]).describe(&polish.tileset), "hooks (Y), rare (Ź)");
    }

    #[test]
    fn what_is_told_follows_what_is_seen() {
        let english = setup("english", None);
        let sight = Sight::of(&english, &ALL);
        let (states, left) = (States::of(&english.tileset), TilesLeft { bag: 14, own: 7, other: 7 });
        let told = sight.told(states, left, &Seen { unseen: [1, 3, 0], openness: 67_500 });
        let more = &told[told.len() - sight.more()..];
        assert_eq!(more, [0.5, 1.0 / 3.0, 0.75, 1.0, 0.0, 0.0, 0.25, 0.5]);
        assert_eq!(told[..told.len() - sight.more()], features(states, left));
        let blind = Sight::of(&english, &[]);
        assert_eq!(blind.told(states, left, &Seen::default()), features(states, left));
    }

    #[test]
    fn a_game_is_seen_by_the_player_to_move() {
        let english = setup("english", None);
        let sight = Sight::of(&english, &ALL);
        let game = Game::deal(&english, 1, 0);
        let seen = sight.look(&english, &game);
        let held = sight.kinds.map(|kind| game.rack().count(kind));
        assert_eq!([0, 1, 2].map(|sort: usize| seen.unseen[sort] + held[sort]), sight.totals);
        // The first play covers the start square: seven places along the row and seven along the column.
        assert_eq!(seen.openness, 14_000);
    }
}
