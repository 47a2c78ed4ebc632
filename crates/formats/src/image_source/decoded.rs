//! Decoded pixels of images that are read more than once.

use neurogauge_core::Image;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, OnceLock};

/// 8-bit pixels in an unnamed temporary file, so that nothing remains when the process ends, even if killed.
#[derive(Debug)]
pub(super) struct Decoded {
    file: Mutex<File>,
    places: Vec<OnceLock<Place>>,
}

#[derive(Debug, Clone, Copy)]
struct Place {
    offset: u64,
    width_px: usize,
    height_px: usize,
}

impl Decoded {
    /// For `n_images` images; `None` if no temporary file can be created.
    pub(super) fn new(n_images: usize) -> Option<Self> {
        Some(Decoded {
            file: Mutex::new(tempfile::tempfile().ok()?),
            places: (0..n_images).map(|_| OnceLock::new()).collect(),
        })
    }

    /// A stored image. If it cannot be read, it is decoded again.
    pub(super) fn get(&self, index: usize) -> Option<Image<u8>> {
        let place = self.places.get(index)?.get()?;
        let mut pixels = vec![0; place.width_px * place.height_px * 3];
        let mut file = self.file.lock().ok()?;
        file.seek(SeekFrom::Start(place.offset)).ok()?;
        file.read_exact(&mut pixels).ok()?;
        drop(file);
        Image::new(place.width_px, place.height_px, pixels).ok()
    }

    /// Stores an image, if there is room.
    pub(super) fn put(&self, index: usize, image: &Image<u8>) {
        let write = || -> io::Result<u64> {
            let mut file = self.file.lock().map_err(|_| io::Error::other("poisoned"))?;
            let offset = file.seek(SeekFrom::End(0))?;
            file.write_all(image.data())?;
            Ok(offset)
        };
        if let (Some(place), Ok(offset)) = (self.places.get(index), write()) {
            let _ = place.set(Place {
                offset,
                width_px: image.width_px(),
                height_px: image.height_px(),
            });
        }
    }
}
