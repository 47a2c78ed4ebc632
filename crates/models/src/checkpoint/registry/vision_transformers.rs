//! Vision transformers that timm publishes, trained on images alone or with texts. None of their hashes is known here.

use super::{Architecture, ModelEntry, ModelFile, Source};

/// Weights of this many values in 32 bits.
const fn weights(n_values: u64) -> ModelFile {
    ModelFile::without_hash("model.safetensors").of_values(n_values, 4)
}

const PURPOSE: &str = "source of alignment profiles";

const SIGLIP2_VIT_SO400M_14: ModelEntry = ModelEntry {
    id: "siglip2_vit_so400m_14",
    architecture: Architecture::SigLip2,
    source: Source::Hub("timm/vit_so400m_patch14_siglip_224.v2_webli"),
    revision: "main",
    files: &[weights(427_680_704)],
    licence: "Apache-2.0",
    terms: None,
    citation: "Tschannen et al. (2025), SigLIP 2: Multilingual Vision-Language Encoders with Improved Semantic \
               Understanding, Localization, and Dense Features, arXiv:2502.14786",
    purpose: PURPOSE,
};

const PE_CORE_VIT_B_16: ModelEntry = ModelEntry {
    id: "pe_core_vit_b_16",
    architecture: Architecture::PerceptionEncoder,
    source: Source::Hub("timm/vit_pe_core_base_patch16_224.fb"),
    files: &[weights(93_673_984)],
    citation: "Bolya et al. (2025), Perception Encoder: The best visual embeddings are not at the output of the \
               network, arXiv:2504.13181",
    ..SIGLIP2_VIT_SO400M_14
};

pub(super) const MODELS: &[ModelEntry] = &[
    SIGLIP2_VIT_SO400M_14,
    ModelEntry {
        id: "siglip2_vit_so400m_16",
        source: Source::Hub("timm/vit_so400m_patch16_siglip_256.v2_webli"),
        files: &[weights(427_888_064)],
        ..SIGLIP2_VIT_SO400M_14
    },
    ModelEntry {
        id: "siglip2_vit_so400m_16_gap",
        source: Source::Hub("timm/vit_so400m_patch16_siglip_gap_256.v2_webli"),
        files: &[weights(412_649_712)],
        ..SIGLIP2_VIT_SO400M_14
    },
    ModelEntry {
        id: "siglip2_vit_b_16",
        source: Source::Hub("timm/vit_base_patch16_siglip_224.v2_webli"),
        files: &[weights(92_884_224)],
        ..SIGLIP2_VIT_SO400M_14
    },
    ModelEntry {
        id: "dfn_clip_vit_l_14",
        architecture: Architecture::DfnClipVitL14,
        source: Source::Hub("timm/vit_large_patch14_clip_224.dfn2b"),
        files: &[weights(303_966_208)],
        licence: "LicenseRef-Apple-ASCL",
        terms: Some("the licence is Apple's own, for sample code"),
        citation: "Fang et al. (2024), Data Filtering Networks, ICLR",
        ..SIGLIP2_VIT_SO400M_14
    },
    ModelEntry {
        id: "mobileclip2_vit_b",
        architecture: Architecture::MobileClip2,
        source: Source::Hub("timm/vit_base_mci_224.apple_mclip2_dfndr2b"),
        files: &[weights(86_349_056)],
        licence: "LicenseRef-Apple-AMLR",
        terms: Some("the licence is Apple's own, for research only"),
        citation: "Faghri et al. (2025), MobileCLIP2: Improving Multi-Modal Reinforced Training, TMLR",
        ..SIGLIP2_VIT_SO400M_14
    },
    PE_CORE_VIT_B_16,
    ModelEntry {
        id: "pe_core_vit_l_14_336",
        source: Source::Hub("timm/vit_pe_core_large_patch14_336.fb"),
        files: &[weights(317_152_256)],
        ..PE_CORE_VIT_B_16
    },
    ModelEntry {
        id: "dinov2_vit_b_14",
        architecture: Architecture::DinoV2,
        source: Source::Hub("timm/vit_base_patch14_dinov2.lvd142m"),
        files: &[weights(86_579_712)],
        citation: "Oquab et al. (2024), DINOv2: Learning Robust Visual Features without Supervision, TMLR",
        ..SIGLIP2_VIT_SO400M_14
    },
    ModelEntry {
        id: "dinov3_vit_b_16",
        architecture: Architecture::DinoV3,
        source: Source::Hub("timm/vit_base_patch16_dinov3.lvd1689m"),
        files: &[weights(85_641_216)],
        licence: "LicenseRef-DINOv3",
        terms: Some("the licence is Meta's own for DINOv3, with conditions for its use and redistribution"),
        citation: "Siméoni et al. (2025), DINOv3, arXiv:2508.10104",
        ..SIGLIP2_VIT_SO400M_14
    },
];
