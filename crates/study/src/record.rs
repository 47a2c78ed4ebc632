//! `study.json`: the results, and everything that is needed to repeat them.

use crate::basic::BasicRecord;
use crate::config::StudyConfig;
use crate::exhibits::{of_rated, of_system};
use crate::found::ComponentRun;
use crate::found::Found;
use crate::paper_item::{Absent, PaperItem};
use crate::rated::Rated;
use crate::scoring::System;
use neurogauge::core::Finding;
use neurogauge::report::LatexStyle;
use neurogauge::{Error, FailedItem, Figures, Provenance};
use serde::Serialize;
use serde_json::{Map, Value};

/// Raised when the layout of `study.json` changes.
pub(crate) const SCHEMA: u32 = 1;

/// The content of `study.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StudyRecord {
    /// The program, and the ratings that it read; the inputs of the systems' runs are in the runs' own records.
    #[serde(flatten)]
    pub provenance: Provenance,
    pub config: StudyConfig,
    pub systems: Vec<SystemRecord>,
    pub rated: Vec<RatedRecord>,
    /// SEED with other components.
    pub components: Vec<ComponentRun>,
    /// BASIC under several configurations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub basic: Option<BasicRecord>,
    #[serde(rename = "exhibits")]
    pub paper_items: Vec<PaperItemRecord>,
    /// The paper's tables and figures that this study does not have, and the inputs that they need.
    pub absent: Vec<Absent>,
    pub findings: Vec<Finding>,
    /// What exhibits show of all systems.
    #[serde(flatten)]
    pub shown: Map<String, Value>,
}

/// The systems that the page shows pair by pair: the largest group that shares its stimuli.
#[derive(Debug, Clone, Default)]
pub(crate) struct PagePairs {
    /// Names of the systems, and their runs as recorded.
    pub(crate) systems: Vec<(String, String)>,
    /// Systems with other stimuli.
    pub(crate) others: Vec<String>,
    /// Folders of their `meta` results, relative to the study's folder.
    pub(crate) meta: Vec<String>,
    /// Folders of their audits, relative to the study's folder.
    pub(crate) audits: Vec<String>,
    /// The metrics in all tables; empty means all scored metrics.
    pub(crate) metrics: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SystemRecord {
    pub name: String,
    /// Path of its run, relative to the study's folder or as given.
    pub run: String,
    pub fingerprint: String,
    pub n_pairs: usize,
    /// The content of the run's `summary.json`.
    pub metrics: Value,
    /// What exhibits show of it.
    #[serde(flatten)]
    pub shown: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RatedRecord {
    pub system: String,
    /// Folder of its tables, figures and `meta.json`, relative to the study's folder.
    pub folder: String,
    pub n_raters: usize,
    pub n_items: usize,
    /// What exhibits show of it.
    #[serde(flatten)]
    pub shown: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PaperItemRecord {
    /// The paper, and where it is there.
    pub paper: String,
    pub about: String,
    pub title: String,
    /// Its files, relative to the study's folder.
    pub files: Vec<String>,
}

impl SystemRecord {
    pub(crate) fn of(found: &Found<'_>, system: &System) -> Result<Self, Error> {
        let record = &system.run.record;
        Ok(SystemRecord {
            name: system.name.clone(),
            run: system.place.clone(),
            fingerprint: record.fingerprint.clone(),
            n_pairs: record.n_pairs,
            metrics: system.run.summary()?,
            shown: of_system(found, system)?,
        })
    }
}

impl RatedRecord {
    pub(crate) fn of(found: &Found<'_>, rated: &Rated<'_>) -> Result<Self, Error> {
        let result = &rated.meta.record.result;
        Ok(RatedRecord {
            system: rated.system.name.clone(),
            folder: rated.place.clone(),
            n_raters: result.n_raters,
            n_items: result.n_items,
            shown: of_rated(found, rated)?,
        })
    }
}

impl PaperItemRecord {
    pub(crate) fn of(paper_item: &PaperItem) -> Self {
        PaperItemRecord {
            paper: paper_item.paper.clone(),
            about: paper_item.about.clone(),
            title: paper_item.table.title.clone(),
            files: paper_item.files(),
        }
    }
}

/// A finished study.
#[derive(Debug)]
pub struct Study {
    /// The content of `study.json`.
    pub record: StudyRecord,
    /// Its tables and figures, in the order of the paper.
    pub paper_items: Vec<PaperItem>,
    /// What `study.html` shows pair by pair.
    pub(crate) page_pairs: PagePairs,
    pub(crate) figures: Figures,
    pub(crate) latex: LatexStyle,
    /// How well metrics agree with people, in a sentence for each rated system.
    pub(crate) answers: Vec<String>,
    /// The items on which models failed, by what they lack.
    pub(crate) failed_items: Vec<(&'static str, Vec<FailedItem>)>,
}
