//! Parsers of sentences.

use super::{Architecture, ModelEntry, ModelFile, Source};

pub(super) const MODELS: &[ModelEntry] = &[ModelEntry {
    id: "factual_t5",
    architecture: Architecture::T5,
    source: Source::Hub("lizhuang144/flan-t5-base-VG-factual-sg"),
    revision: "main",
    files: &[
        ModelFile::without_hash("config.json"),
        ModelFile::without_hash("tokenizer.json"),
        ModelFile::without_hash("model.safetensors").of_values(247_577_856, 4),
    ],
    licence: "NOASSERTION",
    terms: Some("its authors name no licence: ask them before you pass it on"),
    citation: "Li et al. (2023), FACTUAL: A Benchmark for Faithful and Consistent Textual Scene Graph \
               Parsing, Findings of ACL",
    purpose: "scene graphs of captions for BASIC-H",
}];
