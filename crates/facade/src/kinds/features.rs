//! Rows of features: opened for each model, and compared row by row, by clip, or among all pairs.

use super::{Needs, ObservedKind};
use crate::Error;
use crate::compute::{Computed, Context, Loaded, Pairs, both, identification};
use crate::dataset::{Dataset, Entries, Opening, Paired, same_places};
use crate::execute::{Places, StepOutput, is_of_clips};
use crate::observations::PoolInput;
use crate::observers::features::{FeatureRecipe, recorded_recipe};
use crate::option_names::{GT, OBSERVATIONS, POOL, RECON};
use crate::selected::MetricSource;
use neurogauge_core::pair::{Form, clips_of};
use neurogauge_core::{ImageSet, Input, ObservationKind, Outcome, Pair, Side, Sides, Undefined};
use neurogauge_formats::features::{self, StoredFeatures};
use neurogauge_metrics::{Compute, FeatureRows, Metric};
use neurogauge_models::{LocalImageModel, model_of_family};
use std::path::{Path, PathBuf};

pub(crate) struct FeatureKind;

impl ObservedKind for FeatureKind {
    const KIND: ObservationKind = ObservationKind::Features;
    /// Empty: matrices belong to models, and `Opening::features_or_images` opens them.
    type Items = Entries<()>;

    /// Opens the matrices that a step wrote for both sides and for the pool.
    fn reopen(outputs: &[StepOutput], places: &Places, dataset: &mut Dataset) -> Result<(), Error> {
        let Some(images) = dataset.images() else {
            return Ok(());
        };
        let (mut of_pairs, mut of_pool) = (Vec::new(), Vec::new());
        for StepOutput { writes, features, .. } in outputs {
            let Some(name) = features else { continue };
            if writes.of == ImageSet::Stimuli {
                let of_clips = is_of_clips(name);
                let stems = |side: Side| {
                    let stems = images.sides.side(side).stems();
                    match of_clips {
                        true => clips_of(stems).into_iter().map(|(clip, _)| clip.to_owned()).collect(),
                        false => stems.to_vec(),
                    }
                };
                let sides = Sides::of(|side| {
                    let folder = places.features(side.into(), name);
                    features::of_stems(&folder, name, &stems(side))
                })?;
                let (gt, recon) = (sides.gt.n_features(), sides.recon.n_features());
                // A side without features has width 0, which is not checked.
                if gt != recon && gt > 0 && recon > 0 {
                    let folder = places.features(ImageSet::Reconstructions, name);
                    return Err(other_width(&folder.join(format!("{name}.npy")), gt, recon));
                }
                let pairs = match of_clips {
                    true => same_places(stems(Side::Gt)),
                    false => images.pairs.clone(),
                };
                of_pairs.push((name.clone(), Paired { sides, pairs }));
            }
            if writes.of == ImageSet::Pool {
                let file = places.features(ImageSet::Pool, name).join(format!("{name}.npy"));
                let pool = features::open(&file, &features::ids_beside(&file))?;
                of_pool.push((name.clone(), pool));
            }
        }
        dataset.features.extend(of_pairs);
        dataset.pool.features.extend(of_pool);
        dataset.check_pools()
    }

    fn needs(metric: &Metric) -> Needs {
        let compute = &metric.compute;
        let [gt, recon] = Side::BOTH.map(|side| Input::Of(side, Self::KIND).flag());
        let names = compute.features().join(".npy or ");
        let mut needs = Needs::of_files(format!(
            "{names}.npy in the features folders of both sides ({OBSERVATIONS}, or {gt} and {recon})"
        ));
        if let Some((model, _)) = compute.features().first().and_then(|name| name.split_once('.')) {
            let entry = LocalImageModel::entry(model_of_family(model)).ok();
            needs.models.extend(entry.map(|entry| entry.id));
            needs.instead = match LocalImageModel::knows(model_of_family(model)) {
                true if compute.needs_pool() => {
                    format!(", or images of both sides and of others ({GT}, {RECON}, {POOL})")
                }
                true => format!(", or images of both sides ({GT}, {RECON})"),
                false if metric.spec.id.contains(':') => format!("; {}", LocalImageModel::unknown(model)),
                false => String::new(),
            };
        }
        if compute.needs_pool() {
            needs.files += &format!(", and the same of other images in {POOL}");
            needs.to_give.push(format!("a pool of other images ({POOL})"));
            needs.options = " --pool others/";
        }
        needs
    }

