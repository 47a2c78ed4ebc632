//! Scene graphs by stem: as JSON, or as text in the form of the papers.

mod json_form;
mod text_form;

use crate::{FormatError, atomic_file, json};
use neurogauge_core::{SceneGraph, natural_cmp};
use std::collections::HashMap;
use std::path::Path;

/// The expected content, for errors about a missing file or one without graphs.
const EXPECTED: &str = "scene graphs by stem, {\"stem\": {\"objects\": [\"boat\"], \"attributes\": {\"boat\": \
                        [\"large\"]}, \"relations\": [[\"boat\", \"dock at\", \"dock\"]]}}";

/// Reads the scene graphs of one side, by stem in natural order.
///
/// JSON is `{"stem": {"objects": ["boat"], "attributes": {"boat": ["large", "white"]}, "relations":
/// [["boat", "dock at", "dock"]]}}`; a missing part is empty. A file called `*.txt` has for each stem a line `[stem]`
/// followed by the BASIC paper's form (appendix D.3), with any line breaks:
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
/// JSON faults with stem, line and column (also a key that occurs twice, a relation without three parts);
/// faults of text with stem and line; in both a name that is empty or begins or ends with a space (it would
/// match nothing), a stem that occurs twice, no graph at all.
///
/// ```
/// # let dir = tempfile::tempdir()?;
/// # let path = dir.path().join("scene_graphs.txt");
/// std::fs::write(&path, "[1]\nobjects: boat, dock; relations: (boat, at, dock)\n")?;
/// let graphs = neurogauge_formats::scene_graphs::read(&path)?;
/// assert_eq!(graphs[0].0, "1");
/// assert_eq!(graphs[0].1.objects, ["boat", "dock"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(path: &Path) -> Result<Vec<(String, SceneGraph)>, FormatError> {
    let bytes = json::read_bytes(path, EXPECTED)?;
    let is_text = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("txt"));
    let mut graphs = if is_text {
        text_form::parse(path, &bytes)?
    } else {
        json_form::parse(path, &bytes)?
    };
    if graphs.is_empty() {
        return Err(FormatError::Malformed {
            path: path.to_owned(),
            reason: format!("no scene graph in it; expected {EXPECTED}"),
        });
    }
    for (stem, graph) in &graphs {
        refuse_faulty_names(path, stem, graph)?;
    }
    graphs.sort_by(|a, b| natural_cmp(&a.0, &b.0));
    Ok(graphs)
}

/// Writes scene graphs as JSON in the order given; [`read`] gives the same back, in natural order.
///
/// # Errors
/// Content that [`read`] would refuse is not written.
pub fn write_json(path: &Path, graphs: &[(String, SceneGraph)]) -> Result<(), FormatError> {
    let mut first_index = HashMap::new();
    for (index, (stem, graph)) in graphs.iter().enumerate() {
        if let Some(first) = first_index.insert(stem, index) {
            return Err(FormatError::Invalid {
                path: path.to_owned(),
                place: format!("{stem:?}"),
                reason: format!("the stem occurs twice, at {first} and at {index}"),
            });
        }
        refuse_faulty_names(path, stem, graph)?;
    }
    atomic_file::write(path, &json_form::to_bytes(path, graphs)?)
}

/// A name that can never match is an error.
fn refuse_faulty_names(path: &Path, stem: &str, graph: &SceneGraph) -> Result<(), FormatError> {
    let objects = graph.objects.iter().enumerate();
    let objects = objects.map(|(i, name)| (format!("objects[{i}]"), name));
    let keys = graph.attributes.keys();
    let keys = keys.map(|name| ("attributes".to_owned(), name));
    let values = graph.attributes.iter().flat_map(|(object, of_object)| {
        let place = move |i: usize| format!("attributes[{object:?}][{i}]");
        let of_object = of_object.iter().enumerate();
        of_object.map(move |(i, name)| (place(i), name))
    });
    let relations = graph.relations.iter().enumerate();
    let relations = relations.flat_map(|(i, relation)| {
        let parts = relation.iter().enumerate();
        parts.map(move |(part, name)| (format!("relations[{i}][{part}]"), name))
    });
    for (place, name) in objects.chain(keys).chain(values).chain(relations) {
        let reason = if name.trim().is_empty() {
            "an empty name; give one or leave it out".to_owned()
        } else if name.trim() != name {
            format!("{name:?} begins or ends with a space, so it would match nothing; take it off")
        } else {
            continue;
        };
        return Err(FormatError::Invalid {
            path: path.to_owned(),
            place: format!("{stem:?}, {place}"),
            reason,
        });
    }
    Ok(())
}
