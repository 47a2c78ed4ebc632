//! Activation functions.

use crate::blocks::Activation;
use candle_core::{Result, Tensor};

/// Applies the activation to every value.
pub fn activate(x: &Tensor, activation: Activation) -> Result<Tensor> {
    match activation {
        Activation::Identity => Ok(x.clone()),
        // Not the engine's ReLU, which turns NaN into 0 on some devices. ELU with factor 0 gives 0 times an exponential
        // for values that are not positive.
        Activation::Relu => x.elu(0.0),
        Activation::Silu => x.silu(),
        Activation::Sigmoid => sigmoid(x),
        Activation::Gelu => x.gelu_erf(),
        Activation::QuickGelu => x * sigmoid(&(x * 1.702)?)?,
        Activation::TanhGelu => {
            let slope = 2.0 * std::f64::consts::FRAC_2_SQRT_PI * std::f64::consts::FRAC_1_SQRT_2;
            let cubed = (x.sqr()? * 0.044_715)?.affine(1.0, 1.0)?;
            x * sigmoid(&(x.mul(&cubed)? * slope)?)?
        }
    }
}

/// If the exponential overflows, its reciprocal is 0.
fn sigmoid(x: &Tensor) -> Result<Tensor> {
    (x.neg()?.exp()? + 1.0)?.recip()
}
