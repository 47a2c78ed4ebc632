//! The probabilities of given tokens, without writing a text.

use super::{Decoder, rows_of};
use crate::ModelError;

/// Natural logarithms of the probabilities of a text's tokens, each given those before it, among the first `n_tokens` of the
/// vocabulary. `state` has one row; `start` is the token before the text.
///
/// # Errors
/// Errors of the decoder; [`ModelError::Logits`] if its logits are not a distribution over the tokens, or a token is not
/// among them.
pub(crate) fn log_probabilities_of<D: Decoder>(
    decoder: &D,
    mut state: D::State,
    start: u32,
    text: &[u32],
    n_tokens: usize,
) -> Result<Vec<f64>, ModelError> {
    let before = std::iter::once(&start).chain(text);
    let steps = before.zip(text).enumerate();
    let of_step = |(n_written, (before, token)): (usize, (&u32, &u32))| {
        let all = next_token(decoder, &mut state, *before, n_written, n_tokens)?;
        let own = all.get(*token as usize).copied();
        own.ok_or(ModelError::Logits {
            architecture: decoder.architecture(),
            position: n_written + 1,
            reason: "have no place for a token of the answer",
        })
    };
    steps.map(of_step).collect()
}

/// Natural logarithms of the probabilities that each of the first `n_tokens` of the vocabulary comes next, as softmax has them.
/// `state` has one row; `token` goes to its end, after so many that were written before.
///
/// # Errors
/// Errors of the decoder; [`ModelError::Logits`] if its logits are not a distribution.
pub(crate) fn next_token<D: Decoder>(
    decoder: &D,
    state: &mut D::State,
    token: u32,
    n_written: usize,
    n_tokens: usize,
) -> Result<Vec<f64>, ModelError> {
    let mut logits = decoder.step(state, &[token])?;
    logits.truncate(n_tokens);
    let rows = rows_of(decoder, &logits, 1, n_written)?;
    Ok(rows.into_iter().flat_map(log_softmax).collect())
}

/// `ln(exp(xᵢ) / Σ exp(xⱼ))`
fn log_softmax(logits: &[f32]) -> Vec<f64> {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let shifted = |value: &f32| f64::from(*value) - f64::from(largest);
    let sum: f64 = logits.iter().map(|value| shifted(value).exp()).sum();
    let log_sum = sum.ln();
    logits
        .iter()
        .map(|value| shifted(value) - log_sum)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Result as EngineResult;

    /// Logits that depend on the last token alone.
    struct Table([[f32; 3]; 3]);

    impl Decoder for Table {
        type State = ();

        fn architecture(&self) -> &'static str {
            "a table"
        }

        fn append(&self, (): &mut (), tokens: &[u32]) -> EngineResult<Vec<f32>> {
            let rows = tokens.iter().flat_map(|token| self.0[*token as usize]);
            Ok(rows.collect())
        }

        fn rearrange(&self, (): &mut (), _: &[usize]) -> EngineResult<()> {
            Ok(())
        }
    }

    /// Probabilities 1/4, 1/4, 1/2 behind 0, and 1/10, 9/10, 0 behind 1.
    fn table() -> Table {
        let ln = f32::ln;
        Table([
            [1.0, 1.0, 1.0 + ln(2.0)],
            [ln(1.0), ln(9.0), f32::NEG_INFINITY],
            [f32::NAN, 0.0, 0.0],
        ])
    }

    #[test]
    fn each_token_is_given_those_before_it() {
        let logs = log_probabilities_of(&table(), (), 0, &[1, 1, 0], 3).unwrap();
        for (log, expected) in logs.iter().zip([0.25_f64, 0.9, 0.1]) {
            assert!((log.exp() - expected).abs() < 1e-6, "{log} {expected}");
        }
        assert_eq!(logs.len(), 3);
    }

    #[test]
    fn tokens_beyond_the_vocabulary_have_no_share() {
        let logs = log_probabilities_of(&table(), (), 0, &[1], 2).unwrap();
        assert!((logs[0].exp() - 0.5).abs() < 1e-7, "{logs:?}");
        let beyond = log_probabilities_of(&table(), (), 0, &[2], 2).unwrap_err();
        assert!(beyond.to_string().contains("no place"), "{beyond}");
    }

    #[test]
    fn logits_that_are_no_numbers_are_refused_at_their_token() {
        let error = log_probabilities_of(&table(), (), 0, &[2, 0], 3).unwrap_err();
        assert!(error.to_string().contains("token 2"), "{error}");
    }
}
