//! Tests of `blocks::layer_norm`.

use candle_core::{Device, Result, Tensor};
use neurogauge_kernels::blocks::*;

#[test]
fn rows_are_normalised_scaled_and_shifted() -> Result<()> {
    let cpu = &Device::Cpu;
    let norm = LayerNorm::new(&Tensor::new(&[1_f32, 1.0, 2.0], cpu)?, &Tensor::new(&[0_f32, 0.0, 10.0], cpu)?, 0.0)?;
    let y = norm.forward(&Tensor::new(&[[1_f32, 2.0, 3.0]], cpu)?)?;
    let deviation = 1.5_f32.sqrt();
    for (value, expected) in y.to_vec2::<f32>()?[0].iter().zip([-deviation, 0.0, 2.0 * deviation + 10.0]) {
        assert!((value - expected).abs() < 1e-6, "{value} {expected}");
    }
    let norm = norm.then(Activation::Relu);
    let y = norm.forward(&Tensor::new(&[[1_f32, 2.0, 3.0]], cpu)?)?;
    assert_eq!(y.to_vec2::<f32>()?[0][..2], [0.0, 0.0]);
    assert!(y.to_vec2::<f32>()?[0][2] > 10.0);
    Ok(())
}
