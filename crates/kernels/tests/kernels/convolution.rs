//! Tests of `blocks::convolution` and `blocks::depthwise`.

use crate::made::noise as synthetic;
use candle_core::{DType, Tensor};
use neurogauge_kernels::blocks::*;
use proptest::prelude::*;

/// The engine's own convolution, which uses (image, channel, row, column); converts to that order and back.
fn engine(x: &Tensor, weight: &Tensor, bias: &Tensor, stride: usize, padding: (usize, usize), groups: usize) -> Tensor {
    let x = x.permute((0, 3, 1, 2)).unwrap().pad_with_zeros(2, padding.0, padding.0).unwrap();
    let x = x.pad_with_zeros(3, padding.1, padding.1).unwrap().contiguous().unwrap();
    let y = x.conv2d(weight, 0, stride, 1, groups).unwrap().permute((0, 2, 3, 1)).unwrap();
    y.broadcast_add(bias).unwrap().contiguous().unwrap()
}

fn difference(a: &Tensor, b: &Tensor) -> f32 {
    assert_eq!(a.dims(), b.dims());
    (a - b).unwrap().abs().unwrap().flatten_all().unwrap().max(0).unwrap().to_scalar().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn equals_the_engines_convolution(
        n_images in 1_usize..3,
        size in (5_usize..14, 5_usize..14),
        kernel in (1_usize..5, 1_usize..5),
        stride in 1_usize..4,
        padding in (0_usize..3, 0_usize..3),
        channels in (1_usize..6, 1_usize..40),
        n_groups in 1_usize..4,
        fits_16_bits in any::<bool>(),
    ) {
        let (n_in, n_out) = (channels.0 * n_groups, channels.1 * n_groups);
        let x = synthetic("x", &[n_images, size.0, size.1, n_in]);
        let weight = synthetic("weight", &[n_out, channels.0, kernel.0, kernel.1]);
        // These forms hold pairs of steps.
        let precision = if fits_16_bits { DType::BF16 } else { DType::F32 };
        let weight = weight.to_dtype(precision).unwrap().to_dtype(DType::F32).unwrap();
        let bias = synthetic("bias", &[n_out]);
        let expected = engine(&x, &weight, &bias, stride, padding, n_groups);
        let layer = Convolution::new(&weight, &bias, stride, padding, n_groups).unwrap();
        let y = layer.forward(&x).unwrap();
        prop_assert!(difference(&y, &expected) < 1e-5);

        let residual = synthetic("residual", y.dims());
        let y = layer.then(Activation::Relu).forward_residual(&x, &residual).unwrap();
        let expected = (expected + residual).unwrap().relu().unwrap();
        prop_assert!(difference(&y, &expected) < 1e-5);
    }

    /// Channels fill lanes, windows are 3 x 3 and the stride is 1, so the algorithm with fewer products is used.
    #[test]
    fn winograds_equals_the_engines_convolution(
        n_images in 1_usize..3,
        size in (3_usize..14, 3_usize..14),
        padding in (0_usize..3, 0_usize..3),
        lanes in (1_usize..4, 1_usize..4),
    ) {
        let (n_in, n_out) = (16 * lanes.0, 16 * lanes.1);
        let x = synthetic("x", &[n_images, size.0, size.1, n_in]);
        let weight = synthetic("weight", &[n_out, n_in, 3, 3]);
        let bias = synthetic("bias", &[n_out]);
        let expected = engine(&x, &weight, &bias, 1, padding, 1);
        let layer = Convolution::new(&weight, &bias, 1, padding, 1).unwrap();
        let form = format!("{layer:?}");
        prop_assert!(form.contains("weights: Winograd("));
        let y = layer.forward(&x).unwrap();
        prop_assert!(difference(&y, &expected) < 2e-5);

        let residual = synthetic("residual", y.dims());
        let layer = layer.then(Activation::Silu);
        let y = layer.forward_residual(&x, &residual).unwrap();
        let sum = (expected + &residual).unwrap();
        let expected = sum.silu().unwrap();
        prop_assert!(difference(&y, &expected) < 2e-5);

        // A single image has the same bits.
        let first = x.narrow(0, 0, 1).unwrap();
        let alone = layer.forward_residual(&first, &residual.narrow(0, 0, 1).unwrap()).unwrap();
        prop_assert_eq!(difference(&alone, &y.narrow(0, 0, 1).unwrap()), 0.0);
    }

    /// Adjacent maps give the bits of their concatenation, regardless of their widths, whether they are parts of a
    /// wider map, and the form of the weights.
    #[test]
    fn maps_side_by_side_are_those_of_their_concatenation(
        n_images in 1_usize..3,
        size in (1_usize..9, 1_usize..9),
        widths in prop::collection::vec(1_usize..24, 1..5),
        n_out in 1_usize..70,
        kernel in prop::sample::select(vec![1_usize, 3]),
        precision in prop::sample::select(vec![DType::F32, DType::BF16, DType::F16]),
        products in prop::sample::select(vec![Products::F32, Products::Bf16]),
    ) {
        let n_in: usize = widths.iter().sum();
        let whole = synthetic("x", &[n_images, size.0, size.1, n_in]);
        let mut first = 0;
        let maps: Vec<Tensor> = widths.iter().enumerate().map(|(index, &width)| {
            let part = whole.narrow(3, first, width).unwrap();
            first += width;
            if index % 2 == 0 { part.contiguous().unwrap() } else { part }
        }).collect();
        let weight = synthetic("weight", &[n_out, n_in, kernel, kernel]);
        let weight = weight.to_dtype(precision).unwrap().to_dtype(DType::F32).unwrap();
        let bias = synthetic("bias", &[n_out]);
        let layer = products
            .arranging(|| Convolution::new(&weight, &bias, 1, (kernel / 2, kernel / 2), 1))
            .unwrap()
            .then(Activation::Silu);
        let beside = layer.forward_beside(&maps).unwrap();
        prop_assert_eq!(difference(&beside, &layer.forward(&whole).unwrap()), 0.0);
    }

    #[test]
    fn depthwise_equals_the_engines_convolution(
        n_images in 1_usize..3,
        size in (5_usize..12, 5_usize..12),
        kernel in 1_usize..5,
        stride in 1_usize..4,
        padding in 0_usize..4,
        n_channels in 1_usize..150,
    ) {
        let x = synthetic("x", &[n_images, size.0, size.1, n_channels]);
        let weight = synthetic("weight", &[n_channels, 1, kernel, kernel]);
        let bias = synthetic("bias", &[n_channels]);
        let expected = engine(&x, &weight, &bias, stride, (padding, padding), n_channels);
        let layer = DepthwiseConvolution::new(&weight, &bias, stride, padding, Activation::Identity);
        let y = layer.unwrap().forward(&x).unwrap();
        prop_assert!(difference(&y, &expected) < 1e-5);
    }
}

