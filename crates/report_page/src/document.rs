//! The document that the page's script reads. `page/src/data.ts` documents each field.

use neurogauge::core::{DetailsByMetric, Direction};
use neurogauge::metrics::decoding::identification::IdentificationDirection;
use serde::Serialize;
use std::collections::BTreeMap;

/// Must equal `LAYOUT` in `data.ts`.
pub(crate) const LAYOUT: u32 = 2;

#[derive(Debug, Default, Serialize)]
pub(crate) struct Document {
    pub(crate) layout: u32,
    pub(crate) title: String,
    pub(crate) systems: Vec<String>,
    pub(crate) stems: Vec<String>,
    #[serde(flatten)]
    pub(crate) scored: ScorePart,
    pub(crate) headline: usize,
    pub(crate) human: Option<Human>,
    pub(crate) stimuli: Observed,
    pub(crate) reconstructions: Vec<Observed>,
    pub(crate) details: Vec<Vec<Option<DetailsByMetric>>>,
    pub(crate) identification: Vec<Identification>,
    pub(crate) near_misses: Vec<Option<NearMisses>>,
    pub(crate) map: Option<PairMap>,
    pub(crate) copies: BTreeMap<&'static str, String>,
    pub(crate) downloads: BTreeMap<String, Download>,
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct ScorePart {
    pub(crate) metrics: Vec<MetricEntry>,
    pub(crate) reasons: Vec<String>,
    pub(crate) scores: Vec<Vec<Option<Scores>>>,
    pub(crate) differences: Vec<Difference>,
    /// The columns of the strip by system and metric.
    pub(crate) strips: Vec<Vec<Vec<StripColumn>>>,
}

/// The name of a column of the strip, and its pair.
pub(crate) type StripColumn = (&'static str, usize);

#[derive(Debug, Serialize)]
pub(crate) struct MetricEntry {
    pub(crate) id: &'static str,
    pub(crate) label: String,
    pub(crate) about: &'static str,
    pub(crate) direction: Direction,
    pub(crate) chance: Option<f64>,
    pub(crate) decimals: usize,
    pub(crate) stand_in: bool,
    /// Smallest and largest possible value; only the overview uses it.
    #[serde(skip)]
    pub(crate) range: (f64, f64),
}

impl MetricEntry {
    /// The mark after the name and every number of a metric that depends on a placeholder model.
    pub(crate) fn dagger(&self) -> &'static str {
        if self.stand_in { "†" } else { "" }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct Scores {
    pub(crate) values: Vec<Option<f64>>,
    pub(crate) undefined: Vec<(usize, usize)>,
    pub(crate) mean: Option<f64>,
    pub(crate) interval: Option<(f64, f64)>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Difference {
    pub(crate) metric: &'static str,
    pub(crate) a: usize,
    pub(crate) b: usize,
    pub(crate) difference: Option<f64>,
    pub(crate) interval: Option<(f64, f64)>,
    pub(crate) p_holm: Option<f64>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Human {
    pub(crate) label: String,
    pub(crate) values: Vec<Vec<Option<f64>>>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Identification {
    pub(crate) system: usize,
    pub(crate) metric: usize,
    pub(crate) direction: IdentificationDirection,
    pub(crate) pool: Option<Vec<String>>,
    pub(crate) pairs: Vec<Option<PairRank>>,
    pub(crate) not_shown: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct PairMap {
    /// The metric whose features are used.
    pub(crate) features: String,
    pub(crate) at: Vec<Option<[f64; 2]>>,
    /// The two axes' shares of the variance.
    pub(crate) shares: [f64; 2],
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct PairRank {
    pub(crate) rank: usize,
    pub(crate) tied: usize,
    pub(crate) others: usize,
    pub(crate) own: f64,
    pub(crate) nearest: Vec<(usize, f64)>,
}

#[derive(Debug, Default, PartialEq, Serialize)]
pub(crate) struct NearMisses {
    pub(crate) names: Vec<String>,
    pub(crate) groups: Vec<usize>,
    pub(crate) found: Vec<NearMissEntry>,
    pub(crate) n_pairs: usize,
}

/// The pair, the missed category, and the categories found instead.
pub(crate) type NearMissEntry = (usize, usize, Vec<usize>);

#[derive(Debug, Default, Serialize)]
pub(crate) struct Observed {
    pub(crate) captions: Option<Vec<Vec<String>>>,
    pub(crate) boxes: Option<Vec<Vec<BoxEntry>>>,
    pub(crate) masks: Option<Vec<Vec<MaskEntry>>>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct BoxEntry {
    pub(crate) at: [f64; 4],
    pub(crate) name: String,
    pub(crate) score: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct MaskEntry {
    pub(crate) name: String,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) runs: Vec<u32>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Download {
    pub(crate) name: String,
    pub(crate) text: String,
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct Images {
    pub(crate) prefix: String,
    pub(crate) stimuli: Vec<Option<String>>,
    pub(crate) reconstructions: Vec<Vec<Option<String>>>,
    pub(crate) parts: Option<Parts>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Parts {
    pub(crate) images: Vec<String>,
    pub(crate) stimuli: Vec<ItemParts>,
    pub(crate) reconstructions: Vec<Vec<ItemParts>>,
}

pub(crate) type ItemParts = Vec<Part>;

#[derive(Debug, Serialize)]
pub(crate) struct Part {
    pub(crate) name: String,
    /// Indices into the images.
    pub(crate) frames: Vec<usize>,
    /// Number of frames, including those that are left out.
    pub(crate) of: usize,
}
