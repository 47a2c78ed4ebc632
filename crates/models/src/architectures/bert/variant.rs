//! The differences between BERT and MPNet, as values.

use crate::checkpoint::transformer::{BlockNames, Projections};

/// What no file says about a model.
#[derive(Debug)]
pub(crate) struct Variant {
    /// The architecture's name in messages.
    pub(crate) architecture: &'static str,
    /// `model_type` in `config.json`.
    pub(super) model_type: &'static str,
    /// The id for weights other than the published ones.
    pub(super) custom_id: &'static str,
    /// Names of the tokens around a text.
    pub(super) ends: &'static [&'static str],
    /// The default maximum number of tokens of a text.
    pub(super) usual_max_tokens: usize,
    /// This library's names of a layer's parts.
    pub(super) names: BlockNames,
    /// Is a vector for the token's type added to the word's vector?
    pub(super) has_token_types: bool,
    /// The padding token; its id is also its position, and positions of real tokens follow it. Without one, positions
    /// begin at 0.
    pub(super) padding: Option<u32>,
    /// A learned number for the distance of two tokens, which every layer adds to their score.
    pub(super) distances: Option<Distances>,
}

/// The buckets that distances of tokens fall into.
#[derive(Debug)]
pub(super) struct Distances {
    pub(super) n_buckets: usize,
    /// All distances from here on share a bucket.
    pub(super) max_distance: usize,
}

/// A BERT as all-MiniLM-L6-v2 has it.
pub(crate) static MINILM: Variant = Variant {
    architecture: "MiniLM (BERT)",
    model_type: "bert",
    custom_id: "minilm-custom",
    ends: &["[CLS]", "[SEP]"],
    usual_max_tokens: 256,
    names: BlockNames::BERT,
    has_token_types: true,
    padding: None,
    distances: None,
};

/// An MPNet: like BERT, except for positions that begin after the padding token's, no token types, and a distance bias
/// in the scores. The padding token and the buckets are transformers', regardless of what the configuration says.
pub(crate) static MPNET: Variant = Variant {
    architecture: "MPNet",
    model_type: "mpnet",
    custom_id: "mpnet-custom",
    ends: &["<s>", "</s>"],
    usual_max_tokens: 384,
    names: BlockNames {
        attention_norm: "attention.LayerNorm",
        projections: Projections::Separate(["attention.attn.q", "attention.attn.k", "attention.attn.v"]),
        output: "attention.attn.o",
        // The perceptron is named as in BERT.
        ..BlockNames::BERT
    },
    has_token_types: false,
    padding: Some(1),
    distances: Some(Distances {
        n_buckets: 32,
        max_distance: 128,
    }),
};
