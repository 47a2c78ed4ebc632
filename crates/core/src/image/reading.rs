//! The meaning of stored values that a file leaves open.

use serde::{Deserialize, Serialize};

/// How stored values become colours where files leave it open (conventions `image-unit` and `image-transparency`).
/// Nothing is guessed: without a choice, values far outside 0 to 1 ([`OutOfRange`](super::OutOfRange)) and hidden
/// colours are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ImageReading {
    /// The scale of floats outside 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<FloatScale>,
    /// The background of transparent pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<Background>,
}

/// The scale of float images whose values are not all within 0 to 1.
///
/// ```
/// use neurogauge_core::image::FloatScale;
/// assert_eq!([-1.0, 0.0, 1.0].map(|value| FloatScale::Signed.to_unit(value)), [0.0, 0.5, 1.0]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FloatScale {
    /// 0 to 255: divided by 255.
    #[serde(rename = "0..255")]
    Levels,
    /// -1 to 1: (x + 1) / 2.
    #[serde(rename = "-1..1")]
    Signed,
    /// 0 to 1 with overshoot, which is clipped, as when an image file is written.
    #[serde(rename = "clip")]
    Clipped,
    AsTheyAre,
}

impl FloatScale {
    /// The option's word for it.
    pub fn word(self) -> &'static str {
        match self {
            FloatScale::Levels => "0..255",
            FloatScale::Signed => "-1..1",
            FloatScale::Clipped => "clip",
            FloatScale::AsTheyAre => "as-they-are",
        }
    }

    /// Maps a value to the scale of 0 to 1.
    pub fn to_unit(self, value: f32) -> f32 {
        match self {
            FloatScale::Levels => value / 255.0,
            FloatScale::Signed => (value + 1.0) / 2.0,
            FloatScale::Clipped if value.is_nan() => value,
            FloatScale::Clipped => value.clamp(0.0, 1.0),
            FloatScale::AsTheyAre => value,
        }
    }

    /// The same of all values.
    pub fn all_to_unit(self, values: &mut [f32]) {
        values.iter_mut().for_each(|value| *value = self.to_unit(*value));
    }
}

/// The background of pixels that are not fully opaque.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Background {
    /// White, as most viewers and papers show them.
    White,
    Black,
    /// The stored colour counts as if the pixel were opaque, as with Pillow's `convert("RGB")`.
    AsStored,
}

impl Background {
    /// The option's word for it.
    pub fn word(self) -> &'static str {
        match self {
            Background::White => "white",
            Background::Black => "black",
            Background::AsStored => "as-stored",
        }
    }

    /// The colour of a pixel with this alpha on the background.
    ///
    /// ```
    /// use neurogauge_core::image::Background;
    /// let seen = |background: Background| background.under([200, 0, 100], 51);
    /// assert_eq!(seen(Background::White), [244, 204, 224]);
    /// assert_eq!(seen(Background::Black), [40, 0, 20]);
    /// assert_eq!(seen(Background::AsStored), [200, 0, 100]);
    /// ```
    pub fn under(self, colour: [u8; 3], alpha: u8) -> [u8; 3] {
        match self {
            Background::White => blended(colour, [255; 3], alpha),
            Background::Black => blended(colour, [0; 3], alpha),
            Background::AsStored => colour,
        }
    }

    /// Like [`Self::under`], of values and an alpha from 0 to 1.
    ///
    /// ```
    /// use neurogauge_core::image::Background;
    /// assert_eq!(Background::White.under_floats([0.5, 0.0, 1.0], 0.25), [0.875, 0.75, 1.0]);
    /// assert_eq!(Background::AsStored.under_floats([0.5, 0.0, 1.0], 0.25), [0.5, 0.0, 1.0]);
    /// ```
    pub fn under_floats(self, colour: [f32; 3], alpha: f32) -> [f32; 3] {
        let below = match self {
            Background::White => 1.0,
            Background::Black => 0.0,
            Background::AsStored => return colour,
        };
        colour.map(|value| value * alpha + below * (1.0 - alpha))
    }
}

/// Blends a colour over another one, rounded to the nearest level.
pub fn blended(colour: [u8; 3], on: [u8; 3], alpha: u8) -> [u8; 3] {
    let alpha = u16::from(alpha);
    std::array::from_fn(|channel| {
        let sum = u16::from(colour[channel]) * alpha + u16::from(on[channel]) * (255 - alpha);
        ((sum + 127) / 255) as u8
    })
}
