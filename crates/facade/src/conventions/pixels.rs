//! How pixels are compared, and how images are prepared for models.

use super::MAX_PX;
use super::entry::Convention;
use super::value::{count, optional, own_or, switch, word};
use serde::{Deserialize, Serialize};

pub(super) fn conventions() -> Vec<Convention> {
    vec![
        Convention::new(
            ("pixel_size", "pixel-size"),
            "Shorter side at which pixels are compared, px, or `own`: images as they are",
            own_or::<MAX_PX>("PX|own"),
            |request| Some(&mut request.options.pixels.size_px),
        )
        .varied(&["256", "425", "512"]),
        Convention::new(
            ("first_size", "pixel-size"),
            "Resize to this shorter side first, px (MindEye2's images went through 256)",
            optional("none", count::<MAX_PX, usize>("PX")),
            |request| Some(&mut request.options.pixels.first_size_px),
        )
        .varied(&["none", "256"]),
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
        // One switch for pixels and for models.
        Convention::of_fields(
            ("antialias", "antialias"),
            "Smooth before shrinking, as torchvision does since 0.17",
            switch(),
            |request, is_on| {
                request.options.pixels.antialias = is_on;
                request.perception.antialias = Some(is_on);
                true
            },
            |request| Some(request.options.pixels.antialias),
        )
        .varied(&["off", "on"]),
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
        )
        .varied(&["grey", "columns", "colour"]),
        Convention::of_fields(
            ("image_models", "model-weights"),
            "Models behind feature metrics: each metric's own, or `placeholder` for all (no weights, numbers mean nothing)",
            word::<ImageModels>(),
            |request, models| {
                request.perception.stand_in = models == ImageModels::Placeholder;
                true
            },
            |request| Some(if request.perception.stand_in { ImageModels::Placeholder } else { ImageModels::Own }),
        ),
        Convention::new(
            ("seed_images", "seed-images"),
            "How images are prepared for the EffNet that SEED is made of",
            optional("the preset's", word()),
            |request| Some(&mut request.perception.seed),
        ),
    ]
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ImageModels {
    Own,
    Placeholder,
}
