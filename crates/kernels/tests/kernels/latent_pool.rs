//! Tests of `blocks::latent_pool`.

use crate::made::identity;
use candle_core::{Device, Result, Tensor};
use neurogauge_kernels::blocks::*;

#[test]
fn the_learned_token_weighs_the_values_of_each_image() -> Result<()> {
    let cpu = &Device::Cpu;
    let (eye, zero) = identity(2);
    let linear = || Linear::new(&eye, &zero);
    let attention = CrossAttention::new([(); 3].map(|()| identity(2)), linear()?, 1)?;
    // The norm maps rising values to (-1, 1), and the perceptron adds their positive part.
    let norm = LayerNorm::new(&Tensor::new(&[1_f32, 1.0], cpu)?, &zero, 0.0)?;
    let mlp = Mlp::new(linear()?, Activation::Relu, linear()?);
    let latent = Tensor::new(&[2_f32.sqrt(), 0.0], cpu)?;
    let pool = LatentPool::new(&latent, attention, norm, mlp)?;
    let tokens = [[[0_f32, 4.0], [0.0, 8.0]], [[0.0, 1.0], [1.0, 3.0]]];
    let pooled = pool.forward(&Tensor::new(&tokens, cpu)?)?.to_vec2::<f32>()?;
    assert_eq!(pooled[0], [0.0, 7.0]);
    let second = 1.0 / (1.0 + (-1.0_f32).exp());
    assert!((pooled[1][0] - second).abs() < 1e-6, "{pooled:?}");
    assert!((pooled[1][1] - (1.0 + 2.0 * second + 1.0)).abs() < 1e-5, "{pooled:?}");
    Ok(())
}
