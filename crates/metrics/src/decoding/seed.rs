//! SEED, and the pairs in which it notices what Object F1 misses.

use crate::error::part;
use neurogauge_core::Outcome;
use serde::{Deserialize, Serialize};

/// SEED of one pair: the mean of Object F1, Cap-Sim and EffNet's correlation (Eq. 7 of the SEED
/// paper), where EffNet comes as the correlation distance that the field's tables print:
///
/// SEED = (Object F1 + Cap-Sim + (1 - distance)) / 3.
///
/// **Shapes.** One outcome of each part.
///
/// **Range.** -2/3 to 1 (Cap-Sim and the correlation may be negative), higher is better.
///
/// **Conventions.** `seed-mean`, `effnet-direction`.
///
/// **Undefined.** A part has no value; the reason names the first. A mean of the other two would be another metric.
///
/// **Errors.** None.
///
/// **Reference.** Arithmetic by hand, exact.
///
/// ```
/// use neurogauge_core::Undefined;
/// use neurogauge_metrics::decoding::seed::seed;
/// assert_eq!(seed(&Ok(0.5), &Ok(0.75), &Ok(0.5)), Ok(1.75 / 3.0));
/// let missing = seed(&Ok(0.5), &Err(Undefined::NoPairs), &Ok(0.5));
/// assert_eq!(missing, Err(Undefined::MissingPart("cap_sim".into())));
/// ```
pub fn seed(object_f1: &Outcome, cap_sim: &Outcome, effnet_distance: &Outcome) -> Outcome {
    let object_f1 = part("object_f1", object_f1)?;
    let cap_sim = part("cap_sim", cap_sim)?;
    Ok((object_f1 + cap_sim + (1.0 - part("effnet", effnet_distance)?)) / 3.0)
}

/// SEED of one pair with the categories that a vision-language model names instead of a detector's: the mean of Object
/// F1 (VLM), Cap-Sim and EffNet's correlation (the SEED paper's Eq. 7 with the Object F1 of its Appendix B.2), where
/// EffNet comes as a distance:
///
/// SEED (VLM) = (Object F1 (VLM) + Cap-Sim + (1 - distance)) / 3.
///
/// **Shapes.** One outcome of each part.
///
/// **Range.** -2/3 to 1, higher is better.
///
/// **Conventions.** `seed-mean`, `effnet-direction`, `vlm-categories`.
///
/// **Undefined.** A part has no value; the reason names the first.
///
/// **Errors.** None.
///
/// **Reference.** Arithmetic by hand, exact.
///
/// ```
/// use neurogauge_core::Undefined;
/// use neurogauge_metrics::decoding::seed::seed_vlm;
/// assert_eq!(seed_vlm(&Ok(0.5), &Ok(0.75), &Ok(0.5)), Ok(1.75 / 3.0));
/// let missing = seed_vlm(&Err(Undefined::NoPairs), &Ok(0.5), &Ok(0.5));
/// assert_eq!(missing, Err(Undefined::MissingPart("object_f1_vlm".into())));
/// ```
pub fn seed_vlm(object_f1_vlm: &Outcome, cap_sim: &Outcome, effnet_distance: &Outcome) -> Outcome {
    seed(&Ok(part("object_f1_vlm", object_f1_vlm)?), cap_sim, effnet_distance)
}

/// Options of [`detail_miss`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DetailMissOptions {
    /// Threshold that Object F1 must exceed.
    pub f1_above: f64,
    /// Threshold that Object F1 minus SEED must exceed.
    pub gap_above: f64,
}

impl Default for DetailMissOptions {
    fn default() -> Self {
        DetailMissOptions {
            f1_above: 0.7,
            gap_above: 0.2,
        }
    }
}

/// Semantic detail miss: 1 if the objects are right and the rest is not, otherwise 0, so that the mean over pairs is
/// the paper's rate (SEED paper, section 5.4).
///
/// 1 if Object F1 > 0.7 and Object F1 - SEED > 0.2, both strictly.
///
/// **Shapes.** One outcome of each.
///
/// **Range.** 0 or 1, lower is better.
///
/// **Conventions.** `sdm-thresholds`.
///
/// **Undefined.** One of the two has no value; the reason names the first.
///
/// **Errors.** None.
///
/// **Reference.** By hand, exact.
///
/// ```
/// use neurogauge_metrics::decoding::seed::{DetailMissOptions, detail_miss};
/// let options = DetailMissOptions::default();
/// assert_eq!(detail_miss(&Ok(0.9), &Ok(0.5), &options), Ok(1.0));
/// assert_eq!(detail_miss(&Ok(0.7), &Ok(0.4), &options), Ok(0.0));
/// ```
pub fn detail_miss(object_f1: &Outcome, seed: &Outcome, options: &DetailMissOptions) -> Outcome {
    let object_f1 = part("object_f1", object_f1)?;
    let seed = part("seed", seed)?;
    let is_miss = object_f1 > options.f1_above && object_f1 - seed > options.gap_above;
    Ok(f64::from(u8::from(is_miss)))
}

/// The parts of SEED, each over all pairs, with EffNet turned into a similarity. SEED of a system is the mean of their
/// three means, which differs from the mean of the pairs' SEED if a part is undefined for some pairs.
///
/// ```
/// use neurogauge_metrics::decoding::seed::seed_parts;
/// let parts = seed_parts(&[Ok(0.5)], &[Ok(0.75)], &[Ok(0.25)]);
/// assert_eq!(parts[2], [Ok(0.75)]);
/// ```
pub fn seed_parts(object_f1: &[Outcome], cap_sim: &[Outcome], effnet_distance: &[Outcome]) -> Vec<Vec<Outcome>> {
    let similarity = |distance: &Outcome| distance.as_ref().map(|d| 1.0 - d).map_err(Clone::clone);
    vec![object_f1.to_vec(), cap_sim.to_vec(), effnet_distance.iter().map(similarity).collect()]
}
