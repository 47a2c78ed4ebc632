//! Beam search, which follows several texts for each input.

use super::candidates::{Candidates, Scored};
use super::{Decoder, GenerationOptions, rows_of};
use crate::KernelError;

/// The best text of each input.
pub fn search<D: Decoder>(
    decoder: &D,
    mut state: D::State,
    first: &[u32],
    options: &GenerationOptions,
) -> Result<Vec<Scored>, KernelError> {
    let n_beams = options.n_beams.get();
    let new = |_: &u32| Candidates::new(n_beams);
    let mut searches: Vec<Candidates> = first.iter().map(new).collect();
    if options.max_new_tokens == 0 {
        return Ok(searches.into_iter().map(Candidates::into_best).collect());
    }
    // The inputs that are not finished, with the number of rows of each in the state: one before the first token, since
    // all beams are equal then.
    let mut open: Vec<usize> = (0..first.len()).collect();
    let mut rows_each = 1;
    let mut tokens = first.to_vec();
    for n_written in 0..options.max_new_tokens {
        if open.is_empty() {
            break;
        }
        let logits = decoder.step(&mut state, &tokens)?;
        let rows = rows_of(decoder, &logits, tokens.len(), n_written)?;
        let mut origins = Vec::with_capacity(open.len() * n_beams);
        tokens.clear();
        let mut still_open = Vec::with_capacity(open.len());
        for (place, &input) in open.iter().enumerate() {
            let own = &rows[place * rows_each..][..rows_each];
            let of_beams: Vec<&[f32]> = (0..n_beams).map(|beam| own[beam % rows_each]).collect();
            let search = &mut searches[input];
            let beams = search.extend(&of_beams, options);
            if !search.is_over() {
                origins.extend(beams.iter().map(|beam| place * rows_each + beam % rows_each));
                tokens.extend(search.last_tokens());
                still_open.push(input);
            }
        }
        if !still_open.is_empty() {
            decoder.reorder(&mut state, &origins)?;
        }
        (open, rows_each) = (still_open, n_beams);
    }
    Ok(searches.into_iter().map(Candidates::into_best).collect())
}
