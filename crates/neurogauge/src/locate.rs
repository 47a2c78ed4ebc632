//! Finds the inputs of each kind behind the paths that the user gave.

use crate::Error;
use crate::pool_input::PoolInput;
use crate::request::InputPaths;
use neurogauge_core::{LabelList, Side};
use neurogauge_formats::official_layout::OfficialLayout;
use neurogauge_formats::{FormatError, features};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One thing for each side.
#[derive(Debug, Clone)]
pub(crate) struct Sides<T> {
    pub(crate) gt: T,
    pub(crate) recon: T,
}

impl<T> Sides<T> {
    pub(crate) fn side(&self, side: Side) -> &T {
        match side {
            Side::Gt => &self.gt,
            Side::Recon => &self.recon,
        }
    }
}

/// The masks of one side, and the categories of its images.
#[derive(Debug, Clone)]
pub(crate) struct MaskPaths {
    pub(crate) masks: PathBuf,
    pub(crate) categories: Option<PathBuf>,
}

/// The inputs that exist, not yet read.
pub(crate) struct Located {
    pub(crate) images: Option<Sides<PathBuf>>,
    pub(crate) detections: Option<Sides<PathBuf>>,
    pub(crate) captions: Option<Sides<PathBuf>>,
    /// What is made of the images instead.
    pub(crate) made: Made,
    /// Names of categories that a vision-language model gave.
    pub(crate) category_names: Option<Sides<PathBuf>>,
    /// Masks, and what says which of their names are objects, parts and background.
    pub(crate) masks: Option<Sides<MaskPaths>>,
    /// Folders of feature matrices, with the models that both sides have.
    pub(crate) features: Option<(Sides<PathBuf>, Vec<String>)>,
    /// Scene graphs of the captions.
    pub(crate) scene_graphs: Option<Sides<PathBuf>>,
    /// A common pool.
    pub(crate) pool: Option<PoolInput>,
    /// SEED's layout and where it lies, if that is what `--observations` is.
    pub(crate) official: Option<(PathBuf, OfficialLayout)>,
    /// Inputs that only stand in for real ones, with the reason: `captions`, `detections`, `scene_graphs`,
    /// `features/<model>`, or `recorded/<metric>` in SEED's layout.
    pub(crate) stand_ins: BTreeMap<String, String>,
}

/// What models are to say of the images and captions of a run.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Made {
    /// A captioner describes them.
    pub(crate) captions: bool,
    /// A detector looks for objects.
    pub(crate) detections: bool,
    /// A parser makes scene graphs of the captions.
    pub(crate) scene_graphs: bool,
}

impl Located {
    /// Are there captions of both sides, or will there be?
    pub(crate) fn has_captions(&self) -> bool {
        let of_layout = |(_, layout): &(PathBuf, OfficialLayout)| {
            layout.gt_captions.is_some() && layout.recon_captions.is_some()
        };
        self.captions.is_some()
            || self.made.captions
            || self.official.as_ref().is_some_and(of_layout)
    }

    /// Are there scene graphs of both sides, or will there be?
    pub(crate) fn has_scene_graphs(&self) -> bool {
        self.scene_graphs.is_some() || self.made.scene_graphs
    }

    /// What is made of the images stands in for the real thing where they do, whatever was found of its kind.
    pub(crate) fn inherit_stand_in(&mut self, kind: &str) {
        self.stand_ins.remove(kind);
        if let Some(reason) = self.stand_ins.get("images").cloned() {
            self.stand_ins.insert(kind.to_owned(), reason);
        }
    }
}

/// Name of the file in an observations folder that lists [`Located::stand_ins`].
pub(crate) const STAND_INS_FILE: &str = "stand_ins.json";

