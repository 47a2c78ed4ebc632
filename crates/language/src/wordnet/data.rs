//! `data.noun` and its three siblings: the synsets.
//!
//! A line is `offset file_number type lemma_count (lemma lexical_id)* pointer_count (symbol offset type place)* ... |
//! gloss`; its offset is the byte where it begins. Pointers are read only for adjectives.

use crate::LanguageError;
use crate::mapped_file::MappedFile;
use neurogauge_core::PartOfSpeech;

/// The lexicographer files, in the order of their numbers (lexnames(5WN)).
const FILES: &str = "adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body \
                     noun.cognition noun.communication noun.event noun.feeling noun.food noun.group noun.location \
                     noun.motive noun.object noun.person noun.phenomenon noun.plant noun.possession noun.process \
                     noun.quantity noun.relation noun.shape noun.state noun.substance noun.time verb.body verb.change \
                     verb.cognition verb.communication verb.competition verb.consumption verb.contact verb.creation \
                     verb.emotion verb.motion verb.perception verb.possession verb.social verb.stative verb.weather \
                     adj.ppl";

/// One data file.
#[derive(Debug)]
pub(super) struct Data {
    file: MappedFile,
    part: PartOfSpeech,
}

/// Lemmas that share a sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Synset {
    /// Part of speech; satellites count as adjectives.
    pub part: PartOfSpeech,
    /// The byte where its line begins in the data file of its part of speech, which is its name there.
    pub offset: usize,
    /// Is it an adjective that belongs to a head adjective ("s" in the file)?
    pub satellite: bool,
    /// The lexicographer file that it belongs to, such as `noun.location`: its semantic field.
    pub file: &'static str,
    /// Offsets of the nouns of which an adjective gives a value ("red": "colour"; pointer `=`).
    pub attributes: Vec<usize>,
    /// Offsets of the adjectives to which an adjective is similar (pointer `&`); for a satellite only its head.
    pub similar: Vec<usize>,
    /// Its lemmas as in the file, with their case and with underscores between words, but without the adjective markers
    /// (a), (p) and (ip).
    pub lemmas: Vec<String>,
}

impl Data {
    pub(super) fn open(file: MappedFile, part: PartOfSpeech) -> Result<Self, LanguageError> {
        let file = file.whole_lines()?;
        Ok(Self { file, part })
    }

    /// The synset whose line begins at `offset`.
    pub(super) fn synset(&self, offset: usize) -> Result<Synset, LanguageError> {
        let mut lemmas = Vec::new();
        let synset = self.read(offset, |lemma| lemmas.push(lemma.to_owned()))?;
        Ok(Synset { lemmas, ..synset })
    }

    /// Reads the synset at `offset` without its lemmas, which are passed to `give`.
    pub(super) fn read(&self, offset: usize, give: impl FnMut(&str)) -> Result<Synset, LanguageError> {
        self.parse(offset, give).map_err(|reason| LanguageError::Byte {
            path: self.file.path().to_owned(),
            byte: offset,
            reason,
        })
    }

