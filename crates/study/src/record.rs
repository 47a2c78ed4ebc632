//! `study.json`: the results, and everything that is needed to repeat them.

use crate::config::StudyConfig;
use crate::items::Items;
use neurogauge::core::Finding;
use neurogauge::report::LatexStyle;
use neurogauge::{FailedItem, Provenance};
use neurogauge_exhibits::Absent;
use neurogauge_report_page::PageRequest;
use serde::Serialize;
use serde_json::Value;

/// Raised when the layout of `study.json` changes.
pub(crate) const SCHEMA: u32 = 1;

/// The content of `study.json`. Folders in it are relative to the study's, or as given.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StudyRecord {
    /// The program, and the ratings that it read; the inputs of the systems' runs are in the runs' own records.
    #[serde(flatten)]
    pub provenance: Provenance,
    pub config: StudyConfig,
    /// Each system's run, the content of its `summary.json`, and what exhibits show of it.
    pub systems: Vec<Value>,
    /// The folder of each rated system's `meta.json`, who rated, and what exhibits show of it.
    pub rated: Vec<Value>,
    /// SEED with other components: the choices, the run, and how well it agrees with people.
    pub components: Value,
    /// BASIC under several configurations: the runs, how similarly they rank the systems, and what exhibits show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub basic: Option<Value>,
    /// The tables and figures, each with its place in a paper and its files.
    pub exhibits: Vec<Value>,
    /// The papers' tables and figures that this study does not have, and the inputs that they need.
    pub absent: Vec<Absent>,
    pub findings: Vec<Finding>,
    /// What exhibits show of all systems.
    #[serde(flatten)]
    pub shown: Value,
}

/// A finished study.
#[derive(Debug)]
pub struct Study {
    pub record: StudyRecord,
    pub(crate) items: Items,
    /// What `study.html` shows pair by pair: the largest group of systems that shares its stimuli, with paths as recorded.
    pub(crate) page: PageRequest,
    pub(crate) latex: LatexStyle,
    /// How well metrics agree with people, in a sentence for each rated system.
    pub(crate) answers: Vec<String>,
    /// The items on which models failed, by what they lack.
    pub(crate) failed_items: Vec<(&'static str, Vec<FailedItem>)>,
}