pub(crate) fn locate(paths: &InputPaths, labels: &LabelList) -> Result<Located, Error> {
    let observations = paths.observations.as_deref();
    let official = match observations {
        Some(dir) if OfficialLayout::detect(dir) => {
            Some((dir.to_owned(), OfficialLayout::open(dir, labels)?))
        }
        _ => None,
    };
    let inside = if official.is_some() {
        None
    } else {
        observations
    };
    if let Some(dir) = inside {
        check_observations_folder(dir)?;
    }

    let detections = both(
        "detections",
        &paths.gt_detections,
        &paths.recon_detections,
        inside,
        |side_dir| first_existing(side_dir, &["detections", "detections.json"]),
    )?;
    let captions = both(
        "captions",
        &paths.gt_captions,
        &paths.recon_captions,
        inside,
        |side_dir| first_existing(side_dir, &["captions.json", "captions.npy"]),
    )?;
    let category_names = both(
        "vlm-categories",
        &paths.gt_vlm_categories,
        &paths.recon_vlm_categories,
        inside,
        |side_dir| first_existing(side_dir, &["vlm_categories.json"]),
    )?;
    let masks = both(
        "masks",
        &paths.gt_masks,
        &paths.recon_masks,
        inside,
        |side_dir| first_existing(side_dir, &["masks", "masks.json"]),
    )?;
    let categories_of = |side: Side, given: &Option<PathBuf>| {
        let find = |dir: &Path| {
            first_existing(&dir.join(side.folder()), &["categories", "categories.json"])
        };
        given.clone().or_else(|| inside.and_then(find))
    };
    let masks = masks.map(|masks| Sides {
        gt: MaskPaths {
            masks: masks.gt,
            categories: categories_of(Side::Gt, &paths.gt_categories),
        },
        recon: MaskPaths {
            masks: masks.recon,
            categories: categories_of(Side::Recon, &paths.recon_categories),
        },
    });
    let scene_graphs = both(
        "scene-graphs",
        &paths.gt_scene_graphs,
        &paths.recon_scene_graphs,
        inside,
        |side_dir| first_existing(side_dir, &["scene_graphs.json", "scene_graphs.txt"]),
    )?;
    let feature_folders = both(
        "features",
        &paths.gt_features,
        &paths.recon_features,
        inside,
        |side_dir| first_existing(side_dir, &["features"]),
    )?;
    let features = match feature_folders {
        None => None,
        Some(folders) => {
            let recon_models = features::list(&folders.recon)?;
            let mut models = features::list(&folders.gt)?;
            models.retain(|model| recon_models.contains(model));
            Some((folders, models))
        }
    };
    Ok(Located {
        images: both("", &paths.gt, &paths.recon, None, |_| None)?,
        detections,
        captions,
        made: Made::default(),
        category_names,
        masks,
        features,
        scene_graphs,
        pool: paths.pool.as_deref().map(PoolInput::locate).transpose()?,
        official,
        stand_ins: observations
            .map(read_stand_ins)
            .transpose()?
            .unwrap_or_default(),
    })
}

/// The two paths of a kind: both given, both found in the observations folder, or neither.
fn both(
    kind: &str,
    gt: &Option<PathBuf>,
    recon: &Option<PathBuf>,
    observations: Option<&Path>,
    find: impl Fn(&Path) -> Option<PathBuf>,
) -> Result<Option<Sides<PathBuf>>, Error> {
    let find_in = |side: Side| observations.and_then(|dir| find(&dir.join(side.folder())));
    let gt = gt.clone().or_else(|| find_in(Side::Gt));
    let recon = recon.clone().or_else(|| find_in(Side::Recon));
    let flag = |side: &str| {
        if kind.is_empty() {
            format!("--{side}")
        } else {
            format!("--{side}-{kind}")
        }
    };
    match (gt, recon) {
        (Some(gt), Some(recon)) => Ok(Some(Sides { gt, recon })),
        (None, None) => Ok(None),
        (Some(gt), None) => Err(Error::Usage(format!(
            "{} are given for the stimuli ({}) but not for the reconstructions; add {}",
            if kind.is_empty() {
                "images".to_owned()
            } else {
                kind.replace('-', " ")
            },
            gt.display(),
            flag("recon")
        ))),
        (None, Some(recon)) => Err(Error::Usage(format!(
            "{} are given for the reconstructions ({}) but not for the stimuli; add {}",
            if kind.is_empty() {
                "images".to_owned()
            } else {
                kind.replace('-', " ")
            },
            recon.display(),
            flag("gt")
        ))),
    }
}

fn first_existing(dir: &Path, names: &[&str]) -> Option<PathBuf> {
    names
        .iter()
        .map(|name| dir.join(name))
        .find(|path| path.exists())
}

fn check_observations_folder(dir: &Path) -> Result<(), Error> {
    if !dir.is_dir() {
        return Err(Error::Usage(format!(
            "--observations {}: no such folder",
            dir.display()
        )));
    }
    for side in Side::BOTH {
        if !dir.join(side.folder()).is_dir() {
            return Err(Error::Usage(format!(
                "--observations {}: it has no folder {:?}; expected gt/ and recon/ inside (each \
                 with detections/, captions.json, scene_graphs.json, masks/, vlm_categories.json or features/), or SEED's layout \
                 (gt_detection_results/preds/, recon_detection_results/preds/, \
                 intermediate_results/)",
                dir.display(),
                side.folder()
            )));
        }
    }
    Ok(())
}

fn read_stand_ins(dir: &Path) -> Result<BTreeMap<String, String>, Error> {
    let path = dir.join(STAND_INS_FILE);
    if !path.exists() {
        return Ok(BTreeMap::new());
    }
    let stand_ins: BTreeMap<String, String> = neurogauge_formats::json::read(&path)?;
    // A key that nothing looks up would leave a number unmarked.
    let unknown = stand_ins.keys().find(|key| match key.split_once('/') {
        Some((kind, name)) => !["features", "recorded"].contains(&kind) || name.is_empty(),
        None => {
            let known = "images captions detections masks scene_graphs vlm_categories";
            known.split(' ').all(|known| known != *key)
        }
    });
    match unknown {
        None => Ok(stand_ins),
        Some(key) => Err(FormatError::Invalid {
            path,
            place: format!("key {key:?}"),
            reason: "no such input; expected captions, detections, images, masks, scene_graphs, \
                     vlm_categories, features/<model> or recorded/<metric>"
                .into(),
        }
        .into()),
    }
}
