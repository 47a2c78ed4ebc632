//! Scene graphs as the FACTUAL parser writes them: `( boat , is , large ) , ( boat , dock at , dock )`.
//!
//! Reference: the Python package FactualSceneGraph 0.7.3 on complete, truncated, repeated and otherwise broken texts:
//! equal, except that an empty name is not an object here.
//!
//! Convention: `graph-text`.

use neurogauge_core::SceneGraph;
use std::collections::{BTreeMap, BTreeSet};

/// What a text says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GraphReading {
    /// Objects in the order in which they are named, their attributes and their relations.
    pub graph: SceneGraph,
    /// The number of an object, if a fact states it: `( boat , is , 2 )`.
    pub quantities: BTreeMap<String, String>,
    /// Number of dropped facts, which do not have three non-empty parts.
    pub n_malformed: usize,
}

/// A generated text in tidy form: single blanks around brackets and commas, facts sorted and without repetitions, and
/// without the last fact if the text ends in the middle of it.
///
/// ```
/// use neurogauge_models::graph_text::tidy;
/// assert_eq!(tidy("(dog, on, sofa), (dog, is, big), (dog,"), "( dog , is , big ) , ( dog , on , sofa )");
/// ```
pub fn tidy(text: &str) -> String {
    join(&facts(&spaced(&text.replace("Generate Scene Graph:", ""))))
}

/// Merges several tidy texts into one: objects of the same name become one.
///
/// ```
/// use neurogauge_models::graph_text::merge;
/// let merged = merge(["( dog , is , big )", "", "( dog , is , brown ) , ( dog , is , big )"]);
/// assert_eq!(merged, "( dog , is , big ) , ( dog , is , brown )");
/// ```
pub fn merge<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let all: BTreeSet<String> = texts.into_iter().flat_map(facts).collect();
    join(&all)
}

/// The scene graph that a tidy text describes.
///
/// A fact (a, "is", b) gives the object a the attribute b, or its quantity if b consists of digits; (a, r, b) says that
/// a has relation r to b. A text that is no fact at all names an object.
///
/// ```
/// use neurogauge_models::graph_text::read;
/// let reading = read("( boat , is , 2 ) , ( boat , is , large ) , ( boat , dock at , dock )");
/// assert_eq!(reading.graph.objects, ["boat", "dock"]);
/// assert_eq!(reading.graph.attributes["boat"], ["large"]);
/// assert_eq!(reading.graph.relations[0], ["boat", "dock at", "dock"]);
/// assert_eq!(reading.quantities["boat"], "2");
/// ```
pub fn read(text: &str) -> GraphReading {
    let mut reading = GraphReading::default();
    let text = trim(text);
    if text.is_empty() {
        return reading;
    }
    let facts: Vec<&str> = text.split(") ,").collect();
    for fact in &facts {
        let parts: Vec<&str> = unbracketed(fact).split(',').map(trim).collect();
        match parts.as_slice() {
            [subject, relation, object] if parts.iter().all(|part| !part.is_empty()) => {
                reading.add(subject, relation, object);
            }
            [name, ..] if facts.len() == 1 && parts.len() != 3 && !name.is_empty() => {
                reading.add_object(name);
            }
            _ => reading.n_malformed += 1,
        }
    }
    reading
}

impl GraphReading {
    fn add_object(&mut self, name: &str) {
        let objects = &mut self.graph.objects;
        if objects.iter().all(|known| known != name) {
            objects.push(name.to_owned());
        }
    }

    fn add(&mut self, subject: &str, relation: &str, object: &str) {
        self.add_object(subject);
        if relation != "is" {
            self.add_object(object);
            let relation = [subject, relation, object].map(str::to_owned);
            self.graph.relations.push(relation);
        } else if object.bytes().all(|byte| byte.is_ascii_digit()) {
            self.quantities.insert(subject.to_owned(), object.to_owned());
        } else {
            let attributes = self.graph.attributes.entry(subject.to_owned()).or_default();
            if attributes.iter().all(|known| known != object) {
                attributes.push(object.to_owned());
            }
        }
    }
}

/// The facts of a text with blanks around its marks; the facts have no brackets.
fn facts(text: &str) -> BTreeSet<String> {
    let text = trim(text);
    let mut facts: Vec<&str> = text.split(") ,").collect();
    if !text.ends_with(')') {
        match facts.as_mut_slice() {
            [only] => *only = only.split(',').next().unwrap_or_default(),
            _ => {
                facts.pop();
            }
        }
    }
    let inner = facts.into_iter().map(|fact| trim(unbracketed(fact))).filter(|fact| !fact.is_empty());
    inner.map(str::to_owned).collect()
}

fn join(facts: &BTreeSet<String>) -> String {
    let facts: Vec<String> = facts.iter().map(|fact| format!("( {fact} )")).collect();
    facts.join(" , ")
}

/// Puts blanks around brackets and commas, and single blanks everywhere else.
fn spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if "(),".contains(character) {
            spaced.extend([' ', character, ' ']);
        } else {
            spaced.push(character);
        }
    }
    let words: Vec<&str> = spaced.split(is_blank).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// Removes blanks, then brackets, at both ends.
fn unbracketed(fact: &str) -> &str {
    trim(fact).trim_matches(['(', ')'])
}

fn trim(text: &str) -> &str {
    text.trim_matches(is_blank)
}

/// The characters that Python's `str.strip` removes, including the information separators.
fn is_blank(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}
