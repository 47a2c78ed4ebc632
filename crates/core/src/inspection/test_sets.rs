//! Numbers of images that published test sets have.

use crate::{Finding, Severity};

/// Number of images, name of the set, and which published figures are not comparable with results on it.
const TEST_SETS: &[(usize, &str, &str)] = &[
    (982, "NSD's shared images as first released", "figures of all 1000 (MindEye2) do not compare"),
    (1000, "NSD's shared images", "figures of the first 982 (MindEye, Brain-Diffuser) do not compare"),
    (200, "the test images of THINGS-EEG2 and THINGS-MEG", "identification among fewer does not compare"),
    (50, "GOD's test images", "figures that add Deeprecon's artificial shapes do not compare"),
];

/// A short note for a number of pairs that a published test set has: which figures are not comparable with results on
/// it.
///
/// ```
/// use neurogauge_core::inspection::known_test_set;
/// assert!(known_test_set(982).unwrap().advice.contains("MindEye2"));
/// assert_eq!(known_test_set(983), None);
/// ```
pub fn known_test_set(n_pairs: usize) -> Option<Finding> {
    let (_, name, comparable) = TEST_SETS.iter().find(|(n, ..)| *n == n_pairs)?;
    let message = format!("as many as {name} ({n_pairs})");
    Some(Finding::new(Severity::Note, "known_test_set", "pairs", message).advise(*comparable))
}
