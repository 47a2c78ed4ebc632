//! Sources whose items are read one at a time.

use crate::FormatError;
use neurogauge_core::pair::Form;
use std::path::Path;

/// Many items under one path, each with a stem.
pub trait ItemSource: Sync {
    fn stems(&self) -> &[String];
    /// The path that was opened.
    fn path(&self) -> &Path;
    /// The form of an item's bytes: `files`, or element type and layout of a stack.
    fn form(&self) -> String {
        "files".to_owned()
    }
    /// What the files were taken for.
    fn taken_for(&self) -> Form {
        Form::usual(self.form())
    }
    /// The program that decoded the items, with its version, if another program did.
    fn decoder(&self) -> Option<String> {
        None
    }
    /// SHA-256 of an item.
    fn content_hash(&self, index: usize) -> Result<String, FormatError>;
    /// Keeps only these items, in this order and under these stems. An item may be kept several times.
    fn select(&mut self, items: &[usize], stems: Vec<String>);
}

/// The values at these positions, in this order.
pub fn picked<T: Clone>(values: &[T], places: &[usize]) -> Vec<T> {
    places.iter().filter_map(|&place| values.get(place).cloned()).collect()
}
