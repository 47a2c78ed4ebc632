//! ConvNeXt-Tiny.

use super::initialiser::{Bias, Initialiser, Redraw};

pub(super) fn tiny(model: &mut Initialiser) {
    model.redraw_convolutions(Redraw::TruncatedNormal { std: 0.02 });
    model.redraw_linears(Redraw::TruncatedNormal { std: 0.02 });
    model.convolution("features.0.0", [96, 3, 4, 4], Bias::Zeros);
    model.layer_norm("features.0.1", 96);
    let mut inputs = 96;
    for (stage, (dim, depth)) in [(96, 3), (192, 3), (384, 9), (768, 3)].into_iter().enumerate() {
        if dim != inputs {
            let name = format!("features.{}", 2 * stage);
            model.layer_norm(&format!("{name}.0"), inputs);
            model.convolution(&format!("{name}.1"), [dim, inputs, 2, 2], Bias::Zeros);
            inputs = dim;
        }
        for block in 0..depth {
            let name = format!("features.{}.{block}", 2 * stage + 1);
            model.constant(format!("{name}.layer_scale"), &[dim, 1, 1], 1e-6);
            model.convolution(&format!("{name}.block.0"), [dim, 1, 7, 7], Bias::Zeros);
            model.layer_norm(&format!("{name}.block.2"), dim);
            model.linear(&format!("{name}.block.3"), [4 * dim, dim], Bias::Zeros);
            model.linear(&format!("{name}.block.5"), [dim, 4 * dim], Bias::Zeros);
        }
    }
    model.layer_norm("classifier.0", inputs);
    model.linear("classifier.2", [1000, inputs], Bias::Zeros);
}
