//! Object F1 for categories named by a vision-language model.

use super::objects::{Preset, harmonic_mean};
use neurogauge_core::{CategoryNames, DetailEntry, LevelDetails, Outcome, Side, Undefined};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// When two names are the same (convention `vlm-categories`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VlmNames {
    /// Differences in case, in spaces and underscores, and in a final full stop are ignored.
    #[default]
    Normalised,
    /// Only surrounding spaces are ignored.
    AsWritten,
}

/// Object F1 of a stimulus and its reconstruction, from the categories that a vision-language model names in each, with
/// no list given and no scores (the SEED paper's Sec. B.2 and Table 3).
///
/// Recall = categories in both / categories in the stimulus, precision = categories in both / categories in the
/// reconstruction (Eqs. 1 and 2), F1 = 2 / (1 / recall + 1 / precision), and 0 if either is 0 (Eq. 4). Without scores
/// there is no threshold to average over.
///
/// - Shapes: any number of names on either side. Empty names do not count, equal ones count once.
/// - Range: 0 to 1, higher is better. Chance depends on the images.
/// - Conventions: `vlm-categories`, `object-presets` (a side without categories).
/// - Undefined: `paper`, `exact`: a side has no category. `official`: never; recall (or
///   precision) is then 1, as in the authors' code for detections, so that two empty sides score 1.
/// - Errors: none.
/// - Reference: `reference/vlm_objects.py`, sets in plain Python, 1e-15.
///
/// ```
/// use neurogauge_core::CategoryNames;
/// use neurogauge_metrics::decoding::objects::Preset;
/// use neurogauge_metrics::decoding::vlm_objects::{VlmNames, vlm_object_f1};
/// let of = |names: &[&str]| CategoryNames(names.iter().map(|name| (*name).to_owned()).collect());
/// let (gt, recon) = (of(&["Dog", " frisbee", "grass."]), of(&["grass", "dog", "dog"]));
/// let f1 = vlm_object_f1(&gt, &recon, VlmNames::Normalised, Preset::Paper);
/// assert_eq!(f1, Ok(0.8)); // recall 2/3, precision 1
/// ```
pub fn vlm_object_f1(gt: &CategoryNames, recon: &CategoryNames, names: VlmNames, preset: Preset) -> Outcome {
    vlm_details(gt, recon, names, preset).0
}

/// [`vlm_object_f1`] and the counted names: those in both, only in the stimulus, and only in the reconstruction. Each
/// list is in alphabetical order, with the names as they are compared.
///
/// ```
/// use neurogauge_core::{CategoryNames, DetailEntry};
/// use neurogauge_metrics::decoding::objects::Preset;
/// use neurogauge_metrics::decoding::vlm_objects::{VlmNames, vlm_details};
/// let of = |names: &[&str]| CategoryNames(names.iter().map(|name| (*name).to_owned()).collect());
/// let (gt, recon) = (of(&["Dog", " frisbee"]), of(&["dog"]));
/// let (f1, found) = vlm_details(&gt, &recon, VlmNames::Normalised, Preset::Paper);
/// assert_eq!(f1, Ok(2.0 / 3.0));
/// assert_eq!(found.matched, [DetailEntry::of(Some("dog"), Some("dog"))]);
/// assert_eq!(found.missed, [DetailEntry::of(Some("frisbee"), None)]);
/// assert!(found.invented.is_empty());
/// ```
pub fn vlm_details(
    gt: &CategoryNames,
    recon: &CategoryNames,
    names: VlmNames,
    preset: Preset,
) -> (Outcome, LevelDetails) {
    let (gt, recon) = (distinct(gt, names), distinct(recon, names));
    let details = LevelDetails {
        matched: gt.intersection(&recon).map(|name| DetailEntry::of(Some(name), Some(name))).collect(),
        missed: gt.difference(&recon).map(|name| DetailEntry::of(Some(name), None)).collect(),
        invented: recon.difference(&gt).map(|name| DetailEntry::of(None, Some(name))).collect(),
    };
    let share = |side: Side, n_other: usize| match (details.matched.len() + n_other, preset) {
        (0, Preset::Official) => Ok(1.0),
        (0, Preset::Paper | Preset::Exact) => Err(Undefined::NoCategories(side)),
        (n, _) => Ok(details.matched.len() as f64 / n as f64),
    };
    let recall = share(Side::Gt, details.missed.len());
    let precision = share(Side::Recon, details.invented.len());
    let f1 = recall.and_then(|recall| Ok(harmonic_mean(recall, precision?)));
    (f1, details)
}

fn distinct(names: &CategoryNames, how: VlmNames) -> BTreeSet<String> {
    let one = |name: &String| match how {
        VlmNames::AsWritten => name.trim().to_owned(),
        VlmNames::Normalised => {
            let name = name.to_lowercase().replace('_', " ");
            name.split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches(['.', ' ']).to_owned()
        }
    };
    names.0.iter().map(one).filter(|name| !name.is_empty()).collect()
}
