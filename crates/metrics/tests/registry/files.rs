//! No test and no golden is forgotten.

use std::collections::BTreeSet;
use std::path::Path;

/// A file beside `main.rs` that no `mod` line names would never run.
#[test]
fn every_file_of_tests_is_a_module_of_its_program() {
    for program in ["decoding", "losses", "registry"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests")
            .join(program);
        let main = std::fs::read_to_string(folder.join("main.rs")).unwrap();
        let modules: BTreeSet<&str> = main
            .lines()
            .filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'))
            .collect();
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            assert!(
                name == "main" || modules.contains(name),
                "{}: add `mod {name};` to main.rs",
                path.display()
            );
        }
    }
}
