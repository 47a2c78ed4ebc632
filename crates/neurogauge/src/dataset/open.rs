//! Opens what a selection needs and nothing else.

use super::item_source::ItemSource;
use super::shared_stems::SharedStems;
use super::{Dataset, InputRecord, Paired, StemGraphs};
use crate::Error;
use crate::caption_sentences::{self, CaptionSentences};
use crate::locate::{Located, MaskPaths, Sides};
use crate::noun_filter::NounFilter;
use crate::perceive::recorded_recipe;
use crate::pool_input::PoolInput;
use crate::progress::Progress;
use crate::request::ScoreRequest;
use crate::selection::{Origin, Selection, recorded};
use neurogauge_core::pair::pair_by_stem;
use neurogauge_core::{LabelList, Pair, Side, Undefined};
use neurogauge_formats::categorisation::CategorisationSource;
use neurogauge_formats::detections::DetectionSource;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::masks::MaskSource;
use neurogauge_formats::{captions, category_names, features, official_layout, scene_graphs};
use neurogauge_language::{PerceptronTagger, WordNet};
use neurogauge_metrics::Compute;
use std::path::{Path, PathBuf};

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

/// Where captions are, or the images that are to be described.
enum CaptionPaths {
    Captions(Sides<PathBuf>),
    Images(Sides<PathBuf>),
    Nowhere,
}

impl CaptionPaths {
    fn of(located: &Located) -> Self {
        let recorded = || {
            let (dir, _) = located.official.as_ref()?;
            Some(Sides {
                gt: dir.join(official_layout::GT_CAPTIONS),
                recon: dir.join(official_layout::RECON_CAPTIONS),
            })
        };
        let found = if located.made.captions {
            located.images.clone().map(CaptionPaths::Images)
        } else {
            let given = located.captions.clone().or_else(recorded);
            given.map(CaptionPaths::Captions)
        };
        found.unwrap_or(CaptionPaths::Nowhere)
    }
}

pub(super) struct Opening<'a> {
    pub(super) dataset: Dataset,
    stems: SharedStems,
    pub(super) progress: &'a dyn Progress,
}

