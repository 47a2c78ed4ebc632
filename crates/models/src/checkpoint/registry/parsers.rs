//! Parsers of sentences.

use super::{Architecture, ModelEntry, ModelFile, PublishedHash, Source};

/// None of the hashes are known here.
const fn file(path: &'static str) -> ModelFile {
    ModelFile {
        path,
        bytes: None,
        sha256: PublishedHash::None,
    }
}

pub(super) const FACTUAL_T5: ModelEntry = ModelEntry {
    id: "factual_t5",
    architecture: Architecture::T5,
    source: Source::Hub {
        repository: "lizhuang144/flan-t5-base-VG-factual-sg",
    },
    revision: "main",
    files: &[
        file("config.json"),
        file("tokenizer.json"),
        file("model.safetensors"),
    ],
    licence: "NOASSERTION",
    terms: Some("its authors name no licence: ask them before you pass it on"),
    citation: "Li et al. (2023), FACTUAL: A Benchmark for Faithful and Consistent Textual Scene Graph \
               Parsing, Findings of ACL",
    purpose: "scene graphs of captions for BASIC-H",
};
