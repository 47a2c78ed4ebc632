//! `torch.nn.init.trunc_normal_` with its default bounds, in its old and new form.

use super::generator::TorchGenerator;
use rayon::prelude::*;

/// `torch.nn.init.trunc_normal_` limits values to [-2, 2], regardless of the standard deviation.
pub(super) const BOUND: f32 = 2.0;

/// How `torch.nn.init.trunc_normal_` draws, which depends on the release of torch.
///
/// The untrained weights of models that use it (ViT, ConvNeXt, Swin, Inception v3) depend on the release; those of
/// ResNet, VGG, AlexNet and EfficientNet do not.
///
/// ```
/// use neurogauge_kernels::random::{TorchGenerator, TruncatedNormal};
/// let draw = |method| TorchGenerator::manual_seed(0).truncated_normal(16, 0.02, method);
/// assert_eq!(draw(TruncatedNormal::Rejection)[0], -0.022516796);
/// assert_eq!(draw(TruncatedNormal::InverseErf)[0], -0.0001876695);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum TruncatedNormal {
    /// torch 2.12 and later: normal variates; those out of bounds are drawn again.
    #[default]
    Rejection,
    /// torch up to 2.11: the inverse error function of uniform variates. If the uniform variate is its lower bound, one
    /// time in 2^24, the result is -2, however small the standard deviation.
    InverseErf,
}

/// Draws all values again until each of those out of bounds has got one within.
pub(super) fn by_rejection(generator: &mut TorchGenerator, n: usize, std: f64) -> Vec<f32> {
    let outside = |value: &f32| value.abs() > BOUND;
    let mut values = generator.normal(n, 0.0, std);
    while values.iter().any(outside) {
        let again = generator.normal(n, 0.0, std);
        for (value, new) in values.iter_mut().zip(again) {
            if outside(value) {
                *value = new;
            }
        }
    }
    values
}

/// Draws uniform variates between the error function's values at the two bounds, and applies its inverse.
///
/// torch uses Intel's vector library for the inverse, whose results are within one unit in the last place of the exact
/// inverse, which is used here.
pub(super) fn by_inverse_erf(generator: &mut TorchGenerator, n: usize, std: f64) -> Vec<f32> {
    let limit = libm::erf(f64::from(BOUND) / std / std::f64::consts::SQRT_2);
    let scale = (std * std::f64::consts::SQRT_2) as f32;
    let mut values = generator.uniform(n, -limit, limit);
    values.par_iter_mut().for_each(|value| *value = (inverse_erf(*value) * scale).clamp(-BOUND, BOUND));
    values
}

/// Inverse error function, from the normal quantile of Wichura's algorithm AS 241 (1988).
///
/// The algorithm's third branch is for tails that are beyond single precision.
pub fn inverse_erf(x: f32) -> f32 {
    const CENTRE: ([f64; 8], [f64; 8]) = (
        [
            2_509.080_928_730_122_7,
            33_430.575_583_588_13,
            67_265.770_927_008_7,
            45_921.953_931_549_87,
            13_731.693_765_509_46,
            1_971.590_950_306_551_3,
            133.141_667_891_784_38,
            3.387_132_872_796_366_5,
        ],
        [
            5_226.495_278_852_854,
            28_729.085_735_721_943,
            39_307.895_800_092_71,
            21_213.794_301_586_597,
            5_394.196_021_424_751,
            687.187_007_492_057_9,
            42.313_330_701_600_91,
            1.0,
        ],
    );
    const TAIL: ([f64; 8], [f64; 8]) = (
        [
            7.745_450_142_783_414e-4,
            2.272_384_498_926_918_4e-2,
            2.417_807_251_774_506e-1,
            1.270_458_252_452_368_4,
            3.647_848_324_763_204_5,
            5.769_497_221_460_691,
            4.630_337_846_156_546,
            1.423_437_110_749_683_5,
        ],
        [
            1.050_750_071_644_416_9e-9,
            5.475_938_084_995_345e-4,
            1.519_866_656_361_645_7e-2,
            1.481_039_764_274_800_8e-1,
            6.897_673_349_851e-1,
            1.676_384_830_183_803_8,
            2.053_191_626_637_759,
            1.0,
        ],
    );
    let ratio = |(above, below): ([f64; 8], [f64; 8]), r: f64| {
        let horner = |coefficients: [f64; 8]| coefficients.iter().fold(0.0, |sum, c| sum * r + c);
        horner(above) / horner(below)
    };
    let half = f64::from(x) / 2.0;
    let quantile = if half.abs() <= 0.425 {
        half * ratio(CENTRE, 0.180_625 - half * half)
    } else {
        let tail = 0.5 - half.abs();
        if tail <= 0.0 {
            return f32::INFINITY.copysign(x);
        }
        ratio(TAIL, (-tail.ln()).sqrt() - 1.6).copysign(half)
    };
    (quantile / std::f64::consts::SQRT_2) as f32
}
