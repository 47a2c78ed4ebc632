//! Options of metrics, which Python passes as the JSON that `run.json` contains.

use crate::errors::Failure;
use neurogauge::align::AlignSettings;
use neurogauge::core::words::{of_word, words};
use neurogauge::formats::parser_words::of_json;
use neurogauge::metrics::decoding::retrieval::RetrievalOptions;
use neurogauge::{CompareOptions, conventions};
use pyo3::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::json;
use std::collections::BTreeMap;

/// Reads options; those that are not given have the crate's defaults.
pub(crate) fn read<T: DeserializeOwned>(json: &str) -> Result<T, Failure> {
    serde_json::from_str(json).map_err(|error| Failure::Usage(format!("options {json}: {}", of_json(&error))))
}

/// Defaults that Python's functions repeat in their signatures, as JSON: those of conventions in words.
#[pyfunction]
pub(crate) fn defaults() -> String {
    let of_conventions: BTreeMap<&str, String> = conventions().map(|own| (own.id, own.default())).collect();
    json!({
        "conventions": of_conventions,
        "align": AlignSettings::default(),
        "compare": CompareOptions::default(),
        "retrieval": RetrievalOptions::default(),
    })
    .to_string()
}

/// The variant that a word stands for.
pub(crate) fn word<T: DeserializeOwned>(name: &str, word: &str) -> Result<T, Failure> {
    of_word(word).map_err(|_| {
        let known: Vec<String> = words::<T>().iter().map(|word| format!("{word:?}")).collect();
        let (others, last) = known.split_at(known.len().saturating_sub(1));
        Failure::Usage(format!("{name} is {word:?}; expected {} or {}", others.join(", "), last.concat()))
    })
}
