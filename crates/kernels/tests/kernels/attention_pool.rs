//! Tests of `blocks::attention_pool`.

use candle_core::{DType, Device, Result, Tensor};
use neurogauge_kernels::blocks::*;

#[test]
fn the_first_token_weighs_the_values_of_its_own_image() -> Result<()> {
    let cpu = &Device::Cpu;
    let eye = Tensor::new(&[[1_f32, 0.0], [0.0, 1.0]], cpu)?;
    let zero = Tensor::zeros(2, DType::F32, cpu)?;
    let map = || (eye.clone(), zero.clone());
    let pool = AttentionPool::new([map(), map(), map()], Linear::new(&eye, &zero)?, 1)?;
    let tokens = [[[0_f32, 0.0], [4.0, 8.0]], [[1.0, 0.0], [0.0, 5.0]]];
    let pooled = pool.forward(&Tensor::new(&tokens, cpu)?)?.to_vec2::<f32>()?;
    // A query of zeros weighs all keys equally.
    assert_eq!(pooled[0], [2.0, 4.0]);
    let own = 1.0 / (1.0 + (-0.5_f32.sqrt()).exp());
    assert!((pooled[1][0] - own).abs() < 1e-6, "{pooled:?}");
    assert!((pooled[1][1] - 5.0 * (1.0 - own)).abs() < 1e-5, "{pooled:?}");
    Ok(())
}
