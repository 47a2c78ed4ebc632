//! Opens the inputs that a selection of metrics needs.

use super::asked::{Asked, check_labels};
use crate::Error;
use crate::averaged_trials;
use crate::compute::PartedItems;
use crate::dataset::{Dataset, InputRecord};
use crate::kinds;
use crate::mask_overlays;
use crate::option_names::PARTS_FRAME;
use crate::selected::{Selected, Selection};
use neurogauge_core::inspection::content::SAME_SOURCE;
use neurogauge_core::{Input, Progress};
use neurogauge_metrics::Compute;

/// The inputs of a run, open and hashed.
pub(crate) struct Opened {
    pub(crate) dataset: Dataset,
    /// The items, if the pairs are their parts.
    pub(crate) items: Option<PartedItems>,
}

impl Opened {
    pub(super) fn open(asked: &mut Asked<'_>, selection: &Selection, progress: &dyn Progress) -> Result<Self, Error> {
        let mut dataset = kinds::open(selection, &mut asked.located, &asked.request, &asked.labels, progress)?;
        let request = &asked.request;
        let of_frames = |selected: &&Selected| matches!(selected.metric.compute, Compute::Frames { .. });
        if let Some(selected) = selection.metrics.iter().find(of_frames).filter(|_| !dataset.has_frames()) {
            return Err(Error::Usage(format!(
                "{} compares the frames of a clip, and these images are no frames of clips; expected {PARTS_FRAME}, or another pattern with \
                 {{frame}} in it",
                selected.metric.spec.id
            )));
        }
        mask_overlays::check(&asked.settings.overlays, selection, &dataset)?;
        averaged_trials::check(request, selection, &dataset.axes)?;
        let chosen = request.inputs.get(Input::ChosenSamples);
        let items = PartedItems::of(&dataset, request.samples, chosen)?;
        let chosen = chosen.map(|path| (Input::ChosenSamples.to_string(), path));
        let clusters = request.cluster.file().map(|path| ("clusters".to_owned(), path.as_path()));
        for (role, path) in chosen.into_iter().chain(clusters) {
            dataset.inputs.push(InputRecord::of_file(role, path)?);
        }
        dataset.open_regions(request, progress)?;
        if let Some(null) = request.null {
            null.check(items.is_some())?;
        }
        let stems = items.as_ref().map_or(&dataset.stems, |items| &items.stems);
        let (clusters, alike) = request.cluster.of(stems, request.stimulus_pattern.is_none())?;
        dataset.clusters = clusters;
        dataset.findings.extend(alike);
        if let Some(doubt) = dataset.findings.iter().find(|doubt| doubt.code == SAME_SOURCE) {
            progress.warn(&doubt.to_string());
        }
        if let Some(change) = asked.unchanged.and_then(|record| record.first_change(&dataset.inputs)) {
            return Err(change);
        }
        check_labels(&dataset.resources.labels, &request.labels, asked.unchanged)?;
        Ok(Opened { dataset, items })
    }
}