    fn compare(context: &Context<'_>, computed: &mut Computed) -> Result<(), Error> {
        for selected in &context.selection.metrics {
            let MetricSource::Features(model, _) = &selected.source else {
                continue;
            };
            let id = selected.metric.spec.id;
            let Some(features) = context.dataset.features_of(model) else {
                continue;
            };
            match selected.metric.compute {
                Compute::Features { compare, .. } => {
                    let pairs = Pairs::new(&features.pairs, |place, pair| {
                        Ok(both(|side| row(features, side, pair))?.map(|rows| (place, rows)))
                    });
                    pairs.compare(&[(id, compare)], computed, |compare, _, (pair, Sides { gt, recon })| {
                        let pair = *pair;
                        compare.compare(&FeatureRows { gt, recon, pair }, &context.request.options)
                    })?;
                }
                Compute::Frames { side, compare, .. } => compare_frames(features, side, (id, compare), computed)?,
                _ => {}
            }
        }
        identification::compute(context, computed)
    }
}

fn row(features: &Paired<StoredFeatures>, side: Side, pair: &Pair) -> Loaded<Vec<f64>> {
    let (rows, index) = (features.sides.side(side), pair.of(side));
    Ok(match rows.has(index) {
        true => Ok(rows.row(index)?),
        false => Err(Undefined::NoFeatures(side)),
    })
}

/// Compares the frames of each clip of a side; each frame has the outcome of its clip.
fn compare_frames(
    features: &Paired<StoredFeatures>,
    side: Side,
    metric: (&'static str, impl Fn(&[&[f64]]) -> Outcome + Sync),
    computed: &mut Computed,
) -> Result<(), Error> {
    let stems: Vec<String> = features.pairs.iter().map(|pair| pair.stem.clone()).collect();
    let clips = clips_of(&stems);
    let pairs = same_places(clips.iter().map(|(clip, _)| (*clip).to_owned()).collect());
    let pairs = Pairs::new(&pairs, |place, _| {
        let frames = features.pairs[clips[place].1.clone()].iter();
        let rows: Vec<_> = frames.map(|frame| row(features, side, frame)).collect::<Result<_, Error>>()?;
        Ok(rows.into_iter().collect::<Result<Vec<_>, _>>())
    });
    pairs.compare(&[metric], computed, |compare, _, rows| {
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        Ok(compare(&rows).into())
    })
}

impl Opening<'_> {
    /// Opens the features of the pairs, or the images that they will be made from, and the pool if a metric uses it.
    pub(super) fn features_or_images(
        &mut self,
        model: &str,
        recipe: Option<&FeatureRecipe>,
        metric: &Metric,
    ) -> Result<(), Error> {
        let folders = self.located.files(ObservationKind::Features).cloned();
        match (recipe, &folders) {
            (Some(_), _) => self.kind(ObservationKind::Images)?,
            (None, Some(folders)) => self.features(model, folders)?,
            (None, None) => {}
        }
        if !metric.compute.needs_pool() {
            return Ok(());
        }
        match self.located.pool.clone() {
            Some(PoolInput::Features { folder, .. }) => {
                let provided = folders.and_then(|sides| recorded_recipe(&sides.gt, model));
                self.pool_features(model, &folder, recipe.or(provided.as_ref()))
            }
            Some(PoolInput::Images(path)) => self.pool_images(&path, &self.request.options.identification),
            None => Ok(()),
        }
    }

    fn features(&mut self, model: &str, folders: &Sides<PathBuf>) -> Result<(), Error> {
        if self.dataset.features_of(model).is_some() {
            return Ok(());
        }
        let file = |side: Side| features::file_in(folders.side(side), model);
        let ids = |side: Side| features::ids_beside(&file(side));
        let sides = Sides::of(|side| match self.request.pairing.parts {
            Some(_) => features::open_parts(&file(side), &ids(side)),
            None => features::open(&file(side), &ids(side)),
        })?;
        if sides.gt.n_features() != sides.recon.n_features() {
            return Err(other_width(&file(Side::Recon), sides.gt.n_features(), sides.recon.n_features()));
        }
        let noun = ObservationKind::Features.noun();
        let (gt, recon) = (sides.gt.ids(), sides.recon.ids());
        let pairs = match self.pair_clips(noun, gt, recon)? {
            Some(pairs) => pairs,
            None => self.pair((noun, Form::of_rows(true)), (gt, &ids(Side::Gt)), (recon, &ids(Side::Recon)))?,
        };
        for side in Side::BOTH {
            self.record_features(side, &[file(side), ids(side)])?;
        }
        self.dataset.features.push((model.to_owned(), Paired { sides, pairs }));
        Ok(())
    }
}

fn other_width(path: &Path, gt: usize, recon: usize) -> Error {
    Error::Data(format!(
        "{}: {gt} features per row for the stimuli and {recon} for the reconstructions; both must come from the same model \
         and layer",
        path.display()
    ))
}
