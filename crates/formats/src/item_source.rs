//! Sources whose items are read one at a time.

use crate::FormatError;
use crate::detections::DetectionSource;
use crate::image_source::ImageSource;
use crate::masks::MaskSource;
use std::path::Path;

/// Many items under one path, each with a stem.
pub trait ItemSource: Sync {
    fn stems(&self) -> &[String];
    /// The path that was opened.
    fn path(&self) -> &Path;
    /// The form of an item's bytes: `files`, or element type and layout of a stack.
    fn form(&self) -> String;
    /// The program that decoded the items, with its version, if it is not this one.
    fn decoder(&self) -> Option<String> {
        None
    }
    /// SHA-256 of an item.
    ///
    /// # Errors
    /// A file that cannot be read.
    fn content_hash(&self, index: usize) -> Result<String, FormatError>;
    /// Keeps these items, in this order and under these stems; the others are left out. An item may be kept several
    /// times.
    fn select(&mut self, items: &[usize], stems: Vec<String>);
}

/// The values at these positions, in this order.
pub fn picked<T: Clone>(values: &[T], places: &[usize]) -> Vec<T> {
    places.iter().filter_map(|&place| values.get(place).cloned()).collect()
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
    fn decoder(&self) -> Option<String> {
        self.decoder()
    }
    fn content_hash(&self, index: usize) -> Result<String, FormatError> {
        self.content_hash(index)
    }
    fn select(&mut self, items: &[usize], stems: Vec<String>) {
        self.select(items, stems);
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
    fn select(&mut self, items: &[usize], stems: Vec<String>) {
        self.select(items, stems);
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
    fn select(&mut self, items: &[usize], stems: Vec<String>) {
        self.select(items, stems);
    }
}
