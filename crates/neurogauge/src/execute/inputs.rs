//! What a run observes of its own images and captions: added to the data that it compares, and kept in its folder.

use super::{Executor, FailedItem, Images, OnFailure, Session};
use crate::Error;
use crate::dataset::{Dataset, Paired, StemGraphs};
use crate::observations::{Input, Located, Sides};
use crate::observers::Observer;
use crate::observers::captions::{CaptionObserver, caption_images};
use crate::observers::detections::{DetectionObserver, detect_in_images};
use crate::observers::features::{FeatureRecipe, Models, SourceFeatures, observe_sources};
use crate::observers::scene_graphs::{DEFAULT_PARSER, GraphObserver, parse_captions};
use crate::progress::Progress;
use crate::request::{GraphParser, RunSettings, ScoreRequest};
use crate::run_folder::RunFolder;
use crate::selection::Selection;
use neurogauge_core::{Captions, LabelList, ObservationKind, Role, Side};
use neurogauge_formats::detections::DetectionSource;
use neurogauge_formats::{captions, features, scene_graphs};
use std::path::{Path, PathBuf};

/// What observes the images of a run refuses observations of its kind that are given, and needs the images.
fn check_images(
    option: &str,
    does: &str,
    kind: ObservationKind,
    request: &ScoreRequest,
    located: &Located,
) -> Result<(), Error> {
    if let Some(path) = request.inputs.given(kind).next() {
        return Err(Error::Usage(format!(
            "{option} {does} the images, and there are {kind} already ({}); leave one of them away",
            path.display()
        )));
    }
    if !located.has(ObservationKind::Images) {
        return Err(Error::Usage(format!(
            "{option} needs images of both sides (--gt, --recon)"
        )));
    }
    Ok(())
}

