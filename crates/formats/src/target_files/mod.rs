//! The files with single-trial responses of brain regions, and with the stimulus of each trial.
//!
//! - [`TargetArrays`]: an entry of a configuration, for one region or for several whose files follow one naming
//!   pattern.
//! - [`TargetFiles`]: one region in one hemisphere of one subject, with its files.

mod non_finite;
pub mod one_or_more;
mod patterns;
mod responses;
mod shown;
mod trial_axes;

pub use non_finite::NonFinite;
pub use one_or_more::OneOrMore;
pub use responses::TargetResponses;
pub use shown::stimuli;
pub use trial_axes::TrialAxes;

use crate::{FormatError, Problem, trial_column};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

/// The single-trial responses of a region in a hemisphere of a subject, or of several, one for each combination of the
/// names. Arrays are `.npy` files, `file.npz:name`, `file.pt:key`, `file.mat:name` or, in builds with HDF5,
/// `file.h5:/dataset`. Lists may also be columns of tables (`file.csv:column`, `file.tsv:column`) or the lines of a
/// `.txt`. In paths, the names replace `{subject}`, `{hemisphere}` and `{roi}`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetArrays {
    /// Name of the subject; may be a list.
    pub subject: OneOrMore<String>,
    /// Name of the hemisphere; may be a list. It may be omitted if regions span both hemispheres, or neither.
    #[serde(default)]
    pub hemisphere: OneOrMore<String>,
    /// Name of the region of interest; may be a list.
    pub roi: OneOrMore<String>,
    /// (n_trials, n_voxels), (n_images, n_repeats, n_voxels) as [`Self::layout`] says, or a brain image with a frame for
    /// each trial: NIfTI, CIFTI-2, GIfTI or MGH. Several files, each a session, are concatenated: a list, or `ses-{01..15}`
    /// for fifteen.
    pub trials: OneOrMore<PathBuf>,
    /// Are arrays of `trials` (n_voxels, n_trials)?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub voxels_first: bool,
    /// The names of the three axes of arrays with an axis for repeats, in their order: `images, repeats, voxels` or
    /// another. By default the axis with as many entries as there are stimuli is that of the images.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layout: Option<TrialAxes>,
    /// The stimulus in each trial, by its number or its name; the extension of an image file is not part of a name. Of an
    /// array with an axis of images, the names of the images; by default they are called 0, 1, ...
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stimuli: Option<PathBuf>,
    /// A prefix of stimulus names that does not distinguish stimuli, such as `rep_`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stimulus_prefix: String,
    /// The session of each trial; responses are z-scored within sessions. By default, each file of `trials` is a
    /// session.
    pub sessions: Option<PathBuf>,
    /// The run of each trial, for partitions balanced over runs; numbers may restart in each session.
    pub runs: Option<PathBuf>,
    /// A word for each trial, such as `train` or `test`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conditions: Option<PathBuf>,
    /// Conditions whose trials are kept; other trials only affect the z-scores.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keep: Vec<String>,
    /// The voxels (columns of `trials`) of the region. Default: all.
    pub voxels: Option<PathBuf>,
    /// A brain image, a list or a column of a table, with a value for each place. The region consists of the places
    /// with one of `labels` or, without labels, of those with a value other than 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mask: Option<PathBuf>,
    /// Values of the mask that form the region.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<i64>,
    /// The structure of a CIFTI-2 file, such as `CORTEX_LEFT`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structure: Option<String>,
}

/// One region in one hemisphere of one subject, and its files; everything else is as in [`TargetArrays`].
#[derive(Debug, Clone, PartialEq)]
pub struct TargetFiles {
    pub subject: String,
    pub hemisphere: String,
    /// Name of the region of interest.
    pub roi: String,
    /// One path for each session.
    pub trials: Vec<PathBuf>,
    files: FilesOfTarget,
    /// The numbers of stimuli that other files of the study have, by which the axis of images is found.
    n_stimuli: Vec<u64>,
}

