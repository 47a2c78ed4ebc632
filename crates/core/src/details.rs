//! The details behind an outcome: what was matched, missed and invented.

use crate::{Dimension, Outcome};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How two things were found to be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MatchedBy {
    /// They are equal.
    Exact,
    /// Their words are synonyms, or one's words are among the other's.
    Synonym,
    /// Their embeddings are similar.
    Embedding,
}

impl MatchedBy {
    /// The name in files.
    pub fn id(self) -> &'static str {
        match self {
            MatchedBy::Exact => "exact",
            MatchedBy::Synonym => "synonym",
            MatchedBy::Embedding => "embedding",
        }
    }
}

/// One thing that was matched, missed or invented: an object's name, a category, a mask, a class.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DetailEntry {
    pub reference: Option<String>,
    pub reconstruction: Option<String>,
    /// How the two were found to be the same, if the metric has more than one way.
    pub how: Option<MatchedBy>,
    /// Similarity of the two, if the score depends on it: a cosine, or the overlap (IoU) of masks.
    pub similarity: Option<f64>,
    /// The highest threshold of a detector's scores at which this holds.
    pub threshold: Option<f64>,
    /// What the stimulus' entry is about, in a scene graph.
    pub reference_dimension: Option<Dimension>,
    /// What the reconstruction's entry is about, in a scene graph.
    pub reconstruction_dimension: Option<Dimension>,
}

impl DetailEntry {
    /// An entry of two names; `None` for a side that has nothing.
    pub fn of(reference: Option<&str>, reconstruction: Option<&str>) -> Self {
        DetailEntry {
            reference: reference.map(str::to_owned),
            reconstruction: reconstruction.map(str::to_owned),
            ..DetailEntry::default()
        }
    }
}

/// Everything that was matched, missed and invented in a pair, at one level of a metric.
///
/// ```
/// use neurogauge_core::{DetailEntry, LevelDetails};
/// let details = LevelDetails {
///     matched: vec![DetailEntry::of(Some("dog"), Some("dog"))],
///     missed: vec![DetailEntry::of(Some("cat"), None)],
///     invented: Vec::new(),
/// };
/// let kinds: Vec<&str> = details.rows().map(|(kind, _)| kind).collect();
/// assert_eq!(kinds, ["matched", "missed"]);
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelDetails {
    /// What both have.
    pub matched: Vec<DetailEntry>,
    /// What only the stimulus has.
    pub missed: Vec<DetailEntry>,
    /// What only the reconstruction has.
    pub invented: Vec<DetailEntry>,
}

impl LevelDetails {
    /// Every entry with the name of its list.
    pub fn rows(&self) -> impl Iterator<Item = (&'static str, &DetailEntry)> {
        let lists = [("matched", &self.matched), ("missed", &self.missed), ("invented", &self.invented)];
        lists.into_iter().flat_map(|(kind, list)| list.iter().map(move |entry| (kind, entry)))
    }
}

/// LevelDetails by metric (or the metric that names its family, such as `object_f1`) and by level.
pub type DetailsByMetric = BTreeMap<String, BTreeMap<String, LevelDetails>>;

/// The details behind the outcomes of a pair.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PairDetails {
    pub stem: String,
    #[serde(flatten)]
    pub metrics: DetailsByMetric,
}

/// The details of one level: the metric that names its family, the level, what was found.
pub type NamedLevel = (&'static str, &'static str, LevelDetails);

impl PairDetails {
    /// Adds details; if a level exists already (metrics of a family have the same details), the first ones stay.
    ///
    /// ```
    /// use neurogauge_core::{DetailEntry, LevelDetails, PairDetails};
    /// let missed = LevelDetails { missed: vec![DetailEntry::of(Some("dog"), None)], ..LevelDetails::default() };
    /// let mut pair = PairDetails::default();
    /// pair.add(vec![("object_f1", "categories", missed), ("object_f1", "categories", LevelDetails::default())]);
    /// assert_eq!(pair.metrics["object_f1"]["categories"].missed.len(), 1);
    /// ```
    pub fn add(&mut self, details: Vec<NamedLevel>) {
        for (metric, level, found) in details {
            let levels = self.metrics.entry(metric.to_owned()).or_default();
            levels.entry(level.to_owned()).or_insert(found);
        }
    }
}

/// An outcome and the details behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Explained {
    /// The value, or why there is none.
    pub outcome: Outcome,
    /// The details; empty for metrics that match nothing.
    pub details: Vec<NamedLevel>,
}

impl From<Outcome> for Explained {
    fn from(outcome: Outcome) -> Self {
        Explained {
            outcome,
            details: Vec::new(),
        }
    }
}

impl Explained {
    pub fn by(outcome: Outcome, metric: &'static str, level: &'static str, details: LevelDetails) -> Self {
        Explained {
            outcome,
            details: vec![(metric, level, details)],
        }
    }
}
