//! The kinds of observations, and the sets of images that they belong to.

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

/// What a model or a person can observe of an image.
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
    /// Texts in an image, as a model reads them.
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
    /// Every kind; those that others are made from come first.
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

    /// The kinds that users provide as files, in the order of their options.
    pub const GIVEN: [ObservationKind; 10] = [
        ObservationKind::Images,
        ObservationKind::Captions,
        ObservationKind::Detections,
        ObservationKind::CategoryNames,
        ObservationKind::ImageTexts,
        ObservationKind::Masks,
        ObservationKind::Categories,
        ObservationKind::Features,
        ObservationKind::SceneGraphs,
        ObservationKind::VqaScores,
    ];

    /// Everything that is known of the kind.
    const fn about(self) -> About {
        match self {
            ObservationKind::Images => About {
                form: "a folder of images, a .npy, .npz, .pt, .mat or .hdf5 file",
                made_of: &[],
                option: "PATH",
                help: &[
                    "Stimuli, instead of GT: a folder of images, an .npy stack (N,H,W,3) or a .pt tensor file",
                    "Reconstructions, instead of RECON, likewise",
                ],
                ..About::of("images", "images")
            },
            ObservationKind::Features => About {
                files: &["features"],
                form: "a folder of feature matrices (<model>.npy and ids.json)",
                option: "DIR",
                topic: "identification",
                help: &[
                    "Folder of feature matrices of the stimuli: <model>.npy and ids.json",
                    "Folder of feature matrices of the reconstructions",
                ],
                ..About::of("features", "features")
            },
            ObservationKind::Detections => About {
                files: &["detections", "detections.json"],
                form: "a folder of detections (<stem>.json) or one file of boxes",
                official_name: Some("preds"),
                option: "PATH",
                topic: "objects",
                help: &[
                    "Detections in the stimuli: a folder of mmdetection's (or others') JSON or of YOLO's text, or one JSON \
                     of boxes (COCO's, or by category)",
                    "Detections in the reconstructions",
                ],
                ..About::of("detections", "detections")
            },
            ObservationKind::CategoryNames => About {
                files: &["vlm_categories.json"],
                form: "JSON of the categories of each stem",
                option: "FILE",
                topic: "objects",
                help: &[
                    "Categories that a vision-language model names in the stimuli: JSON {\"stem\": \"dog, frisbee\"} \
                     or {\"stem\": [\"dog\", ...]}",
                    "The same in the reconstructions",
                ],
                ..About::of("vlm_categories", "VLM categories")
            },
            ObservationKind::ImageTexts => About {
                lacked: "answer about its texts",
                files: &["image_texts.json"],
                form: "JSON of the texts in the image of each stem",
                is_later: true,
                option: "FILE",
                topic: "objects",
                help: &[
                    "Texts that are written in the stimuli, as a vision-language model reads them: JSON {\"stem\": \
                     [\"EXIT\", ...]}, [] for none",
                    "The same in the reconstructions",
                ],
                ..About::of("image_texts", "texts in images")
            },
            ObservationKind::Categories => About {
                files: &["categories", "categories.json"],
                form: "a folder of <stem>.json, or one JSON of all stems",
                option: "PATH",
                topic: "basic-l",
                help: &[
                    "Which names of the stimuli's masks are objects, parts and background (BASIC's categorisation): a \
                     folder of <stem>.json, each such as {\"foreground_objects\": [{\"object\": \"dog\", \"parts\": \
                     [\"head\"]}], \"background_elements\": [{\"element\": \"sky\"}]}, or one JSON of such entries by \
                     stem, {\"<stem>\": {...}}",
                    "The same of the reconstructions' masks, in the same form",
                ],
                ..About::of("categories", "categories")
            },
            ObservationKind::Masks => About {
                files: &["masks", "masks.json"],
                form: "a folder of masks (<stem>.json, or <stem>.png and labels.json) or COCO's JSON of instances",
                made_of: &[ObservationKind::Images, ObservationKind::Categories],
                option: "PATH",
                topic: "basic-l",
                help: &[
                    "Masks of the stimuli: a folder of Grounded SAM 2's JSON or of PNG label maps with labels.json, \
                     or one JSON of COCO's instances",
                    "Masks of the reconstructions",
                ],
                ..About::of("masks", "masks")
            },
            ObservationKind::Captions => About {
                lacked: "caption",
                files: &[
                    "captions.json",
                    "captions.npy",
                    "captions.jsonl",
                    "captions.csv",
                    "captions.tsv",
                    "captions.parquet",
                ],
                form: "captions as JSON, a table, or SEED's .npy",
                official_name: Some("captions.npy"),
                option: "FILE",
                topic: "captions",
                help: &[
                    "Captions of the stimuli: JSON {\"stem\": \"text\"} or {\"stem\": [\"text\", ...]}, a table, JSON \
                     Lines, COCO's file, or SEED's .npy",
                    "Captions of the reconstructions",
                ],
                ..About::of("captions", "captions")
            },
            ObservationKind::SceneGraphs => About {
                lacked: "scene graph",
                files: &["scene_graphs.json", "scene_graphs.txt"],
                form: "scene graphs as JSON or text (.txt)",
                made_of: &[ObservationKind::Captions],
                option: "FILE",
                topic: "basic-h",
                help: &[
                    "Scene graphs of the stimuli's captions: JSON {\"stem\": {\"objects\": [..], \"attributes\": \
                     {..}, \"relations\": [..]}}, or text (.txt)",
                    "Scene graphs of the reconstructions' captions",
                ],
                ..About::of("scene_graphs", "scene graphs")
            },
            ObservationKind::Answers => About {
                files: &["answers.json"],
                form: "JSON of the answer to each stem",
                ..About::of("answers", "answers")
            },
            ObservationKind::VqaScores => About {
                files: &["vqa_scores.json"],
                form: "JSON of the VQA score of each stem",
                made_of: &[ObservationKind::Images, ObservationKind::Captions],
                sides: &[Side::Recon],
                is_later: true,
                option: "FILE",
                topic: "captions",
                help: &[
                    "VQA scores made elsewhere, for vqa_score: JSON {\"stem\": 0.83}, the probability of yes when a \
                         model is asked whether the reconstruction shows what the stimulus's caption says",
                ],
                ..About::of("vqa_scores", "VQA scores")
            },
            ObservationKind::Custom => About {
                files: &["custom.json"],
                form: "JSON of the observation of each stem",
                made_of: &[ObservationKind::Images, ObservationKind::Captions],
                ..About::of("custom", "custom observations")
            },
        }
    }

    /// Its name in records and `stand_ins.json`; options have hyphens instead of underscores.
    pub const fn id(self) -> &'static str {
        self.about().id
    }

    /// Its name in a sentence.
    pub const fn noun(self) -> &'static str {
        self.about().noun
    }

    /// The word for what is missing from an image without it.
    pub const fn lacked(self) -> &'static str {
        self.about().lacked
    }

    /// Its file names in a side's folder, the preferred form first. Images have folders of their own.
    pub const fn file_names(self) -> &'static [&'static str] {
        self.about().files
    }

    /// The accepted forms of its input, in words.
    pub const fn input_form(self) -> &'static str {
        self.about().form
    }

    /// The name of its file or folder in the layout of SEED's code, if it differs.
    pub const fn official_name(self) -> Option<&'static str> {
        self.about().official_name
    }

    /// The placeholder for its path, and what help says of its files: of the stimuli and of the reconstructions, or of the
    /// pairs. Empty for a kind that is not [`GIVEN`](Self::GIVEN).
    pub const fn options(self) -> (&'static str, &'static [&'static str]) {
        (self.about().option, self.about().help)
    }

    /// The topic of help that its files are about.
    pub const fn topic(self) -> &'static str {
        self.about().topic
    }

    /// The kinds that an observer makes it from; its items follow those of the first. Empty for images.
    pub const fn made_of(self) -> &'static [ObservationKind] {
        self.about().made_of
    }

    /// The sides that have it. Observations of pairs belong to reconstructions (with the stimuli's captions).
    pub const fn sides(self) -> &'static [Side] {
        self.about().sides
    }

    /// Does it describe a reconstruction together with its stimulus, and so belong to one side?
    pub const fn is_of_pairs(self) -> bool {
        self.sides().len() == 1
    }

    /// Was it added after records of older versions? They continue without it if it is not given.
    pub(crate) const fn is_later(self) -> bool {
        self.about().is_later
    }

    /// All names of its files and folders.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let own = self.file_names().iter().copied();
        own.chain(self.official_name())
    }

    /// Does a file or folder have one of this kind's names?
    pub fn is_name_of(self, path: &Path) -> bool {
        self.names().any(|name| path.file_name().is_some_and(|own| own == name))
    }

    /// Does each of its files have a separate recipe, under the file's name?
    pub fn has_a_recipe_for_each_file(self) -> bool {
        self == ObservationKind::Features
    }

    /// The inputs from which an observer makes the observations of one source: observations of the same source, except
    /// that observations of pairs ask about reconstructions with the captions of their stimuli.
    ///
    /// ```
    /// use neurogauge_core::{ObservationKind, Role, Side};
    /// let read = ObservationKind::VqaScores.reads(Side::Recon).map(|role| role.to_string());
    /// assert_eq!(read.collect::<Vec<_>>(), ["recon/images", "gt/captions"]);
    /// ```
    pub fn reads(self, of: impl Into<ImageSet>) -> impl Iterator<Item = Role> {
        let of = of.into();
        self.made_of().iter().map(move |&parent| {
            let is_asked_with = self.is_of_pairs() && parent == ObservationKind::Captions;
            let of = match of {
                ImageSet::Reconstructions if is_asked_with => ImageSet::Stimuli,
                of => of,
            };
            Role::new(of, parent)
        })
    }

    /// In words, the files that a folder of observations may have for each side, then those for the pairs.
    pub fn files_in_folder() -> String {
        let name = |kind: &ObservationKind| {
            let name = kind.file_names().first().copied().unwrap_or_default();
            let slash = if name.contains('.') { "" } else { "/" };
            match kind.sides() {
                [side] => format!("{}/{name}{slash}", side.folder()),
                _ => format!("{name}{slash}"),
            }
        };
        let named = Self::GIVEN.into_iter().filter(|kind| !kind.file_names().is_empty());
        let (of_pairs, of_sides): (Vec<_>, Vec<_>) = named.partition(|kind| kind.is_of_pairs());
        let [of_sides, of_pairs] =
            [of_sides, of_pairs].map(|kinds| kinds.iter().map(name).collect::<Vec<_>>().join(", "));
        format!("{of_sides}; {of_pairs}")
    }
}

