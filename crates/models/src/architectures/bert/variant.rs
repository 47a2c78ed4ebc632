//! The differences between BERT and MPNet, as values.

use crate::checkpoint::transformer::{BlockNames, Projections};

/// The facts of one model that are in no file.
#[derive(Debug)]
pub(crate) struct Variant {
    /// Its name, in messages.
    pub(crate) architecture: &'static str,
    /// What `config.json` calls it.
    pub(super) model_type: &'static str,
    /// The id of weights that are not the published ones.
    pub(super) custom_id: &'static str,
    /// Names of the tokens that are put around a text.
    pub(super) ends: &'static [&'static str],
    /// The default maximum number of tokens of a text.
    pub(super) usual_max_tokens: usize,
    /// Its names of the parts of a layer.
    pub(super) names: BlockNames,
    /// Is there a vector for the type of a token, which is added to the word's vector?
    pub(super) has_token_types: bool,
    /// The padding token, whose id is also its position; positions of real tokens follow it. Without one they begin
    /// at 0.
    pub(super) padding: Option<u32>,
    /// The learned number for the distance of two tokens that all layers add to their scores.
    pub(super) distances: Option<Distances>,
}

/// Distances of tokens fall into buckets.
#[derive(Debug)]
pub(super) struct Distances {
    pub(super) n_buckets: usize,
    /// From here on, all share a bucket.
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

/// An MPNet: like BERT, except for positions that begin after the padding token's, no token types, and distances in the
/// scores. The padding token and the buckets are transformers', regardless of what the configuration says.
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
        // The perceptron's names are BERT's.
        ..BlockNames::BERT
    },
    has_token_types: false,
    padding: Some(1),
    distances: Some(Distances {
        n_buckets: 32,
        max_distance: 128,
    }),
};
