//! A finished run: its numbers and table, written at its end or read back.

use crate::dataset::Dataset;
use crate::progress::Progress;
use crate::request::RunSettings;
use crate::run_folder::RunFolder;
use crate::run_record::RunRecord;
use crate::summary::{self, MetricSummary};
use crate::{Error, export, mask_overlays};
use neurogauge_core::{ScoreTable, Sides};
use neurogauge_formats::json;
use neurogauge_report::{Format, Table, render};
use std::path::{Path, PathBuf};

/// A finished run.
#[derive(Debug)]
pub struct Run {
    /// Where it lies.
    pub folder: RunFolder,
    /// The content of `run.json`.
    pub record: RunRecord,
    /// Every outcome.
    pub scores: ScoreTable,
    /// Every metric summed up.
    pub summaries: Vec<MetricSummary>,
    /// The table that the command prints.
    pub table: Table,
    /// Was everything there already?
    pub resumed: bool,
}

/// A finished run, read from its folder.
pub fn load_run(root: &Path) -> Result<Run, Error> {
    let folder = RunFolder::open(root)?;
    let record = folder.record()?;
    read_back(folder, record)
}

pub(super) fn read_back(folder: RunFolder, record: RunRecord) -> Result<Run, Error> {
    let scores = folder.scores()?;
    let summaries = summary::summarise(&scores, &record, &record.request.bootstrap)?;
    let table = summary::table(folder.name(), &summaries, &record);
    Ok(Run {
        folder,
        record,
        scores,
        summaries,
        table,
        resumed: true,
    })
}

pub(super) fn outputs(
    summaries: &[MetricSummary],
    table: &Table,
) -> Result<Vec<(&'static str, Vec<u8>)>, Error> {
    let entries = summary::to_json(summaries, table.level);
    let json = json::to_bytes(Path::new("summary.json"), &entries)?;
    let rendered =
        |format| -> Result<Vec<u8>, Error> { Ok(render(table, format, None)?.into_bytes()) };
    Ok(vec![
        ("summary.json", json),
        ("summary.md", rendered(Format::Markdown)?),
        ("summary.tex", rendered(Format::Latex)?),
        ("summary.csv", rendered(Format::Csv)?),
    ])
}

pub(super) fn export_if_asked(
    run: &Run,
    dataset: &Dataset,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<(), Error> {
    if settings.export_official {
        for warning in export::official(run, dataset)? {
            progress.note(&warning.to_string());
        }
    }
    Ok(())
}

pub(super) fn overlay_if_asked(
    run: &Run,
    dataset: &Dataset,
    images: Option<&Sides<PathBuf>>,
    settings: &RunSettings,
) -> Result<(), Error> {
    let options = &run.record.request.options.basic_l;
    mask_overlays::write(&settings.overlays, dataset, images, options, &run.folder)
}
