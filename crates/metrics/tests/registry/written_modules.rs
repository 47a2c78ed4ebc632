//! A file of tests without a `mod` line would never run, so the `mod` lines of each topic are generated from its
//! folder.

use super::written::{in_repository, is_written};
use crate::support::*;

#[test]
fn every_file_of_tests_is_a_module_of_its_topic() {
    for topic in ["decoding", "losses", "registry"] {
        let folder = format!("crates/metrics/tests/{topic}");
        let files = std::fs::read_dir(in_repository(&folder)).unwrap();
        let stem = |file: std::fs::DirEntry| file.path().file_stem()?.to_str().map(str::to_owned);
        let names: BTreeSet<String> = files.filter_map(|file| stem(file.unwrap())).collect();
        let modules: String = names.iter().filter(|name| *name != "mod").map(|name| format!("mod {name};\n")).collect();
        let face = format!("{folder}/mod.rs");
        let text = std::fs::read_to_string(in_repository(&face)).unwrap();
        let (head, _) = text.split_once("\nmod ").unwrap();
        is_written(&face, &format!("{head}\n{modules}"));
    }
}
