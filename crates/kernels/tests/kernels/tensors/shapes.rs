//! Tests of layers of all shapes.

use super::*;
use proptest::prelude::*;

fn window(height: usize, width: usize, stride: usize, padding: (usize, usize)) -> Window {
    Window {
        height,
        width,
        stride,
        padding,
        ceil: false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn convolutions(
        n_images in 1_usize..3,
        size in (5_usize..12, 5_usize..12),
        kernel in (1_usize..5, 1_usize..5),
        stride in 1_usize..4,
        padding in (0_usize..3, 0_usize..3),
        channels in (1_usize..5, 1_usize..20),
        n_groups in 1_usize..4,
        activation in 0_usize..6,
    ) {
        let (n_in, n_out) = (channels.0 * n_groups, channels.1 * n_groups);
        let x = synthetic("x", &[n_images, size.0, size.1, n_in]);
        let weight = synthetic("weight", &[n_out, channels.0, kernel.0, kernel.1]);
        let bias = synthetic("bias", &[n_out]);
        let activation = ACTIVATIONS[activation];
        let packed = Convolution::new(&weight, &bias, stride, padding, n_groups).unwrap();
        let packed = packed.then(activation);
        let plain = packed.forward(&x).unwrap();
        let residual = synthetic("residual", plain.dims());
        let added = packed.forward_residual(&x, &residual).unwrap();
        let window = window(kernel.0, kernel.1, stride, padding);
        for setting in SETTINGS.iter() {
            let [x, weight, bias, residual] =
                [&x, &weight, &bias, &residual].map(|tensor| setting.brings(tensor));
            let layer = TensorConvolution::new(&weight, &bias, window, n_groups, Products::F32).unwrap();
            let run = |residual| layer.forward(&x, window, residual, activation).unwrap();
            prop_assert!(difference(&run(None), &plain) < 1e-5);
            prop_assert!(difference(&run(Some(&residual)), &added) < 1e-5);
        }
    }

    #[test]
    fn depthwise_convolutions(
        n_images in 1_usize..3,
        size in (5_usize..12, 5_usize..12),
        kernel in (1_usize..6, 1_usize..6),
        stride in 1_usize..4,
        padding in 0_usize..4,
        n_channels in 1_usize..40,
        activation in 0_usize..6,
    ) {
        let x = synthetic("x", &[n_images, size.0, size.1, n_channels]);
        let weight = synthetic("weight", &[n_channels, 1, kernel.0, kernel.1]);
        let bias = synthetic("bias", &[n_channels]);
        let activation = ACTIVATIONS[activation];
        let packed = DepthwiseConvolution::new(&weight, &bias, stride, padding, activation);
        let packed = packed.unwrap().forward(&x).unwrap();
        let window = window(kernel.0, kernel.1, stride, (padding, padding));
        for setting in SETTINGS.iter() {
            let [x, weight, bias] =
                [&x, &weight, &bias].map(|tensor| setting.brings(tensor));
            let layer = TensorDepthwise::new(&weight, &bias).unwrap();
            let y = layer.forward(&x, window, activation).unwrap();
            prop_assert!(difference(&y, &packed) < 1e-5);
        }
    }

    #[test]
    fn pools(
        n_images in 1_usize..3,
        size in (3_usize..12, 3_usize..12),
        kernel in (1_usize..4, 1_usize..4),
        stride in 1_usize..4,
        padding in (0_usize..2, 0_usize..2),
        ceil in any::<bool>(),
        parts in 1_usize..8,
    ) {
        // A window covers at least one position of the map.
        let padding = (padding.0.min(kernel.0 - 1), padding.1.min(kernel.1 - 1));
        let x = synthetic("x", &[n_images, size.0, size.1, 5]);
        let window = Window { ceil, ..window(kernel.0, kernel.1, stride, padding) };
        let packed = [max_pool(&x, window), average_pool(&x, window), adaptive_average_pool(&x, parts)]
            .map(Result::unwrap);
        for setting in SETTINGS.iter() {
            let x = setting.brings(&x);
            let plain = [largest(&x, window), average(&x, window), adaptive_average(&x, parts)];
            for (plain, packed) in plain.into_iter().zip(&packed) {
                prop_assert!(difference(&plain.unwrap(), packed) < 1e-5);
            }
        }
    }

    #[test]
    fn affine_maps(
        n_rows in 1_usize..9,
        n_in in 1_usize..20,
        n_out in 1_usize..40,
        activation in 0_usize..6,
        of_bf16 in any::<bool>(),
    ) {
        let x = synthetic("x", &[2, n_rows, n_in]);
        let (weight, bias) = (synthetic("weight", &[n_out, n_in]), synthetic("bias", &[n_out]));
        let activation = ACTIVATIONS[activation];
        let products = if of_bf16 { Products::Bf16 } else { Products::F32 };
        let linear = products.arranging(|| Linear::new(&weight, &bias)).unwrap().then(activation);
        let residual = synthetic("residual", &[2, n_rows, n_out]);
        let rows = [vec![None, Some(n_rows as u32)], vec![Some(0); 2 * n_rows - 2]].concat();
        let packed = [
            linear.forward(&x).unwrap(),
            linear.forward_residual(&x, &residual).unwrap(),
            linear.forward_picked(&x, &rows).unwrap(),
            linear.forward_picked_residual(&x, &rows, &residual).unwrap(),
        ];
        for setting in SETTINGS.iter() {
            let [x, weight, bias, residual] =
                [&x, &weight, &bias, &residual].map(|tensor| setting.brings(tensor));
            let layer = TensorLinear::new(&weight, &bias, products).unwrap();
            let chosen = picked(&x, &rows).unwrap();
            let plain = [(&x, None), (&x, Some(&residual)), (&chosen, None), (&chosen, Some(&residual))]
                .map(|(x, residual)| layer.forward(x, residual, activation).unwrap());
            for (plain, packed) in plain.iter().zip(&packed) {
                prop_assert!(difference(plain, packed) < 1e-5);
            }
        }
    }
}

/// Factors of the output are the same as on the CPU, whether the weights are exact in bf16 or not.
#[test]
fn scaled_maps_that_multiply_in_bf16() {
    let (x, bias) = (synthetic("x", &[7, 24]), synthetic("bias", &[33]));
    let factors = (synthetic("factors", &[33]) + 1.0).unwrap();
    let residual = synthetic("residual", &[7, 33]);
    let rough = synthetic("weight", &[33, 24]);
    let exact = rough.to_dtype(DType::BF16).unwrap();
    for weight in [rough, exact.to_dtype(DType::F32).unwrap()] {
        assert_alike(|to| {
            let made = Products::Bf16.arranging(|| Linear::scaled(&to(&weight), &to(&bias), &to(&factors)));
            let layer = made.unwrap().then(Activation::Relu);
            let is_packed = layer.is_packed();
            assert_eq!(is_packed, to(&x).dtype() == DType::F32 && to(&x).device().is_cpu());
            layer.forward_residual(&to(&x), &to(&residual)).unwrap()
        });
    }
}

/// Convolutions of single pixels multiply like affine maps, with any stride; the factors of others are not rounded.
#[test]
fn convolutions_that_multiply_in_bf16() {
    let x = synthetic("x", &[2, 5, 8, 24]);
    let bias = synthetic("bias", &[33]);
    for (size, stride) in [(1, 1), (1, 2), (1, 3), (3, 1), (2, 2)] {
        let weight = synthetic("weight", &[33, 24, size, size]);
        let made = |products: Products, weight: &Tensor, bias: &Tensor| {
            let made = products.arranging(|| Convolution::new(weight, bias, stride, (0, 0), 1));
            made.unwrap().then(Activation::Relu)
        };
        let plain = made(Products::F32, &weight, &bias).forward(&x).unwrap();
        let residual = synthetic("residual", plain.dims());
        let packed = made(Products::Bf16, &weight, &bias);
        let device = made(Products::Bf16, &elsewhere(&weight), &elsewhere(&bias));
        assert!(packed.is_packed() && !device.is_packed());
        let rounded = packed.forward(&x).unwrap();
        assert_close(&device.forward(&elsewhere(&x)).unwrap(), &rounded);
        let added = device.forward_residual(&elsewhere(&x), &elsewhere(&residual)).unwrap();
        assert_close(&added, &packed.forward_residual(&x, &residual).unwrap());
        let change = difference(&plain, &rounded);
        assert!(if size == 1 { change > 1e-4 } else { change == 0.0 }, "{change:e}");
    }
}
