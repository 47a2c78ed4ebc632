//! Scene graphs by stem, as JSON or as text in the papers' form.

mod json_form;
mod text_form;

use crate::delimited_text::read_text;
use crate::stem_listing::has_ending;
use crate::{AtPath, FormatError, Problem, json};
use neurogauge_core::SceneGraph;
use std::path::Path;

/// The expected content, for errors about a missing file or one without graphs.
const EXPECTED: &str = "scene graphs by stem, {\"stem\": {\"objects\": [\"boat\"], \"attributes\": {\"boat\": \
                        [\"large\"]}, \"relations\": [[\"boat\", \"dock at\", \"dock\"]]}}";

/// Reads the scene graphs of one side, by stem in natural order.
///
/// JSON is `{"stem": {"objects": ["boat"], "attributes": {"boat": ["large", "white"]}, "relations": [["boat", "dock
/// at", "dock"]]}}`; a missing part is empty. A file called `*.txt` has, for each stem, a line `[stem]` followed by the
/// BASIC paper's form (appendix D.3), with any line breaks:
///
/// ```text
/// [beach]
/// objects: boat, dock
/// attributes: boat: large, white; dock: wooden
/// relations: (boat, dock at, dock); (dock, extend into, water)
/// ```
///
/// Nothing is lowercased, lemmatised or merged. Objects without attributes, and attributes of names that are not
/// objects, are allowed, since the paper's graphs have them.
///
/// # Errors
/// JSON faults with stem, line and column (also a key that occurs twice, a relation without three parts); faults of
/// text with stem and line; in both forms, a name that is empty or begins or ends with a space (it would match
/// nothing), a stem that occurs twice, or no graphs.
pub fn read(path: &Path) -> Result<Vec<(String, SceneGraph)>, FormatError> {
    let graphs = match has_ending(path, &["txt"]) {
        true => text_form::parse(path, &read_text(path, EXPECTED)?)?,
        false => json_form::parse(path, &json::read_bytes(path, EXPECTED)?)?,
    };
    refuse_faulty_names(path, &graphs)?;
    json::by_stem(graphs, format_args!("no scene graph in it; expected {EXPECTED}")).at(path)
}

/// Writes scene graphs as JSON in the order given; [`read`] returns them in natural order.
///
/// # Errors
/// [`read`] would refuse the graphs. Nothing is written then.
pub fn write_json(path: &Path, graphs: &[(String, SceneGraph)]) -> Result<(), FormatError> {
    refuse_faulty_names(path, graphs)?;
    json::write_by_stem(path, graphs, SceneGraph::clone)
}

/// Refuses names that can never match.
fn refuse_faulty_names(path: &Path, graphs: &[(String, SceneGraph)]) -> Result<(), FormatError> {
    for (stem, graph) in graphs {
        let check = |name: &String, place: &dyn Fn() -> String| {
            let reason = if name.trim().is_empty() {
                "an empty name; give one or leave it out".to_owned()
            } else if name.trim() != name {
                format!("{name:?} begins or ends with a space, so it would match nothing; take it off")
            } else {
                return Ok(());
            };
            Err(Problem::invalid(format!("{stem:?}, {}", place()), reason).at(path))
        };
        for (i, name) in graph.objects.iter().enumerate() {
            check(name, &|| format!("objects[{i}]"))?;
        }
        for name in graph.attributes.keys() {
            check(name, &|| "attributes".to_owned())?;
        }
        for (object, names) in &graph.attributes {
            for (i, name) in names.iter().enumerate() {
                check(name, &|| format!("attributes[{object:?}][{i}]"))?;
            }
        }
        for (i, relation) in graph.relations.iter().enumerate() {
            for (part, name) in relation.iter().enumerate() {
                check(name, &|| format!("relations[{i}][{part}]"))?;
            }
        }
    }
    Ok(())
}
