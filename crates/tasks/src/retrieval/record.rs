//! The request, and `retrieval.json`: the results and everything that is needed to repeat them.

use neurogauge::Provenance;
use neurogauge::core::Finding;
use neurogauge::metrics::decoding::retrieval::RetrievalOptions;
use neurogauge::stats::BootstrapOptions;
use serde::Serialize;
use std::path::PathBuf;

/// Raised when the layout of `retrieval.json` changes.
pub(super) const SCHEMA: u32 = 1;

/// Two files of embeddings, and how to search one by the other.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct RetrievalRequest {
    pub brain: PathBuf,
    pub image: PathBuf,
    pub options: RetrievalOptions,
    /// Interval of the expectation, and the level of both intervals.
    pub bootstrap: BootstrapOptions,
}

/// The content of `retrieval.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RetrievalRecord {
    #[serde(flatten)]
    pub provenance: Provenance,
    pub request: RetrievalRequest,
    /// Did rows pair up by ids (else by position)?
    pub paired_by_ids: bool,
    pub n_items: usize,
    pub n_features: usize,
    pub chance: f64,
    pub findings: Vec<Finding>,
    /// Brain to image.
    pub forward: RetrievalEstimate,
    /// Image to brain.
    pub backward: RetrievalEstimate,
}

/// Retrieval in one direction, summed up.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RetrievalEstimate {
    /// Mean share found over the draws of candidates.
    pub mean: f64,
    pub sd: f64,
    /// Normal interval of the mean over draws.
    pub interval: Option<(f64, f64)>,
    pub repeats: Vec<f64>,
    /// The limit of many draws.
    pub expected: Option<f64>,
    /// Its interval for new items and new candidates (convention `identification-intervals`).
    pub expected_interval: Option<(f64, f64)>,
}