impl Opening<'_> {
    fn pair(
        &mut self,
        what: &'static str,
        gt: (&[String], &Path),
        recon: (&[String], &Path),
    ) -> Result<Vec<Pair>, Error> {
        let pairs = pair_by_stem(gt.0, recon.0).map_err(|source| Error::Pairing {
            what,
            gt: gt.1.to_owned(),
            recon: recon.1.to_owned(),
            source,
        })?;
        self.stems.agree(what, &pairs)?;
        Ok(pairs)
    }

    /// Pairs a kind of input and records the hash of every item.
    fn paired<S: ItemSource>(
        &mut self,
        kind: &'static str,
        sides: Sides<S>,
    ) -> Result<Paired<S>, Error> {
        let pairs = self.pair(
            kind,
            (sides.gt.stems(), sides.gt.path()),
            (sides.recon.stems(), sides.recon.path()),
        )?;
        for side in Side::BOTH {
            let role = format!("{}/{kind}", side.folder());
            let record = InputRecord::of_items(role, sides.side(side), self.progress)?;
            self.dataset.inputs.push(record);
        }
        Ok(Paired { sides, pairs })
    }

    fn images(&mut self, paths: &Sides<PathBuf>) -> Result<(), Error> {
        if self.dataset.images.is_some() {
            return Ok(());
        }
        let sides = Sides {
            gt: ImageSource::open(&paths.gt)?,
            recon: ImageSource::open(&paths.recon)?,
        };
        self.dataset.images = Some(self.paired("images", sides)?);
        Ok(())
    }

    fn detections(&mut self, sides: Sides<DetectionSource>) -> Result<(), Error> {
        self.dataset.detections = Some(self.paired("detections", sides)?);
        Ok(())
    }

    fn masks(&mut self, paths: &Sides<MaskPaths>) -> Result<(), Error> {
        let open = |paths: &MaskPaths| {
            let masks = MaskSource::open(&paths.masks)?;
            match &paths.categories {
                Some(categories) => masks.with_categories(CategorisationSource::open(categories)?),
                None => Ok(masks),
            }
        };
        let sides = Sides {
            gt: open(&paths.gt)?,
            recon: open(&paths.recon)?,
        };
        for side in Side::BOTH {
            if let Some(categories) = sides.side(side).categories() {
                let role = format!("{}/categories", side.folder());
                let hashes = categories.content_hashes()?;
                let record = InputRecord::of_hashes(role, categories.path(), hashes);
                self.dataset.inputs.push(record);
            }
        }
        self.dataset.masks = Some(self.paired("masks", sides)?);
        Ok(())
    }

    /// Captions once, whatever needs them.
    fn captions_or_images(&mut self, paths: &CaptionPaths) -> Result<(), Error> {
        match paths {
            CaptionPaths::Images(paths) => self.images(paths),
            CaptionPaths::Captions(paths) if self.dataset.captions.is_none() => {
                self.captions(paths)
            }
            CaptionPaths::Captions(_) | CaptionPaths::Nowhere => Ok(()),
        }
    }

    /// The rules by which captions are split, if they are somebody's.
    fn sentences(&mut self, punkt: Option<&Path>) -> Result<(), Error> {
        if let Some(folder) = punkt {
            self.dataset.inputs.push(caption_sentences::record(folder)?);
        }
        Ok(())
    }

    fn tagger(&mut self, folder: &Path, punkt: Option<&Path>) -> Result<(), Error> {
        let files = PerceptronTagger::files(folder)?;
        let names: Vec<&str> = files.iter().map(String::as_str).collect();
        let record = InputRecord::of_files("tagger".to_owned(), folder, &names)?;
        self.dataset.inputs.push(record);
        self.dataset.noun_filter = Some(NounFilter {
            tagger: PerceptronTagger::open(folder)?,
            splitter: CaptionSentences::of(punkt)?.splitter,
        });
        Ok(())
    }

    fn captions(&mut self, paths: &Sides<PathBuf>) -> Result<(), Error> {
        let sides = Sides {
            gt: captions::read(&paths.gt)?,
            recon: captions::read(&paths.recon)?,
        };
        if let Some((stem, several)) = sides.recon.iter().find(|(_, c)| c.0.len() != 1) {
            return Err(Error::CaptionCount {
                path: paths.recon.clone(),
                stem: stem.clone(),
                found: several.0.len(),
                expected: "a reconstruction has one (only stimuli may have several references)",
            });
        }
        self.dataset.captions = Some(self.paired_file("captions", "captions", paths, sides)?);
        Ok(())
    }

    fn scene_graphs(&mut self, paths: &Sides<PathBuf>) -> Result<(), Error> {
        let read = |side: Side| -> Result<StemGraphs, Error> {
            let graphs = scene_graphs::read(paths.side(side))?.into_iter();
            Ok(graphs.map(|(stem, graph)| (stem, Some(graph))).collect())
        };
        let sides = Sides {
            gt: read(Side::Gt)?,
            recon: read(Side::Recon)?,
        };
        let paired = self.paired_file("scene graphs", "scene_graphs", paths, sides)?;
        self.dataset.scene_graphs = Some(paired);
        Ok(())
    }

    fn category_names(&mut self, paths: &Sides<PathBuf>) -> Result<(), Error> {
        let sides = Sides {
            gt: category_names::read(&paths.gt)?,
            recon: category_names::read(&paths.recon)?,
        };
        let paired = self.paired_file("VLM categories", "vlm_categories", paths, sides)?;
        self.dataset.category_names = Some(paired);
        Ok(())
    }

    /// Pairs what one file of each side says, and records the hash of the file.
    fn paired_file<T>(
        &mut self,
        what: &'static str,
        kind: &str,
        paths: &Sides<PathBuf>,
        sides: Sides<Vec<(String, T)>>,
    ) -> Result<Paired<Vec<(String, T)>>, Error> {
        let stems_of = |list: &[(String, T)]| -> Vec<String> {
            list.iter().map(|(stem, _)| stem.clone()).collect()
        };
        let pairs = self.pair(
            what,
            (&stems_of(&sides.gt), &paths.gt),
            (&stems_of(&sides.recon), &paths.recon),
        )?;
        for side in Side::BOTH {
            let role = format!("{}/{kind}", side.folder());
            let record = InputRecord::of_file(role, paths.side(side))?;
            self.dataset.inputs.push(record);
        }
        Ok(Paired { sides, pairs })
    }

    fn wordnet(&mut self, folder: &Path) -> Result<(), Error> {
        self.dataset.wordnet = Some(WordNet::open(folder)?);
        let record = InputRecord::of_files("wordnet".to_owned(), folder, &WordNet::FILES)?;
        self.dataset.inputs.push(record);
        Ok(())
    }

    fn features(&mut self, model: &str, folders: &Sides<PathBuf>) -> Result<(), Error> {
        if self.dataset.features_of(model).is_some() {
            return Ok(());
        }
        let file = |side: Side| folders.side(side).join(format!("{model}.npy"));
        let ids = |side: Side| folders.side(side).join(features::IDS_FILE);
        let read = |side: Side| features::open(&file(side), &ids(side));
        let sides = Sides {
            gt: read(Side::Gt)?,
            recon: read(Side::Recon)?,
        };
        if sides.gt.n_features() != sides.recon.n_features() {
            return Err(Error::FeatureWidth {
                path: file(Side::Recon),
                gt: sides.gt.n_features(),
                recon: sides.recon.n_features(),
            });
        }
        let pairs = self.pair(
            "features",
            (sides.gt.ids(), &ids(Side::Gt)),
            (sides.recon.ids(), &ids(Side::Recon)),
        )?;
        for side in Side::BOTH {
            self.record_features(side.folder(), &[file(side), ids(side)])?;
        }
        self.dataset
            .features
            .push((model.to_owned(), Paired { sides, pairs }));
        Ok(())
    }

    /// Records a matrix and its ids, which several matrices may share.
    pub(super) fn record_features(&mut self, of: &str, paths: &[PathBuf]) -> Result<(), Error> {
        for path in paths {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let role = format!("{of}/features/{name}");
            if self.dataset.input(&role).is_none() {
                self.dataset.inputs.push(InputRecord::of_file(role, path)?);
            }
        }
        Ok(())
    }

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

fn open_detections(
    paths: &Sides<PathBuf>,
    labels: &LabelList,
    request: &ScoreRequest,
) -> Result<Sides<DetectionSource>, Error> {
    Ok(Sides {
        gt: DetectionSource::open(&paths.gt, labels, request.box_scale_px)?,
        recon: DetectionSource::open(&paths.recon, labels, request.box_scale_px)?,
    })
}
