//! Turns the vectors of queries into logits and boxes.

use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{Linear, Perceptron, host_values};

/// How well a vector fits each token: their product, which MM-Grounding-DINO scales and shifts.
#[derive(Debug, Clone, Copy)]
pub(super) enum ContrastiveHead {
    Product,
    /// The product is divided by √width, and a bias is added.
    Scaled {
        bias: f32,
    },
}

impl ContrastiveHead {
    /// Logits of shape (vector, token), row-major.
    pub(super) fn logits(self, vectors: &Tensor, tokens: &Tensor) -> Result<Vec<f32>> {
        let products = Linear::without_bias(tokens)?.shared(true).forward(vectors)?;
        let mut logits = host_values(&products)?;
        if let ContrastiveHead::Scaled { bias } = self {
            let length = (vectors.dim(1)? as f32).sqrt();
            for logit in &mut logits {
                *logit = *logit / length + bias;
            }
        }
        Ok(logits)
    }
}

/// The four outputs of a perceptron for every row.
pub(super) fn fours(perceptron: &Perceptron, x: &Tensor) -> Result<Vec<[f32; 4]>> {
    let values = host_values(&perceptron.forward(x)?)?;
    Ok(values.as_chunks::<4>().0.to_vec())
}

/// The logistic function, which turns a logit into a number in 0..1.
pub(super) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-logit))
}

/// The logit of a number in 0..1, clamped away from 0 and 1.
pub(super) fn logit(share: f32) -> f32 {
    const EPSILON: f32 = 1e-5;
    let share = share.clamp(EPSILON, 1.0 - EPSILON);
    libm::logf(share / (1.0 - share))
}

/// Moves boxes by these differences of logits.
pub(super) fn moved(boxes: &[[f32; 4]], differences: &[[f32; 4]]) -> Vec<[f32; 4]> {
    let pairs = boxes.iter().zip(differences);
    pairs
        .map(|(whole, difference)| [0, 1, 2, 3].map(|side| sigmoid(difference[side] + logit(whole[side]))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    #[test]
    fn logits_are_products_scaled_and_shifted() {
        let vectors = Tensor::new(&[[1_f32, 2.0, 0.0, 0.0]], &Device::Cpu).unwrap();
        let tokens = [[3_f32, 4.0, 5.0, 6.0], [0.0, 1.0, 0.0, 0.0]];
        let tokens = Tensor::new(&tokens, &Device::Cpu).unwrap();
        let plain = ContrastiveHead::Product.logits(&vectors, &tokens).unwrap();
        assert_eq!(plain, [11.0, 2.0]);
        let head = ContrastiveHead::Scaled { bias: -1.0 };
        assert_eq!(head.logits(&vectors, &tokens).unwrap(), [4.5, 0.0]);
    }

    #[test]
    fn a_box_that_is_not_moved_stays() {
        let boxes = [[0.25, 0.5, 0.75, 1.0], [0.0, 0.1, f32::NAN, 0.9]];
        let same = moved(&boxes, &[[0.0; 4]; 2]);
        let apart = |a: f32, b: f32| (a - b).abs();
        for (a, b) in boxes[0].iter().zip(same[0]) {
            assert!(apart(*a, b) < 2e-5);
        }
        assert!(same[1][2].is_nan() && apart(same[1][0], 0.0) < 2e-5);
        assert_eq!(sigmoid(f32::INFINITY), 1.0);
        assert_eq!(sigmoid(f32::NEG_INFINITY), 0.0);
    }
}
