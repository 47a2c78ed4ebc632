//! Parts of speech by an averaged perceptron.

mod features;
mod files;

use crate::LanguageError;
use features::Context;
use files::ModelFile;
use std::collections::HashMap;
use std::path::Path;

/// Tags the words of a sentence with parts of speech, greedily from left to right.
///
/// A word in the model's dictionary gets the tag given there. Any other word gets the tag c with the largest score s_c
/// = Σ_f w_{f,c} over 14 features f (the word, its ends, two words on either side and the two tags before); among equal
/// scores, the later tag in the alphabet.
///
/// The model is the user's: three JSON files as NLTK writes them, for instance
/// `averaged_perceptron_tagger_eng` of nltk_data, whose tags are the Penn Treebank's. Words should be
/// [`word_tokens`](crate::word_tokens).
///
/// Convention: `noun-filter`.
///
/// Reference: `PerceptronTagger.tag` of NLTK 3.10.4 with the same weights, exactly (sums in the same order).
///
/// ```no_run
/// use neurogauge_language::{PerceptronTagger, is_noun_tag, word_tokens};
///
/// let tagger = PerceptronTagger::open("nltk_data/taggers/averaged_perceptron_tagger_eng")?;
/// let words = word_tokens("A dog sleeps.");
/// let tags = tagger.tag(&words);
/// assert_eq!(tags.iter().filter(|tag| is_noun_tag(tag)).count(), 1);
/// # Ok::<(), neurogauge_language::LanguageError>(())
/// ```
#[derive(Debug)]
pub struct PerceptronTagger {
    /// In alphabetical order.
    classes: Vec<String>,
    weights: HashMap<String, Vec<(usize, f64)>>,
    dictionary: HashMap<String, String>,
}

impl PerceptronTagger {
    /// Reads `*.weights.json` (feature to tag to weight), `*.tagdict.json` (word to tag) and
    /// `*.classes.json` (all tags) in `folder`.
    ///
    /// # Errors
    /// A file that is missing, ambiguous, not JSON or not of that shape; no tags at all.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, LanguageError> {
        let folder = folder.as_ref();
        let file = ModelFile::open(folder, "classes")?;
        let mut classes = Vec::new();
        for (number, class) in file.list()?.iter().enumerate() {
            let name = class.as_str().filter(|name| !name.is_empty());
            let place = || format!("entry {number}");
            classes.push(name.ok_or_else(|| file.fault(&place(), class, "a tag"))?.to_owned());
        }
        classes.sort();
        classes.dedup();
        if classes.is_empty() {
            return Err(file.fault("the file", &Vec::<String>::new().into(), "at least one tag"));
        }
        let file = ModelFile::open(folder, "tagdict")?;
        let mut dictionary = HashMap::new();
        for (word, tag) in file.object()? {
            let place = || format!("word {word:?}");
            let tag = tag.as_str().ok_or_else(|| file.fault(&place(), tag, "a tag"))?;
            dictionary.insert(word.clone(), tag.to_owned());
        }
        let file = ModelFile::open(folder, "weights")?;
        let mut weights = HashMap::new();
        for (feature, of_tags) in file.object()? {
            let place = || format!("feature {feature:?}");
            let tags =
                of_tags.as_object().ok_or_else(|| file.fault(&place(), of_tags, "an object of tags and weights"))?;
            let mut of_feature = Vec::new();
            for (tag, weight) in tags {
                let number =
                    weight.as_f64().ok_or_else(|| file.fault(&place(), weight, &format!("a number for {tag}")))?;
                // A tag that is not a class can never be chosen.
                if let Ok(class) = classes.binary_search(tag) {
                    of_feature.push((class, number));
                }
            }
            weights.insert(feature.clone(), of_feature);
        }
        Ok(Self {
            classes,
            weights,
            dictionary,
        })
    }

    /// The names of the three files that [`open`](Self::open) reads.
    pub fn files(folder: impl AsRef<Path>) -> Result<[String; 3], LanguageError> {
        let name = |ending| files::name_of(folder.as_ref(), ending);
        Ok([name("classes")?, name("tagdict")?, name("weights")?])
    }

    pub fn tag(&self, words: &[impl AsRef<str>]) -> Vec<&str> {
        let context = Context::new(words);
        let [mut last, mut before] = Context::tags_before();
        let mut tags = Vec::with_capacity(words.len());
        for (i, word) in words.iter().enumerate() {
            let word = word.as_ref();
            let tag = match self.dictionary.get(word) {
                Some(tag) if !tag.is_empty() => tag,
                _ => self.best(&context.features(i, word, last, before)),
            };
            tags.push(tag);
            (before, last) = (last, tag);
        }
        tags
    }

    fn best(&self, features: &[String]) -> &str {
        let mut scores = vec![0.0; self.classes.len()];
        for feature in features {
            for &(class, weight) in self.weights.get(feature).into_iter().flatten() {
                scores[class] += weight;
            }
        }
        let mut best = 0;
        for class in 1..scores.len() {
            if scores[class] >= scores[best] {
                best = class;
            }
        }
        &self.classes[best]
    }
}

/// Does a Penn Treebank tag stand for a noun (NN, NNS, NNP, NNPS)? The noun filter of captions uses this.
///
/// ```
/// assert!(neurogauge_language::is_noun_tag("NNS") && !neurogauge_language::is_noun_tag("VBN"));
/// ```
pub fn is_noun_tag(tag: &str) -> bool {
    tag.starts_with("NN")
}
