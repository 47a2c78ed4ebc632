//! From the vectors of tokens to one for the text.

use crate::blocks::{Sequences, host_values};
use candle_core::{Result, Tensor};

/// One vector for each sequence: the mean over its tokens, the first and the last included. Row-major,
/// shape (`n_sequences`, `n_features`).
pub(super) fn means(tokens: &Tensor, sequences: &Sequences) -> Result<Vec<f32>> {
    let (_, n_features) = tokens.dims2()?;
    let tokens = host_values(tokens)?;
    let mut vectors = vec![0.0; sequences.len() * n_features];
    for (vector, rows) in vectors.chunks_exact_mut(n_features).zip(sequences.rows()) {
        let n_tokens = rows.len() as f32;
        let own = &tokens[rows.start * n_features..rows.end * n_features];
        for token in own.chunks_exact(n_features) {
            for (sum, value) in vector.iter_mut().zip(token) {
                *sum += value;
            }
        }
        for sum in vector.iter_mut() {
            *sum /= n_tokens;
        }
    }
    Ok(vectors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    #[test]
    fn a_text_is_the_mean_of_its_own_tokens() {
        let rows = [[1_f32, 4.0], [3.0, 0.0], [7.0, -7.0]];
        let tokens = Tensor::new(&rows, &Device::Cpu).unwrap();
        let vectors = means(&tokens, &Sequences::new([2, 1])).unwrap();
        assert_eq!(vectors, [2.0, 2.0, 7.0, -7.0]);
    }
}
