//! How `neurogauge meta` and `neurogauge survey power` make intervals of agreement with people.

use super::*;
use neurogauge::core::Seed;
use neurogauge::stats::BootstrapOptions;
use neurogauge::stats::meta::{IntervalMethod, MetaOptions, Resampled};

#[derive(Debug, Args)]
pub(crate) struct MetaIntervalArgs {
    /// Make intervals as a paper does: `seed` draws raters and reports percentiles (--bootstrap raters --interval
    /// percentile), which is slow in `survey power`
    #[arg(long, value_enum)]
    preset: Option<MetaPresetArg>,
    /// What a repetition of the survey would draw again
    #[arg(long, value_enum, defaults_to = word_of(&Resampled::default()))]
    bootstrap: Option<ResampledArg>,
    /// Bootstrap resamples, for percentile and bca
    #[arg(long, value_name = "N", default_value = "1000")]
    resamples: Count<MAX_RESAMPLES>,
    /// Level of the intervals
    #[arg(long, value_name = "LEVEL", default_value = "0.95")]
    level: Level,
    /// How intervals are made [default: studentized over items, percentile where raters are drawn]
    #[arg(long, value_enum)]
    interval: Option<IntervalArg>,
    /// Seed of resamples, permutations and simulations
    #[arg(long, value_name = "SEED", value_parser = crate::number::seed, default_value_t = 42)]
    seed: u64,
}

impl MetaIntervalArgs {
    /// What they say, everything else as by default.
    pub(crate) fn options(&self) -> MetaOptions {
        MetaOptions {
            resampled: match (self.bootstrap, self.preset) {
                (Some(ResampledArg::Raters), _) | (None, Some(MetaPresetArg::Seed)) => Resampled::Raters,
                (Some(ResampledArg::Items), _) | (None, None) => Resampled::Items,
                (Some(ResampledArg::Both), _) => Resampled::Both,
            },
            interval: self.interval.map(Into::into),
            bootstrap: BootstrapOptions {
                resamples: self.resamples.into(),
                level: self.level.into(),
                seed: Seed(self.seed),
                ..BootstrapOptions::default()
            },
            ..MetaOptions::default()
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum MetaPresetArg {
    /// SEED (Sec. 5.1)
    Seed,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ResampledArg {
    /// Other people of the same kind; with few of them, intervals are far too narrow
    Raters,
    /// Other items of the same kind, for the same people
    Items,
    /// Both
    Both,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum IntervalArg {
    /// Student's t with the jackknife over items
    Studentized,
    /// Between percentiles of resamples
    Percentile,
    /// The same, corrected for bias and skewness; not with --bootstrap both
    Bca,
}

impl From<IntervalArg> for IntervalMethod {
    fn from(arg: IntervalArg) -> Self {
        match arg {
            IntervalArg::Studentized => IntervalMethod::Studentized,
            IntervalArg::Percentile => IntervalMethod::Percentile,
            IntervalArg::Bca => IntervalMethod::Bca,
        }
    }
}
