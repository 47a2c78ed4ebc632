//! Activation functions, on many values at once.

use crate::blocks::gelu::erf;
use crate::blocks::softmax::{SMALLEST, bounded_exp};

/// A function that is applied to every value of a layer's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// x
    Identity,
    /// max(x, 0)
    Relu,
    /// x sigmoid(x), also called swish.
    Silu,
    /// 1 / (1 + e^-x)
    Sigmoid,
    /// x (1 + erf(x / √2)) / 2
    Gelu,
    /// x sigmoid(1.702 x)
    QuickGelu,
    /// x (1 + tanh(√(2/π) (x + 0.044715 x³))) / 2, also called gelu_new.
    TanhGelu,
}

impl Activation {
    /// Applies the function to every value. It is inlined into callers that are compiled for several instruction sets
    /// and say whether multiplication and addition are `FUSED` there.
    #[inline(always)]
    pub fn apply<const FUSED: bool>(self, values: &mut [f32]) {
        match self {
            Activation::Identity => {}
            Activation::Relu => each(values, relu),
            Activation::Silu => each(values, |x| x / one_plus_power::<FUSED>(x)),
            Activation::Sigmoid => each(values, |x| 1.0 / one_plus_power::<FUSED>(x)),
            Activation::Gelu => each(values, gelu::<FUSED>),
            Activation::QuickGelu => each(values, |x| x / one_plus_power::<FUSED>(1.702 * x)),
            Activation::TanhGelu => each(values, tanh_gelu::<FUSED>),
        }
    }
}

#[inline(always)]
fn each(values: &mut [f32], f: impl Fn(f32) -> f32) {
    for value in values {
        *value = f(*value);
    }
}

/// Not `f32::max`, which would turn NaN into 0.
#[inline(always)]
fn relu(x: f32) -> f32 {
    if x < 0.0 { 0.0 } else { x }
}

#[inline(always)]
fn gelu<const FUSED: bool>(x: f32) -> f32 {
    0.5 * x * (1.0 + erf::<FUSED>(x * std::f32::consts::FRAC_1_SQRT_2))
}

/// (1 + tanh(y)) / 2 is sigmoid(2 y).
#[inline(always)]
fn tanh_gelu<const FUSED: bool>(x: f32) -> f32 {
    /// √(2/π), twice.
    const SLOPE: f32 = 1.595_769;
    x / one_plus_power::<FUSED>(SLOPE * (x + 0.044_715 * x * x * x))
}

/// 1 + e^-x, by which sigmoid divides; the exponent is bounded, so that the power is finite.
#[inline(always)]
fn one_plus_power<const FUSED: bool>(x: f32) -> f32 {
    1.0 + bounded_exp::<FUSED>((-x).clamp(SMALLEST, -SMALLEST))
}