/// Facts about a kind.
struct About {
    id: &'static str,
    noun: &'static str,
    lacked: &'static str,
    files: &'static [&'static str],
    form: &'static str,
    official_name: Option<&'static str>,
    option: &'static str,
    topic: &'static str,
    help: &'static [&'static str],
    made_of: &'static [ObservationKind],
    sides: &'static [Side],
    is_later: bool,
}

impl About {
    /// A kind that models make from the images of both sides.
    const fn of(id: &'static str, noun: &'static str) -> Self {
        About {
            id,
            noun,
            lacked: noun,
            files: &[],
            form: "",
            official_name: None,
            option: "",
            topic: "",
            help: &[],
            made_of: &[ObservationKind::Images],
            sides: &Side::BOTH,
            is_later: false,
        }
    }
}

impl fmt::Display for ObservationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl FromStr for ObservationKind {
    type Err = String;

    fn from_str(id: &str) -> Result<Self, String> {
        let found = ObservationKind::ALL.into_iter().find(|kind| kind.id() == id);
        found.ok_or_else(|| unknown(id))
    }
}

/// A value for each kind.
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
    /// The values that `of` returns for each kind.
    pub fn from_fn(of: impl FnMut(ObservationKind) -> T) -> Self {
        ByKind(ObservationKind::ALL.map(of))
    }

    /// Each kind with its value, in the order of [`ObservationKind::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (ObservationKind, &T)> {
        ObservationKind::ALL.into_iter().zip(&self.0)
    }

    /// Each kind with its value, mutable.
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
    /// The set of a command that has only one source.
    Alone,
}

impl ImageSet {
    /// The name of its folder; empty if there is only one source.
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

/// The observations of one kind and source, as records name them: `gt/images`, `pool/features`, or just `images` if
/// there is only one source.
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
    /// The set of images that they describe.
    pub of: ImageSet,
    pub kind: ObservationKind,
}

impl Role {
    /// The images of a command that has only one source.
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
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let image_sets = [ImageSet::Stimuli, ImageSet::Reconstructions, ImageSet::Pool, ImageSet::Alone];
        let mut roles = image_sets.into_iter().flat_map(|of| ObservationKind::ALL.map(|kind| Role { of, kind }));
        roles.find(|role| role.to_string() == text).ok_or_else(|| unknown(text))
    }
}

fn unknown(text: &str) -> String {
    format!("{text:?} is no kind of observation; expected one such as images, gt/captions or pool/images")
}
