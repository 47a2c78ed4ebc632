//! The checks of a Grounding DINO configuration: anything that this implementation cannot compute is refused.

use super::File;
use crate::ModelError;
use crate::architectures::grounding_dino::config::{EPSILON, N_GROUPS};
use crate::checkpoint::config_json::Refusal;

pub(super) fn check(file: &File, refusal: &Refusal<'_>) -> Result<(), ModelError> {
    let text = |field, found: &String, expected: &str| refusal.unless(found == expected, field, found, expected);
    text("position_embedding_type", &file.position_embedding_type, "sine")?;
    text("activation_function", &file.activation_function, "relu")?;
    let flag =
        |field, found: bool, expected: bool| refusal.unless(found == expected, field, &found, &expected.to_string());
    flag("two_stage", file.two_stage, true)?;
    flag("embedding_init_target", file.embedding_init_target, true)?;
    flag("two_stage_bbox_embed_share", file.two_stage_bbox_embed_share, false)?;
    let epsilon = file.layer_norm_eps;
    refusal.unless(epsilon == EPSILON, "layer_norm_eps", &epsilon, "1e-5")?;
    refusal.unless(file.query_dim == 4, "query_dim", &file.query_dim, "4")?;
    for (field, n) in [
        ("num_queries", file.num_queries),
        ("encoder_layers", file.encoder_layers),
        ("encoder_n_points", file.encoder_n_points),
        ("decoder_layers", file.decoder_layers),
        ("decoder_n_points", file.decoder_n_points),
        ("decoder_ffn_dim", file.decoder_ffn_dim),
    ] {
        refusal.unless(n > 0, field, &n, "at least 1")?;
    }
    // The fusion and the text layers have half as many heads and half the hidden width.
    let (width, heads) = (file.d_model, file.encoder_attention_heads);
    let (groups, half) = (format!("a multiple of {N_GROUPS}"), heads / 2);
    refusal.unless(width > 0 && width.is_multiple_of(N_GROUPS), "d_model", &width, &groups)?;
    refusal.unless(
        half > 0 && width.is_multiple_of(heads) && width.is_multiple_of(half),
        "encoder_attention_heads",
        &heads,
        &format!("at least 2, and a divisor of d_model = {width}, as its half"),
    )?;
    let inner = file.encoder_ffn_dim;
    refusal.unless(
        inner / 2 > 0 && (inner / 2).is_multiple_of(half),
        "encoder_ffn_dim",
        &inner,
        &format!("twice a multiple of {half}, half of the heads"),
    )?;
    let heads = file.decoder_attention_heads;
    refusal.unless(
        heads > 0 && width.is_multiple_of(heads),
        "decoder_attention_heads",
        &heads,
        &format!("a divisor of d_model = {width}"),
    )
}
