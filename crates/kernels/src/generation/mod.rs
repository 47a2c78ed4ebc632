//! Writing a text token by token: greedy and beam search.
//!
//! The ids are those of transformers' `generate` (5.23.0): the same candidates, the same scores in f32,
//! the same rules for when a search ends, and equal scores in the same order (`top_k`). Two
//! differences change no id: an input whose search has ended leaves the batch at once (transformers keeps
//! it, frozen), and a result has no padding.
//!
//! An input's ids do not depend on what else is in the batch, as long as the rows of a [`Decoder`] do not
//! depend on each other.

pub(crate) mod beam;
mod candidates;
mod ends;
pub(crate) mod greedy;
mod probabilities;
pub mod top_k;

pub use ends::Ends;
pub use greedy::{Greedy, search as search_greedily};
pub use probabilities::{log_probabilities_of, next_token};

use crate::KernelError;
use candle_core::Result as EngineResult;
use std::num::NonZeroUsize;

/// A model that predicts the next token.
///
/// It works on rows, one for each text that is being written. The state keeps what it computed for a row's tokens so
/// far (the keys and values of its attention).
pub trait Decoder {
    /// All rows, with what was computed for each.
    type State;

    /// The name in messages.
    fn architecture(&self) -> &'static str;

    /// Appends a token to every row and returns the logits of the next token: row-major, shape (row, token of the
    /// vocabulary).
    fn append(&self, state: &mut Self::State, tokens: &[u32]) -> EngineResult<Vec<f32>>;

    /// Row `i` of the new state is row `rows[i]` of the old one. A row may be used several times or not at all.
    fn rearrange(&self, state: &mut Self::State, rows: &[usize]) -> EngineResult<()>;

    /// Like [`append`](Self::append), with the architecture's name in its error.
    fn step(&self, state: &mut Self::State, tokens: &[u32]) -> Result<Vec<f32>, KernelError> {
        let logits = self.append(state, tokens);
        logits.map_err(KernelError::engine(self.architecture(), "a step of the decoder"))
    }

    /// Like [`rearrange`](Self::rearrange), with the architecture's name in its error.
    fn reorder(&self, state: &mut Self::State, rows: &[usize]) -> Result<(), KernelError> {
        let done = self.rearrange(state, rows);
        done.map_err(KernelError::engine(self.architecture(), "another order of the texts"))
    }
}

/// How texts are written.
#[derive(Debug, Clone, PartialEq)]
pub struct GenerationOptions {
    /// Number of beams for each input; 1 is greedy search.
    pub n_beams: NonZeroUsize,
    /// Maximum number of tokens, including the end token. transformers' `max_length` also counts the tokens before the
    /// first of them.
    pub max_new_tokens: usize,
    /// Exponent of the length penalty: a finished text's summed log-probability is divided by its number of new tokens
    /// to this power.
    pub length_penalty: f64,
    /// When a beam search ends.
    pub early_stopping: EarlyStopping,
    /// The tokens that end a text.
    pub ends: Vec<u32>,
}

/// When the beam search of an input ends before the last token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EarlyStopping {
    /// When there are as many finished texts as beams: transformers' `True`.
    WhenFull,
    /// When the best running text, scored by its present length, is not better than the worst finished one:
    /// transformers' `False`.
    WhenUnlikelyToImprove,
    /// When no running text can end better than the worst finished one: transformers' `"never"`.
    WhenNoneCanImprove,
}

/// The tokens written for each input, including the end token if one was reached.
///
/// `state` has a row for each input, which holds everything before the token in `first`: the decoder's start token, or
/// the last token of a prompt. The tokens in `first` are not part of the result.
///
/// # Errors
/// Errors of the decoder; [`KernelError::Logits`] if its logits are not a distribution.
pub fn generate<D: Decoder>(
    decoder: &D,
    state: D::State,
    first: &[u32],
    options: &GenerationOptions,
) -> Result<Vec<Vec<u32>>, KernelError> {
    if options.n_beams.get() == 1 {
        let greedy = Greedy {
            max_new_tokens: options.max_new_tokens,
            ends: &options.ends,
            repetition_penalty: 1.0,
        };
        let prompts: Vec<&[u32]> = first.chunks(1).collect();
        return greedy::search(decoder, state, &prompts, &greedy);
    }
    let best = beam::search(decoder, state, first, options)?;
    Ok(best.into_iter().map(|text| text.ids).collect())
}

/// Splits a step's logits into rows, after checking that each row is a distribution.
fn rows_of<'a>(
    decoder: &impl Decoder,
    logits: &'a [f32],
    n_rows: usize,
    n_written: usize,
) -> Result<Vec<&'a [f32]>, KernelError> {
    let refused = |reason: &'static str| KernelError::Logits {
        architecture: decoder.architecture(),
        position: n_written + 1,
        reason,
    };
    if n_rows == 0 {
        return Ok(Vec::new());
    }
    let rows: Vec<&[f32]> = logits.chunks_exact((logits.len() / n_rows).max(1)).collect();
    if rows.len() != n_rows {
        return Err(refused("are not as many rows as there are texts"));
    }
    for row in &rows {
        if row.iter().any(|value| value.is_nan() || *value == f32::INFINITY) {
            return Err(refused("hold a value that is no finite number"));
        }
        if row.iter().all(|value| *value == f32::NEG_INFINITY) {
            return Err(refused("rule out every token"));
        }
    }
    Ok(rows)
}
