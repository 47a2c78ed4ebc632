//! Decoded pixels of images that are read more than once.

use crate::FormatError;
use neurogauge_core::Image;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};

/// 8-bit pixels in an unnamed temporary file, so that nothing remains when the process ends, even if it is killed.
#[derive(Debug)]
pub(super) struct PixelFile(Mutex<File>);

/// The location of an image's pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct PixelPlace {
    offset: u64,
    width_px: usize,
    height_px: usize,
}

impl PixelFile {
    /// A new file; `None` if no temporary file can be created.
    pub(super) fn new() -> Option<Self> {
        Some(PixelFile(Mutex::new(tempfile::tempfile().ok()?)))
    }

    fn read(&self, place: PixelPlace) -> Option<Image<u8>> {
        let mut pixels = vec![0; place.width_px * place.height_px * 3];
        let mut file = self.0.lock().ok()?;
        file.seek(SeekFrom::Start(place.offset)).ok()?;
        file.read_exact(&mut pixels).ok()?;
        drop(file);
        Image::new(place.width_px, place.height_px, pixels).ok()
    }

    /// Stores an image, if there is room.
    pub(super) fn write(&self, image: &Image<u8>) -> Option<PixelPlace> {
        let write = || -> io::Result<u64> {
            let mut file = self.0.lock().map_err(|_| io::Error::other("poisoned"))?;
            let offset = file.seek(SeekFrom::End(0))?;
            file.write_all(image.data())?;
            Ok(offset)
        };
        Some(PixelPlace {
            offset: write().ok()?,
            width_px: image.width_px(),
            height_px: image.height_px(),
        })
    }
}

/// The stored images of a source.
#[derive(Debug)]
pub(super) struct Decoded {
    file: PixelFile,
    places: Vec<Mutex<Option<PixelPlace>>>,
}

impl Decoded {
    /// Images, some of them already stored.
    pub(super) fn new(file: PixelFile, places: impl Iterator<Item = Option<PixelPlace>>) -> Self {
        Decoded {
            file,
            places: places.map(Mutex::new).collect(),
        }
    }

    /// Width and height of a stored image.
    pub(super) fn size_px(&self, image: usize) -> Option<(usize, usize)> {
        let place = self.places.get(image)?.lock().ok()?;
        place.map(|place| (place.width_px, place.height_px))
    }

    /// A stored image. An image that is not stored is decoded, and stored if there is room. Threads that need the same
    /// image wait for the one that decodes it.
    pub(super) fn get(
        &self,
        image: usize,
        decode: impl FnOnce() -> Result<Image<u8>, FormatError>,
    ) -> Result<Image<u8>, FormatError> {
        let Some(place) = self.places.get(image) else {
            return decode();
        };
        let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = *place {
            drop(place);
            return self.file.read(found).map_or_else(decode, Ok);
        }
        let decoded = decode()?;
        *place = self.file.write(&decoded);
        Ok(decoded)
    }
}
