//! Turns a picture into the patches that the tower reads.

use super::ARCHITECTURE;
use crate::ModelError;
use crate::checkpoint::config_json::{ConfigJson, Refusal};
use crate::observers::preprocess::{Arithmetic, CLIP, CropStart, Preprocessing, ResizeStep};
use neurogauge_core::Image;
use neurogauge_core::image::Filter;
use serde::Deserialize;

/// The fields of `preprocessor_config.json` that are used; missing fields have transformers' defaults.
#[derive(Debug, Clone, Deserialize)]
#[serde(default)]
pub(super) struct Preparation {
    min_pixels: Option<usize>,
    max_pixels: Option<usize>,
    size: Option<Limits>,
    patch_size: usize,
    temporal_patch_size: usize,
    merge_size: usize,
    image_mean: [f32; 3],
    image_std: [f32; 3],
    resample: u8,
    do_resize: bool,
    do_rescale: bool,
    do_normalize: bool,
}

/// The two limits under the names that transformers 5 gives them.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Limits {
    #[serde(alias = "min_pixels")]
    shortest_edge: Option<usize>,
    #[serde(alias = "max_pixels")]
    longest_edge: Option<usize>,
}

impl Default for Preparation {
    fn default() -> Self {
        Preparation {
            min_pixels: None,
            max_pixels: None,
            size: None,
            patch_size: 14,
            temporal_patch_size: 2,
            merge_size: 2,
            image_mean: CLIP.0,
            image_std: CLIP.1,
            resample: BICUBIC,
            do_resize: true,
            do_rescale: true,
            do_normalize: true,
        }
    }
}

/// Pillow's number for bicubic interpolation.
const BICUBIC: u8 = 3;
/// The largest allowed ratio of the longer side to the shorter one.
const MAX_RATIO: usize = 200;

impl ConfigJson for Preparation {
    const ARCHITECTURE: &'static str = ARCHITECTURE;

    fn check(&self, refusal: &Refusal<'_>) -> Result<(), ModelError> {
        refusal.unless_equal("resample", &self.resample, BICUBIC)?;
        refusal.unless_equal("do_resize", &self.do_resize, true)?;
        refusal.unless_equal("do_rescale", &self.do_rescale, true)?;
        refusal.unless_equal("do_normalize", &self.do_normalize, true)?;
        let (least, most) = self.limits();
        let fit = least <= most && most >= self.token_px() * self.token_px();
        let expected = format!("at least min_pixels = {least}, and a token");
        refusal.unless(fit, "max_pixels", &most, &expected)?;
        refusal.unless_positive(&[
            ("patch_size", self.patch_size),
            ("temporal_patch_size", self.temporal_patch_size),
            ("merge_size", self.merge_size),
        ])?;
        Ok(())
    }
}

/// The patches of a picture; those that become one token are adjacent.
pub(super) struct Patches {
    /// A row for each patch: channels, frames, rows, columns.
    pub(super) values: Vec<f32>,
    /// Rows and columns of tokens.
    pub(super) grid: (usize, usize),
}

impl Preparation {
    /// Side of a patch, its frames, and patches along a token's side.
    pub(super) fn patch_sizes(&self) -> [usize; 3] {
        [self.patch_size, self.temporal_patch_size, self.merge_size]
    }

    fn token_px(&self) -> usize {
        self.patch_size * self.merge_size
    }

    fn limits(&self) -> (usize, usize) {
        let size = self.size.clone().unwrap_or_default();
        (
            self.min_pixels.or(size.shortest_edge).unwrap_or(56 * 56),
            self.max_pixels.or(size.longest_edge).unwrap_or(28 * 28 * 1280),
        )
    }

