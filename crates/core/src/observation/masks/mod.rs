//! Named masks of an image.

mod mask;

pub use mask::{Mask, MaskError};

use super::{BoxXyxy, Categorisation};

impl Mask {
    /// The smallest box around the mask's pixels; for an empty mask, an empty box at the corner.
    pub fn bounding_box(&self) -> BoxXyxy {
        let [left, top, width, height] = self.bounds_px().unwrap_or_default().map(f64::from);
        BoxXyxy::of([left, top, left + width, top + height])
    }
}

/// The mask of one thing, with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct InstanceMask {
    /// Its name, as its maker wrote it.
    pub name: String,
    /// Confidence, 0 to 1; 1 if a person drew it.
    pub score: f64,
    /// The box that its maker gave, otherwise the smallest box around the mask.
    pub bbox: BoxXyxy,
    pub mask: Mask,
}

/// Everything segmented in one image; masks may overlap.
#[derive(Debug, Clone, PartialEq)]
pub struct Masks {
    /// Width and height of the image, px. All masks have this size.
    pub size_px: (u32, u32),
    /// One mask for each thing, in the order of their file.
    pub items: Vec<InstanceMask>,
    /// Which names are objects, which their parts, and which background; `None` if this is not known.
    pub categories: Option<Categorisation>,
}

impl Masks {
    pub fn of(size_px: (u32, u32), items: Vec<InstanceMask>, categories: Option<Categorisation>) -> Self {
        Masks {
            size_px,
            items,
            categories,
        }
    }
}
