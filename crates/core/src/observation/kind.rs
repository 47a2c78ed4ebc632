//! The kinds of observations, and whose they are.

use crate::{Captions, Detections, Features, Side};
use serde_with::{DeserializeFromStr, SerializeDisplay};
use std::fmt;
use std::ops::{Index, IndexMut};
use std::path::Path;
use std::str::FromStr;

/// A type that holds observations of one kind.
///
/// ```
/// use neurogauge_core::{Captions, ObservationKind, Observed};
/// assert_eq!(Captions::KIND, ObservationKind::Captions);
/// ```
pub trait Observed {
    const KIND: ObservationKind;
}

impl Observed for Captions {
    const KIND: ObservationKind = ObservationKind::Captions;
}

impl Observed for Detections {
    const KIND: ObservationKind = ObservationKind::Detections;
}

impl<T> Observed for Features<T> {
    const KIND: ObservationKind = ObservationKind::Features;
}

/// What can be observed of an image, by a model or by a person.
///
/// ```
/// use neurogauge_core::ObservationKind;
/// assert_eq!(ObservationKind::SceneGraphs.made_of(), [ObservationKind::Captions]);
/// assert_eq!("vlm_categories".parse(), Ok(ObservationKind::CategoryNames));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, SerializeDisplay, DeserializeFromStr)]
pub enum ObservationKind {
    Images,
    /// Rows of features, one matrix for each model.
    Features,
    /// Boxes with categories and scores.
    Detections,
    /// Names of categories, as a vision-language model gives them.
    CategoryNames,
    /// The texts that are written in an image, as a model reads them.
    ImageTexts,
    /// Which of the things in an image are objects, parts and background.
    Categories,
    /// Masks of objects, parts and background.
    Masks,
    /// Sentences about an image.
    Captions,
    /// Objects, attributes and relations of the captions.
    SceneGraphs,
    /// Answers to a question about an image.
    Answers,
    /// A model's probability that a reconstruction shows what the caption of its stimulus describes.
    VqaScores,
    /// The result of an observer from outside this toolkit for an image and its captions.
    Custom,
}

impl ObservationKind {
    /// Every kind; those that others are made of come first.
    pub const ALL: [ObservationKind; 12] = [
        ObservationKind::Images,
        ObservationKind::Features,
        ObservationKind::Detections,
        ObservationKind::CategoryNames,
        ObservationKind::ImageTexts,
        ObservationKind::Categories,
        ObservationKind::Masks,
        ObservationKind::Captions,
        ObservationKind::SceneGraphs,
        ObservationKind::Answers,
        ObservationKind::VqaScores,
        ObservationKind::Custom,
    ];

