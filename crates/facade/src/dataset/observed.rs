//! Opens observers' results from the run folder, as if the user had provided them. Failed items have no entry there.

use super::images::stems_in;
use super::texts::words_of;
use super::{Dataset, Paired};
use crate::Error;
use crate::execute::{Images, Places, StepInputs, StepOutput, is_of_clips};
use crate::observers::masks::MaskPrompts;
use neurogauge_core::pair::clips_of;
use neurogauge_core::{Captions, ImageSet, ObservationKind, Pair, Role, Side, Sides};
use neurogauge_formats::categorisation::CategorisationSource;
use neurogauge_formats::detections::DetectionSource;
use neurogauge_formats::features;
use neurogauge_formats::masks::MaskSource;
use neurogauge_formats::{FormatError, captions, json, scene_graphs, vqa_scores};
use neurogauge_models::segmentation::MaskNames;
use std::collections::HashMap;
use std::path::Path;

impl Dataset {
    /// For each image of the reconstructions the first caption of its stimulus, if it has one; `None` without captions.
    fn captions_of_reconstructions(&self) -> Option<Vec<Option<String>>> {
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

    /// Adds observed categories, for existing masks or for masks that will be made.
    fn take_categories(&mut self, found: Sides<CategorisationSource>) {
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
        let recon = match self.mask_prompts {
            MaskPrompts::Own => found.recon,
            MaskPrompts::Stimulus => found.gt.clone(),
        };
        self.asked_categories = Some(Sides { gt: found.gt, recon });
    }

    /// Opens a step's output for both sides.
    pub(crate) fn open_observed(&mut self, outputs: &[StepOutput], places: &Places) -> Result<(), Error> {
        let Some(kind) = outputs.first().map(|output| output.writes.kind) else {
            return Ok(());
        };
        match (kind, &self.images, &self.captions) {
            (ObservationKind::Features, ..) => return self.open_features(outputs, places),
            (ObservationKind::Captions, Some(images), _) => {
                let sides = Sides::of(|side| {
                    let found = read(&places.file(side.into(), kind), captions::read)?;
                    let stems = images.sides.side(side).stems();
                    let found = of_stems(stems.iter().cloned(), found);
                    let texts = found.map(|(stem, found)| (stem, found.unwrap_or(Captions(Vec::new()))));
                    Ok::<_, Error>(texts.collect())
                })?;
                let pairs = images.pairs.clone();
                self.captions = Some(Paired { sides, pairs });
            }
            (ObservationKind::Detections, Some(images), _) => {
                let sides = Sides::of(|side| {
                    let stems = images.sides.side(side).stems();
                    let dir = places.folder(side.into(), kind);
                    Ok::<_, Error>(DetectionSource::of_stems(&dir, &self.labels, stems))
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
                    let masks = MaskSource::of_stems(&places.folder(side.into(), kind), images.stems(), own_stems);
                    Ok::<_, Error>(match self.has_observed_categories {
                        true => masks.with_observed_categories(categories.clone()),
                        false => masks.with_categories(categories.clone())?,
                    })
                })?;
                let pairs = images.pairs.clone();
                self.masks = Some(Paired { sides, pairs });
            }
            (ObservationKind::Categories, ..) => {
                self.take_categories(Sides::of(|side| {
                    CategorisationSource::open_observed(&places.file(side.into(), kind))
                })?);
            }
            (kind, Some(images), _) if kind.is_list_of_words() => {
                let sides = Sides::of(|side| {
                    let found = read(&places.file(side.into(), kind), words_of(kind))?;
                    let stems = images.sides.side(side).stems();
                    Ok::<_, Error>(of_stems(stems.iter().cloned(), found).collect())
                })?;
                let pairs = images.pairs.clone();
                self.words.insert(kind, Paired { sides, pairs });
            }
            (ObservationKind::VqaScores, Some(images), _) => {
                let path = places.file(ImageSet::Reconstructions, kind);
                let scores: HashMap<_, _> = read(&path, vqa_scores::read)?.into_iter().collect();
                let stems = images.sides.recon.stems();
                let of = |pair: &Pair| scores.get(&stems[pair.recon]).copied().flatten();
                let pairs = images.pairs.iter();
                let scores = pairs.map(|pair| (pair.stem.clone(), of(pair)));
                self.vqa_scores = Some(scores.collect());
            }
            (ObservationKind::SceneGraphs, _, Some(captions)) => {
                let sides = Sides::of(|side| {
                    let found = read(&places.file(side.into(), kind), scene_graphs::read)?;
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

    /// Opens the matrices that a step wrote for both sides and for the pool.
    fn open_features(&mut self, outputs: &[StepOutput], places: &Places) -> Result<(), Error> {
        let Some(images) = &self.images else {
            return Ok(());
        };
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
                // A side without features has width 0, which is not compared.
                if gt != recon && gt > 0 && recon > 0 {
                    let folder = places.features(ImageSet::Reconstructions, name);
                    return Err(Error::FeatureWidth {
                        path: folder.join(format!("{name}.npy")),
                        gt,
                        recon,
                    });
                }
                let pairs = match of_clips {
                    true => same_places(stems(Side::Gt)),
                    false => images.pairs.clone(),
                };
                self.features.push((name.clone(), Paired { sides, pairs }));
            }
            if writes.of == ImageSet::Pool {
                let folder = places.features(ImageSet::Pool, name);
                let file = folder.join(format!("{name}.npy"));
                let pool = features::open(&file, &features::ids_beside(&file))?;
                self.pool.push((name.clone(), pool));
            }
        }
        self.check_pools()
    }
}

impl StepInputs for Dataset {
    fn image_sets(&self) -> Vec<ImageSet> {
        let sides = Side::BOTH.map(ImageSet::from).into_iter();
        sides.chain(self.pool_images.as_ref().map(|_| ImageSet::Pool)).collect()
    }

    fn is_stand_in(&self, role: Role) -> bool {
        Dataset::is_stand_in(self, role.kind.id())
    }

    fn n_items(&self, role: Role) -> usize {
        // Observations have the same items as the inputs they are made of, possibly all in one file.
        let input = self.input(role);
        let input = input.filter(|input| !input.items.iter().any(|(stem, _)| stem.is_empty()));
        input.map_or(self.stems.len(), |input| input.items.len())
    }

    fn images(&self, of: ImageSet) -> Option<Images<'_>> {
        let sides = self.images.as_ref().map(|images| &images.sides);
        let source = match of {
            ImageSet::Stimuli => &sides?.gt,
            ImageSet::Reconstructions => &sides?.recon,
            ImageSet::Pool => self.pool_images.as_ref()?,
            ImageSet::Alone => return None,
        };
        let record = self.input(Role::new(of, ObservationKind::Images))?;
        Some(Images {
            source,
            record,
            are_frames: self.has_frames() && of != ImageSet::Pool,
        })
    }

    fn captions(&self, of: ImageSet) -> Option<&[(String, Captions)]> {
        let sides = &self.captions.as_ref()?.sides;
        match of {
            ImageSet::Stimuli => Some(&sides.gt),
            ImageSet::Reconstructions => Some(&sides.recon),
            _ => None,
        }
    }

    fn captions_of_stimuli(&self, of: ImageSet) -> Option<Vec<Option<String>>> {
        match of {
            ImageSet::Reconstructions => self.captions_of_reconstructions(),
            _ => None,
        }
    }

    fn mask_names(&self, of: ImageSet) -> Result<Option<Vec<Option<MaskNames>>>, Error> {
        let mut sides = Side::BOTH.into_iter();
        let side = sides.find(|side| ImageSet::from(*side) == of);
        match side.filter(|_| self.asked_categories.is_some()) {
            Some(side) => Ok(Some(self.mask_names_of(side)?)),
            None => Ok(None),
        }
    }

    fn open(&mut self, outputs: &[StepOutput], places: &Places) -> Result<(), Error> {
        self.open_observed(outputs, places)
    }
}

/// Pairs of items that have the same names in the same order on both sides.
fn same_places(stems: Vec<String>) -> Vec<Pair> {
    let stems = stems.into_iter().enumerate();
    let pair = |(place, stem)| Pair {
        stem,
        gt: place,
        recon: place,
    };
    stems.map(pair).collect()
}

/// The entries of a file by stem. If every item failed, the file is empty or missing.
pub(crate) fn read<T>(
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

/// The entries of these stems, in their order.
pub(crate) fn of_stems<T>(
    stems: impl Iterator<Item = String>,
    found: Vec<(String, T)>,
) -> impl Iterator<Item = (String, Option<T>)> {
    let mut found: HashMap<String, T> = found.into_iter().collect();
    stems.map(move |stem| {
        let of_stem = found.remove(&stem);
        (stem, of_stem)
    })
}
