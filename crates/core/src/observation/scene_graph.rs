//! Scene graphs.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a caption says is in an image: objects, what each is like, and how they relate.
///
/// The JSON form is `{"objects": ["boat"], "attributes": {"boat": ["large", "white"]}, "relations":
/// [["boat", "dock at", "dock"]]}`; a part that is absent is empty. Nothing is lowered in case,
/// lemmatised or merged here: what a graph holds is what its maker put there.
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
