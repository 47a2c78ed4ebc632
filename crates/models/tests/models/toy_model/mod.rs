//! A registry entry whose files are a few bytes long.

use neurogauge_models::registry::{Architecture, Source};
use neurogauge_models::{ModelEntry, ModelFile};
use std::path::Path;

pub(crate) const CONFIG: &[u8] = b"{\"toy\": true}";
pub(crate) const WEIGHTS: &[u8] = b"these are the weights of the toy model";

pub(crate) const TOY: ModelEntry = ModelEntry {
    id: "toy",
    architecture: Architecture::MiniLm,
    source: Source::Hub("somebody/toy-model"),
    revision: "0123456789abcdef0123456789abcdef01234567",
    files: &[
        ModelFile::pinned("config.json", 13, "6d0591653bc3c7671004639a1cf79665328b0b8f648ac30ccb4331ea8f497bde"),
        ModelFile::pinned("model.safetensors", 38, WEIGHTS_SHA256),
    ],
    licence: "MIT",
    terms: None,
    citation: "",
    purpose: "tests",
};

/// The digits of the published hash of the weights.
pub(crate) const WEIGHTS_SHA256: &str = "e59ede0e586826cafce71e857482351b39d40fd77458358305dae39b39d476cc";

/// Puts the model's files into a folder.
pub(crate) fn write(dir: &Path) {
    std::fs::create_dir_all(dir).unwrap();
    std::fs::write(dir.join("config.json"), CONFIG).unwrap();
    std::fs::write(dir.join("model.safetensors"), WEIGHTS).unwrap();
}
