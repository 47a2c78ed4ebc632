//! Tests of `blocks::attention_pool`.

use crate::made::identity;
use candle_core::{Device, Result, Tensor};
use neurogauge_kernels::blocks::*;

#[test]
fn the_first_token_weighs_the_values_of_its_own_image() -> Result<()> {
    let (weight, bias) = identity(2);
    let pool = AttentionPool::new([(); 3].map(|()| identity(2)), Linear::new(&weight, &bias)?, 1)?;
    let tokens = [[[0_f32, 0.0], [4.0, 8.0]], [[1.0, 0.0], [0.0, 5.0]]];
    let pooled = pool.forward(&Tensor::new(&tokens, &Device::Cpu)?)?.to_vec2::<f32>()?;
    // A query of zeros weighs all keys equally.
    assert_eq!(pooled[0], [2.0, 4.0]);
    let own = 1.0 / (1.0 + (-0.5_f32.sqrt()).exp());
    assert!((pooled[1][0] - own).abs() < 1e-6, "{pooled:?}");
    assert!((pooled[1][1] - 5.0 * (1.0 - own)).abs() < 1e-5, "{pooled:?}");
    Ok(())
}
