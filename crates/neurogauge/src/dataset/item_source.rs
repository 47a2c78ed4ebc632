//! Sources whose items are read one at a time.

use neurogauge_formats::FormatError;
use neurogauge_formats::detections::DetectionSource;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::masks::MaskSource;
use std::path::Path;

/// Many items under one path, each with a stem.
pub(crate) trait ItemSource: Sync {
    fn stems(&self) -> &[String];
    fn path(&self) -> &Path;
    /// What the bytes of an item are; see [`InputRecord::form`](super::InputRecord::form).
    fn form(&self) -> String;
    fn content_hash(&self, index: usize) -> Result<String, FormatError>;
}

impl ItemSource for ImageSource {
    fn stems(&self) -> &[String] {
        self.stems()
    }
    fn path(&self) -> &Path {
        self.path()
    }
    fn form(&self) -> String {
        self.form()
    }
    fn content_hash(&self, index: usize) -> Result<String, FormatError> {
        self.content_hash(index)
    }
}

impl ItemSource for MaskSource {
    fn stems(&self) -> &[String] {
        self.stems()
    }
    fn path(&self) -> &Path {
        self.path()
    }
    fn form(&self) -> String {
        "files".to_owned()
    }
    fn content_hash(&self, index: usize) -> Result<String, FormatError> {
        self.content_hash(index)
    }
}

impl ItemSource for DetectionSource {
    fn stems(&self) -> &[String] {
        self.stems()
    }
    fn path(&self) -> &Path {
        self.path()
    }
    fn form(&self) -> String {
        "files".to_owned()
    }
    fn content_hash(&self, index: usize) -> Result<String, FormatError> {
        self.content_hash(index)
    }
}
