//! EfficientNet-B1.

use super::initialiser::{Bias, Initialiser, Redraw};

/// Blocks that share everything but the number of inputs.
struct Stage {
    /// Channels inside a block per channel of its input.
    expansion: usize,
    kernel: usize,
    outputs: usize,
    depth: usize,
}

const STAGES: [Stage; 7] = [
    stage(1, 3, 16, 2),
    stage(6, 3, 24, 3),
    stage(6, 5, 40, 3),
    stage(6, 3, 80, 4),
    stage(6, 5, 112, 4),
    stage(6, 5, 192, 5),
    stage(6, 3, 320, 2),
];

const fn stage(expansion: usize, kernel: usize, outputs: usize, depth: usize) -> Stage {
    Stage {
        expansion,
        kernel,
        outputs,
        depth,
    }
}

pub(super) fn b1(model: &mut Initialiser) {
    // For a leaky rectifier of slope 0, which is a plain one.
    model.redraw_convolutions(Redraw::KaimingNormalFanOut);
    model.redraw_linears(Redraw::UniformByOutputs);
    convolution_norm(model, "features.0", [32, 3, 3, 3]);
    let mut inputs = 32;
    for (i, stage) in STAGES.iter().enumerate() {
        for block in 0..stage.depth {
            inverted_residual(model, &format!("features.{}.{block}.block", i + 1), inputs, stage);
            inputs = stage.outputs;
        }
    }
    let features = 4 * inputs;
    convolution_norm(model, "features.8", [features, inputs, 1, 1]);
    model.linear("classifier.1", [1000, features], Bias::Zeros);
}

fn inverted_residual(model: &mut Initialiser, name: &str, inputs: usize, stage: &Stage) {
    let inner = inputs * stage.expansion;
    let mut position = 0;
    if inner != inputs {
        convolution_norm(model, &format!("{name}.0"), [inner, inputs, 1, 1]);
        position = 1;
    }
    let depthwise = format!("{name}.{position}");
    convolution_norm(model, &depthwise, [inner, 1, stage.kernel, stage.kernel]);
    let squeeze = format!("{name}.{}", position + 1);
    let squeezed = inputs / 4;
    model.convolution(&format!("{squeeze}.fc1"), [squeezed, inner, 1, 1], Bias::Zeros);
    model.convolution(&format!("{squeeze}.fc2"), [inner, squeezed, 1, 1], Bias::Zeros);
    let project = format!("{name}.{}", position + 2);
    convolution_norm(model, &project, [stage.outputs, inner, 1, 1]);
}

fn convolution_norm(model: &mut Initialiser, name: &str, shape: [usize; 4]) {
    model.convolution_norm(&format!("{name}.0"), &format!("{name}.1"), shape);
}
