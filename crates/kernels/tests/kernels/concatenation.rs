//! Tests of `blocks::concatenation`.

use crate::made::noise;
use candle_core::Tensor;
use neurogauge_kernels::blocks::*;

fn convolution(n_out: usize, size: usize, n_groups: usize) -> Convolution {
    let weight = noise("weight", &[n_out, 4 / n_groups, size, size]);
    let bias = noise("bias", &[n_out]);
    Convolution::new(&weight, &bias, 1, (size / 2, size / 2), n_groups).unwrap().then(Activation::Relu)
}

#[test]
fn the_parts_are_the_layers_outputs() {
    let x = noise("x", &[2, 5, 6, 4]);
    let layers = [convolution(40, 1, 1), convolution(7, 3, 1), convolution(6, 3, 2)];
    let window = Window::square(3, 1, 1);
    let mut whole = Concatenation::new(40 + 7 + 6 + 4);
    let mut parts = Vec::new();
    for layer in &layers {
        whole.push(layer, &x).unwrap();
        parts.push(layer.forward(&x).unwrap());
    }
    whole.push(&Pool::Max(window), &x).unwrap();
    parts.push(max_pool(&x, window).unwrap());
    let flat = |x: Tensor| x.flatten_all().unwrap().to_vec1::<f32>().unwrap();
    assert_eq!(flat(whole.finish().unwrap()), flat(Tensor::cat(&parts, 3).unwrap()));
}

#[test]
fn parts_that_do_not_fit_are_refused() {
    let x = noise("x", &[1, 5, 6, 4]);
    let begun = || {
        let mut whole = Concatenation::new(50);
        whole.push(&convolution(40, 1, 1), &x).unwrap();
        whole
    };
    for (error, words) in [
        (begun().push(&Pool::Max(Window::square(3, 2, 0)), &x).unwrap_err(), "beside maps of"),
        (begun().push(&convolution(40, 1, 1), &x).unwrap_err(), "80 channels where 50 were announced"),
        (begun().finish().unwrap_err(), "40 channels where 50"),
    ] {
        assert!(error.to_string().contains(words), "{error}");
    }
}
