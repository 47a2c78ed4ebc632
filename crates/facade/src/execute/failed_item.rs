//! Items that could not be observed, and what is done about them.

use crate::Error;
use serde::{Deserialize, Serialize};

/// An item that could not be read or observed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedItem {
    /// Side and kind (`gt/images`), or `images`.
    pub role: String,
    /// Its stem.
    pub stem: String,
    /// Why.
    pub reason: String,
}

impl FailedItem {
    /// An error if there are any; `what` is what they lack.
    ///
    /// # Errors
    /// [`Error::FailedItems`].
    pub fn check(items: &[FailedItem], what: &'static str) -> Result<(), Error> {
        if items.is_empty() {
            return Ok(());
        }
        let names = items
            .iter()
            .map(|item| format!("{} {:?}", item.role, item.stem));
        Err(Error::FailedItems {
            what,
            n_images: items.len(),
            images: names.collect::<Vec<_>>().join(", "),
        })
    }
}

/// What a process did that worked on a part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartDone {
    /// Pairs, images or target units that the part has.
    pub n_items: usize,
    /// Those of which nothing could be observed.
    pub failed: Vec<FailedItem>,
}
