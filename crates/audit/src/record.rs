//! The request, and `audit.json`.

use crate::Section;
use clap::Args;
use neurogauge::core::image::ImageReading;
use neurogauge::core::option_values::{Count, number};
use neurogauge::core::pair::PairsOf;
use neurogauge::core::words::{choice, word_of};
use neurogauge::core::{Finding, ModelIdentity};
use neurogauge::formats::recipe;
use neurogauge::models::ImagePreset;
use neurogauge::report::marked;
use neurogauge::stats::{BootstrapOptions, Similarity};
use neurogauge::{ModelChoices, ModelLayers, Provenance};
use serde::Serialize;
use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

/// Increased when the layout of `audit.json` changes.
pub(crate) const SCHEMA: u32 = 1;

const N_CLUSTERS: usize = 40;
const N_AXES: usize = 50;
const N_FOLDS: usize = 5;
const SAMPLE_PATTERN: &str = "{stem}_{sample}";

/// Features or images of the training stimuli, of the test stimuli, and of what was decoded.
#[derive(Debug, Clone, PartialEq, Serialize, Args)]
pub struct AuditRequest {
    /// The stimuli that the decoder was trained on: their features (.npy, .npz, .pt; items first), with the ids of the
    /// rows in ids.json beside the file, or with --features their images (a folder, an .npy stack or a .pt file).
    /// Without them only the questions about clusters and collapse are asked
    #[arg(long, value_name = "PATH", help_heading = "Inputs")]
    pub train: Option<PathBuf>,
    /// The test stimuli: features by the same model, or images
    #[arg(long, value_name = "PATH", help_heading = "Inputs")]
    pub test: PathBuf,
    /// Features or images of the reconstructions, or features decoded from the brain directly.
    #[arg(skip)]
    pub decoded: Option<PathBuf>,
    /// Image model whose features are made of inputs that are images; without LAYER its last one. Inputs that hold rows
    /// of features already must be of the same layer
    #[arg(long, value_name = "MODEL[:LAYER[:POOLING]]", help_heading = "Models")]
    pub features: Option<ModelLayers>,
    /// What stored values of images mean where files leave it open.
    #[serde(skip_serializing_if = "neurogauge::core::words::is_default")]
    #[arg(skip)]
    pub reading: ImageReading,
    /// Which rows of --test and --recon are compared: `all`, where one without a partner is an error, or `shared`, those
    /// that both have; the others are counted and named
    #[arg(long, value_parser = choice::<PairsOf>(), value_name = "WHICH", default_value = word_of(&PairsOf::default()), help_heading = "Inputs")]
    #[serde(skip_serializing_if = "neurogauge::core::words::is_default")]
    pub pairs: PairsOf,
    /// How images are prepared: as the model's authors publish it, or as in the NSD metrics
    #[arg(long, value_parser = choice::<ImagePreset>(), requires = "features", help_heading = "Models", default_value = word_of(&ImagePreset::Published))]
    pub preset: ImagePreset,
    /// Smooth before shrinking? `None`: as the preset has it.
    #[arg(skip)]
    pub antialias: Option<bool>,
    /// Its weights and where it runs.
    #[serde(skip_serializing_if = "neurogauge::core::words::is_default")]
    #[arg(skip)]
    pub models: ModelChoices,
    /// How features are compared.
    #[arg(skip = Similarity::Correlation)]
    pub similarity: Similarity,
    /// Clusters of stimuli: a table with the columns item and cluster for all training and test stimuli, or the number
    /// of clusters that k-means looks for
    #[arg(long, value_name = "FILE|K", default_value = N_CLUSTERS.to_string(), help_heading = "Clusters")]
    pub clusters: ClustersFrom,
    /// Principal axes of the features in which k-means looks for clusters
    #[arg(long, value_name = "N", value_parser = number::<Count<10_000>, usize>, default_value_t = N_AXES, help_heading = "Clusters")]
    pub axes: usize,
    /// Folds of training stimuli in folds.csv, by cluster and at random
    #[arg(long, value_name = "N", value_parser = number::<Count<10_000>, usize>, default_value_t = N_FOLDS, help_heading = "Clusters")]
    pub folds: usize,
    /// Scores of models trained on random folds, and of models trained without the clusters of their test items.
    #[arg(skip)]
    pub fold_scores: Option<[PathBuf; 2]>,
    /// Features of the captions of the training stimuli, and of the decoded captions.
    #[arg(skip)]
    pub captions: Option<[PathBuf; 2]>,
    /// Pictures that were made of the decoded captions alone, or their features.
    #[arg(skip)]
    pub caption_pictures: Option<PathBuf>,
    #[serde(flatten)]
    #[arg(skip)]
    pub samples: SampleRequest,
    /// Intervals, and the seed of everything that is drawn.
    #[arg(skip)]
    pub bootstrap: BootstrapOptions,
}

