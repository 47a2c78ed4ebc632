//! Models that say what an image shows.

use super::{Architecture, ModelEntry, ModelFile, PublishedHash, Source};

const CITATION: &str = "Wang et al. (2022), GIT: A Generative Image-to-text Transformer for Vision \
                        and Language, TMLR";

/// None of the hashes are known here.
const FILES: &[ModelFile] = &[
    file("config.json"),
    file("tokenizer_config.json"),
    file("tokenizer.json"),
    file("model.safetensors"),
];

const fn file(path: &'static str) -> ModelFile {
    ModelFile {
        path,
        bytes: None,
        sha256: PublishedHash::None,
    }
}

pub(super) const GIT_LARGE_COCO: ModelEntry = ModelEntry {
    id: "git_large_coco",
    architecture: Architecture::Git,
    source: Source::Hub {
        repository: "microsoft/git-large-coco",
    },
    revision: "main",
    files: FILES,
    licence: "MIT",
    terms: None,
    citation: CITATION,
    purpose: "captioner of Cap-Sim, as in SEED",
};

pub(super) const GIT_BASE_COCO: ModelEntry = ModelEntry {
    id: "git_base_coco",
    source: Source::Hub {
        repository: "microsoft/git-base-coco",
    },
    purpose: "a smaller captioner",
    ..GIT_LARGE_COCO
};
