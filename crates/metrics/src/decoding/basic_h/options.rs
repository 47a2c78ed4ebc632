//! Options that affect the value of BASIC-H.

use crate::MetricError;
use serde::{Deserialize, Serialize};

/// The rules that provide the defaults of all other options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BasicPreset {
    /// The text of the BASIC paper: whole words, optimal assignment, weights 4:4:2.
    #[default]
    Basic,
    /// The published code of CAPTURE, which BASIC-H builds on: substrings, the first match in order,
    /// 1e-6 in every denominator, weights 5:5:2.
    Capture,
}

/// When a phrase that is part of another counts as its synonym.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Containment {
    /// Its words are in the other phrase, in order and adjacent: "track" in "race track".
    WholeWords,
    /// Its letters are in the other phrase: "car" in "carpet".
    Substring,
    /// A part never counts.
    Off,
}

/// How an element's partner is chosen among several possible ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Assignment {
    /// As many pairs as possible and, among such assignments, the most shared synonyms.
    Optimal,
    /// Each element of the reconstruction, in turn, takes the first free one of the stimulus.
    Greedy,
}

/// What elements without an exact match or a synonym count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SoftMatching {
    /// The cosine with the most similar unmatched element of the other side.
    #[default]
    PerSideMaximum,
    /// The cosine with its partner in the one-to-one assignment with the largest sum.
    OneToOne,
    /// Zero; no embeddings are needed.
    Off,
}

/// What a cosine below 0 counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NegativeCosines {
    /// 0, so that an element without any match does not reduce what another one earned.
    Zero,
    /// The cosine itself.
    Kept,
}

/// Options of [`normalise`](super::normalise()) and [`keep_nouns`](super::keep_nouns).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NormaliseOptions {
    /// Are objects reduced to their base form as nouns, and attributes as adjectives?
    pub lemmas: bool,
    /// Are attributes that contain " of" removed?
    pub drop_of: bool,
    /// Objects that do not count, in base form.
    pub stop_words: Vec<String>,
    /// Do only things count that a noun of the caption names?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub noun_filter: bool,
}

impl Default for NormaliseOptions {
    fn default() -> Self {
        NormaliseOptions {
            lemmas: true,
            drop_of: true,
            stop_words: Vec::new(),
            noun_filter: false,
        }
    }
}

/// Options of BASIC-H; `None` means the preset's value.
///
/// ```
/// use neurogauge_metrics::decoding::basic_h::{BasicHOptions, BasicPreset};
/// let capture = BasicHOptions { preset: BasicPreset::Capture, ..BasicHOptions::default() };
/// assert_eq!(capture.rules().unwrap().weights, [0.5, 0.5, 0.2]);
/// assert_eq!(BasicHOptions::default().rules().unwrap().weights, [0.4, 0.4, 0.2]);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BasicHOptions {
    pub preset: BasicPreset,
    pub containment: Option<Containment>,
    pub assignment: Option<Assignment>,
    /// Do phrases that share a lemma in WordNet match?
    pub synonyms: bool,
    pub soft: SoftMatching,
    pub negative_cosines: Option<NegativeCosines>,
    pub epsilon: Option<f64>,
    /// Weights of the F1 of objects, attributes and relations; only their ratio matters.
    pub weights: Option<[f64; 3]>,
    /// How graphs are prepared.
    pub normalise: NormaliseOptions,
}

impl Default for BasicHOptions {
    fn default() -> Self {
        BasicHOptions {
            preset: BasicPreset::default(),
            containment: None,
            assignment: None,
            synonyms: true,
            soft: SoftMatching::default(),
            negative_cosines: None,
            epsilon: None,
            weights: None,
            normalise: NormaliseOptions::default(),
        }
    }
}

/// The effective rules: a preset with the requested changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    pub containment: Containment,
    pub assignment: Assignment,
    pub synonyms: bool,
    pub soft: SoftMatching,
    pub negative_cosines: NegativeCosines,
    pub epsilon: f64,
    pub weights: [f64; 3],
}

impl BasicHOptions {
    /// The effective rules.
    ///
    /// # Errors
    /// A weight or an epsilon is negative or not finite; all weights are 0.
    pub fn rules(&self) -> Result<Rules, MetricError> {
        let (containment, assignment, negative_cosines, epsilon, weights) = match self.preset {
            BasicPreset::Basic => {
                (Containment::WholeWords, Assignment::Optimal, NegativeCosines::Zero, 0.0, [0.4, 0.4, 0.2])
            }
            BasicPreset::Capture => {
                (Containment::Substring, Assignment::Greedy, NegativeCosines::Kept, 1e-6, [0.5, 0.5, 0.2])
            }
        };
        let rules = Rules {
            containment: self.containment.unwrap_or(containment),
            assignment: self.assignment.unwrap_or(assignment),
            synonyms: self.synonyms,
            soft: self.soft,
            negative_cosines: self.negative_cosines.unwrap_or(negative_cosines),
            epsilon: self.epsilon.unwrap_or(epsilon),
            weights: self.weights.unwrap_or(weights),
        };
        let holds = |value: f64| value.is_finite() && value >= 0.0;
        if !holds(rules.epsilon) {
            return Err(MetricError::option("epsilon of BASIC-H", rules.epsilon, "a finite number, 0 or more"));
        }
        let sum: f64 = rules.weights.iter().sum();
        if !rules.weights.iter().all(|&weight| holds(weight)) || sum == 0.0 || !sum.is_finite() {
            let expected = "three finite numbers, 0 or more, not all 0";
            return Err(MetricError::option("weights of BASIC-H", format!("{:?}", rules.weights), expected));
        }
        Ok(rules)
    }

    /// Is a dictionary needed?
    pub fn needs_lexicon(&self) -> bool {
        self.synonyms || self.normalise.lemmas
    }

    /// Are embeddings of phrases needed?
    pub fn needs_embeddings(&self) -> bool {
        self.soft != SoftMatching::Off
    }
}
