//! Stores slow results by content, so that nothing is computed twice.
//!
//! - [`ContentKey`]: identifies an item and everything that affects its observation.
//! - [`Store`]: one trait with three back ends. [`Journal`]: texts, graphs and scores of pairs, one line each.
//!   [`Files`]: one file each. [`Matrices`]: rows of numbers.
//! - [`GrowingMatrix`]: a matrix that is written row by row into the same folder.
//!
//! A process writes only to its own segments, and reading merges all segments, so any number of processes may write to
//! one store.

mod files;
mod growing_matrix;
mod journal;
mod key;
mod matrix;
mod matrix_files;

pub use files::Files;
pub use growing_matrix::GrowingMatrix;
pub use journal::Journal;
pub use key::{ContentKey, KeyPrefix, recipe_text};
pub use matrix::{Matrices, RowKeys, name_of};
pub use matrix_files::MatrixFiles;

use crate::FormatError;

/// Values by key.
pub trait Store<T> {
    /// Is there a value with this key?
    fn holds(&self, key: &ContentKey) -> bool;
    /// The value with this key.
    fn get(&self, key: &ContentKey) -> Result<Option<T>, FormatError>;
    /// Stores values; they are on disk when this returns.
    fn keep(&mut self, entries: Vec<(ContentKey, T)>) -> Result<(), FormatError>;
}
