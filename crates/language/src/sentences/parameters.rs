//! The parameters of Punkt for a language.

use crate::LanguageError;
use crate::resource::read_text;
use std::collections::{HashMap, HashSet};
use std::path::Path;

const ADVICE: &str = "The folder is punkt_tab/english of nltk_data; without it, sentences are split by \
    the rules of this program";

/// Where in sentences a word was seen, and in which case its first letter was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Contexts(u8);

impl Contexts {
    pub(super) const FIRST_UPPER: Self = Self(1 << 1);
    pub(super) const INSIDE_UPPER: Self = Self(1 << 2);
    pub(super) const UPPER: Self = Self(1 << 1 | 1 << 2 | 1 << 3);
    pub(super) const FIRST_LOWER: Self = Self(1 << 4);
    pub(super) const INSIDE_LOWER: Self = Self(1 << 5);
    pub(super) const LOWER: Self = Self(1 << 4 | 1 << 5 | 1 << 6);

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn has_any_of(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }
}

/// Punkt's parameters for a language, as its training finds them.
#[derive(Debug, Clone, Default)]
pub struct PunktParameters {
    /// Abbreviations in lower case, without their last full stop.
    pub(super) abbreviations: HashSet<String>,
    /// Pairs of words, by the first: it ends in a full stop and belongs to the second.
    pub(super) collocations: HashMap<String, HashSet<String>>,
    /// Words that often begin a sentence, in lower case.
    pub(super) starters: HashSet<String>,
    pub(super) contexts: HashMap<String, Contexts>,
}

impl PunktParameters {
    /// What a folder of them holds, in a few words.
    pub const HOLDS: &str = "Punkt's parameters, which split sentences";

    /// The four files in a folder.
    pub const FILES: [&str; 4] = ["abbrev_types.txt", "collocations.tab", "sent_starters.txt", "ortho_context.tab"];

    /// Reads the folder of a language as nltk_data has it (`tokenizers/punkt_tab/english`):
    /// `abbrev_types.txt` and `sent_starters.txt` with a word in each line, `collocations.tab` with two
    /// words and `ortho_context.tab` with a word and a number, separated by a tab.
    ///
    /// # Errors A missing file, text that is not UTF-8, a wrong number of columns, a number that is not a sum of the
    /// six contexts (2, 4, 8, 16, 32, 64).
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, LanguageError> {
        let [abbreviations, collocations, starters, contexts] = Self::FILES.map(|file| folder.as_ref().join(file));
        let read = |path: &Path| read_text(path, "a file of Punkt's parameters", ADVICE);
        let mut found = Self {
            abbreviations: read(&abbreviations)?.lines().map(str::to_owned).collect(),
            starters: read(&starters)?.lines().map(str::to_owned).collect(),
            ..Self::default()
        };
        for row in rows(&collocations, &read(&collocations)?) {
            let (_, first, second) = row?;
            found.collocations.entry(first).or_default().insert(second);
        }
        for row in rows(&contexts, &read(&contexts)?) {
            let (line, word, number) = row?;
            let sum = number.parse().ok().filter(|sum| sum & !0b111_1110 == 0);
            let sum = sum.ok_or_else(|| LanguageError::Line {
                path: contexts.clone(),
                line,
                reason: format!("{number:?} beside {word:?}; expected a sum of 2, 4, 8, 16, 32 and 64"),
            })?;
            found.contexts.insert(word, Contexts(sum));
        }
        Ok(found)
    }

    pub(super) fn is_collocation(&self, first: &str, second: &str) -> bool {
        let seconds = self.collocations.get(first);
        seconds.is_some_and(|seconds| seconds.contains(second))
    }

    pub(super) fn contexts_of(&self, word: &str) -> Contexts {
        self.contexts.get(word).copied().unwrap_or_default()
    }
}

/// Line number and two columns of every line that is not empty.
fn rows<'a>(
    path: &'a Path,
    text: &'a str,
) -> impl Iterator<Item = Result<(usize, String, String), LanguageError>> + 'a {
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.is_empty());
    lines.map(move |(text, line)| match text.split_once('\t') {
        Some((first, second)) if !second.contains('\t') => Ok((line, first.to_owned(), second.to_owned())),
        _ => Err(LanguageError::Line {
            path: path.to_owned(),
            line,
            reason: format!("{text:?}; expected two columns with a tab between them"),
        }),
    })
}
