//! WordNet's own files, for the base forms of words and for words that share a sense.

mod data;
mod exceptions;
mod index;
mod morphy;

use crate::LanguageError;
use crate::mapped_file::MappedFile;
use data::Data;
pub use data::Synset;
use exceptions::Exceptions;
use index::Index;
use neurogauge_core::{Lexicon, PartOfSpeech};
use std::collections::BTreeSet;
use std::path::Path;

/// The order in which senses of a word are listed.
const PARTS: [PartOfSpeech; 4] =
    [PartOfSpeech::Noun, PartOfSpeech::Verb, PartOfSpeech::Adjective, PartOfSpeech::Adverb];

const ADVICE: &str = "Debian and Ubuntu have WordNet 3.0 in the package wordnet-base \
    (/usr/share/wordnet), nltk_data in corpora/wordnet; name the folder that holds data.noun";

/// WordNet, read from a directory with its database files (`index.*`, `data.*`, `*.exc`), for instance from Debian's
/// package wordnet-base (WordNet 3.0).
///
/// Convention: `wordnet-morphy`.
///
/// The files are mapped, not loaded. Opening reads every line of the index and the head of every synset that it names,
/// so all errors in the files are reported then, with file and line or byte, and lookups cannot fail afterwards. Do not
/// change the files while they are open.
///
/// Reference: NLTK 3.10.4 on the same files, exactly: all 155,287 lemmas of the four indexes, and the
/// forms that the ending rules lead back to them.
///
/// ```no_run
/// use neurogauge_core::{Lexicon, PartOfSpeech};
/// use neurogauge_language::WordNet;
///
/// let wordnet = WordNet::open("/usr/share/wordnet")?;
/// assert_eq!(wordnet.lemma("wolves", PartOfSpeech::Noun), "wolf");
/// assert_eq!(wordnet.synsets("car").len(), 5);
/// assert!(wordnet.synonyms("car").contains("automobile"));
/// # Ok::<(), neurogauge_language::LanguageError>(())
/// ```
#[derive(Debug)]
pub struct WordNet {
    parts: [Part; 4],
}

#[derive(Debug)]
struct Part {
    index: Index,
    data: Data,
    exceptions: Exceptions,
}

impl WordNet {
    /// What a folder of it holds, in a few words.
    pub const HOLDS: &str = "the files of WordNet's dictionary";

    /// The files that are read in any WordNet directory.
    pub const FILES: [&str; 12] = [
        "index.noun",
        "data.noun",
        "noun.exc",
        "index.verb",
        "data.verb",
        "verb.exc",
        "index.adj",
        "data.adj",
        "adj.exc",
        "index.adv",
        "data.adv",
        "adv.exc",
    ];

    /// Opens the files in `directory`.
    ///
    /// # Errors
    /// A file that is missing, truncated, not UTF-8 or invalid; a sense of the index that the data file does not have.
    pub fn open(directory: impl AsRef<Path>) -> Result<Self, LanguageError> {
        let directory = directory.as_ref();
        if !directory.is_dir() {
            return Err(LanguageError::Missing {
                path: directory.to_owned(),
                expected: "a folder with WordNet's files",
                advice: ADVICE,
            });
        }
        let [noun, verb, adjective, adverb] = PARTS.map(|part| Part::open(directory, part));
        Ok(Self {
            parts: [noun?, verb?, adjective?, adverb?],
        })
    }

    /// The version in the files' licence, e.g. "3.0".
    pub fn version(&self) -> Option<&str> {
        self.parts[0].data.version()
    }

    /// Every base form of `form` that is a lemma of that part of speech, `form` itself first (NLTK's `_morphy`): its
    /// exceptions if it has any, otherwise the results of a single ending rule. The lemmas of the index are in lower
    /// case with underscores, so "Men" and "traffic lights" have no base form.
    pub fn base_forms(&self, form: &str, part: PartOfSpeech) -> Vec<String> {
        let Part { index, exceptions, .. } = self.part(part);
        let mut found: Vec<String> = Vec::new();
        let mut keep = |form: String| {
            if index.contains(&form) && !found.contains(&form) {
                found.push(form);
            }
        };
        keep(form.to_owned());
        match exceptions.get(form) {
            Some(bases) => bases.iter().cloned().for_each(keep),
            None => morphy::regular_bases(form, part).for_each(keep),
        }
        found
    }

    /// The first base form (NLTK's `morphy`), if there is one.
    pub fn morphy(&self, form: &str, part: PartOfSpeech) -> Option<String> {
        self.base_forms(form, part).into_iter().next()
    }

