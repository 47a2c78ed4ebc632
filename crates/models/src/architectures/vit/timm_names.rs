//! timm's names: `vit_base_patch16_224`, and every model with the same layers (DeiT without distillation, the
//! backbones of DINO and others without a classifier).

use crate::checkpoint::{CheckpointFormat, Origin, Setting};

pub(super) const TIMM: CheckpointFormat = CheckpointFormat {
    optional: &["heads.head"],
    ..CheckpointFormat::new(
        "timm",
        "patch_embed.proj.weight",
        origin,
        &[Setting("architecture", &["\"vit_base_patch16_224\"", "\"deit_base_patch16_224\""])],
    )
};

fn origin(name: &str, _: &[usize]) -> Option<Origin> {
    let parts: Vec<&str> = name.split('.').collect();
    Some(Origin::Named(match parts.as_slice() {
        ["class_token"] => "cls_token".to_owned(),
        ["encoder", "pos_embedding"] => "pos_embed".to_owned(),
        ["conv_proj", part] => format!("patch_embed.proj.{part}"),
        ["encoder", "ln", part] => format!("norm.{part}"),
        ["heads", "head", part] => format!("head.{part}"),
        ["encoder", "layers", block, inner @ ..] => {
            let block = block.strip_prefix("encoder_layer_")?;
            let inner = match inner {
                ["ln_1", part] => format!("norm1.{part}"),
                ["self_attention", "in_proj_weight"] => "attn.qkv.weight".to_owned(),
                ["self_attention", "in_proj_bias"] => "attn.qkv.bias".to_owned(),
                ["self_attention", "out_proj", part] => format!("attn.proj.{part}"),
                ["ln_2", part] => format!("norm2.{part}"),
                ["mlp", "0", part] => format!("mlp.fc1.{part}"),
                ["mlp", "3", part] => format!("mlp.fc2.{part}"),
                _ => return None,
            };
            format!("blocks.{block}.{inner}")
        }
        _ => return None,
    }))
}
