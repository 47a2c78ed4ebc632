//! Swin-T.

use super::initialiser::{Bias, Initialiser, Redraw};

const WINDOW: usize = 7;
const HEAD_DIM: usize = 32;

pub(super) fn tiny(model: &mut Initialiser) {
    model.redraw_linears(Redraw::TruncatedNormal { std: 0.02 });
    model.convolution("features.0.0", [96, 3, 4, 4], Bias::Default);
    model.layer_norm("features.0.2", 96);
    let mut inputs = 96;
    for (stage, (dim, depth)) in [(96, 2), (192, 2), (384, 6), (768, 2)].into_iter().enumerate() {
        if dim != inputs {
            // The layer that merges 2 x 2 patches.
            let name = format!("features.{}", 2 * stage);
            model.linear(&format!("{name}.reduction"), [dim, 4 * inputs], Bias::Absent);
            model.layer_norm(&format!("{name}.norm"), 4 * inputs);
            inputs = dim;
        }
        for block in 0..depth {
            let name = format!("features.{}.{block}", 2 * stage + 1);
            model.layer_norm(&format!("{name}.norm1"), dim);
            attention(model, &format!("{name}.attn"), dim);
            model.layer_norm(&format!("{name}.norm2"), dim);
            model.perceptron(&format!("{name}.mlp"), dim, 4 * dim);
        }
    }
    model.layer_norm("norm", inputs);
    model.linear("head", [1000, inputs], Bias::Zeros);
}

/// Attention within windows; the table has a bias for every offset between two positions.
fn attention(model: &mut Initialiser, name: &str, dim: usize) {
    model.linear(&format!("{name}.qkv"), [3 * dim, dim], Bias::Zeros);
    model.linear(&format!("{name}.proj"), [dim, dim], Bias::Zeros);
    let n_offsets = (2 * WINDOW - 1) * (2 * WINDOW - 1);
    let table = format!("{name}.relative_position_bias_table");
    model.truncated_normal(&table, &[n_offsets, dim / HEAD_DIM], 0.02);
}
