//! Tests of `blocks::sine_positions`.

use neurogauge_kernels::blocks::*;

#[test]
fn pairs_have_the_same_angle_and_ever_longer_periods() {
    let positions = SinePositions::new(4, 100.0);
    let mut features = [0.0; 4];
    positions.encode(0.25, &mut features);
    // A quarter turn, and a tenth of it.
    let tenth = std::f32::consts::FRAC_PI_2 / 10.0;
    let expected = [1.0, 0.0, tenth.sin(), tenth.cos()];
    for (value, expected) in features.iter().zip(expected) {
        assert!((value - expected).abs() < 1e-6, "{value} {expected}");
    }
}
