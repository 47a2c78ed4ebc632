//! Files that a run writes on request: overlays of masks, and its results in the layout of SEED's code
//! (`--export-layout official`).

use super::Run;
use crate::dataset::{Dataset, paired_images};
use crate::kinds::{CaptionKind, DetectionKind, ObservedKind};
use crate::observers::box_overlay;
use crate::plan::{Resolved, stand_in_kinds};
use crate::progress::Progress;
use crate::{Error, mask_overlays};
use neurogauge_core::{Finding, LabelList, ObservationKind, Outcome, Sides};
use neurogauge_formats::official_layout::{OfficialExport, PREDS, export};
use neurogauge_formats::{json, recipe};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Boxes below this confidence are not drawn, which is MMDetection's default.
const LEAST_DRAWN: f64 = 0.3;

/// Writes the files that the settings request in addition to the results.
pub(super) fn further_files(run: &Run, resolved: &Resolved, progress: &dyn Progress) -> Result<(), Error> {
    let (dataset, images) = (&resolved.inputs.dataset, resolved.images.as_ref());
    if resolved.settings.export_official {
        for warning in official(run, dataset, images, progress)? {
            progress.note(&warning.to_string());
        }
    }
    mask_overlays::write(&resolved.settings.overlays, dataset, images, &run.record.request, &run.folder)
}

/// Writes `<run>/evaluations/<name>/` with detections (drawn over their images, if there are images), captions and the
/// three per-pair arrays.
fn official(
    run: &Run,
    dataset: &Dataset,
    images: Option<&Sides<PathBuf>>,
    progress: &dyn Progress,
) -> Result<Vec<Finding>, Error> {
    let folder = run.folder.root().join("evaluations").join(run.folder.name());
    let values = |metric: &str| -> Option<Vec<f64>> {
        // The official code too stores NaN for a missing value.
        let value = |outcome: &Outcome| *outcome.as_ref().unwrap_or(&f64::NAN);
        Some(run.scores.column(metric)?.iter().map(value).collect())
    };
    let effnet = values("effnet_official").or_else(|| values("effnet"));
    let (object_f1, cap_sim) = (values("object_f1"), values("cap_sim"));
    let detections = DetectionKind::of(dataset).map(|detections| &detections.sides);
    // The official layout has detections and a caption for every pair, or for none.
    let detections = detections.filter(|_| run.record.failed(ObservationKind::Detections).next().is_none());
    let captions = CaptionKind::of(dataset).map(|captions| &captions.sides);
    let captions = captions.filter(|_| run.record.failed(ObservationKind::Captions).next().is_none());
    let what = OfficialExport {
        gt_detections: detections.map(|sides| &sides.gt),
        recon_detections: detections.map(|sides| &sides.recon),
        gt_captions: captions.map(|sides| sides.gt.0.as_slice()),
        recon_captions: captions.map(|sides| sides.recon.0.as_slice()),
        object_f1: object_f1.as_deref(),
        effnet_distance: effnet.as_deref(),
        cap_sim: cap_sim.as_deref(),
        ..OfficialExport::of_pairs(&run.scores.pairs)
    };
    let findings = export(&folder, &what)?;
    if detections.is_some() && ![LabelList::NUMBERS, "coco_gender"].contains(&dataset.resources.labels.id()) {
        // The layout's numbers index SEED's list, unless a recipe says otherwise.
        let recipe = serde_json::json!({ "categories": dataset.resources.labels.names() });
        for preds in PREDS {
            let name = recipe::file_name(ObservationKind::Detections);
            json::write(&folder.join(preds).with_file_name(name), &recipe)?;
        }
    }
    if let (Some(_), Some(paths)) = (detections, images) {
        let sources = paired_images(paths, &run.record.request)?;
        for (source, preds) in [&sources.gt, &sources.recon].into_iter().zip(PREDS) {
            let (preds, labels) = (folder.join(preds), &dataset.resources.labels);
            let vis = preds.with_file_name("vis");
            box_overlay::draw(source, &preds, labels, LEAST_DRAWN, &vis, progress)?;
        }
    }
    let (stand_ins, path) = (stand_ins(run, dataset), folder.join(recipe::STAND_INS));
    // Replaces a file of an earlier export.
    if !stand_ins.is_empty() || path.exists() {
        json::write(&path, &stand_ins)?;
    }
    Ok(findings)
}

/// The parts of the exported folder that use a placeholder model, which the official arrays cannot record.
fn stand_ins(run: &Run, dataset: &Dataset) -> BTreeMap<String, String> {
    let reason = || format!("as in the run {} it was exported from", run.folder.name());
    let steps = &run.record.plan.steps;
    let kinds = stand_in_kinds(dataset, steps).into_iter();
    // The layout has no other kinds.
    let observations = kinds.filter(|kind| kind.official_name().is_some()).map(|kind| kind.id().to_owned());
    let values = run.record.metrics.iter().filter(|metric| metric.stand_in);
    observations
        .chain(values.map(|metric| format!("recorded/{}", metric.id)))
        .map(|key| (key, reason()))
        .collect()
}
