//! Sub-captions: texts that are parsed a second time, so that each object has the attributes in its own sentences, and
//! each pair of objects the relation in its common sentences.

use neurogauge_core::SceneGraph;
use std::collections::{BTreeMap, BTreeSet};

/// The sentences of a caption with their graphs, and the texts to parse a second time.
///
/// The BASIC paper says that references to the same object in several sentences are consolidated into sub-captions,
/// that attributes are bound to the right instances, and that relevant sentences are concatenated for relations between
/// two objects; the released parser merges the sentences' graphs instead. This is the paper's procedure, interpreted as
/// follows.
///
/// - An object's sub-caption consists of all sentences whose graphs name it, in their order, joined by spaces. Its
///   attributes are those in the graph of its sub-caption.
/// - The sub-caption of two objects with a relation in some sentence consists of all sentences whose graphs name one of
///   them. Their relations are those between them, in this direction, in its graph.
/// - If the graph of a sub-caption lacks the object, or has nothing between the two, the result of the sentences stays.
///   A sub-caption of one sentence is that sentence, and is not parsed again.
/// - Two names are the same object if they are exactly equal.
/// - Conventions: `parsed-captions`.
/// - Undefined, errors: never.
/// - Reference: BASIC, section 3.1; no code was released for this step, so the interpretation is ours.
///
/// ```
/// use neurogauge_core::SceneGraph;
/// use neurogauge_metrics::decoding::basic_h::Subcaptions;
/// let graph = |attribute: &str| SceneGraph {
///     objects: vec!["dog".into()],
///     attributes: [("dog".to_owned(), vec![attribute.to_owned()])].into(),
///     relations: Vec::new(),
/// };
/// let graphs = [graph("brown"), graph("wet")];
/// let sub_captions = Subcaptions::of(&["A brown dog runs.", "The dog is wet."], &graphs);
/// assert_eq!(sub_captions.texts(), ["A brown dog runs. The dog is wet."]);
/// // The parse of the sub-caption decides about the dog.
/// let bound = sub_captions.bind(&graphs, &[graph("wet and brown")]);
/// assert_eq!(bound.attributes["dog"], ["wet and brown"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subcaptions {
    texts: Vec<String>,
    /// For each object, the index of its text, if it has one of several sentences.
    of_objects: BTreeMap<String, Option<usize>>,
    /// For each subject and object of a relation, the index of their text, if they have one of several sentences.
    of_pairs: BTreeMap<[String; 2], Option<usize>>,
}

impl Subcaptions {
    /// The sub-captions of a caption, which has one graph for each sentence.
    pub fn of(sentences: &[&str], graphs: &[SceneGraph]) -> Self {
        let named: Vec<BTreeSet<&str>> = graphs.iter().map(names).collect();
        let mut texts: Vec<String> = Vec::new();
        let mut text_of = |is_about: &dyn Fn(&BTreeSet<&str>) -> bool| {
            let about = sentences.iter().zip(&named).filter(|(_, names)| is_about(names));
            let about: Vec<&str> = about.map(|(sentence, _)| sentence.trim()).collect();
            if about.len() < 2 {
                return None;
            }
            let text = about.join(" ");
            Some(texts.iter().position(|known| *known == text).unwrap_or_else(|| {
                texts.push(text);
                texts.len() - 1
            }))
        };
        let of_objects = named.iter().flatten().copied().collect::<BTreeSet<&str>>().into_iter().map(|object| {
            let text = text_of(&|names| names.contains(object));
            (object.to_owned(), text)
        });
        let of_objects = of_objects.collect();
        let relations = graphs.iter().flat_map(|graph| &graph.relations);
        let pairs: BTreeSet<[&str; 2]> =
            relations.map(|[subject, _, object]| [subject.as_str(), object.as_str()]).collect();
        let of_pairs = pairs.into_iter().map(|pair| {
            let text = text_of(&|names| pair.iter().any(|name| names.contains(name)));
            (pair.map(str::to_owned), text)
        });
        let of_pairs = of_pairs.collect();
        Subcaptions {
            texts,
            of_objects,
            of_pairs,
        }
    }

    /// The distinct texts to parse.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Merges the graphs of the sentences with those of [`Subcaptions::texts`].
    pub fn bind(&self, sentences: &[SceneGraph], parsed: &[SceneGraph]) -> SceneGraph {
        let parsed_of = |text: &Option<usize>| text.and_then(|text| parsed.get(text));
        let mut attributes = BTreeMap::new();
        for (name, text) in &self.of_objects {
            let bound = parsed_of(text).filter(|graph| names(graph).contains(name.as_str()));
            let sources: Vec<&SceneGraph> = bound.map_or(sentences.iter().collect(), |g| vec![g]);
            let own = sources.iter().filter_map(|graph| graph.attributes.get(name));
            let own: BTreeSet<&String> = own.flatten().collect();
            if !own.is_empty() {
                attributes.insert(name.clone(), own.into_iter().cloned().collect());
            }
        }
        let mut relations = BTreeSet::new();
        for (pair, text) in &self.of_pairs {
            let between = |graph: &SceneGraph| -> Vec<[String; 3]> {
                graph.relations.iter().filter(|[s, _, o]| *s == pair[0] && *o == pair[1]).cloned().collect()
            };
            let bound = parsed_of(text).map(between).filter(|found| !found.is_empty());
            relations.extend(bound.unwrap_or_else(|| sentences.iter().flat_map(between).collect()));
        }
        let objects: BTreeSet<&String> = sentences.iter().flat_map(|g| &g.objects).collect();
        SceneGraph {
            objects: objects.into_iter().cloned().collect(),
            attributes,
            relations: relations.into_iter().collect(),
        }
    }
}

/// Everything that a graph names.
fn names(graph: &SceneGraph) -> BTreeSet<&str> {
    let ends = graph.relations.iter().flat_map(|[s, _, o]| [s, o]);
    graph.objects.iter().chain(graph.attributes.keys()).chain(ends).map(String::as_str).collect()
}
