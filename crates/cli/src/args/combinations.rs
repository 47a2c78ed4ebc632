//! Options of `neurogauge meta` on combinations of metrics.

use super::*;
use neurogauge::stats::combination::CombinationOptions;
use neurogauge::stats::meta::Statistic;
use neurogauge_meta::{CombinationRequest, CombineWhen, NamedComposite};

const MAX_FOLDS: usize = 1000;

#[derive(Debug, Args)]
pub(crate) struct CombinationArgs {
    /// Averages of two metrics, best subsets, fitted weights, and what each part of a composite
    /// adds; auto: with 2 to 12 metrics
    #[arg(
        long,
        value_parser = choice::<CombineWhen>(),
        value_name = "WHEN",
        num_args = 0..=1,
        default_value = "auto",
        default_missing_value = "on"
    )]
    combinations: CombineWhen,
    /// An average that is held against people as a metric and taken apart, for example ours=clip+effnet; may be
    /// repeated [default: SEED where its parts are there, else all metrics with --combinations, which are only taken
    /// apart]
    #[arg(long, value_name = "NAME=A+B+...", value_parser = composite)]
    composite: Vec<NamedComposite>,
    /// What scores become before they are averaged
    #[arg(long, value_parser = choice::<Scaling>(), default_value = "raw")]
    scaling: Scaling,
    /// What the best subset is best in
    #[arg(long, value_enum, value_name = "STATISTIC", default_value = "tau-b")]
    select_by: SelectByArg,
    /// Folds of the cross-validation of subsets and weights
    #[arg(long, value_name = "K", default_value = "5")]
    folds: Count<MAX_FOLDS>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SelectByArg {
    Accuracy,
    TauB,
    Pearson,
    Spearman,
}

impl CombinationArgs {
    pub(crate) fn request(&self) -> CombinationRequest {
        CombinationRequest {
            when: self.combinations,
            composites: self.composite.clone(),
            options: CombinationOptions {
                scaling: self.scaling,
                select_by: match self.select_by {
                    SelectByArg::Accuracy => Statistic::CalibratedAccuracy,
                    SelectByArg::TauB => Statistic::KendallTauB,
                    SelectByArg::Pearson => Statistic::Pearson,
                    SelectByArg::Spearman => Statistic::Spearman,
                },
                folds: self.folds.into(),
            },
        }
    }
}

fn composite(text: &str) -> Result<NamedComposite, String> {
    let expected = || "expected a name and its parts, such as ours=clip+effnet".to_owned();
    let (name, parts) = text.split_once('=').ok_or_else(expected)?;
    let parts: Vec<String> = parts.split('+').map(|part| part.trim().to_owned()).collect();
    if name.trim().is_empty() || parts.iter().any(String::is_empty) {
        return Err(expected());
    }
    Ok(NamedComposite {
        name: name.trim().to_owned(),
        parts,
    })
}
