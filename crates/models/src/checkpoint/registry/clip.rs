//! CLIP, as OpenAI publishes it: TorchScript archives at addresses that contain their SHA-256. ViT-L/14 is also on the
//! Hugging Face Hub, with its tokenizer.

use super::{Architecture, ModelEntry, ModelFile, Source};

const CITATION: &str = "Radford et al. (2021), Learning Transferable Visual Models From Natural \
                        Language Supervision, ICML";

const CLIP_VIT_L_14: ModelEntry = ModelEntry {
    id: "clip_vit_l_14",
    architecture: Architecture::ClipVitL14,
    source: Source::Web(
        "https://openaipublic.azureedge.net/clip/models/\
                 b8cca3fd41ae0c99ba7e8951adf17d267cdb84cd88be6f7c2e0eca1737a03836",
    ),
    revision: "openai",
    files: &[ModelFile::pinned(
        "ViT-L-14.pt",
        932_768_134,
        "b8cca3fd41ae0c99ba7e8951adf17d267cdb84cd88be6f7c2e0eca1737a03836",
    )],
    licence: "MIT",
    terms: None,
    citation: CITATION,
    purpose: "image embedding for CLIP",
};

pub(super) const MODELS: &[ModelEntry] = &[
    CLIP_VIT_L_14,
    ModelEntry {
        id: "clip_vit_l_14_hf",
        source: Source::Hub("openai/clip-vit-large-patch14"),
        revision: "32bd64288804d66eefd0ccbe215aa642df71cc41",
        files: &[
            ModelFile::pinned("config.json", 4_519, "8a09b467700c58138c29d53c605b34ebc69beaadd13274a8a2af8ad2c2f4032a"),
            ModelFile::pinned(
                "tokenizer.json",
                2_224_003,
                "a83e0809aa4c3af7208b2df632a7a69668c6d48775b3c3fe4e1b1199d1f8b8f4",
            ),
            ModelFile::pinned(
                "model.safetensors",
                1_710_540_580,
                "a2bf730a0c7debf160f7a6b50b3aaf3703e7e88ac73de7a314903141db026dcb",
            ),
        ],
        purpose: "both towers of CLIP ViT-L/14, with the tokenizer of the text tower",
        ..CLIP_VIT_L_14
    },
    ModelEntry {
        id: "clip_vit_b_16",
        architecture: Architecture::ClipVitB16,
        source: Source::Web(
            "https://openaipublic.azureedge.net/clip/models/\
                 5806e77cd80f8b59890b7e101eabd078d9fb84e6937f9e85e4ecb61988df416f",
        ),
        files: &[ModelFile::pinned(
            "ViT-B-16.pt",
            350_837_078,
            "5806e77cd80f8b59890b7e101eabd078d9fb84e6937f9e85e4ecb61988df416f",
        )],
        purpose: "image embedding and blocks; source of alignment profiles",
        ..CLIP_VIT_L_14
    },
    ModelEntry {
        id: "clip_vit_b_32",
        architecture: Architecture::ClipVitB32,
        source: Source::Web(
            "https://openaipublic.azureedge.net/clip/models/\
                 40d365715913c9da98579312b702a82c18be219cc2a73407c4526f58eba950af",
        ),
        files: &[
            ModelFile::of_hash("ViT-B-32.pt", "40d365715913c9da98579312b702a82c18be219cc2a73407c4526f58eba950af")
                // Two bytes for each value, and two more for each of the token embedding, which is in 32 bits.
                .of_values(151_277_313 + 49_408 * 512, 2),
        ],
        purpose: "image embedding and blocks; source of alignment profiles",
        ..CLIP_VIT_L_14
    },
    ModelEntry {
        id: "clip_rn50",
        architecture: Architecture::ClipRn50,
        source: Source::Web(
            "https://openaipublic.azureedge.net/clip/models/\
                 afeb0e10f9e5a86da6080e35cf09123aca3b358a0c3e3b6c78a7b63bc04b6762",
        ),
        files: &[ModelFile::pinned(
            "RN50.pt",
            255_827_503,
            "afeb0e10f9e5a86da6080e35cf09123aca3b358a0c3e3b6c78a7b63bc04b6762",
        )],
        purpose: "image embedding; source of alignment profiles",
        ..CLIP_VIT_L_14
    },
];
