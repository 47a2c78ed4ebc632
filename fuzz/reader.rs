//! Gives any bytes, as a file, to the reader that NEUROGAUGE_READER names.

#![no_main]

// Each of the two programs here uses a part of it.
#[allow(dead_code)]
#[path = "../crates/formats/tests/formats/readers.rs"]
mod readers;
mod recipes;

use libfuzzer_sys::fuzz_target;
use std::path::PathBuf;
use std::sync::OnceLock;

static READER: OnceLock<(&readers::Reader, tempfile::TempDir, PathBuf)> = OnceLock::new();

fuzz_target!(|bytes: &[u8]| {
    let (reader, _folder, path) = READER.get_or_init(|| {
        // libFuzzer's hook ends the program even if a library catches its panic. Without the hook, an uncaught panic
        // still ends it.
        drop(std::panic::take_hook());
        let name = std::env::var("NEUROGAUGE_READER").expect("NEUROGAUGE_READER names a reader");
        let mut all = readers::READERS.iter().chain([&recipes::RECIPES]);
        let reader = all.find(|reader| reader.name == name).expect("a reader of this name");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join(format!("file.{}", reader.ending));
        (reader, folder, path)
    });
    std::fs::write(path, readers::mended(bytes.to_vec())).expect("room for a file");
    (reader.read)(path);
});
