//! Label lists of the user's own.

use crate::{FormatError, json};
use neurogauge_core::LabelList;
use std::collections::HashMap;
use std::path::Path;

/// Reads the category names that a detector was asked for, in the order of its label indices.
///
/// The file is text with one name per line (blank lines and lines starting with `#` are passed
/// over) or a JSON list of strings. Underscores in names become spaces. The id of the list is the
/// file's stem.
///
/// # Errors
/// No file, not UTF-8, no name at all, a name that stands twice (an index
/// could then mean two things), JSON that is not a list of strings.
///
/// ```
/// # let dir = tempfile::tempdir()?;
/// # let path = dir.path().join("fruit.txt");
/// std::fs::write(&path, "# what we looked for\napple\nhot_dog\n")?;
/// let list = neurogauge_formats::label_list::read_label_list(&path)?;
/// assert_eq!(list.id(), "fruit");
/// assert_eq!(list.index_of("hot dog"), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_label_list(path: &Path) -> Result<LabelList, FormatError> {
    let bytes = json::read_bytes(path, "a file with one category name per line")?;
    let is_json = bytes.trim_ascii_start().starts_with(b"[");
    let names: Vec<(String, String)> = if is_json {
        let names: Vec<String> = json::parse(path, &bytes)?;
        let places = (0..).map(|index: usize| format!("name {index}"));
        places.zip(names).collect()
    } else {
        let text = std::str::from_utf8(&bytes).map_err(|error| FormatError::Malformed {
            path: path.to_owned(),
            reason: format!("not UTF-8 text: {error}"),
        })?;
        text.lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
            .map(|(index, line)| (format!("line {}", index + 1), line.to_owned()))
            .collect()
    };
    if names.is_empty() {
        return Err(FormatError::Malformed {
            path: path.to_owned(),
            reason: "no category name in it; expected one per line".to_owned(),
        });
    }
    let id = path.file_stem().unwrap_or_default().to_string_lossy();
    let list = LabelList::new(id, names.iter().map(|(_, name)| name));
    refuse_faulty_names(path, &list, &names)?;
    Ok(list)
}

fn refuse_faulty_names(
    path: &Path,
    list: &LabelList,
    names: &[(String, String)],
) -> Result<(), FormatError> {
    let mut first_place: HashMap<&str, &str> = HashMap::new();
    for (name, (place, _)) in list.names().iter().zip(names) {
        let reason = if name.is_empty() {
            "an empty name".to_owned()
        } else if let Some(first) = first_place.insert(name, place) {
            format!("{name:?} stands at {first} already; each category may be named once")
        } else {
            continue;
        };
        return Err(FormatError::Invalid {
            path: path.to_owned(),
            place: place.clone(),
            reason,
        });
    }
    Ok(())
}
