//! Pools the vectors of a text's tokens into one.

use crate::ModelError;
use crate::checkpoint::config_json::{Refusal, read_json};
use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{Sequences, host_values};
use serde_json::{Map, Value};
use std::path::Path;

/// How the vectors of a text's tokens become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenPooling {
    /// The mean of all tokens' vectors, including the first and the last token.
    Mean,
    /// The last token's vector; with causal attention, only that token depends on all others.
    Last,
}

/// sentence-transformers' names of poolings, each after the boolean field that stood for it before version 6.
const POOLINGS: [(&str, &str); 6] = [
    ("pooling_mode_cls_token", "cls"),
    ("pooling_mode_max_tokens", "max"),
    ("pooling_mode_mean_tokens", "mean"),
    ("pooling_mode_mean_sqrt_len_tokens", "mean_sqrt_len_tokens"),
    ("pooling_mode_weightedmean_tokens", "weightedmean"),
    ("pooling_mode_lasttoken", "lasttoken"),
];

impl TokenPooling {
    /// Refuses a file of sentence-transformers that asks for another pooling; the file need not exist.
    pub(super) fn check(self, path: &Path, architecture: &'static str) -> std::result::Result<(), ModelError> {
        if !path.is_file() {
            return Ok(());
        }
        let config: Map<String, Value> = read_json(path)?;
        let found: Vec<String> = match config.get("pooling_mode") {
            Some(Value::Array(names)) => names.iter().map(name).collect(),
            Some(other) => vec![name(other)],
            None => {
                let fields = POOLINGS.iter();
                let is_true = |(field, _): &&(&str, &str)| config.get(*field) == Some(&true.into());
                fields.filter(is_true).map(|(_, name)| (*name).to_owned()).collect()
            }
        };
        // The default is the mean.
        let found = match found.as_slice() {
            [] => "mean".to_owned(),
            names => names.join(" and "),
        };
        let own = match self {
            TokenPooling::Mean => "mean",
            TokenPooling::Last => "lasttoken",
        };
        Refusal { path, architecture }.unless_equal("pooling_mode", &found, own)
    }
}

/// A string as it is, anything else as JSON.
fn name(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// One vector per sequence, row-major, shape (`n_sequences`, `n_features`).
pub(super) fn pooled(tokens: &Tensor, sequences: &Sequences, pooling: TokenPooling) -> Result<Vec<f32>> {
    let (_, n_features) = tokens.dims2()?;
    let tokens = host_values(tokens)?;
    let mut vectors = vec![0.0; sequences.n_sequences() * n_features];
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
    fn a_file_that_asks_for_another_pooling_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("config.json");
        let check = |pooling: TokenPooling, config: &str| {
            std::fs::write(&path, config).unwrap();
            pooling.check(&path, "a net").map_err(|error| error.to_string())
        };
        let (mean, last) = (TokenPooling::Mean, TokenPooling::Last);
        assert!(mean.check(&dir.path().join("none.json"), "a net").is_ok());
        for (pooling, config) in [
            (mean, r#"{"pooling_mode_mean_tokens": true, "pooling_mode_cls_token": false}"#),
            (mean, r#"{"pooling_mode": "mean"}"#),
            (mean, r#"{"word_embedding_dimension": 384}"#),
            (last, r#"{"pooling_mode_mean_tokens": false, "pooling_mode_lasttoken": true}"#),
            (last, r#"{"pooling_mode": ["lasttoken"]}"#),
        ] {
            assert_eq!(check(pooling, config), Ok(()), "{config}");
        }
        for (pooling, config, found, expected) in [
            (mean, r#"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}"#, "cls", "mean"),
            (mean, r#"{"pooling_mode": ["mean", "max"]}"#, "mean and max", "mean"),
            (mean, r#"{"pooling_mode": 3}"#, "3", "mean"),
            (last, r#"{}"#, "mean", "lasttoken"),
        ] {
            let part =
                format!("config.json: pooling_mode is {found}, and this implementation of a net needs {expected}");
            let message = check(pooling, config).unwrap_err();
            assert!(message.ends_with(&part), "{message}");
        }
        assert!(check(mean, "[]").unwrap_err().contains("config.json"));
    }

    #[test]
    fn a_text_is_the_mean_or_the_last_of_its_own_tokens() {
        let rows = [[1_f32, 4.0], [3.0, 0.0], [7.0, -7.0]];
        let tokens = Tensor::new(&rows, &Device::Cpu).unwrap();
        let of = |pooling| pooled(&tokens, &Sequences::new([2, 1]), pooling).unwrap();
        assert_eq!(of(TokenPooling::Mean), [2.0, 2.0, 7.0, -7.0]);
        assert_eq!(of(TokenPooling::Last), [3.0, 0.0, 7.0, -7.0]);
    }
}
