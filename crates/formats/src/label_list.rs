//! Label lists from the user.

use crate::delimited_text::{read_text, without_mark};
use crate::json::UniqueEntries;
use crate::{FormatError, Problem, json};
use neurogauge_core::{LabelGroups, LabelList};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;

/// Reads the category names of a detector, in the order of its label indices, and their groups.
///
/// The file has one of three forms:
/// - text with one name per line (blank lines and lines starting with `#` are ignored);
/// - a JSON list of names;
/// - a JSON object: `names` is a list of names or the id of a built-in list (`coco_gender`, `coco`, `god`),
///   `supercategories` an object with the list of the names of each supercategory, `salient` a list of names. Either of
///   the latter two may be missing; it is then known only for COCO's categories. A name outside all supercategories
///   forms its own.
///
/// Underscores in names become spaces. The id of the list is the file's stem. A UTF-8 byte order mark is accepted.
///
/// # Errors
/// The file is missing, is not UTF-8, has no names or JSON of another form; a name occurs twice (an index could then
/// mean two things; only built-in lists may repeat a name); a name in `supercategories` or `salient` is not among
/// `names`, or is in two supercategories. All errors name the place.
pub fn read_label_list(path: &Path) -> Result<LabelList, FormatError> {
    let text = read_text(path, "a file with one category name per line")?;
    let text = without_mark(&text);
    let id = path.file_stem().unwrap_or_default().to_string_lossy();
    match text.trim_ascii_start().as_bytes().first() {
        Some(b'{') => grouped(path, &id, text.as_bytes()),
        Some(b'[') => listed(path, &id, json::parse(path, text.as_bytes(), JSON)?),
        _ => of_lines(path, &id, text),
    }
}

fn of_lines(path: &Path, id: &str, text: &str) -> Result<LabelList, FormatError> {
    let lines = text.lines().enumerate();
    let names = lines
        .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
        .map(|(index, line)| (format!("line {}", index + 1), line.to_owned()));
    checked(path, id, &names.collect::<Vec<_>>())
}

fn listed(path: &Path, id: &str, names: Vec<String>) -> Result<LabelList, FormatError> {
    let places = (0..).map(|index: usize| format!("name {index}"));
    checked(path, id, &places.zip(names).collect::<Vec<_>>())
}

/// The form of a list in JSON, for messages.
const JSON: &str = "category names, [\"dog\", \"cat\"] or {\"names\": [\"dog\", \"cat\"]}";

/// A JSON object as stored in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Grouped {
    names: NamesOrBuiltin,
    supercategories: Option<UniqueEntries<Vec<String>>>,
    salient: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a list of names, or the id of a built-in list")]
enum NamesOrBuiltin {
    Listed(Vec<String>),
    Builtin(String),
}

fn grouped(path: &Path, id: &str, bytes: &[u8]) -> Result<LabelList, FormatError> {
    let Grouped {
        names,
        supercategories,
        salient,
    } = json::parse(path, bytes, JSON)?;
    let invalid = |place: String, reason: String| Problem::invalid(place, reason).at(path);
    let list = match names {
        NamesOrBuiltin::Listed(names) => listed(path, id, names)?,
        NamesOrBuiltin::Builtin(builtin) => match LabelList::builtin(&builtin) {
            Some(list) => LabelList::new(id, list.names()),
            None => {
                let known = "expected coco_gender, coco, god, or a list of names";
                return Err(invalid("names".to_owned(), format!("{builtin:?}; {known}")));
            }
        },
    };
    let supercategories = supercategories.map(|UniqueEntries(entries)| entries);
    let mut group_of: HashMap<usize, &str> = HashMap::new();
    for (group, members) in supercategories.iter().flatten() {
        for (index, name) in members.iter().enumerate() {
            let place = || format!("supercategories, {group:?}, name {index}");
            let Some(category) = list.index_of(name) else {
                let reason = format!("{name:?} is not among the names; correct it or add it there");
                return Err(invalid(place(), reason));
            };
            if let Some(first) = group_of.insert(category, group) {
                let reason = format!("{name:?} is in {first:?} already; a category has one supercategory");
                return Err(invalid(place(), reason));
            }
        }
    }
    for (index, name) in salient.iter().flatten().enumerate() {
        if list.index_of(name).is_none() {
            let reason = format!("{name:?} is not among the names; correct it or add it there");
            return Err(invalid(format!("salient, name {index}"), reason));
        }
    }
    Ok(list.grouped(LabelGroups {
        supercategories: supercategories.map(|entries| entries.into_iter().collect()),
        salient,
    }))
}

fn checked(path: &Path, id: &str, names: &[(String, String)]) -> Result<LabelList, FormatError> {
    if names.is_empty() {
        return Err(Problem::new("no category name in it; expected one per line").at(path));
    }
    let list = LabelList::new(id, names.iter().map(|(_, name)| name));
    refuse_faulty_names(path, &list, names)?;
    Ok(list)
}

fn refuse_faulty_names(path: &Path, list: &LabelList, names: &[(String, String)]) -> Result<(), FormatError> {
    let mut first_place: HashMap<&str, &str> = HashMap::new();
    for (name, (place, _)) in list.names().iter().zip(names) {
        let reason = if name.is_empty() {
            "an empty name".to_owned()
        } else if let Some(first) = first_place.insert(name, place) {
            format!("{name:?} is at {first} already; each category may be named once")
        } else {
            continue;
        };
        return Err(Problem::invalid(place, reason).at(path));
    }
    Ok(())
}
