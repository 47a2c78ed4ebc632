//! `neurogauge cache`.

use super::*;

#[derive(Debug, Args)]
pub(crate) struct CacheArgs {
    #[command(subcommand)]
    pub(crate) action: CacheAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CacheAction {
    /// Print its folder (NEUROGAUGE_CACHE)
    Dir,
    /// Print how much it holds
    ///
    /// Of each kind by each model, and of the last run of `score` without --out
    Size,
    /// Remove what models observed
    ///
    /// Weights stay, run folders keep what they have, and the last run of `score` without --out goes only where it is
    /// named (`last-run`)
    Prune {
        /// Only these, such as `captions`, `features/alexnet.features.4` or `last-run` [default: all but `last-run`]
        #[arg(value_name = "KIND[/MODEL]")]
        parts: Vec<String>,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
}
