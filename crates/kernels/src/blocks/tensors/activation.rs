//! Activation functions.

use crate::blocks::Activation;
use candle_core::{Result, Tensor};

/// The activation of every value.
pub(in crate::blocks) fn activate(x: &Tensor, activation: Activation) -> Result<Tensor> {
    match activation {
        Activation::Identity => Ok(x.clone()),
        // Not the rectifier, which turns NaN into 0 on some devices; this has 0 times an exponential for values that
        // are not positive.
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

/// An exponential that overflows has the reciprocal 0.
fn sigmoid(x: &Tensor) -> Result<Tensor> {
    (x.neg()?.exp()? + 1.0)?.recip()
}
