//! Every layer both ways: packed, and through the engine's operations in f32 and in f64.

use super::*;
use crate::blocks::attention::{NoBias, ScoreBias, SelfAttention, score_stride};
use crate::blocks::maps::MapShape;
use crate::blocks::{
    Activation, Arrangement, AttentionPool, CausalMask, Concatenation, Convolution,
    DepthwiseConvolution, Embedding, InvertedBottleneck, LayerNorm, Linear, Mlp, Pool, Scratch,
    Sequences, SqueezeExcite, TokenEmbedding, Window, neighbours,
};
use candle_core::Device;
use neurogauge_core::synthetic::Synthetic;
use proptest::prelude::*;

const PRECISIONS: [DType; 2] = [DType::F32, DType::F64];
const ACTIVATIONS: [Activation; 6] = [
    Activation::Identity,
    Activation::Relu,
    Activation::Silu,
    Activation::Sigmoid,
    Activation::Gelu,
    Activation::QuickGelu,
];

/// From -1/2 to 1/2.
fn synthetic(name: &str, shape: &[usize]) -> Tensor {
    let n: usize = shape.iter().product();
    let source = Synthetic::new(name, 0);
    let values: Vec<f32> = (0..n as u64).map(|i| source.uniform(i) - 0.5).collect();
    Tensor::from_vec(values, shape, &Device::Cpu).unwrap()
}

fn wide(tensor: &Tensor) -> Tensor {
    tensor.to_dtype(DType::F64).unwrap()
}

fn difference(a: &Tensor, b: &Tensor) -> f32 {
    assert_eq!(a.dims(), b.dims());
    let (a, b) = (host_values(a).unwrap(), host_values(b).unwrap());
    let differences = a.iter().zip(&b).map(|(a, b)| (a - b).abs());
    // What is not a number is infinitely far from everything.
    differences.fold(0.0, |most, x| if x <= most { most } else { x })
}

