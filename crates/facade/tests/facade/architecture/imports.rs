//! The number of modules of its crate that a file of the facade imports.

use super::circles::{Modules, rust_files};
use std::path::Path;

/// A file that needs more modules than this has more than one purpose.
const MOST: usize = 8;

#[test]
fn a_file_imports_few_modules_of_its_crate() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let modules = Modules::of(&src);
    for file in rust_files(&src) {
        let name = file.strip_prefix(&src).unwrap().to_string_lossy().into_owned();
        let used = modules.used_by(&[file]);
        assert!(used.len() <= MOST || name == "lib.rs", "{name} imports more than {MOST} modules: {used:?}");
    }
}
