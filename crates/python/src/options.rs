//! Options of metrics, which Python passes as the JSON that `run.json` contains.

use crate::errors::Failure;
use neurogauge::core::words::{of_word, words};
use serde::de::DeserializeOwned;

/// Reads options; those that are not given have the crate's defaults.
pub(crate) fn read<T: DeserializeOwned>(json: &str) -> Result<T, Failure> {
    serde_json::from_str(json).map_err(|error| {
        let text = error.to_string();
        let reason = text.split(" at line ").next().unwrap_or_default();
        Failure::Usage(format!("options {json}: {reason}"))
    })
}

/// The variant that a word stands for.
pub(crate) fn word<T: DeserializeOwned>(name: &str, word: &str) -> Result<T, Failure> {
    of_word(word).map_err(|_| {
        let known: Vec<String> = words::<T>().iter().map(|word| format!("{word:?}")).collect();
        let (others, last) = known.split_at(known.len().saturating_sub(1));
        Failure::Usage(format!("{name} is {word:?}; expected {} or {}", others.join(", "), last.concat()))
    })
}
