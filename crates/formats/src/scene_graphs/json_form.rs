//! `{"stem": {"objects": [...], "attributes": {...}, "relations": [...]}}`.

use crate::FormatError;
use crate::json::{self, UniqueEntries};
use neurogauge_core::SceneGraph;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde::{Serialize, Serializer};
use std::collections::HashSet;
use std::fmt;
use std::path::Path;

pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Vec<(String, SceneGraph)>, FormatError> {
    Ok(json::parse::<GraphFile>(path, bytes)?.0)
}

pub(super) fn to_bytes(path: &Path, graphs: &[(String, SceneGraph)]) -> Result<Vec<u8>, FormatError> {
    struct ByStem<'a>(&'a [(String, SceneGraph)]);
    impl Serialize for ByStem<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map(self.0.iter().map(|(stem, graph)| (stem, graph)))
        }
    }
    json::to_bytes(path, &ByStem(graphs))
}

struct GraphFile(Vec<(String, SceneGraph)>);

impl<'de> Deserialize<'de> for GraphFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FileVisitor;
        impl<'de> Visitor<'de> for FileVisitor {
            type Value = GraphFile;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(super::EXPECTED)
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<GraphFile, A::Error> {
                let mut seen = HashSet::new();
                let mut graphs = Vec::new();
                while let Some(stem) = map.next_key::<String>()? {
                    if !seen.insert(stem.clone()) {
                        return Err(A::Error::custom(format!("the key {stem:?} occurs twice")));
                    }
                    let graph: Graph = map.next_value().map_err(|error| {
                        let mut reason = error.to_string();
                        if let Some(at) = reason.rfind(" at line ") {
                            reason.truncate(at);
                        }
                        A::Error::custom(format!("{stem:?}: {reason}"))
                    })?;
                    graphs.push((stem, graph.into()));
                }
                Ok(GraphFile(graphs))
            }
        }
        deserializer.deserialize_map(FileVisitor)
    }
}

/// A scene graph whose file may name an object once only.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Graph {
    #[serde(default)]
    objects: Vec<String>,
    #[serde(default = "none")]
    attributes: UniqueEntries<Vec<String>>,
    #[serde(default)]
    relations: Vec<[String; 3]>,
}

fn none() -> UniqueEntries<Vec<String>> {
    UniqueEntries(Vec::new())
}

impl From<Graph> for SceneGraph {
    fn from(graph: Graph) -> SceneGraph {
        SceneGraph {
            objects: graph.objects,
            attributes: graph.attributes.0.into_iter().collect(),
            relations: graph.relations,
        }
    }
}
