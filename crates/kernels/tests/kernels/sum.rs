//! Sums of tensors, against the engine's on the same values.

use crate::made::noise;
use candle_core::{DType, Tensor};
use neurogauge_kernels::blocks::{host_values, sum};

#[test]
fn sums_have_the_bits_of_the_engine() {
    let x = noise("x", &[3, 4, 5]);
    for shape in [&[3, 4, 5][..], &[4, 5], &[1, 4, 5], &[1, 1, 5], &[1, 5], &[5], &[1]] {
        let y = noise("y", shape);
        let engine = host_values(&x.broadcast_add(&y).unwrap());
        let found = sum(&x, &y).unwrap();
        assert_eq!(found.dims(), x.dims());
        assert_eq!(host_values(&found).unwrap(), engine.unwrap(), "{shape:?}");
    }
    // Values that do not lie in order, and another type.
    let turned = noise("y", &[3, 5, 4]).transpose(1, 2).unwrap();
    let engine = (&x + &turned).unwrap();
    assert_eq!(host_values(&sum(&x, &turned).unwrap()).unwrap(), host_values(&engine).unwrap());
    let wide = |x: &Tensor| x.to_dtype(DType::F64).unwrap();
    assert_eq!(host_values(&sum(&wide(&x), &wide(&turned)).unwrap()).unwrap(), host_values(&engine).unwrap());
}

#[test]
fn other_shapes_are_refused() {
    let x = noise("x", &[3, 4, 5]);
    for shape in [&[3, 4][..], &[3, 1, 5], &[4, 1], &[2, 3, 4, 5], &[4]] {
        assert!(sum(&x, &noise("y", shape)).is_err(), "{shape:?}");
    }
}
