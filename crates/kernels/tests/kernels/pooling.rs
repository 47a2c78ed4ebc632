//! Tests of `blocks::pooling`.

use candle_core::{Device, Tensor};
use neurogauge_kernels::blocks::*;

/// The values 1 to 25, in one channel.
fn square() -> Tensor {
    let values: Vec<f32> = (1..=25).map(|value| value as f32).collect();
    Tensor::from_vec(values, (1, 5, 5, 1), &Device::Cpu).unwrap()
}

fn flat(pooled: &Tensor) -> Vec<f32> {
    pooled.flatten_all().unwrap().to_vec1().unwrap()
}

/// Expected values are those of torch.nn.functional.
#[test]
fn windows_at_the_edge_are_those_of_the_reference() {
    let max = |window| flat(&max_pool(&square(), window).unwrap());
    assert_eq!(max(Window::square(3, 2, 1)), [7.0, 9.0, 10.0, 17.0, 19.0, 20.0, 22.0, 24.0, 25.0]);
    assert_eq!(max(Window::square(2, 2, 0)), [7.0, 9.0, 17.0, 19.0]);
    let ceil = Window {
        ceil: true,
        ..Window::square(2, 2, 0)
    };
    assert_eq!(max(ceil), [7.0, 9.0, 10.0, 17.0, 19.0, 20.0, 22.0, 24.0, 25.0]);
    let mean = flat(&average_pool(&square(), Window::square(3, 1, 1)).unwrap());
    assert_eq!(mean[0], (1.0 + 2.0 + 6.0 + 7.0) / 9.0);
    assert_eq!(mean[6], 7.0);
}

#[test]
fn adaptive_parts_overlap_where_they_must() {
    let halves = flat(&adaptive_average_pool(&square(), 2).unwrap());
    assert_eq!(halves, [7.0, 9.0, 17.0, 19.0]);
    let whole = global_average_pool(&square()).unwrap();
    assert_eq!(whole.to_vec2::<f32>().unwrap(), [[13.0]]);
}

#[test]
fn not_a_number_stays_one() {
    for place in 0..4 {
        let mut values = [1.0, 2.0, 3.0, 4.0];
        values[place] = f32::NAN;
        let x = Tensor::from_slice(&values, (1, 2, 2, 1), &Device::Cpu).unwrap();
        assert!(flat(&max_pool(&x, Window::square(2, 2, 0)).unwrap())[0].is_nan());
    }
}
