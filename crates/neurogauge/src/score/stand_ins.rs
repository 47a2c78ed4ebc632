//! Which metrics rest on something that only shows that the pipeline runs.

use super::record::MadeHere;
use crate::dataset::Dataset;
use crate::run_record::MetricRecord;
use crate::selection::{Origin, Selected, Selection};
use neurogauge_core::ModelIdentity;
use neurogauge_metrics::Compute;

pub(super) fn rests_on_stand_in(
    selected: &Selected,
    selection: &Selection,
    dataset: &Dataset,
    (of_captions, detector): (&[ModelIdentity], Option<&ModelIdentity>),
    before: &[MetricRecord],
) -> bool {
    match (&selected.origin, &selected.metric.compute) {
        (Origin::Imported, _) => {
            dataset.is_stand_in(&format!("recorded/{}", selected.metric.spec.id))
        }
        (Origin::Features(name), _) => match selection.recipe(name) {
            Some(recipe) => recipe.model.stand_in || dataset.is_stand_in("images"),
            None => dataset.is_stand_in(&format!("features/{name}")),
        },
        (_, Compute::Pixels(_) | Compute::Perceptual { .. }) => dataset.is_stand_in("images"),
        (_, Compute::Detections(_)) => {
            dataset.is_stand_in("detections") || detector.is_some_and(|model| model.stand_in)
        }
        (_, Compute::CategoryNames(_)) => dataset.is_stand_in("vlm_categories"),
        (_, Compute::Masks(_)) => dataset.is_stand_in("masks"),
        (_, Compute::Captions(_)) => {
            dataset.is_stand_in("captions") || of_captions.iter().any(|model| model.stand_in)
        }
        (_, Compute::Scores { from, .. }) => before
            .iter()
            .any(|record| record.stand_in && from.contains(&record.id.as_str())),
        (
            _,
            Compute::Features { .. } | Compute::Identification { .. } | Compute::SceneGraphs(_),
        ) => false,
    }
}

pub(super) fn rests_on_graph_stand_in(
    selected: &Selected,
    dataset: &Dataset,
    made: MadeHere<'_>,
    encoder: Option<&ModelIdentity>,
) -> bool {
    let captioner = made.parsed.and(made.captioned).map(|recipe| &recipe.model);
    matches!(selected.metric.compute, Compute::SceneGraphs(_))
        && (dataset.is_stand_in("scene_graphs")
            || [encoder, captioner]
                .into_iter()
                .flatten()
                .any(|model| model.stand_in))
}