/// The fields of [`TargetArrays`] of the same names, with the target's names filled in.
#[derive(Debug, Clone, PartialEq)]
struct FilesOfTarget {
    voxels_first: bool,
    layout: Option<TrialAxes>,
    stimuli: Option<PathBuf>,
    stimulus_prefix: String,
    sessions: Option<PathBuf>,
    runs: Option<PathBuf>,
    conditions: Option<PathBuf>,
    keep: Vec<String>,
    voxels: Option<PathBuf>,
    mask: Option<PathBuf>,
    labels: Vec<i64>,
    structure: Option<String>,
}

impl TargetArrays {
    /// Makes paths relative to a folder.
    pub fn relative_to(&mut self, folder: &Path) {
        let others = [&mut self.stimuli, &mut self.sessions, &mut self.runs, &mut self.conditions];
        let others = others.into_iter().chain([&mut self.voxels, &mut self.mask]).flatten();
        self.trials.iter_mut().chain(others).for_each(|path| *path = folder.join(&*path));
    }

    /// A target for each subject, hemisphere and region, with the region varying fastest.
    ///
    /// # Errors
    /// A range of files is invalid, or entries contradict each other.
    pub fn targets(&self) -> Result<Vec<TargetFiles>, FormatError> {
        let mut targets = Vec::new();
        for subject in self.subject.iter() {
            for hemisphere in self.hemisphere.iter() {
                for roi in self.roi.iter() {
                    targets.push(self.target([subject, hemisphere, roi])?);
                }
            }
        }
        Ok(targets)
    }

    /// Bytes of memory that [`Self::targets`] would take: a few lists of names can multiply to millions of targets.
    pub fn targets_bytes(&self) -> u64 {
        let length = |path: &PathBuf| path.as_os_str().len() as u64;
        let some = [&self.stimuli, &self.sessions, &self.runs, &self.conditions, &self.voxels, &self.mask];
        let others = some.into_iter().flatten();
        // An invalid range is refused when the targets are made.
        let trials: Vec<PathBuf> = self.trials.iter().flat_map(|path| patterns::range(path)).flatten().collect();
        let of_trials = trials.iter().map(|path| length(path) + size_of::<PathBuf>() as u64);
        let of_words = self.keep.iter().map(|word| (word.len() + size_of::<String>()) as u64);
        let of_labels = (self.labels.len() * size_of::<i64>()) as u64;
        let each = size_of::<TargetFiles>() as u64
            + of_labels
            + others.map(length).chain(of_trials).chain(of_words).sum::<u64>();
        self.sizes().into_iter().fold(each, |bytes, n| bytes.saturating_mul(n as u64))
    }

    /// The numbers of subjects, hemispheres and regions.
    pub fn sizes(&self) -> [usize; 3] {
        [&self.subject, &self.hemisphere, &self.roi].map(|names| names.iter().len())
    }

    fn target(&self, names: [&String; 3]) -> Result<TargetFiles, FormatError> {
        let filled = |path: &PathBuf| patterns::filled(path, names);
        let some = |path: &Option<PathBuf>| path.as_ref().map(filled);
        let trials = self.trials.iter().map(|path| patterns::range(&filled(path)));
        let trials: Vec<Vec<PathBuf>> = trials.collect::<Result<_, FormatError>>()?;
        let [subject, hemisphere, roi] = names.map(String::clone);
        let target = TargetFiles {
            subject,
            hemisphere,
            roi,
            trials: trials.concat(),
            files: FilesOfTarget {
                voxels_first: self.voxels_first,
                layout: self.layout,
                stimuli: some(&self.stimuli),
                stimulus_prefix: self.stimulus_prefix.clone(),
                sessions: some(&self.sessions),
                runs: some(&self.runs),
                conditions: some(&self.conditions),
                keep: self.keep.clone(),
                voxels: some(&self.voxels),
                mask: some(&self.mask),
                labels: self.labels.clone(),
                structure: self.structure.clone(),
            },
            n_stimuli: Vec::new(),
        };
        target.check()?;
        Ok(target)
    }
}

