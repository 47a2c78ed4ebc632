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
        let colours: Vec<f32> =
            (0..27).flat_map(|i| [i / 9, i / 3 % 3, i % 3].map(|level| 0.25 + 0.25 * level as f32)).collect();
        let shown = own.converted(&colours)?;
        shown.iter().zip(&colours).any(|(shown, stored)| (shown - stored).abs() > NOTHING).then_some(own)
    }

    fn converted(&self, colours: &[f32]) -> Option<Vec<f32>> {
        let mut shown = vec![0.0; colours.len()];
        self.0.transform(colours, &mut shown).ok()?;
        shown.iter_mut().for_each(|value| *value = value.clamp(0.0, 1.0));
        Some(shown)
    }

    pub fn to_srgb(&self, mut image: Image<f32>) -> Image<f32> {
        if let Some(shown) = self.converted(image.data()) {
            image.data_mut().copy_from_slice(&shown);
        }
        image
    }
}
