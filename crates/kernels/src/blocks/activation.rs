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

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of torch.nn.functional in f64 at -30, -2, -0.5, 0, 0.5, 2, 30.
    const X: [f32; 7] = [-30.0, -2.0, -0.5, 0.0, 0.5, 2.0, 30.0];
    const KNOWN: [(Activation, [f64; 7]); 6] = [
        (Activation::Relu, [0.0, 0.0, 0.0, 0.0, 0.5, 2.0, 30.0]),
        (
            Activation::Silu,
            [
                -2.807_286_890_651_79e-12,
                -0.238_405_844_044_234_4,
                -0.188_770_334_399_072_94,
                0.0,
                0.311_229_665_600_927_1,
                1.761_594_155_955_765_6,
                29.999_999_999_997_193,
            ],
        ),
        (
            Activation::Sigmoid,
            [
                9.357_622_968_840_175e-14,
                0.119_202_922_022_117_2,
                0.377_540_668_798_145_87,
                0.5,
                0.622_459_331_201_854_1,
                0.880_797_077_977_882_8,
                0.999_999_999_999_906_4,
            ],
        ),
        (
            Activation::Gelu,
            [
                0.0,
                -0.045_500_263_896_358_42,
                -0.154_268_769_362_993_45,
                0.0,
                0.345_731_230_637_006_55,
                1.954_499_736_103_641_6,
                30.0,
            ],
        ),
        (
            Activation::QuickGelu,
            [
                -2.004_679_774_500_938e-21,
                -0.064_341_376_855_791_86,
                -0.149_611_563_393_619_9,
                0.0,
                0.350_388_436_606_380_14,
                1.935_658_623_144_208_1,
                30.0,
            ],
        ),
        (
            Activation::TanhGelu,
            [
                0.0,
                -0.045_402_305_912_224_94,
                -0.154_285_990_174_855_78,
                0.0,
                0.345_714_009_825_143_96,
                1.954_597_694_087_775,
                30.0,
            ],
        ),
    ];

    fn apply(activation: Activation, fused: bool, values: &mut [f32]) {
        if fused {
            activation.apply::<true>(values);
        } else {
            activation.apply::<false>(values);
        }
    }

    #[test]
    fn values_are_those_of_the_reference() {
        let runs = KNOWN.iter().flat_map(|known| [(known, false), (known, true)]);
        for (&(activation, expected), fused) in runs {
            let mut values = X;
            apply(activation, fused, &mut values);
            for ((x, value), expected) in X.iter().zip(values).zip(expected) {
                let error = (f64::from(value) - expected).abs();
                assert!(error < 1e-6, "{activation:?}({x}) = {value}, not {expected}");
            }
        }
    }

    #[test]
    fn not_a_number_stays_one() {
        for (activation, _) in KNOWN {
            for fused in [false, true] {
                let mut values = [f32::NAN];
                apply(activation, fused, &mut values);
                assert!(values[0].is_nan(), "{activation:?}");
            }
        }
    }
}