impl TargetFiles {
    /// The file that says what was shown: the list of stimuli, or the first array.
    pub fn stimuli(&self) -> &Path {
        let first = || self.trials.first().map_or(Path::new(""), PathBuf::as_path);
        self.files.stimuli.as_deref().unwrap_or_else(first)
    }

    /// The target, given the numbers of stimuli that other files of the study have.
    #[must_use]
    pub fn among_stimuli(self, n_stimuli: Vec<u64>) -> TargetFiles {
        TargetFiles { n_stimuli, ..self }
    }

    fn check(&self) -> Result<(), FormatError> {
        let files = &self.files;
        let Some(first) = self.trials.first() else {
            return Err(self.refused(self.stimuli(), "no file of `trials`", "at least one"));
        };
        if files.voxels_first && files.layout.is_some() {
            return Err(self.refused(first, "both `voxels_first` and `layout`", "`layout` for arrays of three axes"));
        }
        let has_region = files.mask.is_some() || !files.labels.is_empty() || files.structure.is_some();
        if files.voxels.is_some() && has_region {
            let found = "both `voxels` and a mask, its labels or a structure";
            return Err(self.refused(first, found, "one of them for the region"));
        }
        if files.mask.is_none() && !files.labels.is_empty() {
            let expected = "the mask that has these labels";
            return Err(self.refused(first, "`labels` without a `mask`", expected));
        }
        match (&files.conditions, files.keep.as_slice()) {
            (None, [_, ..]) => {
                let expected = "`conditions`, a word for each trial";
                Err(self.refused(self.stimuli(), "`keep` without `conditions`", expected))
            }
            (Some(path), []) => {
                let expected = "`keep`, the conditions of the trials to keep";
                Err(self.refused(path, "`conditions` without `keep`", expected))
            }
            _ => Ok(()),
        }
    }

    /// The axes of an array with an axis of images, and its shape; `None` for other arrays.
    fn axes_of(&self, path: &Path, shape: &[u64]) -> Result<Option<(TrialAxes, [u64; 3])>, FormatError> {
        let layout = self.files.layout;
        let found = || format!("the shape {shape:?}");
        match *shape {
            [a, b, c] if !self.files.voxels_first => {
                let shape = [a, b, c];
                let by_size = || {
                    let listed = self.files.stimuli.as_deref().and_then(|path| trial_column::read(path).ok());
                    let listed = listed.map(|names| names.len() as u64);
                    TrialAxes::of_shape(shape, &self.n_stimuli.iter().copied().chain(listed).collect::<Vec<_>>())
                };
                let axes = layout.or_else(by_size);
                axes.map(|axes| Some((axes, shape))).ok_or_else(|| {
                    let expected = "(n_trials, n_voxels), or the names of three axes in the target's table, such as \
                                    layout = \"images, repeats, voxels\" or layout = \"repeats, images, voxels\"";
                    self.refused(path, &found(), expected)
                })
            }
            _ if layout.is_some() => Err(self.refused(path, &found(), "the three axes of `layout`")),
            _ => Ok(None),
        }
    }

    fn refused(&self, path: &Path, found: &str, expected: &str) -> FormatError {
        Problem::invalid(self.to_string(), format!("{found}; expected {expected}")).at(path)
    }
}

/// Subject, hemisphere (if it has a name) and region.
impl Display for TargetFiles {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (subject, hemisphere, roi) = (&self.subject, &self.hemisphere, &self.roi);
        match hemisphere.is_empty() {
            true => write!(f, "{subject} {roi}"),
            false => write!(f, "{subject} {hemisphere} {roi}"),
        }
    }
}
