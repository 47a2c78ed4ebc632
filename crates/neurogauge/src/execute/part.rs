//! What a process reports of its part of the items.

use super::FailedItem;

/// What a process did that worked on a part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartDone {
    /// Pairs, images or target units that the part has.
    pub n_items: usize,
    /// Those of which nothing could be observed.
    pub failed: Vec<FailedItem>,
}
