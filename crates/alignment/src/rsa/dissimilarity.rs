//! Dissimilarities of the patterns of all pairs of stimuli.

use super::crossnobis::crossnobis;
use crate::product::{centre_columns, gram};
use crate::{AlignmentError, Matrix, Trials};
use faer::Mat;
use serde::{Deserialize, Serialize};

/// How dissimilar two patterns x and y over n channels (voxels or features) are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dissimilarity {
    /// 1 − r, with Pearson's r over channels.
    #[default]
    Correlation,
    /// 1 − x·y / (|x| |y|).
    Cosine,
    /// |x − y|² / n.
    SquaredEuclidean,
    /// (x − y)′ Σ⁻¹ (x − y) / n, with Σ the noise covariance of trials and the products between different repeats only:
    /// for equal patterns it is 0 on average, so it can be negative. Needs repeats.
    Crossnobis,
}

impl Dissimilarity {
    /// The dissimilarity of features, which have no repeats: crossnobis has the squared Euclidean distance beside it.
    pub fn of_features(self) -> Self {
        match self {
            Dissimilarity::Crossnobis => Dissimilarity::SquaredEuclidean,
            own => own,
        }
    }
}

/// All pairs of `n` stimuli, in the order of their dissimilarities.
pub(super) fn pairs_of(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |i| (i + 1..n).map(move |j| (i, j)))
}

/// The dissimilarities of all pairs of stimuli, in the order (0, 1), (0, 2), ..., (1, 2), ...
///
/// A stimulus without a pattern, or whose pattern has no dissimilarity (a constant one for correlations, zeros for
/// cosines), is missing, and its pairs are NaN.
///
/// ```
/// use neurogauge_alignment::Matrix;
/// use neurogauge_alignment::rsa::{Dissimilarities, Dissimilarity};
/// let patterns = Matrix::from_rows(3, 2, &[0.0, 1.0, 2.0, 1.0, 0.0, 3.0])?;
/// let found = Dissimilarities::of(&patterns, Dissimilarity::SquaredEuclidean)?;
/// assert_eq!(found.values(), [2.0, 2.0, 4.0]);
/// # Ok::<(), neurogauge_alignment::AlignmentError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Dissimilarities {
    is_present: Vec<bool>,
    values: Vec<f64>,
}

impl Dissimilarities {
    /// The dissimilarities of patterns.
    ///
    /// - Shapes: `patterns` (n_stimuli, n_channels). A row of NaN is a missing stimulus.
    /// - Errors: another value that is not finite, no channels, crossnobis (it takes trials).
    /// - Reference: rsatoolbox 0.3.2 (`calc_rdm`, methods correlation and euclidean) and SciPy's `pdist` (cosine), to
    ///   1e-12.
    pub fn of(patterns: &Matrix, dissimilarity: Dissimilarity) -> Result<Self, AlignmentError> {
        let (n, n_channels) = (patterns.n_rows(), patterns.n_columns());
        if n_channels == 0 {
            return Err(AlignmentError::Data("patterns have no channels; expected voxels or features".to_owned()));
        }
        let row = |stimulus: usize| (0..n_channels).map(move |channel| patterns.get(stimulus, channel));
        let mut is_present: Vec<bool> = (0..n).map(|stimulus| !row(stimulus).all(f64::is_nan)).collect();
        for stimulus in (0..n).filter(|&stimulus| is_present[stimulus]) {
            if let Some(channel) = row(stimulus).position(|value| !value.is_finite()) {
                return Err(AlignmentError::Data(format!(
                    "the pattern of stimulus {stimulus} is {} in channel {channel}; expected finite values, or NaN in all channels \
                     of a stimulus that is missing",
                    patterns.get(stimulus, channel)
                )));
            }
        }
        let zero_if_nan = |value: f64| if value.is_nan() { 0.0 } else { value };
        let filled = |stimulus, channel| zero_if_nan(patterns.get(stimulus, channel));
        let products = match dissimilarity {
            Dissimilarity::Crossnobis => {
                return Err(AlignmentError::Usage(
                    "crossnobis takes trials with repeats; choose another dissimilarity for patterns".to_owned(),
                ));
            }
            Dissimilarity::SquaredEuclidean => {
                // Distances do not change, and lose fewer digits.
                let mut rows = Mat::from_fn(n, n_channels, filled);
                centre_columns(&mut rows);
                gram(rows.as_ref())
            }
            Dissimilarity::Correlation | Dissimilarity::Cosine => {
                let mut columns = Mat::from_fn(n_channels, n, |channel, stimulus| filled(stimulus, channel));
                if dissimilarity == Dissimilarity::Correlation {
                    centre_columns(&mut columns);
                }
                gram(columns.transpose())
            }
        };
        let size = |stimulus: usize| products[(stimulus, stimulus)];
        if dissimilarity == Dissimilarity::SquaredEuclidean {
            let distance =
                |i: usize, j: usize| ((size(i) + size(j) - 2.0 * products[(i, j)]) / n_channels as f64).max(0.0);
            return Ok(Self::from_fn(is_present, distance));
        }
        // Rounding leaves a constant pattern next to zero.
        let largest = |stimulus: usize| row(stimulus).fold(0.0, |largest: f64, value| largest.max(value.abs()));
        for (stimulus, is_present) in is_present.iter_mut().enumerate() {
            *is_present &= size(stimulus).sqrt() > 1e-12 * largest(stimulus) * (n_channels as f64).sqrt();
        }
        let similarity = |i: usize, j: usize| products[(i, j)] / (size(i).sqrt() * size(j).sqrt());
        Ok(Self::from_fn(is_present, |i, j| (1.0 - similarity(i, j)).clamp(0.0, 2.0)))
    }

