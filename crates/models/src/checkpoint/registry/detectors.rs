//! Models that find objects of categories that they are asked for.

use super::{Architecture, ModelEntry, ModelFile, Source};

/// None of the hashes are known here.
const FILES: &[ModelFile] = &[
    ModelFile::without_hash("config.json"),
    ModelFile::without_hash("tokenizer.json"),
    ModelFile::without_hash("model.safetensors"),
];

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
    purpose: "a larger detector, whose boxes can prompt a segmenter",
    ..GROUNDING_DINO_TINY
};
