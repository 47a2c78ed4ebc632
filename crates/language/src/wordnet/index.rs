//! `index.noun` and its three siblings: which senses a lemma has.
//!
//! A line is `lemma pos synset_count pointer_count pointer* sense_count tagged_count offset*`; lines
//! that begin with a space are the licence.

use crate::LanguageError;
use crate::mapped_file::MappedFile;

/// An index file, and where its lines begin, in the order of their lemmas.
#[derive(Debug)]
pub(super) struct Index {
    file: MappedFile,
    starts: Vec<usize>,
}

/// The content of a line.
#[derive(Debug, PartialEq)]
pub(super) struct Entry<'a> {
    /// In lower case, with underscores between words.
    pub(super) lemma: &'a str,
    /// Offsets of its senses in the data file, most frequent first.
    pub(super) offsets: Vec<usize>,
}

impl Index {
    /// Reads every line and checks every synset that it names. `letter` is the part of speech in the file. Files are
    /// sorted by lemma; if one is not, it is sorted here. If a lemma has two lines, the later one counts.
    pub(super) fn open(
        file: MappedFile,
        letter: u8,
        check: impl Fn(usize) -> Result<(), LanguageError>,
    ) -> Result<Self, LanguageError> {
        let file = file.whole_lines()?;
        let bytes = file.bytes();
        let fault = |byte, reason| LanguageError::in_line(file.path(), bytes, byte, reason);
        let text =
            std::str::from_utf8(bytes).map_err(|error| fault(error.valid_up_to(), "not UTF-8 text".to_owned()))?;
        let mut starts = Vec::new();
        let (mut start, mut in_order, mut previous) = (0, true, "");
        for line in text.split_inclusive('\n') {
            if !line.starts_with(' ') {
                let entry = parse(line, letter).map_err(|reason| fault(start, reason))?;
                for offset in entry.offsets {
                    check(offset).map_err(|error| {
                        let reason = format!("synset {offset:08} of {:?}: {error}", entry.lemma);
                        fault(start, reason)
                    })?;
                }
                in_order &= previous < entry.lemma;
                previous = entry.lemma;
                starts.push(start);
            }
            start += line.len();
        }
        if starts.is_empty() {
            let reason = "no line of a lemma; expected those of a WordNet index";
            return Err(fault(0, reason.to_owned()));
        }
        let mut index = Self { file, starts };
        if !in_order {
            let mut starts = std::mem::take(&mut index.starts);
            starts.sort_by(|&a, &b| index.lemma_at(a).cmp(index.lemma_at(b)));
            index.starts = starts;
        }
        Ok(index)
    }

    fn lemma_at(&self, start: usize) -> &[u8] {
        let line = self.file.bytes().get(start..).unwrap_or_default();
        let end = line.iter().position(u8::is_ascii_whitespace);
        &line[..end.unwrap_or(line.len())]
    }

    /// Start of the line for `lemma`.
    fn find(&self, lemma: &str) -> Option<usize> {
        let lemma = lemma.as_bytes();
        let after = self.starts.partition_point(|&start| self.lemma_at(start) <= lemma);
        let start = *self.starts.get(after.checked_sub(1)?)?;
        (self.lemma_at(start) == lemma).then_some(start)
    }

    pub(super) fn contains(&self, lemma: &str) -> bool {
        self.find(lemma).is_some()
    }

    /// The senses of `lemma`; empty if it is unknown.
    pub(super) fn offsets(&self, lemma: &str, letter: u8) -> Vec<usize> {
        let line = self.find(lemma).map(|start| self.file.line_at(start));
        line.and_then(|line| std::str::from_utf8(line).ok())
            .and_then(|line| parse(line, letter).ok())
            .map_or_else(Vec::new, |entry| entry.offsets)
    }

    /// Every lemma, in byte order.
    pub(super) fn lemmas(&self) -> impl Iterator<Item = &str> {
        let lemmas = self.starts.iter().map(|&start| self.lemma_at(start));
        lemmas.filter_map(|lemma| std::str::from_utf8(lemma).ok())
    }
}

fn parse(line: &str, letter: u8) -> Result<Entry<'_>, String> {
    let mut fields = line.split_ascii_whitespace();
    let mut next = |what: &str| fields.next().ok_or_else(|| format!("the line ends before {what}"));
    let lemma = next("the lemma")?;
    let part = next("the part of speech")?;
    if part.as_bytes() != [letter] {
        return Err(format!("part of speech {part:?}, expected {:?} in this file", char::from(letter)));
    }
    let senses = count(next("the number of synsets")?, "the number of synsets")?;
    let pointers = count(next("the number of pointers")?, "the number of pointers")?;
    for _ in 0..pointers {
        next("the last pointer symbol")?;
    }
    let again = count(next("the number of senses")?, "the number of senses")?;
    if senses == 0 || again != senses {
        return Err(format!("{senses} synsets but {again} senses of {lemma:?}; expected two equal numbers above 0"));
    }
    next("the number of tagged senses")?;
    let mut offsets = Vec::new();
    for _ in 0..senses {
        let what = "the last synset offset";
        offsets.push(count(next(what)?, "a synset offset")?);
    }
    match fields.next() {
        None => Ok(Entry { lemma, offsets }),
        Some(extra) => Err(format!("{extra:?} after {senses} synset offsets of {lemma:?}")),
    }
}

fn count(field: &str, what: &str) -> Result<usize, String> {
    field.parse().map_err(|_| format!("{what} is {field:?}, expected a whole number"))
}
