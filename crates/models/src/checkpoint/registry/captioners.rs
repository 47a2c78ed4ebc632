//! Models that describe an image in a sentence.

use super::{Architecture, ModelEntry, ModelFile, Source};

const CITATION: &str = "Wang et al. (2022), GIT: A Generative Image-to-text Transformer for Vision \
                        and Language, TMLR";

/// No hash of these files is known here.
const fn files(n_values: u64) -> [ModelFile; 4] {
    [
        ModelFile::without_hash("config.json"),
        ModelFile::without_hash("tokenizer_config.json"),
        ModelFile::without_hash("tokenizer.json"),
        ModelFile::without_hash("model.safetensors").of_values(n_values, 4),
    ]
}

const FILES_OF_LARGE: [ModelFile; 4] = files(394_196_026);
const FILES_OF_BASE: [ModelFile; 4] = files(176_619_066);

/// The weights are in two files; the index maps tensors to files.
const FILES_OF_BLIP2: &[ModelFile] = &[
    ModelFile::without_hash("config.json"),
    ModelFile::without_hash("tokenizer.json"),
    ModelFile::pinned(
        "model-00001-of-00002.safetensors",
        9_996_328_120,
        "b81228c9ac1b3dee1731ee71d51fe3b2c34f915019c44c25a793b51300ae24fc",
    ),
    ModelFile::pinned(
        "model-00002-of-00002.safetensors",
        4_982_879_016,
        "536bd73b8f1de7d94f503b23fea2eaa4f7f3ea5f74f8f874fcb21d6df1555a19",
    ),
    ModelFile::without_hash("model.safetensors.index.json"),
];

const GIT_LARGE_COCO: ModelEntry = ModelEntry {
    id: "git_large_coco",
    architecture: Architecture::Git,
    source: Source::Hub("microsoft/git-large-coco"),
    revision: "main",
    files: &FILES_OF_LARGE,
    licence: "MIT",
    terms: None,
    citation: CITATION,
    purpose: "captioner of Cap-Sim, as in SEED",
};

pub(super) const MODELS: &[ModelEntry] = &[
    GIT_LARGE_COCO,
    ModelEntry {
        id: "git_base_coco",
        source: Source::Hub("microsoft/git-base-coco"),
        files: &FILES_OF_BASE,
        purpose: "a smaller captioner",
        ..GIT_LARGE_COCO
    },
    ModelEntry {
        id: "blip2_opt_2_7b",
        architecture: Architecture::Blip2,
        source: Source::Hub("Salesforce/blip2-opt-2.7b"),
        revision: "59a1ef6c1e5117b3f65523d1c6066825bcf315e3",
        files: FILES_OF_BLIP2,
        licence: "MIT",
        terms: Some("the language model in it is OPT, whose licence permits research only"),
        citation: "Li et al. (2023), BLIP-2: Bootstrapping Language-Image Pre-training with Frozen Image \
               Encoders and Large Language Models, ICML; Zhang et al. (2022), OPT: Open Pre-trained \
               Transformer Language Models, arXiv:2205.01068",
        purpose: "another captioner for Cap-Sim, as in SEED's comparison of components; takes 16 GB of memory, 9 with weights in bf16",
    },
];
