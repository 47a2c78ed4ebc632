//! Runs that several processes share.

use crate::Error;
use crate::execute::ShardDone;
use crate::kinds::compare_images;
use crate::plan::resolve;
use crate::request::ScoreRequest;
use crate::run_folder::RunFolder;
use crate::run_record::RunRecord;
use crate::settings::RunSettings;
use neurogauge_core::Progress;

/// Writes the record of a planned run, which marks the folder as a run's.
pub(crate) fn begin(
    request: &ScoreRequest,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<RunRecord, Error> {
    let mut resolved = resolve(request, settings, None, progress)?;
    let folder = RunFolder::create(&settings.out)?;
    if folder.finished(&resolved.record)?.is_none() {
        folder.begin(&resolved.record, settings)?;
    }
    resolved.count_cached()?;
    Ok(resolved.record)
}

/// Observes the items and compares the images of the pairs in the settings' shard. `fingerprint` is that of the plan.
pub(crate) fn observe_shard(
    request: &ScoreRequest,
    fingerprint: &str,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<ShardDone, Error> {
    let mut resolved = resolve(request, settings, None, progress)?;
    Error::check_plan(&settings.out, fingerprint, &resolved.record.fingerprint)?;
    let folder = RunFolder::create(&settings.out)?;
    let record = resolved.execute(&folder, progress)?;
    let unreadable = compare_images(&resolved.context(&folder, progress))?;
    let failed = record.failed_items().into_iter().flat_map(|(_, items)| items.to_vec());
    Ok(ShardDone {
        n_items: (settings.shard).map_or(record.n_pairs, |shard| shard.items(record.n_pairs).len()),
        failed: failed.chain(unreadable).collect(),
    })
}
