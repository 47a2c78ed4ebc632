//! Finds the inputs of each kind under the paths that the user gave.

use super::PoolInput;
use crate::Error;
use crate::option_names::OBSERVATIONS;
use neurogauge_core::{ByKind, Input, InputPaths, LabelList, ObservationKind, Side, Sides};
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::member::split_member;
use neurogauge_formats::official_layout::OfficialLayout;
use neurogauge_formats::{Problem, features, json, official_layout, recipe};
use neurogauge_metrics::METRICS;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// The files of both sides; for a kind of pairs, the same file twice.
    Provided(Sides<PathBuf>),
    /// SEED's layout, which is read as a whole.
    Recorded,
    /// An observer makes them from the kinds in [`ObservationKind::made_of`].
    Observed,
}

/// The inputs that exist, not yet read.
pub(crate) struct Located {
    /// The source of each kind's observations; `None` if there are none.
    pub(crate) sources: ByKind<Option<Source>>,
    /// Captions of the stimuli, if those of the reconstructions are not given; VQA scores need no others.
    pub(crate) captions_of_stimuli: Option<PathBuf>,
    /// The files that divide the names of masks into objects, parts and background.
    pub(crate) categories: Sides<Option<PathBuf>>,
    /// The models whose features both sides have.
    pub(crate) feature_models: Vec<String>,
    pub(crate) pool: Option<PoolInput>,
    /// SEED's layout and its path, if `--observations` has that layout.
    pub(crate) official: Option<(PathBuf, OfficialLayout)>,
    /// Inputs that are placeholders for real ones, with the reason. Keys are ids of kinds, `features/<model>`, or
    /// `recorded/<metric>` in SEED's layout.
    pub(crate) stand_ins: BTreeMap<String, String>,
}

impl Located {
    /// Do both sides have observations of this kind, or will they?
    pub(crate) fn has(&self, kind: ObservationKind) -> bool {
        self.sources[kind].is_some()
    }

    /// Do at least the stimuli have captions, or will they?
    pub(crate) fn has_captions_of_stimuli(&self) -> bool {
        self.has(ObservationKind::Captions) || self.captions_of_stimuli.is_some()
    }

    /// Fails if only the stimuli have captions.
    pub(crate) fn refuse_captions_of_one_side(&self) -> Result<(), Error> {
        match &self.captions_of_stimuli {
            Some(path) => Err(of_one_side(ObservationKind::Captions, Side::Gt, path)),
            None => Ok(()),
        }
    }

    pub(crate) fn is_observed(&self, kind: ObservationKind) -> bool {
        self.sources[kind] == Some(Source::Observed)
    }

    /// The files of a kind, if it was provided as files.
    pub(crate) fn files(&self, kind: ObservationKind) -> Option<&Sides<PathBuf>> {
        match &self.sources[kind] {
            Some(Source::Provided(paths)) => Some(paths),
            _ => None,
        }
    }

    /// The folders of features, if they were provided as files.
    pub(crate) fn folders_of_features(&self) -> Option<&Sides<PathBuf>> {
        self.files(ObservationKind::Features)
    }

    /// Marks this kind as made by an observer, even if files were found. It is a placeholder if any of its inputs is
    /// one.
    pub(crate) fn observe(&mut self, kind: ObservationKind) {
        self.sources[kind] = Some(Source::Observed);
        self.stand_ins.remove(kind.id());
        if let Some(reason) = kind.made_of().iter().find_map(|parent| self.stand_ins.get(parent.id()).cloned()) {
            self.stand_ins.insert(kind.id().to_owned(), reason);
        }
    }
}

/// Fails with the first missing input of a side. Other faults of an input are found when it is opened.
pub(crate) fn refuse_missing(inputs: &InputPaths) -> Result<(), Error> {
    for (input, path) in inputs.iter() {
        let expected = match input {
            Input::Of(_, kind) => kind.input_form(),
            // Their missing paths have specific errors.
            Input::Observations
            | Input::Pool
            | Input::WordNet
            | Input::Punkt
            | Input::Tagger
            | Input::ChosenSamples => continue,
        };
        if !ImageSource::exists(path) {
            return Err(Problem::not_found(expected).at(split_member(path).0).into());
        }
    }
    Ok(())
}

