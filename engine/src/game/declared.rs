//! The rules that files of other programs name: honoured, or refused by name.

use thiserror::Error;

use super::cgp::Opcodes;
use super::gcg::Pragmas;
use crate::setup::Setup;

/// A rule of a file that the game in use does not have.
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OtherRules {
    #[error("{name} {value}: this variant is another game, which is not supported; only the classic one is")]
    Variant { name: String, value: String },
    #[error("{name} {value}: the board in use is {used}; choose a tile set with the right board, or correct the name")]
    Board { name: String, value: String, used: String },
    #[error("{name} {value}: the {tileset} tile set has {used}; choose a tile set with this rule, or remove it")]
    Rule { name: String, value: String, tileset: String, used: i64 },
    #[error("{name}: unknown opcode, which may change the rules; remove it if it does not")]
    Unknown { name: String },
}

/// The names of the boards in Macondo, Woogles and MAGPIE, with ours.
const BOARDS: [(&str, &str); 4] =
    [("CrosswordGame", "standard"), ("SuperCrosswordGame", SUPER), ("standard15", "standard"), ("standard21", SUPER)];
/// The board of 21 × 21 squares.
const SUPER: &str = "super";
/// Opcodes that change no rule: challenges, identities, the last move and clocks. `lex` and `ld` name the game itself.
const HARMLESS: [&str; 8] = ["lex", "ld", "cr", "gid", "lm", "ti", "tmr", "to"];

fn check_variant(name: &str, value: &str, setup: &Setup) -> Result<(), OtherRules> {
    let (name, used) = (name.to_string(), setup.layout.name());
    match &*value.to_ascii_lowercase() {
        "" | "classic" => Ok(()),
        "classic_super" if used == SUPER => Ok(()),
        "classic_super" => Err(OtherRules::Board { name, value: value.into(), used: used.into() }),
        _ => Err(OtherRules::Variant { name, value: value.into() }),
    }
}

fn check_board(name: &str, value: &str, setup: &Setup) -> Result<(), OtherRules> {
    let own = BOARDS.iter().find(|(other, _)| value.eq_ignore_ascii_case(other)).map_or(value, |(_, own)| own);
    let used = setup.layout.name();
    if own.is_empty() || own.eq_ignore_ascii_case(used) {
        return Ok(());
    }
    Err(OtherRules::Board { name: name.into(), value: value.into(), used: used.into() })
}

fn check_rule(name: &str, value: &str, used: i64, setup: &Setup) -> Result<(), OtherRules> {
    if value.parse() == Ok(used) {
        return Ok(());
    }
    Err(OtherRules::Rule { name: name.into(), value: value.into(), tileset: setup.tileset.name().into(), used })
}

impl Opcodes {
    /// Checks that the opcodes name the rules of the setup.
    ///
    /// # Errors
    /// [`OtherRules`] with the first opcode that names others, or is not known.
    pub fn check(&self, setup: &Setup) -> Result<(), OtherRules> {
        let rules = setup.tileset.rules();
        self.0.iter().try_for_each(|(name, value)| match &**name {
            "var" => check_variant(name, value, setup),
            "bdn" => check_board(name, value, setup),
            "bb" => check_rule(name, value, rules.bingo_bonus.into(), setup),
            "etl" => check_rule(name, value, rules.exchange_minimum as i64, setup),
            "mcnz" => check_rule(name, value, rules.scoreless_turns_to_end.into(), setup),
            known if HARMLESS.contains(&known) => Ok(()),
            _ => Err(OtherRules::Unknown { name: name.clone() }),
        })
    }
}

impl Pragmas {
    /// Checks that the pragmas name the variant and the board of the setup. Other pragmas change no rule.
    ///
    /// # Errors
    /// [`OtherRules`] if they name others.
    pub fn check(&self, setup: &Setup) -> Result<(), OtherRules> {
        let named = |name: &'static str| self.value(name).map(|value| (name, value));
        named("game-type").map_or(Ok(()), |(name, value)| check_variant(&format!("#{name}"), value, setup))?;
        named("board-layout").map_or(Ok(()), |(name, value)| check_board(&format!("#{name}"), value, setup))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tileset::TileSet;

    #[test]
    fn other_rules_are_refused_by_name() {
        let setup = Setup::from_words(TileSet::embedded("english").unwrap(), "AS\n").unwrap();
        let of = |text: &str| {
            let pairs =
                text.split_terminator(';').map(|opcode| opcode.trim().split_once(' ').unwrap_or((opcode.trim(), "")));
            Opcodes(pairs.map(|(name, value)| (name.into(), value.into())).collect())
        };
        let check = |text: &str| of(text).check(&setup).map_err(|error| error.to_string());
        let fine = "lex X; ld y; bdn CrosswordGame; bdn standard; var classic; bb 50; etl 7; mcnz 6; cr double; gid 1; lm -; ti 1; tmr 1/2; to 3;";
        assert_eq!(check(fine), Ok(()));
        for (text, reason) in [
            ("bdn SuperCrosswordGame;", "bdn SuperCrosswordGame: the board in use is standard"),
            ("var wordsmog;", "var wordsmog: this variant is another game"),
            ("var classic_super;", "var classic_super: the board in use is standard"),
            ("bdn standard21;", "bdn standard21: the board in use is standard"),
            ("bb 35;", "bb 35: the english tile set has 50"),
            ("etl 1;", "etl 1: the english tile set has 7"),
            ("mcnz 4;", "mcnz 4: the english tile set has 6"),
            ("xyz;", "xyz: unknown opcode"),
        ] {
            assert!(check(text).unwrap_err().contains(reason), "{text}");
        }
        let pragmas = |name: &str, value: &str| Pragmas(vec![(name.into(), value.into())]).check(&setup);
        assert!(pragmas("Board-Layout", "crosswordgame").is_ok() && pragmas("style", "x").is_ok());
        assert!(pragmas("game-type", "wordsmog").unwrap_err().to_string().contains("#game-type wordsmog"));
        assert!(pragmas("board-layout", "super").unwrap_err().to_string().contains("#board-layout super"));
    }
}
