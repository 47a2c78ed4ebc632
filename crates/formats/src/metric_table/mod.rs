//! Scores of metrics by item, from any program.

mod npz;
mod wide;

use crate::delimited_text::{is_table_of_text, unknown_ending};
use crate::scores_parquet::Scores;
use crate::stem_listing::has_ending;
use crate::{FormatError, content_hash, json, recipe, scores_parquet};
use neurogauge_core::pair::natural_order;
use neurogauge_core::{Finding, Outcome, ScoreTable};
use serde_json::Value;
use std::path::Path;

/// Scores by metric and item; a score may be missing.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricTable {
    /// Ids of the items: unique, in natural order.
    pub items: Vec<String>,
    /// Each metric with its name and scores (one per item, finite if present), in the order of the file.
    pub metrics: Vec<(String, Vec<Option<f64>>)>,
    /// Metrics that depend on a placeholder: those in the column `stand_in` of a `scores.csv`, or in the `run.json` of
    /// a run's scores.
    pub stand_ins: Vec<String>,
}

/// Reads scores from a wide table as text or Parquet, from an `.npz` file, or from the Parquet file of a run.
///
/// - `.csv`, `.tsv`, `.txt`, text as in [`ratings::read`](crate::ratings::read), with one line per item. The items are
///   in the only column called item, stimulus, image, stem, pair or id (in any case, optionally followed by `_id`),
///   otherwise in the first one, unless that may be scores: it holds only numbers, or the header looks like data. Every
///   other column with a number, or without any content, is a metric; columns of text are ignored, and so is a first
///   column without a name or called `Unnamed: 0` (row numbers). An empty cell, NA and NaN are missing scores.
/// - `.npz`, as `np.savez` and `np.savez_compressed` write it (SEED's `eval_metrics.npz`): each array is a metric of
///   shape (n_items,) with NaN for missing scores; items are called "0", "1", ...
/// - `.parquet`, or the folder of a run that contains `scores.parquet`: read by [`scores_parquet::read`]; an undefined
///   outcome is a missing score. A `.parquet` file with other columns (a saved data frame) is read like the same table
///   in text, without its columns of dates and times; null is a missing score.
///
/// A file in the folder of a run must be the one that the run wrote.
///
/// # Errors
/// The file was changed; the column of the items is unclear; a column of numbers contains text or an infinity; an item
/// occurs twice; an array of an `.npz` has more axes, another length or an infinity.
pub fn read(path: &Path) -> Result<MetricTable, FormatError> {
    read_by(path, None)
}

/// Like [`read`], but the items of a text table are in the column `item`, or in several columns of a comma-separated
/// list, whose cells are joined by "/", if the table has all of them. So ratings and scores with the same layout can be
/// joined.
///
/// ```
/// # let dir = tempfile::tempdir()?;
/// # let path = dir.path().join("metrics.csv");
/// std::fs::write(&path, "stimulus,system,ssim\n7,mine,0.25\n7,theirs,0.5\n")?;
/// let table = neurogauge_formats::metric_table::read_by(&path, Some("stimulus,system"))?;
/// assert_eq!(table.items, ["7/mine", "7/theirs"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_by(path: &Path, item: Option<&str>) -> Result<MetricTable, FormatError> {
    refuse_changed(path)?;
    let table = if path.is_dir() {
        let file = path.join("scores.parquet");
        of_run(&file, scores_parquet::read(&file)?)?
    } else if has_ending(path, &["parquet"]) {
        match scores_parquet::read_any(path)? {
            Scores::OfRun(scores) => of_run(path, scores)?,
            Scores::Wide(table) => wide::of_table(&table, item)?,
        }
    } else if has_ending(path, &["npz"]) {
        npz::read(path)?
    } else if is_table_of_text(path) {
        wide::read(path, item)?
    } else {
        return Err(unknown_ending(
            path,
            "scores by item: a table (.csv, .tsv, .txt), .npz, .parquet or the folder of a run",
        ));
    };
    Ok(table.in_natural_order())
}

/// Like [`read_by`], for a text table in memory; `name` is its name in messages.
pub fn of_text(name: &str, text: &str, item: Option<&str>) -> Result<MetricTable, FormatError> {
    Ok(wide::of_text(Path::new(name), text, item)?.in_natural_order())
}

/// Fails if a run wrote the file and it has changed since.
fn refuse_changed(path: &Path) -> Result<(), FormatError> {
    let path = match path.is_dir() {
        true => path.join("scores.parquet"),
        false => path.to_owned(),
    };
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Ok(());
    };
    // The `run.json` of another program says nothing about the file.
    match content_hash::recorded(&folder.join("run.json")) {
        Ok(outputs) => content_hash::verified(folder, &outputs, &name.to_string_lossy()).map(drop),
        Err(_) => Ok(()),
    }
}

fn of_run(path: &Path, scores: ScoreTable) -> Result<MetricTable, FormatError> {
    let values = |outcomes: Vec<Outcome>| outcomes.into_iter().map(Result::ok).collect();
    let columns = scores.columns.into_iter();
    let record = path.with_file_name("run.json");
    let record = match record.is_file() {
        true => json::read(&record)?,
        false => Value::Null,
    };
    let metrics = record["metrics"].as_array().into_iter().flatten();
    let marked = metrics.filter(|metric| metric["stand_in"] == true);
    Ok(MetricTable {
        items: scores.pairs,
        metrics: columns.map(|(metric, outcomes)| (metric, values(outcomes))).collect(),
        stand_ins: marked.filter_map(|metric| metric["id"].as_str().map(str::to_owned)).collect(),
    })
}

impl MetricTable {
    /// A warning for each metric that depends on a placeholder.
    pub fn warnings(&self) -> impl Iterator<Item = Finding> {
        let message = "rests on a placeholder: its numbers mean nothing";
        self.stand_ins.iter().map(move |metric| Finding::warning(recipe::STAND_IN, metric, message))
    }

    fn in_natural_order(self) -> Self {
        let order = natural_order(&self.items);
        let sorted = |values: Vec<Option<f64>>| order.iter().map(|&item| values[item]).collect();
        MetricTable {
            metrics: self.metrics.into_iter().map(|(metric, values)| (metric, sorted(values))).collect(),
            items: order.iter().map(|&item| self.items[item].clone()).collect(),
            stand_ins: self.stand_ins,
        }
    }
}
