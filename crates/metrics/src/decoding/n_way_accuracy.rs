//! Classification accuracy: whether a classifier sees the stimulus' class in the reconstruction.

use super::identification::{Draws, IdentificationOptions, Ties};
use crate::MetricError;
use crate::class_names::class_name;
use crate::error::check_same_length;
use neurogauge_core::{DetailEntry, FeatureValue, LevelDetails, Outcome, Side, Undefined};
use serde::{Deserialize, Serialize};

/// Options of [`n_way_accuracy`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NWayOptions {
    /// This many of the stimulus' most probable classes count as right.
    pub right_classes: usize,
    /// A right class must be among this number of the most probable.
    pub top_k: usize,
    pub ties: Ties,
    pub draws: Draws,
}

impl Default for NWayOptions {
    fn default() -> Self {
        NWayOptions {
            right_classes: 3,
            top_k: 1,
            ties: Ties::default(),
            draws: Draws::default(),
        }
    }
}

impl NWayOptions {
    /// The probability of success if the reconstruction's probabilities carry no information about the stimulus: one of
    /// the right classes is among the `top_k` of all right classes and `n_way` − 1 wrong ones, 1 − Π_{i < k} (n − 1 −
    /// i) / (n − 1 + c − i) for c right classes; c / (n − 1 + c) for k = 1.
    ///
    /// ```
    /// use neurogauge_metrics::decoding::n_way_accuracy::NWayOptions;
    /// let options = NWayOptions::default();
    /// assert!((options.chance(2) - 0.75).abs() < 1e-15); // not 0.5
    /// assert!((options.chance(50) - 3.0 / 52.0).abs() < 1e-15);
    /// let one_class = NWayOptions { right_classes: 1, ..options };
    /// assert!((one_class.chance(50) - 0.02).abs() < 1e-15);
    /// ```
    pub fn chance(&self, n_way: usize) -> f64 {
        let wrong = n_way.saturating_sub(1) as f64;
        let all = wrong + self.right_classes as f64;
        let none_right = (0..self.top_k).map(|i| i as f64).map(|i| (wrong - i).max(0.0) / (all - i).max(1.0));
        1.0 - none_right.product::<f64>()
    }

    fn identification(&self, n_way: usize) -> IdentificationOptions {
        IdentificationOptions {
            n_way,
            top_k: self.top_k,
            ties: self.ties,
            draws: self.draws,
            ..IdentificationOptions::default()
        }
    }
}

/// N-way top-k classification accuracy, the field's "50-way top-1" (MinD-Vis, MinD-Video and what
/// follows them): a classifier gives each image a probability for every class, the c most probable
/// classes of the stimulus are right, and one of them is to be among the k most probable of itself and
/// N − 1 wrong classes in the reconstruction.
///
/// All right classes are compared with the same draw, so the most probable of them decides. With p the
/// reconstruction's probabilities, p* the largest of a right class, M wrong classes and
/// r = #{wrong classes j : p_j ≥ p*}, the accuracy of a pair is the probability that fewer than k of the N − 1
/// drawn without replacement from the M are among the r; for k = 1
///
/// C(M − r, N − 1) / C(M, N − 1).
///
/// **Shapes.** One probability (or logit: only their order counts) for each class, for the stimulus and the
/// reconstruction; `pair` is the position of the pair, which gives seeded draws a stream of their own.
///
/// **Range.** 0 to 1, higher is better. Chance level [`NWayOptions::chance`]: with three right classes 3/(N + 2), so
/// 0.75 for two ways and 0.058 for fifty, not 1/N.
///
/// **Conventions.** `n-way-classes`, `n-way-draws`, `identification-ties`. Of equally probable classes of the
/// stimulus the first is taken.
///
/// **Undefined.** A side that is empty, constant or not finite; fewer wrong classes than are to be drawn.
///
/// **Errors.** vectors of different lengths, fewer than two ways, no right class, a k of N or more, or no draws.
///
/// **Reference.** A NumPy sampler that draws class by class, within its own error; `scipy.stats.hypergeom` 1.17.1 to
/// 1e-12 for the closed form.
///
/// ```
/// use neurogauge_metrics::decoding::n_way_accuracy::{NWayOptions, n_way_accuracy};
/// let stimulus = [0.5, 0.2, 0.2, 0.1, 0.0, 0.0];
/// // The right classes are the first three; one of the three others is more probable.
/// let reconstruction = [0.1, 0.25, 0.05, 0.4, 0.15, 0.05];
/// let options = NWayOptions::default();
/// let accuracy = |ways| n_way_accuracy(&stimulus, &reconstruction, ways, 0, &options).unwrap();
/// assert!((accuracy(2).unwrap() - 2.0 / 3.0).abs() < 1e-15);
/// assert!((accuracy(3).unwrap() - 1.0 / 3.0).abs() < 1e-15);
/// assert_eq!(accuracy(4), Ok(0.0));
/// assert!(accuracy(5).is_err());
/// ```
pub fn n_way_accuracy<T: FeatureValue>(
    gt: &[T],
    recon: &[T],
    n_way: usize,
    pair: usize,
    options: &NWayOptions,
) -> Result<Outcome, MetricError> {
    check_same_length(gt, recon)?;
    if options.right_classes == 0 {
        return Err(MetricError::option("the number of right classes", "0", "at least 1"));
    }
    let ranked = options.identification(n_way);
    ranked.check(0)?;
    for (side, probabilities) in [(Side::Gt, gt), (Side::Recon, recon)] {
        if let Some(reason) = defect(side, probabilities) {
            return Ok(Err(reason));
        }
    }
    let classes = by_probability(gt);
    let (right, wrong) = classes.split_at(options.right_classes.min(classes.len()));
    if wrong.len() + 1 < n_way {
        return Ok(Err(Undefined::Because("fewer classes than are to be drawn".into())));
    }
    let own = right.iter().map(|&class| recon[class].into()).fold(f64::MIN, f64::max);
    let wrong: Vec<f64> = wrong.iter().map(|&class| recon[class].into()).collect();
    Ok(ranked.outcome(pair, own, &wrong))
}

