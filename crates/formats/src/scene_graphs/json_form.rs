//! `{"stem": {"objects": [...], "attributes": {...}, "relations": [...]}}`.

use crate::FormatError;
use crate::json::{self, UniqueEntries};
use neurogauge_core::SceneGraph;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use std::fmt;
use std::path::Path;

pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Vec<(String, SceneGraph)>, FormatError> {
    Ok(json::parse::<GraphFile>(path, bytes, super::EXPECTED)?.0)
}

struct GraphFile(Vec<(String, SceneGraph)>);

impl<'de> Deserialize<'de> for GraphFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct GraphVisitor;
        impl<'de> Visitor<'de> for GraphVisitor {
            type Value = GraphFile;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(super::EXPECTED)
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<GraphFile, A::Error> {
                let graphs = UniqueEntries::<Graph>::from_map(map, |stem, error| {
                    let reason = error.to_string();
                    let end = reason.rfind(" at line ").unwrap_or(reason.len());
                    A::Error::custom(format!("{stem:?}: {}", &reason[..end]))
                })?;
                Ok(GraphFile(graphs.0.into_iter().map(|(stem, graph)| (stem, graph.into())).collect()))
            }
        }
        deserializer.deserialize_map(GraphVisitor)
    }
}

/// A scene graph in whose file an object occurs only once.
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
