//! The request, and `audit.json`.

use crate::Section;
use neurogauge::core::image::ImageReading;
use neurogauge::core::{Finding, ModelIdentity};
use neurogauge::formats::recipe;
use neurogauge::models::ImagePreset;
use neurogauge::report::marked;
use neurogauge::stats::{BootstrapOptions, Similarity};
use neurogauge::{ModelChoices, ModelLayers, Provenance};
use serde::Serialize;
use std::path::PathBuf;

/// Raised when the layout of `audit.json` changes.
pub(crate) const SCHEMA: u32 = 1;

/// Features or images of the training stimuli, of the test stimuli, and of what was decoded.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AuditRequest {
    /// Features of the stimuli that the decoder was trained on, one row for each, or their images. Without them, what
    /// is asked of training stimuli is left out.
    pub train: Option<PathBuf>,
    /// Features of the test stimuli, by the same model, or their images.
    pub test: PathBuf,
    /// Features or images of the reconstructions, or features decoded from the brain directly.
    pub decoded: Option<PathBuf>,
    /// The model and layer whose features images have.
    pub features: Option<ModelLayers>,
    /// What stored values of images mean where files leave it open.
    #[serde(skip_serializing_if = "ImageReading::is_default")]
    pub reading: ImageReading,
    /// How images are prepared for it.
    pub preset: ImagePreset,
    /// Smooth before shrinking? `None`: as the preset has it.
    pub antialias: Option<bool>,
    /// Its weights and where it runs.
    #[serde(skip_serializing_if = "ModelChoices::are_default")]
    pub models: ModelChoices,
    pub similarity: Similarity,
    pub clusters: ClustersFrom,
    /// Principal axes in which k-means looks for clusters.
    pub axes: usize,
    /// Parts into which training stimuli are put, by cluster and at random.
    pub folds: usize,
    /// Scores of models trained on random folds, and of models trained without the clusters of their test items.
    pub fold_scores: Option<[PathBuf; 2]>,
    /// Features of the captions of the training stimuli, and of the decoded captions.
    pub captions: Option<[PathBuf; 2]>,
    /// Pictures that were made of the decoded captions alone, or their features.
    pub caption_pictures: Option<PathBuf>,
    /// Scores of several samples of each stimulus.
    pub sample_scores: Option<PathBuf>,
    /// How items of these scores are called, with {stem} and {sample}.
    pub sample_pattern: String,
    /// Which sample of each stimulus was chosen.
    pub chosen: Option<PathBuf>,
    /// Intervals, and the seed of everything that is drawn.
    pub bootstrap: BootstrapOptions,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ClustersFrom {
    /// k-means with this many clusters.
    KMeans(usize),
    /// A table with a cluster for each stimulus.
    File(PathBuf),
}

impl AuditRequest {
    pub fn new(test: impl Into<PathBuf>) -> Self {
        AuditRequest {
            train: None,
            test: test.into(),
            decoded: None,
            features: None,
            reading: ImageReading::default(),
            preset: ImagePreset::Published,
            antialias: None,
            models: ModelChoices::default(),
            similarity: Similarity::Correlation,
            clusters: ClustersFrom::KMeans(40),
            axes: 50,
            folds: 5,
            fold_scores: None,
            captions: None,
            caption_pictures: None,
            sample_scores: None,
            sample_pattern: "{stem}_{sample}".to_owned(),
            chosen: None,
            bootstrap: BootstrapOptions::default(),
        }
    }
}

/// The content of `audit.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AuditRecord {
    #[serde(flatten)]
    pub provenance: Provenance,
    pub request: AuditRequest,
    /// The model that observed the images; empty if features were given.
    pub models: Vec<ModelIdentity>,
    /// Number of training stimuli; 0 if there are no features of them.
    pub n_train: usize,
    /// Number of test stimuli that took part.
    pub n_test: usize,
    /// Length of a row of features.
    pub n_features: usize,
    pub findings: Vec<Finding>,
    /// One for each question.
    pub sections: Vec<Section>,
}

impl AuditRecord {
    /// Does it rest on a placeholder model? Then every number of it does.
    pub(crate) fn is_stand_in(&self) -> bool {
        recipe::is_marked(&self.findings)
    }

    /// The name of a number, with a dagger if the number rests on a placeholder model.
    pub(crate) fn marked(&self, name: &str) -> String {
        marked(name, self.is_stand_in())
    }

    /// A note, with an explanation of that dagger.
    pub(crate) fn noted(&self, note: String) -> String {
        match self.is_stand_in() {
            true => format!("{note} † rests on a placeholder model: its numbers mean nothing."),
            false => note,
        }
    }
}
