//! Weights before they are arranged, against the engine's own operations on the same values in f64.

use candle_core::{DType, Device, Tensor};
use neurogauge_core::synthetic::parameter;
use neurogauge_kernels::blocks::{add_product, host_values, round_to_bf16, round_to_f16, scaled_rows, transposed};

fn made(name: &str, shape: &[usize]) -> Tensor {
    Tensor::from_vec(parameter(name, shape, 0), shape, &Device::Cpu).unwrap()
}

#[test]
fn rows_are_transposed_and_scaled_as_by_the_engine() {
    let (x, factors) = (made("x", &[3, 4, 5]), made("factors", &[3]));
    let engine = x.permute((0, 2, 1)).unwrap();
    let found = transposed(&x).unwrap();
    assert_eq!(found.dims(), [3, 5, 4]);
    assert_eq!(host_values(&found).unwrap(), host_values(&engine).unwrap());
    // The same of values that do not lie in order.
    let again = transposed(&engine).unwrap();
    assert_eq!(host_values(&again).unwrap(), host_values(&x).unwrap());
    let engine = x.broadcast_mul(&factors.reshape((3, 1, 1)).unwrap()).unwrap();
    assert_eq!(host_values(&scaled_rows(&x, &factors).unwrap()).unwrap(), host_values(&engine).unwrap());
    let wide = |x: &Tensor| x.to_dtype(DType::F64).unwrap();
    let scaled = scaled_rows(&wide(&x), &wide(&factors)).unwrap();
    assert_eq!(host_values(&scaled).unwrap(), host_values(&engine).unwrap());
    assert_eq!(transposed(&wide(&x)).unwrap().dims(), [3, 5, 4]);
    assert!(scaled_rows(&x, &made("four", &[4])).is_err());
}

#[test]
fn a_product_is_added_and_scaled() {
    // 2 [1 2; 3 4] [10 0 1; 0 10 1] = [20 40 6; 60 80 14].
    let mut matrix = [1.0, 0.0, 0.0, 0.0, 0.0, -1.0];
    add_product(&mut matrix, &[1.0, 2.0, 3.0, 4.0], &[10.0, 0.0, 1.0, 0.0, 10.0, 1.0], 2, 2.0);
    assert_eq!(matrix, [21.0, 40.0, 6.0, 60.0, 80.0, 13.0]);
}

/// Between 1 and the next numbers 1 + 2^-7 and 1 + 2^-10 lies a tie, which goes to 1.
#[test]
fn values_are_rounded_or_refused() {
    let mut values = [1.0 + 0.5 / 128.0, f32::INFINITY];
    assert_eq!((round_to_bf16(&mut values), values), (Ok(()), [1.0, f32::INFINITY]));
    let mut values = [1.0 + 0.5 / 1024.0, 65_520.0];
    assert_eq!((round_to_f16(&mut values), values[0]), (Err(65_520.0), 1.0));
}
