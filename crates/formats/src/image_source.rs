//! Many images from one place: a folder, a `.npy` stack or a `.pt` stack.

use crate::FormatError;
use neurogauge_core::Image;
use std::path::Path;

/// A set of images with stems, loaded one at a time.
#[derive(Debug)]
pub struct ImageSource {
    _private: (),
}

impl ImageSource {
    /// Opens a folder, a `.npy` file, a `.pt` file or `file.pt#key`.
    pub fn open(path: &Path) -> Result<ImageSource, FormatError> {
        let _ = path;
        todo!()
    }

    /// The stems, in natural order for a folder and `"0"`, `"1"`, ... for a stack.
    pub fn stems(&self) -> &[String] {
        todo!()
    }

    /// Number of images.
    pub fn len(&self) -> usize {
        self.stems().len()
    }

    /// Never true of an opened source.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where it was opened.
    pub fn path(&self) -> &Path {
        todo!()
    }

    /// Image number `index`, nominally within [0, 1].
    pub fn load(&self, index: usize) -> Result<Image<f32>, FormatError> {
        let _ = index;
        todo!()
    }

    /// Image number `index` as bytes, or `None` where the source holds floats.
    pub fn load_u8(&self, index: usize) -> Result<Option<Image<u8>>, FormatError> {
        let _ = index;
        todo!()
    }

    /// The file of image number `index`; `None` for stacks.
    pub fn file_path(&self, index: usize) -> Option<&Path> {
        let _ = index;
        todo!()
    }

    /// SHA-256 of the image's file, or of its raw bytes within a stack.
    pub fn content_hash(&self, index: usize) -> Result<String, FormatError> {
        let _ = index;
        todo!()
    }
}
