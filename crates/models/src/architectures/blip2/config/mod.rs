//! The numbers that shape a BLIP-2.

mod check;

use neurogauge_kernels::generation::Ends;
use serde::Deserialize;

/// The fields of `config.json` that are used, under the file's names. Missing fields have transformers' defaults;
/// published files omit most.
#[derive(Debug, Clone, Deserialize)]
#[serde(default)]
pub(crate) struct Config {
    pub(super) vision_config: Vision,
    pub(super) qformer_config: QFormer,
    pub(super) text_config: Text,
    pub(super) num_query_tokens: usize,
    model_type: String,
}

/// The fields of the image encoder.
#[derive(Debug, Clone, Deserialize)]
#[serde(default)]
pub(super) struct Vision {
    pub(super) hidden_size: usize,
    pub(super) intermediate_size: usize,
    pub(super) num_hidden_layers: usize,
    pub(super) num_attention_heads: usize,
    pub(super) image_size: usize,
    pub(super) patch_size: usize,
    pub(super) layer_norm_eps: f64,
    hidden_act: String,
    qkv_bias: bool,
}

/// The fields of the Q-Former. Its context has the image encoder's width, regardless of its own field for that.
#[derive(Debug, Clone, Deserialize)]
#[serde(default)]
pub(super) struct QFormer {
    pub(super) hidden_size: usize,
    pub(super) num_hidden_layers: usize,
    pub(super) num_attention_heads: usize,
    pub(super) intermediate_size: usize,
    pub(super) layer_norm_eps: f64,
    pub(super) cross_attention_frequency: usize,
    hidden_act: String,
    use_qformer_text_input: bool,
}

/// The fields of the language model.
#[derive(Debug, Clone, Deserialize)]
#[serde(default)]
pub(super) struct Text {
    pub(super) vocab_size: usize,
    pub(super) hidden_size: usize,
    pub(super) num_hidden_layers: usize,
    pub(super) num_attention_heads: usize,
    pub(super) ffn_dim: usize,
    pub(super) max_position_embeddings: usize,
    pub(super) bos_token_id: u32,
    pub(super) tie_word_embeddings: bool,
    eos_token_id: Ends,
    model_type: String,
    activation_function: String,
    do_layer_norm_before: bool,
    _remove_final_layer_norm: bool,
    word_embed_proj_dim: Option<usize>,
    enable_bias: bool,
    layer_norm_elementwise_affine: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            vision_config: Vision::default(),
            qformer_config: QFormer::default(),
            text_config: Text::default(),
            num_query_tokens: 32,
            model_type: "blip-2".to_owned(),
        }
    }
}

impl Default for Vision {
    fn default() -> Self {
        Vision {
            hidden_size: 1408,
            intermediate_size: 6144,
            num_hidden_layers: 39,
            num_attention_heads: 16,
            image_size: 224,
            patch_size: 14,
            layer_norm_eps: 1e-6,
            hidden_act: "gelu".to_owned(),
            qkv_bias: true,
        }
    }
}

impl Default for QFormer {
    fn default() -> Self {
        QFormer {
            hidden_size: 768,
            num_hidden_layers: 12,
            num_attention_heads: 12,
            intermediate_size: 3072,
            layer_norm_eps: 1e-12,
            cross_attention_frequency: 2,
            hidden_act: "gelu".to_owned(),
            use_qformer_text_input: false,
        }
    }
}

impl Default for Text {
    fn default() -> Self {
        Text {
            vocab_size: 50_272,
            hidden_size: 768,
            num_hidden_layers: 12,
            num_attention_heads: 12,
            ffn_dim: 3072,
            max_position_embeddings: 2048,
            bos_token_id: 2,
            tie_word_embeddings: true,
            eos_token_id: Ends::One(2),
            model_type: "opt".to_owned(),
            activation_function: "relu".to_owned(),
            do_layer_norm_before: true,
            _remove_final_layer_norm: false,
            word_embed_proj_dim: None,
            enable_bias: true,
            layer_norm_elementwise_affine: true,
        }
    }
}

impl Config {
    /// The tokens that end a caption: OPT's line break in published ones.
    pub(super) fn ends(&self) -> Vec<u32> {
        self.text_config.eos_token_id.ids()
    }

    /// The queries take the first positions; the start token and the caption have the rest.
    pub(super) fn max_new_tokens(&self) -> usize {
        self.text_config.max_position_embeddings - self.num_query_tokens
    }
}
