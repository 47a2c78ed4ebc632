//! The errors, and whose fault each is.

use crate::model_weights::{fetching, with_sizes};
use neurogauge_alignment::AlignmentError;
use neurogauge_core::Fault;
use neurogauge_core::image::ResizeError;
use neurogauge_core::option_words::{NamedOption, option};
use neurogauge_core::pair::{AmbiguousItems, JoinOffer, PairingError};
use neurogauge_formats::FormatError;
use neurogauge_metrics::MetricError;
use neurogauge_models::{KernelError, ModelEntry, ModelError};
use neurogauge_report::ReportError;
use neurogauge_stats::StatsError;
use std::path::{Path, PathBuf};

const OUT: NamedOption<'static> = option("out", "");

/// Anything that stops a command.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The request contradicts itself or asks for something that does not exist.
    #[error("{0}")]
    Usage(String),
    #[error(transparent)]
    Format(#[from] FormatError),
    /// Responses and sources that do not fit together, or wrong options of their alignment.
    #[error(transparent)]
    Alignment(#[from] AlignmentError),
    #[error(transparent)]
    Language(#[from] neurogauge_language::LanguageError),
    /// Stems without a partner, or duplicate stems.
    #[error(
        "pairing {what}: {source}{}{remedy} (gt: {}, recon: {})",
        if remedy.is_empty() { "" } else { "; " }, gt.display(), recon.display()
    )]
    Pairing {
        what: &'static str,
        gt: PathBuf,
        recon: PathBuf,
        source: Box<PairingError>,
        remedy: String,
    },
    /// Two kinds of input are about different stimuli.
    #[error(
        "the {first} are about {n_first} stems and the {second} about {n_second}, and they are not \
         the same (only in one of them: {examples}); all inputs of a run must share their stems"
    )]
    StemsDiffer {
        first: &'static str,
        second: &'static str,
        n_first: usize,
        n_second: usize,
        /// The first few stems that only one of them has.
        examples: String,
    },
    /// A pair that cannot be compared.
    #[error("pair {pair:?}, {metric}: {source}")]
    Metric {
        pair: String,
        metric: &'static str,
        source: MetricError,
    },
    /// The two images of a pair have different proportions.
    #[error(
        "pair {pair:?}: the stimulus is {} x {} px and the reconstruction {} x {} px ({} x {} px and {} x {} px after \
         resizing); both must have the same shape for {metrics}: crop or pad one side, or score other metrics with {}, \
         or squash both with {}. `neurogauge check` lists all such pairs",
        gt.0, gt.1, recon.0, recon.1, gt_resized.0, gt_resized.1, recon_resized.0, recon_resized.1,
        option("metrics", ""), option("proportions", "squashed")
    )]
    Shapes {
        pair: String,
        /// Ids of the metrics that compare them, comma separated.
        metrics: String,
        /// Width and height of the stimulus as it is stored, px.
        gt: (usize, usize),
        recon: (usize, usize),
        /// Width and height of the stimulus once it is resized, px.
        gt_resized: (usize, usize),
        recon_resized: (usize, usize),
    },
    /// An image that cannot be resized.
    #[error("pair {pair:?}: {source}")]
    Resize { pair: String, source: ResizeError },
    /// A stem with the wrong number of captions.
    #[error("{}: stem {stem:?} has {found} captions; {expected}", path.display())]
    CaptionCount {
        path: PathBuf,
        stem: String,
        found: usize,
        expected: &'static str,
    },
    /// A stem that a feature or value file lacks.
    #[error("{}: no row for {stem:?}, which the other side has", path.display())]
    MissingRow { path: PathBuf, stem: String },
    /// The feature matrices of the two sides differ in width.
    #[error(
        "{}: {gt} features per row for the stimuli and {recon} for the reconstructions; both \
         must come from the same model and layer", path.display()
    )]
    FeatureWidth { path: PathBuf, gt: usize, recon: usize },
    /// The features of a pool have a different length from the pairs' features.
    #[error(
        "{}: {found} features per row, and the stimuli and reconstructions have {expected}; all \
         must come from the same model and layer", path.display()
    )]
    PoolWidth {
        path: PathBuf,
        found: usize,
        expected: usize,
    },
    /// The features of a pool were made with a different recipe from the pairs' features.
    #[error(
        "{}: made in another way than the features of the pairs ({difference}); make it again with \
         `neurogauge perceive` as they are made, or give the images themselves as {pool}",
        path.display(), pool = option("pool", "")
    )]
    PoolRecipe { path: PathBuf, difference: String },
    /// A pool with too few images.
    #[error(
        "{}: a pool of {found} image; expected at least 2 distractors, and better hundreds",
        path.display()
    )]
    PoolSize { path: PathBuf, found: usize },
    /// A figure over all pairs that cannot be computed.
    #[error("{figure}: {source}")]
    AllPairs { figure: &'static str, source: MetricError },
    /// Two files of embeddings that do not go together.
    #[error(
        "{} holds {} embeddings of {} values and {} holds {} of {}; both must have as many values, \
         and as many rows unless an ids.json beside each says which row is which",
        brain.display(), brain_shape.0, brain_shape.1, image.display(), image_shape.0, image_shape.1
    )]
    EmbeddingShapes {
        brain: PathBuf,
        brain_shape: (usize, usize),
        image: PathBuf,
        image_shape: (usize, usize),
    },
    /// A feature matrix of unknown origin, where this program would write its own.
    #[error(
        "{}: not written by neurogauge (it has no .keys.json beside it), so it is not replaced; \
         choose another {out} or move the file", path.display(), out = OUT
    )]
    ForeignFeatures { path: PathBuf },
    /// Captions or detections of unknown origin, where this program would write its own.
    #[error(
        "{}: not written by neurogauge (it has no {mark} beside it), so it is not replaced; choose \
         another {out} or move it", path.display(), out = OUT
    )]
    ForeignObservations { path: PathBuf, mark: String },
    /// Items that could not be observed, although everything else was done.
    #[error(
        "{} no {what}: {images}; the reasons are above. All others are done; repair these and call again{}",
        if *n_images == 1 { "1 image has".to_owned() } else { format!("{n_images} images have") },
        if *in_run { format!(", with {} if a file has changed", option("overwrite", "")) } else { String::new() }
    )]
    FailedItems {
        what: &'static str,
        n_images: usize,
        /// Role and stem of each.
        images: String,
        in_run: bool,
    },
    /// Images that `score` would refuse.
    #[error("`neurogauge score` would end with an error: {n_problems} of the findings above {}", if *n_problems == 1 { "is a problem" } else { "are problems" })]
    CheckFailed { n_problems: usize },
    /// Entries of a board whose scores are not those of their inputs.
    #[error("{n} of the entries above do not have the scores that their inputs give")]
    EntriesDiffer { n: usize },
    /// Published values that models on this machine do not reproduce.
    #[error(
        "{n_faults} of the lines above say that a model on this machine does not give what was published of it, \
         or cannot be run"
    )]
    SelfTestFailed { n_faults: usize },
    /// Faults that keep this installation from working.
    #[error("{n_broken} of the lines above must be mended before anything works")]
    Broken { n_broken: usize },
    /// The weights of a parser are not found.
    #[error(
        "{source}\nWeights of your own: {checkpoint}, with config.json and tokenizer.json \
         beside FILE. Without weights, scene graphs may come from files: gt/scene_graphs.json and \
         recon/scene_graphs.json in {observations}, or {gt} and {recon} of `neurogauge score`",
        checkpoint = option("checkpoint", "factual_t5=FILE"), observations = option("observations", ""),
        gt = option("gt-scene-graphs", ""), recon = option("recon-scene-graphs", "")
    )]
    ParserWeights { source: ModelError },
    /// An image that a model cannot read.
    #[error("image {stem:?} ({}): {source}", path.display())]
    Image {
        stem: String,
        path: PathBuf,
        source: ModelError,
    },
    /// Images whose feature vectors have different lengths.
    #[error(
        "image {stem:?} ({}) gives {found} values of {features}, those before it {expected}: the \
         prepared images differ in shape; {preset} and published make them square",
        path.display(), preset = option("preset", "nsd8-mindeye2")
    )]
    FeatureLength {
        stem: String,
        path: PathBuf,
        features: String,
        found: usize,
        expected: usize,
    },
    /// A model that returned NaN or an infinity.
    #[error(
        "image {stem:?} ({}) gives {value} among the values of {features}; are its pixels within \
         [0, 1] and the weights sound?", path.display()
    )]
    NonFiniteFeature {
        stem: String,
        path: PathBuf,
        features: String,
        value: f32,
    },
    /// Weights, tokenizers, forward passes.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The output folder holds files of something else.
    #[error(
        "{}: not empty and not a run folder (no run.json); choose another {out}, nothing was \
         written", path.display(), out = OUT
    )]
    NotARun { path: PathBuf },
    /// The output folder holds a different finished run, which this one would replace.
    #[error(
        "{}: holds {} run of other inputs or options, which is not replaced; choose another {out}, or say \
         {overwrite}. What differs:\n  {differences}", path.display(),
        if *is_finished { "a finished" } else { "an unfinished" }, out = OUT, overwrite = option("overwrite", "")
    )]
    OtherRun {
        path: PathBuf,
        is_finished: bool,
        differences: String,
    },
    /// An input of a run that is in the folder of the run, whose files the run replaces.
    #[error(
        "{input}: {} is in {}, whose files this run would replace, so nothing was done; copy it to another folder, or give \
         one of the two runs a folder of its own with {out}", path.display(), folder.display(), out = OUT
    )]
    InputInRun {
        input: String,
        path: PathBuf,
        folder: PathBuf,
    },
    /// A run that did not finish.
    #[error("{}: the run is not finished; repeat its score command to resume it", path.display())]
    Unfinished { path: PathBuf },
    /// An input changed since the run that is to be repeated.
    #[error(
        "{role} {stem:?} ({path}) has changed since the run was recorded: SHA-256 {found} instead \
         of {expected}; restore the file, or score again without {from_run}", from_run = option("from-run", "")
    )]
    InputChanged {
        role: String,
        stem: String,
        path: String,
        found: String,
        expected: String,
    },
    /// The inputs, models or settings are not those of a plan.
    #[error(
        "{}: the inputs, models or settings are not those that were planned (fingerprint {found} instead of {planned}); \
         restore them, or plan again with `neurogauge plan`", path.display()
    )]
    PlanChanged {
        path: PathBuf,
        found: String,
        planned: String,
    },
    /// A finished shard of a plan in which some items failed.
    #[error(
        "{}: done, except what failed ({n_items}): {items}; repair it and work on the shard again", path.display()
    )]
    FailedInShard {
        path: PathBuf,
        n_items: usize,
        /// Role, stem and reason of each.
        items: String,
    },
    /// Shards of a plan that must be done first.
    #[error("{}: {missing}", path.display())]
    MissingShards { path: PathBuf, missing: String },
    /// A repetition would use other models than the run that is to be repeated.
    #[error(
        "not the models of the run that is to be repeated: {differences}. Give those that it had, or say \
         {accept} to go on: numbers may differ", accept = option("accept-changes", "")
    )]
    ModelsChanged { differences: String },
    /// A survey in which nothing can be compared.
    #[error("{}: {source}", path.display())]
    Survey { path: PathBuf, source: StatsError },
    /// Ratings and scores of different items.
    #[error(
        "{}: no item of it was rated: it has {found}, {} has {rated}; {}",
        path.display(), human.display(),
        match remedy.as_str() {
            "" => "ids must be the same in both",
            remedy => remedy,
        }
    )]
    NothingJoins {
        path: PathBuf,
        human: PathBuf,
        /// The first few items of the former.
        found: String,
        /// The first few items of the latter.
        rated: String,
        offer: Option<(JoinOffer, usize)>,
        /// The option for that join, in words; empty if there is none.
        remedy: String,
    },
    /// A survey without a single valid rater.
    #[error("{files}: no pair has a valid rater: {found}")]
    NoRatings { files: String, found: String },
    /// Items that a join cannot distinguish.
    #[error("{}: {source}", path.display())]
    AmbiguousItems { path: PathBuf, source: AmbiguousItems },
    /// One of several systems cannot be scored.
    #[error("system {system:?}: {source}")]
    OfSystem { system: String, source: Box<Error> },
    /// A bug of ours: our statistics got invalid arguments.
    #[error("internal: {0}")]
    Stats(StatsError),
    /// A format of tables or figures that does not exist, a width that is too small; or a bug of ours: our tables got
    /// invalid arguments.
    #[error("{}", of_report(.0))]
    Report(#[from] ReportError),
}

