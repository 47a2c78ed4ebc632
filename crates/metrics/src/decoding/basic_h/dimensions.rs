//! Assigns the elements of a scene graph to dimensions (BASIC, Table 1).

use neurogauge_core::{Dimension, Lexicon, PartOfSpeech, SceneGraph};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The lists of words, which their file explains.
const WORDS: &str = include_str!("dimension_words.txt");

/// The kinds of elements of a scene graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ElementKind {
    Object,
    /// Words about an object.
    Attribute,
    /// Predicates between two objects.
    Relation,
}

/// The dimension of an element by its words: of an attribute without its object, and of a relation without its ends.
///
/// BASIC's Table 1 names the dimensions but gives no rule, so this rule is ours. The first that applies decides:
///
/// - Objects: the lists, for the whole name and then for its last word; the semantic field of its most frequent sense
///   (WordNet's lexicographer file: `noun.location`, `noun.event`, `noun.act`, `noun.shape` and `noun.time` are the
///   scene); otherwise [`Dimension::Object`].
/// - Attributes: [`Dimension::Text`] with quotation marks, [`Dimension::Count`] for digits; the lists, for the whole
///   phrase and then for its words from the last to the first; for the same words, the nouns of which the adjective is
///   a value in WordNet, whether it names a substance (`noun.substance`: material), and whether it is an inflected verb
///   (state); otherwise [`Dimension::OtherAttribute`].
/// - Relations, without forms of "be", articles and conjunctions: the lists, for the whole predicate;
///   [`Dimension::Action`] if a word outside the lists is a verb in WordNet or ends in -ing; [`Dimension::Part`] by a
///   word of that list other than "of" and "with"; [`Dimension::Spatial`] by a word of that list; [`Dimension::Part`]
///   for "of" and "with" alone; otherwise [`Dimension::OtherRelation`].
///
/// Without a dictionary ([`NoLexicon`](super::NoLexicon)), only the lists and endings decide.
///
/// - Conventions: `basic-dimensions`.
/// - Undefined, errors: never.
/// - Reference: none, since the rule is ours; cases by hand from the paper's words.
///
/// ```
/// use neurogauge_core::Dimension;
/// use neurogauge_metrics::decoding::basic_h::{ElementKind, NoLexicon, dimension};
/// let of = |kind, phrase| dimension(kind, phrase, &NoLexicon);
/// assert_eq!(of(ElementKind::Object, "zoo"), Dimension::Scene);
/// assert_eq!(of(ElementKind::Attribute, "bright blue"), Dimension::Colour);
/// assert_eq!(of(ElementKind::Relation, "is part of"), Dimension::Part);
/// assert_eq!(of(ElementKind::Relation, "holding"), Dimension::Action);
/// ```
pub fn dimension(kind: ElementKind, phrase: &str, lexicon: &dyn Lexicon) -> Dimension {
    let phrase = phrase.to_lowercase();
    let words: Vec<&str> = phrase.split_whitespace().collect();
    let whole = words.join(" ");
    match kind {
        ElementKind::Object => of_object(&whole, words.last(), lexicon),
        ElementKind::Attribute => of_attribute(&whole, &words, lexicon),
        ElementKind::Relation => of_relation(&words, lexicon),
    }
}

fn of_object(whole: &str, head: Option<&&str>, lexicon: &dyn Lexicon) -> Dimension {
    let names = || [whole].into_iter().chain(head.copied());
    names().find_map(|name| LISTS.find("object", name)).unwrap_or_else(|| {
        match names().find_map(|name: &str| lexicon.semantic_field(name, PartOfSpeech::Noun)) {
            Some("noun.location" | "noun.event" | "noun.act" | "noun.shape" | "noun.time") => Dimension::Scene,
            _ => Dimension::Object,
        }
    })
}

