//! The content of an image as a graph of objects.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The content of an image according to a caption: objects, their attributes, and their relations.
///
/// The JSON form is `{"objects": ["boat"], "attributes": {"boat": ["large", "white"]}, "relations": [["boat", "dock
/// at", "dock"]]}`; a missing part is empty. Nothing is lowercased, lemmatised or merged here: a graph keeps its
/// maker's words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneGraph {
    /// Names of objects, in the order in which they were found.
    #[serde(default)]
    pub objects: Vec<String>,
    /// Attributes by name of object.
    #[serde(default)]
    pub attributes: BTreeMap<String, Vec<String>>,
    /// (subject, predicate, object).
    #[serde(default)]
    pub relations: Vec<[String; 3]>,
}
