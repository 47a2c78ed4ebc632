//! ViT-B/16.

use super::initialiser::{Bias, Initialiser, Redraw};

pub(super) fn b16(model: &mut Initialiser) {
    const DIM: usize = 768;
    const PATCH: usize = 16;
    const N_TOKENS: usize = 1 + 14 * 14;

    // The patch embedding is the only convolution.
    let std = (1.0 / (3 * PATCH * PATCH) as f64).sqrt();
    model.redraw_convolutions(Redraw::TruncatedNormal { std });
    model.constant("class_token".to_owned(), &[1, 1, DIM], 0.0);
    model.convolution("conv_proj", [DIM, 3, PATCH, PATCH], Bias::Zeros);
    model.normal("encoder.pos_embedding", &[1, N_TOKENS, DIM], 0.02);
    for layer in 0..12 {
        let name = format!("encoder.layers.encoder_layer_{layer}");
        model.layer_norm(&format!("{name}.ln_1"), DIM);
        model.attention(&format!("{name}.self_attention"), DIM);
        model.layer_norm(&format!("{name}.ln_2"), DIM);
        model.perceptron(&format!("{name}.mlp"), DIM, 4 * DIM);
    }
    model.layer_norm("encoder.ln", DIM);
    model.redraw_linears(Redraw::Zeros);
    model.linear("heads.head", [1000, DIM], Bias::Zeros);
}
