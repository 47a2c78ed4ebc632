//! The two layouts that CLIP is published in.

use crate::ModelError;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::transformer::{BlockNames, Projections};
use neurogauge_kernels::blocks::Linear;

/// The library that named the tensors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// OpenAI's TorchScript archives.
    OpenAi,
    /// transformers' files on the Hugging Face Hub.
    HuggingFace,
}

impl Layout {
    /// Recognises the layout of a checkpoint by a tensor that every transformers file has.
    pub(crate) fn of(checkpoint: &Checkpoint) -> Layout {
        let towers = ["vision_model.embeddings.class_embedding", "text_model.embeddings.token_embedding.weight"];
        let has = |name: &&str| checkpoint.shape_of(name).is_some();
        if towers.iter().any(has) {
            Layout::HuggingFace
        } else {
            Layout::OpenAi
        }
    }

    pub(super) fn block_names(self) -> &'static BlockNames {
        match self {
            Layout::OpenAi => &BlockNames {
                attention_norm: "ln_1",
                projections: Projections::Fused("attn"),
                output: "attn.out_proj",
                mlp_norm: "ln_2",
                expand: "mlp.c_fc",
                contract: "mlp.c_proj",
                scales: None,
            },
            Layout::HuggingFace => &BlockNames::CLIP,
        }
    }

    /// The projection into the space that texts and images share. It has no bias, and OpenAI's files store it
    /// transposed.
    pub(super) fn projection(
        self,
        checkpoint: &mut Checkpoint,
        name: &str,
        width: usize,
        n_embedding: usize,
    ) -> Result<Linear, ModelError> {
        let weight = match self {
            Layout::OpenAi => {
                let weight = checkpoint.take(name, &[width, n_embedding])?;
                checkpoint.arranged(|| weight.t())?
            }
            Layout::HuggingFace => checkpoint.take(&format!("{name}.weight"), &[n_embedding, width])?,
        };
        checkpoint.arranged(|| Linear::without_bias(&weight))
    }
}

/// May this tensor be left over when only the image tower is read? Files contain the text tower too.
pub(crate) fn has_no_use_for_images(name: &str) -> bool {
    name.starts_with("text_model.")
        || name.starts_with("transformer.")
        || is_left_over(name)
        || matches!(
            name,
            "positional_embedding"
                | "text_projection"
                | "text_projection.weight"
                | "token_embedding.weight"
                | "ln_final.weight"
                | "ln_final.bias"
        )
}

/// May this tensor be left over when only the text tower is read?
pub(crate) fn has_no_use_for_texts(name: &str) -> bool {
    ["vision_model.", "visual.", "visual_projection."].iter().any(|prefix| name.starts_with(prefix))
        || is_left_over(name)
}

/// Tensors that neither tower uses.
fn is_left_over(name: &str) -> bool {
    name.ends_with("embeddings.position_ids")
        || matches!(name, "logit_scale" | "input_resolution" | "context_length" | "vocab_size")
}
