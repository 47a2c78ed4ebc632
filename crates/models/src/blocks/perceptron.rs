//! A perceptron of any number of layers.

use crate::blocks::Linear;
use candle_core::{Result, Tensor};

/// Affine maps one after the other, each with its own activation.
#[derive(Debug, Clone)]
pub(crate) struct Perceptron {
    pub(crate) layers: Vec<Linear>,
}

impl Perceptron {
    /// Maps every row.
    pub(crate) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let mut x = x.clone();
        for layer in &self.layers {
            x = layer.forward(&x)?;
        }
        Ok(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::Activation;
    use candle_core::Device;

    #[test]
    fn layers_follow_each_other_with_their_activations() -> Result<()> {
        let cpu = &Device::Cpu;
        let map = |weight: &[[f32; 1]; 1], bias: f32| {
            Linear::new(&Tensor::new(weight, cpu)?, &Tensor::new(&[bias], cpu)?)
        };
        let perceptron = Perceptron {
            layers: vec![
                map(&[[2.0]], 1.0)?.then(Activation::Relu),
                map(&[[-3.0]], 0.5)?,
            ],
        };
        let y = perceptron.forward(&Tensor::new(&[[1_f32], [-4.0]], cpu)?)?;
        assert_eq!(y.to_vec2::<f32>()?, [[-8.5], [0.5]]);
        Ok(())
    }
}
