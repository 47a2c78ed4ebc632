//! Arguments for doing the shards of a plan.

use super::*;
use neurogauge::{Shard, VLM_SERVER_VARIABLE};
use std::num::NonZeroUsize;

pub(crate) const MAX_SHARDS: usize = 1_000_000;

#[derive(Debug, Args)]
pub(crate) struct WorkArgs {
    /// The folder that was planned, --out of `neurogauge cluster plan`
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// Number of the shard and of all shards, from 0/8 to 7/8 (8/8 is 0/8). Shards can run in any order, at the same time
    /// and repeatedly, and there can be any number of them. Exit codes: 0 done, 4 done except items that are named, 5
    /// not what was planned, 75 stopped (SIGTERM)
    #[arg(long, value_name = "I/N", value_parser = shard, allow_hyphen_values = true)]
    pub(crate) shard: Shard,
    #[command(flatten)]
    pub(crate) machine: MachineArgs,
}

// Where a machine finds what is in no plan.
#[derive(Debug, Args)]
pub(crate) struct MachineArgs {
    /// Keep what is observed in this folder, not in the cache (NEUROGAUGE_CACHE)
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,
    /// Server with the vision-language model that the plan asks; MODEL=URL if it asks several, once for each. A plan
    /// keeps no addresses
    #[arg(long, value_name = "[MODEL=]URL", value_parser = model_and_url, defaults_to = VLM_SERVER_VARIABLE)]
    pub(crate) vlm: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) serving: ServingArgs,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) weights: WeightArgs,
}

#[derive(Debug, Args)]
pub(crate) struct FinishArgs {
    /// The folder that was planned. Missing shards are named, and done
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// Stop if shards are missing, and say which
    #[arg(long)]
    pub(crate) all_shards: bool,
    #[command(flatten)]
    pub(crate) figures: FigureArgs,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) machine: MachineArgs,
}

/// Parses `I/N`, from 0; `N/N` means `0/N`.
fn shard(text: &str) -> Result<Shard, String> {
    let numbers = text.split_once('/').and_then(|(number, of)| {
        let number: usize = number.trim().parse().ok()?;
        let of: NonZeroUsize = of.trim().parse().ok()?;
        (of.get() <= MAX_SHARDS).then_some((number, of))
    });
    match numbers {
        Some((index, of)) if index <= usize::from(of) => {
            let index = index % usize::from(of);
            Ok(Shard { index, of })
        }
        _ => Err("expected I/N with I from 0 to N - 1, such as 2/8".to_owned()),
    }
}

/// Parses `URL` or `MODEL=URL`.
fn model_and_url(text: &str) -> Result<(String, String), String> {
    let named = text.split_once('=');
    let (model, url) = named.filter(|(model, _)| !model.contains("://")).unwrap_or(("", text));
    match url.contains("://") {
        true => Ok((model.to_owned(), url.to_owned())),
        false => Err("expected an address such as http://localhost:8000".to_owned()),
    }
}
