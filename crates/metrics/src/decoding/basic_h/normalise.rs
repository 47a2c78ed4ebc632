//! Prepares scene graphs for comparison.

use super::options::NormaliseOptions;
use neurogauge_core::{Lexicon, PartOfSpeech, SceneGraph};
use std::collections::{BTreeMap, BTreeSet};

/// Merges the graphs of a caption's sentences into one.
///
/// Objects and both ends of relations are reduced to the base form of a noun, attributes to that of an adjective
/// (`lemmas`). Equal results are one thing, and an object gets the attributes that it has in all sentences. Attributes
/// that contain " of" ("full of people") are dropped (`drop_of`), and so are objects among the `stop_words`, but their
/// attributes and relations stay. The result is sorted, without duplicates.
///
/// - Shapes: any number of graphs.
/// - Conventions: `basic-graphs`, `basic-order`.
/// - Undefined, errors: never.
/// - Reference: `merge_sentence_results` of CAPTURE 0.1.13, exact.
///
/// ```
/// use neurogauge_core::{SceneGraph, Lexicon, PartOfSpeech};
/// use neurogauge_metrics::decoding::basic_h::{NormaliseOptions, normalise};
/// struct Plurals;
/// impl Lexicon for Plurals {
///     fn lemma(&self, word: &str, _: PartOfSpeech) -> String { word.trim_end_matches('s').into() }
///     fn synonyms(&self, _: &str) -> std::collections::BTreeSet<String> { Default::default() }
/// }
/// let sentence = |object: &str, attribute: &str| SceneGraph {
///     objects: vec![object.into()],
///     attributes: [(object.to_owned(), vec![attribute.to_owned()])].into(),
///     relations: Vec::new(),
/// };
/// let sentences = [sentence("boats", "white"), sentence("boat", "large")];
/// let graph = normalise(&sentences, &Plurals, &NormaliseOptions::default());
/// assert_eq!(graph.objects, ["boat"]);
/// assert_eq!(graph.attributes["boat"], ["large", "white"]);
/// ```
pub fn normalise(sentences: &[SceneGraph], lexicon: &dyn Lexicon, options: &NormaliseOptions) -> SceneGraph {
    let base = |word: &str, part| {
        if options.lemmas {
            lexicon.lemma(word, part)
        } else {
            word.to_owned()
        }
    };
    let noun = |word: &str| base(word, PartOfSpeech::Noun);
    let mut objects = BTreeSet::new();
    let mut attributes: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut relations = BTreeSet::new();
    for sentence in sentences {
        objects.extend(sentence.objects.iter().map(|object| noun(object)));
        for (object, of_object) in &sentence.attributes {
            for attribute in of_object {
                let attribute = base(attribute, PartOfSpeech::Adjective);
                if !(options.drop_of && attribute.contains(" of")) {
                    attributes.entry(noun(object)).or_default().insert(attribute);
                }
            }
        }
        for [subject, predicate, object] in &sentence.relations {
            relations.insert([noun(subject), predicate.clone(), noun(object)]);
        }
    }
    objects.retain(|object| !options.stop_words.contains(object));
    SceneGraph {
        objects: objects.into_iter().collect(),
        attributes: attributes
            .into_iter()
            .map(|(object, of_object)| (object, of_object.into_iter().collect()))
            .collect(),
        relations: relations.into_iter().collect(),
    }
}
