//! How observers are run, and the report of what failed.

use super::{FailedItem, Images};
use crate::progress::Progress;
use crate::settings::{OnFailure, RunSettings, Shard};
use neurogauge_core::natural_cmp;

/// How observers are run.
#[derive(Clone, Copy)]
pub(crate) struct Executor<'a> {
    pub(crate) progress: &'a dyn Progress,
    pub(crate) on_failure: OnFailure,
    /// The part of the items that is observed; all of them without one.
    pub(crate) shard: Option<Shard>,
}

impl<'a> Executor<'a> {
    /// With the policy and shard of the settings.
    pub(crate) fn new(settings: &RunSettings, progress: &'a dyn Progress) -> Self {
        Executor {
            progress,
            on_failure: settings.on_failure.unwrap_or(OnFailure::Skip),
            shard: settings.shard,
        }
    }

    /// With a policy that stops at the first failed item, over all items.
    pub(crate) fn stopping(progress: &'a dyn Progress) -> Self {
        Executor {
            progress,
            on_failure: OnFailure::Stop,
            shard: None,
        }
    }
}

impl Executor<'_> {
    /// The failed images, each with its reason; reports them as progress.
    pub(crate) fn failed_images(&self, images: &Images<'_>, failures: Vec<(usize, String)>) -> Vec<FailedItem> {
        self.failed(&images.record.role, images.source.stems(), failures)
    }

    /// The same of images or clips of this role and with these names.
    pub(crate) fn failed(&self, role: &str, stems: &[String], failures: Vec<(usize, String)>) -> Vec<FailedItem> {
        let failed = failures.into_iter().map(|(item, reason)| FailedItem {
            role: role.to_owned(),
            stem: stems[item].clone(),
            reason,
        });
        let mut failed: Vec<FailedItem> = failed.collect();
        failed.sort_by(|a, b| natural_cmp(&a.stem, &b.stem));
        for item in &failed {
            let note = format!("image {:?}: {}", item.stem, item.reason);
            self.progress.note(&note);
        }
        failed
    }
}
