//! The record that marks a planned run as finished. Like the records of shards, it affects no number.

use crate::shard::{folder, plan_of};
use neurogauge::formats::json;
use neurogauge::{Error, Provenance};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Increased when the content of `finished.json` changes.
const SCHEMA: u32 = 1;

/// The content of `shards/finished.json`.
#[derive(Debug, Serialize, Deserialize)]
struct FinishedRecord {
    schema: u32,
    /// SHA-256 of the plan's file.
    plan: String,
    /// The versions of the program that finished it.
    versions: BTreeMap<String, String>,
}

fn path(run: &Path) -> PathBuf {
    folder(run).join("finished.json")
}

/// Records that `neurogauge cluster finish` wrote all results of a run.
///
/// # Errors
/// The plan cannot be read; the folder cannot be written to.
pub fn set_finished(run: &Path) -> Result<(), Error> {
    let record = FinishedRecord {
        schema: SCHEMA,
        plan: plan_of(run)?,
        versions: Provenance::versions(),
    };
    Ok(json::write(&path(run), &record)?)
}

pub(crate) fn is_finished(run: &Path, plan: &str) -> bool {
    let record = json::read::<FinishedRecord>(&path(run)).ok();
    record.is_some_and(|record| record.schema == SCHEMA && record.plan == plan)
}
