//! How many modules of its crate a file of the facade imports.

use super::circles::{Modules, rust_files};
use std::path::Path;

/// A file that needs more modules than this has more than one idea.
const MOST: usize = 8;

/// Files that still import more, with their number, which may only shrink.
const MORE: &[(&str, usize)] = &[
    ("model_sets.rs", 11),
    ("perceive.rs", 10),
    ("plan/record.rs", 11),
    ("plan/resolve.rs", 15),
    ("run_record/mod.rs", 10),
    ("score/null_levels.rs", 9),
    ("score/run.rs", 13),
];

#[test]
fn a_file_imports_few_modules_of_its_crate() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let modules = Modules::of(&src);
    for file in rust_files(&src) {
        let name = file.strip_prefix(&src).unwrap().to_string_lossy().into_owned();
        let most = MORE.iter().find(|(more, _)| *more == name).map_or(MOST, |(_, n)| *n);
        let used = modules.used_by(&[file]);
        assert!(used.len() <= most || name == "lib.rs", "{name} imports more than {most} modules: {used:?}");
    }
}
