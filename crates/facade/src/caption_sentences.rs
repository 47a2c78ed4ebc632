//! How captions are split into sentences: by Punkt with the user's parameters, or by our own rules.

use crate::Error;
use neurogauge_formats::input_record::InputRecord;
use neurogauge_language::{PunktParameters, SentenceSplitter};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The rules that split captions into sentences (convention `sentences-punkt`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentenceRecipe {
    /// `punkt` for Punkt with the user's parameters, or `own`.
    pub rules: String,
    /// SHA-256 of the parameters' files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters_sha256: Option<String>,
}

/// A splitter, its record and its warnings.
#[derive(Debug)]
pub(crate) struct CaptionSentences {
    pub(crate) splitter: SentenceSplitter,
    pub(crate) recipe: SentenceRecipe,
}

impl CaptionSentences {
    /// Punkt with the parameters in a folder, or our own rules without a folder.
    pub(crate) fn of(folder: Option<&Path>) -> Result<Self, Error> {
        let (splitter, record) = match folder {
            Some(folder) => (SentenceSplitter::open(folder)?, Some(record(folder)?)),
            None => (SentenceSplitter::with_own_rules(), None),
        };
        let recipe = SentenceRecipe {
            rules: splitter.rules().name().to_owned(),
            parameters_sha256: record.map(|record| record.sha256),
        };
        Ok(CaptionSentences { splitter, recipe })
    }
}

/// The files of Punkt's parameters as an input of a run.
pub(crate) fn record(folder: &Path) -> Result<InputRecord, Error> {
    let files = &PunktParameters::FILES;
    Ok(InputRecord::of_files("punkt".to_owned(), folder, files)?)
}
