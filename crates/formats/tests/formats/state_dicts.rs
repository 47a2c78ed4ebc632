//! Checkpoints in every layout, against what torch and safetensors read from them.

use crate::prelude::*;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/formats_checkpoints");

/// A golden file; a missing one fails the test.
fn path(name: &str) -> PathBuf {
    let path = PathBuf::from(FOLDER).join(name);
    assert!(path.is_file(), "{} is missing", path.display());
    path
}

fn expected() -> Vec<(String, Value)> {
    let text = std::fs::read_to_string(path("expected.json")).unwrap();
    let files: serde_json::Map<String, Value> = serde_json::from_str(&text).unwrap();
    assert!(!files.is_empty());
    files.into_iter().collect()
}

/// A copy of the file with changed bytes, in a folder that exists as long as the test.
fn changed(name: &str, change: impl FnOnce(&mut Vec<u8>)) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join(name);
    let mut bytes = std::fs::read(path(name)).unwrap();
    change(&mut bytes);
    std::fs::write(&target, bytes).unwrap();
    (folder, target)
}

fn replace(bytes: &mut [u8], from: &[u8], to: &[u8]) {
    assert_eq!(from.len(), to.len());
    let found = bytes.windows(from.len()).position(|w| w == from).unwrap();
    bytes[found..found + to.len()].copy_from_slice(to);
}

#[test]
fn every_layout_reads_as_its_own_library_reads_it() {
    for (file, expected) in expected() {
        let found = state_dict::open(&path(&file)).unwrap();
        assert_eq!(found.layout().to_string(), expected["layout"], "{file}");
        let tensors = expected["tensors"].as_array().unwrap();
        let names: Vec<&str> = tensors.iter().map(|tensor| tensor["name"].as_str().unwrap()).collect();
        let mut found_names: Vec<&str> = found.tensors().iter().map(|t| t.name.as_str()).collect();
        if expected["layout"] == "torchscript" {
            // A module's attributes are in a different order than its state dict's tensors.
            let mut sorted = names.clone();
            sorted.sort_unstable();
            found_names.sort_unstable();
            assert_eq!(found_names, sorted, "{file}");
        } else {
            assert_eq!(found_names, names, "{file}");
        }
        for expected in tensors {
            let name = expected["name"].as_str().unwrap();
            let tensor = found.get(name).unwrap();
            assert_eq!(serde_json::json!(tensor.shape()), expected["shape"], "{file}: {name}");
            assert_eq!(tensor.element_type().to_string(), expected["dtype"], "{file}: {name}");
            let values: Vec<f64> = serde_json::from_value(expected["values"].clone()).unwrap();
            let read = tensor.read_f32().unwrap();
            assert_eq!(read.iter().map(|&v| f64::from(v)).collect::<Vec<_>>(), values);
        }
    }
}

/// The archive's root has 21 letters, so that the header of its first entry has 76 bytes, which equals the distance
/// between the zip directory and its end record: a reader could mistake this for another beginning.
#[test]
fn the_length_of_the_root_does_not_matter() {
    let found = state_dict::open(&path("nested_state_dict.pth.tar")).unwrap();
    assert!(found.get("module.fc.bias").is_some());
}

#[test]
fn torchscript_names_are_the_paths_of_attributes() {
    let found = state_dict::open(&path("scripted_half.pt")).unwrap();
    assert_eq!(found.get("layer.0.conv.weight").unwrap().element_type().to_string(), "float16");
    assert!(found.get("stem.label").is_none() && found.get("absent").is_none());
}

#[test]
fn nothing_is_executed_and_the_name_that_was_asked_for_is_told() {
    for (file, forbidden) in [
        ("refused_hostile_legacy.pth", "__builtin__.exec"),
        ("refused_hostile_torchscript.pt", "__builtin__.exec"),
        ("refused_whole_model.pth", "torch.nn.modules.linear.Linear"),
    ] {
        refused(state_dict::open(&path(file)), &format!("the pickle asks for {forbidden:?}"));
    }
    // TorchScript's names are only allowed in its archives.
    let (_folder, target) = changed("traced.pt", |bytes| {
        let from = b"traced/constants.pkl";
        let to = b"traced/constants.txt";
        while bytes.windows(from.len()).any(|w| w == from) {
            replace(bytes, from, to);
        }
    });
    refused(state_dict::open(&target), "the pickle asks for \"__torch__.Net\"");
}

