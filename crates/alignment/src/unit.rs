//! Target units: the responses of one region of one hemisphere of one subject.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A target unit: subject, hemisphere and ROI. Its voxels span the target response space.
///
/// ```
/// use neurogauge_alignment::Unit;
/// assert_eq!(Unit::new("subj01", "lh", "V1v").to_string(), "subj01 lh V1v");
/// assert_eq!(Unit::new("subj01", "", "V1").to_string(), "subj01 V1");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Unit {
    pub subject: String,
    /// Name of the hemisphere; empty if none is given.
    pub hemisphere: String,
    pub roi: String,
}

/// The name of the region if models are target units.
const FEATURES: &str = "features";

impl Unit {
    /// The unit of a model's features, which brains predict.
    ///
    /// ```
    /// use neurogauge_alignment::Unit;
    /// assert!(Unit::of_model("vgg16").is_model());
    /// assert!(!Unit::new("subj01", "lh", "V1v").is_model());
    /// ```
    pub fn of_model(name: &str) -> Self {
        Unit::new(name, "", FEATURES)
    }

    pub fn is_model(&self) -> bool {
        self.hemisphere.is_empty() && self.roi == FEATURES
    }

    /// Hemisphere and region, for which every subject has a unit.
    pub fn region(&self) -> (&str, &str) {
        (&self.hemisphere, &self.roi)
    }

    /// The unit with these three names.
    pub fn new(subject: &str, hemisphere: &str, roi: &str) -> Self {
        Unit {
            subject: subject.to_owned(),
            hemisphere: hemisphere.to_owned(),
            roi: roi.to_owned(),
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (subject, hemisphere, roi) = (&self.subject, &self.hemisphere, &self.roi);
        match hemisphere.is_empty() {
            true => write!(f, "{subject} {roi}"),
            false => write!(f, "{subject} {hemisphere} {roi}"),
        }
    }
}
