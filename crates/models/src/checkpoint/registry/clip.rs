//! CLIP, as OpenAI publishes it: TorchScript archives under addresses that hold their SHA-256, and
//! ViT-L/14 once more on the Hugging Face Hub, with its tokenizer.

use super::{Architecture, ModelEntry, ModelFile, PublishedHash, Source};

const CITATION: &str = "Radford et al. (2021), Learning Transferable Visual Models From Natural \
                        Language Supervision, ICML";

pub(super) const CLIP_VIT_L_14: ModelEntry = ModelEntry {
    id: "clip_vit_l_14",
    architecture: Architecture::ClipVitL14,
    source: Source::Web {
        folder: "https://openaipublic.azureedge.net/clip/models/\
                 b8cca3fd41ae0c99ba7e8951adf17d267cdb84cd88be6f7c2e0eca1737a03836",
    },
    revision: "openai",
    files: &[ModelFile {
        path: "ViT-L-14.pt",
        bytes: Some(932_768_134),
        sha256: PublishedHash::Full("b8cca3fd41ae0c99ba7e8951adf17d267cdb84cd88be6f7c2e0eca1737a03836"),
        repository: None,
    }],
    licence: "MIT",
    terms: None,
    citation: CITATION,
    purpose: "image embedding for CLIP",
};

pub(super) const CLIP_VIT_B_16: ModelEntry = ModelEntry {
    id: "clip_vit_b_16",
    architecture: Architecture::ClipVitB16,
    source: Source::Web {
        folder: "https://openaipublic.azureedge.net/clip/models/\
                 5806e77cd80f8b59890b7e101eabd078d9fb84e6937f9e85e4ecb61988df416f",
    },
    revision: "openai",
    files: &[ModelFile {
        path: "ViT-B-16.pt",
        bytes: Some(350_837_078),
        sha256: PublishedHash::Full("5806e77cd80f8b59890b7e101eabd078d9fb84e6937f9e85e4ecb61988df416f"),
        repository: None,
    }],
    licence: "MIT",
    terms: None,
    citation: CITATION,
    purpose: "image embedding and blocks; source of alignment profiles",
};

pub(super) const CLIP_VIT_B_32: ModelEntry = ModelEntry {
    id: "clip_vit_b_32",
    architecture: Architecture::ClipVitB32,
    source: Source::Web {
        folder: "https://openaipublic.azureedge.net/clip/models/\
                 40d365715913c9da98579312b702a82c18be219cc2a73407c4526f58eba950af",
    },
    revision: "openai",
    files: &[ModelFile {
        path: "ViT-B-32.pt",
        bytes: None,
        sha256: PublishedHash::Full("40d365715913c9da98579312b702a82c18be219cc2a73407c4526f58eba950af"),
        repository: None,
    }],
    licence: "MIT",
    terms: None,
    citation: CITATION,
    purpose: "image embedding and blocks; source of alignment profiles",
};

pub(super) const CLIP_RN50: ModelEntry = ModelEntry {
    id: "clip_rn50",
    architecture: Architecture::ClipRn50,
    source: Source::Web {
        folder: "https://openaipublic.azureedge.net/clip/models/\
                 afeb0e10f9e5a86da6080e35cf09123aca3b358a0c3e3b6c78a7b63bc04b6762",
    },
    revision: "openai",
    files: &[ModelFile {
        path: "RN50.pt",
        bytes: Some(255_827_503),
        sha256: PublishedHash::Full("afeb0e10f9e5a86da6080e35cf09123aca3b358a0c3e3b6c78a7b63bc04b6762"),
        repository: None,
    }],
    licence: "MIT",
    terms: None,
    citation: CITATION,
    purpose: "image embedding; source of alignment profiles",
};

pub(super) const CLIP_VIT_L_14_HF: ModelEntry = ModelEntry {
    id: "clip_vit_l_14_hf",
    architecture: Architecture::ClipVitL14,
    source: Source::Hub {
        repository: "openai/clip-vit-large-patch14",
    },
    revision: "32bd64288804d66eefd0ccbe215aa642df71cc41",
    files: &[
        ModelFile {
            path: "config.json",
            bytes: Some(4_519),
            sha256: PublishedHash::Full("8a09b467700c58138c29d53c605b34ebc69beaadd13274a8a2af8ad2c2f4032a"),
            repository: None,
        },
        ModelFile {
            path: "tokenizer.json",
            bytes: Some(2_224_003),
            sha256: PublishedHash::Full("a83e0809aa4c3af7208b2df632a7a69668c6d48775b3c3fe4e1b1199d1f8b8f4"),
            repository: None,
        },
        ModelFile {
            path: "model.safetensors",
            bytes: Some(1_710_540_580),
            sha256: PublishedHash::Full("a2bf730a0c7debf160f7a6b50b3aaf3703e7e88ac73de7a314903141db026dcb"),
            repository: None,
        },
    ],
    licence: "MIT",
    terms: None,
    citation: CITATION,
    purpose: "both towers of CLIP ViT-L/14, with the tokenizer of the text tower",
};
