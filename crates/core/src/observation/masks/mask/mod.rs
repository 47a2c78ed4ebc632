//! One binary mask as run lengths.

mod pixels;

/// The set of pixels of an image that belong to something.
///
/// The runs go down the columns, from the left column to the right one, as in COCO: the number of pixels outside, then
/// inside, then outside, and so on. The first run may be 0 (the upper left pixel is inside); no other run is, because
/// [`Mask::from_runs`] joins the neighbours of an empty one. Equal masks therefore have equal runs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Mask {
    height_px: u32,
    width_px: u32,
    runs: Vec<u32>,
}

/// Run lengths that do not fill their image.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MaskError {
    /// The runs' sum is not the number of pixels.
    #[error("the runs add up to {found} pixels, and an image of {width_px} x {height_px} px has {expected}")]
    RunTotal {
        /// Sum of the runs.
        found: u64,
        /// Height times width.
        expected: u64,
        /// Width, px.
        width_px: u32,
        /// Height, px.
        height_px: u32,
    },
    /// More pixels than a run can count, or no pixels.
    #[error("a mask of {width_px} x {height_px} px; expected from 1 to 4294967295 pixels")]
    Size {
        /// Width, px.
        width_px: u32,
        /// Height, px.
        height_px: u32,
    },
}

impl Mask {
    pub fn from_runs(height_px: u32, width_px: u32, runs: Vec<u32>) -> Result<Self, MaskError> {
        let expected = check_size(height_px, width_px)?;
        let found = runs.iter().map(|&run| u64::from(run)).sum();
        if found != u64::from(expected) {
            return Err(MaskError::RunTotal {
                found,
                expected: u64::from(expected),
                width_px,
                height_px,
            });
        }
        let runs = if runs.iter().skip(1).any(|&run| run == 0) {
            joined(&runs)
        } else {
            runs
        };
        Ok(Mask {
            height_px,
            width_px,
            runs,
        })
    }

    /// The mask of the pixels (column x, row y) for which `is_inside` holds.
    pub fn from_pixels(height_px: u32, width_px: u32, is_inside: impl Fn(u32, u32) -> bool) -> Result<Self, MaskError> {
        check_size(height_px, width_px)?;
        let mut runs = Vec::new();
        let (mut length, mut inside) = (0, false);
        for x in 0..width_px {
            for y in 0..height_px {
                if is_inside(x, y) != inside {
                    runs.push(length);
                    length = 0;
                    inside = !inside;
                }
                length += 1;
            }
        }
        runs.push(length);
        Ok(Mask {
            height_px,
            width_px,
            runs,
        })
    }

    /// Height of the image, px.
    pub fn height_px(&self) -> u32 {
        self.height_px
    }

    /// Width of the image, px.
    pub fn width_px(&self) -> u32 {
        self.width_px
    }

    /// Width and height of the image, px.
    pub fn size_px(&self) -> (u32, u32) {
        (self.width_px, self.height_px)
    }

    /// The run lengths, outside first.
    pub fn runs(&self) -> &[u32] {
        &self.runs
    }
}

fn check_size(height_px: u32, width_px: u32) -> Result<u32, MaskError> {
    match height_px.checked_mul(width_px) {
        Some(n_pixels) if n_pixels > 0 => Ok(n_pixels),
        _ => Err(MaskError::Size { width_px, height_px }),
    }
}

/// The runs without empty ones after the first: their neighbours are joined.
fn joined(runs: &[u32]) -> Vec<u32> {
    let mut joined: Vec<u32> = Vec::with_capacity(runs.len());
    let mut last_inside = None;
    for (place, &run) in runs.iter().enumerate() {
        let inside = place % 2 == 1;
        if run == 0 {
            continue;
        }
        match joined.last_mut() {
            Some(last) if last_inside == Some(inside) => *last += run,
            _ => {
                if joined.is_empty() && inside {
                    joined.push(0);
                }
                joined.push(run);
                last_inside = Some(inside);
            }
        }
    }
    joined
}