    /// Its name in records, in `stand_ins.json` and in options (there with hyphens).
    pub const fn id(self) -> &'static str {
        match self {
            ObservationKind::Images => "images",
            ObservationKind::Features => "features",
            ObservationKind::Detections => "detections",
            ObservationKind::CategoryNames => "vlm_categories",
            ObservationKind::ImageTexts => "image_texts",
            ObservationKind::Categories => "categories",
            ObservationKind::Masks => "masks",
            ObservationKind::Captions => "captions",
            ObservationKind::SceneGraphs => "scene_graphs",
            ObservationKind::Answers => "answers",
            ObservationKind::VqaScores => "vqa_scores",
            ObservationKind::Custom => "custom",
        }
    }

    /// Its name in a sentence.
    pub const fn noun(self) -> &'static str {
        match self {
            ObservationKind::CategoryNames => "VLM categories",
            ObservationKind::ImageTexts => "texts in images",
            ObservationKind::SceneGraphs => "scene graphs",
            ObservationKind::VqaScores => "VQA scores",
            ObservationKind::Custom => "custom observations",
            other => other.id(),
        }
    }

    /// Its file names in a side's folder, the preferred form first. Images have separate folders.
    pub const fn file_names(self) -> &'static [&'static str] {
        match self {
            ObservationKind::Images => &[],
            ObservationKind::Features => &["features"],
            ObservationKind::Detections => &["detections", "detections.json"],
            ObservationKind::CategoryNames => &["vlm_categories.json"],
            ObservationKind::ImageTexts => &["image_texts.json"],
            ObservationKind::Categories => &["categories", "categories.json"],
            ObservationKind::Masks => &["masks", "masks.json"],
            ObservationKind::Captions => &["captions.json", "captions.npy"],
            ObservationKind::SceneGraphs => &["scene_graphs.json", "scene_graphs.txt"],
            ObservationKind::Answers => &["answers.json"],
            ObservationKind::VqaScores => &["vqa_scores.json"],
            ObservationKind::Custom => &["custom.json"],
        }
    }

    /// The accepted forms of its input, in words.
    pub const fn input_form(self) -> &'static str {
        match self {
            ObservationKind::Images => "a folder of images, a .npy, .pt or .hdf5 file",
            ObservationKind::Features => "a folder of feature matrices (<model>.npy and ids.json)",
            ObservationKind::Categories => "a folder of <stem>.json, or one JSON of all stems",
            ObservationKind::Detections => "a folder of detections (<stem>.json) or one file of boxes",
            ObservationKind::CategoryNames => "JSON of the categories of each stem",
            ObservationKind::ImageTexts => "JSON of the texts in the image of each stem",
            ObservationKind::Masks => {
                "a folder of masks (<stem>.json, or <stem>.png and labels.json) or COCO's JSON of instances"
            }
            ObservationKind::Captions => "captions as JSON or SEED's .npy",
            ObservationKind::SceneGraphs => "scene graphs as JSON or text (.txt)",
            ObservationKind::Answers => "JSON of the answer to each stem",
            ObservationKind::VqaScores => "JSON of the VQA score of each stem",
            ObservationKind::Custom => "JSON of the observation of each stem",
        }
    }

    /// The word for what an image without it lacks.
    pub const fn lacked(self) -> &'static str {
        match self {
            ObservationKind::Captions => "caption",
            ObservationKind::ImageTexts => "answer about its texts",
            ObservationKind::SceneGraphs => "scene graph",
            other => other.noun(),
        }
    }

    /// The name of its file or folder in the layout of SEED's code, if different.
    pub const fn official_name(self) -> Option<&'static str> {
        match self {
            ObservationKind::Captions => Some("captions.npy"),
            ObservationKind::Detections => Some("preds"),
            _ => None,
        }
    }

    /// All names of its files and folders.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let own = self.file_names().iter().copied();
        own.chain(self.official_name())
    }

    /// Is a file or folder called as this kind's are?
    pub fn is_name_of(self, path: &Path) -> bool {
        self.names().any(|name| path.file_name().is_some_and(|own| own == name))
    }

    /// Has each of its files a recipe of its own, under the file's name?
    pub fn has_a_recipe_for_each_file(self) -> bool {
        self == ObservationKind::Features
    }

    /// The kinds that an observer makes it of, first that whose items it goes through; none for images.
    pub const fn made_of(self) -> &'static [ObservationKind] {
        match self {
            ObservationKind::Images => &[],
            ObservationKind::SceneGraphs => &[ObservationKind::Captions],
            ObservationKind::Masks => &[ObservationKind::Images, ObservationKind::Categories],
            ObservationKind::VqaScores | ObservationKind::Custom => {
                &[ObservationKind::Images, ObservationKind::Captions]
            }
            _ => &[ObservationKind::Images],
        }
    }

    /// What an observer reads to make the observations of one source: those of the same source, except that VQA scores
    /// ask about reconstructions with the captions of their stimuli.
    ///
    /// ```
    /// use neurogauge_core::{ObservationKind, Role, Side};
    /// let read = ObservationKind::VqaScores.reads(Side::Recon).map(|role| role.to_string());
    /// assert_eq!(read.collect::<Vec<_>>(), ["recon/images", "gt/captions"]);
    /// ```
    pub fn reads(self, of: impl Into<ImageSet>) -> impl Iterator<Item = Role> {
        let of = of.into();
        self.made_of().iter().map(move |&parent| {
            let is_asked_with = self == ObservationKind::VqaScores && parent == ObservationKind::Captions;
            let of = match of {
                ImageSet::Reconstructions if is_asked_with => ImageSet::Stimuli,
                of => of,
            };
            Role::new(of, parent)
        })
    }

    /// Is it a list of words for each image, all in one file?
    pub const fn is_list_of_words(self) -> bool {
        matches!(self, ObservationKind::CategoryNames | ObservationKind::ImageTexts)
    }

    /// The sides that have it: VQA scores belong to reconstructions (with the stimuli's captions).
    pub const fn sides(self) -> &'static [Side] {
        match self {
            ObservationKind::VqaScores => &[Side::Recon],
            _ => &Side::BOTH,
        }
    }
}

impl fmt::Display for ObservationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl FromStr for ObservationKind {
    type Err = UnknownRole;