    /// Every synset of every base form of `phrase` in lower case, over nouns, verbs, adjectives with
    /// satellites, and adverbs, in this order (NLTK's `synsets`). Words of a phrase are joined by
    /// underscores. A synset that two base forms share is listed twice, as in NLTK.
    pub fn synsets(&self, phrase: &str) -> Vec<Synset> {
        PARTS.into_iter().flat_map(|part| self.synsets_of(phrase, part)).collect()
    }

    /// Like [`synsets`](Self::synsets), for one part of speech.
    pub fn synsets_of(&self, phrase: &str, part: PartOfSpeech) -> Vec<Synset> {
        let Part { index, data, .. } = self.part(part);
        self.base_forms(&phrase.to_lowercase(), part)
            .iter()
            .flat_map(|form| index.offsets(form, letter(part)))
            .filter_map(|offset| data.synset(offset).ok())
            .collect()
    }

    /// The nouns of which an adjective gives a value (NLTK's `attributes`). A satellite without any has those of its
    /// head. Empty for other parts of speech.
    pub fn attributes(&self, synset: &Synset) -> Vec<Synset> {
        let heads = synset.similar.iter().filter(|_| synset.satellite).filter_map(|&head| {
            let adjectives = &self.part(PartOfSpeech::Adjective).data;
            adjectives.synset(head).ok()
        });
        let own = match synset.attributes.is_empty() {
            true => heads.flat_map(|head| head.attributes).collect(),
            false => synset.attributes.clone(),
        };
        let nouns = &self.part(PartOfSpeech::Noun).data;
        own.into_iter().filter_map(|noun| nouns.synset(noun).ok()).collect()
    }

    /// Every lemma of this part of speech as in the index, in byte order.
    pub fn index_lemmas(&self, part: PartOfSpeech) -> impl Iterator<Item = &str> {
        self.part(part).index.lemmas()
    }

    fn part(&self, part: PartOfSpeech) -> &Part {
        match part {
            PartOfSpeech::Noun => &self.parts[0],
            PartOfSpeech::Verb => &self.parts[1],
            PartOfSpeech::Adjective => &self.parts[2],
            PartOfSpeech::Adverb => &self.parts[3],
        }
    }
}

impl Lexicon for WordNet {
    /// The shortest base form, the first of equally short ones (NLTK's `WordNetLemmatizer`).
    fn lemma(&self, word: &str, part: PartOfSpeech) -> String {
        self.base_forms(word, part)
            .into_iter()
            .min_by_key(|form| form.chars().count())
            .unwrap_or_else(|| word.to_owned())
    }

    /// WordNet writes the spaces of `phrase` as underscores.
    fn synonyms(&self, phrase: &str) -> BTreeSet<String> {
        self.synsets(&phrase.replace(' ', "_")).into_iter().flat_map(|synset| synset.lemmas).collect()
    }

    /// The field of its most frequent sense.
    fn semantic_field(&self, phrase: &str, part: PartOfSpeech) -> Option<&'static str> {
        Some(self.synsets_of(&phrase.replace(' ', "_"), part).first()?.file)
    }

    /// The attributes of its most frequent sense.
    fn attributes(&self, adjective: &str) -> BTreeSet<String> {
        let senses = self.synsets_of(&adjective.replace(' ', "_"), PartOfSpeech::Adjective);
        let first = senses.first().into_iter();
        first.flat_map(|sense| WordNet::attributes(self, sense)).flat_map(|noun| noun.lemmas).collect()
    }
}

impl Part {
    fn open(directory: &Path, part: PartOfSpeech) -> Result<Self, LanguageError> {
        let name = match part {
            PartOfSpeech::Noun => "noun",
            PartOfSpeech::Verb => "verb",
            PartOfSpeech::Adjective => "adj",
            PartOfSpeech::Adverb => "adv",
        };
        let open = |file: String, expected| MappedFile::open(directory.join(file), expected, ADVICE);
        let data = Data::open(open(format!("data.{name}"), "WordNet's synsets")?, part)?;
        let index = Index::open(open(format!("index.{name}"), "an index of WordNet")?, letter(part), |offset| {
            data.read(offset, |_| ()).map(|_| ())
        })?;
        let exceptions = Exceptions::open(open(format!("{name}.exc"), "WordNet's list of irregular forms")?)?;
        Ok(Self {
            index,
            data,
            exceptions,
        })
    }
}

/// The part of speech in index files.
fn letter(part: PartOfSpeech) -> u8 {
    match part {
        PartOfSpeech::Noun => b'n',
        PartOfSpeech::Verb => b'v',
        PartOfSpeech::Adjective => b'a',
        PartOfSpeech::Adverb => b'r',
    }
}