fn of_report(error: &ReportError) -> String {
    match error.fault() {
        Fault::Ours => format!("internal: {error}"),
        _ => error.to_string(),
    }
}

impl From<KernelError> for Error {
    fn from(error: KernelError) -> Self {
        Error::Model(error.into())
    }
}

impl From<StatsError> for Error {
    fn from(error: StatsError) -> Self {
        match error {
            // The options of the bootstrap come from the user as they are.
            StatsError::Usage(words) => Error::Usage(words),
            _ => Error::Stats(error),
        }
    }
}

impl Error {
    /// [`Error::PlanChanged`] where the two fingerprints differ.
    pub(crate) fn check_plan(folder: &Path, planned: &str, found: &str) -> Result<(), Error> {
        if planned == found {
            return Ok(());
        }
        Err(Error::PlanChanged {
            path: folder.to_owned(),
            found: found.to_owned(),
            planned: planned.to_owned(),
        })
    }

    /// Is the cause that weights are not on this machine?
    pub(crate) fn is_of_missing_weights(&self) -> bool {
        matches!(
            self,
            Error::Model(ModelError::WeightsNotFound { .. })
                | Error::ParserWeights {
                    source: ModelError::WeightsNotFound { .. }
                }
        )
    }

    /// Adds all other models with missing weights to the error about one model.
    pub(crate) fn with_all_missing(mut self, all: &[&ModelEntry]) -> Self {
        if let Error::Model(ModelError::WeightsNotFound { instructions, .. })
        | Error::ParserWeights {
            source: ModelError::WeightsNotFound { instructions, .. },
        } = &mut self
            && all.len() > 1
        {
            let listing = with_sizes(all);
            *instructions = format!(
                "{}\nAll that are missing: {listing}; on a machine with a network: {}",
                instructions.trim_end(),
                fetching(all)
            );
        }
        self
    }

