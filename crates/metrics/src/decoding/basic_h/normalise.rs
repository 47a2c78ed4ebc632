//! Scene graphs before they are compared.

use super::options::NormaliseOptions;
use neurogauge_core::{Lexicon, PartOfSpeech, SceneGraph};
use std::collections::{BTreeMap, BTreeSet};

/// Makes one graph of those of a caption's sentences.
///
/// Objects and both ends of relations become the base form of the noun, attributes that of the adjective
/// (`lemmas`); what is then equal is one thing, and the attributes that an object has in several
/// sentences are all its own. Attributes that hold " of" ("full of people") are left out (`drop_of`), and
/// so are objects among the `stop_words`; attributes and relations of these stay. Everything comes out
/// sorted, each thing once.
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