/// Classes, the most probable first; among equally probable ones, in order.
fn by_probability<T: FeatureValue>(probabilities: &[T]) -> Vec<usize> {
    let mut classes: Vec<usize> = (0..probabilities.len()).collect();
    // Adding zero makes a negative zero positive: the two are equally probable.
    let of = |class: usize| -> f64 { probabilities[class].into() + 0.0 };
    classes.sort_by(|&a, &b| of(b).total_cmp(&of(a)));
    classes
}

/// The classes behind [`n_way_accuracy`], by name: the right ones (the stimulus' most probable) and the
/// reconstruction's most probable one. If the latter is right, it is matched; otherwise the right ones are missed and
/// it is invented.
///
/// Names are ImageNet's if there are 1000 classes, otherwise numbers ([`class_name`]). If the probabilities of a side
/// rank no class, the result is empty.
///
/// ```
/// use neurogauge_metrics::decoding::n_way_accuracy::{NWayOptions, n_way_details};
/// let options = NWayOptions { right_classes: 1, ..NWayOptions::default() };
/// let found = n_way_details(&[0.5, 0.25, 0.25], &[0.25, 0.75, 0.0], &options);
/// assert_eq!(found.missed[0].reference.as_deref(), Some("class 0"));
/// assert_eq!(found.invented[0].reconstruction.as_deref(), Some("class 1"));
/// ```
pub fn n_way_details<T: FeatureValue>(gt: &[T], recon: &[T], options: &NWayOptions) -> LevelDetails {
    let mut details = LevelDetails::default();
    let is_ranked = defect(Side::Gt, gt).is_none() && defect(Side::Recon, recon).is_none();
    let guess = by_probability(recon).into_iter().next();
    let (Some(guess), true) = (guess, is_ranked && gt.len() == recon.len()) else {
        return details;
    };
    let name = |class: usize| class_name(class, gt.len());
    let guessed = name(guess);
    let mut right = by_probability(gt);
    right.truncate(options.right_classes);
    if right.contains(&guess) {
        let both = DetailEntry::of(Some(&guessed), Some(&guessed));
        details.matched.push(both);
    } else {
        let missed = right.into_iter();
        details.missed = missed.map(|class| DetailEntry::of(Some(&name(class)), None)).collect();
        details.invented.push(DetailEntry::of(None, Some(&guessed)));
    }
    details
}

/// The reason why a side's probabilities rank no class.
fn defect<T: FeatureValue>(side: Side, probabilities: &[T]) -> Option<Undefined> {
    let Some(first) = probabilities.first() else {
        return Some(Undefined::Empty(side));
    };
    if probabilities.iter().any(|&p| !p.into().is_finite()) {
        Some(Undefined::NonFinite(side))
    } else if probabilities.iter().all(|p| p == first) {
        Some(Undefined::Constant(side))
    } else {
        None
    }
}
