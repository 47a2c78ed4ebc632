//! Tests of `blocks::softmax`.

use neurogauge_kernels::blocks::log_softmax;
use neurogauge_kernels::blocks::slices::LANES;
use neurogauge_kernels::internals::exponentiate;

/// The exponential of a score when the largest one is 0.
fn exp(x: f32) -> f32 {
    let mut scores = [[0.0; LANES]];
    scores[0][1] = x;
    exponentiate(&mut scores, 2);
    scores[0][1]
}

#[test]
fn probabilities_add_up_to_one_and_keep_their_ratios() {
    let mut values: Vec<f32> = (0..37).map(|i| 80.0 + (i % 5) as f32).collect();
    values.push(f32::NEG_INFINITY);
    log_softmax(&mut values);
    let sum: f64 = values.iter().map(|&value| f64::from(value).exp()).sum();
    assert!((sum - 1.0).abs() < 1e-5, "{sum}");
    assert!((values[1] - values[0] - 1.0).abs() < 1e-6);
    assert_eq!(values[37], f32::NEG_INFINITY);
}

#[test]
fn exp_agrees_with_the_standard_library() {
    for step in 0..8700 {
        let x = -(step as f32) / 100.0;
        let expected = f64::from(x).exp();
        let error = (f64::from(exp(x)) - expected).abs() / expected;
        assert!(error < 3e-7, "exp({x}): relative error {error:e}");
    }
    assert_eq!(exp(0.0), 1.0);
    assert_eq!(exp(-1e30), 0.0);
    assert_eq!(exp(f32::NEG_INFINITY), 0.0);
    assert!(exp(f32::NAN).is_nan());
}

#[test]
fn padding_does_not_count() {
    let mut scores = [[7.0; LANES]];
    scores[0][..2].copy_from_slice(&[1.0, 1.0]);
    assert_eq!(exponentiate(&mut scores, 2), 2.0);
    assert_eq!(scores[0][..3], [1.0, 1.0, 0.0]);
}
