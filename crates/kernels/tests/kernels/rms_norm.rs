//! Tests of `blocks::rms_norm`.

use candle_core::{DType, Device, Result, Tensor};
use neurogauge_kernels::blocks::*;

#[test]
fn rows_are_divided_by_their_root_mean_square_and_scaled() -> Result<()> {
    let cpu = &Device::Cpu;
    let weight = Tensor::new(&[1_f32, 2.0], cpu)?;
    let x = Tensor::new(&[[3_f32, -4.0], [0.0, 0.0]], cpu)?;
    // (9 + 16) / 2 plus 3.5 is 16.
    let norm = RmsNorm::new(&weight, 3.5)?;
    assert_eq!(norm.forward(&x)?.to_vec2::<f32>()?, [[0.75, -2.0], [0.0, 0.0]]);
    let wide = RmsNorm::new(&weight.to_dtype(DType::F64)?, 3.5)?;
    let y = wide.forward(&x.to_dtype(DType::F64)?)?;
    assert_eq!(y.to_vec2::<f64>()?, [[0.75, -2.0], [0.0, 0.0]]);
    assert!(norm.forward(&Tensor::new(&[[1_f32]], cpu)?).is_err());
    Ok(())
}
