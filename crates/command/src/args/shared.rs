//! Options shared by several commands.

use super::*;
use clap::Arg;
use neurogauge::core::option_words::option;
use neurogauge::models::{DeviceChoice, WeightPrecision};
use neurogauge::stats::{BootstrapOptions, SubjectPopulation};
use neurogauge::{Error, ModelChoices, ModelOverrides, RunSettings, SubjectPattern};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct BootstrapArgs {
    /// Bootstrap resamples of pairs, or of items
    #[arg(long, value_name = "N", defaults_to = SCORE.bootstrap.resamples)]
    pub(crate) resamples: Option<Count<MAX_RESAMPLES>>,
    /// Level of the intervals
    #[arg(long, value_name = "LEVEL", allow_negative_numbers = true, defaults_to = SCORE.bootstrap.level)]
    pub(crate) level: Option<Level>,
    /// Seed of the resamples and of all else that is drawn
    #[arg(long, value_name = "SEED", value_parser = seed, defaults_to = SCORE.bootstrap.seed.0)]
    pub(crate) seed: Option<u64>,
}

impl BootstrapArgs {
    pub(crate) fn options(&self) -> BootstrapOptions {
        let mut options = BootstrapOptions::default();
        set(&mut options.resamples, self.resamples);
        set(&mut options.level, self.level);
        set(&mut options.seed.0, self.seed);
        options
    }
}

/// Which runs are subjects of one system.
#[derive(Debug, Default, Args)]
pub(crate) struct SubjectArgs {
    /// What runs are called where several are subjects of one system: {system} and {subject} where these are named,
    /// and * where anything may be, such as '{system}_s{subject}'. Systems are then compared by the mean over their
    /// subjects
    #[arg(long, value_name = "PATTERN")]
    pub(crate) subjects: Option<SubjectPattern>,
    /// Intervals and tests of means over subjects hold for new subjects, too, and not only for these. It needs five
    /// subjects
    #[arg(long, requires = "subjects")]
    pub(crate) new_subjects: bool,
}

impl SubjectArgs {
    pub(crate) fn population(&self) -> SubjectPopulation {
        match self.new_subjects {
            true => SubjectPopulation::New,
            false => SubjectPopulation::These,
        }
    }
}

#[derive(Debug, Clone, Copy, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct OverwriteArgs {
    /// Replace a finished run of other inputs or options in that folder
    #[arg(long)]
    pub(crate) overwrite: bool,
}

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct WeightArgs {
    /// Folder of model weights (also: NEUROGAUGE_WEIGHTS)
    #[arg(long, value_name = "DIR", value_parser = folder)]
    pub(crate) weights: Option<PathBuf>,
    /// Never download weights
    #[arg(long)]
    pub(crate) offline: bool,
    /// Download missing weights without asking, which is also needed where there is no terminal to ask at
    #[arg(long, conflicts_with = "offline")]
    pub(crate) yes: bool,
    /// Weights of your own for a model: any checkpoint with the tensors of that model (.pth, .pt,
    /// .safetensors, or the index of several, model.safetensors.index.json); recorded as MODEL-custom
    /// with the SHA-256 of the file or of all files. May be repeated
    #[arg(long, value_name = "MODEL=FILE", value_parser = checkpoint)]
    #[serde(deserialize_with = "from_json::named_paths")]
    pub(crate) checkpoint: Vec<(String, PathBuf)>,
}

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct DeviceArgs {
    /// Where models run: cpu, cuda or cuda:N (NVIDIA), metal (Apple), each in single precision, or cpu-f64 (in double
    /// precision, slow). cuda and metal need a build with that feature. Values differ by rounding, so the device is
    /// recorded and results are kept apart by it
    #[arg(long, value_name = "DEVICE", defaults_to = DeviceChoice::default())]
    pub(crate) device: Option<DeviceChoice>,
    /// Number format in which linear maps of models multiply: f32, or bf16 (sums stay in f32). bf16 needs half the
    /// memory for their weights, and less time on processors with products of bf16 (AVX-512 BF16) and on NVIDIA's.
    /// Values differ by rounding, so they are kept apart: recorded as MODEL-bf16-products
    #[arg(long, value_enum, value_name = "PRECISION", conflicts_with = "weight_precision", defaults_to = WeightPrecision::default())]
    pub(crate) precision: Option<PrecisionArg>,
    /// Round the weights of all models when they are read: f32 (as they are stored), bf16 or f16. It is computed in
    /// single precision all the same, so this saves memory and no time: it shows what half precision changes. Recorded
    /// as MODEL-bf16 or MODEL-f16
    #[arg(long, value_name = "PRECISION", defaults_to = WeightPrecision::default())]
    pub(crate) weight_precision: Option<WeightPrecision>,
    /// Keep weights in 32 bits in memory even if 16 are enough. Results are the same: twice the memory, and less
    /// time on processors that have neither AVX2 nor NEON
    #[arg(long)]
    pub(crate) weights_in_f32: bool,
}

