//! `neurogauge plan`, `work` and `finish`.

use super::*;
use neurogauge::Shard;
use std::num::NonZeroUsize;

#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    #[command(subcommand)]
    pub(crate) command: PlannedCommand,
}

/// The commands whose work can be shared.
#[derive(Debug, Subcommand)]
pub(crate) enum PlannedCommand {
    /// Plan a run of `neurogauge score`
    Score(Box<ScoreArgs>),
    /// Plan a call of `neurogauge perceive`
    Perceive(Box<PerceiveArgs>),
}

#[derive(Debug, Args)]
pub(crate) struct WorkArgs {
    /// A folder with a plan.json
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// Which part, of how many: 2/8 is the second of eight
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub(crate) shard: Shard,
}

#[derive(Debug, Args)]
pub(crate) struct FinishArgs {
    /// A folder with a plan.json
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// What is printed on stdout, of a run of `score`
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: OutputFormat,
}

/// Reads `2/8`.
fn shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/');
    let numbers = parts.and_then(|(index, of)| {
        let (index, of) = (index.parse::<NonZeroUsize>().ok()?, of.parse().ok()?);
        Some((index.get() - 1, of))
    });
    match numbers {
        Some((index, of)) if index < NonZeroUsize::get(of) => Ok(Shard { index, of }),
        _ => Err("expected I/N with I from 1 to N, such as 2/8".to_owned()),
    }
}
