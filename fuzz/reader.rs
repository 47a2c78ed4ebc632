//! Any bytes, as a file, through the reader that this program is named after.

#![no_main]

#[path = "../crates/formats/tests/formats/readers.rs"]
mod readers;

use libfuzzer_sys::fuzz_target;
use std::path::PathBuf;
use std::sync::OnceLock;

static FILE: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();

fuzz_target!(|bytes: &[u8]| {
    let mut all = readers::READERS.iter();
    let Some(reader) = all.find(|reader| reader.name == env!("CARGO_BIN_NAME")) else {
        unreachable!("a target is named after a reader");
    };
    let (_folder, path) = FILE.get_or_init(|| {
        // libFuzzer's hook ends the program even where a panic of a library is caught; one that nobody catches still does.
        drop(std::panic::take_hook());
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join(format!("file.{}", reader.ending));
        (folder, path)
    });
    std::fs::write(path, readers::mended(bytes.to_vec())).expect("room for a file");
    (reader.read)(path);
});
