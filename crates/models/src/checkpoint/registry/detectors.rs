//! Models that find objects of categories that they are asked for.

use super::{Architecture, ModelEntry, ModelFile, PublishedHash, Source};

/// None of the hashes are known here.
const FILES: &[ModelFile] = &[
    ModelFile::without_hash("config.json"),
    ModelFile::without_hash("tokenizer.json"),
    ModelFile::without_hash("model.safetensors"),
];

/// The same with weights whose hash is known; its size is, where it was published.
const fn with_weights(weights: ModelFile) -> [ModelFile; 3] {
    [FILES[0], FILES[1], weights]
}

const FILES_OF_TINY: [ModelFile; 3] = with_weights(ModelFile::pinned(
    "model.safetensors",
    689_359_096,
    "1a2412ef99bd74bcd3c2a246fa1e48581f8889a1300c9051974741314fc042f3",
));

const FILES_OF_BASE: [ModelFile; 3] = with_weights(ModelFile {
    path: "model.safetensors",
    bytes: None,
    sha256: PublishedHash::Full("5548f844c928c4b6f411fa8cbcc2bfa8dbbba437cb1d513975519f93c2a9ed21"),
    repository: None,
});

pub(super) const MM_GROUNDING_DINO_SWIN_L: ModelEntry = ModelEntry {
    id: "mm_grounding_dino_swin_l",
    architecture: Architecture::GroundingDino,
    source: Source::Hub {
        repository: "openmmlab-community/mm_grounding_dino_large_all",
    },
    revision: "main",
    files: FILES,
    licence: "Apache-2.0",
    terms: None,
    citation: "Zhao et al. (2024), An Open and Comprehensive Pipeline for Unified Object Grounding and \
               Detection, arXiv:2401.02361",
    purpose: "detector of Object F1, as in SEED",
};

pub(super) const MM_GROUNDING_DINO_SWIN_T: ModelEntry = ModelEntry {
    id: "mm_grounding_dino_swin_t",
    source: Source::Hub {
        repository: "openmmlab-community/mm_grounding_dino_tiny_o365v1_goldg_v3det",
    },
    purpose: "a smaller detector",
    ..MM_GROUNDING_DINO_SWIN_L
};

pub(super) const GROUNDING_DINO_TINY: ModelEntry = ModelEntry {
    id: "grounding_dino_tiny",
    source: Source::Hub {
        repository: "IDEA-Research/grounding-dino-tiny",
    },
    revision: "a2bb814dd30d776dcf7e30523b00659f4f141c71",
    files: &FILES_OF_TINY,
    citation: "Liu et al. (2024), Grounding DINO: Marrying DINO with Grounded Pre-Training for Open-Set \
               Object Detection, ECCV",
    purpose: "the detector that MM-Grounding-DINO follows",
    ..MM_GROUNDING_DINO_SWIN_L
};

pub(super) const GROUNDING_DINO_BASE: ModelEntry = ModelEntry {
    id: "grounding_dino_base",
    source: Source::Hub {
        repository: "IDEA-Research/grounding-dino-base",
    },
    revision: "12bdfa3120f3e7ec7b434d90674b3396eccf88eb",
    files: &FILES_OF_BASE,
    purpose: "a larger detector, whose boxes can prompt a segmenter",
    ..GROUNDING_DINO_TINY
};
