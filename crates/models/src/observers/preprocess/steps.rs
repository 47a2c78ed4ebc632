//! The steps of preprocessing: resize, crop, normalise.

use crate::ModelError;
use neurogauge_core::Image;
use neurogauge_core::image::{Arithmetic, Filter, resize_float, resize_u8, shorter_side_to};
use neurogauge_kernels::pixels::{non_finite, normalise};
use serde::{Deserialize, Serialize};

/// The preprocessing of an image for a model: resized step by step, cropped, normalised.
///
/// Equation: (v - mean) / std per channel, in f32, of pixel values v nominally within [0, 1].
///
/// Conventions: `image-presets`, `antialias`.
///
/// Reference: torchvision 0.29.2 with Pillow 13.0.0; [`Arithmetic::EightBit`] every bit equal,
/// [`Arithmetic::Float`] within 3e-7 before normalisation, which divides by about a quarter.
///
/// ```
/// use neurogauge_core::Image;
/// use neurogauge_models::preprocess::ImagePreset;
/// let steps = ImagePreset::Nsd8Mindeye2.preprocessing("alexnet", None)?;
/// let grey = Image::new(300, 200, vec![0.485_f32; 300 * 200 * 3]).unwrap();
/// let input = steps.apply(&grey)?;
/// assert_eq!((input.width_px(), input.height_px()), (256, 256));
/// assert!(input.at(100, 100, 0).abs() < 1e-6); // the mean of the red channel
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preprocessing {
    /// The resizing steps, in order.
    pub resize: Vec<ResizeStep>,
    /// The interpolation of every step.
    pub filter: Filter,
    /// Is the image smoothed before it shrinks? Pillow always does that.
    pub antialias: bool,
    /// The numbers in which resizing is computed.
    pub arithmetic: Arithmetic,
    /// Side of the square that is cropped from the middle after resizing, px.
    pub centre_crop_px: Option<usize>,
    /// How the start of that square is rounded.
    #[serde(default, skip_serializing_if = "CropStart::is_even")]
    pub crop_start: CropStart,
    /// Subtracted from red, green, blue.
    pub mean: [f32; 3],
    /// Divides red, green and blue after that.
    pub std: [f32; 3],
}

/// How the start of a centre crop is rounded if the number of spare pixels is odd.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CropStart {
    /// Half a pixel is rounded to even, as in torchvision's `center_crop`.
    #[default]
    Even,
    /// Half a pixel is rounded down, as in the processors of transformers.
    Down,
}

impl CropStart {
    fn is_even(&self) -> bool {
        *self == CropStart::Even
    }

    /// The first pixel of a centre crop, given the number of spare pixels.
    fn of(self, n_spare: usize) -> usize {
        let half = n_spare / 2;
        match self {
            CropStart::Even => half + usize::from(n_spare % 2 == 1 && half % 2 == 1),
            CropStart::Down => half,
        }
    }
}

/// A change of size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResizeStep {
    /// The shorter side to this many pixels, the longer one in proportion, truncated (`Resize(n)`).
    ShorterSide(usize),
    /// To (width, height), regardless of the proportions (`Resize((height, width))`).
    Squash(usize, usize),
}

impl ResizeStep {
    /// Width and height after the step.
    fn target(self, width_px: usize, height_px: usize) -> (usize, usize) {
        match self {
            ResizeStep::ShorterSide(target_px) => shorter_side_to(width_px, height_px, target_px),
            ResizeStep::Squash(width_px, height_px) => (width_px, height_px),
        }
    }
}

impl Preprocessing {
    /// Width and height after all steps of an image of this size.
    ///
    /// ```
    /// use neurogauge_models::ImagePreset;
    /// let steps = ImagePreset::Published.preprocessing("alexnet", None)?;
    /// assert_eq!(steps.size(640, 480), (224, 224));
    /// # Ok::<(), neurogauge_models::ModelError>(())
    /// ```
    pub fn size(&self, width_px: usize, height_px: usize) -> (usize, usize) {
        if let Some(side_px) = self.centre_crop_px {
            return (side_px, side_px);
        }
        let mut steps = self.resize.iter();
        steps
            .try_fold((width_px, height_px), |(width_px, height_px), step| {
                (width_px > 0 && height_px > 0).then(|| step.target(width_px, height_px))
            })
            .unwrap_or_default()
    }

