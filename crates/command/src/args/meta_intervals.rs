//! Options for intervals of agreement with people, in `neurogauge meta` and `neurogauge survey power`.

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
    bootstrap: Option<Resampled>,
    /// Bootstrap resamples, for percentile and bca
    #[arg(long, value_name = "N", value_parser = number::<Count<MAX_RESAMPLES>, usize>, default_value_t = MetaOptions::default().bootstrap.resamples)]
    resamples: usize,
    /// Level of the intervals
    #[arg(long, value_name = "LEVEL", value_parser = number::<Level, f64>, default_value_t = MetaOptions::default().bootstrap.level)]
    level: f64,
    /// How intervals are made
    #[arg(long, value_enum, defaults_to = interval_of_each())]
    interval: Option<IntervalMethod>,
    /// Seed of resamples, permutations and simulations
    #[arg(long, value_name = "SEED", value_parser = seed, default_value_t = MetaOptions::default().bootstrap.seed.0)]
    seed: u64,
}

impl MetaIntervalArgs {
    /// The options of the command line, with defaults for everything else.
    pub(crate) fn options(&self) -> MetaOptions {
        let of_preset = self.preset.map(|MetaPresetArg::Seed| Resampled::Raters);
        MetaOptions {
            resampled: self.bootstrap.or(of_preset).unwrap_or_default(),
            interval: self.interval,
            bootstrap: BootstrapOptions {
                resamples: self.resamples,
                level: self.level,
                seed: Seed(self.seed),
                ..BootstrapOptions::default()
            },
            ..MetaOptions::default()
        }
    }
}

/// The default methods of intervals, which depend on what is drawn.
fn interval_of_each() -> String {
    let of = |resampled| {
        let options = MetaOptions {
            resampled,
            ..MetaOptions::default()
        };
        word_of(&options.method())
    };
    format!("{} over items, {} where raters are drawn", of(Resampled::Items), of(Resampled::Raters))
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum MetaPresetArg {
    /// SEED (Sec. 5.1)
    Seed,
}
