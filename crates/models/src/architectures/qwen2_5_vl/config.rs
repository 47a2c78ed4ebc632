//! The numbers that shape a Qwen2.5-VL.

use super::ARCHITECTURE;
use crate::ModelError;
use crate::checkpoint::config_json::{ConfigJson, Refusal, whole};
use neurogauge_kernels::blocks::GroupedHeads;
use neurogauge_kernels::generation::Ends;
use serde::Deserialize;
use serde_json::Value;

/// The fields of `config.json` that are used. The language model's fields are in `text_config` (transformers 5) or at
/// the top level (as published). Missing fields have transformers' defaults, except for sizes of the language model,
/// which are required.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Value")]
pub(crate) struct Config {
    pub(super) own: Own,
    pub(super) text: Text,
}

/// The fields that are at the top level in both cases.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Own {
    model_type: String,
    #[serde(default, rename = "vision_config")]
    pub(super) vision: Vision,
    #[serde(default = "image_token")]
    pub(super) image_token_id: u32,
    #[serde(default)]
    tie_word_embeddings: bool,
}

impl TryFrom<Value> for Config {
    type Error = serde_json::Error;

    fn try_from(file: Value) -> Result<Self, Self::Error> {
        let text = file.get("text_config").filter(|text| text.is_object());
        Ok(Config {
            text: Text::deserialize(text.unwrap_or(&file))?,
            own: Own::deserialize(&file)?,
        })
    }
}

/// The fields of the language model.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Text {
    pub(super) vocab_size: usize,
    pub(super) hidden_size: usize,
    pub(super) intermediate_size: usize,
    pub(super) num_hidden_layers: usize,
    num_attention_heads: usize,
    num_key_value_heads: Option<usize>,
    #[serde(default = "whole::<32_768>")]
    pub(super) max_position_embeddings: usize,
    #[serde(default = "text_epsilon")]
    pub(super) rms_norm_eps: f64,
    rope_theta: Option<f64>,
    rope_scaling: Option<Rope>,
    rope_parameters: Option<Rope>,
    #[serde(default = "activation")]
    hidden_act: String,
    use_sliding_window: Option<bool>,
    layer_types: Option<Vec<String>>,
    eos_token_id: Option<Ends>,
    #[serde(default)]
    tie_word_embeddings: bool,
}

/// How positions become angles: `rope_scaling` as published, `rope_parameters` of transformers 5.
#[derive(Debug, Clone, Deserialize)]
struct Rope {
    #[serde(rename = "type")]
    kind: Option<String>,
    rope_type: Option<String>,
    rope_theta: Option<f64>,
    mrope_section: Option<Vec<usize>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(default)]
pub(super) struct Vision {
    pub(super) depth: usize,
    pub(super) hidden_size: usize,
    pub(super) intermediate_size: usize,
    num_heads: usize,
    #[serde(alias = "in_chans")]
    in_channels: usize,
    pub(super) patch_size: usize,
    pub(super) spatial_merge_size: usize,
    pub(super) temporal_patch_size: usize,
    window_size: usize,
    pub(super) out_hidden_size: usize,
    pub(super) fullatt_block_indexes: Vec<usize>,
    hidden_act: String,
    rope_parameters: Option<Rope>,
}

impl Default for Vision {
    fn default() -> Self {
        Vision {
            depth: 32,
            hidden_size: 3584,
            intermediate_size: 3420,
            num_heads: 16,
            in_channels: 3,
            patch_size: 14,
            spatial_merge_size: 2,
            temporal_patch_size: 2,
            window_size: 112,
            out_hidden_size: 3584,
            fullatt_block_indexes: vec![7, 15, 23, 31],
            hidden_act: activation(),
            rope_parameters: None,
        }
    }
}

/// The base of the tower's rotation angles.
pub(super) const VISION_THETA: f64 = 10_000.0;
/// `<|im_end|>`.
const END: u32 = 151_645;

fn image_token() -> u32 {
    151_655
}

fn text_epsilon() -> f64 {
    1e-5
}

fn activation() -> String {
    "silu".to_owned()
}

impl ConfigJson for Config {
    const ARCHITECTURE: &'static str = ARCHITECTURE;

    fn check(&self, refusal: &Refusal<'_>) -> Result<(), ModelError> {
        refusal.unless_equal("model_type", &self.own.model_type, "qwen2_5_vl")?;
        self.text.check(refusal)?;
        self.own.vision.check(refusal, self.text.hidden_size)
    }
}