/// The captioner of a run, if it has one: what describes its images instead of captions that are given.
pub(crate) fn choose_captioner(
    request: &ScoreRequest,
    located: &mut Located,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Option<CaptionObserver>, Error> {
    let Some(choice) = &request.captioner else {
        return Ok(None);
    };
    let kind = ObservationKind::Captions;
    check_images("--captioner", "describes", kind, request, located)?;
    let observer = CaptionObserver::find(choice, settings, progress)?;
    located.observe(kind);
    Ok(Some(observer))
}

/// The detector of a run, if it has one: what looks at its images instead of detections that are given.
pub(crate) fn choose_detector(
    request: &ScoreRequest,
    labels: &LabelList,
    located: &mut Located,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Option<DetectionObserver>, Error> {
    let Some(choice) = &request.detector else {
        return Ok(None);
    };
    let kind = ObservationKind::Detections;
    check_images("--detector", "looks at", kind, request, located)?;
    let observer = DetectionObserver::find(choice, labels, settings, progress)?;
    located.observe(kind);
    Ok(Some(observer))
}

/// The parser of a run, if it has one: what makes scene graphs of its captions instead of files that are given.
pub(crate) fn choose_parser(
    request: &ScoreRequest,
    located: &mut Located,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Option<GraphObserver>, Error> {
    let GraphParser::T5(options) = request.graph_parser else {
        return Ok(None);
    };
    let inputs = &request.inputs;
    if let Some(path) = inputs.given(ObservationKind::SceneGraphs).next() {
        return Err(Error::Usage(format!(
            "--parser t5 parses captions, and there are scene graphs already ({}); leave one of them away",
            path.display()
        )));
    }
    if !located.has(ObservationKind::Captions) {
        return Err(Error::Usage(
            "--parser t5 needs captions of both sides (captions.json in --observations, or --gt-captions and \
             --recon-captions), or images of both sides (--gt, --recon) and --captioner MODEL; graphs may come \
             from files as well: --parser file"
                .into(),
        ));
    }
    let punkt = inputs.get(Input::Punkt);
    let observer = GraphObserver::find(DEFAULT_PARSER, options, punkt, settings, progress)?;
    located.observe(ObservationKind::SceneGraphs);
    Ok(Some(observer))
}

/// The observations of a run's own images and captions.
pub(crate) struct RunInputs<'a> {
    pub(crate) folder: &'a RunFolder,
    pub(crate) settings: &'a RunSettings,
    pub(crate) progress: &'a dyn Progress,
}

/// The images of both sides, where they are open.
fn images_of(dataset: &Dataset) -> Option<Sides<Images<'_>>> {
    let sides = &dataset.images.as_ref()?.sides;
    let of = |side: Side| {
        Some(Images {
            source: sides.side(side),
            record: dataset.input(Role::images(side))?,
        })
    };
    Some(Sides {
        gt: of(Side::Gt)?,
        recon: of(Side::Recon)?,
    })
}

impl RunInputs<'_> {
    fn session<O: Observer>(&self, observer: O) -> Session<'_, O> {
        let executor = Executor::new(self.settings, OnFailure::Skip, self.progress);
        Session::new(observer, executor)
    }

    /// The journal of an observer, where there is no cache.
    fn own_journal(&self, observer: &impl Observer) -> PathBuf {
        let observations = self.folder.root().join("observations");
        observations.join(format!("{}.jsonl", observer.identity().id))
    }

    /// Describes the images of both sides.
    pub(crate) fn captions(
        &self,
        observer: CaptionObserver,
        dataset: &mut Dataset,
    ) -> Result<Vec<FailedItem>, Error> {
        let (Some(sources), Some(images)) = (images_of(dataset), &dataset.images) else {
            return Ok(Vec::new());
        };
        let own = self.own_journal(&observer);
        let mut session = self.session(observer);
        let mut failed = Vec::new();
        let mut describe = |side: Side| -> Result<Vec<(String, Captions)>, Error> {
            let found = caption_images(&mut session, sources.side(side), &own, self.settings)?;
            captions::write_json(&self.folder.captions_path(side), &found.known())?;
            failed.extend(found.failed);
            Ok(found.captions)
        };
        let sides = Sides {
            gt: describe(Side::Gt)?,
            recon: describe(Side::Recon)?,
        };
        let pairs = images.pairs.clone();
        dataset.captions = Some(Paired { sides, pairs });
        Ok(failed)
    }

    /// Looks for objects in the images of both sides.
    pub(crate) fn detections(
        &self,
        observer: DetectionObserver,
        dataset: &mut Dataset,
        labels: &LabelList,
    ) -> Result<Vec<FailedItem>, Error> {
        let Some(sources) = images_of(dataset) else {
            return Ok(Vec::new());
        };
        let own = self.folder.root().join("observations");
        let mut session = self.session(observer);
        let mut failed = Vec::new();
        for side in Side::BOTH {
            let (images, folder) = (sources.side(side), self.folder.detections_dir(side));
            let (of_side, _) =
                detect_in_images(&mut session, images, &folder, &own, self.settings)?;
            failed.extend(of_side);
        }
        read_detections(dataset, labels, self.folder);
        Ok(failed)
    }

    /// Parses the captions of both sides.
    pub(crate) fn scene_graphs(
        &self,
        observer: GraphObserver,
        dataset: &mut Dataset,
    ) -> Result<Vec<FailedItem>, Error> {
        let Some(captions) = &dataset.captions else {
            return Ok(Vec::new());
        };
        let own = self.own_journal(&observer);
        let mut session = self.session(observer);
        let mut failed = Vec::new();
        let mut n_malformed = 0;
        let mut parse = |side: Side| -> Result<StemGraphs, Error> {
            let role = Role::new(side, ObservationKind::Captions).to_string();
            let of_side = captions.sides.side(side);
            let found = parse_captions(&mut session, &role, of_side, &own, self.settings)?;
            scene_graphs::write_json(&self.folder.scene_graphs_path(side), &found.known())?;
            failed.extend(found.failed);
            n_malformed += found.n_malformed;
            Ok(found.graphs)
        };
        let sides = Sides {
            gt: parse(Side::Gt)?,
            recon: parse(Side::Recon)?,
        };
        if n_malformed > 0 {
            self.progress.note(&format!(
                "{n_malformed} facts that the parser wrote are not of three parts and do not count"
            ));
        }
        let pairs = captions.pairs.clone();
        dataset.scene_graphs = Some(Paired { sides, pairs });
        Ok(failed)
    }

    /// Makes the features of the images, those of the pool among them.
    pub(crate) fn features(
        &self,
        selection: &Selection,
        dataset: &mut Dataset,
        mut models: Models<'_>,
    ) -> Result<(), Error> {
        let recipes = &selection.perceived;
        if recipes.is_empty() {
            return Ok(());
        }
        let (Some(sources), Some(images)) = (images_of(dataset), &dataset.images) else {
            return Ok(());
        };
        let folders = Sides {
            gt: self.folder.features_dir(Side::Gt.folder()),
            recon: self.folder.features_dir(Side::Recon.folder()),
        };
        let pool_folder = self.folder.features_dir("pool");
        let of_pool = selection.perceived_of_pool();
        let mut of_sources = Vec::new();
        for side in Side::BOTH {
            let source = SourceFeatures {
                images: *sources.side(side),
                folder: folders.side(side),
                label: side.folder(),
            };
            of_sources.push((source, recipes.clone()));
        }
        if let (Some(source), Some(record)) =
            (&dataset.pool_images, dataset.input(Role::POOL_IMAGES))
        {
            let source = SourceFeatures {
                images: Images { source, record },
                folder: &pool_folder,
                label: "pool",
            };
            of_sources.push((source, of_pool.clone()));
        }
        let executor = Executor::of_features(self.settings, self.progress);
        observe_sources(recipes, &of_sources, &mut models, executor, self.settings)?;
        drop(models);
        let read = |folder: &Path, recipe: &FeatureRecipe| {
            features::open(
                &folder.join(format!("{}.npy", recipe.name())),
                &folder.join(features::IDS_FILE),
            )
        };
        let mut perceived = Vec::new();
        for recipe in recipes {
            let sides = Sides {
                gt: read(&folders.gt, recipe)?,
                recon: read(&folders.recon, recipe)?,
            };
            if sides.gt.n_features() != sides.recon.n_features() {
                return Err(Error::FeatureWidth {
                    path: folders.recon.join(format!("{}.npy", recipe.name())),
                    gt: sides.gt.n_features(),
                    recon: sides.recon.n_features(),
                });
            }
            let pairs = images.pairs.clone();
            perceived.push((recipe.name(), Paired { sides, pairs }));
        }
        if dataset.pool_images.is_some() {
            for recipe in &of_pool {
                let pool = (recipe.name(), read(&pool_folder, recipe)?);
                dataset.pool.push(pool);
            }
        }
        dataset.features.extend(perceived);
        dataset.check_pools()
    }
}

/// The captions that a finished run keeps, where it keeps them for every pair.
pub(crate) fn read_captions(dataset: &mut Dataset, folder: &RunFolder) -> Result<(), Error> {
    let paths = Side::BOTH.map(|side| folder.captions_path(side));
    let Some(images) = &dataset.images else {
        return Ok(());
    };
    if paths.iter().any(|path| !path.exists()) {
        return Ok(());
    }
    let [gt, recon] = paths.map(|path| captions::read(&path));
    let sides = Sides {
        gt: gt?,
        recon: recon?,
    };
    let are_all_there = Side::BOTH.into_iter().all(|side| {
        let stems = sides.side(side).iter().map(|(stem, _)| stem);
        stems.eq(images.sides.side(side).stems())
    });
    if are_all_there {
        let pairs = images.pairs.clone();
        dataset.captions = Some(Paired { sides, pairs });
    }
    Ok(())
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
