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
    /// Print what it holds of each kind by each model
    Size,
    /// Remove what models observed. Weights stay, and run folders keep what they have
    Prune {
        /// Only of these, such as `captions` or `features/alexnet.features.4` [default: all]
        #[arg(value_name = "KIND[/MODEL]")]
        parts: Vec<String>,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
}