    /// Height and width after resizing: multiples of a token's side, with about the original proportions and number of
    /// pixels, and within the limits. Halves are rounded to even. `None` if one side is more than 200 times the other.
    fn resized(&self, height: usize, width: usize) -> Option<(usize, usize)> {
        let (short, long) = (height.min(width), height.max(width));
        if short == 0 || long > MAX_RATIO * short {
            return None;
        }
        let (least, most) = self.limits();
        let token = self.token_px();
        let sides = (height as f64, width as f64);
        let in_tokens = |side: f64| side / token as f64;
        let nearest = |side: f64| in_tokens(side).round_ties_even() as usize * token;
        let (h, w) = (nearest(sides.0), nearest(sides.1));
        let n_pixels = (height * width) as f64;
        if h * w > most {
            let shrink = (n_pixels / most as f64).sqrt();
            let below = |side: f64| (in_tokens(side / shrink).floor() as usize).max(1) * token;
            Some((below(sides.0), below(sides.1)))
        } else if h * w < least {
            let enlarge = (least as f64 / n_pixels).sqrt();
            let above = |side: f64| in_tokens(side * enlarge).ceil() as usize * token;
            Some((above(sides.0), above(sides.1)))
        } else {
            Some((h, w))
        }
    }

    /// Resizes like Pillow (bicubic, rounded to 8 bits), normalises, and cuts into patches; every frame shows the same
    /// picture.
    pub(super) fn patches(&self, picture: &Image<f32>) -> Result<Patches, ModelError> {
        let (width_px, height_px) = (picture.width_px(), picture.height_px());
        let Some((height, width)) = self.resized(height_px, width_px) else {
            let expected = format_args!("a side at most {MAX_RATIO} times the other");
            return Err(ModelError::image_size(ARCHITECTURE, 0, (width_px, height_px), expected));
        };
        let steps = Preprocessing {
            resize: vec![ResizeStep::Squash(width, height)],
            filter: Filter::Bicubic,
            antialias: true,
            arithmetic: Arithmetic::EightBit,
            centre_crop_px: None,
            crop_start: CropStart::default(),
            mean: self.image_mean,
            std: self.image_std,
        };
        let prepared = steps.apply(picture)?;
        let (side, merge) = (self.patch_size, self.merge_size);
        let grid = (height / self.token_px(), width / self.token_px());
        let n_channels = Image::<f32>::CHANNELS;
        let mut values = Vec::with_capacity(height * width * n_channels * self.temporal_patch_size);
        for patch in 0..grid.0 * grid.1 * merge * merge {
            let (token, own) = (patch / (merge * merge), patch % (merge * merge));
            let top = (token / grid.1 * merge + own / merge) * side;
            let left = (token % grid.1 * merge + own % merge) * side;
            for channel in 0..n_channels {
                for _ in 0..self.temporal_patch_size {
                    for y in top..top + side {
                        let row = &prepared.data()[(y * width + left) * n_channels..];
                        let pixels = row.chunks_exact(n_channels).take(side);
                        values.extend(pixels.map(|pixel| pixel[channel]));
                    }
                }
            }
        }
        Ok(Patches { values, grid })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goldens::{golden, read};
    use serde_json::json;

    #[test]
    fn sizes_are_those_of_transformers() {
        let preparation = Preparation::default();
        let cases: Vec<[usize; 4]> = read(&golden("qwen2_5_vl_sizes"));
        assert!(cases.len() > 300);
        for [height, width, h, w] in cases {
            let found = preparation.resized(height, width);
            assert_eq!(found, Some((h, w)), "{height} x {width}");
        }
        assert_eq!(preparation.resized(1, 201), None);
        assert_eq!(preparation.resized(0, 5), None);
    }

    #[test]
    fn limits_have_two_names_and_other_preparations_are_refused() {
        let of = |config: serde_json::Value| Preparation::from_text(&config.to_string());
        let limits = |config| of(config).unwrap().limits();
        assert_eq!(limits(json!({})), (3136, 1_003_520));
        let published = json!({"min_pixels": 3136, "max_pixels": 12_845_056});
        assert_eq!(limits(published), (3136, 12_845_056));
        let named = json!({"size": {"shortest_edge": 784, "longest_edge": 7840}});
        assert_eq!(limits(named), (784, 7840));
        for (config, field) in [
            (json!({"resample": 2}), "resample"),
            (json!({"do_resize": false}), "do_resize"),
            (json!({"do_rescale": false}), "do_rescale"),
            (json!({"do_normalize": false}), "do_normalize"),
            (json!({"max_pixels": 100}), "max_pixels"),
            (json!({"merge_size": 0}), "merge_size"),
        ] {
            let message = of(config).unwrap_err().to_string();
            assert!(message.contains(field), "{field}: {message}");
        }
    }
}
