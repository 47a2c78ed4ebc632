//! The files that name a kind of observation, which a new kind would have to change.

use super::check_written_part;
use super::circles::{code, rust_files};
use neurogauge::core::ObservationKind;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The files of a kind: its name, its reader, its opening and comparison, its observer with its questions for models,
/// and its metric.
const FILES: &[&str] = &[
    "core/src/observation/kind.rs",
    "formats/src/",
    "facade/src/kinds/",
    "facade/src/observers/",
    "models/src/vlm/prompts.rs",
    "metrics/src/registry/",
];

/// The code that chooses a run's observers, and the words for kinds.
const FURTHER: &[&str] = &["facade/src/plan/observers/", "command/src/"];

/// A kind with its own file, metric and option, whose files are those that a new kind would need.
const EXAMPLE: ObservationKind = ObservationKind::VqaScores;

/// Every source file of the crates, with its path relative to their folder.
fn sources(crates: &Path) -> Vec<(PathBuf, String)> {
    let folders = std::fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path().join("src"));
    let files = folders.filter(|src| src.is_dir()).flat_map(|src| rust_files(&src));
    let named = |file: PathBuf| {
        let name = file.strip_prefix(crates).unwrap().to_string_lossy().into_owned();
        (file, name)
    };
    files.map(named).collect()
}

/// Other files that name a single kind.
pub(crate) fn elsewhere(crates: &Path) -> Vec<String> {
    // Images are the only kind that no observer makes.
    let kinds = ObservationKind::ALL.into_iter().filter(|kind| *kind != ObservationKind::Images);
    let names: Vec<String> = kinds.map(|kind| format!("ObservationKind::{kind:?}")).collect();
    let names_one = |file: &Path| {
        let text = code(file);
        names.iter().any(|name| text.contains(name))
    };
    let is_at_home = |name: &String| FILES.iter().chain(FURTHER).any(|home| name.starts_with(home));
    let others = sources(crates).into_iter().filter(|(_, name)| !is_at_home(name));
    others.filter(|(file, _)| names_one(file)).map(|(_, name)| name).collect()
}

#[test]
fn the_written_list_of_the_files_of_a_kind_is_what_one_takes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let names = [format!("{EXAMPLE:?}"), EXAMPLE.id().to_owned(), EXAMPLE.id().replace('_', "-")];
    let mut files = BTreeMap::<String, Vec<String>>::new();
    for (file, name) in sources(&root.join("crates")) {
        let text = code(&file);
        if names.iter().any(|kind| text.contains(kind) || name.contains(kind)) {
            assert!(FILES.iter().any(|home| name.starts_with(home)), "{name} names one kind: a new one would cost it");
            let (folder, name) = name.split_once("/src/").unwrap();
            files.entry(format!("crates/{folder}/src")).or_default().push(format!("`{name}`"));
        }
    }
    let n: usize = files.values().map(Vec::len).sum();
    let mut table = format!("| where | files ({n}) |\n|---|---|\n");
    for (folder, mut names) in files {
        names.sort();
        table += &format!("| `{folder}` | {} |\n", names.join(", "));
    }
    let path = root.join("docs/pages/how-to/extend.md");
    let ends = ["<!-- files of a kind: written from the code -->\n", "<!-- end of files of a kind -->\n"];
    check_written_part(&path, ends, &table);
}
