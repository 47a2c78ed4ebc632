//! DreamSim, as its authors publish it: archives with the adapters and all but one of the networks that they adapt.
//! DINO comes from its own authors.

use super::{Architecture, ModelEntry, ModelFile, Source};

const CITATION: &str = "Fu et al. (2023), DreamSim: Learning New Dimensions of Human Visual Similarity using \
                        Synthetic Data, NeurIPS";

/// torch hub's name and address of the file, which is not in the archive.
const DINO: Option<(&str, &str)> = Some((
    "checkpoints/dino_vitbase16_pretrain.pth",
    "https://dl.fbaipublicfiles.com/dino/dino_vitbase16_pretrain/dino_vitbase16_pretrain.pth",
));

macro_rules! archive {
    ($form:literal) => {
        concat!(
            "https://github.com/ssundaram21/dreamsim/releases/download/v0.2.0-checkpoints/dreamsim_",
            $form,
            "_checkpoint.zip"
        )
    };
}

const DREAMSIM: ModelEntry = ModelEntry {
    id: "dreamsim",
    architecture: Architecture::DreamSim,
    source: Source::Archive {
        address: archive!("ensemble"),
        beside: DINO,
    },
    revision: "v0.2.0-checkpoints",
    files: &[
        ModelFile::without_hash("checkpoints/dino_vitbase16_pretrain.pth").of_values(85_798_656, 4),
        ModelFile::without_hash("clip_vitb16_pretrain.pth.tar").of_values(86_192_640, 4),
        ModelFile::without_hash("open_clip_vitb16_pretrain.pth.tar").of_values(86_192_640, 4),
        ModelFile::without_hash("ensemble_lora/adapter_config.json"),
        ModelFile::without_hash("ensemble_lora/adapter_model.bin"),
    ],
    licence: "MIT",
    terms: None,
    citation: CITATION,
    purpose: "DreamSim: DINO, CLIP and OpenCLIP ViT-B/16, adapted together",
};

pub(super) const MODELS: &[ModelEntry] = &[
    DREAMSIM,
    ModelEntry {
        id: "dreamsim_dino_vit_b_16",
        source: Source::Archive {
            address: archive!("dino_vitb16"),
            beside: DINO,
        },
        files: &[
            ModelFile::without_hash("checkpoints/dino_vitbase16_pretrain.pth").of_values(85_798_656, 4),
            ModelFile::without_hash("dino_vitb16_single_lora/adapter_config.json"),
            ModelFile::without_hash("dino_vitb16_single_lora/adapter_model.bin"),
        ],
        purpose: "DreamSim of DINO ViT-B/16 alone",
        ..DREAMSIM
    },
    ModelEntry {
        id: "dreamsim_clip_vit_b_32",
        source: Source::Archive {
            address: archive!("clip_vitb32"),
            beside: None,
        },
        files: &[
            ModelFile::without_hash("clip_vitb32_pretrain.pth.tar").of_values(87_849_216, 4),
            ModelFile::without_hash("clip_vitb32_single_lora/adapter_config.json"),
            ModelFile::without_hash("clip_vitb32_single_lora/adapter_model.bin"),
        ],
        purpose: "DreamSim of CLIP ViT-B/32 alone",
        ..DREAMSIM
    },
    ModelEntry {
        id: "dreamsim_open_clip_vit_b_32",
        source: Source::Archive {
            address: archive!("open_clip_vitb32"),
            beside: None,
        },
        files: &[
            ModelFile::without_hash("open_clip_vitb32_pretrain.pth.tar").of_values(87_849_216, 4),
            ModelFile::without_hash("open_clip_vitb32_single_lora/adapter_config.json"),
            ModelFile::without_hash("open_clip_vitb32_single_lora/adapter_model.bin"),
        ],
        purpose: "DreamSim of OpenCLIP ViT-B/32 alone",
        ..DREAMSIM
    },
];
