//! `neurogauge models`.

use super::*;

#[derive(Debug, Args)]
pub(crate) struct ModelsArgs {
    #[command(subcommand)]
    pub(crate) action: ModelsAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsAction {
    /// What is known, its licence, and where its weights lie
    List(WeightArgs),
    /// Download the weights of a model
    Fetch {
        /// Id of the model
        model: String,
        #[command(flatten)]
        weights: WeightArgs,
    },
    /// Check the SHA-256 of the weights of a model
    Verify {
        /// Id of the model
        model: String,
        #[command(flatten)]
        weights: WeightArgs,
    },
}
