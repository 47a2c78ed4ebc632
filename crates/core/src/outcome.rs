//! The outcome of comparing two observations: a number, or the reason why there is none.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// The value of a metric for one pair, or why it has none.
///
/// Three different things are kept apart in this project: an *error* (the computation could not be done), [`Undefined`]
/// (it was done, and there is no value) and a [`Finding`](crate::Finding) (there is a value, and users should know
/// something about it).
pub type Outcome = Result<f64, Undefined>;

/// One side of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The stimulus that was shown (ground truth).
    Gt,
    /// The reconstruction, decoded from the brain.
    Recon,
}

impl Side {
    /// Both sides, stimulus first.
    pub const BOTH: [Side; 2] = [Side::Gt, Side::Recon];

    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::Gt => Side::Recon,
            Side::Recon => Side::Gt,
        }
    }

    /// The folder name of this side inside an observations folder.
    pub fn folder(self) -> &'static str {
        match self {
            Side::Gt => "gt",
            Side::Recon => "recon",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Gt => "stimulus",
            Side::Recon => "reconstruction",
        })
    }
}

/// Why a metric has no value for a pair.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Undefined {
    /// All values of a side are equal, so it has no variance to correlate.
    Constant(Side),
    /// A side holds NaN or an infinity.
    NonFinite(Side),
    /// A side holds nothing to compare.
    Empty(Side),
    /// No category of a side reaches the threshold (or the side's highest score is zero).
    NoCategories(Side),
    /// The two sides are equal, and the metric diverges there.
    Identical,
    /// A part of a composite metric has no value.
    MissingPart(String),
    NoCaption(Side),
    NoSceneGraph(Side),
    /// No detector looked at a side.
    NoDetections(Side),
    /// A model could not describe a side by features.
    NoFeatures(Side),
    /// There is no other image that the right one could be mistaken for.
    EmptyPool,
    /// No pair has a value.
    NoPairs,
    /// A metric gives all items the same score.
    ConstantMetric,
    /// People give all items the same score.
    TiedRatings,
    /// There are fewer than two items to compare.
    TooFewItems,
    /// No item was rated by two raters.
    NoSharedRatings,
    /// Two metrics order and space all items identically.
    IdenticalMetrics,
    /// A fold of a cross-validation has fewer than two items.
    TooFewItemsPerFold,
    /// No subset of the metrics has a value.
    NoSubset,
    /// No metric agrees with the human score, so none gets a weight.
    NoPositiveWeight,
    /// Scores are so large that their combination is not finite.
    Overflow,
    /// A reason specific to the metric, in words that continue "undefined: ". It must not hold numbers of the pair,
    /// because tables count pairs by their reason.
    Because(Cow<'static, str>),
    /// Read back from a file that keeps only the reason's text.
    Recorded(String),
}

impl Undefined {
    /// The side at fault, found from the reason's words, since files keep nothing else of a reason.
    ///
    /// ```
    /// use neurogauge_core::{Side, Undefined};
    /// assert_eq!(Undefined::Constant(Side::Recon).fault(), Some(Side::Recon));
    /// assert_eq!(Undefined::Recorded("no caption of the stimulus".into()).fault(), Some(Side::Gt));
    /// assert_eq!(Undefined::Identical.fault(), None);
    /// ```
    pub fn fault(&self) -> Option<Side> {
        let words = self.to_string();
        Side::BOTH.into_iter().find(|side| words.contains(&side.to_string()))
    }
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undefined::Constant(side) => write!(f, "constant {side}"),
            Undefined::NonFinite(side) => write!(f, "non-finite value in the {side}"),
            Undefined::Empty(side) => write!(f, "empty {side}"),
            Undefined::NoCategories(side) => write!(f, "no category detected in the {side}"),
            Undefined::NoCaption(side) => write!(f, "no caption of the {side}"),
            Undefined::NoSceneGraph(side) => write!(f, "no scene graph of the {side}"),
            Undefined::NoDetections(side) => write!(f, "no detections of the {side}"),
            Undefined::NoFeatures(side) => write!(f, "no features of the {side}"),
            Undefined::Identical => f.write_str("identical images"),
            Undefined::MissingPart(part) => write!(f, "{part} is undefined"),
            Undefined::EmptyPool => f.write_str("no other image to tell it from"),
            Undefined::NoPairs => f.write_str("no pair has a value"),
            Undefined::ConstantMetric => f.write_str("constant metric"),
            Undefined::TiedRatings => f.write_str("all ratings are tied"),
            Undefined::TooFewItems => f.write_str("fewer than two items to compare"),
            Undefined::NoSharedRatings => f.write_str("no item was rated by two raters"),
            Undefined::IdenticalMetrics => f.write_str("the metrics are identical"),
            Undefined::TooFewItemsPerFold => f.write_str("fewer than two items in a fold"),
            Undefined::NoSubset => f.write_str("no subset of the metrics has a value"),
            Undefined::NoPositiveWeight => f.write_str("no metric goes with the human score"),
            Undefined::Overflow => f.write_str("scores too large to combine"),
            Undefined::Because(reason) => f.write_str(reason),
            Undefined::Recorded(reason) => f.write_str(reason),
        }
    }
}

/// The JSON form of a value or the reason why there is none: `{"value": 0.9, "undefined": null}`,
/// `{"value": null, "undefined": "identical images"}`. For fields, as `#[serde(with = "neurogauge_core::recorded")]`;
/// with `flatten` beside the other fields of a struct. Read back, a reason is [`Undefined::Recorded`].
pub mod recorded {
    use super::Undefined;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Recorded<T> {
        value: Option<T>,
        undefined: Option<String>,
    }

    impl<T> Recorded<T> {
        fn of(outcome: &Result<T, Undefined>) -> Recorded<&T> {
            Recorded {
                value: outcome.as_ref().ok(),
                undefined: outcome.as_ref().err().map(ToString::to_string),
            }
        }

        fn outcome<E: Error>(self) -> Result<Result<T, Undefined>, E> {
            match (self.value, self.undefined) {
                (Some(value), None) => Ok(Ok(value)),
                (None, Some(reason)) => Ok(Err(Undefined::Recorded(reason))),
                _ => Err(E::custom("expected either a value or why it is undefined")),
            }
        }
    }

    pub fn serialize<T: Serialize, S: Serializer>(
        outcome: &Result<T, Undefined>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        Recorded::of(outcome).serialize(serializer)
    }

    /// # Errors
    /// Neither or both of a value and a reason are present; errors of the deserializer.
    pub fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Result<T, Undefined>, D::Error> {
        Recorded::deserialize(deserializer)?.outcome()
    }

    /// The JSON form of a list of these.
    pub mod each {
        use super::{Deserialize, Deserializer, Recorded, Serialize, Serializer, Undefined};

        pub fn serialize<T: Serialize, S: Serializer>(
            outcomes: &[Result<T, Undefined>],
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            serializer.collect_seq(outcomes.iter().map(Recorded::of))
        }

        /// # Errors
        /// As [`deserialize`](super::deserialize).
        pub fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Vec<Result<T, Undefined>>, D::Error> {
            let all = Vec::<Recorded<T>>::deserialize(deserializer)?;
            all.into_iter().map(Recorded::outcome).collect()
        }
    }
}
