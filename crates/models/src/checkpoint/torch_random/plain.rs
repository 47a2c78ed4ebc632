//! AlexNet and VGG-16: convolutions one after the other, then three linear layers.

use super::initialiser::{Bias, Initialiser, Redraw};

/// AlexNet keeps torch's default weights.
pub(super) fn alexnet(model: &mut Initialiser) {
    for (position, shape) in [
        (0, [64, 3, 11, 11]),
        (3, [192, 64, 5, 5]),
        (6, [384, 192, 3, 3]),
        (8, [256, 384, 3, 3]),
        (10, [256, 256, 3, 3]),
    ] {
        model.convolution(&format!("features.{position}"), shape, Bias::Default);
    }
    for (position, shape) in [(1, [4096, 256 * 6 * 6]), (4, [4096, 4096]), (6, [1000, 4096])] {
        model.linear(&format!("classifier.{position}"), shape, Bias::Default);
    }
}

pub(super) fn vgg16(model: &mut Initialiser) {
    model.redraw_convolutions(Redraw::KaimingNormalFanOut);
    model.redraw_linears(Redraw::Normal { std: 0.01 });
    let (mut position, mut inputs) = (0, 3);
    for (n_layers, outputs) in [(2, 64), (2, 128), (3, 256), (3, 512), (3, 512)] {
        for _ in 0..n_layers {
            let name = format!("features.{position}");
            model.convolution(&name, [outputs, inputs, 3, 3], Bias::Zeros);
            inputs = outputs;
            // Skip the ReLU after it.
            position += 2;
        }
        // Skip the pooling layer after it.
        position += 1;
    }
    for (position, shape) in [(0, [4096, 512 * 7 * 7]), (3, [4096, 4096]), (6, [1000, 4096])] {
        model.linear(&format!("classifier.{position}"), shape, Bias::Zeros);
    }
}
