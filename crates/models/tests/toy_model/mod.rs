//! A registry entry whose files are a few bytes long.

use neurogauge_models::{ModelEntry, ModelFile};
use std::path::Path;

pub(crate) const CONFIG: &[u8] = b"{\"toy\": true}";
pub(crate) const WEIGHTS: &[u8] = b"these are the weights of the toy model";

pub(crate) const TOY: ModelEntry = ModelEntry {
    id: "toy",
    repository: "somebody/toy-model",
    revision: "0123456789abcdef0123456789abcdef01234567",
    files: &[
        ModelFile {
            path: "config.json",
            bytes: 13,
            sha256: "6d0591653bc3c7671004639a1cf79665328b0b8f648ac30ccb4331ea8f497bde",
        },
        ModelFile {
            path: "model.safetensors",
            bytes: 38,
            sha256: "e59ede0e586826cafce71e857482351b39d40fd77458358305dae39b39d476cc",
        },
    ],
    licence: "MIT",
    citation: "",
    purpose: "tests",
};

/// Puts the model's files into a folder.
pub(crate) fn write(dir: &Path) {
    std::fs::create_dir_all(dir).unwrap();
    std::fs::write(dir.join("config.json"), CONFIG).unwrap();
    std::fs::write(dir.join("model.safetensors"), WEIGHTS).unwrap();
}
