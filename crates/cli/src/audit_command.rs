//! `neurogauge audit`.

use crate::args::*;
use crate::output::Done;
use neurogauge::models::ImagePreset;
use neurogauge::{Error, ModelLayers, Progress};
use neurogauge_audit::{AuditRequest, ClustersFrom, audit};

#[derive(Debug, Args)]
#[command(mut_arg("out", |out| out.help("Where audit.json, audit.md, audit.csv, items.csv, folds.csv and figures go")))]
pub(crate) struct AuditArgs {
    /// The stimuli that the decoder was trained on: their features (.npy, .npz, .pt; items first), with the ids of the
    /// rows in ids.json beside the file, or with --features their images (a folder, an .npy stack or a .pt file).
    /// Without them only the questions about clusters and collapse are asked
    #[arg(long, value_name = "PATH", help_heading = "Inputs")]
    pub(crate) train: Option<PathBuf>,
    /// The test stimuli: features by the same model, or images
    #[arg(long, value_name = "PATH", help_heading = "Inputs")]
    pub(crate) test: PathBuf,
    /// The reconstructions: features by the same model, or images. They pair up with the test stimuli by name, and rows
    /// without ids.json on either side by position
    #[arg(long, value_name = "PATH", help_heading = "Inputs")]
    pub(crate) recon: Option<PathBuf>,
    /// Features decoded from the brain directly, instead of features of reconstructions
    #[arg(long, value_name = "FILE", conflicts_with = "recon", help_heading = "Inputs")]
    pub(crate) decoded: Option<PathBuf>,
    /// Image model whose features are made of inputs that are images; without LAYER its last one. Inputs that hold rows
    /// of features already must be of the same layer
    #[arg(long, value_name = "MODEL[:LAYER[:POOLING]]", help_heading = "Models")]
    pub(crate) features: Option<ModelLayers>,
    #[command(flatten, next_help_heading = "Inputs")]
    pub(crate) reading: ReadingArgs,
    /// How images are prepared: as the model's authors publish it, or as in the NSD metrics
    #[arg(long, value_parser = choice::<ImagePreset>(), requires = "features", help_heading = "Models", defaults_to = word_of(&ImagePreset::Published))]
    pub(crate) preset: Option<ImagePreset>,
    /// Smooth before shrinking [default: the preset's; published always does]
    #[arg(long, value_enum, requires = "features", help_heading = "Models")]
    pub(crate) antialias: Option<Switch>,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) models: ModelArgs,
    /// Clusters of stimuli: a table with the columns item and cluster for all training and test stimuli, or the number
    /// of clusters that k-means looks for
    #[arg(long, value_name = "FILE|K", default_value = "40", help_heading = "Clusters")]
    pub(crate) clusters: String,
    /// Principal axes of the features in which k-means looks for clusters
    #[arg(long, value_name = "N", default_value = "50", help_heading = "Clusters")]
    pub(crate) axes: Count<MAX_PX>,
    /// Folds of training stimuli in folds.csv, by cluster and at random
    #[arg(long, value_name = "N", default_value = "5", help_heading = "Clusters")]
    pub(crate) folds: Count<MAX_PX>,
    /// Scores of decoders trained on the random folds of folds.csv: a table with a line for each item (see
    /// --cluster-fold-scores)
    #[arg(long, value_name = "FILE", requires = "cluster_fold_scores", help_heading = "Clusters")]
    pub(crate) random_fold_scores: Option<PathBuf>,
    /// Scores of decoders trained on the folds by cluster; the difference from random folds is what the clusters gave
    #[arg(long, value_name = "FILE", requires = "random_fold_scores", help_heading = "Clusters")]
    pub(crate) cluster_fold_scores: Option<PathBuf>,
    /// Features of the captions of the training stimuli, for the control that shows the training picture whose caption
    /// is nearest to the decoded caption
    #[arg(long, value_name = "FILE", requires = "decoded_captions", help_heading = "Controls")]
    pub(crate) train_captions: Option<PathBuf>,
    /// Features of the decoded captions, by the same text encoder
    #[arg(long, value_name = "FILE", requires = "train_captions", help_heading = "Controls")]
    pub(crate) decoded_captions: Option<PathBuf>,
    /// Pictures that were made of the decoded captions alone, or their features: what a caption gives by itself
    #[arg(long, value_name = "PATH", requires_all = ["train", "recon"], help_heading = "Controls")]
    pub(crate) caption_pictures: Option<PathBuf>,
    /// Scores of several samples of each stimulus: a table or a run whose items are called as --sample-pattern says
    #[arg(long, value_name = "FILE|RUN", help_heading = "Samples")]
    pub(crate) sample_scores: Option<PathBuf>,
    /// How these items are called
    #[arg(long, value_name = "PATTERN", default_value = "{stem}_{sample}", help_heading = "Samples")]
    pub(crate) sample_pattern: String,
    /// Which sample was chosen: a table with the columns item (the stem) and label (the sample)
    #[arg(long, value_name = "FILE", requires = "sample_scores", help_heading = "Samples")]
    pub(crate) chosen: Option<PathBuf>,
    /// How features are compared: by Pearson's correlation, by the cosine, or by the Euclidean distance, whose negative
    /// is the similarity
    #[arg(long, value_parser = choice::<Similarity>(), default_value = "correlation", help_heading = "Features")]
    pub(crate) metric: Similarity,
    #[command(flatten, next_help_heading = "Outputs")]
    pub(crate) place: OutArgs,
    #[command(flatten)]
    pub(crate) figures: FigureArgs,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) bootstrap: BootstrapArgs,
}

impl AuditArgs {
    /// A number of clusters, or a file.
    pub(crate) fn clusters_from(&self) -> ClustersFrom {
        match self.clusters.parse() {
            Ok(k) => ClustersFrom::KMeans(k),
            Err(_) => ClustersFrom::File(self.clusters.clone().into()),
        }
    }
}

pub(crate) fn written(args: &AuditArgs, progress: &dyn Progress) -> Result<Done, Error> {
    let both = |one: &Option<_>, other: &Option<_>| Some([one.clone()?, other.clone()?]);
    let run = audit(
        &AuditRequest {
            train: args.train.clone(),
            decoded: args.recon.clone().or(args.decoded.clone()),
            features: args.features.clone(),
            reading: (&args.reading).into(),
            preset: args.preset.unwrap_or(ImagePreset::Published),
            antialias: args.antialias.map(bool::from),
            models: args.models.choices(),
            similarity: args.metric,
            clusters: args.clusters_from(),
            axes: args.axes.into(),
            folds: args.folds.into(),
            fold_scores: both(&args.random_fold_scores, &args.cluster_fold_scores),
            caption_pictures: args.caption_pictures.clone(),
            captions: both(&args.train_captions, &args.decoded_captions),
            sample_scores: args.sample_scores.clone(),
            sample_pattern: args.sample_pattern.clone(),
            chosen: args.chosen.clone(),
            bootstrap: args.bootstrap.options(),
            ..AuditRequest::new(&args.test)
        },
        &args.models.weights.settings(args.place.out.clone()),
        progress,
    )?;
    args.place.written(&run, args.figures.options().as_ref())
}
