//! Tests of `random`.

use neurogauge_kernels::internals::{inverse_erf, ln, sine_and_cosine};
use neurogauge_kernels::random::TorchGenerator;

/// The next output of the generator's engine.
fn next(generator: &mut TorchGenerator) -> u32 {
    // Only the largest number would change, to 0.
    generator.integers(1, u32::MAX)[0]
}

/// The C++ standard ([rand.predef]) gives the ten thousandth output under seed 5489.
#[test]
fn ten_thousandth_output_is_the_published_one() {
    let mut generator = TorchGenerator::manual_seed(5489);
    generator.skip_uniform(9_999);
    assert_eq!(next(&mut generator), 4_123_659_995);
}

#[test]
fn skipped_outputs_of_the_engine_are_those_drawn() {
    let mut drawn = TorchGenerator::manual_seed(1);
    let mut skipped = drawn.clone();
    for n in [0, 1, 622, 1, 1, 624, 5_000] {
        drawn.uniform(n, 0.0, 1.0);
        skipped.skip_uniform(n);
        assert_eq!(next(&mut drawn), next(&mut skipped), "after {n}");
    }
}

#[test]
fn skipping_is_drawing_unseen() {
    let mut drawn = TorchGenerator::manual_seed(3);
    let mut skipped = drawn.clone();
    for n in [1, 0, 15, 3, 16, 17, 31, 700] {
        drawn.normal(n, 0.0, 1.0);
        skipped.skip_normal(n);
        drawn.uniform(n, -1.0, 1.0);
        skipped.skip_uniform(n);
        assert_eq!(drawn.normal(2, 0.0, 1.0), skipped.normal(2, 0.0, 1.0));
    }
}

/// The numbers that torch 2.15 prints for `torch.manual_seed(0); torch.randint(10, (10,))`.
#[test]
fn integers_are_torchs() {
    let drawn = TorchGenerator::manual_seed(0).integers(10, 10);
    assert_eq!(drawn, [4, 9, 3, 0, 3, 9, 7, 3, 7, 3]);
}

#[test]
fn only_the_lower_half_of_the_seed_counts() {
    let draw = |seed| TorchGenerator::manual_seed(seed).uniform(4, 0.0, 1.0);
    assert_eq!(draw(42), draw(42 + (1 << 32)));
    assert_ne!(draw(42), draw(43));
}

/// Tests the 2^24 possible uniform variates in steps of a prime.
#[test]
fn polynomials_are_a_logarithm_a_sine_and_a_cosine() {
    for i in (0..1 << 24).step_by(101) {
        let u = i as f32 / 16_777_216.0;
        let exact = f64::from(1.0 - u).ln();
        let error = f64::from(ln(1.0 - u)) - exact;
        assert!(error.abs() <= 1e-7 * exact.abs().max(1e-9), "ln of 1 - {u}");

        let angle = std::f32::consts::TAU * u;
        let (sine, cosine) = sine_and_cosine(angle);
        let (s, c) = f64::from(angle).sin_cos();
        assert!((f64::from(sine) - s).abs() < 1.2e-7, "sine of {angle}");
        assert!((f64::from(cosine) - c).abs() < 1.2e-7, "cosine of {angle}");
    }
}

#[test]
fn undoes_the_error_function() {
    let largest = 1.0 - f32::EPSILON / 2.0;
    for x in [1e-30, 1e-5, 0.1, 0.5, 0.849, 0.851, 0.99, 0.9999, largest] {
        let back = libm::erfc(f64::from(inverse_erf(x)));
        // The derivative of the function amplifies the rounding of its value.
        let slope = (-f64::from(inverse_erf(x)).powi(2)).exp() * f64::from(inverse_erf(x));
        assert!((back - (1.0 - f64::from(x))).abs() <= 1e-7 * slope + 1e-16);
        assert_eq!(inverse_erf(-x), -inverse_erf(x));
    }
    assert_eq!(inverse_erf(-1.0), f32::NEG_INFINITY);
}
