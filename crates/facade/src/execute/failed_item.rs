//! Items that could not be observed.

use crate::Error;
use serde::{Deserialize, Serialize};

/// An item that could not be read or observed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedItem {
    /// Side and kind (`gt/images`), or `images`.
    pub role: String,
    pub stem: String,
    pub reason: String,
}

impl FailedItem {
    /// Fails if there are failed items; `what` names what they lack, and `in_run` says whether a run keeps them, whose
    /// results are then replaced only on request.
    ///
    /// # Errors
    /// [`Error::FailedItems`].
    pub fn check(items: &[FailedItem], what: &'static str, in_run: bool) -> Result<(), Error> {
        let Some(first) = items.first() else {
            return Ok(());
        };
        let names = items.iter().map(|item| format!("{} {:?}", item.role, item.stem));
        Err(Error::FailedItems {
            what,
            n_images: items.len(),
            images: names.collect::<Vec<_>>().join(", "),
            reason: first.reason.clone(),
            in_run,
        })
    }
}

/// The work of a process on one shard of a plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShardDone {
    /// Number of pairs, images or target units in the shard.
    pub n_items: usize,
    /// The items that could not be observed.
    pub failed: Vec<FailedItem>,
}
