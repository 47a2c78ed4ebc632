//! Tests of `blocks::latent_pool`.

use candle_core::{DType, Device, Result, Tensor};
use neurogauge_kernels::blocks::*;

#[test]
fn the_learned_token_weighs_the_values_of_each_image() -> Result<()> {
    let cpu = &Device::Cpu;
    let eye = Tensor::new(&[[1_f32, 0.0], [0.0, 1.0]], cpu)?;
    let zero = Tensor::zeros(2, DType::F32, cpu)?;
    let map = || (eye.clone(), zero.clone());
    let linear = || Linear::new(&eye, &zero);
    let attention = CrossAttention::new([map(), map(), map()], linear()?, 1)?;
    // The norm gives (-1, 1) of what rises, and the perceptron adds its positive part.
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
