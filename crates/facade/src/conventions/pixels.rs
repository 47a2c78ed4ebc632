//! How pixels are compared, and how images are prepared for models.

use super::MAX_PX;
use super::entry::{Convention, Field};
use super::value::{Values, count, optional, own_or, switch, word};
use crate::ScoreRequest;

pub(super) fn conventions() -> Vec<Convention> {
    vec![
        Convention::new(
            ("pixel_size", "pixel-size"),
            "Shorter side at which pixels are compared, px, or `own`: images as they are",
            own_or::<MAX_PX>("PX|own"),
            |request| Some(&mut request.options.pixels.size_px),
        ),
        Convention::new(
            ("first_size", "pixel-size"),
            "Resize to this shorter side first, px (MindEye2's images went through 256)",
            optional("none", count::<MAX_PX, usize>("PX")),
            |request| Some(&mut request.options.pixels.first_size_px),
        ),
        Convention::new(
            ("proportions", "pixel-size"),
            "Keep the proportions of images that are not square when pixels are compared, or squash them, so that images of \
             different proportions can be compared",
            word(),
            |request| Some(&mut request.options.pixels.proportions),
        ),
        Convention::new(("filter", "antialias"), "Interpolation when pixels are compared", word(), |request| {
            Some(&mut request.options.pixels.filter)
        }),
        Convention::of_field(
            ("antialias", "antialias"),
            "Smooth before shrinking, as torchvision does since 0.17",
            Antialias(switch()),
        )
        .by_default("the preset's: off for nsd8-mindeye2 and without a preset, on for nsd8-native"),
        Convention::new(
            ("pixel_arithmetic", "antialias"),
            "Resize in floats, or in 8 bits as Pillow does, which always smooths before shrinking; for pixels only",
            word(),
            |request| Some(&mut request.options.pixels.arithmetic),
        ),
        Convention::new(
            ("ssim", "ssim-flavour"),
            "Which SSIM: of the grey images; with their columns taken as channels; or the mean over three colours under a \
             uniform window",
            word(),
            |request| Some(&mut request.options.pixels.ssim),
        ),
        Convention::new(
            ("seed_images", "seed-images"),
            "How images are prepared for the EffNet that SEED is made of",
            optional("the preset's", word()),
            |request| Some(&mut request.perception.seed),
        ),
    ]
}

/// One switch for pixels and for models.
struct Antialias(Values<bool>);

impl Field for Antialias {
    fn form(&self) -> &str {
        &self.0.form
    }

    fn words(&self) -> &[String] {
        &self.0.words
    }

    fn check(&self, value: &str) -> Result<(), String> {
        (self.0.read)(value).map(|_| ())
    }

    fn set(&self, request: &mut ScoreRequest, value: &str) -> Result<bool, String> {
        let is_on = (self.0.read)(value)?;
        request.options.pixels.antialias = is_on;
        request.perception.antialias = Some(is_on);
        Ok(true)
    }

    fn get(&self, request: &ScoreRequest) -> Option<String> {
        Some((self.0.print)(&request.options.pixels.antialias))
    }
}
