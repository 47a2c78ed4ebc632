//! Errors of metrics.

use neurogauge_core::{Fault, Image, MaskError, Outcome, Side, Undefined};
use neurogauge_stats::StatsError;
use std::fmt::Display;

/// The two observations do not fit together, or an option makes no sense; in words.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MetricError {
    /// Observations do not fit together, or contain invalid values.
    #[error("{0}")]
    Data(String),
    /// An option is out of its range, or does not apply to the observations.
    #[error("{0}")]
    Usage(String),
    /// Run lengths do not form a mask.
    #[error(transparent)]
    Mask(#[from] MaskError),
    /// A statistic refused its inputs.
    #[error(transparent)]
    Stats(#[from] StatsError),
}

impl MetricError {
    pub(crate) fn option(option: &str, found: impl Display, expected: &str) -> Self {
        MetricError::Usage(format!("{option} is {found}; expected {expected}"))
    }

    /// Two images differ in width or height, px.
    pub fn image_sizes(gt: (usize, usize), recon: (usize, usize)) -> Self {
        MetricError::Data(format!(
            "the stimulus is {} x {} px and the reconstruction {} x {} px after resizing; both must have the same shape",
            gt.0, gt.1, recon.0, recon.1
        ))
    }

    /// An image is smaller than the window that slides over it.
    pub(crate) fn too_small(width: usize, height: usize, window: usize) -> Self {
        MetricError::Data(format!("an image of {width} x {height} px is smaller than the {window} px window"))
    }

    pub fn fault(&self) -> Fault {
        match self {
            MetricError::Usage(_) => Fault::Usage,
            MetricError::Data(_) | MetricError::Mask(_) => Fault::Data,
            MetricError::Stats(error) => error.fault(),
        }
    }
}

/// The value of a part of a composite; a missing one is named.
pub(crate) fn part(name: &str, outcome: &Outcome) -> Outcome {
    outcome.as_ref().copied().map_err(|_| Undefined::MissingPart(name.into()))
}

/// Fails unless both images have the same width and height.
pub(crate) fn check_same_size(gt: &Image<f32>, recon: &Image<f32>) -> Result<(), MetricError> {
    let [gt, recon] = [gt, recon].map(|image| (image.width_px(), image.height_px()));
    match gt == recon {
        true => Ok(()),
        false => Err(MetricError::image_sizes(gt, recon)),
    }
}

/// Fails unless both vectors have equal lengths.
pub(crate) fn check_same_length<T>(gt: &[T], recon: &[T]) -> Result<(), MetricError> {
    let (gt, recon) = (gt.len(), recon.len());
    match gt == recon {
        true => Ok(()),
        false => Err(MetricError::Data(format!(
            "the stimulus has {gt} values and the reconstruction {recon}; both must have as many"
        ))),
    }
}

/// Fails unless the score of `what`, a box or a mask, is a confidence.
pub(crate) fn check_confidence(what: &str, index: usize, side: Side, score: f64) -> Result<(), MetricError> {
    match (0.0..=1.0).contains(&score) {
        true => Ok(()),
        false => Err(MetricError::Data(format!(
            "{what} {index} (counted from 0) of the {side} has score {score}; expected a confidence from 0 to 1; \
             rescale logits or percentages first"
        ))),
    }
}
