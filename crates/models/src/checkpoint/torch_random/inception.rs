//! Inception v3.

use super::initialiser::{Bias, Initialiser, Redraw};

/// One convolution of a block: name, inputs, outputs, kernel height and width.
type Convolution = (&'static str, usize, usize, [usize; 2]);

const K1: [usize; 2] = [1, 1];
const K3: [usize; 2] = [3, 3];
const K5: [usize; 2] = [5, 5];
const WIDE7: [usize; 2] = [1, 7];
const TALL7: [usize; 2] = [7, 1];
const WIDE3: [usize; 2] = [1, 3];
const TALL3: [usize; 2] = [3, 1];

pub(super) fn v3(model: &mut Initialiser) {
    model.redraw_convolutions(Redraw::TruncatedNormal { std: 0.1 });
    for (name, inputs, outputs, kernel) in [
        ("Conv2d_1a_3x3", 3, 32, K3),
        ("Conv2d_2a_3x3", 32, 32, K3),
        ("Conv2d_2b_3x3", 32, 64, K3),
        ("Conv2d_3b_1x1", 64, 80, K1),
        ("Conv2d_4a_3x3", 80, 192, K3),
    ] {
        convolution(model, name, inputs, outputs, kernel);
    }
    for (name, inputs, pooled) in [("Mixed_5b", 192, 32), ("Mixed_5c", 256, 64), ("Mixed_5d", 288, 64)] {
        block(
            model,
            name,
            &[
                ("branch1x1", inputs, 64, K1),
                ("branch5x5_1", inputs, 48, K1),
                ("branch5x5_2", 48, 64, K5),
                ("branch3x3dbl_1", inputs, 64, K1),
                ("branch3x3dbl_2", 64, 96, K3),
                ("branch3x3dbl_3", 96, 96, K3),
                ("branch_pool", inputs, pooled, K1),
            ],
        );
    }
    block(
        model,
        "Mixed_6a",
        &[
            ("branch3x3", 288, 384, K3),
            ("branch3x3dbl_1", 288, 64, K1),
            ("branch3x3dbl_2", 64, 96, K3),
            ("branch3x3dbl_3", 96, 96, K3),
        ],
    );
    for (name, n) in [("Mixed_6b", 128), ("Mixed_6c", 160), ("Mixed_6d", 160), ("Mixed_6e", 192)] {
        block(
            model,
            name,
            &[
                ("branch1x1", 768, 192, K1),
                ("branch7x7_1", 768, n, K1),
                ("branch7x7_2", n, n, WIDE7),
                ("branch7x7_3", n, 192, TALL7),
                ("branch7x7dbl_1", 768, n, K1),
                ("branch7x7dbl_2", n, n, TALL7),
                ("branch7x7dbl_3", n, n, WIDE7),
                ("branch7x7dbl_4", n, n, TALL7),
                ("branch7x7dbl_5", n, 192, WIDE7),
                ("branch_pool", 768, 192, K1),
            ],
        );
    }
    convolution(model, "AuxLogits.conv0", 768, 128, K1);
    // The constructor sets a smaller deviation on the block around this convolution, where its own second draw does not
    // look for it.
    convolution(model, "AuxLogits.conv1", 128, 768, K5);
    model.redraw_linears(Redraw::TruncatedNormal { std: 0.001 });
    model.linear("AuxLogits.fc", [1000, 768], Bias::Default);
    block(
        model,
        "Mixed_7a",
        &[
            ("branch3x3_1", 768, 192, K1),
            ("branch3x3_2", 192, 320, K3),
            ("branch7x7x3_1", 768, 192, K1),
            ("branch7x7x3_2", 192, 192, WIDE7),
            ("branch7x7x3_3", 192, 192, TALL7),
            ("branch7x7x3_4", 192, 192, K3),
        ],
    );
    for (name, inputs) in [("Mixed_7b", 1280), ("Mixed_7c", 2048)] {
        block(
            model,
            name,
            &[
                ("branch1x1", inputs, 320, K1),
                ("branch3x3_1", inputs, 384, K1),
                ("branch3x3_2a", 384, 384, WIDE3),
                ("branch3x3_2b", 384, 384, TALL3),
                ("branch3x3dbl_1", inputs, 448, K1),
                ("branch3x3dbl_2", 448, 384, K3),
                ("branch3x3dbl_3a", 384, 384, WIDE3),
                ("branch3x3dbl_3b", 384, 384, TALL3),
                ("branch_pool", inputs, 192, K1),
            ],
        );
    }
    model.redraw_linears(Redraw::TruncatedNormal { std: 0.1 });
    model.linear("fc", [1000, 2048], Bias::Default);
}

fn block(model: &mut Initialiser, name: &str, convolutions: &[Convolution]) {
    for &(part, inputs, outputs, kernel) in convolutions {
        convolution(model, &format!("{name}.{part}"), inputs, outputs, kernel);
    }
}

fn convolution(model: &mut Initialiser, name: &str, inputs: usize, outputs: usize, [height, width]: [usize; 2]) {
    let shape = [outputs, inputs, height, width];
    model.convolution_norm(&format!("{name}.conv"), &format!("{name}.bn"), shape);
}
