//! Looks for objects on both sides of a run.

use super::recipe::{Detecting, DetectionRecipe, obtain};
use super::store::DetectionStore;
use crate::Error;
use crate::dataset::{Dataset, Paired};
use crate::describing::{Describer, Undescribed};
use crate::observations::{Located, Sides};
use crate::progress::Progress;
use crate::request::{RunSettings, ScoreRequest};
use crate::run_folder::RunFolder;
use neurogauge_core::{LabelList, ObservationKind, Side};
use neurogauge_formats::detections::{DetectionSource, write_mmdet};
use neurogauge_formats::stem_listing::remove_others;

/// The detector of a run, if it has one: what looks at its images instead of detections that are given.
pub(crate) fn choose(
    request: &ScoreRequest,
    labels: &LabelList,
    located: &mut Located,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Option<Describer<Detecting>>, Error> {
    let Some(choice) = &request.detector else {
        return Ok(None);
    };
    if let Some(path) = request.inputs.given(ObservationKind::Detections).next() {
        return Err(Error::Usage(format!(
            "--detector looks at the images, and there are detections already ({}); leave one of them away",
            path.display()
        )));
    }
    if !located.has(ObservationKind::Images) {
        return Err(Error::Usage(
            "--detector needs images of both sides (--gt, --recon)".into(),
        ));
    }
    let found = obtain(&choice.model, settings, progress)?;
    let recipe = DetectionRecipe::of(&found, labels, choice.options);
    located.observe(ObservationKind::Detections);
    Ok(Some(Describer::new(recipe, found)))
}

/// Looks at the images of both sides, adds the detections to the data and keeps them in the run folder.
pub(crate) fn detect_inputs(
    mut describer: Describer<Detecting>,
    dataset: &mut Dataset,
    labels: &LabelList,
    folder: &RunFolder,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<Undescribed>, Error> {
    let Some(images) = &dataset.images else {
        return Ok(Vec::new());
    };
    let own = folder.root().join("observations");
    let mut store = DetectionStore::open(&describer.recipe, &own, settings)?;
    let mut without = Vec::new();
    for side in Side::BOTH {
        let Some(record) = dataset.input(&format!("{}/images", side.folder())) else {
            continue;
        };
        let source = images.sides.side(side);
        let described = describer.describe(source, record, &mut store, progress)?;
        without.extend(described.without);
        let dir = folder.detections_dir(side);
        let mut known = Vec::new();
        for (stem, key) in source.stems().iter().zip(&described.keys) {
            if let Some(key) = key {
                write_mmdet(&dir.join(format!("{stem}.json")), &store.get(key)?)?;
                known.push(stem.as_str());
            }
        }
        remove_others(&dir, "json", known)?;
    }
    read_detections(dataset, labels, folder);
    Ok(without)
}

/// The detections that a run folder keeps of its images. Images without any are those that could not be looked at.
pub(crate) fn read_detections(dataset: &mut Dataset, labels: &LabelList, folder: &RunFolder) {
    let Some(images) = &dataset.images else {
        return;
    };
    let of = |side: Side| {
        let stems = images.sides.side(side).stems();
        DetectionSource::of_stems(&folder.detections_dir(side), labels, stems)
    };
    let sides = Sides {
        gt: of(Side::Gt),
        recon: of(Side::Recon),
    };
    let pairs = images.pairs.clone();
    dataset.detections = Some(Paired { sides, pairs });
}
