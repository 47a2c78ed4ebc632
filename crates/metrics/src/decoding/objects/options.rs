//! Options that affect the value of Object F1.

use crate::MetricError;
use serde::{Deserialize, Serialize};

/// How the average over thresholds is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// As in the authors' released code: 18 thresholds from 0.05 to 0.90, boxes under 50 px² dropped, reading a file up
    /// to its first score below the threshold, and 1 for a side that has no category at any threshold.
    #[default]
    Official,
    /// As in the paper's text: thresholds 0, 0.01, 0.02, ... up to the highest score of the side, with every box
    /// counted.
    Paper,
    /// The paper's integral (Eq. 3) in closed form, without a grid.
    Exact,
}

impl Preset {
    /// The thresholds that it averages over.
    pub fn thresholds_in_words(self) -> &'static str {
        match self {
            Preset::Official => "thresholds 0.05, 0.10, ... 0.90, those skipped at which a side has no category",
            Preset::Paper => "thresholds 0, 0.01, 0.02, ... up to the side's highest score",
            Preset::Exact => "the integral over thresholds up to the side's highest score",
        }
    }
}

/// How much a category contributes in addition to being present (the paper's Table 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// Every category counts 1.
    #[default]
    Existence,
    /// A category weighs from 1 (no area) to 2 (its box fills the image).
    Size,
    /// A category weighs from 1 (its box is centred on the image's edge) to 2 (on its centre).
    Location,
    /// A shared category counts as the smaller number of its boxes divided by the larger.
    Number,
}

impl Variant {
    /// The name used in options and messages.
    pub fn id(self) -> &'static str {
        match self {
            Variant::Existence => "existence",
            Variant::Size => "size",
            Variant::Location => "location",
            Variant::Number => "number",
        }
    }

    /// Do its weights depend on the size of the image?
    pub fn needs_image_size(self) -> bool {
        matches!(self, Variant::Size | Variant::Location)
    }
}

/// Options of [`object_scores`](super::object_scores).
///
/// ```
/// use neurogauge_metrics::decoding::objects::{ObjectOptions, Preset};
/// let options = ObjectOptions { preset: Preset::Paper, ..ObjectOptions::default() };
/// assert_eq!(options.smallest_area_px2(), 0.0);
/// assert_eq!(ObjectOptions::default().smallest_area_px2(), 50.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ObjectOptions {
    pub preset: Preset,
    pub variant: Variant,
    /// Boxes with less area are ignored. `None` means the preset's value (official 50, otherwise 0).
    pub min_area_px2: Option<f64>,
    /// Is a file read only up to its first score below the threshold? `None` means the preset's value (official yes,
    /// otherwise no). It makes no difference if scores descend.
    pub stop_at_first_below: Option<bool>,
}

impl ObjectOptions {
    /// The area below which boxes are ignored, px².
    pub fn smallest_area_px2(&self) -> f64 {
        self.min_area_px2.unwrap_or(match self.preset {
            Preset::Official => OFFICIAL_MIN_AREA_PX2,
            Preset::Paper | Preset::Exact => 0.0,
        })
    }

    /// The lowest threshold at which categories are compared.
    pub fn lowest_threshold(&self) -> f64 {
        match self.preset {
            Preset::Official => super::grid::official_threshold(0),
            Preset::Paper | Preset::Exact => 0.0,
        }
    }

    /// Is a file read only up to its first score below the threshold?
    pub fn stops_at_first_below(&self) -> bool {
        self.stop_at_first_below.unwrap_or(self.preset == Preset::Official)
    }

    pub(super) fn validate(&self) -> Result<(), MetricError> {
        check_area(self.smallest_area_px2())
    }
}

/// The area under which the authors' code drops a box, px².
pub(crate) const OFFICIAL_MIN_AREA_PX2: f64 = 50.0;

/// Refuses an area limit that is NaN or negative, which would silently drop nothing.
pub(crate) fn check_area(min_area_px2: f64) -> Result<(), MetricError> {
    if min_area_px2.is_finite() && min_area_px2 >= 0.0 {
        return Ok(());
    }
    Err(MetricError::option("min_area_px2", min_area_px2, "a finite area in px², 0 or more"))
}