/// Scores of several samples of each stimulus.
#[derive(Debug, Clone, PartialEq, Serialize, Args)]
pub struct SampleRequest {
    /// Scores of several samples of each stimulus: a table or a run whose items are called as --sample-pattern says
    #[arg(long, value_name = "FILE|RUN", help_heading = "Samples")]
    pub sample_scores: Option<PathBuf>,
    /// How these items are called
    #[arg(long, value_name = "PATTERN", default_value = SAMPLE_PATTERN, help_heading = "Samples")]
    pub sample_pattern: String,
    /// Which sample was chosen: a table with the columns item (the stem) and label (the sample)
    #[arg(long, value_name = "FILE", requires = "sample_scores", help_heading = "Samples")]
    pub chosen: Option<PathBuf>,
}

impl Default for SampleRequest {
    fn default() -> Self {
        SampleRequest {
            sample_scores: None,
            sample_pattern: SAMPLE_PATTERN.to_owned(),
            chosen: None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ClustersFrom {
    /// k-means with this many clusters.
    KMeans(usize),
    /// A table with a cluster for each stimulus.
    File(PathBuf),
}

impl FromStr for ClustersFrom {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(text.parse().map_or_else(|_| ClustersFrom::File(text.into()), ClustersFrom::KMeans))
    }
}

impl AuditRequest {
    pub fn new(test: impl Into<PathBuf>) -> Self {
        AuditRequest {
            train: None,
            test: test.into(),
            decoded: None,
            features: None,
            reading: ImageReading::default(),
            pairs: PairsOf::All,
            preset: ImagePreset::Published,
            antialias: None,
            models: ModelChoices::default(),
            similarity: Similarity::Correlation,
            clusters: ClustersFrom::KMeans(N_CLUSTERS),
            axes: N_AXES,
            folds: N_FOLDS,
            fold_scores: None,
            captions: None,
            caption_pictures: None,
            samples: SampleRequest::default(),
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
    /// Number of training stimuli; 0 without features of them.
    pub n_train: usize,
    /// Number of test stimuli that took part.
    pub n_test: usize,
    /// Length of a row of features.
    pub n_features: usize,
    pub findings: Vec<Finding>,
    /// One section for each question.
    pub sections: Vec<Section>,
}

impl AuditRecord {
    /// Does the audit depend on a placeholder model? If so, all its numbers do.
    pub(crate) fn is_stand_in(&self) -> bool {
        recipe::is_marked(&self.findings)
    }

    /// The name of a number, with a dagger if the number depends on a placeholder model.
    pub(crate) fn marked(&self, name: &str) -> String {
        marked(name, self.is_stand_in())
    }

    /// A note, followed by an explanation of the dagger.
    pub(crate) fn noted(&self, note: String) -> String {
        match self.is_stand_in() {
            true => format!("{note} † rests on a placeholder model: its numbers mean nothing."),
            false => note,
        }
    }
}
