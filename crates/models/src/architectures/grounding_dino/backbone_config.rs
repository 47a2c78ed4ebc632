//! The part of transformers' `config.json` that describes the backbone.

use crate::ModelError;
use crate::architectures::swin::BackboneConfig;
use crate::checkpoint::config_json::Refusal;
use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
#[serde(default)]
pub(super) struct Backbone {
    model_type: String,
    embed_dim: usize,
    depths: Vec<usize>,
    num_heads: Vec<usize>,
    window_size: usize,
    patch_size: usize,
    num_channels: usize,
    mlp_ratio: f64,
    qkv_bias: bool,
    hidden_act: String,
    use_absolute_embeddings: bool,
    layer_norm_eps: f64,
    out_indices: Option<Vec<usize>>,
    out_features: Option<Vec<String>>,
}

impl Default for Backbone {
    fn default() -> Self {
        Backbone {
            model_type: "swin".to_owned(),
            embed_dim: 96,
            depths: vec![2, 2, 6, 2],
            num_heads: vec![3, 6, 12, 24],
            window_size: 7,
            patch_size: 4,
            num_channels: 3,
            mlp_ratio: 4.0,
            qkv_bias: true,
            hidden_act: "gelu".to_owned(),
            use_absolute_embeddings: false,
            layer_norm_eps: 1e-5,
            out_indices: None,
            out_features: None,
        }
    }
}

/// The backbone's shape; transformers' default if the file has no `backbone_config`.
pub(super) fn backbone(file: Option<&Backbone>, refusal: &Refusal<'_>) -> Result<BackboneConfig, ModelError> {
    let usual = Backbone {
        out_indices: Some(vec![2, 3, 4]),
        ..Backbone::default()
    };
    let file = file.unwrap_or(&usual);
    let text = |field, found: &String, expected: &str| refusal.unless(found == expected, field, found, expected);
    text("backbone_config.model_type", &file.model_type, "swin")?;
    text("backbone_config.hidden_act", &file.hidden_act, "gelu")?;
    let number =
        |field, found: f64, expected: f64| refusal.unless(found == expected, field, &found, &expected.to_string());
    number("backbone_config.patch_size", file.patch_size as f64, 4.0)?;
    number("backbone_config.num_channels", file.num_channels as f64, 3.0)?;
    number("backbone_config.mlp_ratio", file.mlp_ratio, 4.0)?;
    number("backbone_config.layer_norm_eps", file.layer_norm_eps, 1e-5)?;
    let absolute = file.use_absolute_embeddings;
    let field = "backbone_config.use_absolute_embeddings";
    refusal.unless(!absolute, field, &absolute, "false")?;
    refusal.unless(file.qkv_bias, "backbone_config.qkv_bias", &file.qkv_bias, "true")?;
    let n_stages = file.depths.len();
    refusal.unless(
        n_stages > 0 && file.num_heads.len() == n_stages,
        "backbone_config.num_heads",
        &format!("{:?}", file.num_heads),
        &format!("a number for each of the {n_stages} stages in depths"),
    )?;
    for (stage, &n_heads) in file.num_heads.iter().enumerate() {
        let n_channels = file.embed_dim << stage;
        refusal.unless(
            n_heads > 0 && n_channels > 0 && n_channels.is_multiple_of(n_heads),
            "backbone_config.num_heads",
            &n_heads,
            &format!("a divisor of the {n_channels} channels of stage {}", stage + 1),
        )?;
    }
    let window = file.window_size;
    refusal.unless(window > 0, "backbone_config.window_size", &window, "at least 1")?;
    Ok(BackboneConfig {
        n_channels: file.embed_dim,
        stages: file.depths.iter().copied().zip(file.num_heads.iter().copied()).collect(),
        window,
        outputs: outputs(file, refusal)?,
    })
}

/// The stages to output, counted from 0. The file counts from 1 (0 is the layer before the first stage) or uses names;
/// by default it is the last stage.
fn outputs(file: &Backbone, refusal: &Refusal<'_>) -> Result<Vec<usize>, ModelError> {
    let n_stages = file.depths.len();
    let named = |names: &Vec<String>| -> Vec<usize> {
        let number = |name: &String| name.strip_prefix("stage")?.parse().ok();
        names.iter().map(|name| number(name).unwrap_or(0)).collect()
    };
    let of_names = file.out_features.as_ref().map(named);
    let numbers = file.out_indices.clone().or(of_names).unwrap_or(vec![n_stages]);
    let rising = numbers.is_sorted_by(|a, b| a < b);
    refusal.unless(
        rising && !numbers.is_empty() && numbers.iter().all(|n| (1..=n_stages).contains(n)),
        "backbone_config.out_indices",
        &format!("{numbers:?}"),
        &format!("rising numbers of 1 to {n_stages}"),
    )?;
    Ok(numbers.iter().map(|number| number - 1).collect())
}
