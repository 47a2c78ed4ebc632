//! Descriptions of an image in words.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The captions of one image: one for a reconstruction, one or several for a stimulus.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Captions(pub Vec<String>);

/// Names of the things in one image, in free words, as a vision-language model or a person lists them; or the texts
/// written in it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct CategoryNames(pub Vec<String>);

/// A thing in the foreground.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ForegroundObject {
    /// Its name, e.g. "dog".
    pub name: String,
    /// The kind of object, e.g. "animal"; empty if unknown.
    pub semantic_category: String,
    /// Its visible parts, e.g. "head" and "tail".
    pub parts: Vec<String>,
}

/// Something in the background.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BackgroundElement {
    /// Its name, e.g. "sky".
    pub name: String,
    /// The kind of element; empty if unknown.
    pub semantic_category: String,
}

/// A vision-language model's answer to the BASIC paper's categorisation prompt (Table S7).
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Categorisation {
    /// Main objects, with their parts.
    pub foreground: Vec<ForegroundObject>,
    pub background: Vec<BackgroundElement>,
}

/// The content of an image according to a caption: objects, their attributes, and their relations.
///
/// The JSON form is `{"objects": ["boat"], "attributes": {"boat": ["large", "white"]}, "relations": [["boat", "dock
/// at", "dock"]]}`; a missing part is empty. Nothing is lowercased, lemmatised or merged here: a graph keeps its
/// maker's words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SceneGraph {
    /// Names of objects, in the order in which they were found.
    pub objects: Vec<String>,
    /// Attributes by name of object.
    pub attributes: BTreeMap<String, Vec<String>>,
    /// (subject, predicate, object).
    pub relations: Vec<[String; 3]>,
}
