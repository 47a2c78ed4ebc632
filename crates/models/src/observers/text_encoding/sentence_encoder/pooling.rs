//! Pools the vectors of a text's tokens into one.

use crate::blocks::{Sequences, host_values};
use candle_core::{Result, Tensor};

/// How the vectors of a text's tokens become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenPooling {
    /// Their mean, the first and the last included.
    Mean,
    /// The last one, which alone has seen all the others where tokens look back only.
    Last,
}

/// One vector for each sequence. Row-major, shape (`n_sequences`, `n_features`).
pub(super) fn pooled(
    tokens: &Tensor,
    sequences: &Sequences,
    pooling: TokenPooling,
) -> Result<Vec<f32>> {
    let (_, n_features) = tokens.dims2()?;
    let tokens = host_values(tokens)?;
    let mut vectors = vec![0.0; sequences.len() * n_features];
    for (vector, rows) in vectors.chunks_exact_mut(n_features).zip(sequences.rows()) {
        let own = &tokens[rows.start * n_features..rows.end * n_features];
        match pooling {
            TokenPooling::Mean => mean(own, rows.len(), vector),
            TokenPooling::Last => {
                vector.copy_from_slice(&own[own.len().saturating_sub(n_features)..]);
            }
        }
    }
    Ok(vectors)
}

fn mean(tokens: &[f32], n_tokens: usize, vector: &mut [f32]) {
    for token in tokens.chunks_exact(vector.len()) {
        for (sum, value) in vector.iter_mut().zip(token) {
            *sum += value;
        }
    }
    for sum in vector {
        *sum /= n_tokens as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    #[test]
    fn a_text_is_the_mean_or_the_last_of_its_own_tokens() {
        let rows = [[1_f32, 4.0], [3.0, 0.0], [7.0, -7.0]];
        let tokens = Tensor::new(&rows, &Device::Cpu).unwrap();
        let of = |pooling| pooled(&tokens, &Sequences::new([2, 1]), pooling).unwrap();
        assert_eq!(of(TokenPooling::Mean), [2.0, 2.0, 7.0, -7.0]);
        assert_eq!(of(TokenPooling::Last), [3.0, 0.0, 7.0, -7.0]);
    }
}
