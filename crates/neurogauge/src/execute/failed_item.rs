//! Items that could not be observed, and what is done about them.

use crate::Error;
use neurogauge_core::ObservationKind;
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
    /// What it lacks, where it was to have observations of this kind.
    pub(crate) fn lacked(kind: ObservationKind) -> &'static str {
        match kind {
            ObservationKind::Captions => "caption",
            ObservationKind::SceneGraphs => "scene graph",
            other => other.noun(),
        }
    }

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
