//! The kernels of a resize, the arithmetic it uses, and the errors of a request.

use serde::{Deserialize, Serialize};

/// The kernel that weights the source pixels around a target pixel.
///
/// ```
/// use neurogauge_core::image::Filter;
/// assert_eq!(serde_json::to_string(&Filter::Bicubic).unwrap(), "\"bicubic\"");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Filter {
    /// Triangle, one pixel to each side.
    Bilinear,
    /// Cubic convolution, two pixels to each side.
    Bicubic,
    /// Windowed sinc, three pixels to each side. Only as in Pillow, for pictures that are shown.
    #[serde(skip_deserializing)]
    Lanczos,
}

impl Filter {
    /// How far the kernel reaches to each side, in source pixels at scale 1.
    pub(super) fn reach_px(self) -> u8 {
        match self {
            Filter::Bilinear => 1,
            Filter::Bicubic => 2,
            Filter::Lanczos => 3,
        }
    }
}

impl std::fmt::Display for Filter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Filter::Bilinear => "bilinear",
            Filter::Bicubic => "bicubic",
            Filter::Lanczos => "lanczos",
        })
    }
}

/// The arithmetic of a resize.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arithmetic {
    /// As torchvision on float tensors.
    #[default]
    Float,
    /// As Pillow, rounded to 8 bits after each pass. Float images are rounded to the nearest of
    /// the 256 levels first.
    EightBit,
}

/// Why an image cannot be resized.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResizeError {
    /// The image has no pixels to resize from.
    #[error(
        "cannot resize an image of {width_px} x {height_px} px: it has no pixels; \
         check how it was made"
    )]
    EmptySource { width_px: usize, height_px: usize },
    /// The requested size has no pixels.
    #[error(
        "cannot resize to {width_px} x {height_px} px: both sides must be at least 1 px; \
         ask for a larger size"
    )]
    EmptyTarget { width_px: usize, height_px: usize },
    /// The requested size cannot be held in memory.
    #[error(
        "cannot resize to {width_px} x {height_px} px: a side may have at most {limit_px} px; \
         ask for a smaller size"
    )]
    TargetTooLarge {
        width_px: usize,
        height_px: usize,
        /// The longest side that is accepted.
        limit_px: usize,
    },
    /// The reference has no such filter for float images.
    #[error(
        "the {filter} filter does not exist for float images (torchvision has none); \
         use bilinear or bicubic, or resize the 8-bit image"
    )]
    UnsupportedFilter { filter: Filter },
}
