//! Tests of `generation::probabilities`.

use candle_core::Result as EngineResult;
use neurogauge_kernels::generation::*;

/// Logits that depend only on the last token.
struct Table([[f32; 3]; 3]);

impl Decoder for Table {
    type State = ();

    fn architecture(&self) -> &'static str {
        "a table"
    }

    fn append(&self, (): &mut (), tokens: &[u32]) -> EngineResult<Vec<f32>> {
        Ok(tokens.iter().flat_map(|token| self.0[*token as usize]).collect())
    }

    fn rearrange(&self, (): &mut (), _: &[usize]) -> EngineResult<()> {
        Ok(())
    }
}

/// Probabilities 1/4, 1/4, 1/2 after token 0, and 1/10, 9/10, 0 after token 1.
fn table() -> Table {
    let ln = f32::ln;
    Table([[1.0, 1.0, 1.0 + ln(2.0)], [ln(1.0), ln(9.0), f32::NEG_INFINITY], [f32::NAN, 0.0, 0.0]])
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
