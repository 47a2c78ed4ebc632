//! Opens what observers made, from the run folder, as if a user had brought it. Items that failed have nothing there.

use super::images::stems_in;
use super::{Dataset, Paired};
use crate::Error;
use crate::observers::features::FeatureRecipe;
use crate::observers::masks::MaskPrompts;
use crate::observers::served::SourceAnswers;
use crate::run_folder::RunFolder;
use neurogauge_core::{Captions, Holder, LabelList, ObservationKind, Pair, Side, Sides};
use neurogauge_formats::categorisation::CategorisationSource;
use neurogauge_formats::detections::DetectionSource;
use neurogauge_formats::features;
use neurogauge_formats::masks::MaskSource;
use neurogauge_formats::{FormatError, captions, category_names, json, scene_graphs, vqa_scores};
use neurogauge_models::chat::Said;
use std::collections::HashMap;
use std::path::Path;

impl Dataset {
    /// For each image of the reconstructions the first caption of its stimulus, where it has one; `None` where there are no captions.
    pub(crate) fn captions_of_stimuli(&self) -> Option<Vec<Option<String>>> {
        let images = self.images.as_ref()?;
        let of_pair: HashMap<&str, &String> = match (&self.captions, &self.stimulus_captions) {
            (Some(captions), _) => {
                let of_pair = captions.pairs.iter().filter_map(|pair| {
                    let (_, texts) = &captions.sides.gt[pair.gt];
                    Some((pair.stem.as_str(), texts.0.first()?))
                });
                of_pair.collect()
            }
            (None, Some(captions)) => {
                let of_pair = captions.iter();
                let of_pair = of_pair.filter_map(|(stem, texts)| Some((&**stem, texts.0.first()?)));
                of_pair.collect()
            }
            (None, None) => return None,
        };
        let mut of_images = vec![None; images.sides.recon.stems().len()];
        for pair in &images.pairs {
            of_images[pair.recon] = of_pair.get(pair.stem.as_str()).map(|text| (*text).clone());
        }
        Some(of_images)
    }

    /// Takes what a model behind a server said of the images of both sides, for the observers that read it.
    pub(crate) fn take_answers(
        &mut self,
        kind: ObservationKind,
        answers: &Sides<SourceAnswers>,
        folder: &RunFolder,
        prompts: MaskPrompts,
    ) -> Result<(), Error> {
        let Some(images) = &self.images else {
            return Ok(());
        };
        let pairs = images.pairs.clone();
        match kind {
            ObservationKind::Captions => {
                let of = |side: Side| {
                    let said = answers.side(side).said.iter();
                    let texts = said.map(|(stem, said)| match said {
                        Some(Said::Caption(text)) => (stem.clone(), Captions(vec![text.clone()])),
                        _ => (stem.clone(), Captions(Vec::new())),
                    });
                    Ok::<_, Error>(texts.collect())
                };
                let sides = Sides::of(of)?;
                self.captions = Some(Paired { sides, pairs });
            }
            ObservationKind::CategoryNames => {
                let of = |side: Side| {
                    let said = answers.side(side).said.iter();
                    let names = said.map(|(stem, said)| match said {
                        Some(Said::Names(names)) => (stem.clone(), Some(names.clone())),
                        _ => (stem.clone(), None),
                    });
                    Ok::<_, Error>(names.collect())
                };
                let sides = Sides::of(of)?;
                self.category_names = Some(Paired { sides, pairs });
            }
            // No observer reads them.
            ObservationKind::VqaScores => {}
            _ => {
                let of = |side: Side| {
                    let found = answers.side(side).of(|said| match said {
                        Said::Categories(found) => Some(found.clone()),
                        _ => None,
                    });
                    let path = folder.observed_file(side, kind);
                    Ok::<_, Error>(CategorisationSource::of(&path, found))
                };
                self.take_categories(Sides::of(of)?, prompts);
            }
        }
        Ok(())
    }

    /// Takes categories that were observed: for the masks that are there, or for those that will be made.
    fn take_categories(&mut self, found: Sides<CategorisationSource>, prompts: MaskPrompts) {
        self.has_observed_categories = true;
        if let Some(Paired {
            sides: Sides { gt, recon },
            pairs,
        }) = self.masks.take()
        {
            let sides = Sides {
                gt: gt.with_observed_categories(found.gt),
                recon: recon.with_observed_categories(found.recon),
            };
            self.masks = Some(Paired { sides, pairs });
            return;
        }
        let recon = match prompts {
            MaskPrompts::Own => found.recon,
            MaskPrompts::Stimulus => found.gt.clone(),
        };
        self.asked_categories = Some(Sides {
            gt: found.gt,
            recon,
        });
    }

