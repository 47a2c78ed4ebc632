//! The numbers that shape each published model.

use super::layouts::{
    TIMM, TIMM_DINO_V2, TIMM_DINO_V3, TIMM_DINO_V3_BIASES, TIMM_PE, TIMM_STEM, TRANSFORMERS_DINO_V2,
    TRANSFORMERS_DINO_V3, TRANSFORMERS_SIGLIP, VitLayout,
};
use super::{HeadShape, Variant};
use crate::architectures::vit::rotation::Rotation;
use crate::architectures::vit::tower::{Positions, Stem, TokenShape, TowerShape};
use crate::checkpoint::transformer::BlockShape;
use neurogauge_kernels::blocks::Activation;

/// The blocks of ViT-B, L and So400m.
const B: BlockShape = BlockShape {
    width: 768,
    n_heads: 12,
    n_inner: 3072,
    activation: Activation::Gelu,
    epsilon: 1e-6,
};
const L: BlockShape = BlockShape {
    width: 1024,
    n_heads: 16,
    n_inner: 4096,
    ..B
};
const SO_400M: BlockShape = BlockShape {
    width: 1152,
    n_heads: 16,
    n_inner: 4304,
    ..B
};

const B_16: TowerShape = TowerShape {
    image_px: 224,
    patch_px: 16,
    n_blocks: 12,
    block: B,
    tokens: TokenShape::PLAIN,
};

/// SigLIP has only patches.
const PATCHES: TokenShape = TokenShape {
    has_class_token: false,
    ..TokenShape::PLAIN
};
const SIGLIP: Variant = Variant {
    id: "siglip2_vit_b_16",
    architecture: "SigLIP 2 ViT-B/16",
    shape: TowerShape {
        tokens: PATCHES,
        ..B_16
    },
    head: HeadShape::Latent {
        n_heads: 12,
        n_embedding: None,
    },
    layouts: &[TRANSFORMERS_SIGLIP, TIMM],
};
const SO_400M_14: Variant = Variant {
    id: "siglip2_vit_so400m_14",
    architecture: "SigLIP 2 ViT-So400m/14",
    shape: TowerShape {
        patch_px: 14,
        n_blocks: 27,
        block: SO_400M,
        ..SIGLIP.shape
    },
    head: HeadShape::Latent {
        n_heads: 16,
        n_embedding: None,
    },
    ..SIGLIP
};
/// timm computes it with the tanh approximation of GELU, but computes the other two without.
const SO_400M_16: Variant = Variant {
    id: "siglip2_vit_so400m_16",
    architecture: "SigLIP 2 ViT-So400m/16",
    shape: TowerShape {
        image_px: 256,
        patch_px: 16,
        block: BlockShape {
            activation: Activation::TanhGelu,
            ..SO_400M
        },
        ..SO_400M_14.shape
    },
    ..SO_400M_14
};

/// Perception Encoder has rotations besides learned positions.
const PE: TokenShape = TokenShape {
    rotation: Some(Rotation::PerceptionEncoder),
    ..TokenShape::PLAIN
};
const PE_B_16: Variant = Variant {
    id: "pe_core_vit_b_16",
    architecture: "PE-Core ViT-B/16",
    shape: TowerShape {
        block: BlockShape { epsilon: 1e-5, ..B },
        tokens: PE,
        ..B_16
    },
    head: HeadShape::Latent {
        n_heads: 8,
        n_embedding: Some(1024),
    },
    layouts: &[TIMM_PE],
};

const DINO_V3_LAYOUTS: &[VitLayout] = &[TRANSFORMERS_DINO_V3, TIMM_DINO_V3_BIASES, TIMM_DINO_V3];

/// Every published vision transformer.
pub(super) const VARIANTS: &[Variant] = &[
    SO_400M_14,
    SO_400M_16,
    Variant {
        id: "siglip2_vit_so400m_16_gap",
        architecture: "SigLIP 2 ViT-So400m/16 GAP",
        head: HeadShape::Mean,
        layouts: &[TIMM],
        ..SO_400M_16
    },
    SIGLIP,
    Variant {
        id: "dinov2_vit_b_14",
        architecture: "DINOv2 ViT-B/14",
        shape: TowerShape {
            image_px: 518,
            patch_px: 14,
            ..B_16
        },
        head: HeadShape::ClassToken(None),
        layouts: &[TRANSFORMERS_DINO_V2, TIMM_DINO_V2],
    },
    Variant {
        id: "dinov3_vit_b_16",
        architecture: "DINOv3 ViT-B/16",
        shape: TowerShape {
            block: BlockShape { epsilon: 1e-5, ..B },
            tokens: TokenShape {
                n_registers: 4,
                positions: Positions::None,
                rotation: Some(Rotation::DinoV3),
                ..TokenShape::PLAIN
            },
            ..B_16
        },
        head: HeadShape::ClassToken(None),
        layouts: DINO_V3_LAYOUTS,
    },
    PE_B_16,
    Variant {
        id: "pe_core_vit_l_14_336",
        architecture: "PE-Core ViT-L/14-336",
        shape: TowerShape {
            image_px: 336,
            patch_px: 14,
            n_blocks: 24,
            block: BlockShape { epsilon: 1e-5, ..L },
            tokens: PE,
        },
        ..PE_B_16
    },
    Variant {
        id: "mobileclip2_vit_b",
        architecture: "MobileCLIP2 ViT-B",
        shape: TowerShape {
            tokens: TokenShape {
                stem: Stem::Convolutions,
                positions: Positions::OfPatches,
                ..TokenShape::PLAIN
            },
            ..B_16
        },
        head: HeadShape::ClassToken(Some(512)),
        layouts: &[TIMM_STEM],
    },
];
