//! Models that find objects of given categories.

use super::{Architecture, ModelEntry, ModelFile, Source};

/// The weights, and two files whose hashes are not known here. Files also hold the indices of windows, 8 bytes each.
const fn with_weights(weights: ModelFile) -> [ModelFile; 3] {
    [ModelFile::without_hash("config.json"), ModelFile::without_hash("tokenizer.json"), weights]
}

const FILES_OF_SWIN_L: [ModelFile; 3] =
    with_weights(ModelFile::without_hash("model.safetensors").of_values(344_053_512, 4));
const FILES_OF_SWIN_T: [ModelFile; 3] =
    with_weights(ModelFile::without_hash("model.safetensors").of_values(172_975_340, 4));

const FILES_OF_TINY: [ModelFile; 3] = with_weights(ModelFile::pinned(
    "model.safetensors",
    689_359_096,
    "1a2412ef99bd74bcd3c2a246fa1e48581f8889a1300c9051974741314fc042f3",
));

const FILES_OF_BASE: [ModelFile; 3] = with_weights(
    ModelFile::of_hash("model.safetensors", "5548f844c928c4b6f411fa8cbcc2bfa8dbbba437cb1d513975519f93c2a9ed21")
        .of_values(233_314_104, 4),
);

const MM_GROUNDING_DINO_SWIN_L: ModelEntry = ModelEntry {
    id: "mm_grounding_dino_swin_l",
    architecture: Architecture::GroundingDino,
    source: Source::Hub("openmmlab-community/mm_grounding_dino_large_all"),
    revision: "main",
    files: &FILES_OF_SWIN_L,
    licence: "Apache-2.0",
    terms: None,
    citation: "Zhao et al. (2024), An Open and Comprehensive Pipeline for Unified Object Grounding and \
               Detection, arXiv:2401.02361",
    purpose: "detector of Object F1, as in SEED",
};

const GROUNDING_DINO_TINY: ModelEntry = ModelEntry {
    id: "grounding_dino_tiny",
    source: Source::Hub("IDEA-Research/grounding-dino-tiny"),
    revision: "a2bb814dd30d776dcf7e30523b00659f4f141c71",
    files: &FILES_OF_TINY,
    citation: "Liu et al. (2024), Grounding DINO: Marrying DINO with Grounded Pre-Training for Open-Set \
               Object Detection, ECCV",
    purpose: "the detector that MM-Grounding-DINO follows",
    ..MM_GROUNDING_DINO_SWIN_L
};

const YOLO_WORLD_TERMS: &str = "the GPL covers these weights as it covers their authors' code; programs that contain them, or are made from them, must be \
                                passed on under it";

/// A checkpoint of the authors, whose file name has the first digits of its hash, and CLIP's tokenizer. The paper
/// rounds the number of values to millions, those of CLIP's text tower among them.
const fn yolo_world_files(path: &'static str, digits: &'static str, n_millions: u64) -> [ModelFile; 2] {
    [
        ModelFile::without_hash("tokenizer.json").of("openai/clip-vit-base-patch32"),
        ModelFile::of_hash(path, digits).of_values(n_millions * 1_000_000, 4),
    ]
}

const FILES_OF_S: [ModelFile; 2] = yolo_world_files("s_stage1-d1c1d7d8.pth", "d1c1d7d8", 77);
const FILES_OF_M: [ModelFile; 2] = yolo_world_files("m_stage1-7e1e5299.pth", "7e1e5299", 92);
const FILES_OF_L: [ModelFile; 2] = yolo_world_files("l_stage1-7d280586.pth", "7d280586", 110);
const FILES_OF_X: [ModelFile; 2] = yolo_world_files("x_stage1-62b674ad.pth", "62b674ad", 137);
const FILES_OF_M_1280: [ModelFile; 2] = yolo_world_files("m_stage2-9987dcb1.pth", "9987dcb1", 92);
const FILES_OF_L_1280: [ModelFile; 2] = yolo_world_files("l_stage2-b3e3dc3f.pth", "b3e3dc3f", 110);

const YOLO_WORLD_V2_S: ModelEntry = ModelEntry {
    id: "yolo_world_v2_s",
    architecture: Architecture::YoloWorld,
    source: Source::Hub("wondervictor/YOLO-World-V2.1"),
    revision: "main",
    files: &FILES_OF_S,
    licence: "GPL-3.0-only",
    terms: Some(YOLO_WORLD_TERMS),
    citation: "Cheng et al. (2024), YOLO-World: Real-Time Open-Vocabulary Object Detection, CVPR",
    purpose: "a fast detector (images in 640 x 640)",
};

const YOLO_WORLD_V2_M_1280: ModelEntry = ModelEntry {
    id: "yolo_world_v2_m_1280",
    files: &FILES_OF_M_1280,
    purpose: "the same with images in 1280 x 1280",
    ..YOLO_WORLD_V2_S
};

pub(super) const MODELS: &[ModelEntry] = &[
    MM_GROUNDING_DINO_SWIN_L,
    ModelEntry {
        id: "mm_grounding_dino_swin_t",
        source: Source::Hub("openmmlab-community/mm_grounding_dino_tiny_o365v1_goldg_v3det"),
        files: &FILES_OF_SWIN_T,
        purpose: "a smaller detector",
        ..MM_GROUNDING_DINO_SWIN_L
    },
    GROUNDING_DINO_TINY,
    ModelEntry {
        id: "grounding_dino_base",
        source: Source::Hub("IDEA-Research/grounding-dino-base"),
        revision: "12bdfa3120f3e7ec7b434d90674b3396eccf88eb",
        files: &FILES_OF_BASE,
        purpose: "a larger detector, whose boxes can prompt a segmenter",
        ..GROUNDING_DINO_TINY
    },
    YOLO_WORLD_V2_S,
    ModelEntry {
        id: "yolo_world_v2_m",
        files: &FILES_OF_M,
        ..YOLO_WORLD_V2_S
    },
    ModelEntry {
        id: "yolo_world_v2_l",
        files: &FILES_OF_L,
        purpose: "SEED with another detector (images in 640 x 640)",
        ..YOLO_WORLD_V2_S
    },
    ModelEntry {
        id: "yolo_world_v2_x",
        files: &FILES_OF_X,
        ..YOLO_WORLD_V2_S
    },
    YOLO_WORLD_V2_M_1280,
    ModelEntry {
        id: "yolo_world_v2_l_1280",
        files: &FILES_OF_L_1280,
        ..YOLO_WORLD_V2_M_1280
    },
];
