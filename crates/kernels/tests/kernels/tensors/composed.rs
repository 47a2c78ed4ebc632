//! Tests of layers that consist of others, and of layers without weights.

use super::*;

#[test]
fn what_is_not_a_number_stays_visible_in_pools() {
    for place in 0..9 {
        let mut values = [1.0_f32; 9];
        values[place] = f32::NAN;
        let x = Tensor::from_slice(&values, (1, 3, 3, 1), &Device::Cpu).unwrap();
        let window = Window::square(3, 2, 1);
        let packed = max_pool(&x, window).unwrap();
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
fn perceptrons_with_and_without_a_norm() {
    let (n, n_inner) = (6, 20);
    for (activation, normed) in [(Activation::Gelu, false), (Activation::Gelu, true), (Activation::QuickGelu, true)] {
        assert_alike(|to| {
            let tensor = |name: &str, shape: &[usize]| to(&synthetic(name, shape));
            let expand = Linear::new(&tensor("a", &[n_inner, n]), &tensor("a.bias", &[n_inner]));
            let contract = Linear::new(&tensor("b", &[n, n_inner]), &tensor("b.bias", &[n]));
            let mut mlp = Mlp::new(expand.unwrap(), activation, contract.unwrap());
            if normed {
                mlp = mlp.after(LayerNorm::new(&tensor("norm", &[n]), &tensor("norm.bias", &[n]), 1e-6).unwrap());
            }
            mlp.forward_residual(&tensor("x", &[2, 9, n]), &tensor("residual", &[2, 9, n])).unwrap()
        });
    }
}

#[test]
fn inverted_bottlenecks() {
    for (stride, expands) in [(1, true), (2, true), (1, false), (2, false)] {
        let (n, n_inner) = (6, if expands { 14 } else { 6 });
        assert_alike(|to| {
            let tensor = |name: &str, shape: &[usize]| to(&synthetic(name, shape));
            let point = |name: &str, n_out: usize, n_in: usize| {
                let weight = tensor(name, &[n_out, n_in, 1, 1]);
                Convolution::new(&weight, &tensor("b", &[n_out]), 1, (0, 0), 1).unwrap()
            };
            let linear = |name: &str, n_out: usize, n_in: usize, activation| {
                Linear::new(&tensor(name, &[n_out, n_in]), &tensor("c", &[n_out])).unwrap().then(activation)
            };
            let depthwise = DepthwiseConvolution::new(
                &tensor("depthwise", &[n_inner, 1, 5, 5]),
                &tensor("b", &[n_inner]),
                stride,
                2,
                Activation::Silu,
            );
            let block = InvertedBottleneck::new(
                expands.then(|| point("expand", n_inner, n).then(Activation::Silu)),
                depthwise.unwrap(),
                SqueezeExcite::new(
                    linear("squeeze", 3, n_inner, Activation::Silu),
                    linear("excite", n_inner, 3, Activation::Sigmoid),
                ),
                point("project", n, n_inner),
                stride == 1,
            );
            block.unwrap().forward(&tensor("x", &[2, 7, 9, n]), &mut Scratch::default()).unwrap()
        });
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
        assert!(tokens[0].forward(&maps.narrow(1, 0, 1).unwrap().contiguous().unwrap()).is_err());
        let rows = Embedding::new(positions).forward(&[3, 0, 3]).unwrap();
        let [class, mean] = tokens.map(|tokens| tokens.forward(&maps).unwrap());
        [class, mean, rows, neighbours(&maps).unwrap()]
    };
    for (plain, packed) in both(elsewhere).iter().zip(&both(Tensor::clone)) {
        assert_eq!(plain.dtype(), SETTINGS.last().unwrap().1);
        assert_close(plain, packed);
    }
}

#[test]
fn concatenations() {
    assert_alike(|to| {
        let tensor = |name: &str, shape: &[usize]| to(&synthetic(name, shape));
        let layer = Convolution::new(&tensor("weight", &[7, 4, 3, 3]), &tensor("bias", &[7]), 1, (1, 1), 1).unwrap();
        let x = tensor("x", &[2, 5, 6, 4]);
        let both = || {
            let mut whole = Concatenation::new(11);
            whole.push(&layer, &x).unwrap();
            whole.push(&Pool::Max(Window::square(3, 1, 1)), &x).unwrap();
            whole
        };
        assert!(both().push(&layer, &x).is_err());
        let whole = both().finish().unwrap();
        assert_eq!(whole.dims(), [2, 5, 6, 11]);
        whole
    });
}
