//! Tests of `blocks::group_norm`.

use candle_core::{Device, Result, Tensor};
use neurogauge_kernels::blocks::*;

/// Two positions, two groups of two channels: (1, 3, 5, 7) and (10, 10, 10, 20).
#[test]
fn groups_are_normalised_over_all_places() -> Result<()> {
    let cpu = &Device::Cpu;
    let norm = GroupNorm::new(
        &Tensor::new(&[1_f32, 1.0, 1.0, 2.0], cpu)?,
        &Tensor::new(&[0_f32, 0.0, 0.0, 1.0], cpu)?,
        2,
        0.0,
    )?;
    let x = Tensor::new(&[1_f32, 3.0, 10.0, 10.0, 5.0, 7.0, 10.0, 20.0], cpu)?;
    let y = norm.forward(&x.reshape((1, 1, 2, 4))?)?;
    let (a, b) = (5_f32.sqrt(), 18.75_f32.sqrt());
    let expected =
        [-3.0 / a, -1.0 / a, -2.5 / b, -2.0 * 2.5 / b + 1.0, 1.0 / a, 3.0 / a, -2.5 / b, 2.0 * 7.5 / b + 1.0];
    for (value, expected) in y.flatten_all()?.to_vec1::<f32>()?.iter().zip(expected) {
        assert!((value - expected).abs() < 1e-6, "{value} {expected}");
    }
    assert!(GroupNorm::new(&Tensor::new(&[1_f32; 3], cpu)?, &x, 2, 0.0).is_err());
    Ok(())
}
