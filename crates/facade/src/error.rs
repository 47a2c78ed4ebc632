//! The errors, and who is at fault for each.

use crate::model_weights::{fetching, with_sizes};
use neurogauge_alignment::AlignmentError;
use neurogauge_core::Fault;
use neurogauge_core::image::ResizeError;
use neurogauge_core::option_words::{NamedOption, option};
use neurogauge_core::pair::{AmbiguousItems, PairingError};
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
    /// Inputs, files or results that are invalid.
    #[error("{0}")]
    Data(String),
    #[error(transparent)]
    Format(#[from] FormatError),
    /// Responses and sources that do not fit together, or invalid options of their alignment.
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
        /// Ids of the metrics that compare the images, comma separated.
        metrics: String,
        /// Width and height of the stimulus as it is stored, px.
        gt: (usize, usize),
        recon: (usize, usize),
        /// Width and height of the stimulus after resizing, px.
        gt_resized: (usize, usize),
        recon_resized: (usize, usize),
    },
    /// An image that cannot be resized.
    #[error("pair {pair:?}: {source}")]
    Resize { pair: String, source: ResizeError },
    /// A number over all pairs that cannot be computed.
    #[error("{figure}: {source}")]
    AllPairs { figure: &'static str, source: MetricError },
    /// Items that could not be observed, although everything else was done.
    #[error(
        "{} no {what}: {images} ({}{reason}). All others are done; repair these and call again{}",
        if *n_images == 1 { "1 image has".to_owned() } else { format!("{n_images} images have") },
        if *n_images == 1 { "" } else { "the first: " },
        if *in_run { format!(", with {} if a file has changed", option("overwrite", "")) } else { String::new() }
    )]
    FailedItems {
        what: &'static str,
        n_images: usize,
        /// Role and stem of each item.
        images: String,
        /// Why the first has none.
        reason: String,
        in_run: bool,
    },
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
    /// Errors of weights, tokenizers and forward passes.
    #[error(transparent)]
    Model(#[from] ModelError),
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
    /// The inputs, models or settings differ from those of the plan.
    #[error(
        "{}: the inputs, models or settings are not those that were planned (fingerprint {found} instead of {planned}); \
         restore them, or plan again with `neurogauge cluster plan`", path.display()
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
        /// Role, stem and reason of each item.
        items: String,
    },
    /// A survey in which nothing can be compared.
    #[error("{}: {source}", path.display())]
    Survey { path: PathBuf, source: StatsError },
    /// Ratings and scores that belong to different items.
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
        /// The option that would join them, in words; empty if there is none.
        remedy: String,
    },
    /// Items that a join cannot distinguish.
    #[error("{}: {source}", path.display())]
    AmbiguousItems { path: PathBuf, source: AmbiguousItems },
    /// One of several systems cannot be scored.
    #[error("system {system:?}: {source}")]
    OfSystem { system: String, source: Box<Error> },
    /// A bug of ours: our statistics got invalid arguments.
    #[error("internal: {0}")]
    Stats(StatsError),
    /// A format of tables or figures that does not exist or a width that is too small; or a bug of ours: our tables got
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
            // The bootstrap's options come from the user unchecked.
            StatsError::Usage(words) => Error::Usage(words),
            _ => Error::Stats(error),
        }
    }
}

impl Error {
    /// The error for a file or folder that this program did not write, in a place where it would write its own.
    pub(crate) fn foreign(path: &Path, mark: &str, what: &str) -> Error {
        Error::Data(format!(
            "{}: not written by neurogauge (it has no {mark} beside it), so it is not replaced; choose another {OUT} or move \
             {what}",
            path.display()
        ))
    }

    /// Names the files whose items do not pair; `what` is the plural of the items.
    pub fn pairing(what: &'static str, gt: &Path, recon: &Path) -> impl FnOnce(PairingError) -> Error {
        let (gt, recon) = (gt.to_owned(), recon.to_owned());
        move |source| Error::Pairing {
            what,
            gt,
            recon,
            remedy: source.remedy(),
            source: source.into(),
        }
    }

    /// Fails with [`Error::PlanChanged`] if the two fingerprints differ.
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

    /// Extends the error about one model's missing weights to all other models with missing weights.
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

    /// The error of missing weights, with one more way in its instructions.
    #[must_use]
    pub(crate) fn with_another_way(mut self, way: &str) -> Self {
        if let Error::Model(ModelError::WeightsNotFound { instructions, .. }) = &mut self {
            *instructions = format!("{}\n{way}", instructions.trim_end());
        }
        self
    }

    /// The party at fault.
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
            // Callers have already checked what the user gave.
            Error::Stats(_) => Fault::Ours,
            Error::Report(error) => error.fault(),
            Error::Data(_)
            | Error::Pairing { .. }
            | Error::Shapes { .. }
            | Error::Resize { .. }
            | Error::FailedItems { .. }
            | Error::OtherRun { .. }
            | Error::PlanChanged { .. }
            | Error::FailedInShard { .. }
            | Error::NothingJoins { .. }
            | Error::AmbiguousItems { .. } => Fault::Data,
        }
    }
}