    /// The same error of missing weights, with a further way in its instructions.
    #[must_use]
    pub(crate) fn with_another_way(mut self, way: &str) -> Self {
        if let Error::Model(ModelError::WeightsNotFound { instructions, .. }) = &mut self {
            *instructions = format!("{}\n{way}", instructions.trim_end());
        }
        self
    }

    /// Whose fault it is.
    #[deny(clippy::wildcard_enum_match_arm)]
    pub fn fault(&self) -> Fault {
        match self {
            Error::Usage(_) => Fault::Usage,
            Error::OfSystem { source, .. } => source.fault(),
            Error::Format(error) => error.fault(),
            Error::Alignment(error) => error.fault(),
            Error::Language(error) => error.fault(),
            Error::Model(error) => error.fault(),
            Error::ParserWeights { source } | Error::Image { source, .. } => source.fault(),
            Error::Metric { source, .. } | Error::AllPairs { source, .. } => source.fault(),
            Error::Survey { source, .. } => source.fault(),
            // Callers have already checked the user's part.
            Error::Stats(_) => Fault::Ours,
            Error::Report(error) => error.fault(),
            Error::Pairing { .. }
            | Error::StemsDiffer { .. }
            | Error::Shapes { .. }
            | Error::CheckFailed { .. }
            | Error::EntriesDiffer { .. }
            | Error::SelfTestFailed { .. }
            | Error::Broken { .. }
            | Error::Resize { .. }
            | Error::CaptionCount { .. }
            | Error::MissingRow { .. }
            | Error::FeatureWidth { .. }
            | Error::PoolWidth { .. }
            | Error::PoolRecipe { .. }
            | Error::PoolSize { .. }
            | Error::EmbeddingShapes { .. }
            | Error::ForeignFeatures { .. }
            | Error::ForeignObservations { .. }
            | Error::FailedItems { .. }
            | Error::FeatureLength { .. }
            | Error::NonFiniteFeature { .. }
            | Error::NotARun { .. }
            | Error::OtherRun { .. }
            | Error::InputInRun { .. }
            | Error::Unfinished { .. }
            | Error::InputChanged { .. }
            | Error::ModelsChanged { .. }
            | Error::PlanChanged { .. }
            | Error::FailedInShard { .. }
            | Error::MissingShards { .. }
            | Error::NothingJoins { .. }
            | Error::AmbiguousItems { .. }
            | Error::NoRatings { .. } => Fault::Data,
        }
    }
}
