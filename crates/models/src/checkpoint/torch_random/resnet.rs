//! ResNet-18 and ResNet-50.

use super::initialiser::{Bias, Initialiser, Redraw};

/// The kind of residual branches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Branch {
    /// Two 3 x 3 convolutions.
    Basic,
    /// 1 x 1 down to a quarter, 3 x 3, 1 x 1 back up.
    Bottleneck,
}

pub(super) fn resnet18(model: &mut Initialiser) {
    resnet(model, Branch::Basic, [2, 2, 2, 2]);
}

pub(super) fn resnet50(model: &mut Initialiser) {
    resnet(model, Branch::Bottleneck, [3, 4, 6, 3]);
}

fn resnet(model: &mut Initialiser, branch: Branch, depths: [usize; 4]) {
    model.redraw_convolutions(Redraw::KaimingNormalFanOut);
    model.convolution_norm("conv1", "bn1", [64, 3, 7, 7]);
    let mut inputs = 64;
    for (stage, depth) in depths.into_iter().enumerate() {
        let width = 64 << stage;
        let (outputs, kernels): (usize, &[usize]) = match branch {
            Branch::Basic => (width, &[3, 3]),
            Branch::Bottleneck => (4 * width, &[1, 3, 1]),
        };
        for block in 0..depth {
            let name = format!("layer{}.{block}", stage + 1);
            let mut n_in = inputs;
            for (i, &kernel) in kernels.iter().enumerate() {
                let last = i + 1 == kernels.len();
                let n_out = if last { outputs } else { width };
                let (convolution, norm) = (format!("{name}.conv{}", i + 1), format!("{name}.bn{}", i + 1));
                model.convolution_norm(&convolution, &norm, [n_out, n_in, kernel, kernel]);
                n_in = n_out;
            }
            let halves = stage > 0 && block == 0;
            if halves || inputs != outputs {
                let (convolution, norm) = (format!("{name}.downsample.0"), format!("{name}.downsample.1"));
                model.convolution_norm(&convolution, &norm, [outputs, inputs, 1, 1]);
            }
            inputs = outputs;
        }
    }
    model.linear("fc", [1000, inputs], Bias::Default);
}