fn of_attribute(whole: &str, words: &[&str], lexicon: &dyn Lexicon) -> Dimension {
    let names = || [whole].into_iter().chain(words.iter().rev().copied());
    let by_dictionary = |name: &str| {
        let of_value = lexicon.attributes(name).iter().find_map(|noun| LISTS.find("noun", noun));
        let is_substance = || {
            let field = lexicon.semantic_field(name, PartOfSpeech::Noun);
            (field == Some("noun.substance")).then_some(Dimension::Material)
        };
        let is_inflected = || {
            let base = lexicon.lemma(name, PartOfSpeech::Verb);
            (base != name).then_some(Dimension::State)
        };
        of_value.or_else(is_substance).or_else(is_inflected)
    };
    if whole.contains(['"', '“', '”']) {
        return Dimension::Text;
    }
    if words.iter().any(|word| word.bytes().all(|b| b.is_ascii_digit())) {
        return Dimension::Count;
    }
    let listed = names().find_map(|name| LISTS.find("attribute", name));
    listed.or_else(|| names().find_map(by_dictionary)).unwrap_or(Dimension::OtherAttribute)
}

fn of_relation(words: &[&str], lexicon: &dyn Lexicon) -> Dimension {
    let words: Vec<&str> = words.iter().copied().filter(|word: &&str| !FUNCTION_WORDS.contains(word)).collect();
    if let Some(found) = LISTS.find("relation", &words.join(" ")) {
        return found;
    }
    let listed: Vec<(&str, Option<Dimension>)> =
        (words.iter()).map(|&word| (word, LISTS.find("relation", word))).collect();
    let is_verb = |word: &str| word.ends_with("ing") || lexicon.semantic_field(word, PartOfSpeech::Verb).is_some();
    let mut others = listed.iter().filter(|(_, found)| found.is_none());
    if others.any(|(word, _)| is_verb(word)) {
        return Dimension::Action;
    }
    let of = |dimension| (listed.iter()).filter(move |(_, found)| *found == Some(dimension));
    let is_joint = |word: &str| matches!(word, "of" | "with");
    if of(Dimension::Part).any(|(word, _)| !is_joint(word)) {
        return Dimension::Part;
    }
    let mut found = [Dimension::Spatial, Dimension::Part].into_iter();
    found.find(|dimension| of(*dimension).next().is_some()).unwrap_or(Dimension::OtherRelation)
}

/// Words of a predicate that do not affect its dimension.
const FUNCTION_WORDS: [&str; 18] = [
    "is", "are", "was", "were", "be", "been", "being", "a", "an", "the", "its", "and", "as", "than", "for", "like",
    "while", "during",
];

/// The content of the file of word lists.
struct Lists(BTreeMap<&'static str, BTreeMap<&'static str, Dimension>>);

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let mut lists = BTreeMap::<_, BTreeMap<_, _>>::new();
    for (kind, dimension, words) in WORDS.lines().filter(|line| !line.starts_with('#')).filter_map(parse) {
        lists.entry(kind).or_default().extend(words.map(|word| (word, dimension)));
    }
    Lists(lists)
});

impl Lists {
    fn find(&self, kind: &str, word: &str) -> Option<Dimension> {
        self.0.get(kind)?.get(word).copied()
    }
}

fn parse(line: &'static str) -> Option<(&'static str, Dimension, impl Iterator<Item = &'static str>)> {
    let (head, words) = line.split_once(": ")?;
    let (kind, id) = head.split_once(' ')?;
    let dimension = Dimension::ALL.into_iter().find(|dimension: &Dimension| dimension.id() == id)?;
    Some((kind, dimension, words.split(", ")))
}

/// The dimensions of all elements of two graphs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ElementDimensions(BTreeMap<(ElementKind, String), Dimension>);

impl ElementDimensions {
    /// The dimensions of the elements of these graphs, in base form ([`normalise`](super::normalise())).
    pub fn of(graphs: [&SceneGraph; 2], lexicon: &dyn Lexicon) -> Self {
        let mut found = BTreeMap::new();
        let mut add = |kind, phrase: String, words: &str| {
            found.entry((kind, phrase)).or_insert_with(|| dimension(kind, words, lexicon));
        };
        for graph in graphs {
            for object in &graph.objects {
                add(ElementKind::Object, object.clone(), object);
            }
            for attribute in graph.attributes.values().flatten().collect::<BTreeSet<&String>>() {
                add(ElementKind::Attribute, attribute.clone(), attribute);
            }
            for relation in &graph.relations {
                add(ElementKind::Relation, relation.join(" "), &relation[1]);
            }
        }
        ElementDimensions(found)
    }

    /// The dimension of an element in the form of [`match_words`](super::match_words): a relation with its ends.
    pub fn get(&self, kind: ElementKind, phrase: &str) -> Option<Dimension> {
        self.0.get(&(kind, phrase.to_owned())).copied()
    }
}
