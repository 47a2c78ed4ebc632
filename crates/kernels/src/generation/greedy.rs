//! Greedy search: the most likely token at every step.

use super::{Decoder, rows_of};
use crate::KernelError;

/// How the most likely token is chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Greedy<'a> {
    /// Maximum number of tokens, including the end token.
    pub max_new_tokens: usize,
    /// The tokens that end a text.
    pub ends: &'a [u32],
    /// Divides positive logits of tokens that are in the prompt or were written, and multiplies negative ones; 1
    /// changes nothing.
    pub repetition_penalty: f32,
}

/// The tokens written for each input. The last token of each prompt must not be in the state yet.
pub fn search<D: Decoder>(
    decoder: &D,
    mut state: D::State,
    prompts: &[&[u32]],
    options: &Greedy<'_>,
) -> Result<Vec<Vec<u32>>, KernelError> {
    let mut written = vec![Vec::new(); prompts.len()];
    // The inputs that are not finished, one for each row of the state.
    let mut inputs: Vec<usize> = (0..prompts.len()).collect();
    let last = |prompt: &&[u32]| prompt.last().copied().unwrap_or(0);
    let mut tokens: Vec<u32> = prompts.iter().map(last).collect();
    if prompts.is_empty() {
        return Ok(written);
    }
    for n_written in 0..options.max_new_tokens {
        let mut logits = decoder.step(&mut state, &tokens)?;
        if options.repetition_penalty != 1.0 {
            let width = (logits.len() / inputs.len()).max(1);
            for (row, &input) in logits.chunks_exact_mut(width).zip(&inputs) {
                let seen = prompts[input].iter().chain(&written[input]);
                penalise(row, seen.copied(), options.repetition_penalty);
            }
        }
        let rows = rows_of(decoder, &logits, inputs.len(), n_written)?;
        let next: Vec<u32> = rows.into_iter().map(first_largest).collect();
        for (&input, &token) in inputs.iter().zip(&next) {
            written[input].push(token);
        }
        let goes_on = |row: &usize| !options.ends.contains(&next[*row]);
        let open: Vec<usize> = (0..inputs.len()).filter(goes_on).collect();
        if open.is_empty() {
            break;
        }
        if open.len() < inputs.len() {
            decoder.reorder(&mut state, &open)?;
        }
        tokens = open.iter().map(|&row| next[row]).collect();
        inputs = open.into_iter().map(|row| inputs[row]).collect();
    }
    Ok(written)
}

/// Makes tokens that occurred before less likely, each token once.
pub fn penalise(logits: &mut [f32], seen: impl Iterator<Item = u32>, penalty: f32) {
    let mut seen: Vec<u32> = seen.collect();
    seen.sort_unstable();
    seen.dedup();
    for token in seen {
        if let Some(logit) = logits.get_mut(token as usize) {
            *logit = if *logit < 0.0 {
                *logit * penalty
            } else {
                *logit / penalty
            };
        }
    }
}

/// The index of the largest value, the first one if there are several.
fn first_largest(row: &[f32]) -> u32 {
    let mut best = 0;
    for (place, value) in row.iter().enumerate() {
        if *value > row[best] {
            best = place;
        }
    }
    best as u32
}