pub(crate) fn locate(paths: &InputPaths, labels: &LabelList) -> Result<Located, Error> {
    let observations = paths.get(Input::Observations);
    let official = match observations {
        Some(dir) if OfficialLayout::detect(dir) => Some((dir.to_owned(), OfficialLayout::open(dir, labels)?)),
        _ => None,
    };
    let inside = observations.filter(|_| official.is_none());
    if let Some(dir) = inside {
        check_observations_folder(dir)?;
    }
    let mut sources = ByKind::default();
    let mut captions_of_stimuli = None;
    for kind in ObservationKind::ALL {
        if kind == ObservationKind::Categories {
            continue; // files of one side are enough
        }
        if let [side] = kind.sides() {
            let file = find(*side, kind, paths, inside);
            sources[kind] = file.map(|path| Source::Provided(Sides::new(path.clone(), path)));
            continue;
        }
        let found = Sides::of(|side| Ok::<_, Error>(find(side, kind, paths, inside)))?;
        let files = match found {
            // Once the metrics are known, it is decided whether the reconstructions' captions are needed too.
            Sides {
                gt: Some(gt),
                recon: None,
            } if kind == ObservationKind::Captions => {
                captions_of_stimuli = Some(gt);
                None
            }
            found => both(kind, found)?.map(Source::Provided),
        };
        sources[kind] = files.or(official.as_ref().and_then(|(dir, layout)| recorded_in(dir, layout, kind)));
    }
    let categories = |side: Side| {
        let kind = ObservationKind::Categories;
        let found = inside.map(|dir| dir.join(side.folder())).and_then(|dir| first_existing(&dir, kind.file_names()));
        Ok::<_, Error>(paths.get(Input::Of(side, kind)).map(Path::to_owned).or(found))
    };
    let mut feature_models = Vec::new();
    if let Some(Source::Provided(folders)) = &sources[ObservationKind::Features] {
        let recon_models = features::list_with_clips(&folders.recon)?;
        feature_models = features::list_with_clips(&folders.gt)?;
        feature_models.retain(|model| recon_models.contains(model));
    }
    let mut located = Located {
        sources,
        captions_of_stimuli,
        categories: Sides::of(categories)?,
        feature_models,
        pool: paths.get(Input::Pool).map(PoolInput::locate).transpose()?,
        official,
        stand_ins: observations.map(read_stand_ins).transpose()?.unwrap_or_default(),
    };
    located.read_recipes()?;
    Ok(located)
}

impl Located {
    /// Marks the inputs whose recipes name a placeholder.
    fn read_recipes(&mut self) -> Result<(), Error> {
        let mut files: Vec<(ObservationKind, PathBuf)> = Vec::new();
        for kind in ObservationKind::ALL {
            if let Some(paths) = self.files(kind) {
                files.extend(kind.sides().iter().map(|side| (kind, paths.side(*side).clone())));
            }
        }
        files.extend(self.captions_of_stimuli.iter().map(|path| (ObservationKind::Captions, path.clone())));
        if let Some((dir, _)) = &self.official {
            files.extend(official_layout::PREDS.map(|preds| (ObservationKind::Detections, dir.join(preds))));
        }
        let asked = Side::BOTH.map(|side| self.categories.side(side).clone());
        files.extend(asked.into_iter().flatten().map(|path| (ObservationKind::Categories, path)));
        for (kind, path) in files {
            if let Some(mark) = recipe::mark_of(&path, kind)? {
                // Categories have the roles of masks.
                let kind = match kind {
                    ObservationKind::Categories => ObservationKind::Masks,
                    kind => kind,
                };
                self.mark(kind.id().to_owned(), &mark);
            }
        }
        let mut folders: Vec<PathBuf> = Vec::new();
        if let Some(Source::Provided(sides)) = &self.sources[ObservationKind::Features] {
            folders.extend(Side::BOTH.map(|side| sides.side(side).clone()));
        }
        if let Some(PoolInput::Features { folder, .. }) = &self.pool {
            folders.push(folder.clone());
        }
        for model in self.feature_models.clone() {
            for folder in &folders {
                let matrix = features::file_in(folder, &model);
                if let Some(mark) = recipe::mark_of(&matrix, ObservationKind::Features)? {
                    self.mark(format!("{}/{model}", ObservationKind::Features), &mark);
                }
            }
        }
        Ok(())
    }

    fn mark(&mut self, key: String, mark: &Path) {
        let reason = || format!("as {} says", mark.display());
        self.stand_ins.entry(key).or_insert_with(reason);
    }
}

