//! Opens what a selection needs and nothing else.

use super::images::open_detections;
use super::opening::Opening;
use super::shared_stems::SharedStems;
use super::texts::CaptionPaths;
use super::{Dataset, InputRecord};
use crate::Error;
use crate::locate::{Located, Sides};
use crate::perceive::recorded_recipe;
use crate::pool_input::PoolInput;
use crate::progress::Progress;
use crate::request::ScoreRequest;
use crate::selection::{Origin, Selection, recorded};
use neurogauge_core::{LabelList, Undefined};
use neurogauge_metrics::Compute;
use std::path::Path;

impl Dataset {
    /// Opens, pairs and hashes the inputs behind the selected metrics.
    pub(crate) fn open(
        selection: &Selection,
        located: Located,
        request: &ScoreRequest,
        labels: &LabelList,
        progress: &dyn Progress,
    ) -> Result<Dataset, Error> {
        let mut opening = Opening {
            dataset: Dataset {
                stand_ins: located.stand_ins.keys().cloned().collect(),
                ..Dataset::default()
            },
            stems: SharedStems::default(),
            progress,
        };
        let captions = CaptionPaths::of(&located);
        let mut official = located.official;
        let mut seen = Vec::new();
        for selected in &selection.metrics {
            let id = selected.metric.spec.id;
            match &selected.origin {
                Origin::Imported => {
                    if let Some((dir, layout)) = &official
                        && let Some((file, values)) = recorded(layout, id)
                    {
                        opening.imported(id, &dir.join(file), values)?;
                    }
                    continue;
                }
                Origin::Features(model) => {
                    let recipe = selection.recipe(model);
                    match (recipe, &located.images, &located.features) {
                        (Some(_), Some(paths), _) => opening.images(paths)?,
                        (None, _, Some((folders, _))) => opening.features(model, folders)?,
                        _ => {}
                    }
                    let pool = located.pool.as_ref();
                    match pool.filter(|_| selected.metric.compute.needs_pool()) {
                        Some(PoolInput::Features { folder, .. }) => {
                            let given = located.features.as_ref();
                            let given =
                                given.and_then(|(sides, _)| recorded_recipe(&sides.gt, model));
                            opening.pool_features(model, folder, recipe.or(given.as_ref()))?;
                        }
                        Some(PoolInput::Images(path)) => {
                            opening.pool_images(path, &request.options.identification)?;
                        }
                        None => {}
                    }
                    continue;
                }
                Origin::Computed => {}
            }
            let kind = std::mem::discriminant(&selected.metric.compute);
            if seen.contains(&kind) {
                continue;
            }
            seen.push(kind);
            match selected.metric.compute {
                Compute::Pixels(_) | Compute::Perceptual { .. } => {
                    if let Some(paths) = &located.images {
                        opening.images(paths)?;
                    }
                }
                Compute::Detections(_) if located.made.detections => {
                    if let Some(paths) = &located.images {
                        opening.images(paths)?;
                    }
                }
                Compute::Detections(_) => {
                    let sides = match (&located.detections, &mut official) {
                        (Some(paths), _) => Some(open_detections(paths, labels, request)?),
                        (None, Some((_, layout))) => layout
                            .gt_detections
                            .take()
                            .zip(layout.recon_detections.take())
                            .map(|(gt, recon)| Sides { gt, recon }),
                        (None, None) => None,
                    };
                    if let Some(sides) = sides {
                        opening.detections(sides)?;
                    }
                    let lacks_image_size = request.options.objects.variant.needs_image_size()
                        && request.image_size_px.is_none();
                    if let (true, Some(paths)) = (lacks_image_size, &located.images) {
                        opening.images(paths)?;
                    }
                }
                Compute::CategoryNames(_) => {
                    if let Some(paths) = &located.category_names {
                        opening.category_names(paths)?;
                    }
                }
                Compute::Masks(_) => {
                    if let Some(paths) = &located.masks {
                        opening.masks(paths)?;
                    }
                }
                Compute::Captions(_) => opening.captions_or_images(&captions)?,
                Compute::SceneGraphs(_) => {
                    let tools = &selection.graph_tools;
                    if tools.needs_captions() {
                        opening.captions_or_images(&captions)?;
                        opening.sentences(request.inputs.punkt.as_deref())?;
                    }
                    if let Some(paths) = &located.scene_graphs {
                        opening.scene_graphs(paths)?;
                    }
                    if let Some(folder) = &tools.tagger {
                        opening.tagger(folder, request.inputs.punkt.as_deref())?;
                    }
                    if let Some(folder) = &tools.wordnet {
                        opening.wordnet(folder)?;
                    }
                }
                Compute::Features { .. }
                | Compute::Identification { .. }
                | Compute::Scores { .. } => {}
            }
        }
        if let Some((_, layout)) = official {
            opening.dataset.warnings.extend(layout.warnings);
        }
        opening.dataset.stems = opening.stems.into_stems();
        Ok(opening.dataset)
    }
}

impl Opening<'_> {
    fn imported(
        &mut self,
        id: &'static str,
        path: &Path,
        values: &[(String, f64)],
    ) -> Result<(), Error> {
        let stems: Vec<String> = values.iter().map(|(stem, _)| stem.clone()).collect();
        let pairs = self.pair("recorded values", (&stems, path), (&stems, path))?;
        let outcomes = pairs
            .iter()
            .map(|pair| match values[pair.gt].1 {
                value if value.is_finite() => Ok(value),
                _ => Err(Undefined::Recorded("recorded as NaN".into())),
            })
            .collect();
        self.dataset
            .inputs
            .push(InputRecord::of_file(format!("recorded/{id}"), path)?);
        self.dataset.imported.push((id, outcomes));
        Ok(())
    }
}
