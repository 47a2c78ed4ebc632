//! Colour profiles in image files, which readers of pixels leave out of account, as Pillow does.

use image::{ImageDecoder, ImageReader, Limits};
use moxcms::{ColorProfile, Layout, TransformF32Executor, TransformOptions};
use neurogauge_core::Image;
use std::path::Path;
use std::sync::Arc;

/// A larger profile is not read.
const MOST_BYTES: u64 = 1 << 24;
/// A profile that moves no channel by more than this is that of sRGB.
const NOTHING: f32 = 2.0 / 255.0;

/// How the colours of a file become sRGB.
#[derive(Clone)]
pub struct ColourProfile(Arc<TransformF32Executor>);

impl ColourProfile {
    /// The profile in an image file; `None` without a profile of RGB, and for that of sRGB.
    pub fn of_file(path: &Path) -> Option<Self> {
        let mut reader = ImageReader::open(path).ok()?.with_guessed_format().ok()?;
        let mut limits = Limits::default();
        limits.max_alloc = Some(MOST_BYTES);
        reader.limits(limits);
        let stored = reader.into_decoder().ok()?.icc_profile().ok()??;
        let profile = ColorProfile::new_from_slice(&stored).ok()?;
        let options = TransformOptions::default();
        let transform = profile.create_transform_f32(Layout::Rgb, &ColorProfile::new_srgb(), Layout::Rgb, options);
        let own = ColourProfile(transform.ok()?);
        let levels = |i: usize| [i / 9, i / 3 % 3, i % 3].map(|level| 0.25 + 0.25 * level as f32);
        let stored = Image::new(9, 3, (0..27).flat_map(levels).collect::<Vec<f32>>()).ok()?;
        let shown = own.to_srgb(stored.clone());
        let mut both = shown.data().iter().zip(stored.data());
        both.any(|(shown, stored)| (shown - stored).abs() > NOTHING).then_some(own)
    }

    /// Unchanged if the profile cannot convert it.
    pub fn to_srgb(&self, stored: Image<f32>) -> Image<f32> {
        let mut shown = stored.clone();
        if self.0.transform(stored.data(), shown.data_mut()).is_err() {
            return stored;
        }
        shown.data_mut().iter_mut().for_each(|value| *value = value.clamp(0.0, 1.0));
        shown
    }
}
