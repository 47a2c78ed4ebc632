//! `index.noun` and its three siblings: which senses a lemma has.
//!
//! A line is `lemma pos synset_count pointer_count pointer* sense_count tagged_count offset*`; lines
//! that begin with a space are the licence.

use crate::LanguageError;
use crate::mapped_file::MappedFile;

/// One index file, and where its lines begin, in the order of their lemmas.
#[derive(Debug)]
pub(super) struct Index {
    file: MappedFile,
    starts: Vec<usize>,
}

/// What a line says.
#[derive(Debug, PartialEq)]
pub(super) struct Entry<'a> {
    /// Lower case, underscores between words.
    pub(super) lemma: &'a str,
    /// Where its senses begin in the data file, most frequent first.
    pub(super) offsets: Vec<usize>,
}

impl Index {
    /// Reads every line. `letter` is the part of speech as the file writes it. Files come sorted by
    /// lemma; one that is not is sorted here, and of two lines of a lemma the later counts.
    pub(super) fn open(file: MappedFile, letter: u8) -> Result<Self, LanguageError> {
        let file = file.whole_lines()?;
        let bytes = file.bytes();
        let fault = |byte, reason| Err(LanguageError::in_line(file.path(), bytes, byte, reason));
        if let Err(error) = std::str::from_utf8(bytes) {
            return fault(error.valid_up_to(), "not UTF-8 text".to_owned());
        }
        let mut starts = Vec::new();
        let (mut start, mut in_order, mut previous) = (0, true, &b""[..]);
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            if line[0] != b' ' {
                match parse(line, letter) {
                    Err(reason) => return fault(start, reason),
                    Ok(entry) => {
                        in_order &= previous < entry.lemma.as_bytes();
                        previous = entry.lemma.as_bytes();
                        starts.push(start);
                    }
                }
            }
            start += line.len();
        }
        if starts.is_empty() {
            return fault(
                0,
                "no line of a lemma; expected those of a WordNet index".to_owned(),
            );
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

    /// Where the line of `lemma` begins.
    fn find(&self, lemma: &str) -> Option<usize> {
        let lemma = lemma.as_bytes();
        let after = self
            .starts
            .partition_point(|&start| self.lemma_at(start) <= lemma);
        let start = *self.starts.get(after.checked_sub(1)?)?;
        (self.lemma_at(start) == lemma).then_some(start)
    }

    pub(super) fn contains(&self, lemma: &str) -> bool {
        self.find(lemma).is_some()
    }

    /// The senses of `lemma`; none where it is unknown.
    pub(super) fn offsets(&self, lemma: &str, letter: u8) -> Vec<usize> {
        let line = self.find(lemma).map(|start| self.file.line_at(start));
        line.and_then(|line| parse(line, letter).ok())
            .map_or_else(Vec::new, |entry| entry.offsets)
    }

    /// Every line, with its first byte, in the order of lemmas.
    pub(super) fn entries(&self, letter: u8) -> impl Iterator<Item = (usize, Entry<'_>)> {
        self.starts.iter().filter_map(move |&start| {
            let entry = parse(self.file.line_at(start), letter).ok()?;
            Some((start, entry))
        })
    }

    /// The fault of the line that begins at `start`.
    pub(super) fn fault(&self, start: usize, reason: String) -> LanguageError {
        LanguageError::in_line(self.file.path(), self.file.bytes(), start, reason)
    }
}

fn parse(line: &[u8], letter: u8) -> Result<Entry<'_>, String> {
    let text = std::str::from_utf8(line).map_err(|_| "not UTF-8 text".to_owned())?;
    let mut fields = text.split_ascii_whitespace();
    let mut next = |what: &str| {
        fields
            .next()
            .ok_or_else(|| format!("the line ends before {what}"))
    };
    let lemma = next("the lemma")?;
    let part = next("the part of speech")?;
    if part.as_bytes() != [letter] {
        return Err(format!(
            "part of speech {part:?}, expected {:?} in this file",
            char::from(letter)
        ));
    }
    let senses = count(next("the number of synsets")?, "the number of synsets")?;
    let pointers = count(next("the number of pointers")?, "the number of pointers")?;
    for _ in 0..pointers {
        next("the last pointer symbol")?;
    }
    let again = count(next("the number of senses")?, "the number of senses")?;
    if senses == 0 || again != senses {
        return Err(format!(
            "{senses} synsets but {again} senses of {lemma:?}; expected two equal numbers above 0"
        ));
    }
    next("the number of tagged senses")?;
    let mut offsets = Vec::new();
    for _ in 0..senses {
        let what = "the last synset offset";
        offsets.push(count(next(what)?, "a synset offset")?);
    }
    match next("") {
        Ok(extra) => Err(format!(
            "{extra:?} after {senses} synset offsets of {lemma:?}"
        )),
        Err(_) => Ok(Entry { lemma, offsets }),
    }
}

fn count(field: &str, what: &str) -> Result<usize, String> {
    field
        .parse()
        .map_err(|_| format!("{what} is {field:?}, expected a whole number"))
}
