//! Categorisations of images: the BASIC paper's JSON of foreground objects, their parts, and background
//! elements, as written by language models.

mod lenient;
mod source;

pub use lenient::fenced;
pub use source::CategorisationSource;

use crate::parser_words::of_json;
use crate::{FormatError, Problem, json};
use neurogauge_core::{BackgroundElement, Categorisation, ForegroundObject};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;

#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with the lists foreground_objects and background_elements"
)]
struct Answer {
    foreground_objects: Vec<ObjectEntry>,
    background_elements: Vec<ElementEntry>,
}

#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "{\"object\": name, \"semantic_category\": name, \"parts\": [names]}"
)]
struct ObjectEntry {
    object: String,
    #[serde(default)]
    semantic_category: String,
    #[serde(default)]
    parts: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "{\"element\": name, \"semantic_category\": name}")]
struct ElementEntry {
    element: String,
    #[serde(default)]
    semantic_category: String,
}

/// The form of an answer, for messages.
const FORM: &str = "a categorisation, {\"foreground_objects\": [{\"object\": \"dog\"}], \"background_elements\": []}";

/// Reads the answer to the BASIC paper's categorisation prompt (Table S7):
///
/// `{"foreground_objects": [{"object": "dog", "semantic_category": "animal", "parts": ["head"]}],
/// "background_elements": [{"element": "sky", "semantic_category": "natural"}]}`
///
/// A fenced block (```` ```json ````) with words around it counts as the answer, and a comma before a closing bracket
/// is ignored, since language models add both. `semantic_category` and `parts` may be missing; any other missing or
/// unknown field, or wrong type, is an error.
///
/// # Errors
/// Faults with line and column; an empty name; more than one fenced block.
pub fn read_categorisation(path: &Path) -> Result<Categorisation, FormatError> {
    named(path, "", json::parse(path, cleaned(path)?.as_bytes(), FORM)?)
}

/// Reads such an answer from a text. Text before the first brace and after the last one is ignored.
pub fn parse_categorisation(text: &str) -> Result<Categorisation, String> {
    let cleaned = lenient::cleaned(text)?;
    let Some(json) = cleaned.find('{').zip(cleaned.rfind('}')).and_then(|(start, end)| cleaned.get(start..=end)) else {
        return Err("no JSON in the answer".to_owned());
    };
    let answer = serde_json::from_str(json).map_err(|error| format!("the JSON of the answer: {}", of_json(&error)))?;
    named(Path::new("the answer"), "", answer).map_err(|error| error.to_string())
}

/// A categorisation in the form of files.
pub fn form(found: &Categorisation) -> Value {
    let objects = found.foreground.iter().map(
        |object| json!({"object": object.name, "semantic_category": object.semantic_category, "parts": object.parts}),
    );
    let elements = found
        .background
        .iter()
        .map(|element| json!({"element": element.name, "semantic_category": element.semantic_category}));
    json!({
        "foreground_objects": objects.collect::<Vec<_>>(),
        "background_elements": elements.collect::<Vec<_>>(),
    })
}

fn cleaned(path: &Path) -> Result<String, FormatError> {
    let malformed = |reason: String| Problem::new(reason).at(path);
    let bytes = json::read_bytes(path, FORM)?;
    let text = String::from_utf8(bytes).map_err(|error| malformed(error.to_string()))?;
    lenient::cleaned(&text).map_err(malformed)
}

/// Converts the file's form to ours; empty names are errors.
fn named(path: &Path, within: &str, answer: Answer) -> Result<Categorisation, FormatError> {
    let check = |name: &str, place: String| {
        if name.trim().is_empty() {
            return Err(Problem::invalid(format!("{within}{place}"), "an empty name").at(path));
        }
        Ok(())
    };
    for (index, entry) in answer.foreground_objects.iter().enumerate() {
        check(&entry.object, format!("foreground_objects[{index}].object"))?;
        for (part, name) in entry.parts.iter().enumerate() {
            check(name, format!("foreground_objects[{index}].parts[{part}]"))?;
        }
    }
    for (index, entry) in answer.background_elements.iter().enumerate() {
        check(&entry.element, format!("background_elements[{index}].element"))?;
    }
    let object = |entry: ObjectEntry| ForegroundObject {
        name: entry.object,
        semantic_category: entry.semantic_category,
        parts: entry.parts,
    };
    let element = |entry: ElementEntry| BackgroundElement {
        name: entry.element,
        semantic_category: entry.semantic_category,
    };
    Ok(Categorisation {
        foreground: answer.foreground_objects.into_iter().map(object).collect(),
        background: answer.background_elements.into_iter().map(element).collect(),
    })
}
