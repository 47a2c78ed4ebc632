//! Tests of `blocks::inverted_bottleneck`.

use crate::made::noise;
use candle_core::Tensor;
use neurogauge_kernels::blocks::*;

/// Channels of the input, inside, squeezed; then the block and its separate layers.
fn both(x: &Tensor, n_inner: usize, stride: usize, expands: bool) -> (Vec<f32>, Vec<f32>) {
    let n_in = x.dim(3).unwrap();
    let point = |name: &str, n_out: usize, n_in: usize| {
        let weight = noise(name, &[n_out, n_in, 1, 1]);
        Convolution::new(&weight, &noise("b", &[n_out]), 1, (0, 0), 1).unwrap()
    };
    let linear = |name: &str, n_out: usize, n_in: usize, activation| {
        let weight = noise(name, &[n_out, n_in]);
        Linear::new(&weight, &noise("c", &[n_out])).unwrap().then(activation)
    };
    let expand = expands.then(|| point("expand", n_inner, n_in).then(Activation::Silu));
    let depthwise = DepthwiseConvolution::new(
        &noise("depthwise", &[n_inner, 1, 5, 5]),
        &noise("b", &[n_inner]),
        stride,
        2,
        Activation::Silu,
    );
    let depthwise = depthwise.unwrap();
    let squeeze = linear("squeeze", 3, n_inner, Activation::Silu);
    let excite = linear("excite", n_inner, 3, Activation::Sigmoid);
    let project = point("project", n_in, n_inner);

    let expanded = expand.as_ref().map_or_else(|| x.clone(), |expand| expand.forward(x).unwrap());
    let inner = depthwise.forward(&expanded).unwrap();
    let means = inner.mean((1, 2)).unwrap();
    let weights = excite.forward(&squeeze.forward(&means).unwrap()).unwrap();
    let weights = weights.unsqueeze(1).unwrap().unsqueeze(1).unwrap();
    let inner = inner.broadcast_mul(&weights).unwrap();
    let residual = stride == 1;
    let expected = if residual {
        project.forward_residual(&inner, x)
    } else {
        project.forward(&inner)
    };
    let weigh = SqueezeExcite::new(squeeze, excite);
    let block = InvertedBottleneck::new(expand, depthwise, weigh, project, residual).unwrap();
    let mut scratch = Scratch::default();
    let flat = |x: Tensor| x.flatten_all().unwrap().to_vec1().unwrap();
    // Runs twice, since earlier values in the scratch memory must not matter.
    block.forward(x, &mut scratch).unwrap();
    let y = block.forward(x, &mut scratch).unwrap();
    (flat(y), flat(expected.unwrap()))
}

#[test]
fn equals_its_layers_one_by_one() {
    // The second map is so wide that it needs several strips.
    let shapes = [(2, 7, 9, 6, 20), (1, 23, 150, 4, 144)];
    for (n_images, height, width, n_in, n_inner) in shapes {
        for (stride, expands) in [(1, true), (2, true), (1, false), (2, false)] {
            let n_inner = if expands { n_inner } else { n_in };
            let x = noise("x", &[n_images, height, width, n_in]);
            let (y, expected) = both(&x, n_inner, stride, expands);
            assert_eq!(y.len(), expected.len());
            for (y, expected) in y.iter().zip(&expected) {
                assert!((y - expected).abs() < 1e-5, "{y} is not {expected}");
            }
        }
    }
}

#[test]
fn wide_kernels_at_the_ends_are_refused() {
    let weight = noise("w", &[2, 2, 3, 3]);
    let wide = Convolution::new(&weight, &noise("b", &[2]), 1, (1, 1), 1).unwrap();
    let depthwise =
        DepthwiseConvolution::new(&noise("w", &[2, 1, 3, 3]), &noise("b", &[2]), 1, 1, Activation::Identity);
    let linear = || Linear::without_bias(&noise("w", &[2, 2])).unwrap();
    let weigh = SqueezeExcite::new(linear(), linear());
    let block = InvertedBottleneck::new(None, depthwise.unwrap(), weigh, wide, true);
    assert!(block.is_err());
}
