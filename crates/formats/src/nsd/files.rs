//! The paths of the dataset's files.

use crate::member::split_member;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The Natural Scenes Dataset on disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NsdFiles {
    /// The folder that contains `nsddata` and `nsddata_betas`.
    pub folder: PathBuf,
    #[serde(default)]
    pub experiment: NsdExperiment,
    /// The space of betas and regions: fsaverage, or each subject's own volume (which needs a build with HDF5).
    #[serde(default)]
    pub space: NsdSpace,
    #[serde(default = "betas")]
    pub betas: String,
    /// Subjects, from 1.
    #[serde(default = "subjects")]
    pub subjects: Vec<usize>,
    #[serde(default = "hemispheres")]
    pub hemispheres: Vec<String>,
    /// Number of sessions of each of the eight subjects.
    #[serde(default = "sessions")]
    pub sessions: Vec<usize>,
    /// Keep the shared images that all eight subjects saw at least this often: 515 of them for 3.
    #[serde(default = "repeats")]
    pub repeats: usize,
    /// Path of the labels of regions, in which `{hemisphere}` and `{subject}` are filled in, relative to `folder`.
    /// `.mgz`, `.mgh`, `.nii.gz`, `.nii`, or an array. Default: fsaverage's Kastner2015, or a volume's prf-visualrois.
    pub roi_labels: Option<String>,
    /// The label codes of the regions.
    #[serde(default = "rois")]
    pub rois: BTreeMap<String, i32>,
}

/// An experiment of the Natural Scenes Dataset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NsdExperiment {
    /// The shared images of the main experiment.
    #[default]
    CoreShared,
    /// The 284 images of NSD-synthetic.
    Synthetic,
}

/// The space of responses of the Natural Scenes Dataset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NsdSpace {
    /// The vertices of fsaverage, in `.mgh` files.
    #[default]
    Fsaverage,
    /// The subject's own voxels of 1.8 mm, in HDF5 files.
    Func1pt8mm,
    /// The subject's own voxels of 1 mm, in HDF5 files.
    Func1mm,
}

impl NsdSpace {
    /// Its name in folders.
    pub(super) fn folder(self) -> &'static str {
        match self {
            NsdSpace::Fsaverage => "fsaverage",
            NsdSpace::Func1pt8mm => "func1pt8mm",
            NsdSpace::Func1mm => "func1mm",
        }
    }

    /// The word for its places.
    pub(super) fn place(self) -> &'static str {
        match self {
            NsdSpace::Fsaverage => "vertex",
            NsdSpace::Func1pt8mm | NsdSpace::Func1mm => "voxel",
        }
    }
}

impl NsdFiles {
    /// The path of the labels, relative to the dataset's folder, with `{hemisphere}` and `{subject}` not filled in.
    pub fn label_pattern(&self) -> String {
        self.roi_labels.clone().unwrap_or_else(|| match self.space {
            NsdSpace::Fsaverage => "nsddata/freesurfer/fsaverage/label/{hemisphere}.Kastner2015.mgz".to_owned(),
            NsdSpace::Func1pt8mm | NsdSpace::Func1mm => {
                format!("nsddata/ppdata/{{subject}}/{}/roi/{{hemisphere}}.prf-visualrois.nii.gz", self.space.folder())
            }
        })
    }

    /// The file of a hemisphere's labels.
    pub fn labels(&self, subject: usize, hemisphere: &str) -> PathBuf {
        let name = self.label_pattern().replace("{hemisphere}", hemisphere);
        self.folder.join(name.replace("{subject}", &subject_name(subject)))
    }

    /// Every file that an alignment of these subjects reads: the experiment's design, labels of regions, and sessions.
    pub fn needed(&self) -> Vec<PathBuf> {
        let design = match self.experiment {
            NsdExperiment::CoreShared => "nsd/nsd_expdesign.mat",
            NsdExperiment::Synthetic => "nsdsynthetic/nsdsynthetic_expdesign.mat",
        };
        let mut files = vec![self.folder.join("nsddata/experiments").join(design)];
        for &subject in &self.subjects {
            let sessions = match self.experiment {
                NsdExperiment::CoreShared => self.sessions.get(subject.wrapping_sub(1)).copied(),
                NsdExperiment::Synthetic => Some(1),
            };
            for hemisphere in &self.hemispheres {
                files.push(split_member(&self.labels(subject, hemisphere)).0);
                let sessions = 1..=sessions.unwrap_or(0);
                files.extend(sessions.map(|session| self.session(subject, hemisphere, session)));
            }
        }
        files.sort_unstable();
        files.dedup();
        files
    }

    /// The file of a session, counted from 1.
    pub(super) fn session(&self, subject: usize, hemisphere: &str, session: usize) -> PathBuf {
        let (subject, space, betas) = (subject_name(subject), self.space.folder(), &self.betas);
        let (folder, name) = match self.experiment {
            NsdExperiment::CoreShared => (format!("betas_{betas}"), format!("betas_session{session:02}")),
            NsdExperiment::Synthetic => (format!("nsdsyntheticbetas_{betas}"), "betas_nsdsynthetic".to_owned()),
        };
        let name = match self.space {
            NsdSpace::Fsaverage => format!("{hemisphere}.{name}.mgh"),
            NsdSpace::Func1pt8mm | NsdSpace::Func1mm => format!("{name}.hdf5"),
        };
        let folder = format!("nsddata_betas/ppdata/{subject}/{space}/{folder}");
        self.folder.join(folder).join(name)
    }
}

/// The subject's name in folders.
pub fn subject_name(subject: usize) -> String {
    format!("subj{subject:02}")
}

fn betas() -> String {
    "fithrf_GLMdenoise_RR".to_owned()
}

fn subjects() -> Vec<usize> {
    (1..=8).collect()
}

fn hemispheres() -> Vec<String> {
    ["lh", "rh"].map(str::to_owned).to_vec()
}

fn sessions() -> Vec<usize> {
    vec![40, 40, 32, 30, 40, 32, 40, 30]
}

fn repeats() -> usize {
    3
}

fn rois() -> BTreeMap<String, i32> {
    ["V1v", "V1d", "V2v", "V2d", "V3v", "V3d", "hV4"].map(str::to_owned).into_iter().zip(1..).collect()
}
