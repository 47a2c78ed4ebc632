//! Target sizes, and which sizes are accepted.

use super::{Image, ResizeError};

/// The longest side accepted: 2^16 px, so that no product of sizes can overflow.
const LIMIT_PX: usize = 1 << 16;

/// The size whose shorter side is `target_px`, as torchvision's `Resize(int)`.
///
/// The longer side is `target_px * long / short`, truncated. Returns (width, height) in pixels. A
/// size with an empty side has no proportions to keep and is returned as it is.
///
/// Reference: torchvision 0.29.2, equal.
pub fn shorter_side_to(width_px: usize, height_px: usize, target_px: usize) -> (usize, usize) {
    let (short, long) = (width_px.min(height_px), width_px.max(height_px));
    if short == 0 {
        return (width_px, height_px);
    }
    let long_side = (target_px as u128 * long as u128 / short as u128) as usize;
    if width_px <= height_px {
        (target_px, long_side)
    } else {
        (long_side, target_px)
    }
}

/// Checks that both sizes have pixels and that the target fits in memory.
pub(super) fn check_sizes<T: Copy>(source: &Image<T>, width_px: usize, height_px: usize) -> Result<(), ResizeError> {
    if source.data().is_empty() {
        return Err(ResizeError::EmptySource {
            width_px: source.width_px(),
            height_px: source.height_px(),
        });
    }
    if width_px == 0 || height_px == 0 {
        return Err(ResizeError::EmptyTarget { width_px, height_px });
    }
    if width_px > LIMIT_PX || height_px > LIMIT_PX {
        return Err(ResizeError::TargetTooLarge {
            width_px,
            height_px,
            limit_px: LIMIT_PX,
        });
    }
    Ok(())
}
