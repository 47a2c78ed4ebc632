//! `neurogauge audit`.

use crate::args::*;
use crate::output::Done;
use neurogauge::core::option_words::option;
use neurogauge::{Error, Progress};
use neurogauge_audit::{AuditRequest, SampleRequest, audit};

/// The conventions that decide how images are read and prepared, and how intervals are made.
const CONVENTIONS: &[&str] = &["values", "alpha", "antialias", "interval"];

#[derive(Debug, Args)]
#[command(mut_arg("set", only(CONVENTIONS)))]
#[command(mut_arg("out", |out| out.help("Where audit.json, audit.md, audit.csv, items.csv, folds.csv and figures go")))]
pub(crate) struct AuditArgs {
    #[command(flatten)]
    pub(crate) request: AuditRequest,
    /// The reconstructions: features by the same model, or images. They pair up with the test stimuli by name, and rows
    /// without ids.json on either side by position
    #[arg(long, value_name = "PATH", help_heading = "Inputs")]
    pub(crate) recon: Option<PathBuf>,
    /// Features decoded from the brain directly, instead of features of reconstructions
    #[arg(long, value_name = "FILE", conflicts_with = "recon", help_heading = "Inputs")]
    pub(crate) decoded: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Inputs")]
    pub(crate) set: SetArgs,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) models: ModelArgs,
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
    #[command(flatten)]
    pub(crate) samples: SampleRequest,
    /// How features are compared: by Pearson's correlation, by the cosine, or by the Euclidean distance, whose negative
    /// is the similarity
    #[arg(long, value_name = "METRIC", value_parser = choice::<Similarity>(), default_value = word_of(&Similarity::Correlation), help_heading = "Features")]
    pub(crate) metric: Similarity,
    #[command(flatten, next_help_heading = "Outputs")]
    pub(crate) place: OutArgs,
    #[command(flatten)]
    pub(crate) figures: FigureArgs,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) bootstrap: BootstrapArgs,
}

pub(crate) fn written(args: &AuditArgs, progress: &dyn Progress) -> Result<Done, Error> {
    let decided = args.set.request_with(&args.bootstrap)?;
    if args.set.is_set("antialias") && args.request.features.is_none() {
        return Err(Error::Usage(format!(
            "{} decides how images are prepared for a model, and none looks at images here; say which with {}",
            option("antialias", ""),
            option("features", "MODEL")
        )));
    }
    let both = |one: &Option<_>, other: &Option<_>| Some([one.clone()?, other.clone()?]);
    let run = audit(
        &AuditRequest {
            decoded: args.recon.clone().or(args.decoded.clone()),
            reading: decided.reading,
            antialias: decided.perception.antialias,
            models: args.models.choices(),
            fold_scores: both(&args.random_fold_scores, &args.cluster_fold_scores),
            similarity: args.metric,
            samples: args.samples.clone(),
            caption_pictures: args.caption_pictures.clone(),
            captions: both(&args.train_captions, &args.decoded_captions),
            bootstrap: decided.bootstrap,
            ..args.request.clone()
        },
        &args.models.weights.settings(args.place.out.clone()),
        progress,
    )?;
    args.place.written(&run, args.figures.options().as_ref())
}