    fn parse(&self, offset: usize, mut give: impl FnMut(&str)) -> Result<Synset, String> {
        let bytes = self.file.bytes();
        if offset >= bytes.len() {
            return Err(format!(
                "expected a synset here, and the file has only {} bytes: it was cut short, or it is of \
                 another version than the index",
                bytes.len()
            ));
        }
        let mut rest = &bytes[offset..];
        let mut next = || {
            let end = rest.iter().position(|&byte| byte == b' ' || byte == b'\n');
            let (field, after) = rest.split_at(end.unwrap_or(rest.len()));
            rest = after.strip_prefix(b" ").unwrap_or_default();
            field
        };
        let begins = offset == 0 || bytes[offset - 1] == b'\n';
        let own = next();
        if !begins || number(own, 10) != Some(offset) {
            return Err(format!(
                "expected the line of synset {offset:08}, found {:?}; index and data files must be of one \
                 version",
                shown(own)
            ));
        }
        let written = next();
        let file = number(written, 10).and_then(|number| FILES.split(' ').nth(number)).ok_or_else(|| {
            let last = FILES.split(' ').count() - 1;
            let written = shown(written);
            format!("lexicographer file {written:?}, expected a number from 00 to {last}")
        })?;
        let satellite = match (next(), self.part) {
            (b"n", PartOfSpeech::Noun)
            | (b"v", PartOfSpeech::Verb)
            | (b"a", PartOfSpeech::Adjective)
            | (b"r", PartOfSpeech::Adverb) => false,
            (b"s", PartOfSpeech::Adjective) => true,
            (found, part) => return Err(format!("synset type {:?} among {part:?}s", shown(found))),
        };
        let count = next();
        let lemmas = number(count, 16).filter(|&count| count > 0).ok_or_else(|| {
            let count = shown(count);
            format!("the number of lemmas is {count:?}, expected a hexadecimal number above 0")
        })?;
        for position in 1..=lemmas {
            let (lemma, id) = (next(), next());
            match std::str::from_utf8(lemma) {
                Ok(name) if !name.is_empty() && number(id, 16).is_some() => {
                    give(without_marker(name));
                }
                _ => {
                    return Err(format!(
                        "lemma {position} of {lemmas} is {:?} with the number {:?}; expected a word and a \
                         hexadecimal number",
                        shown(lemma),
                        shown(id)
                    ));
                }
            }
        }
        let mut synset = Synset {
            part: self.part,
            offset,
            satellite,
            file,
            attributes: Vec::new(),
            similar: Vec::new(),
            lemmas: Vec::new(),
        };
        if self.part != PartOfSpeech::Adjective {
            return Ok(synset);
        }
        let count = next();
        let pointers = number(count, 10).ok_or_else(|| {
            let count = shown(count);
            format!("the number of pointers is {count:?}, expected a decimal number")
        })?;
        for position in 1..=pointers {
            let (symbol, target) = (next(), next());
            // The target's part of speech, and the lemmas of both synsets that it joins.
            next();
            next();
            let target = number(target, 10).ok_or_else(|| {
                let target = shown(target);
                format!("pointer {position} of {pointers} is to {target:?}, expected the place of a synset")
            })?;
            match symbol {
                b"=" => synset.attributes.push(target),
                b"&" => synset.similar.push(target),
                _ => {}
            }
        }
        Ok(synset)
    }

    /// The WordNet version that the licence at the head of the file names, e.g. "3.0".
    pub(super) fn version(&self) -> Option<&str> {
        let bytes = self.file.bytes();
        let mut lines = bytes.split(|&byte| byte == b'\n');
        let licence = lines.by_ref().take_while(|line| line.starts_with(b" "));
        licence.into_iter().find_map(|line| {
            let (before, _) = std::str::from_utf8(line).ok()?.split_once(" Copyright")?;
            let (_, version) = before.rsplit_once("WordNet ")?;
            (!version.is_empty() && version.chars().all(|c: char| c.is_ascii_digit() || c == '.')).then_some(version)
        })
    }
}

/// The number that `digits` spell.
fn number(digits: &[u8], base: u32) -> Option<usize> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_usize, |number, &digit| {
        let digit = char::from(digit).to_digit(base)?;
        number.checked_mul(base as usize)?.checked_add(digit as usize)
    })
}

/// The beginning of a field, for error messages.
fn shown(field: &[u8]) -> String {
    String::from_utf8_lossy(field).chars().take(20).collect()
}

/// `lemma` without a final pair of brackets, which states its position in a phrase.
fn without_marker(lemma: &str) -> &str {
    let Some(inside) = lemma.strip_suffix(')') else {
        return lemma;
    };
    match inside.rfind(['(', ')']) {
        Some(bracket) if inside.as_bytes()[bracket] == b'(' => &lemma[..bracket],
        _ => lemma,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_cut_off_and_other_brackets_stay() {
        for (written, lemma) in [
            ("afloat(p)", "afloat"),
            ("galore(ip)", "galore"),
            ("New_York", "New_York"),
            ("(a)", ""),
            ("f(x)(y)", "f(x)"),
            ("odd))", "odd))"),
            ("odd)", "odd)"),
        ] {
            assert_eq!(without_marker(written), lemma);
        }
    }
}
