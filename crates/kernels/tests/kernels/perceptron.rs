//! Tests of `blocks::perceptron`.

use candle_core::{Device, Result, Tensor};
use neurogauge_kernels::blocks::*;

#[test]
fn layers_follow_each_other_with_their_activations() -> Result<()> {
    let cpu = &Device::Cpu;
    let map = |weight: &[[f32; 1]; 1], bias: f32| Linear::new(&Tensor::new(weight, cpu)?, &Tensor::new(&[bias], cpu)?);
    let perceptron = Perceptron {
        layers: vec![map(&[[2.0]], 1.0)?.then(Activation::Relu), map(&[[-3.0]], 0.5)?],
    };
    let y = perceptron.forward(&Tensor::new(&[[1_f32], [-4.0]], cpu)?)?;
    assert_eq!(y.to_vec2::<f32>()?, [[-8.5], [0.5]]);
    Ok(())
}