    /// The dissimilarities of the mean responses to stimuli; crossnobis is computed from the trials themselves.
    pub fn of_trials(trials: &Trials, dissimilarity: Dissimilarity) -> Result<Self, AlignmentError> {
        match dissimilarity {
            Dissimilarity::Crossnobis => crossnobis(trials),
            _ => Self::of(&trials.means(), dissimilarity),
        }
    }

    /// `value` of each pair of stimuli that are not missing.
    pub fn from_fn(is_present: Vec<bool>, value: impl Fn(usize, usize) -> f64) -> Self {
        let values = pairs_of(is_present.len()).map(|(i, j)| match is_present[i] && is_present[j] {
            true => value(i, j),
            false => f64::NAN,
        });
        Dissimilarities {
            values: values.collect(),
            is_present,
        }
    }

    /// The same dissimilarities among `n_stimuli` stimuli: `places` are the positions of these, in ascending order, and
    /// the others are missing.
    pub fn among(&self, places: &[usize], n_stimuli: usize) -> Self {
        let mut own = vec![None; n_stimuli];
        places.iter().enumerate().for_each(|(stimulus, &place)| own[place] = Some(stimulus));
        let is_present = own.iter().map(|own| own.is_some_and(|own| self.is_present[own])).collect();
        Self::from_fn(is_present, |i, j| match (own[i], own[j]) {
            (Some(i), Some(j)) => self.get(i, j),
            _ => f64::NAN,
        })
    }

    pub fn n_stimuli(&self) -> usize {
        self.is_present.len()
    }

    /// Which stimuli are not missing.
    pub fn is_present(&self) -> &[bool] {
        &self.is_present
    }

    /// One value for each pair.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// All as a square, row after row, with 0 on the diagonal.
    pub fn square(&self) -> Vec<f64> {
        let value = |i: usize, j: usize| match (i == j, self.is_present[i]) {
            (true, true) => 0.0,
            (true, false) => f64::NAN,
            (false, _) => self.get(i, j),
        };
        (0..self.n_stimuli()).flat_map(|i| (0..self.n_stimuli()).map(move |j| value(i, j))).collect()
    }

    /// The dissimilarity of two different stimuli.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        let (i, j) = (i.min(j), i.max(j));
        self.values[i * (2 * self.n_stimuli() - i - 1) / 2 + j - i - 1]
    }
}