#[track_caller]
fn assert_close(a: &Tensor, b: &Tensor) {
    let difference = difference(a, b);
    assert!(difference < 1e-5, "{difference:e}");
}

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
        for precision in PRECISIONS {
            let [x, weight, bias, residual] =
                [&x, &weight, &bias, &residual].map(|tensor| tensor.to_dtype(precision).unwrap());
            let layer = TensorConvolution::new(&weight, &bias, window, n_groups).unwrap();
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
        for precision in PRECISIONS {
            let [x, weight, bias] =
                [&x, &weight, &bias].map(|tensor| tensor.to_dtype(precision).unwrap());
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
        // A window lies on the map with one place at least.
        let padding = (padding.0.min(kernel.0 - 1), padding.1.min(kernel.1 - 1));
        let x = synthetic("x", &[n_images, size.0, size.1, 5]);
        let window = Window { ceil, ..window(kernel.0, kernel.1, stride, padding) };
        let packed = [Pool::Max(window), Pool::Average(window), Pool::Adaptive(parts)]
            .map(|pool| x.apply_op1_no_bwd(&pool).unwrap());
        for precision in PRECISIONS {
            let x = x.to_dtype(precision).unwrap();
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
    ) {
        let x = synthetic("x", &[2, n_rows, n_in]);
        let (weight, bias) = (synthetic("weight", &[n_out, n_in]), synthetic("bias", &[n_out]));
        let activation = ACTIVATIONS[activation];
        let linear = Linear::new(&weight, &bias).unwrap().then(activation);
        let residual = synthetic("residual", &[2, n_rows, n_out]);
        let rows = [vec![None, Some(n_rows as u32)], vec![Some(0); 2 * n_rows - 2]].concat();
        let packed = [
            linear.forward(&x).unwrap(),
            linear.forward_residual(&x, &residual).unwrap(),
            linear.forward_picked(&x, &rows).unwrap(),
            linear.forward_picked_residual(&x, &rows, &residual).unwrap(),
        ];
        for precision in PRECISIONS {
            let [x, weight, bias, residual] =
                [&x, &weight, &bias, &residual].map(|tensor| tensor.to_dtype(precision).unwrap());
            let layer = TensorLinear::new(&weight, &bias).unwrap();
            let chosen = picked(&x, &rows).unwrap();
            let plain = [(&x, None), (&x, Some(&residual)), (&chosen, None), (&chosen, Some(&residual))]
                .map(|(x, residual)| layer.forward(x, residual, activation).unwrap());
            for (plain, packed) in plain.iter().zip(&packed) {
                prop_assert!(difference(plain, packed) < 1e-5);
            }
        }
    }
}

#[test]
fn layers_choose_by_where_their_weights_lie() {
    let (weight, bias) = (synthetic("weight", &[4, 3]), synthetic("bias", &[4]));
    let x = synthetic("x", &[5, 3]);
    let packed = Linear::new(&weight, &bias).unwrap();
    let plain = Linear::new(&wide(&weight), &wide(&bias)).unwrap();
    assert!(packed.is_packed() && !plain.is_packed());
    let y = plain.forward(&wide(&x)).unwrap();
    assert_eq!(y.dtype(), DType::F64);
    assert_close(&y, &packed.forward(&x).unwrap());
    // Maps and weights in different places are refused.
    assert!(plain.forward(&x).is_err() && packed.forward(&wide(&x)).is_err());
}

#[test]
fn activations_over_their_range() {
    let x: Vec<f32> = (-400..=400).map(|i| i as f32 / 10.0).collect();
    let x = Tensor::from_vec(x, 801, &Device::Cpu).unwrap();
    for activation in ACTIVATIONS {
        let mut values = host_values(&x).unwrap();
        activation.apply::<false>(&mut values);
        let packed = Tensor::from_vec(values, 801, &Device::Cpu).unwrap();
        for precision in PRECISIONS {
            let y = activate(&x.to_dtype(precision).unwrap(), activation).unwrap();
            let difference = difference(&y, &packed);
            // Of values up to 40.
            assert!(difference < 1e-5, "{activation:?}: {difference:e}");
        }
        let nan = Tensor::new(&[f32::NAN, -f32::NAN], &Device::Cpu).unwrap();
        let nan = host_values(&activate(&nan, activation).unwrap()).unwrap();
        assert!(nan.iter().all(|value| value.is_nan()), "{activation:?}");
    }
}

#[test]
fn what_is_not_a_number_stays_visible_in_pools() {
    for place in 0..9 {
        let mut values = [1.0_f32; 9];
        values[place] = f32::NAN;
        let x = Tensor::from_slice(&values, (1, 3, 3, 1), &Device::Cpu).unwrap();
        let window = Window::square(3, 2, 1);
        let packed = x.apply_op1_no_bwd(&Pool::Max(window)).unwrap();
        let packed = host_values(&packed).unwrap();
        for plain in [largest(&x, window).unwrap(), average(&x, window).unwrap()] {
            let plain = host_values(&plain).unwrap();
            assert!(plain.iter().any(|value| value.is_nan()));
            for (plain, packed) in plain.iter().zip(&packed) {
                assert_eq!(plain.is_nan(), packed.is_nan());
            }
        }
    }
}

#[test]
fn norms() {
    for n in [1, 7, 48] {
        let (weight, bias) = (synthetic("weight", &[n]), synthetic("bias", &[n]));
        let x = (synthetic("x", &[3, 5, n]) * 3.0).unwrap();
        let packed = LayerNorm::new(&weight, &bias, 1e-5).unwrap();
        let packed = packed.forward(&x).unwrap();
        for precision in PRECISIONS {
            let [x, weight, bias] =
                [&x, &weight, &bias].map(|tensor| tensor.to_dtype(precision).unwrap());
            let epsilon = 1e-5;
            let norm = TensorNorm {
                weight,
                bias,
                epsilon,
            };
            assert_close(&norm.forward(&x).unwrap(), &packed);
        }
    }
}

/// A matrix for each of two kinds of sequences and each head, with a place that nobody may look at.
struct Biases {
    n_tokens: usize,
    matrices: Vec<Vec<f32>>,
}

impl Biases {
    fn new(n_tokens: usize, n_heads: usize) -> Self {
        let matrix = |index: usize| {
            let source = Synthetic::new("score-bias", index as u64);
            let values = (0..(n_tokens * score_stride(n_tokens)) as u64).map(|i| source.uniform(i));
            let mut values: Vec<f32> = values.collect();
            values[1] = f32::NEG_INFINITY;
            values
        };
        Biases {
            n_tokens,
            matrices: (0..2 * n_heads).map(matrix).collect(),
        }
    }
}

impl ScoreBias for Biases {
    fn kind(&self, sequence: usize) -> usize {
        // Not in order.
        [1, 0, 1, 1, 0][sequence]
    }

    fn of(&self, kind: usize, head: usize) -> Option<&[f32]> {
        let n_heads = self.matrices.len() / 2;
        let matrix = self.matrices.get(kind * n_heads + head)?;
        assert_eq!(matrix.len(), self.n_tokens * score_stride(self.n_tokens));
        Some(matrix)
    }
}

/// Self-attention of this width, packed and wide.
fn attentions(width: usize, n_heads: usize) -> [SelfAttention; 2] {
    let tensors = ["q", "k", "v", "o"].map(|name| {
        let weight = (synthetic(name, &[width, width]) * 2.0).unwrap();
        (weight, synthetic(&format!("{name}.bias"), &[width]))
    });
    let build = |[query, key, value, output]: [(Tensor, Tensor); 4]| {
        let output = Linear::new(&output.0, &output.1).unwrap();
        SelfAttention::new([query, key, value], output, n_heads).unwrap()
    };
    let wides = tensors
        .clone()
        .map(|(weight, bias)| (wide(&weight), wide(&bias)));
    [build(tensors), build(wides)]
}

#[test]
fn attention_within_sequences() {
    let [packed, plain] = attentions(12, 3);
    let equal = Sequences::new([7; 5]);
    let mixed = Sequences::new([3, 3, 1, 17, 17, 17, 2]);
    let (biases, causal) = (Biases::new(7, 3), CausalMask::new(&mixed));
    let cases: [(&Sequences, &dyn ScoreBias); 4] = [
        (&equal, &NoBias),
        (&mixed, &NoBias),
        (&equal, &biases),
        (&mixed, &causal),
    ];
    for (sequences, bias) in cases {
        let n_rows = sequences.rows().last().unwrap().end;
        let (x, residual) = (
            synthetic("x", &[n_rows, 12]),
            synthetic("residual", &[n_rows, 12]),
        );
        let expected = packed.forward_residual(&x, sequences, bias, &residual);
        let y = plain.forward_residual(&wide(&x), sequences, bias, &wide(&residual));
        assert_close(&y.unwrap(), &expected.unwrap());
        // The core in f32.
        let projected = (synthetic("projected", &[n_rows, 36]) * 4.0).unwrap();
        let narrow = attend_sequences(&projected, sequences, 3, bias).unwrap();
        let wide = attend_sequences(&wide(&projected), sequences, 3, bias).unwrap();
        assert_close(&narrow, &wide);
    }
}

#[test]
fn attention_within_arrangements() {
    let [packed, plain] = attentions(12, 2);
    // Two images of 2 x 2 places and two windows of three tokens for each, of which some are nothing.
    let rows: Vec<Option<u32>> = [Some(2), Some(0), None, Some(1), Some(3), None]
        .into_iter()
        .chain([Some(7), Some(6), Some(5), None, None, Some(4)])
        .collect();
    let arrangement = Arrangement::new(Sequences::new([3; 4]), rows, 8);
    let x = synthetic("x", &[2, 2, 2, 12]);
    let residual = synthetic("residual", &[2, 2, 2, 12]);
    let biases = Biases::new(3, 2);
    for bias in [&NoBias as &dyn ScoreBias, &biases] {
        let expected = packed.forward_arranged_residual(&x, &arrangement, bias, &residual);
        let (x, residual) = (wide(&x), wide(&residual));
        let y = plain.forward_arranged_residual(&x, &arrangement, bias, &residual);
        assert_close(&y.unwrap(), &expected.unwrap());
    }
}

#[test]
fn attention_pools() {
    let tensors = ["q", "k", "v", "o"].map(|name| {
        let weight = synthetic(name, &[12, 12]);
        (weight, synthetic(&format!("{name}.bias"), &[12]))
    });
    let build = |[query, key, value, output]: [(Tensor, Tensor); 4]| {
        let output = Linear::new(&output.0, &output.1).unwrap();
        AttentionPool::new([query, key, value], output, 3).unwrap()
    };
    let wides = tensors
        .clone()
        .map(|(weight, bias)| (wide(&weight), wide(&bias)));
    let x = synthetic("x", &[2, 5, 12]);
    let y = build(wides).forward(&wide(&x)).unwrap();
    assert_close(&y, &build(tensors).forward(&x).unwrap());
}

#[test]
fn perceptrons_with_and_without_a_norm() {
    let (n, n_inner) = (6, 20);
    let names = [
        ("a", vec![n_inner, n]),
        ("a.bias", vec![n_inner]),
        ("b", vec![n, n_inner]),
        ("b.bias", vec![n]),
        ("norm", vec![n]),
        ("norm.bias", vec![n]),
    ];
    let tensors = names.map(|(name, shape)| synthetic(name, &shape));
    let build = |tensors: &[Tensor; 6], activation, normed: bool| {
        let [a, a_bias, b, b_bias, norm, norm_bias] = tensors;
        let (expand, contract) = (Linear::new(a, a_bias), Linear::new(b, b_bias));
        let mlp = Mlp::new(expand.unwrap(), activation, contract.unwrap());
        if normed {
            mlp.after(LayerNorm::new(norm, norm_bias, 1e-6).unwrap())
        } else {
            mlp
        }
    };
    let wides = tensors.each_ref().map(wide);
    let (x, residual) = (
        synthetic("x", &[2, 9, n]),
        synthetic("residual", &[2, 9, n]),
    );
    for (activation, normed) in [
        (Activation::Gelu, false),
        (Activation::Gelu, true),
        (Activation::QuickGelu, true),
    ] {
        let expected = build(&tensors, activation, normed).forward_residual(&x, &residual);
        let plain = build(&wides, activation, normed);
        let y = plain.forward_residual(&wide(&x), &wide(&residual));
        assert_close(&y.unwrap(), &expected.unwrap());
    }
}

#[test]
fn inverted_bottlenecks() {
    for (stride, expands) in [(1, true), (2, true), (1, false), (2, false)] {
        let (n, n_inner) = (6, if expands { 14 } else { 6 });
        let build = |to: fn(&Tensor) -> Tensor| {
            let tensor = |name: &str, shape: &[usize]| to(&synthetic(name, shape));
            let point = |name: &str, n_out: usize, n_in: usize| {
                let weight = tensor(name, &[n_out, n_in, 1, 1]);
                Convolution::new(&weight, &tensor("b", &[n_out]), 1, (0, 0), 1).unwrap()
            };
            let linear = |name: &str, n_out: usize, n_in: usize, activation| {
                let linear = Linear::new(&tensor(name, &[n_out, n_in]), &tensor("c", &[n_out]));
                linear.unwrap().then(activation)
            };
            let depthwise = DepthwiseConvolution::new(
                &tensor("depthwise", &[n_inner, 1, 5, 5]),
                &tensor("b", &[n_inner]),
                stride,
                2,
                Activation::Silu,
            );
            InvertedBottleneck::new(
                expands.then(|| point("expand", n_inner, n).then(Activation::Silu)),
                depthwise.unwrap(),
                SqueezeExcite::new(
                    linear("squeeze", 3, n_inner, Activation::Silu),
                    linear("excite", n_inner, 3, Activation::Sigmoid),
                ),
                point("project", n, n_inner),
                stride == 1,
            )
            .unwrap()
        };
        let x = synthetic("x", &[2, 7, 9, n]);
        let mut scratch = Scratch::default();
        let expected = build(Tensor::clone).forward(&x, &mut scratch).unwrap();
        let y = build(wide).forward(&wide(&x), &mut scratch).unwrap();
        assert_close(&y, &expected);
    }
}

#[test]
fn tokens_embeddings_and_neighbours() {
    let (maps, positions) = (synthetic("x", &[2, 2, 3, 5]), synthetic("p", &[7, 5]));
    let class_token = synthetic("class", &[1, 1, 5]);
    let both = |to: fn(&Tensor) -> Tensor| {
        let (class_token, positions, maps) = (to(&class_token), to(&positions), to(&maps));
        let tokens = [
            TokenEmbedding::with_class_token(&class_token, &positions).unwrap(),
            TokenEmbedding::with_mean_token(&positions, 5).unwrap(),
        ];
        assert!(
            tokens[0]
                .forward(&maps.narrow(1, 0, 1).unwrap().contiguous().unwrap())
                .is_err()
        );
        let rows = Embedding::new(positions).forward(&[3, 0, 3]).unwrap();
        let [class, mean] = tokens.map(|tokens| tokens.forward(&maps).unwrap());
        [class, mean, rows, neighbours(&maps).unwrap()]
    };
    for (plain, packed) in both(wide).iter().zip(&both(Tensor::clone)) {
        assert_eq!(plain.dtype(), DType::F64);
        assert_close(plain, packed);
    }
}

#[test]
fn concatenations() {
    let x = synthetic("x", &[2, 5, 6, 4]);
    let whole = |to: fn(&Tensor) -> Tensor| {
        let weight = to(&synthetic("weight", &[7, 4, 3, 3]));
        let bias = to(&synthetic("bias", &[7]));
        let layer = Convolution::new(&weight, &bias, 1, (1, 1), 1).unwrap();
        let mut whole = Concatenation::new(11);
        whole.push(&layer, &to(&x)).unwrap();
        whole
            .push(&Pool::Max(Window::square(3, 1, 1)), &to(&x))
            .unwrap();
        assert!(whole.push(&layer, &to(&x)).is_err());
        let mut whole = Concatenation::new(11);
        whole.push(&layer, &to(&x)).unwrap();
        whole
            .push(&Pool::Max(Window::square(3, 1, 1)), &to(&x))
            .unwrap();
        whole.finish().unwrap()
    };
    let plain = whole(wide);
    assert_eq!(
        plain.dims4().unwrap(),
        MapShape {
            n_images: 2,
            height: 5,
            width: 6,
            n_channels: 11
        }
        .dims()
    );
    assert_close(&plain, &whole(Tensor::clone));
}
