//! The names of a vision transformer's tensors in the files of each library.

use super::super::tower::TowerNames;
use super::latent_pool::{PoolNames, PoolProjections};
use crate::checkpoint::transformer::{BlockNames, Projections};
use crate::network::LayerKind;
use neurogauge_kernels::blocks::Activation;

/// A library's tensor names, and differences in its computation.
#[derive(Debug, Clone, Copy)]
pub(super) struct VitLayout {
    /// A tensor that every file in this layout has, and no file in another.
    pub(super) mark: &'static str,
    /// Prefixes that the names may have.
    pub(super) prefixes: &'static [&'static str],
    pub(super) names: TowerNames,
    pub(super) pool: PoolNames,
    /// Replaces the model's own activation, if this library uses another.
    pub(super) activation: Option<Activation>,
}

impl VitLayout {
    /// timm's names of the layers, which do not depend on the tensors' names.
    pub(super) fn offered(&self) -> TowerNames {
        TowerNames {
            pre_norm: self.names.pre_norm.and(TIMM_PRE_NORM.pre_norm),
            patches: "patch_embed",
            ..TIMM.names
        }
    }
}

/// Prefixes inside an open_clip model, and of the tower alone.
const TIMM_PREFIXES: &[&str] = &["visual.trunk.", ""];

pub(super) const TIMM: VitLayout = VitLayout {
    mark: "blocks.0.norm1.weight",
    prefixes: TIMM_PREFIXES,
    names: TowerNames {
        patches: "patch_embed.proj",
        patch_layer: LayerKind::MapChannelsLast,
        patches_have_bias: true,
        class_token: "cls_token",
        registers: "reg_token",
        positions: "pos_embed",
        has_image_axis: true,
        tokens: "pos_drop",
        pre_norm: None,
        blocks: "blocks.",
        block: BlockNames {
            attention_norm: "norm1",
            projections: Projections::Stacked("attn.qkv"),
            output: "attn.proj",
            mlp_norm: "norm2",
            expand: "mlp.fc1",
            contract: "mlp.fc2",
            scales: None,
        },
        norm: "norm",
    },
    pool: PoolNames {
        latent: "attn_pool.latent",
        projections: PoolProjections::KeysWithValues(["attn_pool.q", "attn_pool.kv"]),
        output: "attn_pool.proj",
        norm: "attn_pool.norm",
        expand: "attn_pool.mlp.fc1",
        contract: "attn_pool.mlp.fc2",
    },
    activation: None,
};

/// Towers with a norm before the first block: CLIP's and Perception Encoder's.
pub(crate) const TIMM_PRE_NORM: TowerNames = TowerNames {
    patches_have_bias: false,
    pre_norm: Some("norm_pre"),
    ..TIMM.names
};

pub(super) const TIMM_PE: VitLayout = VitLayout {
    names: TIMM_PRE_NORM,
    ..TIMM
};

/// Towers with a convolutional stem.
pub(super) const TIMM_STEM: VitLayout = VitLayout {
    names: TowerNames {
        patches: "patch_embed.backbone",
        ..TIMM.names
    },
    ..TIMM
};

/// timm's DINOv2, whose names the authors' own files share.
pub(super) const TIMM_DINO_V2: VitLayout = with_blocks(
    TIMM,
    BlockNames {
        scales: Some(["ls1.gamma", "ls2.gamma"]),
        ..TIMM.names.block
    },
);

pub(super) const TIMM_DINO_V3: VitLayout = with_blocks(
    TIMM,
    BlockNames {
        projections: Projections::StackedWithoutBiases("attn.qkv"),
        scales: Some(["gamma_1", "gamma_2"]),
        ..TIMM.names.block
    },
);

/// timm's `_qkvb` models, which keep the biases of queries and values that the others leave out.
pub(super) const TIMM_DINO_V3_BIASES: VitLayout = VitLayout {
    mark: "blocks.0.attn.q_bias",
    ..with_blocks(
        TIMM,
        BlockNames {
            projections: Projections::StackedKeysWithoutBias("attn.qkv", ["attn.q_bias", "attn.v_bias"]),
            ..TIMM_DINO_V3.names.block
        },
    )
};

/// transformers' SigLIP, which uses the tanh approximation of GELU in every model.
pub(super) const TRANSFORMERS_SIGLIP: VitLayout = VitLayout {
    mark: "encoder.layers.0.layer_norm1.weight",
    prefixes: &["vision_model.", ""],
    names: TowerNames {
        patches: "embeddings.patch_embedding",
        positions: "embeddings.position_embedding.weight",
        has_image_axis: false,
        blocks: "encoder.layers.",
        block: BlockNames::CLIP,
        norm: "post_layernorm",
        ..TIMM.names
    },
    pool: PoolNames {
        latent: "head.probe",
        projections: PoolProjections::Fused(["head", "attention"]),
        output: "head.attention.out_proj",
        norm: "head.layernorm",
        expand: "head.mlp.fc1",
        contract: "head.mlp.fc2",
    },
    activation: Some(Activation::TanhGelu),
};

pub(super) const TRANSFORMERS_DINO_V2: VitLayout = VitLayout {
    mark: "encoder.layer.0.norm1.weight",
    prefixes: &[""],
    names: TowerNames {
        patches: "embeddings.patch_embeddings.projection",
        class_token: "embeddings.cls_token",
        positions: "embeddings.position_embeddings",
        blocks: "encoder.layer.",
        block: BlockNames {
            projections: Projections::Separate([
                "attention.attention.query",
                "attention.attention.key",
                "attention.attention.value",
            ]),
            output: "attention.output.dense",
            scales: Some(["layer_scale1.lambda1", "layer_scale2.lambda1"]),
            ..TIMM.names.block
        },
        norm: "layernorm",
        ..TIMM.names
    },
    ..TIMM
};

pub(super) const TRANSFORMERS_DINO_V3: VitLayout = VitLayout {
    mark: "layer.0.norm1.weight",
    prefixes: &[""],
    names: TowerNames {
        patches: "embeddings.patch_embeddings",
        class_token: "embeddings.cls_token",
        registers: "embeddings.register_tokens",
        blocks: "layer.",
        block: BlockNames {
            projections: Projections::SeparateKeysWithoutBias([
                "attention.q_proj",
                "attention.k_proj",
                "attention.v_proj",
            ]),
            output: "attention.o_proj",
            expand: "mlp.up_proj",
            contract: "mlp.down_proj",
            scales: Some(["layer_scale1.lambda1", "layer_scale2.lambda1"]),
            ..TIMM.names.block
        },
        ..TIMM.names
    },
    ..TIMM
};

/// The same layout with other names of a block's parts.
const fn with_blocks(layout: VitLayout, block: BlockNames) -> VitLayout {
    VitLayout {
        names: TowerNames { block, ..layout.names },
        ..layout
    }
}
