//! The pixels of single images, as numbers, for viewing, and as hashes.

use super::stack::StackArray;
use super::{ImageSource, Origin};
use crate::element::ElementType;
use crate::{AtPath, FormatError, Problem, content_hash, image_file};
use neurogauge_core::Image;
use neurogauge_core::image::{Background, ImageReading};
use neurogauge_core::inspection::appearance::ImageFacts;

impl ImageSource {
    /// Image number `index`: uint8 divided by 255, floats not rescaled, nominally within [0, 1].
    ///
    /// Values outside that range and non-finite ones are kept, so that a comparison can report them.
    pub fn load(&self, index: usize) -> Result<Image<f32>, FormatError> {
        if let Some(image) = self.load_u8(index)? {
            return Ok(image.to_unit_float());
        }
        let image = self.stored(index)?;
        let Some(scale) = self.reading().values else {
            return Ok(image);
        };
        let (width_px, height_px) = (image.width_px(), image.height_px());
        let values = image.into_data().into_iter().map(|value| scale.to_unit(value)).collect();
        Image::new(width_px, height_px, values).at(&self.path)
    }

    /// The stored floats of image number `index`.
    pub(super) fn stored(&self, index: usize) -> Result<Image<f32>, FormatError> {
        self.check(index)?;
        self.stacked(index, StackArray::floats)
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
            Origin::Stack { array, .. } if array.element_type() == ElementType::U8 => {
                self.stacked(index, StackArray::bytes).map(Some)
            }
            Origin::Stack { .. } => Ok(None),
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
        let pixels = match self.load_u8(index)? {
            Some(image) => image.facts(),
            None => self.stored(index)?.facts(),
        };
        Ok(ImageFacts {
            stem,
            pixels,
            encoding: match &self.origin {
                Origin::Files { files, .. } => files[self.places[index]].form(),
                Origin::Stack { .. } => self.stored_form(),
            },
            is_transparent: false,
        })
    }

    /// Image number `index` in 8 bits, for viewing: floats are clipped to [0, 1], NaN becomes black.
    pub fn load_shown(&self, index: usize) -> Result<Image<u8>, FormatError> {
        if let Some(image) = self.load_u8(index)? {
            return Ok(image);
        }
        let image = self.load(index)?;
        let (width, height) = (image.width_px(), image.height_px());
        let bytes = image.into_data().into_iter().map(|value| (value.clamp(0.0, 1.0) * 255.0).round() as u8);
        Image::new(width, height, bytes.collect()).at(&self.path)
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

    /// SHA-256 of the image's file, or of its bytes within a stack (NumPy's `stack[index].tobytes()`). For a frame or a
    /// picture of a grid, the SHA-256 of its decoded pixels as a binary PPM file (`P6`, width and height, `255`, each
    /// on a line, then the RGB bytes).
    pub fn content_hash(&self, index: usize) -> Result<String, FormatError> {
        self.check(index)?;
        if let Some(file) = self.file_path(index) {
            return content_hash::of_file(file);
        }
        let bytes = match &self.origin {
            Origin::Stack { array, layout } => array.bytes(self.places[index] as u64, layout.values())?,
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

    fn stacked<T: Copy>(
        &self,
        index: usize,
        read: impl Fn(&StackArray, u64, u64) -> Result<Vec<T>, FormatError>,
    ) -> Result<Image<T>, FormatError> {
        let Origin::Stack { array, layout } = &self.origin else {
            return Err(Problem::not_an_image_source().at(&self.path));
        };
        let mut values = read(array, self.places[index] as u64, layout.values())?;
        if layout.channels_first {
            let plane = values.len() / 3;
            values = (0..plane).flat_map(|p| [values[p], values[plane + p], values[2 * plane + p]]).collect();
        }
        let (width_px, height_px) = (layout.width_px as usize, layout.height_px as usize);
        Image::new(width_px, height_px, values).at(&self.path)
    }
}
