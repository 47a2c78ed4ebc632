//! Checkpoints of several files and an index, made from the goldens' files.

use crate::prelude::*;
use serde_json::json;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/formats_checkpoints");
const SHARDS: [&str; 2] = ["legacy_nested_shared.pth", "plain.safetensors"];

/// Writes the index, with copies of the shards beside it.
fn write(dir: &Path, index: &Value) -> PathBuf {
    for shard in SHARDS {
        std::fs::copy(Path::new(FOLDER).join(shard), dir.join(shard)).unwrap();
    }
    let path = dir.join("model.safetensors.index.json");
    std::fs::write(&path, serde_json::to_string_pretty(index).unwrap()).unwrap();
    path
}

/// An index in transformers' form: a size, and the file of each tensor.
fn index(tensors: &[(&str, &str)]) -> Value {
    let map: serde_json::Map<String, Value> =
        tensors.iter().map(|(tensor, file)| ((*tensor).to_owned(), json!(file))).collect();
    json!({ "metadata": { "total_size": 1000 }, "weight_map": map })
}

#[test]
fn the_tensors_of_all_files_are_those_of_the_checkpoint() {
    let dir = tempfile::tempdir().unwrap();
    let [legacy, plain] = SHARDS;
    // A tensor that the index does not name still exists.
    let tensors = [("whole", legacy), ("turned", legacy), ("empty", plain)];
    let path = write(dir.path(), &index(&tensors));
    let found = state_dict::open(&path).unwrap();
    assert_eq!(found.layout().to_string(), "sharded");
    let names = |file: &str| -> Vec<String> {
        let single = state_dict::open(&Path::new(FOLDER).join(file)).unwrap();
        single.tensors().iter().map(|tensor| tensor.name.clone()).collect()
    };
    let found_names: Vec<String> = found.tensors().iter().map(|t| t.name.clone()).collect();
    assert_eq!(found_names, [names(legacy), names(plain)].concat());
    for shard in SHARDS {
        for tensor in state_dict::open(&Path::new(FOLDER).join(shard)).unwrap().tensors() {
            let same = found.get(&tensor.name).unwrap();
            assert_eq!(same.shape(), tensor.shape());
            assert_eq!(same.read_f32().unwrap(), tensor.read_f32().unwrap());
        }
    }
    let files = [path.clone(), dir.path().join(legacy), dir.path().join(plain)];
    assert_eq!(state_dict::files(&path).unwrap(), files);
    assert_eq!(state_dict::files(&files[1]).unwrap(), files[1..2]);
}

#[test]
fn what_the_index_says_must_be_so() {
    let dir = tempfile::tempdir().unwrap();
    let [legacy, plain] = SHARDS;
    let refused = |index: &Value, words: &[&str]| {
        let message = state_dict::open(&write(dir.path(), index)).unwrap_err().to_string();
        for words in words {
            assert!(message.contains(words), "{words:?} in {message}");
        }
    };
    refused(
        &index(&[("whole", legacy), ("empty", "shard-2-of-2.pth")]),
        &["shard-2-of-2.pth: not found", "1 tensors", "2 files", "model.safetensors.index.json"],
    );
    refused(
        &index(&[("whole", legacy), ("vacuum", plain)]),
        &["index.json: weight_map[\"vacuum\"]", "plain.safetensors has no tensor of this name"],
    );
    // Moved from one file to the other.
    refused(
        &index(&[("whole", plain), ("empty", plain)]),
        &["weight_map[\"whole\"]", "plain.safetensors has no"],
    );
    for elsewhere in ["../plain.safetensors", "/plain.safetensors", "a/b", "..", ""] {
        refused(&index(&[("whole", elsewhere)]), &["weight_map[\"whole\"]", "is not the name of a file"]);
    }
    // An index that refers to itself would never end.
    refused(&index(&[("whole", "model.safetensors.index.json")]), &["something else", "expected a checkpoint"]);
    refused(&index(&[]), &["weight_map: is empty"]);
    refused(&json!({"weight_map": ["a"]}), &["index.json:", "expected an object"]);
    refused(&json!({"model_type": "opt"}), &["JSON without a weight_map", "expected a checkpoint"]);
}

#[test]
fn two_files_with_one_tensor_and_a_damaged_file_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let [legacy, plain] = SHARDS;
    let path = write(dir.path(), &index(&[("whole", legacy), ("turned", "twin.pth"), ("empty", plain)]));
    std::fs::copy(dir.path().join(legacy), dir.path().join("twin.pth")).unwrap();
    refused(state_dict::open(&path), "two tensors are called");

    let path = write(dir.path(), &index(&[("whole", legacy), ("empty", plain)]));
    let bytes = std::fs::read(dir.path().join(plain)).unwrap();
    std::fs::write(dir.path().join(plain), &bytes[..bytes.len() - 3]).unwrap();
    refused(state_dict::open(&path), "plain.safetensors: ");
    std::fs::write(&path, b"{\"weight_map\": {").unwrap();
    refused(state_dict::open(&path), "index.json:1:");
}
