//! The files that name a single kind of observation: the cost of a new kind.

use super::circles::{code, rust_files};
use neurogauge::core::ObservationKind;
use std::path::Path;

/// Where kinds are declared, observed, chosen and put into words.
const AT_HOME: &[&str] =
    &["core/src/observation/kind.rs", "facade/src/observers/", "facade/src/plan/choose.rs", "cli/src/"];

/// The other files that name one.
pub(crate) fn elsewhere(crates: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(crates).unwrap() {
        let src = entry.unwrap().path().join("src");
        let files = if src.is_dir() { rust_files(&src) } else { Vec::new() };
        for file in files {
            let name = file.strip_prefix(crates).unwrap().to_string_lossy().into_owned();
            let text = code(&file);
            // All images are of the one kind that nothing makes.
            let kinds = ObservationKind::ALL.into_iter().filter(|kind| *kind != ObservationKind::Images);
            let names_one = kinds.map(|kind| format!("ObservationKind::{kind:?}")).any(|name| {
                text.match_indices(&name).any(|(place, _)| {
                    let next = text[place + name.len()..].chars().next();
                    !next.is_some_and(|c| c.is_alphanumeric() || c == '_')
                })
            });
            if names_one && !AT_HOME.iter().any(|home| name.starts_with(home)) {
                found.push(name);
            }
        }
    }
    found
}
