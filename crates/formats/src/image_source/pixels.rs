//! The pixels of single images, as numbers, for viewing, and as hashes.

use super::stack::StackArray;
use super::{ImageSource, Origin};
use crate::element::ElementType;
use crate::{AtPath, FormatError, Problem, content_hash, image_file};
use neurogauge_core::Image;
use neurogauge_core::image::{Background, ImageReading, PixelValue};
use neurogauge_core::inspection::appearance::ImageFacts;
use std::iter::repeat;

/// Colours, and the alpha of each pixel if there is any.
type WithAlpha<T> = (Image<T>, Option<Vec<T>>);

impl ImageSource {
    /// Image number `index`: uint8 divided by 255, floats not rescaled, nominally within [0, 1].
    ///
    /// Values outside that range and non-finite ones are kept, so that a comparison can report them.
    pub fn load(&self, index: usize) -> Result<Image<f32>, FormatError> {
        if let Some(image) = self.load_u8(index)? {
            return Ok(image.to_unit_float());
        }
        let (image, alpha) = self.stored(index)?;
        let ImageReading {
            values: scale,
            alpha: background,
        } = self.reading();
        let unit = |value: f32| scale.map_or(value, |scale| scale.to_unit(value));
        let background = background.unwrap_or(Background::AsStored);
        let (width_px, height_px) = (image.width_px(), image.height_px());
        let mut values = image.into_data();
        if let Some(scale) = scale {
            scale.all_to_unit(&mut values);
        }
        if let Some(alpha) = alpha {
            let pixels = values.as_chunks_mut::<3>().0.iter_mut().zip(alpha);
            pixels.for_each(|(pixel, alpha)| *pixel = background.under_floats(*pixel, unit(alpha)));
        }
        Image::new(width_px, height_px, values).at(&self.path)
    }

    /// Has any image transparent pixels? Known once the source is [settled](Self::settle) with a background.
    pub fn is_transparent(&self) -> bool {
        self.reading().alpha.is_some()
    }

    /// How opaque each pixel of image number `index` is, as a grey image from 0 to 1.
    pub fn opacity(&self, index: usize) -> Result<Image<f32>, FormatError> {
        self.check(index)?;
        if let Origin::Files { files, ffmpeg, .. } = &self.origin {
            let on = |background| files[self.places[index]].decode(ffmpeg.as_ref(), background);
            let (mut white, black) = (on(Background::White)?.to_unit_float(), on(Background::Black)?.to_unit_float());
            // As much of the background is seen as a pixel is transparent.
            let both = white.data_mut().iter_mut().zip(black.data());
            both.for_each(|(white, black)| *white = 1.0 - (*white - black));
            return Ok(white);
        }
        let (mut image, alpha): WithAlpha<f32> = match self.stored_u8(index)? {
            Some((image, alpha)) => {
                let unit = |alpha: Vec<u8>| alpha.into_iter().map(|alpha| f32::from(alpha) / 255.0).collect();
                (image.to_unit_float(), alpha.map(unit))
            }
            None => {
                let (image, alpha) = self.stored(index)?;
                let unit = |alpha: f32| self.reading().values.map_or(alpha, |scale| scale.to_unit(alpha));
                (image, alpha.map(|alpha| alpha.into_iter().map(unit).collect()))
            }
        };
        let (pixels, _) = image.data_mut().as_chunks_mut::<3>();
        let opacities = alpha.into_iter().flatten().chain(repeat(1.0));
        pixels.iter_mut().zip(opacities).for_each(|(pixel, opacity)| *pixel = [opacity; 3]);
        Ok(image)
    }

    /// The stored floats of image number `index`, and the alpha of each pixel if there is any.
    pub(super) fn stored(&self, index: usize) -> Result<WithAlpha<f32>, FormatError> {
        self.check(index)?;
        self.stacked(index, StackArray::floats)
    }

    /// The stored levels of image number `index`, and the alpha of each pixel if there is any; `None` for files and
    /// floats.
    pub(super) fn stored_u8(&self, index: usize) -> Result<Option<WithAlpha<u8>>, FormatError> {
        match &self.origin {
            Origin::Stack { array, .. } if array.element_type() == ElementType::U8 => {
                self.stacked(index, StackArray::bytes).map(Some)
            }
            _ => Ok(None),
        }
    }

    pub(super) fn reading(&self) -> ImageReading {
        self.reading.get().copied().unwrap_or_default()
    }

    /// Image number `index` as stored, or `None` if the source has floats.
    pub fn load_u8(&self, index: usize) -> Result<Option<Image<u8>>, FormatError> {
        self.check(index)?;
        let place = self.places[index];
        match &self.origin {
            Origin::Files { files, ffmpeg, grid } => {
                let background = self.reading().alpha.unwrap_or(Background::AsStored);
                let decode = || files[place].decode(ffmpeg.as_ref(), background);
                match self.decoded.get() {
                    // The pictures of a grid were kept without blending.
                    Some(Some(kept)) if grid.is_none() || background == Background::AsStored => kept.get(place, decode),
                    _ => decode(),
                }
                .map(Some)
            }
            Origin::Stack { .. } => Ok(match self.stored_u8(index)? {
                Some((image, Some(alpha))) => {
                    let background = self.reading().alpha.unwrap_or(Background::AsStored);
                    Some(image_file::on(background, &image, &alpha).at(&self.path)?)
                }
                found => found.map(|(image, _)| image),
            }),
        }
    }