    /// Opens captions, detections, masks or scene graphs that the run folder has of both sides.
    pub(crate) fn open_observed(
        &mut self,
        kind: ObservationKind,
        folder: &RunFolder,
        labels: &LabelList,
    ) -> Result<(), Error> {
        match (kind, &self.images, &self.captions) {
            (ObservationKind::Captions, Some(images), _) => {
                let sides = Sides::of(|side| {
                    let found = read(&folder.observed(side, kind), captions::read)?;
                    let stems = images.sides.side(side).stems();
                    let found = of_stems(stems.iter().cloned(), found);
                    let texts =
                        found.map(|(stem, found)| (stem, found.unwrap_or(Captions(Vec::new()))));
                    Ok::<_, Error>(texts.collect())
                })?;
                let pairs = images.pairs.clone();
                self.captions = Some(Paired { sides, pairs });
            }
            (ObservationKind::Detections, Some(images), _) => {
                let sides = Sides::of(|side| {
                    let stems = images.sides.side(side).stems();
                    let dir = folder.observed(side, kind);
                    Ok::<_, Error>(DetectionSource::of_stems(&dir, labels, stems))
                })?;
                let pairs = images.pairs.clone();
                self.detections = Some(Paired { sides, pairs });
            }
            (ObservationKind::Masks, Some(images), _) => {
                let Some(categories) = &self.asked_categories else {
                    return Ok(());
                };
                let sides = Sides::of(|side| {
                    let (images, categories) = (images.sides.side(side), categories.side(side));
                    let own_stems = stems_in(images, categories);
                    let masks = MaskSource::of_stems(
                        &folder.observed(side, kind),
                        images.stems(),
                        own_stems,
                    );
                    Ok::<_, Error>(match self.has_observed_categories {
                        true => masks.with_observed_categories(categories.clone()),
                        false => masks.with_categories(categories.clone())?,
                    })
                })?;
                let pairs = images.pairs.clone();
                self.masks = Some(Paired { sides, pairs });
            }
            (ObservationKind::CategoryNames, Some(images), _) => {
                let sides = Sides::of(|side| {
                    let found = read(&folder.observed_file(side, kind), category_names::read)?;
                    let stems = images.sides.side(side).stems();
                    Ok::<_, Error>(of_stems(stems.iter().cloned(), found).collect())
                })?;
                let pairs = images.pairs.clone();
                self.category_names = Some(Paired { sides, pairs });
            }
            (ObservationKind::VqaScores, Some(images), _) => {
                let path = folder.observed_file(Side::Recon, kind);
                let scores: HashMap<_, _> = read(&path, vqa_scores::read)?.into_iter().collect();
                let stems = images.sides.recon.stems();
                let of = |pair: &Pair| scores.get(&stems[pair.recon]).copied().flatten();
                let pairs = images.pairs.iter();
                let scores = pairs.map(|pair| (pair.stem.clone(), of(pair)));
                self.vqa_scores = Some(scores.collect());
            }
            (ObservationKind::SceneGraphs, _, Some(captions)) => {
                let sides = Sides::of(|side| {
                    let found = read(&folder.observed(side, kind), scene_graphs::read)?;
                    let of_side: &[(String, Captions)] = captions.sides.side(side);
                    let stems = of_side.iter().map(|(stem, _)| stem.clone());
                    Ok::<_, Error>(of_stems(stems, found).collect())
                })?;
                let pairs = captions.pairs.clone();
                self.scene_graphs = Some(Paired { sides, pairs });
            }
            _ => {}
        }
        Ok(())
    }

    /// Opens the matrices that the run folder has of both sides, and of the pool.
    pub(crate) fn open_features(
        &mut self,
        recipes: &[FeatureRecipe],
        of_pool: &[FeatureRecipe],
        folder: &RunFolder,
    ) -> Result<(), Error> {
        let Some(images) = &self.images else {
            return Ok(());
        };
        for recipe in recipes {
            let name = recipe.name();
            let sides = Sides::of(|side| {
                let stems = images.sides.side(side).stems();
                features::of_stems(
                    &folder.observed(side, ObservationKind::Features),
                    &name,
                    stems,
                )
            })?;
            let (gt, recon) = (sides.gt.n_features(), sides.recon.n_features());
            // A side of which no image has features has no length of its own.
            if gt != recon && gt > 0 && recon > 0 {
                let folder = folder.observed(Side::Recon, ObservationKind::Features);
                return Err(Error::FeatureWidth {
                    path: folder.join(format!("{name}.npy")),
                    gt,
                    recon,
                });
            }
            let pairs = images.pairs.clone();
            self.features.push((name, Paired { sides, pairs }));
        }
        for recipe in of_pool.iter().filter(|_| self.pool_images.is_some()) {
            let name = recipe.name();
            let file = folder
                .observed(Holder::Pool, ObservationKind::Features)
                .join(format!("{name}.npy"));
            let pool = features::open(&file, &features::ids_beside(&file))?;
            self.pool.push((name, pool));
        }
        self.check_pools()
    }
}

/// What a file has by stem; it is empty, or not there, where every item failed.
fn read<T>(
    path: &Path,
    read: impl Fn(&Path) -> Result<Vec<(String, T)>, FormatError>,
) -> Result<Vec<(String, T)>, Error> {
    let is_empty = |path: &Path| {
        let entries = json::read::<HashMap<String, serde_json::Value>>(path);
        entries.is_ok_and(|entries| entries.is_empty())
    };
    if !path.exists() || is_empty(path) {
        return Ok(Vec::new());
    }
    Ok(read(path)?)
}

/// What was found of these stems, in their order.
fn of_stems<T>(
    stems: impl Iterator<Item = String>,
    found: Vec<(String, T)>,
) -> impl Iterator<Item = (String, Option<T>)> {
    let mut found: HashMap<String, T> = found.into_iter().collect();
    stems.map(move |stem| {
        let of_stem = found.remove(&stem);
        (stem, of_stem)
    })
}
