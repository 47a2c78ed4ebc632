//! Numbers of images that published test sets have.

use crate::{Finding, Severity};

/// Number of images, whose they are, and with which figures numbers on them compare.
const TEST_SETS: &[(usize, &str, &str)] = &[
    (
        982,
        "NSD's shared images as released before its last sessions",
        "figures of MindEye and Brain-Diffuser are of these 982; figures of all 1000 shared images, as MindEye2's, do not \
         compare with them",
    ),
    (
        1000,
        "NSD's shared images (shared1000)",
        "figures of MindEye2 are of all 1000; figures of the 982 that were released first, as MindEye's and \
         Brain-Diffuser's, do not compare with them",
    ),
    (
        200,
        "the test images of THINGS-EEG2 and THINGS-MEG",
        "figures of identification and retrieval compare with those among all 200, and not with those among fewer",
    ),
    (
        50,
        "the test images of GOD (Generic Object Decoding) and the natural ones of Deeprecon",
        "figures of identification compare with those among all 50, and not with those that add Deeprecon's artificial \
         shapes",
    ),
];

/// A note where there are as many pairs as a published test set has: which figures compare with those on it.
///
/// ```
/// use neurogauge_core::inspection::known_test_set;
/// assert!(known_test_set(982).unwrap().advice.contains("MindEye2"));
/// assert_eq!(known_test_set(983), None);
/// ```
pub fn known_test_set(n_pairs: usize) -> Option<Finding> {
    let (_, name, comparable) = TEST_SETS.iter().find(|(n, ..)| *n == n_pairs)?;
    let message = format!("{n_pairs} pairs, as many as {name}");
    let finding = Finding::new(Severity::Note, "known_test_set", "pairs", message);
    Some(finding.advise(format!("if these are they, {comparable}")))
}