    /// The input of a model of clips: the prepared frames, stacked vertically. A single image is prepared as in
    /// [`apply`](Self::apply).
    ///
    /// # Errors
    /// As in [`apply`](Self::apply); prepared frames of different sizes.
    pub fn apply_to_frames(&self, frames: &[Image<f32>]) -> Result<Image<f32>, ModelError> {
        let mut prepared = frames.iter().map(|frame| self.apply(frame));
        let Some(first) = prepared.next().transpose()? else {
            return Ok(Image::new(0, 0, Vec::new())?);
        };
        if frames.len() == 1 {
            return Ok(first);
        }
        let (width, height) = (first.width_px(), first.height_px());
        let mut values = first.into_data();
        for frame in prepared {
            values.extend(frame?.into_data());
        }
        Ok(Image::new(width, frames.len() * height, values)?)
    }

    /// Applies all steps to an image (values nominally within [0, 1]).
    ///
    /// # Errors
    /// A pixel that is not a number; [`ModelError::Resize`]; an image smaller than its crop;
    /// [`ModelError::PillowAntialias`].
    pub fn apply(&self, image: &Image<f32>) -> Result<Image<f32>, ModelError> {
        check_finite(image)?;
        let resized = match self.arithmetic {
            Arithmetic::Float => self.resize_floats(image)?,
            Arithmetic::EightBit if !self.antialias => return Err(ModelError::PillowAntialias),
            Arithmetic::EightBit => self.resize_levels(image)?,
        };
        let mut input = match self.centre_crop_px {
            Some(side_px) => centre_crop(&resized, side_px, self.crop_start)?,
            None => resized,
        };
        normalise(input.data_mut(), self.mean, self.std);
        Ok(input)
    }

    /// Other preprocessings that give the same input for every image of this size: without a first step to the size
    /// that the image already has, or with such a step added. In floats such a step changes no bit; in 8 bits every
    /// step rounds, so the result is empty.
    pub fn equal_at(&self, (width_px, height_px): (usize, usize)) -> Vec<Preprocessing> {
        let is_idle = |step: ResizeStep| step.target(width_px, height_px) == (width_px, height_px);
        let with = |resize: Vec<ResizeStep>| Preprocessing { resize, ..self.clone() };
        match self.resize.as_slice() {
            _ if self.arithmetic != Arithmetic::Float => Vec::new(),
            [first, rest @ ..] if is_idle(*first) => vec![with(rest.to_vec())],
            steps => {
                let idle = [ResizeStep::Squash(width_px, height_px), ResizeStep::ShorterSide(width_px.min(height_px))];
                let before = |step| with([&[step], steps].concat());
                idle.map(before).into()
            }
        }
    }

    fn resize_floats(&self, image: &Image<f32>) -> Result<Image<f32>, ModelError> {
        self.resize.iter().try_fold(image.clone(), |image, step| {
            let (width_px, height_px) = step.target(image.width_px(), image.height_px());
            Ok(resize_float(&image, width_px, height_px, self.filter, self.antialias)?)
        })
    }

    fn resize_levels(&self, image: &Image<f32>) -> Result<Image<f32>, ModelError> {
        let resized = self.resize.iter().try_fold(image.to_levels(), |image, step| {
            let (width_px, height_px) = step.target(image.width_px(), image.height_px());
            resize_u8(&image, width_px, height_px, self.filter)
        })?;
        Ok(resized.to_unit_float())
    }
}

/// Refuses an image with a pixel that is not a number.
pub(crate) fn check_finite(image: &Image<f32>) -> Result<(), ModelError> {
    match non_finite(image.data()) {
        Some(value) => Err(ModelError::item(format_args!(
            "the image has a pixel of value {value}; a model needs finite numbers"
        ))),
        None => Ok(()),
    }
}

