//! EfficientNet-B1.

use super::initialiser::{Bias, Initialiser, Redraw};

/// For each stage: the factor of channels inside a block, the kernel's side, output channels, number of blocks.
const STAGES: [(usize, usize, usize, usize); 7] = [
    (1, 3, 16, 2),
    (6, 3, 24, 3),
    (6, 5, 40, 3),
    (6, 3, 80, 4),
    (6, 5, 112, 4),
    (6, 5, 192, 5),
    (6, 3, 320, 2),
];

pub(super) fn b1(model: &mut Initialiser) {
    // This is Kaiming's for a leaky ReLU of slope 0, which is a plain ReLU.
    model.redraw_convolutions(Redraw::KaimingNormalFanOut);
    model.redraw_linears(Redraw::UniformByOutputs);
    convolution_norm(model, "features.0", [32, 3, 3, 3]);
    let mut inputs = 32;
    for (i, (expansion, kernel, outputs, depth)) in STAGES.into_iter().enumerate() {
        for block in 0..depth {
            let name = format!("features.{}.{block}.block", i + 1);
            inverted_residual(model, &name, inputs, (inputs * expansion, kernel, outputs));
            inputs = outputs;
        }
    }
    let features = 4 * inputs;
    convolution_norm(model, "features.8", [features, inputs, 1, 1]);
    model.linear("classifier.1", [1000, features], Bias::Zeros);
}

fn inverted_residual(
    model: &mut Initialiser,
    name: &str,
    inputs: usize,
    (inner, kernel, outputs): (usize, usize, usize),
) {
    let mut position = 0;
    if inner != inputs {
        convolution_norm(model, &format!("{name}.0"), [inner, inputs, 1, 1]);
        position = 1;
    }
    let depthwise = format!("{name}.{position}");
    convolution_norm(model, &depthwise, [inner, 1, kernel, kernel]);
    let squeeze = format!("{name}.{}", position + 1);
    let squeezed = inputs / 4;
    model.convolution(&format!("{squeeze}.fc1"), [squeezed, inner, 1, 1], Bias::Zeros);
    model.convolution(&format!("{squeeze}.fc2"), [inner, squeezed, 1, 1], Bias::Zeros);
    let project = format!("{name}.{}", position + 2);
    convolution_norm(model, &project, [outputs, inner, 1, 1]);
}

fn convolution_norm(model: &mut Initialiser, name: &str, shape: [usize; 4]) {
    model.convolution_norm(&format!("{name}.0"), &format!("{name}.1"), shape);
}
