//! Tests of `blocks::neighbours`.

use candle_core::{Device, Result, Tensor};
use neurogauge_kernels::blocks::*;

#[test]
fn columns_come_after_rows_and_what_is_not_there_is_zero() -> Result<()> {
    let x: Vec<f32> = (1..=9).map(|value| value as f32).collect();
    let x = Tensor::from_vec(x, (1, 3, 3, 1), &Device::Cpu)?;
    let y = neighbours(&x)?;
    assert_eq!(y.dims(), [1, 2, 2, 4]);
    assert_eq!(
        y.reshape((4, 4))?.to_vec2::<f32>()?,
        [[1.0, 4.0, 2.0, 5.0], [3.0, 6.0, 0.0, 0.0], [7.0, 0.0, 8.0, 0.0], [9.0, 0.0, 0.0, 0.0],]
    );
    Ok(())
}
