//! The options of BASIC-L.

use crate::MetricError;
use serde::{Deserialize, Serialize};

/// The images whose categories count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CategoriesFrom {
    /// Both images: categories that only the reconstruction has count as invented and lower the score.
    #[default]
    Both,
    /// Only the reference: masks with other names are ignored.
    Reference,
}

/// How instances with one name are paired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InstanceMatching {
    /// One to one, maximising the sum of overlaps.
    #[default]
    Optimal,
    /// One to one, the largest overlap first.
    Greedy,
}

/// The names whose masks are instances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InstanceNames {
    /// Names of foreground objects.
    #[default]
    Objects,
    /// Also names of background elements.
    All,
}

/// The background of the binary level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BinaryBackground {
    /// The masks of background elements.
    #[default]
    Elements,
    /// Everything outside the foreground.
    Complement,
}

/// The value of a level if one side has no mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EmptySide {
    /// The level has no value.
    #[default]
    Undefined,
    /// 0, if the other side has a mask.
    Zero,
}

/// What to do with a reconstruction of another size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MaskResize {
    /// Fail.
    #[default]
    Refuse,
    /// Resize its masks to the reference's size, taking the nearest pixels.
    Nearest,
}

/// Options of [`level_iou`](super::level_iou) and [`level_ap`](super::level_ap) (conventions `basic-l-levels`,
/// `basic-l-categories`, `basic-l-matching`, `basic-l-empty`, `basic-l-average-precision`, `mask-score`, `mask-size`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BasicLOptions {
    pub categories: CategoriesFrom,
    pub matching: InstanceMatching,
    pub instances: InstanceNames,
    pub background: BinaryBackground,
    pub empty: EmptySide,
    pub resize: MaskResize,
    /// Masks with a lower score are ignored.
    pub min_score: f64,
    /// Overlap thresholds over which average precision is averaged.
    pub iou_thresholds: Vec<f64>,
}

impl Default for BasicLOptions {
    fn default() -> Self {
        BasicLOptions {
            categories: CategoriesFrom::default(),
            matching: InstanceMatching::default(),
            instances: InstanceNames::default(),
            background: BinaryBackground::default(),
            empty: EmptySide::default(),
            resize: MaskResize::default(),
            min_score: 0.25,
            iou_thresholds: crate::masks::coco::iou_thresholds(),
        }
    }
}

impl BasicLOptions {
    pub(super) fn check(&self) -> Result<(), MetricError> {
        if (0.0..=1.0).contains(&self.min_score) {
            return Ok(());
        }
        Err(MetricError::option("smallest score of a mask", self.min_score, "a confidence from 0 to 1"))
    }
}
