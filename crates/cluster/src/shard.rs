//! A shard of a planned run, and the record that marks it as done.

use neurogauge::ShardDone;
use neurogauge::formats::folder_lock::FolderLock;
use neurogauge::formats::{content_hash, json};
use neurogauge::models::weights::remember_hashes_in;
use neurogauge::{Error, FailedItem, Provenance, Shard};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Increased when the content of `shard.json` changes.
const SCHEMA: u32 = 1;

/// The files of a plan: an alignment's, then those of other commands.
const PLANS: [&str; 2] = ["request.json", "plan.json"];

/// How often, and at which interval, a shard tries to get the lock that shows that it is running; `status` holds this
/// lock briefly when it checks.
const ASKS: (usize, Duration) = (4, Duration::from_millis(50));

/// The content of `shards/<I>-of-<N>/shard.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShardRecord {
    schema: u32,
    /// SHA-256 of the plan's file.
    pub plan: String,
    /// The shard's position, and the number of shards.
    pub shard: Shard,
    /// Number of pairs, images or target units in it.
    pub n_items: usize,
    /// Observations that failed, with reasons.
    pub failed: Vec<FailedItem>,
    /// The versions of the program that worked on it.
    pub versions: BTreeMap<String, String>,
    /// The machine that did it.
    pub host: String,
    /// The time that it took, s. It is not compared with any other machine's clock.
    pub wall_s: f64,
}

/// The folder of a run's shards.
pub(crate) fn folder(run: &Path) -> PathBuf {
    run.join("shards")
}

/// The name of a shard in that folder, which is also the name of its log.
pub(crate) fn name(Shard { index, of }: Shard) -> String {
    format!("{index}-of-{of}")
}

/// The shard with such a name.
pub(crate) fn of_name(name: &str) -> Option<Shard> {
    let (index, of) = name.split_once("-of-")?;
    let (index, of): (usize, _) = (index.parse().ok()?, of.parse().ok()?);
    Some(Shard { index, of }).filter(|_| index < usize::from(of))
}

/// SHA-256 of the plan's file.
pub(crate) fn plan_of(run: &Path) -> Result<String, Error> {
    let mut plans = PLANS.iter().map(|name| run.join(name));
    match plans.find(|path| path.exists()) {
        Some(path) => Ok(content_hash::of_file(&path)?),
        None => Ok(String::new()),
    }
}

/// The record of a shard of this plan, if it was done.
pub(crate) fn record(run: &Path, shard: Shard, plan: &str) -> Option<ShardRecord> {
    let path = folder(run).join(name(shard)).join("shard.json");
    let record: ShardRecord = json::read(&path).ok()?;
    (record.schema == SCHEMA && record.plan == plan).then_some(record)
}

/// Does a shard of the plan in the folder `run` with `compute`, and writes its record. A finished shard without failures
/// is skipped. Returns the outcome in words.
///
/// Two processes may work on the same shard, since they write the same content. Of the shards on one machine, only the
/// first hashes the weights.
///
/// # Errors
/// Errors of `compute`; [`Error::FailedInShard`] once everything else is done and recorded.
pub fn work(run: &Path, shard: Shard, compute: impl FnOnce() -> Result<ShardDone, Error>) -> Result<String, Error> {
    let plan = plan_of(run)?;
    let words = |what| {
        let (run, Shard { index, of }) = (run.display(), shard);
        // The caller may have called the first shard by either name.
        let other_name = if index == 0 {
            format!(" (or {of}/{of})")
        } else {
            String::new()
        };
        format!("{run}: shard {index}/{of}{other_name} is {what}")
    };
    if record(run, shard, &plan).is_some_and(|record| record.failed.is_empty()) {
        return Ok(words("already done"));
    }
    remember_hashes_in(folder(run).join("weights").join(host()));
    let own = folder(run).join(name(shard));
    let _lock = (!plan.is_empty()).then(|| lock(&own));
    let begun = Instant::now();
    let ShardDone { n_items, failed } = compute()?;
    let record = ShardRecord {
        schema: SCHEMA,
        plan,
        shard,
        n_items,
        failed,
        versions: Provenance::versions(),
        host: host(),
        wall_s: begun.elapsed().as_secs_f64(),
    };
    json::write(&own.join("shard.json"), &record)?;
    if record.failed.is_empty() {
        return Ok(words("done"));
    }
    let items = record.failed.iter().map(|item| format!("{} {:?} ({})", item.role, item.stem, item.reason));
    // An image that cannot be read fails in every step that observes it.
    let items: BTreeSet<String> = items.collect();
    Err(Error::FailedInShard {
        path: own,
        n_items: items.len(),
        items: Vec::from_iter(items).join(", "),
    })
}

/// Takes the lock that shows that the shard is running. The work does not depend on it, for example if the file system
/// has no locks.
fn lock(folder: &Path) -> Option<FolderLock> {
    let (n, pause) = ASKS;
    (0..n).find_map(|ask| {
        if ask > 0 {
            std::thread::sleep(pause);
        }
        FolderLock::exclusive(folder).ok()
    })
}

/// The name of this machine, if known.
fn host() -> String {
    let named = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    named.or_else(|| std::env::var("HOSTNAME").ok()).unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_shards_and_nothing_else() {
        let shard = Shard {
            index: 2,
            of: 8.try_into().unwrap(),
        };
        assert_eq!(name(shard), "2-of-8");
        assert_eq!(of_name("2-of-8"), Some(shard));
        for other in ["8-of-8", "2-of-0", "2-of-8.log", "logs", "-1-of-3"] {
            assert_eq!(of_name(other), None, "{other}");
        }
    }

    #[test]
    fn a_shard_is_done_once_and_again_where_items_failed_or_the_plan_changed() {
        let dir = tempfile::tempdir().unwrap();
        let run = dir.path();
        std::fs::write(run.join("plan.json"), "a plan").unwrap();
        let shard = Shard {
            index: 0,
            of: 2.try_into().unwrap(),
        };
        let failing = || {
            let item = FailedItem {
                role: "gt/images".to_owned(),
                stem: "a".to_owned(),
                reason: "half a file".to_owned(),
            };
            Ok(ShardDone {
                n_items: 3,
                failed: vec![item],
            })
        };
        let error = work(run, shard, failing).unwrap_err();
        assert_eq!(crate::exit_code(&error), 4);
        assert!(error.to_string().contains("gt/images \"a\" (half a file)"));
        let sound = || Ok(ShardDone::default());
        assert!(work(run, shard, sound).unwrap().ends_with("0/2 (or 2/2) is done"));
        let never = || Err(Error::Usage("worked on again".to_owned()));
        assert!(work(run, shard, never).unwrap().ends_with("already done"));
        assert!(!folder(run).join("0-of-2/.lock").exists());
        std::fs::write(run.join("plan.json"), "another plan").unwrap();
        assert!(work(run, shard, never).is_err());
        assert_eq!(record(run, shard, &plan_of(run).unwrap()), None);
    }
}
