//! Decoded pixels of images that are read more than once.

use neurogauge_core::Image;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, OnceLock};

/// 8-bit pixels in an unnamed temporary file, so that nothing remains when the process ends, even if killed.
#[derive(Debug)]
pub(super) struct PixelFile(Mutex<File>);

/// The location of an image's pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    offset: u64,
    width_px: usize,
    height_px: usize,
}

impl PixelFile {
    /// `None` if no temporary file can be created.
    pub(super) fn new() -> Option<Self> {
        Some(PixelFile(Mutex::new(tempfile::tempfile().ok()?)))
    }

    fn read(&self, place: Place) -> Option<Image<u8>> {
        let mut pixels = vec![0; place.width_px * place.height_px * 3];
        let mut file = self.0.lock().ok()?;
        file.seek(SeekFrom::Start(place.offset)).ok()?;
        file.read_exact(&mut pixels).ok()?;
        drop(file);
        Image::new(place.width_px, place.height_px, pixels).ok()
    }

    /// Stores an image, if there is room.
    pub(super) fn write(&self, image: &Image<u8>) -> Option<Place> {
        let write = || -> io::Result<u64> {
            let mut file = self.0.lock().map_err(|_| io::Error::other("poisoned"))?;
            let offset = file.seek(SeekFrom::End(0))?;
            file.write_all(image.data())?;
            Ok(offset)
        };
        Some(Place {
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
    places: Vec<OnceLock<Place>>,
}

impl Decoded {
    /// Some images that are stored already, and others that are not.
    pub(super) fn new(file: PixelFile, places: impl Iterator<Item = Option<Place>>) -> Self {
        let lock = |place: Option<Place>| place.map_or_else(OnceLock::new, OnceLock::from);
        Decoded {
            file,
            places: places.map(lock).collect(),
        }
    }

    /// A stored image. If it cannot be read, it is decoded again.
    pub(super) fn get(&self, image: usize) -> Option<Image<u8>> {
        self.file.read(*self.places.get(image)?.get()?)
    }

    /// Stores an image, if there is room.
    pub(super) fn put(&self, image: usize, pixels: &Image<u8>) {
        if let (Some(lock), Some(place)) = (self.places.get(image), self.file.write(pixels)) {
            let _ = lock.set(place);
        }
    }
}
