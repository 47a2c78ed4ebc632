//! Facts about a network that are known before it runs.

use super::Layer;
use crate::ModelError;

pub(crate) struct Outline {
    /// The architecture's name in messages.
    pub(crate) architecture: &'static str,
    /// The sizes of images that it accepts.
    pub(crate) sides: Sides,
    /// The layers that can be requested, in the order of the forward pass.
    pub(crate) layers: Vec<Layer>,
}

/// The sizes of images that a network accepts, in px.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sides {
    AtLeast(usize),
    /// Squares of this side.
    Fixed(usize),
    MultiplesOf(usize),
    /// Square frames, stacked vertically; their number is a multiple of this.
    Clips {
        frame_px: usize,
        frames_together: usize,
    },
}

impl Outline {
    pub(crate) fn new(architecture: &'static str, sides: Sides, layers: Vec<Layer>) -> Self {
        Outline {
            architecture,
            sides,
            layers,
        }
    }

    /// Refuses an image of a size that the network does not accept; `index` is its position in a batch.
    pub(crate) fn check_size(&self, index: usize, (width_px, height_px): (usize, usize)) -> Result<(), ModelError> {
        let is_multiple = |px: usize, of: usize| px > 0 && px.is_multiple_of(of);
        let (accepts, expected) = match self.sides {
            Sides::AtLeast(1) => (width_px.min(height_px) > 0, "at least one pixel".to_owned()),
            Sides::AtLeast(px) => (width_px.min(height_px) >= px, format!("at least {px} px on each side")),
            Sides::Fixed(px) => ((width_px, height_px) == (px, px), format!("{px} x {px} px")),
            Sides::MultiplesOf(px) => (
                is_multiple(width_px, px) && is_multiple(height_px, px),
                format!("sides that are multiples of {px} px"),
            ),
            Sides::Clips {
                frame_px: px,
                frames_together,
            } => (
                width_px == px && is_multiple(height_px, frames_together * px),
                format!("a clip: an even number of frames of {px} x {px} px, one below the other"),
            ),
        };
        if accepts {
            return Ok(());
        }
        Err(ModelError::image_size(self.architecture, index, (width_px, height_px), expected))
    }

    pub(crate) fn unknown_layer(&self, layer: &str) -> ModelError {
        let known: Vec<&str> = self.layers.iter().map(|layer| layer.name.as_str()).collect();
        ModelError::unknown_layer(self.architecture, layer, &known)
    }
}