#[test]
fn maps_of_other_channels_are_refused() {
    let layer = Convolution::new(&synthetic("w", &[2, 3, 1, 1]), &synthetic("b", &[2]), 1, (0, 0), 1);
    let error = layer.unwrap().forward(&synthetic("x", &[1, 4, 4, 5])).unwrap_err();
    assert!(error.to_string().contains("a layer of 3 channels got maps of"));
}

#[test]
fn maps_that_do_not_fit_side_by_side_are_refused() {
    let (weight, bias) = (synthetic("w", &[2, 5, 1, 1]), synthetic("b", &[2]));
    let layer = Convolution::new(&weight, &bias, 1, (0, 0), 1).unwrap();
    let maps = |height, width| [synthetic("x", &[1, 4, 4, 3]), synthetic("y", &[1, height, 4, width])];
    assert!(layer.forward_beside(&maps(4, 2)).is_ok());
    // These maps are read without a copy.
    assert!(layer.points_beside(&maps(4, 2)).unwrap().is_some());
    assert!(layer.forward_beside(&maps(5, 2)).is_err());
    let error = layer.forward_beside(&maps(4, 3)).unwrap_err().to_string();
    assert!(error.contains("a layer of 5 channels got maps of"), "{error}");
}

/// The transforms are exact on small integers, for any size of map and of blocks of tiles.
#[test]
fn winograds_products_of_integers_are_exact() {
    let (n_in, n_out, size) = (16, 32, 41);
    let integers = |name: &str, shape: &[usize], largest: f64| {
        synthetic(name, shape).affine(2.0 * largest, 0.0).unwrap().round().unwrap()
    };
    let x = integers("x", &[3, size, size, n_in], 20.0);
    // Multiples of 4, since G contains halves twice.
    let weight = (integers("w", &[n_out, n_in, 3, 3], 9.0) * 4.0).unwrap();
    let bias = integers("b", &[n_out], 100.0);
    let layer = Convolution::new(&weight, &bias, 1, (1, 1), 1).unwrap();
    let expected = engine(&x, &weight, &bias, 1, (1, 1), 1);
    assert_eq!(difference(&layer.forward(&x).unwrap(), &expected), 0.0);
}
