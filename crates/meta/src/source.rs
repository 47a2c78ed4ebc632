//! A source of metric scores: a file, or the folder of a run.

use super::{InMemoryTable, MetaRequest};
use neurogauge::formats::metric_table;
use neurogauge::models::registry::did_you_mean;
use neurogauge::{Error, load_run};
use std::path::{Path, PathBuf};

pub(super) struct Source {
    pub(super) path: PathBuf,
    /// The file that was read; `None` for scores in memory.
    pub(super) file: Option<PathBuf>,
    /// Its name, which distinguishes its metrics from metrics of the same name in other sources.
    pub(super) name: String,
    pub(super) items: Vec<String>,
    pub(super) metrics: Vec<(String, Vec<Option<f64>>)>,
    /// Metrics that use a placeholder model.
    pub(super) stand_ins: Vec<String>,
}

impl Source {
    /// `item_column` is the column of the ratings; a table as text may have it, too.
    pub(super) fn open(path: &Path, item_column: Option<&str>) -> Result<Self, Error> {
        if path.is_dir() {
            return Self::of_run(path);
        }
        let table = metric_table::read_by(path, item_column)?;
        let name = path.file_stem().unwrap_or_default();
        Ok(Source {
            path: path.to_owned(),
            file: Some(path.to_owned()),
            name: name.to_string_lossy().into_owned(),
            items: table.items,
            metrics: table.metrics,
            stand_ins: table.stand_ins,
        })
    }

    /// Scores in memory, a table as text.
    pub(super) fn held(held: &InMemoryTable, item_column: Option<&str>) -> Result<Self, Error> {
        let table = metric_table::of_text(&held.name, &held.text, item_column)?;
        Ok(Source {
            path: PathBuf::from(&held.name),
            file: None,
            name: held.name.clone(),
            items: table.items,
            metrics: table.metrics,
            stand_ins: table.stand_ins,
        })
    }

    fn of_run(path: &Path) -> Result<Self, Error> {
        let run = load_run(path)?;
        let metrics = run.record.metrics.iter();
        Ok(Source {
            path: path.to_owned(),
            file: Some(path.join("scores.parquet")),
            name: run.folder.name(),
            items: run.scores.pairs,
            metrics: run
                .scores
                .columns
                .into_iter()
                .map(|(id, outcomes)| (id, outcomes.into_iter().map(Result::ok).collect()))
                .collect(),
            stand_ins: metrics.filter(|metric| metric.stand_in).map(|metric| metric.id.clone()).collect(),
        })
    }
}

/// Removes metrics that were not requested; an empty request keeps all. The parts of composites are kept.
pub(super) fn keep_only(request: &MetaRequest, sources: &mut [Source]) -> Result<(), Error> {
    if request.only.is_empty() {
        return Ok(());
    }
    let composites = &request.combinations.composites;
    let is_composite = |name: &&String| composites.iter().any(|found| found.name == **name);
    let parts = composites.iter().flat_map(|found| &found.parts);
    let asked = || request.only.iter().filter(|name| !is_composite(name));
    let names: Vec<&String> = asked().chain(parts).collect();
    let all: Vec<&str> = sources.iter().flat_map(|source| &source.metrics).map(|(name, _)| name.as_str()).collect();
    if let Some(unknown) = asked().find(|name| !all.contains(&name.as_str())) {
        return Err(Error::Usage(format!(
            "{unknown:?} is asked for, which is no metric here{}; there are {}",
            did_you_mean(unknown, &all),
            all.join(", ")
        )));
    }
    for source in sources {
        source.metrics.retain(|(name, _)| names.contains(&name));
    }
    Ok(())
}