    /// Facts about image number `index`, which is decoded: size, values, colours, and encoding.
    pub fn facts(&self, index: usize) -> Result<ImageFacts, FormatError> {
        self.check(index)?;
        let stem = self.stems[index].clone();
        if let Some(file) = self.file_path(index) {
            let found = image_file::read_described(file)?;
            return Ok(ImageFacts {
                stem,
                pixels: found.image.facts(),
                encoding: found.encoding,
                is_transparent: found.is_transparent,
            });
        }
        let (pixels, is_transparent) = match (&self.origin, self.stored_u8(index)?) {
            (_, Some((image, alpha))) => (image.facts(), alpha.iter().flatten().any(|&alpha| alpha < u8::MAX)),
            (Origin::Files { .. }, None) => (self.load_shown(index)?.facts(), false),
            (Origin::Stack { .. }, None) => {
                let (image, alpha) = self.stored(index)?;
                (image.facts(), alpha.iter().flatten().any(|&alpha| alpha < 1.0))
            }
        };
        Ok(ImageFacts {
            stem,
            pixels,
            encoding: match &self.origin {
                Origin::Files { files, .. } => files[self.places[index]].form(),
                Origin::Stack { .. } => self.stored_form(),
            },
            is_transparent,
        })
    }

    /// Image number `index` in 8 bits, for viewing: floats are clipped to [0, 1], NaN becomes black.
    pub fn load_shown(&self, index: usize) -> Result<Image<u8>, FormatError> {
        if let Some(image) = self.load_u8(index)? {
            return Ok(image);
        }
        Ok(self.load(index)?.to_shown())
    }

    /// The image with this stem, in 8 bits for viewing; `None` if there is none.
    ///
    /// ```
    /// use neurogauge_formats::{image_source::ImageSource, npy};
    /// let folder = tempfile::tempdir().unwrap();
    /// let path = folder.path().join("recons.npy");
    /// npy::write_f32(&path, &[1, 1, 1, 3], &[-1.0, 0.2, 1.5]).unwrap();
    /// let recons = ImageSource::open(&path).unwrap();
    /// assert_eq!(recons.shown("0").unwrap().unwrap().data(), [0, 51, 255]);
    /// assert!(recons.shown("1").unwrap().is_none());
    /// ```
    pub fn shown(&self, stem: &str) -> Result<Option<Image<u8>>, FormatError> {
        let place = self.stems.iter().position(|known| known == stem);
        place.map(|place| self.load_shown(place)).transpose()
    }

    /// SHA-256 of the image's file, or of its bytes within a stack (NumPy's `stack[index].tobytes()`), behind a line with
    /// width and height if sizes differ. For a frame or a
    /// picture of a grid, the SHA-256 of its decoded pixels as a binary PPM file (`P6`, width and height, `255`, each
    /// on a line, then the RGB bytes).
    pub fn content_hash(&self, index: usize) -> Result<String, FormatError> {
        self.check(index)?;
        if let Some(file) = self.file_path(index) {
            return content_hash::of_file(file);
        }
        let bytes = match &self.origin {
            Origin::Stack { array, layout, .. } => {
                let place = self.places[index] as u64;
                let layout = array.layout_of(place, *layout);
                let bytes = array.bytes(place, layout.values())?;
                match array.has_sizes() {
                    true => [format!("{} {}\n", layout.width_px, layout.height_px).as_bytes(), &bytes].concat(),
                    false => bytes,
                }
            }
            Origin::Files { .. } => {
                let image = self.load_shown(index)?;
                let size = format!("P6\n{} {}\n255\n", image.width_px(), image.height_px());
                [size.as_bytes(), image.data()].concat()
            }
        };
        Ok(content_hash::of_bytes(&bytes))
    }

    fn check(&self, index: usize) -> Result<(), FormatError> {
        if index < self.len() {
            return Ok(());
        }
        Err(Problem::no_such_image(index, self.len()).at(&self.path))
    }

    fn stacked<T: PixelValue>(
        &self,
        index: usize,
        read: impl Fn(&StackArray, u64, u64) -> Result<Vec<T>, FormatError>,
    ) -> Result<WithAlpha<T>, FormatError> {
        let Origin::Stack { array, layout, .. } = &self.origin else {
            return Err(Problem::not_an_image_source().at(&self.path));
        };
        let place = self.places[index] as u64;
        let layout = array.layout_of(place, *layout);
        let (values, alpha) = T::colours(read(array, place, layout.values())?, layout.channels());
        let (width_px, height_px) = (layout.width_px as usize, layout.height_px as usize);
        Ok((Image::new(width_px, height_px, values).at(&self.path)?, alpha))
    }
}
