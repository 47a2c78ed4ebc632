//! `neurogauge plan`, `neurogauge work` and `neurogauge finish`: a command done in parts, by any number of processes.

use super::*;
use neurogauge::Shard;

#[derive(Debug, Subcommand)]
pub(crate) enum PlanCommand {
    /// Plan what `neurogauge score` does; its parts are ranges of images and pairs
    Score(Box<ScoreArgs>),
    /// Plan what `neurogauge perceive` does; its parts are ranges of images
    Perceive(Box<PerceiveArgs>),
    /// Plan what `neurogauge align` does; its parts are target units
    Align(Box<AlignArgs>),
}

#[derive(Debug, Args)]
pub(crate) struct WorkArgs {
    /// The folder that was planned, --out of `neurogauge plan`
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// Which part, of how many: 2/8. Parts may be done in any order, side by side and again
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub(crate) shard: Shard,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) weights: WeightArgs,
}

#[derive(Debug, Args)]
pub(crate) struct FinishArgs {
    /// The folder that was planned. Parts of `align` must all be done; those of other commands are done where they are not
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    #[command(flatten)]
    pub(crate) figures: FigureArgs,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) weights: WeightArgs,
}

/// Reads `I/N`, from 1.
fn shard(text: &str) -> Result<Shard, String> {
    let numbers = text.split_once('/').and_then(|(number, of)| {
        let number: usize = number.trim().parse().ok()?;
        Some((number.checked_sub(1)?, of.trim().parse().ok()?))
    });
    match numbers {
        Some((index, of)) if index < usize::from(of) => Ok(Shard { index, of }),
        _ => Err("expected I/N with I from 1 to N, such as 2/8".to_owned()),
    }
}
