//! Tests of `blocks::concatenation`.

use candle_core::{Device, Tensor};
use neurogauge_core::synthetic::Synthetic;
use neurogauge_kernels::blocks::*;

fn synthetic(name: &str, shape: &[usize]) -> Tensor {
    let n: usize = shape.iter().product();
    let source = Synthetic::new(name, 0);
    let values: Vec<f32> = (0..n as u64).map(|i| source.uniform(i) - 0.5).collect();
    Tensor::from_vec(values, shape, &Device::Cpu).unwrap()
}

fn convolution(n_out: usize, size: usize, n_groups: usize) -> Convolution {
    let weight = synthetic("weight", &[n_out, 4 / n_groups, size, size]);
    let bias = synthetic("bias", &[n_out]);
    Convolution::new(&weight, &bias, 1, (size / 2, size / 2), n_groups).unwrap().then(Activation::Relu)
}

#[test]
fn the_parts_are_the_layers_outputs() {
    let x = synthetic("x", &[2, 5, 6, 4]);
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
    let x = synthetic("x", &[1, 5, 6, 4]);
    let mut whole = Concatenation::new(50);
    whole.push(&convolution(40, 1, 1), &x).unwrap();
    let refused = |error: candle_core::Error| error.to_string();
    let error = whole.push(&Pool::Max(Window::square(3, 2, 0)), &x);
    assert!(refused(error.unwrap_err()).contains("beside maps of"));
    let mut whole = Concatenation::new(50);
    whole.push(&convolution(40, 1, 1), &x).unwrap();
    let error = whole.push(&convolution(40, 1, 1), &x);
    assert!(refused(error.unwrap_err()).contains("80 channels where 50 were announced"));
    let mut whole = Concatenation::new(50);
    whole.push(&convolution(40, 1, 1), &x).unwrap();
    assert!(refused(whole.finish().unwrap_err()).contains("40 channels where 50"));
}
