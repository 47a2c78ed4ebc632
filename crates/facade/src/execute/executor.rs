//! How observers are run, and the report of what failed.

use super::FailedItem;
use crate::progress::Progress;
use crate::settings::{OnFailure, RunSettings, Shard};
use neurogauge_core::natural_cmp;

#[derive(Clone, Copy)]
pub(crate) struct Executor<'a> {
    pub(crate) progress: &'a dyn Progress,
    pub(crate) on_failure: OnFailure,
    /// The shard of the items to observe; `None` means all.
    pub(crate) shard: Option<Shard>,
}

impl<'a> Executor<'a> {
    /// An executor with the policy and shard of the settings.
    pub(crate) fn new(settings: &RunSettings, progress: &'a dyn Progress) -> Self {
        Executor {
            progress,
            on_failure: settings.on_failure.unwrap_or(OnFailure::Skip),
            shard: settings.shard,
        }
    }

    /// An executor that stops at the first failed item, over all items.
    pub(crate) fn stopping(progress: &'a dyn Progress) -> Self {
        Executor {
            progress,
            on_failure: OnFailure::Stop,
            shard: None,
        }
    }
}

impl Executor<'_> {
    /// The failed items of a role in natural order, each with its reason; also reports them as progress. `noun` is what
    /// has a stem: an image, or its caption.
    pub(crate) fn failed<'s>(
        &self,
        (noun, role): (&str, &str),
        failures: impl Iterator<Item = (&'s str, String)>,
    ) -> Vec<FailedItem> {
        let failed = failures.map(|(stem, reason)| FailedItem {
            role: role.to_owned(),
            stem: stem.to_owned(),
            reason,
        });
        let mut failed: Vec<FailedItem> = failed.collect();
        failed.sort_by(|a, b| natural_cmp(&a.stem, &b.stem));
        for item in &failed {
            self.progress.note(&format!("{noun} {:?}: {}", item.stem, item.reason));
        }
        failed
    }
}