#[test]
fn what_is_no_checkpoint_is_described() {
    let folder = tempfile::tempdir().unwrap();
    let written = |bytes: &[u8]| {
        let target = folder.path().join("file");
        std::fs::write(&target, bytes).unwrap();
        state_dict::open(&target)
    };
    for (found, words) in [
        (written(b""), "holds nothing; expected a checkpoint"),
        (written(b"<!DOCTYPE html><html>"), "holds a web page"),
        (written(b"version https://git-lfs"), "a pointer to a file"),
        (written(b"\x80\x02}q\x00."), "a pickle that torch did not"),
        (state_dict::open(&path("refused_empty.pth")), "a dict of 1 without a tensor"),
        (state_dict::open(&path("refused_container.pth")), "a list of 2 under \"history\""),
    ] {
        refused(found, words);
    }
}

#[test]
fn a_file_cut_short_is_an_error_wherever_the_cut_is() {
    for file in [
        "zip.pth",
        "legacy.pth",
        "legacy_python2.pth",
        "legacy_protocol4.pth",
        "traced.pt",
        "plain.safetensors",
    ] {
        let (_folder, target) = place(file);
        let whole = std::fs::read(path(file)).unwrap();
        for length in (0..whole.len()).step_by(29).chain([whole.len() - 1]) {
            std::fs::write(&target, &whole[..length]).unwrap();
            assert!(state_dict::open(&target).is_err(), "{file}: {length}");
        }
    }
    let (_folder, target) = changed("legacy.pth", |bytes| bytes.truncate(bytes.len() - 4));
    refused(state_dict::open(&target), "the file was cut short");
}

#[test]
fn a_storage_that_does_not_reach_is_an_error() {
    // The file's first storage follows its pickles, with its length as eight bytes.
    let (_folder, target) = changed("legacy_nested_shared.pth", |bytes| {
        let n = bytes.len();
        bytes[n - 32..n - 24].copy_from_slice(&5u64.to_le_bytes());
        bytes.truncate(n - 4);
    });
    refused(state_dict::open(&target), "needs 24 bytes, but 20");
    let (_folder, target) = changed("legacy_nested_shared.pth", |bytes| {
        let n = bytes.len();
        bytes[n - 32..n - 24].copy_from_slice(&u64::MAX.to_le_bytes());
    });
    refused(state_dict::open(&target), "the file was cut short");
    let (_folder, target) = changed("legacy.pth", |bytes| {
        // Version 1001 of the format becomes 1002.
        replace(bytes, b"\x80\x02M\xe9\x03.", b"\x80\x02M\xea\x03.");
    });
    refused(state_dict::open(&target), "version 1002 of");
}

#[test]
fn a_safetensors_header_must_describe_every_byte_once() {
    for (from, to, words) in [
        (&b"\"BF16\""[..], &b"\"F8_9\""[..], "elements of type F8_9"),
        (b"\"shape\":[3]", b"\"shape\":[2]", "of shape [2] and type"),
        (b"\"shape\":[3]", b"\"shape\":3  ", "expected a list"),
        (b"\"pt\"}", b"\"pt\"]", "the header of safetensors: a comma or `}` is missing"),
    ] {
        let (_folder, target) = changed("plain.safetensors", |bytes| replace(bytes, from, to));
        refused(state_dict::open(&target), words);
    }
    let (_folder, target) = changed("plain.safetensors", |bytes| bytes.push(0));
    refused(state_dict::open(&target), "the file was changed");
    let (_folder, target) = changed("plain.safetensors", |bytes| bytes[7] = 1);
    refused(state_dict::open(&target), "a header of");
}
