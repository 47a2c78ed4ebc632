//! Positions as sines and cosines.

use std::f32::consts::TAU;

/// Encodes a position as `n_features` numbers: sine and cosine in turn of `2π position / T^(2i/n)` for pair i.
#[derive(Debug, Clone)]
pub struct SinePositions {
    /// The divisor of a position, for each feature.
    periods: Vec<f32>,
}

impl SinePositions {
    /// With base T, in f32 as in the reference.
    pub fn new(n_features: usize, base: f32) -> Self {
        let period = |index: usize| {
            let exponent = 2.0 * (index / 2) as f32 / n_features as f32;
            libm::powf(base, exponent)
        };
        SinePositions {
            periods: (0..n_features).map(period).collect(),
        }
    }

    pub fn n_features(&self) -> usize {
        self.periods.len()
    }

    /// Writes the encoding of a position.
    pub fn encode(&self, position: f32, out: &mut [f32]) {
        let angle = position * TAU;
        for (index, (out, period)) in out.iter_mut().zip(&self.periods).enumerate() {
            let angle = angle / period;
            *out = if index % 2 == 0 {
                libm::sinf(angle)
            } else {
                libm::cosf(angle)
            };
        }
    }
}
