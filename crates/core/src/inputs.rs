//! The paths of a run's inputs.

use crate::option_words::option;
use crate::{ObservationKind, Side};
use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// A value for each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Sides<T> {
    /// The stimuli's value.
    pub gt: T,
    pub recon: T,
}

impl<T> Sides<T> {
    pub fn new(gt: T, recon: T) -> Self {
        Sides { gt, recon }
    }

    /// Calls `make` for each side, stimuli first.
    ///
    /// # Errors
    /// The first error of `make`.
    pub fn of<E>(mut make: impl FnMut(Side) -> Result<T, E>) -> Result<Self, E> {
        Ok(Sides::new(make(Side::Gt)?, make(Side::Recon)?))
    }

    /// The value of a side.
    pub fn side(&self, side: Side) -> &T {
        match side {
            Side::Gt => &self.gt,
            Side::Recon => &self.recon,
        }
    }
}

/// An input that a user may name. Its text form is the key in `run.json` and in configurations (`gt_captions`); options
/// of the command line have hyphens instead.
///
/// ```
/// use neurogauge_core::Input;
/// assert_eq!(Input::named("recon_vlm_categories").unwrap().to_string(), "recon_vlm_categories");
/// assert_eq!(Input::GT.to_string(), "gt");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Input {
    Of(Side, ObservationKind),
    /// A folder with `gt/` and `recon/` inside, or SEED's `evaluations/<model>/`.
    Observations,
    /// The images that identification draws its distractors from, or a folder of their feature matrices.
    Pool,
    /// WordNet's folder; the default is where it is usually installed.
    WordNet,
    /// Folder of Punkt's parameters; without it, our own rules split sentences.
    Punkt,
    /// Folder of a perceptron tagger's weights, for the filter of nouns.
    Tagger,
    /// A table with the sample that counts for each item.
    ChosenSamples,
}

impl Input {
    /// Stimuli: a folder of images, a `.npy` stack or a `.pt` file.
    pub const GT: Input = Input::Of(Side::Gt, ObservationKind::Images);
    /// Reconstructions, likewise.
    pub const RECON: Input = Input::Of(Side::Recon, ObservationKind::Images);

    /// Every input, in the order of `run.json`.
    pub fn all() -> impl Iterator<Item = Input> {
        let (later, first): (Vec<_>, Vec<_>) = ObservationKind::GIVEN.into_iter().partition(|kind| kind.is_later());
        let of = |kind: ObservationKind| kind.sides().iter().map(move |&side| Input::Of(side, kind));
        let beside = |kind: ObservationKind| -> &[Input] {
            match kind {
                ObservationKind::Images => &[Input::Observations],
                ObservationKind::Features => &[Input::Pool],
                ObservationKind::SceneGraphs => &[Input::WordNet, Input::Punkt, Input::Tagger, Input::ChosenSamples],
                _ => &[],
            }
        };
        let first = first.into_iter().flat_map(move |kind| of(kind).chain(beside(kind).iter().copied()));
        first.chain(later.into_iter().flat_map(of))
    }

    pub fn named(name: &str) -> Option<Input> {
        Input::all().find(|input| input.to_string() == name)
    }

    /// Its option as messages write it.
    pub fn flag(self) -> String {
        let name = self.to_string().replace('_', "-");
        option(&name, "").to_string()
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Of(side, ObservationKind::Images) => f.write_str(side.folder()),
            Input::Of(_, kind) if kind.sides().len() == 1 => f.write_str(kind.id()),
            Input::Of(side, kind) => write!(f, "{}_{kind}", side.folder()),
            Input::Observations => f.write_str("observations"),
            Input::Pool => f.write_str("pool"),
            Input::WordNet => f.write_str("wordnet"),
            Input::Punkt => f.write_str("punkt"),
            Input::Tagger => f.write_str("tagger"),
            Input::ChosenSamples => f.write_str("chosen_samples"),
        }
    }
}

/// Where the inputs are. Files given for one kind take precedence over [`Input::Observations`].
///
/// ```
/// use neurogauge_core::{Input, InputPaths};
/// let paths: InputPaths = serde_json::from_str(r#"{"gt": "stimuli", "pool": null}"#)?;
/// assert_eq!(paths, InputPaths::from([(Input::GT, "stimuli".into())]));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InputPaths(BTreeMap<Input, PathBuf>);

impl InputPaths {
    /// Where an input is, if it is given.
    pub fn get(&self, input: Input) -> Option<&Path> {
        self.0.get(&input).map(PathBuf::as_path)
    }

    /// Sets the path of an input, or removes it.
    pub fn set(&mut self, input: Input, path: Option<PathBuf>) {
        match path {
            Some(path) => self.0.insert(input, path),
            None => self.0.remove(&input),
        };
    }

    /// The inputs that are given.
    pub fn iter(&self) -> impl Iterator<Item = (Input, &Path)> {
        self.0.iter().map(|(input, path)| (*input, path.as_path()))
    }

    /// Every given path, mutable.
    pub fn paths_mut(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        self.0.values_mut()
    }

    /// The paths given for a kind, on either side.
    pub fn given(&self, kind: ObservationKind) -> impl Iterator<Item = &Path> {
        Side::BOTH.map(|side| Input::Of(side, kind)).into_iter().filter_map(|input| self.get(input))
    }

    /// These paths, with those replaced that `moved` has.
    #[must_use]
    pub fn overridden(&self, moved: &InputPaths) -> InputPaths {
        let mut paths = self.clone();
        paths.0.extend(moved.0.clone());
        paths
    }
}

impl<const N: usize> From<[(Input, PathBuf); N]> for InputPaths {
    fn from(paths: [(Input, PathBuf); N]) -> Self {
        paths.into_iter().collect()
    }
}

impl FromIterator<(Input, PathBuf)> for InputPaths {
    fn from_iter<I: IntoIterator<Item = (Input, PathBuf)>>(paths: I) -> Self {
        InputPaths(paths.into_iter().collect())
    }
}

impl Serialize for InputPaths {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        // Older records do not have these inputs and continue without them.
        let is_later = |input: &Input| match input {
            Input::Of(_, kind) => kind.is_later(),
            input => *input == Input::ChosenSamples,
        };
        let all = Input::all().filter(|input| !is_later(input) || self.get(*input).is_some());
        for input in all {
            map.serialize_entry(&input.to_string(), &self.get(input))?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for InputPaths {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Paths;

        impl<'de> Visitor<'de> for Paths {
            type Value = InputPaths;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("paths by the names of inputs")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<InputPaths, M::Error> {
                let mut paths = InputPaths::default();
                while let Some(name) = map.next_key::<String>()? {
                    let Some(input) = Input::named(&name) else {
                        let known: Vec<String> = Input::all().map(|input| format!("`{input}`")).collect();
                        return Err(M::Error::custom(format!(
                            "unknown field `{name}`, expected one of {}",
                            known.join(", ")
                        )));
                    };
                    if paths.get(input).is_some() {
                        return Err(M::Error::custom(format!("the key `{name}` occurs twice")));
                    }
                    paths.set(input, map.next_value()?);
                }
                Ok(paths)
            }
        }

        deserializer.deserialize_map(Paths)
    }
}
