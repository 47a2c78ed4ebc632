//! Greedy search: the most likely token at every step.

use super::{Decoder, GenerationOptions, rows_of};
use crate::ModelError;

/// The tokens written for each input.
pub(super) fn search<D: Decoder>(
    decoder: &D,
    mut state: D::State,
    first: &[u32],
    options: &GenerationOptions,
) -> Result<Vec<Vec<u32>>, ModelError> {
    let mut written = vec![Vec::new(); first.len()];
    // The inputs that are still written, one for each row of the state.
    let mut inputs: Vec<usize> = (0..first.len()).collect();
    let mut tokens = first.to_vec();
    for n_written in 0..options.max_new_tokens {
        if inputs.is_empty() {
            break;
        }
        let logits = decoder.step(&mut state, &tokens)?;
        let rows = rows_of(decoder, &logits, inputs.len(), n_written)?;
        let next: Vec<u32> = rows.into_iter().map(first_largest).collect();
        for (&input, &token) in inputs.iter().zip(&next) {
            written[input].push(token);
        }
        let goes_on = |row: &usize| !options.ends.contains(&next[*row]);
        let open: Vec<usize> = (0..inputs.len()).filter(goes_on).collect();
        if open.len() < inputs.len() {
            decoder.reorder(&mut state, &open)?;
        }
        tokens = open.iter().map(|&row| next[row]).collect();
        inputs = open.into_iter().map(|row| inputs[row]).collect();
    }
    Ok(written)
}

/// The place of the largest value, the first of several.
fn first_largest(row: &[f32]) -> u32 {
    let mut best = 0;
    for (place, value) in row.iter().enumerate() {
        if *value > row[best] {
            best = place;
        }
    }
    best as u32
}
