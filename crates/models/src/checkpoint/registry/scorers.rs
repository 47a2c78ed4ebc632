//! Models that give the probability of yes as the answer to a question about a picture.

use super::{Architecture, ModelEntry, ModelFile, Source};

/// No hash of these files is known here. The repository has the tokenizer's pieces but not `tokenizer.json`.
const FILES_OF_XL: &[ModelFile] = &[
    ModelFile::without_hash("config.json"),
    ModelFile::without_hash("tokenizer.json").of("google/flan-t5-xl"),
    ModelFile::without_hash("pytorch_model.bin").of_values(3_159_560_192, 2),
];

/// No hash of these files is known here. It is a guess that the weights are in three files: transformers split 23 GB
/// like that at the time.
const FILES_OF_XXL: &[ModelFile] = &[
    ModelFile::without_hash("config.json"),
    ModelFile::without_hash("tokenizer.json").of("google/flan-t5-xxl"),
    ModelFile::without_hash("pytorch_model-00001-of-00003.bin").of_values(11_459_819_520 / 3, 2),
    ModelFile::without_hash("pytorch_model-00002-of-00003.bin").of_values(11_459_819_520 / 3, 2),
    ModelFile::without_hash("pytorch_model-00003-of-00003.bin").of_values(11_459_819_520 / 3, 2),
    ModelFile::without_hash("pytorch_model.bin.index.json"),
];

const CLIP_FLANT5_XL: ModelEntry = ModelEntry {
    id: "clip_flant5_xl",
    architecture: Architecture::ClipFlanT5,
    source: Source::Hub("zhiqiulin/clip-flant5-xl"),
    revision: "3b4a6b1b618f4e286f5353b5b5147a3ae7d9ec55",
    files: FILES_OF_XL,
    licence: "Apache-2.0",
    terms: None,
    citation: "Lin et al. (2024), Evaluating Text-to-Visual Generation with Image-to-Text Generation, ECCV",
    purpose: "VQAScore, as in SEED; needs 8 GiB of memory",
};

pub(super) const MODELS: &[ModelEntry] = &[
    CLIP_FLANT5_XL,
    ModelEntry {
        id: "clip_flant5_xxl",
        source: Source::Hub("zhiqiulin/clip-flant5-xxl"),
        revision: "main",
        files: FILES_OF_XXL,
        purpose: "the same of a larger one; needs 26 GiB of memory",
        ..CLIP_FLANT5_XL
    },
];
