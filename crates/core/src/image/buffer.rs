//! The pixel buffer.

use super::facts::all_finite;
use crate::{Side, Undefined};
use multiversion::multiversion;

/// An RGB image: `height_px * width_px * 3` values, rows first, channels last.
///
/// `Image<u8>` is a decoded file; `Image<f32>` corresponds to a float tensor of the reference code, nominally within
/// [0, 1].
#[derive(Debug, Clone, PartialEq)]
pub struct Image<T> {
    pub(super) width_px: usize,
    pub(super) height_px: usize,
    pub(super) data: Vec<T>,
}

/// The number of values does not fit the size.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an RGB image of {width_px} x {height_px} px needs {expected} values, got {found}")]
pub struct SizeMismatch {
    width_px: usize,
    height_px: usize,
    expected: usize,
    found: usize,
}

impl<T: Copy> Image<T> {
    /// Channels of every image in this project: red, green, blue.
    pub const CHANNELS: usize = 3;

    /// Wraps interleaved RGB values, rows first.
    pub fn new(width_px: usize, height_px: usize, data: Vec<T>) -> Result<Self, SizeMismatch> {
        let expected = width_px * height_px * Self::CHANNELS;
        if data.len() != expected {
            return Err(SizeMismatch {
                width_px,
                height_px,
                expected,
                found: data.len(),
            });
        }
        Ok(Image {
            width_px,
            height_px,
            data,
        })
    }

    /// Width in pixels.
    pub fn width_px(&self) -> usize {
        self.width_px
    }

    /// Height in pixels.
    pub fn height_px(&self) -> usize {
        self.height_px
    }

    /// Interleaved RGB values, rows first.
    pub fn data(&self) -> &[T] {
        &self.data
    }

    /// The values as [`data`](Self::data) has them, mutable.
    pub fn data_mut(&mut self) -> &mut [T] {
        &mut self.data
    }

    /// The value of a channel at column `x`, row `y`.
    pub fn at(&self, x: usize, y: usize, channel: usize) -> T {
        self.data[(y * self.width_px + x) * Self::CHANNELS + channel]
    }

    /// The pixels of a rectangle: its left upper corner, and its width and height.
    ///
    /// ```
    /// use neurogauge_core::Image;
    /// let image = Image::new(2, 2, (0..12u8).collect()).unwrap();
    /// assert_eq!(image.part((1, 0), (1, 2)).data(), [3, 4, 5, 9, 10, 11]);
    /// ```
    pub fn part(&self, (left, top): (usize, usize), (width_px, height_px): (usize, usize)) -> Self {
        let rows = self.data.chunks_exact((self.width_px * Self::CHANNELS).max(1)).skip(top).take(height_px);
        let of_row = left * Self::CHANNELS..(left + width_px) * Self::CHANNELS;
        Image {
            width_px,
            height_px,
            data: rows.flat_map(|row| &row[of_row.clone()]).copied().collect(),
        }
    }

    /// Converts into the interleaved values.
    pub fn into_data(self) -> Vec<T> {
        self.data
    }
}

impl Image<u8> {
    /// Scales to [0, 1] as torchvision's `ToTensor` does: one f32 division by 255.
    ///
    /// ```
    /// use neurogauge_core::Image;
    /// let image = Image::new(1, 1, vec![0u8, 51, 255]).unwrap();
    /// assert_eq!(image.to_unit_float().data(), [0.0, 0.2, 1.0]);
    /// ```
    pub fn to_unit_float(&self) -> Image<f32> {
        Image {
            width_px: self.width_px,
            height_px: self.height_px,
            data: unit_floats(&self.data),
        }
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw", "x86_64+avx2"))]
fn unit_floats(bytes: &[u8]) -> Vec<f32> {
    bytes.iter().map(|&v| f32::from(v) / 255.0).collect()
}

impl Image<f32> {
    /// In 8 bits, for viewing: values are clipped to [0, 1], NaN becomes black.
    pub fn to_shown(&self) -> Image<u8> {
        Image {
            width_px: self.width_px,
            height_px: self.height_px,
            data: self.data.iter().map(|value| (value.clamp(0.0, 1.0) * 255.0).round() as u8).collect(),
        }
    }

    /// Rounds to the nearest of the 256 levels of 8 bits; values beyond [0, 1] become the first or the last level.
    ///
    /// ```
    /// use neurogauge_core::Image;
    /// let image = Image::new(1, 1, vec![0.0_f32, 0.2, 1.5]).unwrap();
    /// assert_eq!(image.to_levels().data(), [0, 51, 255]);
    /// ```
    pub fn to_levels(&self) -> Image<u8> {
        Image {
            width_px: self.width_px,
            height_px: self.height_px,
            data: self.data.iter().map(|v| (v * 255.0).round() as u8).collect(),
        }
    }

    /// `Ok` if every value is finite, otherwise the reason why a comparison has no value.
    pub fn check_finite(&self, side: Side) -> Result<(), Undefined> {
        if all_finite(&self.data) {
            Ok(())
        } else {
            Err(Undefined::NonFinite(side))
        }
    }
}