fn centre_crop(image: &Image<f32>, side_px: usize, start: CropStart) -> Result<Image<f32>, ModelError> {
    let (width_px, height_px) = (image.width_px(), image.height_px());
    if width_px < side_px || height_px < side_px {
        return Err(ModelError::other(format_args!(
            "cannot cut {side_px} x {side_px} px out of an image that has {width_px} x {height_px} px after resizing"
        )));
    }
    let (left, top) = (start.of(width_px - side_px), start.of(height_px - side_px));
    let row_length = side_px * Image::<f32>::CHANNELS;
    let rows = (top..top + side_px).map(|y| {
        let start = (y * width_px + left) * Image::<f32>::CHANNELS;
        &image.data()[start..start + row_length]
    });
    Ok(Image::new(side_px, side_px, rows.collect::<Vec<_>>().concat())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(width_px: usize, height_px: usize) -> Image<f32> {
        let data = (0..width_px * height_px).flat_map(|i| [i as f32 / 256.0; 3]);
        Image::new(width_px, height_px, data.collect()).unwrap()
    }

    #[test]
    fn the_middle_is_rounded_to_even_or_down() {
        // (spare, first, first) by Python's int(round(spare / 2)) and spare // 2.
        for (spare, even, down) in [(0, 0, 0), (1, 0, 0), (2, 1, 1), (3, 2, 1), (4, 2, 2), (5, 2, 2), (7, 4, 3)] {
            for (start, first) in [(CropStart::Even, even), (CropStart::Down, down)] {
                let cut = centre_crop(&numbered(4 + spare, 4), 4, start).unwrap();
                assert_eq!(cut.at(0, 0, 1), first as f32 / 256.0, "{start:?} {spare}");
            }
        }
        let error = centre_crop(&numbered(4, 3), 4, CropStart::Even).unwrap_err().to_string();
        assert!(error.contains("4 x 3 px"), "{error}");
    }

    #[test]
    fn a_step_to_the_size_that_an_image_has_changes_no_bit() {
        let uneven = |i: usize| (i as f32 * 0.377).sin().mul_add(0.5, 0.5);
        let image = Image::new(7, 7, (0..7 * 7 * 3).map(uneven).collect()).unwrap();
        for filter in [Filter::Bilinear, Filter::Bicubic] {
            for antialias in [false, true] {
                let steps = Preprocessing {
                    filter,
                    antialias,
                    ..plain(Arithmetic::Float)
                };
                let equal = steps.equal_at((7, 7));
                assert_eq!(equal.len(), 2);
                for other in equal {
                    assert_eq!(other.resize.len(), 2);
                    assert_eq!(other.apply(&image).unwrap(), steps.apply(&image).unwrap());
                    assert_eq!(other.equal_at((7, 7)), std::slice::from_ref(&steps));
                }
            }
        }
        let eight_bit = plain(Arithmetic::EightBit);
        assert_eq!(eight_bit.equal_at((7, 7)), []);
    }

    fn plain(arithmetic: Arithmetic) -> Preprocessing {
        Preprocessing {
            resize: vec![ResizeStep::ShorterSide(2)],
            filter: Filter::Bilinear,
            antialias: true,
            arithmetic,
            centre_crop_px: None,
            crop_start: CropStart::Even,
            mean: [0.5, 0.0, 0.0],
            std: [0.5, 1.0, 2.0],
        }
    }

    #[test]
    fn eight_bits_round_and_floats_do_not() {
        let image = Image::new(2, 2, vec![0.1; 12]).unwrap();
        let float = plain(Arithmetic::Float).apply(&image).unwrap();
        assert_eq!(float.data()[..3], [(0.1 - 0.5) / 0.5, 0.1, 0.05]);
        let levels = plain(Arithmetic::EightBit).apply(&image).unwrap();
        assert_eq!(levels.data()[1], 26.0 / 255.0);
    }

    #[test]
    fn what_cannot_be_done_is_said() {
        let image = Image::new(1, 1, vec![0.5, f32::NAN, 0.5]).unwrap();
        let steps = plain(Arithmetic::Float);
        assert!(steps.apply(&image).unwrap_err().to_string().contains("NaN"));
        let steps = Preprocessing {
            antialias: false,
            ..plain(Arithmetic::EightBit)
        };
        let error = steps.apply(&numbered(3, 3)).unwrap_err().to_string();
        assert!(error.contains("Pillow always smooths"), "{error}");
    }

    #[test]
    fn every_step_stands_in_the_record() {
        let steps = Preprocessing {
            resize: vec![ResizeStep::Squash(256, 256), ResizeStep::ShorterSide(224)],
            ..plain(Arithmetic::EightBit)
        };
        let text = serde_json::to_string(&steps).unwrap();
        assert!(text.starts_with(r#"{"resize":[{"squash":[256,256]},{"shorter_side":224}],"filter":"bilinear","#));
        assert!(text.contains(r#""arithmetic":"eight-bit""#), "{text}");
        assert_eq!(serde_json::from_str::<Preprocessing>(&text).unwrap(), steps);
        // Records of torchvision's rule omit the field, as before there were two rules.
        assert!(!text.contains("crop_start"), "{text}");
        let steps = Preprocessing {
            crop_start: CropStart::Down,
            ..steps
        };
        let text = serde_json::to_string(&steps).unwrap();
        assert!(text.contains(r#""crop_start":"down""#), "{text}");
        assert_eq!(serde_json::from_str::<Preprocessing>(&text).unwrap(), steps);
    }
}