impl Text {
    fn check(&self, refusal: &Refusal<'_>) -> Result<(), ModelError> {
        refusal.unless_equal("hidden_act", &self.hidden_act, "silu")?;
        let whole = |kind: &String| kind == "full_attention";
        let slides = self.use_sliding_window.unwrap_or(false);
        refusal.unless(
            !slides && self.layer_types.iter().flatten().all(whole),
            "use_sliding_window",
            &slides,
            "false, and full_attention in all layers",
        )?;
        refusal.unless_positive(&[
            ("vocab_size", self.vocab_size),
            ("intermediate_size", self.intermediate_size),
            ("num_hidden_layers", self.num_hidden_layers),
        ])?;
        let n_heads = self.num_attention_heads;
        refusal.unless_heads_fill(self.hidden_size, "num_attention_heads", n_heads)?;
        let n_keys = self.num_key_value_heads.unwrap_or(n_heads);
        refusal.unless(
            n_keys > 0 && n_heads.is_multiple_of(n_keys),
            "num_key_value_heads",
            &n_keys,
            &format!("a divisor of num_attention_heads = {n_heads}"),
        )?;
        for rope in [&self.rope_scaling, &self.rope_parameters] {
            let kinds = rope.iter().flat_map(|rope| [&rope.kind, &rope.rope_type]);
            for kind in kinds.flatten() {
                let known = kind == "mrope" || kind == "default";
                refusal.unless(known, "rope_scaling", kind, "default or mrope")?;
            }
        }
        let theta = self.rope_theta();
        let positive = theta.is_finite() && theta > 0.0;
        refusal.unless(positive, "rope_theta", &theta, "a positive number")?;
        let (sections, n_pairs) = (self.sections(), self.heads().head_width / 2);
        refusal.unless(
            sections.len() == 3 && sections.iter().sum::<usize>() == n_pairs,
            "mrope_section",
            &format!("{sections:?}"),
            &format!("three numbers whose sum is half of a head, {n_pairs}"),
        )?;
        let whole = self.heads().head_width.is_multiple_of(2);
        refusal.unless(whole, "num_attention_heads", &n_heads, "heads of even width")
    }

    pub(super) fn heads(&self) -> GroupedHeads {
        let n_heads = self.num_attention_heads;
        GroupedHeads {
            n_heads,
            n_key_heads: self.num_key_value_heads.unwrap_or(n_heads),
            head_width: self.hidden_size / n_heads,
        }
    }

    /// The base of the rotation angles.
    pub(super) fn rope_theta(&self) -> f64 {
        let parameters = self.rope_parameters.as_ref();
        parameters.and_then(|parameters| parameters.rope_theta).or(self.rope_theta).unwrap_or(1_000_000.0)
    }

    /// How many pairs of a head's features the time, the row and the column rotate.
    pub(super) fn sections(&self) -> Vec<usize> {
        let ropes = [&self.rope_scaling, &self.rope_parameters];
        let mut ropes = ropes.into_iter().flatten();
        ropes.find_map(|rope| rope.mrope_section.clone()).unwrap_or_else(|| vec![16, 24, 24])
    }
}

impl Vision {
    fn check(&self, refusal: &Refusal<'_>, text_width: usize) -> Result<(), ModelError> {
        refusal.unless_equal("vision_config.hidden_act", &self.hidden_act, "silu")?;
        refusal.unless_equal("vision_config.in_channels", &self.in_channels, 3)?;
        let frames = self.temporal_patch_size;
        refusal.unless(frames > 0, "vision_config.temporal_patch_size", &frames, "a positive number")?;
        if let Some(rope) = &self.rope_parameters {
            let kind = rope.rope_type.as_deref().unwrap_or("axial");
            let field = "vision_config.rope_parameters.rope_type";
            refusal.unless_equal(field, &kind, "axial")?;
            let theta = rope.rope_theta.unwrap_or(VISION_THETA);
            let field = "vision_config.rope_parameters.rope_theta";
            refusal.unless_equal(field, &theta, VISION_THETA)?;
        }
        let n_heads = self.num_heads;
        refusal.unless_heads_fill(self.hidden_size, "vision_config.num_heads", n_heads)?;
        refusal.unless(
            self.heads().head_width.is_multiple_of(4),
            "vision_config.num_heads",
            &n_heads,
            "heads whose width is a multiple of 4",
        )?;
        let token = self.patch_size * self.spatial_merge_size;
        refusal.unless(
            token > 0 && self.window_size >= token && self.window_size.is_multiple_of(token),
            "vision_config.window_size",
            &self.window_size,
            &format!("a multiple of patch_size x spatial_merge_size = {token}"),
        )?;
        refusal.unless_equal("vision_config.out_hidden_size", &self.out_hidden_size, text_width)
    }

    pub(super) fn heads(&self) -> GroupedHeads {
        GroupedHeads::each_own(self.num_heads, self.hidden_size)
    }

    /// Patches that become one token of the language model.
    pub(super) fn patches_per_token(&self) -> usize {
        self.spatial_merge_size * self.spatial_merge_size
    }

    /// Side of a window, in tokens of the language model.
    pub(super) fn window_tokens(&self) -> usize {
        self.window_size / self.patch_size / self.spatial_merge_size
    }
}

impl Config {
    /// Is the token table also the output map?
    pub(super) fn is_tied(&self) -> bool {
        self.own.tie_word_embeddings || self.text.tie_word_embeddings
    }

    /// The tokens that end an answer.
    pub(super) fn ends(&self) -> Vec<u32> {
        self.text.eos_token_id.as_ref().map_or_else(|| vec![END], Ends::ids)
    }
}