    fn from_str(id: &str) -> Result<Self, UnknownRole> {
        let found = ObservationKind::ALL.into_iter().find(|kind| kind.id() == id);
        found.ok_or_else(|| UnknownRole(id.to_owned()))
    }
}

/// One value for each kind.
///
/// ```
/// use neurogauge_core::{ByKind, ObservationKind};
/// let mut counts = ByKind::<usize>::default();
/// counts[ObservationKind::Masks] = 3;
/// assert_eq!(counts.iter().map(|(_, count)| count).sum::<usize>(), 3);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ByKind<T>([T; ObservationKind::ALL.len()]);

impl<T> ByKind<T> {
    /// The value that `of` gives for each kind.
    pub fn from_fn(of: impl FnMut(ObservationKind) -> T) -> Self {
        ByKind(ObservationKind::ALL.map(of))
    }

    /// Each kind with its value, in the order of [`ObservationKind::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (ObservationKind, &T)> {
        ObservationKind::ALL.into_iter().zip(&self.0)
    }

    /// The same, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (ObservationKind, &mut T)> {
        ObservationKind::ALL.into_iter().zip(&mut self.0)
    }
}

impl<T> Index<ObservationKind> for ByKind<T> {
    type Output = T;

    fn index(&self, kind: ObservationKind) -> &T {
        &self.0[kind as usize]
    }
}

impl<T> IndexMut<ObservationKind> for ByKind<T> {
    fn index_mut(&mut self, kind: ObservationKind) -> &mut T {
        &mut self.0[kind as usize]
    }
}

/// The set of images that an observation belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ImageSet {
    Stimuli,
    Reconstructions,
    Pool,
    /// The only set of a command that has one source.
    Alone,
}

impl ImageSet {
    /// The name of its folder; empty where there is one source only.
    pub fn folder(self) -> &'static str {
        match self {
            ImageSet::Stimuli => Side::Gt.folder(),
            ImageSet::Reconstructions => Side::Recon.folder(),
            ImageSet::Pool => "pool",
            ImageSet::Alone => "",
        }
    }
}

impl From<Side> for ImageSet {
    fn from(side: Side) -> Self {
        match side {
            Side::Gt => ImageSet::Stimuli,
            Side::Recon => ImageSet::Reconstructions,
        }
    }
}

/// The observations of a kind of one source, as records name them: `gt/images`, `pool/features`, or only `images`
/// where there is one source.
///
/// ```
/// use neurogauge_core::{ImageSet, ObservationKind, Role, Side};
/// let role = Role::new(Side::Recon, ObservationKind::SceneGraphs);
/// assert_eq!(role.to_string(), "recon/scene_graphs");
/// assert_eq!("images".parse(), Ok(Role::new(ImageSet::Alone, ObservationKind::Images)));
/// assert!("recon/scene-graphs".parse::<Role>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, SerializeDisplay, DeserializeFromStr)]
pub struct Role {
    /// Whose they are.
    pub of: ImageSet,
    pub kind: ObservationKind,
}

impl Role {
    /// The images of a command that has one source.
    pub const IMAGES: Role = Role {
        of: ImageSet::Alone,
        kind: ObservationKind::Images,
    };
    /// The images of the common pool.
    pub const POOL_IMAGES: Role = Role {
        of: ImageSet::Pool,
        kind: ObservationKind::Images,
    };

    pub fn images(of: Side) -> Self {
        Role::new(of, ObservationKind::Images)
    }

    /// The role of the observations of this kind.
    pub fn new(of: impl Into<ImageSet>, kind: ObservationKind) -> Self {
        Role { of: of.into(), kind }
    }

    /// The role of one file of several, e.g. `gt/features/clip`.
    pub fn file(self, name: &str) -> String {
        format!("{self}/{name}")
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.of {
            ImageSet::Alone => write!(f, "{}", self.kind),
            of => write!(f, "{}/{}", of.folder(), self.kind),
        }
    }
}

impl PartialEq<Role> for String {
    fn eq(&self, role: &Role) -> bool {
        self.parse() == Ok(*role)
    }
}

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, UnknownRole> {
        let image_sets = [ImageSet::Stimuli, ImageSet::Reconstructions, ImageSet::Pool, ImageSet::Alone];
        let mut roles = image_sets.into_iter().flat_map(|of| ObservationKind::ALL.map(|kind| Role { of, kind }));
        roles.find(|role| role.to_string() == text).ok_or_else(|| UnknownRole(text.to_owned()))
    }
}

/// A text that names no kind of observation, or no source of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no kind of observation; expected one such as images, gt/captions or pool/images")]
pub struct UnknownRole(pub String);
