//! Flags, by which words select affixes, in the three forms that dictionaries use.

use crate::Failure;

/// A flag: it names a table of affixes, or a rule such as `NEEDAFFIX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Flag(u64);

/// The form in which flags are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FlagForm {
    /// One character each: `ABC` is three flags. The default, and `FLAG UTF-8`.
    #[default]
    Character,
    /// Two characters each: `A1B2` is two flags. `FLAG long`.
    Long,
    /// Numbers from 1 to 65535 with commas between them. `FLAG num`.
    Number,
}

/// A reader of flags: their form, and the numbered sets of the `AF` lines.
#[derive(Clone, Debug, Default)]
pub struct FlagReader {
    form: FlagForm,
    aliases: Vec<Vec<Flag>>,
}

impl FlagForm {
    /// The form that a `FLAG` line names.
    pub fn named(name: &str) -> Result<FlagForm, Failure> {
        match name {
            "UTF-8" => Ok(FlagForm::Character),
            "long" => Ok(FlagForm::Long),
            "num" => Ok(FlagForm::Number),
            _ => Err(Failure::input(format!(
                "unknown form of flags {name:?}; write FLAG long, num or UTF-8, or remove the line"
            ))),
        }
    }
}

impl FlagReader {
    pub fn new(form: FlagForm) -> FlagReader {
        FlagReader { form, aliases: Vec::new() }
    }

    /// Adds a set of flags under the next number, starting at 1.
    pub fn add_alias(&mut self, text: &str) -> Result<(), Failure> {
        self.aliases.push(self.spelled_out(text)?);
        Ok(())
    }

    pub fn one(&self, text: &str) -> Result<Flag, Failure> {
        match self.as_written(text)?.as_slice() {
            &[flag] => Ok(flag),
            _ => Err(Failure::input(format!("{text:?} is not one flag; name exactly one"))),
        }
    }

    /// Reads the flags after the slash of a word or an affix: a number if there are numbered sets, otherwise the flags
    /// themselves.
    pub fn set(&self, text: &str) -> Result<Vec<Flag>, Failure> {
        if self.aliases.is_empty() {
            return self.spelled_out(text);
        }
        let number: Option<usize> = text.parse().ok();
        let alias = number.and_then(|number| self.aliases.get(number.checked_sub(1)?));
        alias.cloned().ok_or_else(|| {
            let most = self.aliases.len();
            Failure::input(format!("{text:?} is not the number of a set of flags; the AF lines define 1 to {most}"))
        })
    }

    /// Reads flags that are spelled out. They are sorted and unique, because a repeated flag would form the same words
    /// again, and with two suffixes again and again.
    pub fn spelled_out(&self, text: &str) -> Result<Vec<Flag>, Failure> {
        let mut flags = self.as_written(text)?;
        flags.sort_unstable();
        flags.dedup();
        Ok(flags)
    }

    fn as_written(&self, text: &str) -> Result<Vec<Flag>, Failure> {
        let bad = |form: &str| Failure::input(format!("{text:?} is not a list of flags; {form}"));
        match self.form {
            FlagForm::Character => Ok(text.chars().map(|character| Flag(character.into())).collect()),
            FlagForm::Long => {
                let characters: Vec<u64> = text.chars().map(u64::from).collect();
                let (pairs, rest) = characters.as_chunks::<2>();
                let flags = pairs.iter().map(|[first, second]| Flag(first << 32 | second)).collect();
                if rest.is_empty() { Ok(flags) } else { Err(bad("FLAG long means two characters each")) }
            }
            FlagForm::Number => {
                let number = |part: &str| match part.trim().parse::<u16>() {
                    Ok(number) if number > 0 => Ok(Flag(number.into())),
                    _ => Err(bad("FLAG num means numbers from 1 to 65535 with commas between them")),
                };
                text.split(',').map(number).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_forms_read_their_flags() {
        let count = |form, text: &str| FlagReader::new(form).set(text).map(|flags| flags.len()).ok();
        assert_eq!(count(FlagForm::Character, "AÀé"), Some(3));
        assert_eq!(count(FlagForm::Character, ""), Some(0));
        assert_eq!(count(FlagForm::Long, "A1()"), Some(2));
        assert_eq!(count(FlagForm::Long, "A1B"), None);
        assert_eq!(count(FlagForm::Number, "1,65535"), Some(2));
        for bad in ["0", "65536", "1,,2", "A", ""] {
            assert_eq!(count(FlagForm::Number, bad), None, "{bad:?}");
        }
    }

    #[test]
    fn the_order_of_characters_matters() {
        let reader = FlagReader::new(FlagForm::Long);
        assert_ne!(reader.one("AB").unwrap(), reader.one("BA").unwrap());
        assert!(reader.one("ABAB").is_err() && reader.one("").is_err());
    }

    #[test]
    fn repeated_flags_count_once_but_are_not_read_as_one() {
        let reader = FlagReader::new(FlagForm::Character);
        assert_eq!(reader.set("BABAB").unwrap(), ["A", "B"].map(|flag| reader.one(flag).unwrap()));
        assert!(reader.one("AA").is_err());
        let mut numbered = reader.clone();
        numbered.add_alias("AAA").unwrap();
        assert_eq!(numbered.set("1").unwrap().len(), 1);
    }

    #[test]
    fn numbered_sets_are_looked_up() {
        let mut reader = FlagReader::new(FlagForm::Character);
        reader.add_alias("AB").unwrap();
        assert_eq!(reader.set("1").unwrap(), reader.spelled_out("AB").unwrap());
        for bad in ["0", "2", "A", "-1", "99999999999999999999999"] {
            let message = reader.set(bad).unwrap_err().message();
            assert!(message.contains(bad) && message.contains("1 to 1"), "{message}");
        }
    }
}