/// The source of this kind in SEED's layout, if it has both sides.
fn recorded_in(dir: &Path, layout: &OfficialLayout, kind: ObservationKind) -> Option<Source> {
    match kind {
        ObservationKind::Captions => {
            layout.gt_captions.as_ref().zip(layout.recon_captions.as_ref())?;
            Some(Source::Provided(Sides::new(
                dir.join(official_layout::GT_CAPTIONS),
                dir.join(official_layout::RECON_CAPTIONS),
            )))
        }
        ObservationKind::Detections => {
            layout.gt_detections.as_ref().zip(layout.recon_detections.as_ref()).map(|_| Source::Recorded)
        }
        _ => None,
    }
}

/// The two paths of a kind: both given, both found in the observations folder, or neither.
fn both(kind: ObservationKind, found: Sides<Option<PathBuf>>) -> Result<Option<Sides<PathBuf>>, Error> {
    match (found.gt, found.recon) {
        (Some(gt), Some(recon)) => Ok(Some(Sides { gt, recon })),
        (None, None) => Ok(None),
        (Some(gt), None) => Err(of_one_side(kind, Side::Gt, &gt)),
        (None, Some(recon)) => Err(of_one_side(kind, Side::Recon, &recon)),
    }
}

fn of_one_side(kind: ObservationKind, side: Side, path: &Path) -> Error {
    let (has, lacks, lacking) = match side {
        Side::Gt => ("stimuli", "reconstructions", Side::Recon),
        Side::Recon => ("reconstructions", "stimuli", Side::Gt),
    };
    Error::Usage(format!(
        "{} are given for the {has} ({}) but not for the {lacks}; add {}",
        kind.noun(),
        path.display(),
        Input::Of(lacking, kind).flag()
    ))
}

/// The path of a kind for one side: given, or found in the observations folder.
fn find(side: Side, kind: ObservationKind, paths: &InputPaths, observations: Option<&Path>) -> Option<PathBuf> {
    let given = paths.get(Input::Of(side, kind)).map(Path::to_owned);
    let inside = observations.map(|dir| dir.join(side.folder()));
    given.or_else(|| first_existing(&inside?, kind.file_names()))
}

fn first_existing(dir: &Path, names: &[&str]) -> Option<PathBuf> {
    names.iter().map(|name| dir.join(name)).find(|path| path.exists())
}

fn check_observations_folder(dir: &Path) -> Result<(), Error> {
    if !dir.is_dir() {
        return Err(Error::Usage(format!("{OBSERVATIONS} {}: no such folder", dir.display())));
    }
    for side in Side::BOTH {
        if !dir.join(side.folder()).is_dir() {
            return Err(Error::Usage(format!(
                "{OBSERVATIONS} {}: it has no folder {:?}; expected gt/ and recon/ inside ({}), or SEED's layout \
                 (gt_detection_results/preds/, recon_detection_results/preds/, intermediate_results/)",
                dir.display(),
                side.folder(),
                ObservationKind::files_in_folder()
            )));
        }
    }
    Ok(())
}

fn read_stand_ins(dir: &Path) -> Result<BTreeMap<String, String>, Error> {
    let path = dir.join(recipe::STAND_INS);
    if !path.exists() {
        return Ok(BTreeMap::new());
    }
    let stand_ins: BTreeMap<String, String> = json::read(&path)?;
    // An unknown key would leave the numbers of a placeholder unmarked.
    let features = ObservationKind::Features;
    let is_compared =
        |kind: &ObservationKind| *kind != features && METRICS.iter().any(|m| m.compute.kind() == Some(*kind));
    let is_known = |key: &String| match key.split_once('/') {
        Some((kind, name)) => [features.id(), "recorded"].contains(&kind) && !name.is_empty(),
        None => key.parse().is_ok_and(|kind| is_compared(&kind)),
    };
    let Some(key) = stand_ins.keys().find(|key| !is_known(key)) else {
        return Ok(stand_ins);
    };
    let mut kinds: Vec<&str> = ObservationKind::ALL.into_iter().filter(is_compared).map(ObservationKind::id).collect();
    kinds.sort_unstable();
    Err(Problem::invalid(
        format!("key {key:?}"),
        format!("no such input; expected {}, {features}/<model> or recorded/<metric>", kinds.join(", ")),
    )
    .at(path)
    .into())
}

/// The values of a metric in SEED's layout, and their file.
pub(crate) fn recorded<'a>(layout: &'a OfficialLayout, metric: &str) -> Option<(&'static str, &'a [(String, f64)])> {
    let (file, values) = match metric {
        "object_f1" => (official_layout::OBJECT_F1, &layout.object_f1),
        "effnet" => (official_layout::EFFNET, &layout.effnet_distance),
        "cap_sim" => (official_layout::CAP_SIM, &layout.cap_sim),
        _ => return None,
    };
    Some((file, values.as_deref()?))
}