impl DeviceArgs {
    /// The precision of weights and of products, combined.
    pub(crate) fn precision(&self) -> Option<WeightPrecision> {
        match self.precision {
            Some(PrecisionArg::Bf16) => Some(WeightPrecision::Bf16Products),
            Some(PrecisionArg::F32) | None => self.weight_precision,
        }
    }
}

/// What linear maps multiply in.
#[derive(Debug, Clone, Copy, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PrecisionArg {
    F32,
    Bf16,
}

/// Which weights models have, and where they run.
#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct ModelArgs {
    #[serde(flatten)]
    #[command(flatten)]
    pub(crate) weights: WeightArgs,
    #[serde(flatten)]
    #[command(flatten)]
    device: DeviceArgs,
}

impl ModelArgs {
    /// The choices that override those in a file or a record.
    pub(crate) fn overrides(&self) -> ModelOverrides {
        neurogauge::models::weights::hold_in_f32(self.device.weights_in_f32);
        ModelOverrides {
            device: self.device.device,
            weight_precision: self.device.precision(),
            checkpoints: self.weights.checkpoint.iter().cloned().collect(),
            lpips_heads: Vec::new(),
        }
    }

    /// The choices for commands without a file or record to override.
    pub(crate) fn choices(&self) -> ModelChoices {
        let mut choices = ModelChoices::default();
        choices.set(&self.overrides());
        choices
    }
}

/// May weights be downloaded without asking again?
pub(crate) static DOWNLOADS_ALLOWED: AtomicBool = AtomicBool::new(false);

/// From now on, weights are downloaded without asking.
pub(crate) fn allow_downloads() {
    DOWNLOADS_ALLOWED.store(true, Ordering::Relaxed);
}

impl WeightArgs {
    pub(crate) fn settings(&self, out: PathBuf) -> RunSettings {
        if self.yes {
            allow_downloads();
        }
        RunSettings {
            out,
            weights: self.weights.clone(),
            allow_download: !self.offline,
            ..RunSettings::default()
        }
    }

    /// Fails for a missing folder, which a file of options or Python may have named.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let text = self.weights.as_ref().map(|path| path.display().to_string());
        match text.as_deref().map(folder).transpose() {
            Ok(_) => Ok(()),
            Err(reason) => Err(Error::Usage(format!("{}: {reason}", option("weights", "")))),
        }
    }
}

/// Parses the path of an existing folder.
fn folder(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.is_dir() {
        true => Ok(path),
        false => Err(format!("{text}: no such folder; expected one that exists")),
    }
}

/// Parses `MODEL=FILE`.
fn checkpoint(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((model, file)) if !model.is_empty() && !file.is_empty() => Ok((model.to_owned(), file.into())),
        _ => Err("expected MODEL=FILE, for example resnet50=robust.pth".to_owned()),
    }
}

// Where a command's results go, and how its tables are printed.
#[derive(Debug, Clone, Args)]
pub(crate) struct OutArgs {
    /// Folder of the results
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

// The same of a command whose results need no folder.
#[derive(Debug, Clone, Args)]
pub(crate) struct MaybeOutArgs {
    /// Folder of the results, if they are kept
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

/// Describes the content of the folder of results; further paragraphs are for the long help.
pub(crate) fn out_is(help: &'static str) -> impl FnMut(Arg) -> Arg {
    move |arg| match (arg.get_id() == "out", help.split_once("\n\n")) {
        (false, _) => arg,
        (true, None) => arg.help(help),
        (true, Some((first, _))) => arg.help(first).long_help(help),
    }
}

impl OutArgs {
    pub(crate) fn new(out: &Path, overwrite: OverwriteArgs, table: TableArgs) -> Self {
        let out = out.to_owned();
        OutArgs { out, overwrite, table }
    }
}
