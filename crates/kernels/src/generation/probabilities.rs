//! Computes the probabilities of given tokens, without writing a text.

use super::{Decoder, rows_of};
use crate::KernelError;

/// Natural logarithms of the probabilities of a text's tokens, each given those before it, among the first `n_tokens`
/// of the vocabulary. `state` has one row; `start` is the token before the text.
///
/// # Errors
/// Errors of the decoder; [`KernelError::Logits`] if its logits are not a distribution over the tokens, or a token is
/// not among them.
pub fn log_probabilities_of<D: Decoder>(
    decoder: &D,
    mut state: D::State,
    start: u32,
    text: &[u32],
    n_tokens: usize,
) -> Result<Vec<f64>, KernelError> {
    let before = std::iter::once(&start).chain(text);
    let steps = before.zip(text).enumerate();
    let of_step = |(n_written, (before, token)): (usize, (&u32, &u32))| {
        let all = next_token(decoder, &mut state, *before, n_written, n_tokens)?;
        let own = all.get(*token as usize).copied();
        own.ok_or(KernelError::Logits {
            architecture: decoder.architecture(),
            position: n_written + 1,
            reason: "have no place for a token of the answer",
        })
    };
    steps.map(of_step).collect()
}

/// Natural logarithms of the probabilities (softmax) that each of the first `n_tokens` of the vocabulary comes next.
/// `state` has one row, to which `token` is appended.
///
/// # Errors
/// Errors of the decoder; [`KernelError::Logits`] if its logits are not a distribution.
pub fn next_token<D: Decoder>(
    decoder: &D,
    state: &mut D::State,
    token: u32,
    n_written: usize,
    n_tokens: usize,
) -> Result<Vec<f64>, KernelError> {
    let mut logits = decoder.step(state, &[token])?;
    logits.truncate(n_tokens);
    Ok(rows_of(decoder, &logits, 1, n_written)?.into_iter().flat_map(log_softmax).collect())
}

/// `ln(exp(xᵢ) / Σ exp(xⱼ))`
fn log_softmax(logits: &[f32]) -> Vec<f64> {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let shifted = |value: &f32| f64::from(*value) - f64::from(largest);
    let sum: f64 = logits.iter().map(|value| shifted(value).exp()).sum();
    let log_sum = sum.ln();
    logits.iter().map(|value| shifted(value) - log_sum).collect()
}
