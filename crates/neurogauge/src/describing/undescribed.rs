//! Images of which nothing could be said.

use crate::Error;
use serde::{Deserialize, Serialize};

/// An image that a model could not read or describe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undescribed {
    /// Side and kind (`gt/images`), or `images`.
    pub role: String,
    /// Its stem.
    pub stem: String,
    /// Why.
    pub reason: String,
}

impl Undescribed {
    /// An error if there are any; `what` is what they lack.
    pub(crate) fn check(images: &[Undescribed], what: &'static str) -> Result<(), Error> {
        if images.is_empty() {
            return Ok(());
        }
        let names = images
            .iter()
            .map(|image| format!("{} {:?}", image.role, image.stem));
        Err(Error::Undescribed {
            what,
            n_images: images.len(),
            images: names.collect::<Vec<_>>().join(", "),
        })
    }
}
